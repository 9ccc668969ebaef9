import * as fc from 'fast-check';
import { floatBits } from '../../../src/logic/floats/patterns';

const special = [
  0,
  -0,
  1,
  -1,
  0.5,
  1.5,
  -2,
  2 ** -126,
  2 ** -127,
  -(2 ** -149),
  2 ** -1022,
  2 ** -1074,
  3e38,
  1e308,
  Infinity,
  -Infinity,
  NaN,
  2 ** 31,
  -(2 ** 31),
  2 ** 32,
  2 ** 24,
  16777217,
];

/** Bits of numbers: all kinds, NaNs of many patterns among them, and those near special ones. */
export function checkedFloats(width: 32 | 64): fc.Arbitrary<bigint> {
  const all = (1n << BigInt(width)) - 1n;
  const known = fc.constantFrom(...special).map((value) => floatBits(value, width));
  return fc.oneof(
    fc.bigInt(0n, all),
    known,
    fc.tuple(known, fc.bigInt(-2n, 2n)).map(([value, step]) => (value + step) & all),
    fc.integer({ min: -100_000, max: 100_000 }).map((n) => floatBits(n / 64, width)),
  );
}
