/** A label leaves out what one of its other literals implies. */
import fc from 'fast-check';
import { Premises } from '../../../src/engines/minimax/conjunction';
import { implies } from '../../../src/engines/minimax/labels';
import * as L from '../../../src/logic/build';

const width = 4;
const word = fc.constantFrom('x', 'y').map((name) => L.symbol(name, L.bitsSort(width)));
const bound = fc
  .tuple(fc.constantFrom(L.sle, L.slt, L.ule, L.ult, L.eq), word, fc.nat(15), fc.boolean(), fc.boolean())
  .map(([compare, x, literal, isUpper, isNegated]) => {
    const value = L.bits(BigInt(literal), width);
    const term = isUpper ? compare(x, value) : compare(value, x);
    return isNegated ? L.not(term) : term;
  });
const literal = fc.oneof(
  { weight: 3, arbitrary: bound },
  { weight: 1, arbitrary: fc.tuple(bound, bound).map(([a, b]) => L.or(a, b)) },
  { weight: 1, arbitrary: fc.tuple(bound, bound).map(([a, b]) => L.and(a, b)) },
);

test('premises that are looked up imply what each two of them say', () => {
  let implied = 0;
  fc.assert(
    fc.property(fc.array(literal, { maxLength: 8 }), (terms) => {
      const premises = new Premises(terms);
      for (const term of terms) {
        const expected = terms.some((other) => other !== term && implies(other, term));
        expect(premises.imply(term)).toBe(expected);
        if (expected) implied++;
      }
    }),
    { numRuns: 1000 },
  );
  expect(implied).toBeGreaterThan(100);
});
