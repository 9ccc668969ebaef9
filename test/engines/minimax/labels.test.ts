/** Labels carried backwards: bounds of sums imply what they replace, and cases of an index are all of them. */
import fc from 'fast-check';
import { boundOf, eliminate, implies, withoutOffset } from '../../../src/engines/minimax/labels';
import * as L from '../../../src/logic/build';
import { evaluate } from '../../../src/logic/evaluate';
import type { Term, Value } from '../../../src/logic/term';

const width = 6;
const x = L.symbol('x', L.bitsSort(width));
const bits = (value: number): Term => L.bits(BigInt.asUintN(width, BigInt(value)), width);
const holds = (term: Term, value: number): boolean => evaluate(term, () => BigInt(value)) === true;
const everyValue = Array.from({ length: 1 << width }, (_, value) => value);

const bound = fc
  .tuple(fc.constantFrom(L.sle, L.slt, L.ule, L.ult), fc.nat(63), fc.nat(63), fc.boolean(), fc.boolean())
  .map(([order, offset, literal, isUpper, isNegated]) => {
    const sum = L.add(x, bits(offset));
    const term = isUpper ? order(sum, bits(literal)) : order(bits(literal), sum);
    return isNegated ? L.not(term) : term;
  });

test('bounds without an offset imply the bound they replace, whatever wraps', () => {
  let replaced = 0;
  fc.assert(
    fc.property(bound, (term) => {
      const parts = withoutOffset(term);
      if (!parts) return;
      replaced++;
      for (const value of everyValue)
        if (parts.every((part) => holds(part, value))) expect(holds(term, value)).toBe(true);
    }),
    { numRuns: 400 },
  );
  expect(replaced).toBeGreaterThan(100);
});

test('a bound that has no constant is left as it is', () => {
  expect(withoutOffset(L.sle(x, bits(3)))).toBeUndefined();
  expect(boundOf(L.eq(x, bits(3)))).toBeUndefined();
});

test('what shapes say of implications holds', () => {
  fc.assert(
    fc.property(bound, bound, bound, (a, b, c) => {
      for (const [one, other] of [
        [a, b],
        [a, L.or(b, c)],
        [L.and(a, c), b],
      ] as const)
        if (implies(one, other))
          for (const value of everyValue) expect(!holds(one, value) || holds(other, value)).toBe(true);
    }),
    { numRuns: 300 },
  );
});

test('the cases of an index that is chosen are all of them', () => {
  const array = L.symbol('a', L.arraySort(L.bitsSort(width), L.bitsSort(width)));
  const k = L.symbol('k', L.bitsSort(width));
  const some = eliminate(L.and(L.ule(k, bits(3)), L.eq(L.select(array, k), bits(7))), new Set([k]));
  for (const place of [0, 3, 4]) {
    const value: Value = { default: 0n, entries: new Map([[BigInt(place), 7n]]) };
    expect(evaluate(some, () => value)).toBe(place <= 3);
  }
});
