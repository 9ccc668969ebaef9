/** Equations multiplied out mean what they meant, and what cancels is gone. */
import * as fc from 'fast-check';
import * as L from '../../../src/logic';
import type { SymbolTerm, Term } from '../../../src/logic';
import { multipliedOut } from '../../../src/logic/words/polynomial';

const word = L.bitsSort(8);
const symbols = ['x', 'y', 'z'].map((name) => L.symbol(name, word));
const { sum } = fc.letrec<{ sum: Term }>((tie) => ({
  sum: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constantFrom<Term>(...symbols),
    fc.bigInt(0n, 255n).map((value) => L.bits(value, 8)),
    ...([L.add, L.sub, L.mul, L.mul] as const).map((operator) =>
      fc.tuple(tie('sum'), tie('sum')).map(([a, b]) => operator(a, b)),
    ),
  ),
}));

test('an equation multiplied out is as true as before', () => {
  fc.assert(
    fc.property(sum, sum, fc.array(fc.bigInt(0n, 255n), { minLength: 3, maxLength: 3 }), (a, b, values) => {
      const value = (symbol: SymbolTerm): bigint => values[symbols.indexOf(symbol)]!;
      const formula = L.or(L.eq(a, b), L.not(L.eq(L.mul(a, b), symbols[0]!)));
      expect(L.evaluate(multipliedOut(formula), value)).toBe(L.evaluate(formula, value));
    }),
    { numRuns: 500 },
  );
});

test('a square after a step is the square before it', () => {
  const [i, s] = ['i', 's'].map((name) => L.symbol(name, L.bitsSort(32))) as [SymbolTerm, SymbolTerm];
  const one = L.bits(1n, 32);
  const square = (of: Term, is: Term): Term => L.eq(L.mul(of, of), is);
  const after = L.substitute(
    square(i, s),
    new Map<Term, Term>([
      [i, L.add(i, one)],
      [s, L.add(s, L.mul(L.bits(2n, 32), i), one)],
    ]),
  );
  expect(after).not.toBe(square(i, s));
  expect(multipliedOut(after)).toBe(multipliedOut(square(i, s)));
});
