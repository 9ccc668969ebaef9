/**
 * Floating-point operations on whole numbers are exact as long as the results are representable: integers up to 2^53 in
 * binary64, and 2^24 in binary32 (IEEE 754, 2.1.24 and 5.4). Such sums, products, comparisons and conversions become
 * operations on words when their terms are made.
 *
 * An operand is a whole number if it is a conversion of a word with a small range, a literal, or a choice of the two.
 * The range comes from the form of the term alone.
 */
import { eq, sle, slt } from '../comparison';
import { ite } from '../conditional';
import { application, bits, isApplication, widthOf } from '../intern';
import { add, mul, neg, sub } from '../words/linear';
import { floatOf } from './patterns';
import { and } from '../propositional';
import { unsignedRange } from '../bounds/range';
import { extract, signExtend, zeroExtend } from '../words/shape';
import { bitsSort } from '../sort';
import type { Sort, Term } from '../term';
import { toSigned } from '../words/words';

interface Range {
  readonly low: bigint;
  readonly high: bigint;
}
/** A word of 64 bits that has the value, signed. */
interface Whole extends Range {
  readonly term: Term;
}

/** Deeper terms take longer to look at than they help. */
const deepest = 6;

/** Every whole number up to this one is representable. */
const mostWhole = (width: number): bigint => 1n << (width === 32 ? 24n : 53n);

/** The same value for a call with these operands, made of word operations. Undefined if it may be rounded. */
export function exactCall(name: string, sort: Sort, args: readonly Term[]): Term | undefined {
  if (!/^(?:float-|convert-float)/.test(name)) return undefined;
  const arithmetic = /^float-(add|subtract|multiply|negate|eq|lt|le)-(32|64)$/.exec(name);
  if (arithmetic) return exactArithmetic(arithmetic[1]!, Number(arithmetic[2]) as 32 | 64, args);
  const widths = /^convert-float(32|64)-float(32|64)$/.exec(name);
  if (widths) {
    const whole = wholeNumber(args[0]!, Number(widths[1]));
    return whole && convert(whole, Number(widths[2]) as 32 | 64);
  }
  const toInteger = /^convert-float(32|64)-(u?)integer(8|16|32|64)$/.exec(name);
  const whole = toInteger && sort.kind === 'bits' ? wholeNumber(args[0]!, Number(toInteger[1])) : undefined;
  return whole && integer(name, whole, Number(toInteger![3]), toInteger![2] === '', args[0]!);
}

/** Values out of range are unspecified, as in `floats.ts`. */
function integer(name: string, { term, low, high }: Whole, width: number, signed: boolean, x: Term): Term | undefined {
  const one = 1n << BigInt(signed ? width - 1 : width);
  const [least, most] = [signed ? -one : 0n, one - 1n];
  const word = extract(width - 1, 0, term);
  if (least <= low && high <= most) return word;
  if (width < 32 || high > 1n << 62n) return undefined;
  const number = (value: bigint): Term => bits(BigInt.asUintN(64, value), 64);
  const beyond = application('call', bitsSort(width), [x], [], `${name} beyond`);
  return ite(and(sle(number(least), term), sle(term, number(most > high ? high : most))), word, beyond);
}

function exactArithmetic(operator: string, width: 32 | 64, args: readonly Term[]): Term | undefined {
  const a = wholeNumber(args[0]!, width);
  if (!a) return undefined;
  // The negative zero is no whole number.
  if (operator === 'negate')
    return a.low > 0n || a.high < 0n ? convert({ term: neg(a.term), low: -a.high, high: -a.low }, width) : undefined;
  const b = wholeNumber(args[1]!, width);
  if (!b) return undefined;
  switch (operator) {
    case 'eq':
      return eq(a.term, b.term);
    case 'lt':
      return slt(a.term, b.term);
    case 'le':
      return sle(a.term, b.term);
    case 'add':
      return convert({ term: add(a.term, b.term), low: a.low + b.low, high: a.high + b.high }, width);
    case 'subtract':
      return convert({ term: sub(a.term, b.term), low: a.low - b.high, high: a.high - b.low }, width);
    default: {
      const isNeverMinusZero = a.low > 0n || b.low > 0n || (a.low >= 0n && b.low >= 0n);
      return isNeverMinusZero ? convert({ term: mul(a.term, b.term), ...products(a, b) }, width) : undefined;
    }
  }
}

