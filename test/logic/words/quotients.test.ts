/** A quotient times its divisor. */
import * as fc from 'fast-check';
import { bits, bitsSort, evaluate, mul, sdiv, signExtend, symbol, udiv, zeroExtend } from '../../../src/logic';
import type { Term } from '../../../src/logic';
import { signedDivide, unsignedDivide } from '../../../src/logic/words/words';

const [x, y] = [symbol('x', bitsSort(8)), symbol('y', bitsSort(8))];
const at = (a: bigint, b: bigint) => (s: Term) => (s === x ? a : b);
const anyByte = fc.oneof(fc.bigInt({ min: 0n, max: 255n }), fc.constantFrom(0n, 1n, 128n, 255n));

test('(x / y) * y without the quotient', () => {
  for (const term of [mul(sdiv(x, y), y), mul(y, udiv(x, y))]) expect(term).toMatchObject({ operator: 'add' });
  fc.assert(
    fc.property(anyByte, anyByte, (a, b) => {
      const wrap = (value: bigint) => BigInt.asUintN(8, value);
      expect(evaluate(mul(sdiv(x, y), y), at(a, b))).toBe(wrap(signedDivide(a, b, 8) * b));
      expect(evaluate(mul(y, udiv(x, y)), at(a, b))).toBe(wrap(unsignedDivide(a, b, 8) * b));
    }),
    { numRuns: 3000 },
  );
});

test('in twice the width', () => {
  const signed = (value: bigint) => BigInt.asIntN(8, value);
  fc.assert(
    fc.property(anyByte, anyByte, (a, b) => {
      expect(evaluate(mul(signExtend(sdiv(x, y), 16), signExtend(y, 16)), at(a, b))).toBe(
        BigInt.asUintN(16, signed(signedDivide(a, b, 8)) * signed(b)),
      );
      expect(evaluate(mul(zeroExtend(udiv(x, y), 16), zeroExtend(y, 16)), at(a, b))).toBe(
        BigInt.asUintN(16, unsignedDivide(a, b, 8) * b),
      );
    }),
    { numRuns: 3000 },
  );
});

test('other products stay', () => {
  expect(mul(sdiv(x, y), x)).toMatchObject({ operator: 'multiply' });
  expect(mul(sdiv(x, bits(3, 8)), y)).toMatchObject({ operator: 'multiply' });
});
