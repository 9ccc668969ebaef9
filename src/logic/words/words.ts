/**
 * Words: arithmetic modulo 2^width on unsigned bigints, as SMT-LIB's theory of bit-vectors defines it. Both the
 * constructors and the evaluator use it, so they agree.
 */
/** The reading of a word: as an unsigned integer or in two's complement. */
export type Signedness = 'signed' | 'unsigned';

export const signednessOf = ({ signed }: { readonly signed: boolean }): Signedness => (signed ? 'signed' : 'unsigned');

const masks: bigint[] = [];

/** 2^width - 1. */
export function allOnes(width: number): bigint {
  return (masks[width] ??= (1n << BigInt(width)) - 1n);
}

export function wrap(value: bigint, width: number): bigint {
  return BigInt.asUintN(width, value);
}

/** The two's complement reading of a word. */
export function toSigned(word: bigint, width: number): bigint {
  return BigInt.asIntN(width, word);
}

/** By zero: all ones. */
export function unsignedDivide(a: bigint, b: bigint, width: number): bigint {
  return b === 0n ? allOnes(width) : a / b;
}

/** By zero: the dividend. */
export function unsignedRemainder(a: bigint, b: bigint): bigint {
  return b === 0n ? a : a % b;
}

/** Truncates; by zero: 1 when the dividend is negative, else -1; the smallest number by -1 wraps. */
export function signedDivide(a: bigint, b: bigint, width: number): bigint {
  const x = toSigned(a, width);
  if (b === 0n) return x < 0n ? 1n : allOnes(width);
  return wrap(x / toSigned(b, width), width);
}

/** Sign of the dividend; by zero: the dividend. */
export function signedRemainder(a: bigint, b: bigint, width: number): bigint {
  return b === 0n ? a : wrap(toSigned(a, width) % toSigned(b, width), width);
}

/** Amounts of `width` or more give 0. */
export function shiftLeft(a: bigint, amount: bigint, width: number): bigint {
  return amount >= BigInt(width) ? 0n : wrap(a << amount, width);
}

/** Amounts of `width` or more give 0. */
export function logicalShiftRight(a: bigint, amount: bigint, width: number): bigint {
  return amount >= BigInt(width) ? 0n : a >> amount;
}

/** Amounts of `width` or more give the sign everywhere. */
export function arithmeticShiftRight(a: bigint, amount: bigint, width: number): bigint {
  const by = amount >= BigInt(width) ? BigInt(width - 1) : amount;
  return wrap(toSigned(a, width) >> by, width);
}

export function extractBits(a: bigint, high: number, low: number): bigint {
  return wrap(a >> BigInt(low), high - low + 1);
}

/** k when the word is 2^k, otherwise undefined. */
export function exponentOf(word: bigint): number | undefined {
  if (word <= 0n || (word & (word - 1n)) !== 0n) return undefined;
  return word.toString(2).length - 1;
}

/** The inverse of an odd word modulo 2^width. */
export function inverse(odd: bigint, width: number): bigint {
  let x = odd; // correct to 3 bits; each round doubles that
  for (let bits = 3; bits < width; bits *= 2) x = wrap(x * (2n - odd * x), width);
  return wrap(x, width);
}
