/**
 * Floating point as bit patterns (IEEE 754, binary32 and binary64). Operations are calls in terms: `float-lt-64(x, y)`,
 * `convert-float32-float64(x)`.
 *
 * This file defines the exact ones as formulas over words that both encodings know: comparisons, sign changes,
 * widening, conversions from and to integers, and products with powers of two. Rounded operations (sums, products and
 * others) stay uninterpreted functions; on literals they are computed. C and the processors leave the bits of a NaN
 * open: a NaN result is an arbitrary NaN.
 */
import { lshr } from '../words/bitwise';
import { call } from '../call';
import { eq, slt, ule, ult } from '../comparison';
import { ite } from '../conditional';
import { FALSE, bits, isApplication, widthOf } from '../intern';
import { add, mul, neg, sub } from '../words/linear';
import { and, not, or } from '../propositional';
import { floatBits, floatOf } from './patterns';
import { thresholdOf } from './thresholds';
import { exists, forall } from '../quantifiers/quantifier';
import { rebuild } from '../rebuild';
import { extract, signExtend, zeroExtend } from '../words/shape';
import { signednessOf, type Signedness } from '../words/words';
import { bitsSort } from '../sort';
import type { Term, Value } from '../term';
import { postOrder } from '../traverse';

interface Format {
  readonly width: 32 | 64;
  readonly mantissa: number;
  readonly bias: number;
}
const formats: Readonly<Record<32 | 64, Format>> = {
  32: { width: 32, mantissa: 23, bias: 127 },
  64: { width: 64, mantissa: 52, bias: 1023 },
};

const two = (exponent: number): bigint => 1n << BigInt(exponent);
const word = (value: bigint, { width }: Format): Term => bits(value, width);
const signBit = (format: Format): bigint => two(format.width - 1);
const infinity = (format: Format): bigint => signBit(format) - two(format.mantissa);
/** The pattern of 2^exponent, for a normal number. */
const power = (exponent: number, { mantissa, bias }: Format): bigint => BigInt(bias + exponent) << BigInt(mantissa);

const isNegative = (x: Term, format: Format): Term => slt(x, word(0n, format));
const isNotANumber = (x: Term, format: Format): Term =>
  or(
    and(ult(word(infinity(format), format), x), ult(x, word(signBit(format), format))),
    ult(word(signBit(format) + infinity(format), format), x),
  );
const isZero = (x: Term, format: Format): Term => or(eq(x, word(0n, format)), eq(x, word(signBit(format), format)));
const magnitude = (x: Term, format: Format): Term =>
  ite(isNegative(x, format), add(x, word(signBit(format), format)), x);

/** A NaN whose bits depend on the operands in an unspecified way. */
function someNaN(operation: string, operands: readonly Term[], format: Format): Term {
  const any = call(`${operation} nan`, bitsSort(format.width), ...operands);
  return ite(isNotANumber(any, format), any, word(infinity(format) + two(format.mantissa - 1), format));
}

const numbers = (a: Term, b: Term, f: Format): Term[] => [not(isNotANumber(a, f)), not(isNotANumber(b, f))];

const comparisons: Readonly<Record<string, (a: Term, b: Term, f: Format) => Term>> = {
  eq: (a, b, f) => and(...numbers(a, b, f), or(eq(a, b), and(isZero(a, f), isZero(b, f)))),
  lt: (a, b, f) =>
    and(
      ...numbers(a, b, f),
      or(
        and(not(isNegative(a, f)), not(isNegative(b, f)), ult(a, b)),
        and(isNegative(a, f), isNegative(b, f), ult(b, a)),
        and(isNegative(a, f), not(isNegative(b, f)), not(and(eq(a, word(signBit(f), f)), eq(b, word(0n, f))))),
      ),
    ),
  le: (a, b, f) =>
    and(
      ...numbers(a, b, f),
      or(
        and(not(isNegative(a, f)), not(isNegative(b, f)), ule(a, b)),
        and(isNegative(a, f), isNegative(b, f), ule(b, a)),
        and(isNegative(a, f), not(isNegative(b, f))),
        and(eq(a, word(0n, f)), eq(b, word(signBit(f), f))),
      ),
    ),
};

