/**
 * Text to floating point, correctly rounded (half to even) for double and for float: a number is a fraction of two
 * integers, and the quotient is rounded once. What a number looks like is C11 7.22.1.3.
 */
/** The longest beginning of `text` that is a number, after white space; undefined when there is none. */
export function numberPrefix(text: string): string | undefined {
  return numberAtStart.exec(text)?.[0];
}

const numberForms = [
  /0[xX](?:[0-9a-fA-F]+\.?[0-9a-fA-F]*|\.[0-9a-fA-F]+)(?:[pP][+-]?[0-9]+)?/,
  /(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?/,
  /inf(?:inity)?/,
  /nan(?:\([0-9A-Za-z_]*\))?/,
];
const numberAtStart = new RegExp(`^[ \\t-\\r]*[+-]?(?:${numberForms.map(({ source }) => source).join('|')})`, 'i');

export interface ParsedFloat {
  readonly value: number;
  /** Too large, or too small to be held exactly. */
  readonly outOfRange: boolean;
}

/** `text` is a number by `numberPrefix`. */
export function parseFloating(text: string, widthBits: 32 | 64): ParsedFloat {
  const trimmed = text.trim().toLowerCase();
  const negative = trimmed.startsWith('-');
  const body = trimmed.replace(/^[+-]/, '');
  const signed = (value: number, outOfRange = false): ParsedFloat => ({ value: negative ? -value : value, outOfRange });
  if (body.startsWith('inf')) return signed(Infinity);
  if (body.startsWith('nan')) return signed(NaN);
  const hex = body.startsWith('0x');
  const [mantissa = '', exponentText = '0'] = (hex ? body.slice(2) : body).split(hex ? 'p' : 'e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const digits = BigInt(`${hex ? '0x' : ''}0${whole}${fraction}`);
  if (digits === 0n) return signed(0);
  const exponent = Number(exponentText);
  const { value, outOfRange } = hex
    ? roundQuotient(digits, 1n, clamp(exponent) - 4 * fraction.length, widthBits)
    : decimal(digits, clamp(exponent) - fraction.length, widthBits);
  return signed(value, outOfRange);
}

const clamp = (exponent: number): number => Math.max(-1_000_000, Math.min(1_000_000, exponent));

function decimal(digits: bigint, exponent: number, widthBits: 32 | 64): ParsedFloat {
  // Far outside the range: not worth a power of ten.
  const magnitude = digits.toString().length + exponent;
  if (magnitude > 400) return { value: Infinity, outOfRange: true };
  if (magnitude < -400) return { value: 0, outOfRange: true };
  return exponent >= 0
    ? roundQuotient(digits * 10n ** BigInt(exponent), 1n, 0, widthBits)
    : roundQuotient(digits, 10n ** BigInt(-exponent), 0, widthBits);
}

/** numerator / denominator * 2^exponent. */
function roundQuotient(numerator: bigint, denominator: bigint, exponent: number, widthBits: 32 | 64): ParsedFloat {
  const [precision, least, most] = widthBits === 64 ? [53, -1074, 1024] : [24, -149, 128];
  // 2^(length - 1) <= quotient < 2^(length + 1)
  const length = numerator.toString(2).length - denominator.toString(2).length;
  if (length + exponent > most + 1) return { value: Infinity, outOfRange: true };
  if (length + exponent < least - 2) return { value: 0, outOfRange: true };
  let unit = Math.max(length - precision + exponent, least);
  let quotient = divideShifted(numerator, denominator, unit - exponent);
  if (quotient >> BigInt(precision) > 0n) {
    unit++;
    quotient = divideShifted(numerator, denominator, unit - exponent);
  }
  const value = Number(quotient) * 2 ** Math.max(unit, -1074);
  const tooLarge = widthBits === 32 ? value >= 2 ** 128 : value === Infinity;
  const [top, bottom] =
    unit - exponent >= 0
      ? [numerator, denominator << BigInt(unit - exponent)]
      : [numerator << BigInt(exponent - unit), denominator];
  const inexact = quotient * bottom !== top;
  const tiny = unit === least && quotient < 1n << BigInt(precision - 1);
  return { value: tooLarge ? Infinity : value, outOfRange: tooLarge || (tiny && inexact) };
}

/** mantissa * 2^exponent as a double or a float, rounded once. */
export function roundBinary(mantissa: bigint, exponent: number, widthBits: 32 | 64): number {
  return roundQuotient(mantissa, 1n, exponent, widthBits).value;
}

function divideShifted(numerator: bigint, denominator: bigint, shift: number): bigint {
  return shift >= 0
    ? divideToEven(numerator, denominator << BigInt(shift))
    : divideToEven(numerator << BigInt(-shift), denominator);
}

/** To the nearest integer, halves to even. Both are positive. */
export function divideToEven(numerator: bigint, denominator: bigint): bigint {
  const quotient = numerator / denominator;
  const twice = 2n * (numerator % denominator);
  return twice > denominator || (twice === denominator && (quotient & 1n) === 1n) ? quotient + 1n : quotient;
}
