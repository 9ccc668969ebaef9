/**
 * Equality and order. Equalities of words are solved over sums (`x + 1 = 3` is `x = 2`), split along concatenations and
 * distributed over conditionals. Comparisons are narrowed to the relevant bits. With a literal only the reflexive
 * comparisons remain.
 */
import { bitwise } from './words/bitwise';
import { ite } from './conditional';
import { application, bits, bool, commonSort, commonWidth, FALSE, isApplication, TRUE, widthOf } from './intern';
import { cancelled, orderOfChoices } from './words/choices';
import { balance, difference, fromLinear, linearOf } from './words/linear';
import { and, not, or } from './propositional';
import { unsignedRange } from './bounds/range';
import { concatenate, extract, partsOf, signExtend, zeroExtend } from './words/shape';
import { boolSort } from './sort';
import type { Application, Term } from './term';
import { allOnes, exponentOf, inverse, signednessOf, toSigned, wrap, type Signedness } from './words/words';

/** Limit on the depth to which chains of conditionals are read. */
const chainLimit = 32;

export function eq(a: Term, b: Term): Term {
  const sort = commonSort(a, b);
  if (a === b) return TRUE;
  switch (sort.kind) {
    case 'boolean':
      return equivalent(a, b);
    case 'bits':
      return equalWords(a, b);
    case 'array':
      return application('eq', boolSort, a.id < b.id ? [a, b] : [b, a]);
  }
}

export function iff(a: Term, b: Term): Term {
  return eq(a, b);
}

export function distinct(...as: Term[]): Term {
  return and(...as.flatMap((a, i) => as.slice(i + 1).map((b) => not(eq(a, b)))));
}

function equivalent(a: Term, b: Term): Term {
  if (a.kind === 'boolean') return a.value ? b : not(b);
  if (b.kind === 'boolean') return b.value ? a : not(a);
  if (isApplication(a, 'not')) return not(equivalent(a.args[0]!, b));
  if (isApplication(b, 'not')) return not(equivalent(a, b.args[0]!));
  if (a === b) return TRUE;
  if (a === not(b)) return FALSE;
  return application('eq', boolSort, a.id < b.id ? [a, b] : [b, a]);
}

function equalWords(a: Term, b: Term): Term {
  const sum = difference(a, b);
  const l = cancelled(sum) ?? sum;
  if (l.monomials.length === 0) return bool(l.constant === 0n);
  if (l.monomials.length === 1)
    return equalsLiteral(l.monomials[0]!.coefficient, l.monomials[0]!.atom, wrap(-l.constant, l.width));
  const { left, right } = balance(l);
  return equalTerms(fromLinear(left), fromLinear(right));
}

/** coefficient * atom = value. */
function equalsLiteral(coefficient: bigint, atom: Term, value: bigint): Term {
  const width = widthOf(atom);
  if ((coefficient & 1n) === 1n) return wordIs(atom, wrap(value * inverse(coefficient, width), width));
  // the coefficient is odd * 2^power, so the low bits of atom alone matter
  const power = exponentOf(coefficient & -coefficient)!;
  if ((value & allOnes(power)) !== 0n) return FALSE;
  const rest = width - power;
  const odd = inverse(wrap(coefficient >> BigInt(power), rest), rest);
  return wordIs(extract(rest - 1, 0, atom), wrap((value >> BigInt(power)) * odd, rest));
}

/** term = value, for a term that is no sum. */
function wordIs(term: Term, value: bigint, fuel = chainLimit): Term {
  const width = widthOf(term);
  const literal = bits(value, width);
  if (term.kind === 'bits') return bool(term === literal);
  const { low, high } = unsignedRange(term);
  if (value < low || value > high) return FALSE;
  if (term.kind !== 'apply') return application('eq', boolSort, [term, literal]);
  const [a, b, c] = term.args;
  switch (term.operator) {
    case 'add':
    case 'multiply':
    case 'complement':
      return readable(term) ? eq(term, literal) : application('eq', boolSort, [term, literal]);
    case 'ite': {
      if (b!.kind === 'bits' && fuel > 0)
        return b === literal ? or(a!, wordIs(c!, value, fuel - 1)) : and(not(a!), wordIs(c!, value, fuel - 1));
      if (c!.kind === 'bits' && fuel > 0)
        return c === literal ? or(not(a!), wordIs(b!, value, fuel - 1)) : and(a!, wordIs(b!, value, fuel - 1));
      if (isTruth(b!) && isTruth(c!)) return ite(a!, wordIs(b!, value, 1), wordIs(c!, value, 1));
      break;
    }
    case 'zero-extend':
      return wordIs(a!, value, fuel); // the range says that it fits
    case 'sign-extend': {
      const inner = wrap(value, widthOf(a!));
      return toSigned(inner, widthOf(a!)) === toSigned(value, width) ? wordIs(a!, inner, fuel) : FALSE;
    }
    case 'concat':
      return equalParts(term.args, [literal])!; // a literal can be cut
    case 'bit-xor': {
      const last = term.args[term.args.length - 1]!;
      if (last.kind === 'bits') return eq(bitwise('bit-xor', term.args.slice(0, -1)), bits(value ^ last.value, width));
      break;
    }
    default:
      break;
  }
  return application('eq', boolSort, [term, literal]);
}

