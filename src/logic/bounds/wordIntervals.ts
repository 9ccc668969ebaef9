/**
 * Constant bounds of words, computed operator by operator, in both readings (intervals of Cousot and Cousot, POPL 1977,
 * over acyclic terms). A branch of a conditional also uses its condition: `x < 0 ? 0 : x` is not negative. The bounds
 * hold wherever those in `known` do.
 */
import { agreeBounds, boundsOf, type Interval, type Order, ordersOf, type WordBounds } from './assertedBounds';
import { bits, isApplication, widthOf } from '../intern';
import { add, linearOf, mul } from '../words/linear';
import { postOrder } from '../traverse';
import type { Application, Term } from '../term';
import { fits, max, min, rangeOf, sum } from './wordRanges';
import type { Signedness } from '../words/words';
import { allOnes, toSigned, wrap } from '../words/words';

/** Limit on nested conditionals whose conditions are used. */
const nestedConditionals = 3;
/** Number of the most recent bounded sums that are considered. */
const recentSums = 8;

const signednesses = ['signed', 'unsigned'] as const;
const inBoth = (interval: (signedness: Signedness) => Interval): WordBounds => ({
  signed: interval('signed'),
  unsigned: interval('unsigned'),
});

export class WordIntervals {
  private readonly found = new Map<Term, WordBounds>();
  private readonly visited = new Set<Term>();
  /** Sums with a known bound as a whole. */
  private readonly sums: readonly Term[];

  /** `work.left` decreases with each visited word. */
  constructor(
    private readonly known: ReadonlyMap<Term, WordBounds>,
    private readonly work = { left: Infinity },
  ) {
    this.sums = [...known.keys()].filter((t) => isApplication(t, 'add')).slice(-recentSums);
  }

  of(word: Term): WordBounds {
    if (this.visited.has(word)) return this.found.get(word)!;
    for (const t of postOrder([word], (s) => this.visited.has(s), isQuantified)) {
      this.visited.add(t);
      this.work.left--;
      if (t.sort.kind === 'bits') this.found.set(t, this.compute(t));
    }
    return this.found.get(word)!;
  }

  /** The truth value of a comparison of words, if their intervals decide it. */
  truth(atom: Application): boolean | undefined {
    const [a, b] = atom.args as readonly [Term, Term];
    if (atom.operator === 'eq') {
      if (a.sort.kind !== 'bits') return undefined;
      const [x, y] = [this.of(a), this.of(b)];
      if (signednesses.some((r) => x[r].high < y[r].low || y[r].high < x[r].low)) return false;
      return isOne(x.unsigned) && isOne(y.unsigned) ? true : undefined;
    }
    const [order] = ordersOf(atom);
    if (!order) return undefined;
    const [x, y] = [this.of(order.lower)[order.signedness], this.of(order.upper)[order.signedness]];
    const margin = order.strict ? 1n : 0n;
    if (x.high + margin <= y.low) return true;
    return x.low + margin > y.high ? false : undefined;
  }

  private compute(t: Term): WordBounds {
    const own = boundsOf(t, this.known);
    if (t.kind !== 'apply') return own;
    const { signed, unsigned } = this.application(t);
    const met = inBoth((r) => ({
      low: max(own[r].low, { signed, unsigned }[r].low),
      high: min(own[r].high, { signed, unsigned }[r].high),
    }));
    // A contradiction means that this point is unreachable; no bound is derived then.
    return agreeBounds(met, widthOf(t)) ?? own;
  }