/** The number in floating point, if it is representable whatever it is. */
function convert({ term, low, high }: Whole, width: 32 | 64): Term | undefined {
  const most = mostWhole(width);
  if (low < -most || high > most) return undefined;
  const isShort = -(1n << 31n) <= low && high < 1n << 31n;
  const [word, from] = isShort ? [extract(31, 0, term), 32] : [term, 64];
  return application('call', bitsSort(width), [word], [], `convert-integer${from}-float${width}`);
}

function wholeNumber(t: Term, width: number, depth = deepest): Whole | undefined {
  if (depth === 0) return undefined;
  if (t.kind === 'bits') {
    const value = floatOf(t.value, width);
    if (!Number.isInteger(value) || Object.is(value, -0) || BigInt(Math.abs(value)) > mostWhole(width))
      return undefined;
    return { term: bits(BigInt.asUintN(64, BigInt(value)), 64), low: BigInt(value), high: BigInt(value) };
  }
  if (isApplication(t, 'ite')) {
    const [condition, x, y] = t.args;
    const then = wholeNumber(x!, width, depth - 1);
    const otherwise = then && wholeNumber(y!, width, depth - 1);
    return otherwise && { term: ite(condition!, then.term, otherwise.term), ...hull(then, otherwise) };
  }
  if (!isApplication(t, 'call')) return undefined;
  const from = /^convert-(u?)integer(?:8|16|32|64)-float(?:32|64)$/.exec(t.name!);
  if (!from) return undefined;
  const word = t.args[0]!;
  const range = from[1] === '' ? signedRange(word) : unsignedRange(word);
  const most = mostWhole(width);
  if (range.low < -most || range.high > most) return undefined;
  return { term: from[1] === '' ? signExtend(word, 64) : zeroExtend(word, 64), low: range.low, high: range.high };
}

const hull = (a: Range, b: Range): Range => ({
  low: a.low < b.low ? a.low : b.low,
  high: a.high > b.high ? a.high : b.high,
});

function products(a: Range, b: Range): Range {
  const all = [a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high];
  return all.map((value) => ({ low: value, high: value })).reduce(hull);
}

/** low <= word <= high, signed. */
function signedRange(t: Term, depth = deepest): Range {
  const width = BigInt(widthOf(t));
  const all: Range = { low: -(1n << (width - 1n)), high: (1n << (width - 1n)) - 1n };
  const within = (range: Range): Range => (all.low <= range.low && range.high <= all.high ? range : all);
  if (t.kind === 'bits') {
    const value = toSigned(t.value, Number(width));
    return { low: value, high: value };
  }
  if (t.kind !== 'apply' || depth === 0) return all;
  const parts = (): Range[] => t.args.map((arg) => signedRange(arg, depth - 1));
  switch (t.operator) {
    case 'sign-extend':
      return signedRange(t.args[0]!, depth - 1);
    case 'add':
      return within(parts().reduce((a, b) => ({ low: a.low + b.low, high: a.high + b.high })));
    case 'multiply':
      return within(parts().reduce(products));
    case 'negate': {
      const [a] = parts();
      return within({ low: -a!.high, high: -a!.low });
    }
    case 'ite':
      return hull(signedRange(t.args[1]!, depth - 1), signedRange(t.args[2]!, depth - 1));
    case 'extract':
      // The low bits of a number that has no more.
      return t.parameters[1] === 0 ? within(signedRange(t.args[0]!, depth - 1)) : all;
    default:
      return within(unsignedRange(t));
  }
}