/** 1 or 0, by a condition. */
const isTruth = (term: Term): boolean =>
  isApplication(term, 'ite') && term.args[1]!.kind === 'bits' && term.args[2]!.kind === 'bits';

/** Solving for a literal can make progress. It cannot for sums and products that are atoms. */
function readable(term: Application): boolean {
  const { constant, monomials } = linearOf(term);
  return !(constant === 0n && monomials.length === 1 && monomials[0]!.coefficient === 1n);
}

function equalTerms(a: Term, b: Term): Term {
  const split = equalParts(partsOf(a), partsOf(b));
  if (split) return split;
  const chosen = equalToChoice(a, b) ?? equalToChoice(b, a);
  if (chosen) return chosen;
  const narrowed = narrowerPair(a, b, 'signed');
  if (narrowed) return eq(narrowed[0], narrowed[1]);
  return application('eq', boolSort, [a, b]);
}

/** Equality with a choice of which one side is the word itself. */
function equalToChoice(choice: Term, word: Term): Term | undefined {
  if (!isApplication(choice, 'ite')) return undefined;
  const [condition, then, otherwise] = choice.args as readonly [Term, Term, Term];
  if (then === word) return or(condition, eq(otherwise, word));
  return otherwise === word ? or(not(condition), eq(then, word)) : undefined;
}

/**
 * Equality of two concatenations (highest part first), split at their common cuts, if any. A literal can be split
 * anywhere.
 */
function equalParts(a: readonly Term[], b: readonly Term[]): Term | undefined {
  const conjuncts: Term[] = [];
  let [p, q] = [[...a].reverse(), [...b].reverse()];
  while (p.length > 0) {
    let [i, j, x, y] = [1, 1, widthOf(p[0]!), widthOf(q[0]!)];
    if (x < y && q[0]!.kind === 'bits') [q, y] = [cut(q, x), x];
    if (y < x && p[0]!.kind === 'bits') [p, x] = [cut(p, y), y];
    while (x !== y) {
      if (x < y) x += widthOf(p[i++]!);
      else y += widthOf(q[j++]!);
    }
    const [left, right] = [concatenate(p.slice(0, i).reverse()), concatenate(q.slice(0, j).reverse())];
    [p, q] = [p.slice(i), q.slice(j)];
    if (p.length === 0 && conjuncts.length === 0) return undefined;
    const conjunct = eq(left, right);
    if (conjunct === FALSE) return FALSE;
    conjuncts.push(conjunct);
  }
  return and(...conjuncts);
}

/** Splits the first (lowest) literal after `low` bits. */
function cut(parts: readonly Term[], low: number): Term[] {
  const [first, ...rest] = parts;
  return [extract(low - 1, 0, first!), extract(widthOf(first!) - 1, low, first!), ...rest];
}

export function ult(a: Term, b: Term): Term {
  return less('unsigned-less', a, b);
}
export function ule(a: Term, b: Term): Term {
  return less('unsigned-less-equal', a, b);
}
export function slt(a: Term, b: Term): Term {
  return less('signed-less', a, b);
}
export function sle(a: Term, b: Term): Term {
  return less('signed-less-equal', a, b);
}

type Order = 'unsigned-less' | 'unsigned-less-equal' | 'signed-less' | 'signed-less-equal';

