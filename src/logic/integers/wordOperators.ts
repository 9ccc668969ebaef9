/**
 * Words' operators over integers, as SMT-LIB text with bounds. Sums and products are left unreduced; an operator that
 * needs the word itself reads it through a `WordReader`.
 */
import { floorDivide, fits, maskText, max, min, numeral, rangeOf } from '../bounds/wordRanges';
import { widthOf } from '../intern';
import type { Application } from '../term';
import { allOnes, toSigned, type Signedness } from '../words/words';
import { word, type EncodedTerm, type NamingScope } from './encodedTerm';

/** Operands of bitwise operators up to this width are split into bits. */
const bitByBit = 8;
/** Rows of a table of what a shift by each number of places gives. */
const shiftTable = 8n;
/** Shorter texts are repeated. */
export const worthNaming = 24;

/** The text of a word, reduced to the range of a signedness. */
export type WordReader = (e: EncodedTerm, signedness: Signedness, width: number) => string;

/** The word in the range that is congruent to the entry's integer. */
export function reduce(e: EncodedTerm, { low, high }: { low: bigint; high: bigint }, width: number): string {
  const modulus = 1n << BigInt(width);
  const window = floorDivide(e.low - low, modulus);
  if (e.low === e.high) return numeral(e.low - window * modulus);
  if (window === floorDivide(e.high - low, modulus))
    return window === 0n ? e.text : `(- ${e.text} ${numeral(window * modulus)})`;
  if (e.low >= low - modulus && e.high <= high + modulus) {
    const value = nameIfLong(e.text, e.scope);
    const above = e.high > high ? `(ite (> ${value} ${numeral(high)}) (- ${value} ${modulus}) ${value})` : value;
    return e.low < low ? `(ite (< ${value} ${numeral(low)}) (+ ${value} ${modulus}) ${above})` : above;
  }
  return low === 0n
    ? `(mod ${e.text} ${modulus})`
    : `(+ (mod (- ${e.text} ${numeral(low)}) ${modulus}) ${numeral(low)})`;
}

/** A long text gets a name. */
export function nameIfLong(text: string, scope: NamingScope): string {
  return text.length > worthNaming ? scope.name(text, 'Int') : text;
}

/** The product of two operands of which the first is a literal. */
export const isLinear = ({ args }: Application): boolean => args[0]!.kind === 'bits' && args.length === 2;

export function product(
  t: Application,
  args: readonly EncodedTerm[],
  scope: NamingScope,
  width: number,
  read: WordReader,
): EncodedTerm {
  const [first] = t.args;
  if (first!.kind === 'bits' && isLinear(t)) {
    const coefficient = toSigned(first.value, width);
    const factor = small(args[1]!, width, read);
    const ends = [coefficient * factor.low, coefficient * factor.high];
    return word(
      coefficient === -1n ? `(- ${factor.text})` : `(* ${numeral(coefficient)} ${factor.text})`,
      min(...ends),
      max(...ends),
      scope,
    );
  }
  const factors = args.map((a) => small(a, width, read));
  const [low, high] = factors.slice(1).reduce<[bigint, bigint]>(
    ([l, h], f) => {
      const ends = [l * f.low, l * f.high, h * f.low, h * f.high];
      return [min(...ends), max(...ends)];
    },
    [factors[0]!.low, factors[0]!.high],
  );
  return word(`(* ${factors.map((f) => f.text).join(' ')})`, low, high, scope);
}

/** A factor, reduced if its interval is wider than a word. */
function small(e: EncodedTerm, width: number, read: WordReader): { text: string; low: bigint; high: bigint } {
  return e.high - e.low <= allOnes(width) ? e : { text: read(e, 'signed', width), ...rangeOf('signed', width) };
}

/** True of a shift of a word that is no literal, by more places than a table should have rows. */
export const isOpenShift = (t: Application, amount: EncodedTerm): boolean =>
  t.args[0]!.kind !== 'bits' && widthOf(t) > bitByBit && amount.high - amount.low >= shiftTable;

