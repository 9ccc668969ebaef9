/** Support of a constraint once the heads that it supports are done. */
import { Head, isAlive, StateConstraint } from '../../../src/engines/minimax/constraints';
import * as L from '../../../src/logic/build';

const x = L.symbol('x', L.bitsSort(32));
const constraintAt = (head: Head, value: bigint): StateConstraint => {
  const constraint = new StateConstraint(head, L.eq(x, L.bits(value, 32)));
  head.constraints.push(constraint);
  return constraint;
};

test('constraints of closed heads that only support one another are needed no more', () => {
  const outer = new Head(undefined, undefined, 'closable');
  const inner = new Head(undefined, outer, 'closable');
  const [one, other] = [constraintAt(outer, 1n), constraintAt(inner, 2n)];
  one.tags.add(other);
  other.tags.add(one);
  expect(isAlive(new Set([one]))).toBe(true);
  outer.isOpen = false;
  inner.isOpen = false;
  expect(isAlive(new Set([one]))).toBe(false);
  other.isMax = true;
  expect(isAlive(new Set([one]))).toBe(true);
  one.isKept = false;
  expect(isAlive(new Set([one]))).toBe(false);
});