function less(order: Order, a: Term, b: Term): Term {
  const width = commonWidth(a, b);
  const signed = order === 'signed-less' || order === 'signed-less-equal';
  const strict = order === 'unsigned-less' || order === 'signed-less';
  if (a === b) return bool(!strict);
  const read = (word: bigint) => (signed ? toSigned(word, width) : word);
  if (a.kind === 'bits' && b.kind === 'bits')
    return bool(strict ? read(a.value) < read(b.value) : read(a.value) <= read(b.value));
  const decided = orderOfChoices(a, b, { signed, strict });
  if (decided !== undefined) return bool(decided);

  const minimum = signed ? -(1n << BigInt(width - 1)) : 0n;
  const maximum = minimum + allOnes(width);
  if (b.kind === 'bits') {
    const bound = read(b.value) - (strict ? 1n : 0n);
    return bound < minimum ? FALSE : atMost(signed, a, bound);
  }
  if (a.kind === 'bits') {
    const bound = read(a.value) + (strict ? 1n : 0n);
    return bound > maximum ? FALSE : atLeast(signed, b, bound);
  }
  const narrowed = narrowerPair(a, b, signednessOf({ signed }));
  if (narrowed) return less(narrowed[2] === 'signed' ? order : unsignedOrder(order), narrowed[0], narrowed[1]);
  const [p, q] = [partsOf(a), partsOf(b)];
  if (p.length > 1 && q.length > 1 && p[0] === q[0])
    return less(unsignedOrder(order), concatenate(p.slice(1)), concatenate(q.slice(1)));
  return application(order, boolSort, [a, b]);
}

function unsignedOrder(order: Order): Order {
  switch (order) {
    case 'signed-less':
      return 'unsigned-less';
    case 'signed-less-equal':
      return 'unsigned-less-equal';
    default:
      return order;
  }
}

/** a <= bound. */
function atMost(signed: boolean, a: Term, bound: bigint, fuel = chainLimit): Term {
  const width = widthOf(a);
  const read = (word: bigint) => (signed ? toSigned(word, width) : word);
  if (a.kind === 'bits') return bool(read(a.value) <= bound);
  const range = signedOrNot(signed, a);
  if (range.high <= bound) return TRUE;
  if (range.low > bound) return FALSE;
  if (bound === range.low) return eq(a, bits(bound, width));
  if (bound === range.high - 1n) return not(eq(a, bits(range.high, width)));
  if (isApplication(a, 'ite') && fuel > 0) {
    const [c, t, e] = a.args;
    if (t!.kind === 'bits' || e!.kind === 'bits') {
      return ite(c!, atMost(signed, t!, bound, fuel - 1), atMost(signed, e!, bound, fuel - 1));
    }
  }
  const inner = withoutExtension(signed, a, bound);
  if (inner)
    return inner.signed
      ? sle(inner.term, bits(inner.bound, widthOf(inner.term)))
      : ule(inner.term, bits(inner.bound, widthOf(inner.term)));
  return application(signed ? 'signed-less-equal' : 'unsigned-less-equal', boolSort, [a, bits(bound, width)]);
}

/** bound <= a. */
function atLeast(signed: boolean, a: Term, bound: bigint, fuel = chainLimit): Term {
  const width = widthOf(a);
  const read = (word: bigint) => (signed ? toSigned(word, width) : word);
  if (a.kind === 'bits') return bool(bound <= read(a.value));
  const range = signedOrNot(signed, a);
  if (range.low >= bound) return TRUE;
  if (range.high < bound) return FALSE;
  if (bound === range.high) return eq(a, bits(bound, width));
  if (bound === range.low + 1n) return not(eq(a, bits(range.low, width)));
  if (isApplication(a, 'ite') && fuel > 0) {
    const [c, t, e] = a.args;
    if (t!.kind === 'bits' || e!.kind === 'bits') {
      return ite(c!, atLeast(signed, t!, bound, fuel - 1), atLeast(signed, e!, bound, fuel - 1));
    }
  }
  // bound <= a is not (a <= bound - 1); the checks above show that the extension's range contains both
  const inner = withoutExtension(signed, a, bound - 1n);
  if (inner)
    return inner.signed
      ? slt(bits(inner.bound, widthOf(inner.term)), inner.term)
      : ult(bits(inner.bound, widthOf(inner.term)), inner.term);
  return application(signed ? 'signed-less-equal' : 'unsigned-less-equal', boolSort, [bits(bound, width), a]);
}

