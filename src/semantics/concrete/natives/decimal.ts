/**
 * Floats as decimal text, exactly: a double is an integer times a power of two, so its digits come from integer
 * arithmetic, rounded half to even on the exact value as C libraries do (JavaScript's `toFixed` rounds ties up and
 * gives up at 10^21).
 */

import { divideToEven } from '../../../c/floatingPoint';

/** |value| = mantissa * 2^exponent. The value is finite. */
export function decompose(value: number): { mantissa: bigint; exponent: number } {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  const bits = view.getBigUint64(0);
  const biased = Number((bits >> 52n) & 0x7ffn);
  const fraction = bits & 0xf_ffff_ffff_ffffn;
  return biased === 0
    ? { mantissa: fraction, exponent: -1074 }
    : { mantissa: fraction | (1n << 52n), exponent: biased - 1075 };
}

/** |value| * 10^power, rounded half to even. */
function scale(value: number, power: number): bigint {
  const { mantissa, exponent } = decompose(value);
  let numerator = mantissa;
  let denominator = 1n;
  if (exponent > 0) numerator <<= BigInt(exponent);
  else denominator <<= BigInt(-exponent);
  if (power > 0) numerator *= 10n ** BigInt(power);
  else denominator *= 10n ** BigInt(-power);
  return divideToEven(numerator, denominator);
}

/** Digits of |value| with `precision` of them after the point, as `%f` has them. */
export function toFixedDigits(value: number, precision: number): { whole: string; fraction: string } {
  const digits = scale(value, precision)
    .toString()
    .padStart(precision + 1, '0');
  return { whole: digits.slice(0, digits.length - precision), fraction: digits.slice(digits.length - precision) };
}

/** The first significant digit's exponent, exactly. */
function decimalExponent(value: number): number {
  const { mantissa, exponent } = decompose(value);
  let guess = Math.floor(Math.log10(Math.abs(value)));
  const reaches = (power: number): boolean => {
    const [left, right] = [
      exponent >= 0 ? mantissa << BigInt(exponent) : mantissa,
      exponent >= 0 ? 1n : 1n << BigInt(-exponent),
    ];
    return power >= 0 ? left >= 10n ** BigInt(power) * right : left * 10n ** BigInt(-power) >= right;
  };
  while (!reaches(guess)) guess--; // the logarithm was rounded
  while (reaches(guess + 1)) guess++;
  return guess;
}

/** `precision + 1` significant digits of |value| and the exponent of the first, as `%e` has them. */
export function scientific(value: number, precision: number): { digits: string; exponent: number } {
  if (value === 0) return { digits: '0'.repeat(precision + 1), exponent: 0 };
  const exponent = decimalExponent(value);
  const digits = scale(value, precision - exponent).toString();
  // Rounding may have carried over: 9.96 is 1.0e+01.
  return digits.length === precision + 1
    ? { digits, exponent }
    : { digits: digits.slice(0, -1), exponent: exponent + 1 };
}