/**
 * Subnormal numbers become normal ones. Of these only the sign is known, and that they lie below the normal numbers of
 * the shorter format.
 */
function widen(x: Term): Term {
  const [from, to] = [formats[32], formats[64]];
  const size = magnitude(x, from);
  const shifted = add(
    mul(zeroExtend(size, 64), bits(two(to.mantissa - from.mantissa), 64)),
    bits(BigInt(to.bias - from.bias) << BigInt(to.mantissa), 64),
  );
  const isSubnormal = and(not(eq(size, word(0n, from))), ult(size, word(two(from.mantissa), from)));
  const any = call('convert-float32-float64 subnormal', bitsSort(64), size);
  const least = power(1 - from.bias, to);
  const tiny = ite(and(not(eq(any, bits(0n, 64))), ult(any, word(least, to))), any, word(least - 1n, to));
  const positive = ite(
    eq(size, word(0n, from)),
    bits(0n, 64),
    ite(isSubnormal, tiny, ite(ult(size, word(infinity(from), from)), shifted, word(infinity(to), to))),
  );
  const exact = ite(isNegative(x, from), add(positive, word(signBit(to), to)), positive);
  return ite(isNotANumber(x, from), someNaN('convert-float32-float64', [x], to), exact);
}

/** Converts an integer of 32 or 64 bits. The result is unspecified if it has to be rounded. */
function fromInteger(name: string, x: Term, signedness: Signedness, to: Format): Term {
  const own = widthOf(x);
  const width = Math.max(own, to.width);
  const number = (value: bigint): Term => bits(value, width);
  const negative = signedness === 'signed' ? slt(x, bits(0n, own)) : undefined;
  const size = zeroExtend(negative ? ite(negative, neg(x), x) : x, width);
  let positive: Term = number(0n);
  const most = Math.min(own - 1, to.mantissa);
  for (let k = 0; k <= most; k++) {
    positive = ite(
      ult(size, number(two(k))),
      positive,
      add(number(power(k, to)), mul(sub(size, number(two(k))), number(two(to.mantissa - k)))),
    );
  }
  const pattern = width === to.width ? positive : extract(to.width - 1, 0, positive);
  const exact = negative ? ite(negative, add(pattern, word(signBit(to), to)), pattern) : pattern;
  return most === own - 1
    ? exact
    : ite(ult(size, number(two(most + 1))), exact, call(`${name} rounded`, bitsSort(to.width), x));
}

/** Converts to an integer of 32 or 64 bits, towards zero. A result that does not fit is unspecified. */
function toInteger(name: string, x: Term, own: number, signedness: Signedness, from: Format): Term {
  const signed = signedness === 'signed';
  const width = Math.max(own, from.width);
  const number = (value: bigint): Term => bits(value, width);
  const size = magnitude(x, from);
  const whole = (k: number): Term => {
    const significand = zeroExtend(add(sub(size, word(power(k, from), from)), word(two(from.mantissa), from)), width);
    const moved =
      k <= from.mantissa
        ? lshr(significand, number(BigInt(from.mantissa - k)))
        : mul(significand, number(two(k - from.mantissa)));
    return width === own ? moved : extract(own - 1, 0, moved);
  };
  const below = (k: number): Term => ult(size, word(power(k, from), from));
  const open = call(`${name} beyond`, bitsSort(own), x);
  const negative = isNegative(x, from);
  const zero = bits(0n, own);
  const largest = whole(own - 1);
  let value: Term = ite(
    and(below(own), signed ? and(negative, eq(largest, bits(two(own - 1), own))) : not(negative)),
    largest,
    open,
  );
  for (let k = own - 2; k >= 0; k--) value = ite(below(k + 1), whole(k), value);
  value = ite(below(0), zero, value);
  // A negative number whose conversion is unspecified stays so.
  if (signed)
    return ite(
      negative,
      ite(or(below(own - 1), and(below(own), eq(largest, bits(two(own - 1), own)))), neg(value), open),
      value,
    );
  return ite(and(negative, not(below(0))), open, value);
}

