/** Equality with a choice: one of which a side is the word itself, and a choice between conditions. */
import { bits, bitsSort, boolSort, eq, evaluate, ite, not, or, symbol } from '../../src/logic';
import type { Term } from '../../src/logic';

const [x, y] = [symbol('x', bitsSort(4)), symbol('y', bitsSort(4))];
const [c, p, q] = ['c', 'p', 'q'].map((name) => symbol(name, boolSort)) as [Term, Term, Term];
const truth = (condition: Term): Term => ite(condition, bits(1, 4), bits(0, 4));
const words = Array.from({ length: 16 }, (_, i) => BigInt(i));

test('a choice of which one side is the word', () => {
  expect(eq(ite(c, y, x), x)).toBe(or(not(c), eq(y, x)));
  expect(eq(x, ite(c, x, y))).toBe(or(c, eq(y, x)));
  for (const holds of [true, false])
    for (const a of words)
      for (const b of words) {
        const value = (s: Term) => (s === c ? holds : s === x ? a : b);
        expect(evaluate(eq(ite(c, y, x), x), value)).toBe((holds ? b : a) === a);
        expect(evaluate(eq(x, ite(c, x, y)), value)).toBe(a === (holds ? a : b));
      }
});

test('a choice between truth values', () => {
  for (const wanted of [0, 1, 2]) {
    const term = eq(ite(c, truth(p), truth(q)), bits(wanted, 4));
    for (const values of [0, 1, 2, 3, 4, 5, 6, 7].map((n) => [n & 1, n & 2, n & 4].map(Boolean))) {
      const [of, first, second] = values as [boolean, boolean, boolean];
      const value = (s: Term) => (s === c ? of : s === p ? first : second);
      expect(evaluate(term, value)).toBe(Number(of ? first : second) === wanted);
    }
  }
});
