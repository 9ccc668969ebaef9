/**
 * Equality of pointers where one may be behind the end of its object and the other at the beginning of the next: C11
 * 6.5.9p6 lets them be equal.
 */
import * as L from '../../logic/build';
import type { Term } from '../../logic/term';
import { equal as sameOffsets, exactly } from '../../program/congruence';
import type { Expression } from '../../program/expression';
import type { Pointee } from '../pointers/regionNode';
import type { MemoryModel } from './memoryModel';
import { pointerEqual, type SymbolicPointer, type SymbolicValue, truth } from './symbolicValues';

/** Undefined if they are compared as numbers. `sizeOf`: of an object that may be one of several. */
export function compareEnds(
  memoryModel: MemoryModel,
  a: SymbolicPointer,
  b: SymbolicPointer,
  site: Extract<Expression, { kind: 'compare' }>,
  sizeOf: (object: Term, targets: readonly Pointee[]) => Term,
): SymbolicValue | undefined {
  const { regions } = memoryModel;
  const [p, q] = [regions.targets(site.left), regions.targets(site.right)];
  if (!p?.[0] || !q?.[0]) return undefined;
  const begins = ({ at }: Pointee): boolean => sameOffsets(at, exactly(0));
  const [{ node }] = p;
  if (
    (p.every(begins) && q.every(begins)) ||
    ([...p, ...q].every((target) => target.node === node) && regions.layout(node).single)
  )
    return undefined;
  const meets = (end: SymbolicPointer, targets: readonly Pointee[], begin: SymbolicPointer): Term =>
    L.and(
      L.eq(end.offset, sizeOf(end.object, targets)),
      memoryModel.begins(begin),
      L.call('adjacent', L.boolSort, end.object, begin.object),
    );
  const apart = L.and(
    ...[a, b].map(({ object }) => L.not(L.eq(object, L.bits(0n, memoryModel.half)))),
    L.not(L.eq(a.object, b.object)),
  );
  const equal = L.or(pointerEqual(a, b), L.and(apart, L.or(meets(a, p, b), meets(b, q, a))));
  return truth(site.operator === 'eq' ? equal : L.not(equal));
}