/** Converts to an integer of less than 32 bits. */
function toShort(name: string, x: Term, own: number, signedness: Signedness, from: Format): Term {
  const value = toInteger(name, x, 32, 'signed', from);
  const low = extract(own - 1, 0, value);
  const open = call(`${name} short`, bitsSort(own), x);
  const fits = and(
    ult(magnitude(x, from), word(power(31, from), from)),
    eq(signedness === 'signed' ? signExtend(low, 32) : zeroExtend(low, 32), value),
  );
  return ite(fits, low, open);
}

/**
 * x * 2^k, with the sign changed or not. Nothing is rounded: the exponent grows by k. If x or the product is subnormal,
 * only its sign and a bound are known.
 */
function scale(name: string, x: Term, { k, negative }: PowerOfTwo, f: Format): Term {
  const size = magnitude(x, f);
  const least = word(two(f.mantissa), f);
  const any = call(`${name} subnormal`, bitsSort(f.width), size, bits(BigInt.asUintN(f.width, BigInt(k)), f.width));
  const bound = word(BigInt(1 + Math.max(k, 0)) << BigInt(f.mantissa), f);
  const tiny = ite(ult(any, bound), any, bound);
  const [lowest, highest] = [
    word(two(f.mantissa) - (BigInt(k) << BigInt(f.mantissa)), f),
    word(infinity(f) - (BigInt(k) << BigInt(f.mantissa)), f),
  ];
  const moved = add(size, word(BigInt.asUintN(f.width, BigInt(k) << BigInt(f.mantissa)), f));
  const isSmall = k < 0 ? ult(size, lowest) : ult(size, least);
  const grown = k > 0 ? ite(ult(size, highest), moved, word(infinity(f), f)) : moved;
  const positive = ite(or(eq(size, word(0n, f)), eq(size, word(infinity(f), f))), size, ite(isSmall, tiny, grown));
  const minus = negative ? not(isNegative(x, f)) : isNegative(x, f);
  return ite(isNotANumber(x, f), someNaN(name, [x], f), ite(minus, add(positive, word(signBit(f), f)), positive));
}

interface PowerOfTwo {
  readonly k: number;
  readonly negative: boolean;
}

/** The power of two that a literal denotes, if it is normal and its reciprocal is representable. */
function powerOfTwo(t: Term, f: Format): PowerOfTwo | undefined {
  if (t.kind !== 'bits') return undefined;
  const negative = t.value >= signBit(f);
  const size = negative ? t.value - signBit(f) : t.value;
  const exponent = Number(size >> BigInt(f.mantissa));
  return size !== BigInt(exponent) << BigInt(f.mantissa) || exponent < 3 || exponent > 2 * f.bias - 3
    ? undefined
    : { k: exponent - f.bias, negative };
}

/** The scaled operand and the factor of a product with, or a quotient by, a power of two. */
function scaling(
  operation: string,
  operands: readonly Term[],
  f: Format,
): { readonly operand: number; readonly by: PowerOfTwo } | undefined {
  const second = powerOfTwo(operands[1]!, f);
  if (second) return { operand: 0, by: operation === 'divide' ? { ...second, k: -second.k } : second };
  const first = operation === 'multiply' ? powerOfTwo(operands[0]!, f) : undefined;
  return first && { operand: 1, by: first };
}

/**
 * A definition over the operands' values if they are known, or over the operands. Undefined if only functionality is
 * known of the result.
 */
type Definition = (values: readonly Term[], operands?: readonly Term[]) => Term | undefined;

