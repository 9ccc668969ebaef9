/** A quotient times its divisor. */
import * as fc from 'fast-check';
import { bits, bitsSort, evaluate, mul, sdiv, signExtend, symbol, udiv, zeroExtend } from '../../../src/logic';
import type { Term } from '../../../src/logic';
import { productOverFactor, quotientLaws } from '../../../src/logic/words/quotients';
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

test('a product that fits, over one of its factors', () => {
  const signed = mul(signExtend(x, 16), signExtend(y, 16));
  expect(productOverFactor(signed, signExtend(y, 16), 'signed')).toBe(signExtend(x, 16));
  const unsigned = mul(zeroExtend(x, 16), zeroExtend(y, 16));
  expect(productOverFactor(unsigned, zeroExtend(x, 16), 'unsigned')).toBe(zeroExtend(y, 16));
  fc.assert(
    fc.property(anyByte, anyByte, (a, b) => {
      fc.pre(b !== 0n);
      const wide = (value: bigint) => BigInt.asUintN(16, BigInt.asIntN(8, value));
      expect(signedDivide(evaluate(signed, at(a, b)) as bigint, wide(b), 16)).toBe(wide(a));
      expect(unsignedDivide(evaluate(unsigned, at(a, b)) as bigint, b, 16)).toBe(a);
    }),
    { numRuns: 3000 },
  );
});

test('a product that may wrap stays below its factor', () => {
  // 255 * 255 is negative in 16 bits.
  const unsigned = mul(zeroExtend(x, 16), zeroExtend(y, 16));
  expect(productOverFactor(unsigned, zeroExtend(y, 16), 'signed')).toBeUndefined();
  expect(productOverFactor(mul(x, y), y, 'signed')).toBeUndefined();
  expect(productOverFactor(mul(x, y), x, 'unsigned')).toBeUndefined();
  const narrow = mul(signExtend(x, 12), signExtend(y, 12));
  expect(productOverFactor(narrow, signExtend(y, 12), 'signed')).toBeUndefined();
});

test('the law of a quotient by an unknown word holds of all words', () => {
  for (const term of [udiv(x, y), sdiv(x, y)]) {
    const [law] = quotientLaws(term);
    fc.assert(
      fc.property(anyByte, anyByte, (a, b) => {
        expect(evaluate(law!, at(a, b))).toBe(true);
      }),
      { numRuns: 3000 },
    );
  }
  expect(quotientLaws(udiv(x, bits(3n, 8)))).toEqual([]);
  expect(quotientLaws(mul(x, y))).toEqual([]);
});