export function shift(
  a: EncodedTerm,
  amount: string,
  width: number,
  scope: NamingScope,
  by: (x: string, k: number) => string,
  beyond: string,
  range: { low: bigint; high: bigint },
): EncodedTerm {
  const [x, s] = [nameIfLong(a.text, scope), nameIfLong(amount, scope)];
  let text = beyond;
  for (let k = width - 1; k >= 0; k--) text = `(ite (= ${s} ${k}) ${k === 0 ? x : by(x, k)} ${text})`;
  return word(text, range.low, range.high, scope);
}

/** Any congruent integer can stand for the highest part. */
export function concatenation(
  t: Application,
  args: readonly EncodedTerm[],
  scope: NamingScope,
  read: WordReader,
): EncodedTerm {
  let above = 0;
  let [low, high] = [0n, 0n];
  const texts: string[] = [];
  for (let i = args.length - 1; i >= 0; i--) {
    const width = widthOf(t.args[i]!);
    const part = args[i]!;
    const highest = i === 0;
    const range = highest || fits(part, 'unsigned', width) ? part : rangeOf('unsigned', width);
    const text = highest ? part.text : read(part, 'unsigned', width);
    const factor = 1n << BigInt(above);
    if (text !== '0') texts.unshift(above === 0 ? text : `(* ${factor} ${text})`);
    low += range.low * factor;
    high += range.high * factor;
    above += width;
  }
  return word(texts.length === 0 ? '0' : texts.length === 1 ? texts[0]! : `(+ ${texts.join(' ')})`, low, high, scope);
}

/** Division keeps congruence, because the modulus is divided, too. The bits above the extracted ones remain. */
export function extraction(a: EncodedTerm, low: number, scope: NamingScope): EncodedTerm {
  if (low === 0) return word(a.text, a.low, a.high, scope);
  const divisor = 1n << BigInt(low);
  return word(`(div ${a.text} ${divisor})`, floorDivide(a.low, divisor), floorDivide(a.high, divisor), scope);
}

/** `unknown`: gets the texts of operands that are too wide, and gives that of a word within what bounds they tell. */
export function bitwise(
  t: Application,
  args: readonly EncodedTerm[],
  scope: NamingScope,
  width: number,
  read: WordReader,
  unknown: (operands: readonly string[], high: bigint) => EncodedTerm,
): EncodedTerm {
  const last = t.args[t.args.length - 1]!;
  if (args.length === 2 && last.kind === 'bits') {
    const x = { ...args[0]!, text: nameIfLong(args[0]!.text, scope) };
    const literal = last.value;
    const common = maskText(x.text, literal);
    switch (t.operator) {
      case 'bit-and':
        return word(common, 0n, literal, scope);
      case 'bit-or':
        return word(`(- (+ ${x.text} ${literal}) ${common})`, x.low, x.high + literal, scope);
      default:
        return word(`(- (+ ${x.text} ${literal}) (* 2 ${common}))`, x.low - literal, x.high + literal, scope);
    }
  }
  const tops = args.map((a) => (fits(a, 'unsigned', width) ? a.high : allOnes(width)));
  const top = t.operator === 'bit-and' ? min(...tops) : max(...tops);
  const bitCount = top === 0n ? 0 : top.toString(2).length;
  const words = args.map((a) => nameIfLong(read(a, 'unsigned', width), scope));
  if (bitCount > bitByBit) return unknown(words, (1n << BigInt(bitCount)) - 1n);
  const bits = Array.from({ length: bitCount }, (_, i) => {
    const set = words.map((x) => `(= (mod ${i === 0 ? x : `(div ${x} ${1n << BigInt(i)})`} 2) 1)`);
    const connective = t.operator === 'bit-and' ? 'and' : t.operator === 'bit-or' ? 'or' : 'xor';
    return `(ite (${connective} ${set.join(' ')}) ${1n << BigInt(i)} 0)`;
  });
  const text = bits.length === 0 ? '0' : bits.length === 1 ? bits[0]! : `(+ ${bits.join(' ')})`;
  return word(text, 0n, (1n << BigInt(bitCount)) - 1n, scope);
}
