/**
 * Static data is initialised. Uninitialised bytes get there only by copying a structure or bytes from an automatic
 * object or a block.
 */
import type { TypedExpression } from '../../../c/tree';
import type { LinkedProgram } from '../../linking/link';
import { walkStatement } from '../walk';

/**
 * True if a copy into static data may occur. With a cast, a structure may also be copied into an array of its parts.
 */
export function copiesIntoStatics({ functions }: LinkedProgram): boolean {
  let found = false;
  const expression = (e: TypedExpression): void => {
    if (e.kind === 'assign' && e.target.type.kind === 'record') found ||= mayBeStatic(e.target);
    else if (e.kind === 'call' && mayCopy(e)) found ||= mayBeStatic(e.arguments[0]!);
  };
  for (const { symbol } of functions) if (symbol.body) walkStatement(symbol.body, { expression });
  return found;
}

const copies: ReadonlySet<string> = new Set(['memcpy', 'memmove', '__builtin_memcpy', '__builtin_memmove']);

/** A place, or a pointer to one, that does not lie in a variable of a function. */
function mayBeStatic(place: TypedExpression): boolean {
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

/** A function pointer may lead to a function that copies. */
function mayCopy({
  callee,
  arguments: [target, source, size, ...others],
}: Extract<TypedExpression, { kind: 'call' }>): boolean {
  if (!target || !source || !size || others.length > 0) return false;
  const name = calledName(callee);
  return name === undefined ? target.type.kind === 'pointer' && source.type.kind === 'pointer' : copies.has(name);
}

function calledName(callee: TypedExpression): string | undefined {
  if (callee.kind === 'function-pointer') return calledName(callee.designator);
  return callee.kind === 'function' ? callee.symbol.name : undefined;
}