  private application(t: Application): WordBounds {
    const width = widthOf(t);
    const all = inBoth((r) => rangeOf(r, width));
    if (t.operator === 'ite') return this.conditional(t);
    const args = t.args.map((arg) => this.found.get(arg)!);
    const [a, b] = args as [WordBounds, WordBounds];
    /** If the operation may wrap, the result is unbounded. */
    const exact = (of: (r: Signedness) => Interval): WordBounds =>
      inBoth((r) => {
        const i = of(r);
        return fits(i, r, width) ? i : all[r];
      });
    const natural = (low: bigint, high: bigint): WordBounds => ({ signed: all.signed, unsigned: { low, high } });
    switch (t.operator) {
      case 'add': {
        const { signed, unsigned } = exact((r) => ({
          low: sum(args.map((x) => x[r].low)),
          high: sum(args.map((x) => x[r].high)),
        }));
        return { signed: this.throughSums(t, signed), unsigned };
      }
      case 'subtract':
        return exact((r) => ({ low: a[r].low - b[r].high, high: a[r].high - b[r].low }));
      case 'negate':
        return exact((r) => ({ low: -a[r].high, high: -a[r].low }));
      case 'complement':
        return inBoth((r) => {
          const ends = r === 'signed' ? -1n : allOnes(width);
          return { low: ends - a[r].high, high: ends - a[r].low };
        });
      case 'multiply':
        return exact((r) => args.map((x) => x[r]).reduce(productOf));
      case 'zero-extend':
        return { signed: a.unsigned, unsigned: a.unsigned };
      case 'sign-extend':
        return { signed: a.signed, unsigned: a.signed.low >= 0n ? a.signed : all.unsigned };
      case 'concat':
        return natural(
          t.args.reduce((value, arg, i) => (value << BigInt(widthOf(arg))) + args[i]!.unsigned.low, 0n),
          t.args.reduce((value, arg, i) => (value << BigInt(widthOf(arg))) + args[i]!.unsigned.high, 0n),
        );
      case 'extract': {
        const by = BigInt(t.parameters[1]!);
        return exact((r) => ({ low: a[r].low >> by, high: a[r].high >> by }));
      }
      case 'unsigned-divide':
        return b.unsigned.low > 0n ? natural(a.unsigned.low / b.unsigned.high, a.unsigned.high / b.unsigned.low) : all;
      case 'unsigned-remainder':
        return natural(0n, b.unsigned.low > 0n ? min(a.unsigned.high, b.unsigned.high - 1n) : a.unsigned.high);
      case 'signed-divide': {
        const by = b.signed.low > 0n ? [b.signed.low, b.signed.high] : undefined;
        if (!by) return all;
        const ends = [a.signed.low, a.signed.high].flatMap((x) => by.map((y) => x / y));
        return { signed: { low: min(...ends), high: max(...ends) }, unsigned: all.unsigned };
      }
      case 'signed-remainder': {
        const below =
          b.signed.low > 0n || b.signed.high < 0n
            ? max(magnitude(b.signed.low), magnitude(b.signed.high)) - 1n
            : undefined;
        const low = a.signed.low >= 0n ? 0n : below === undefined ? a.signed.low : max(a.signed.low, -below);
        const high = a.signed.high <= 0n ? 0n : below === undefined ? a.signed.high : min(a.signed.high, below);
        return { signed: { low, high }, unsigned: all.unsigned };
      }
      case 'bit-and':
        return natural(0n, min(...args.map((x) => x.unsigned.high)));
      case 'bit-or':
        return natural(max(...args.map((x) => x.unsigned.low)), fillBelow(max(...args.map((x) => x.unsigned.high))));
      case 'bit-xor':
        return natural(0n, fillBelow(max(...args.map((x) => x.unsigned.high))));
      case 'shift-left': {
        const { low: least, high: most } = b.unsigned;
        if (most >= BigInt(width)) return all;
        return exact((r) => ({
          low: a[r].low << (a[r].low < 0n ? most : least),
          high: a[r].high << (a[r].high < 0n ? least : most),
        }));
      }
      case 'logical-shift-right': {
        const by = (amount: bigint): bigint => (amount < BigInt(width) ? amount : BigInt(width));
        return natural(a.unsigned.low >> by(b.unsigned.high), a.unsigned.high >> by(b.unsigned.low));
      }
      case 'arithmetic-shift-right': {
        const [least, most] = [b.unsigned.low, b.unsigned.high].map((amount) =>
          amount < BigInt(width) ? amount : BigInt(width - 1),
        ) as [bigint, bigint];
        const { low, high } = a.signed;
        return {
          signed: { low: low >> (low < 0n ? least : most), high: high >> (high < 0n ? most : least) },
          unsigned: all.unsigned,
        };
      }
      default:
        return all;
    }
  }

