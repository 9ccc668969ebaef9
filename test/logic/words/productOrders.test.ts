/** Products with a common factor. */
import * as fc from 'fast-check';
import { bits, bitsSort, evaluate, mul, symbol } from '../../../src/logic';
import type { Term } from '../../../src/logic';
import { productLaws } from '../../../src/logic/words/productOrders';

const [a, b, c] = ['a', 'b', 'c'].map((name) => symbol(name, bitsSort(8))) as [Term, Term, Term];
const anyByte = fc.oneof(
  fc.bigInt({ min: 0n, max: 255n }),
  fc.bigInt({ min: 0n, max: 9n }),
  fc.constantFrom(127n, 128n, 255n),
);

test('the law holds of all words', () => {
  const laws = productLaws([mul(a, c), mul(c, b)]);
  expect(laws).toHaveLength(2);
  fc.assert(
    fc.property(anyByte, anyByte, anyByte, (x, y, z) => {
      const at = (s: Term) => (s === a ? x : s === b ? y : z);
      for (const law of laws) expect(evaluate(law, at)).toBe(true);
    }),
    { numRuns: 5000 },
  );
});

test('none of products without a common factor, or by a constant', () => {
  expect(productLaws([mul(a, b), mul(bits(3n, 8), c)])).toEqual([]);
  expect(productLaws([mul(a, a), mul(b, c)])).toEqual([]);
  expect(productLaws([mul(a, b)])).toEqual([]);
});