function signedOrNot(signed: boolean, a: Term): { low: bigint; high: bigint } {
  const width = widthOf(a);
  const range = unsignedRange(a);
  const half = 1n << BigInt(width - 1);
  if (!signed) return range;
  if (isApplication(a, 'sign-extend')) {
    const inner = 1n << BigInt(widthOf(a.args[0]!) - 1);
    return { low: -inner, high: inner - 1n };
  }
  if (range.high < half) return range;
  if (range.low >= half) return { low: range.low - 2n * half, high: range.high - 2n * half };
  return { low: -half, high: half - 1n };
}

/** `a <= bound` for an extension, as a comparison of its operand. The bound is within the extension's range. */
function withoutExtension(
  signed: boolean,
  a: Term,
  bound: bigint,
): { signed: boolean; term: Term; bound: bigint } | undefined {
  if (isApplication(a, 'zero-extend')) return { signed: false, term: a.args[0]!, bound };
  if (!isApplication(a, 'sign-extend')) return undefined;
  const inner = a.args[0]!;
  if (signed) return { signed: true, term: inner, bound };
  const width = widthOf(inner);
  const half = 1n << BigInt(width - 1);
  if (bound < half) return { signed: false, term: inner, bound };
  const top = allOnes(widthOf(a)) + 1n - half; // the extension of the smallest number
  if (bound < top) return { signed: false, term: inner, bound: half - 1n };
  return { signed: false, term: inner, bound: wrap(bound, width) };
}

/** Both operands at a smaller width at which the comparison is the same, and the signedness of that comparison. */
function narrowerPair(a: Term, b: Term, signedness: Signedness): [Term, Term, Signedness] | undefined {
  const [x, y] = [extensionOf(a), extensionOf(b)];
  if (!x || !y) return undefined;
  const [wx, wy] = [widthOf(x.term), widthOf(y.term)];
  if (x.signed === y.signed) {
    const width = Math.max(wx, wy);
    if (x.signed) return [signExtend(x.term, width), signExtend(y.term, width), signedness];
    return [zeroExtend(x.term, width), zeroExtend(y.term, width), 'unsigned'];
  }
  const width = Math.max(wx + (x.signed ? 0 : 1), wy + (y.signed ? 0 : 1));
  if (width >= widthOf(a)) return undefined;
  const extend = (e: { term: Term; signed: boolean }) =>
    e.signed ? signExtend(e.term, width) : zeroExtend(e.term, width);
  return [extend(x), extend(y), signedness];
}

function extensionOf(a: Term): { term: Term; signed: boolean } | undefined {
  if (isApplication(a, 'zero-extend')) return { term: a.args[0]!, signed: false };
  if (isApplication(a, 'sign-extend')) return { term: a.args[0]!, signed: true };
  return undefined;
}

/** Compares two words without building a term. */
export function relate(a: Term, b: Term): 'equal' | 'different' | 'unknown' {
  if (a === b) return 'equal';
  const sum = difference(a, b);
  const l = cancelled(sum) ?? sum;
  if (l.monomials.length === 0) return l.constant === 0n ? 'equal' : 'different';
  const [x, y] = [unsignedRange(a), unsignedRange(b)];
  if (x.high < y.low || y.high < x.low) return 'different';
  return differInSomePart(partsOf(a), partsOf(b)) ? 'different' : 'unknown';
}

function differInSomePart(a: readonly Term[], b: readonly Term[]): boolean {
  if (a.length === 1 && b.length === 1) return false;
  let [i, j, x, y] = [a.length - 1, b.length - 1, 0, 0]; // x and y: bits below parts i and j
  while (i >= 0 && j >= 0) {
    const [ex, ey] = [x + widthOf(a[i]!), y + widthOf(b[j]!)];
    const [low, end] = [Math.max(x, y), Math.min(ex, ey)];
    const [p, q] = [slice(a[i]!, low - x, end - x), slice(b[j]!, low - y, end - y)];
    if (p && q && p !== q) {
      const l = difference(p, q);
      if (l.monomials.length === 0 && l.constant !== 0n) return true;
    }
    if (ex === end) {
      x = ex;
      i--;
    }
    if (ey === end) {
      y = ey;
      j--;
    }
  }
  return false;
}

/** Bits from..end-1 of a literal, or all of any term. */
function slice(part: Term, from: number, end: number): Term | undefined {
  if (part.kind === 'bits') return extract(end - 1, from, part);
  return from === 0 && end === widthOf(part) ? part : undefined;
}
