/**
 * Programs that may see a pointer's bytes as a number, or that make a pointer of a number. The bytes of their pointers
 * are addresses: an object's number times 2^32 plus the signed offset, as conversions say. Elsewhere nobody sees that a
 * negative offset is not taken from the object's number, which is faster.
 *
 * A pointer's bytes are a number's only in a union, or behind a pointer that was converted from or to another type: by
 * a cast, by `memcpy`, or in memory without a type of its own.
 */
import { withoutQualifiers } from '../../../c/target';
import type { TypedExpression } from '../../../c/tree';
import type { CType } from '../../../c/types';
import type { LinkedProgram } from '../../linking/link';
import { compatible } from '../compatible';
import { walkInitializer, walkStatement } from '../walk';

export function storesAddresses({ functions, variables }: LinkedProgram): boolean {
  let found = false;
  /** Converted to be freed or compared, and not followed. */
  const ended = new Set<TypedExpression>();
  const expression = (e: TypedExpression): void => {
    if (e.kind === 'call' && nameOf(e) === 'free') for (const argument of e.arguments) ended.add(argument);
    if (e.kind === 'relational') for (const side of [e.left, e.right]) ended.add(side);
    if (e.kind === 'member' && e.object.type.kind === 'record' && e.object.type.record.keyword === 'union')
      found ||= holdsPointer(e.object.type);
    if (e.kind === 'convert' && !ended.has(e)) found ||= isOtherView(e.operand, e.type);
  };
  for (const { symbol, library } of functions) if (symbol.body && !library) walkStatement(symbol.body, { expression });
  for (const { initializer, library } of variables)
    if (initializer && !library) walkInitializer(initializer, { expression });
  return found;
}

/** The conversion makes a number of a pointer, or the other way round, or leads to pointers as if to something else. */
function isOtherView(operand: TypedExpression, to: CType): boolean {
  const from = operand.type;
  if (isNull(operand)) return false;
  if (from.kind === 'pointer' && to.kind === 'pointer') {
    // A new block holds nothing yet.
    if (operand.kind === 'call' && allocators.has(nameOf(operand) ?? '')) return false;
    if (!holdsPointer(from.to) && !holdsPointer(to.to)) return false;
    return !compatible(withoutQualifiers(from.to), withoutQualifiers(to.to));
  }
  if (from.kind === 'pointer') return to.kind === 'enum' || (to.kind === 'integer' && to.name !== 'bool');
  return to.kind === 'pointer';
}

const isNull = (e: TypedExpression): boolean =>
  e.kind === 'convert' ? isNull(e.operand) : e.kind === 'integer' && e.value === 0n;

const allocators: ReadonlySet<string> = new Set(['malloc', 'calloc', 'aligned_alloc', 'alloca', '__builtin_alloca']);

const nameOf = ({ callee }: Extract<TypedExpression, { kind: 'call' }>): string | undefined =>
  callee.kind === 'function-pointer' && callee.designator.kind === 'function'
    ? callee.designator.symbol.name
    : undefined;

function holdsPointer(type: CType): boolean {
  switch (type.kind) {
    case 'pointer':
      return true;
    case 'array':
      return holdsPointer(type.of);
    case 'record':
      return type.record.fields.some((field) => holdsPointer(field.type));
    default:
      return false;
  }
}