function definitionOf(name: string): Definition | undefined {
  const operation = /^float-(eq|lt|le|negate|multiply|divide)-(32|64)$/.exec(name);
  if (operation) {
    const format = formats[Number(operation[2]) as 32 | 64];
    const compare = comparisons[operation[1]!];
    if (compare) return ([a, b]) => compare(a!, b!, format);
    if (operation[1] !== 'negate') {
      return (values, operands = values) => {
        const found = scaling(operation[1]!, operands, format);
        return found && scale(name, values[found.operand]!, found.by, format);
      };
    }
    return ([a]) => ite(isNotANumber(a!, format), someNaN(name, [a!], format), add(a!, word(signBit(format), format)));
  }
  if (name === 'convert-float32-float64') return ([a]) => widen(a!);
  const from = /^convert-(u?)integer(8|16|32|64)-float(32|64)$/.exec(name);
  if (from) {
    const [signed, own, format] = [from[1] === '', Number(from[2]), formats[Number(from[3]) as 32 | 64]];
    return ([a]) =>
      own < 32
        ? fromInteger(name, signed ? signExtend(a!, 32) : zeroExtend(a!, 32), 'signed', format)
        : fromInteger(name, a!, signednessOf({ signed }), format);
  }
  const to = /^convert-float(32|64)-(u?)integer(8|16|32|64)$/.exec(name);
  if (to) {
    const [format, signed, own] = [formats[Number(to[1]) as 32 | 64], to[2] === '', Number(to[3])];
    return ([a]) => (own < 32 ? toShort : toInteger)(name, a!, own, signednessOf({ signed }), format);
  }
  return undefined;
}

const definitions = new Map<string, Definition | undefined>();

/** The meaning of a floating-point call over its operands. Undefined for uninterpreted functions. */
export function floatDefinition(name: string): Definition | undefined {
  if (!definitions.has(name)) definitions.set(name, definitionOf(name));
  return definitions.get(name);
}

/** The comparison of two patterns, over words. */
export const compareWords = (name: 'lt' | 'le', a: Term, b: Term): Term =>
  comparisons[name]!(a, b, formats[widthOf(a) as 32 | 64]);

/** Bounds of a number. `mayBeNaN`: a NaN is within them, too. */
export interface FloatRange {
  readonly low: number;
  readonly high: number;
  readonly mayBeNaN: boolean;
}

/** The pattern, over words, is that of a number within the bounds. */
export function isWithin(pattern: Term, { low, high, mayBeNaN }: FloatRange): Term {
  const format = formats[widthOf(pattern) as 32 | 64];
  const literal = (value: number): Term => word(floatBits(value, format.width), format);
  return or(
    ...(mayBeNaN ? [isNotANumber(pattern, format)] : []),
    and(
      ...(low > high
        ? [FALSE]
        : [comparisons.le!(literal(low), pattern, format), comparisons.le!(pattern, literal(high), format)]),
    ),
  );
}

const done = new WeakMap<Term, Term>();

/** The term with all defined floating-point operations expanded. */
export function floatsDefined(term: Term): Term {
  for (const t of postOrder(
    [term],
    (s) => done.has(s),
    (s) => s.kind === 'forall' || s.kind === 'exists',
  )) {
    if (t.kind === 'forall' || t.kind === 'exists') {
      done.set(t, (t.kind === 'forall' ? forall : exists)(t.bound, floatsDefined(t.body)));
      continue;
    }
    if (t.kind !== 'apply') {
      done.set(t, t);
      continue;
    }
    const threshold = isApplication(t, 'call') ? thresholdOf(t) : undefined;
    if (threshold) {
      done.set(t, floatsDefined(threshold));
      continue;
    }
    const args = t.args.map((a) => done.get(a)!);
    done.set(t, (isApplication(t, 'call') ? floatDefinition(t.name!)?.(args, t.args) : undefined) ?? rebuild(t, args));
  }
  return done.get(term)!;
}

/** By IEEE 754, for what is asked most. */
const computed: Readonly<Record<string, (a: number, b: number) => boolean>> = {
  eq: (a, b) => a === b,
  lt: (a, b) => a < b,
  le: (a, b) => a <= b,
};

/**
 * Value of a call with these operands; `others` gives it for functions of which nothing is known. Undefined for what is
 * no operation with a definition.
 */
export function floatValue(
  name: string,
  operands: readonly Term[],
  values: readonly bigint[],
  others: (rest: Term) => Value,
): Value | undefined {
  const definition = floatDefinition(name);
  if (!definition) return undefined;
  const width = widthOf(operands[0]!);
  const compare = computed[name.slice(name.indexOf('-') + 1, name.lastIndexOf('-'))];
  if (compare) return compare(floatOf(values[0]!, width), floatOf(values[1]!, width));
  const meaning = definition(
    values.map((value, i) => bits(value, widthOf(operands[i]!))),
    operands,
  );
  return meaning && others(meaning);
}