  /** Uses a bound on a sum `s`, such as `s <= 100`, to bound `t = 10 * s + d`, as far as nothing wraps. */
  private throughSums(t: Application, own: Interval): Interval {
    const whole = linearOf(t);
    return this.sums.reduce((interval, known) => {
      if (known === t || widthOf(known) !== whole.width) return interval;
      const part = linearOf(known);
      const shared = whole.monomials.find(({ atom }) => part.monomials.some((monomial) => monomial.atom === atom));
      if (!shared) return interval;
      const [a, b] = [shared.coefficient, part.monomials.find(({ atom }) => atom === shared.atom)!.coefficient].map(
        (coefficient) => toSigned(coefficient, whole.width),
      ) as [bigint, bigint];
      const times = a / b;
      if (times === 0n) return interval;
      const rest = linearOf(add(t, mul(bits(wrap(-times, whole.width), whole.width), known)));
      if (rest.monomials.length >= whole.monomials.length) return interval;
      const summands = [times, ...rest.monomials.map(({ coefficient }) => toSigned(coefficient, whole.width))].map(
        (factor): Interval => ({ low: factor, high: factor }),
      );
      const factors = [known, ...rest.monomials.map(({ atom }) => atom)].map(
        (x) => (this.found.get(x) ?? boundsOf(x, this.known)).signed,
      );
      const products = summands.map((factor, i) => productOf(factor, factors[i]!));
      const constant = toSigned(rest.constant, whole.width);
      const found = {
        low: sum(products.map(({ low }) => low)) + constant,
        high: sum(products.map(({ high }) => high)) + constant,
      };
      return fits(found, 'signed', whole.width)
        ? { low: max(interval.low, found.low), high: min(interval.high, found.high) }
        : interval;
    }, own);
  }

  private conditional(t: Application): WordBounds {
    return this.branches(t, [], nestedConditionals) ?? boundsOf(t, this.known);
  }

  /** Bounds of a conditional under the orders. Undefined if both branches are unreachable. */
  private branches(t: Application, orders: readonly Order[], depth: number): WordBounds | undefined {
    const [condition, then, otherwise] = t.args as readonly [Term, Term, Term];
    const known = [[then, true] as const, [otherwise, false] as const].flatMap(
      ([branch, holds]) => this.under([...orders, ...ordersWhere(condition, holds)], branch, depth) ?? [],
    );
    return known.length === 0
      ? undefined
      : inBoth((r) => ({ low: min(...known.map((x) => x[r].low)), high: max(...known.map((x) => x[r].high)) }));
  }

  private under(orders: readonly Order[], word: Term, depth: number): WordBounds | undefined {
    if (isApplication(word, 'ite') && depth > 0) return this.branches(word, orders, depth - 1);
    let bounds: WordBounds | undefined = this.found.get(word)!;
    if (word.kind === 'bits') return bounds;
    for (const { lower, upper, signedness, strict } of orders) {
      if ((lower !== word && upper !== word) || !bounds) continue;
      const margin = strict ? 1n : 0n;
      const { low, high } = bounds[signedness];
      const narrowed: Interval =
        lower === word
          ? { low, high: min(high, this.found.get(upper)![signedness].high - margin) }
          : { low: max(low, this.found.get(lower)![signedness].low + margin), high };
      bounds = agreeBounds({ ...bounds, [signedness]: narrowed }, widthOf(word));
    }
    return bounds;
  }
}

const isQuantified = (t: Term): boolean => t.kind === 'forall' || t.kind === 'exists';
const isOne = ({ low, high }: Interval): boolean => low === high;
const magnitude = (n: bigint): bigint => (n < 0n ? -n : n);
/** All bits set up to its highest. */
const fillBelow = (n: bigint): bigint => (n === 0n ? 0n : (1n << BigInt(n.toString(2).length)) - 1n);

/** Products of one from each. */
export function productOf(a: Interval, b: Interval): Interval {
  const ends = [a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high];
  return { low: min(...ends), high: max(...ends) };
}

/** The orders of words that follow from the condition, or from its negation. */
function ordersWhere(condition: Term, holds: boolean): readonly Order[] {
  if (isApplication(condition, 'not')) return ordersWhere(condition.args[0]!, !holds);
  if (isApplication(condition, holds ? 'and' : 'or')) return condition.args.flatMap((part) => ordersWhere(part, holds));
  return ordersOf(condition, holds);
}
