/**
 * Static data begins as written. What was never written gets there only by a copy, of a structure or of bytes, from an
 * object of a function's or a block.
 */
import type { Expression } from '../../c/tree';
import type { LinkedProgram } from '../link';
import { walkStatement } from './walk';

/**
 * Whether static data may be copied into. By a cast a structure may go where there is an array of what it consists of,
 * too.
 */
export function copiesIntoStatics({ functions }: LinkedProgram): boolean {
  let found = false;
  const expression = (e: Expression): void => {
    if (e.kind === 'assign' && e.target.type.kind === 'record') found ||= mayBeStatic(e.target);
    else if (e.kind === 'call' && mayCopy(e)) found ||= mayBeStatic(e.arguments[0]!);
  };
  for (const { symbol } of functions) if (symbol.body) walkStatement(symbol.body, { expression });
  return found;
}

const copies: ReadonlySet<string> = new Set(['memcpy', 'memmove', '__builtin_memcpy', '__builtin_memmove']);

/** A place, or a pointer to it, that does not lie in a variable of a function. */
function mayBeStatic(place: Expression): boolean {
  switch (place.kind) {
    case 'variable':
      return place.symbol.storage !== 'automatic' && place.symbol.storage !== 'parameter';
    case 'compound-literal':
      return false;
    case 'member':
      return mayBeStatic(place.object);
    case 'dereference':
    case 'pointer-add':
      return mayBeStatic(place.pointer);
    case 'decay':
    case 'address-of':
      return mayBeStatic(place.lvalue);
    case 'convert':
      return mayBeStatic(place.operand);
    default:
      return true;
  }
}

/** A pointer to a function may lead to one that copies. */
function mayCopy({
  callee,
  arguments: [target, source, size, ...others],
}: Extract<Expression, { kind: 'call' }>): boolean {
  if (!target || !source || !size || others.length > 0) return false;
  const name = calledName(callee);
  return name === undefined ? target.type.kind === 'pointer' && source.type.kind === 'pointer' : copies.has(name);
}

function calledName(callee: Expression): string | undefined {
  if (callee.kind === 'function-pointer') return calledName(callee.designator);
  return callee.kind === 'function' ? callee.symbol.name : undefined;
}
