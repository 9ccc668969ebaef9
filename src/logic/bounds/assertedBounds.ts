/**
 * Constant bounds of words that follow from assertions: directly from `x <= 31` or `x = 7`, and transitively from `x <
 * y` and `y <= 31`.
 */
import { isApplication, widthOf } from '../intern';
import type { Term } from '../term';
import { max, min, rangeOf } from './wordRanges';
import type { Signedness } from '../words/words';
import { toSigned } from '../words/words';

export interface Interval {
  readonly low: bigint;
  readonly high: bigint;
}
/** Bounds of one word in both readings. */
export type WordBounds = Readonly<Record<Signedness, Interval>>;

/** Passes over the orders: each pass propagates the bounds of one symbol to others. */
const rounds = 3;

/**
 * Bounds of symbols and array elements that follow from the assertions and from `known`, also of such that are widened:
 * `n <= (size_t)i`. Returns `known` itself if nothing follows. Contradictory bounds are ignored: the solver finds the
 * contradiction.
 */
export function assertedBounds(
  assertions: readonly Term[],
  known: ReadonlyMap<Term, WordBounds>,
): ReadonlyMap<Term, WordBounds> {
  return boundsBy(
    conjunctsOf(assertions).flatMap(boundingOrders),
    known,
    (t, found) => widenedBounds(t, found) ?? boundsOf(t, found),
  );
}

/** The orders by which the assertion bounds a place. */
const boundingOrders = (assertion: Term): readonly Order[] =>
  ordersOf(assertion).filter(({ lower, upper }) => isPlace(narrowed(lower)) && isPlace(narrowed(upper)));

/** True of an assertion from which bounds are derived. */
export const saysABound = (assertion: Term): boolean => boundingOrders(assertion).length > 0;

/** The word that is widened, if that is all that happens to it. */
const narrowed = (t: Term): Term =>
  isApplication(t, 'zero-extend') || isApplication(t, 'sign-extend') ? t.args[0]! : t;

function widenedBounds(t: Term, found: ReadonlyMap<Term, WordBounds>): WordBounds | undefined {
  const word = narrowed(t);
  if (word === t) return undefined;
  const own = boundsOf(t, found);
  const { signed, unsigned } = boundsOf(word, found);
  const { low, high } = isApplication(t, 'zero-extend') ? unsigned : signed;
  const within = { low: max(own.signed.low, low), high: min(own.signed.high, high) };
  return agreeBounds({ signed: within, unsigned: own.unsigned }, widthOf(t)) ?? own;
}

/** Bounds that the orders imply for any words. `of` gives the bounds that are known otherwise. */
export function boundsBy(
  orders: readonly Order[],
  known: ReadonlyMap<Term, WordBounds>,
  of: (t: Term, found: ReadonlyMap<Term, WordBounds>) => WordBounds,
): ReadonlyMap<Term, WordBounds> {
  if (orders.length === 0) return known;
  const found = new Map(known);
  let changed = false;
  const narrow = (t: Term, signedness: Signedness, low: bigint, high: bigint): boolean => {
    if (t.kind === 'bits') return false;
    const before = of(t, found);
    const after = agreeBounds(
      { ...before, [signedness]: { low: max(before[signedness].low, low), high: min(before[signedness].high, high) } },
      widthOf(t),
    );
    if (!after || (same(before.signed, after.signed) && same(before.unsigned, after.unsigned))) return false;
    found.set(t, after);
    return (changed = true);
  };
  for (let round = 0, more = true; more && round < rounds; round++) {
    more = false;
    for (const { lower, upper, signedness, strict } of orders) {
      const [a, b] = [of(lower, found), of(upper, found)];
      const margin = strict ? 1n : 0n;
      const { low, high } = rangeOf(signedness, widthOf(lower));
      more = narrow(upper, signedness, a[signedness].low + margin, high) || more;
      more = narrow(lower, signedness, low, b[signedness].high - margin) || more;
    }
  }
  return changed ? found : known;
}

export interface Order {
  readonly lower: Term;
  readonly upper: Term;
  readonly signedness: Signedness;
  readonly strict: boolean;
}

const signednesses: Readonly<Record<string, readonly [Signedness, boolean] | undefined>> = {
  'unsigned-less': ['unsigned', true],
  'unsigned-less-equal': ['unsigned', false],
  'signed-less': ['signed', true],
  'signed-less-equal': ['signed', false],
};

/** The orders between words that the term states, or that its negation states. */
export function ordersOf(term: Term, holds = true): readonly Order[] {
  if (isApplication(term, 'not')) return ordersOf(term.args[0]!, !holds);
  if (term.kind !== 'apply') return [];
  const [a, b] = term.args as readonly [Term, Term];
  if (term.operator === 'eq' && holds && isWord(a) && isWord(b))
    return [
      { lower: a, upper: b, signedness: 'unsigned', strict: false },
      { lower: b, upper: a, signedness: 'unsigned', strict: false },
    ];
  const order = signednesses[term.operator];
  if (!order || !isWord(a) || !isWord(b)) return [];
  const [signedness, strict] = order;
  return [holds ? { lower: a, upper: b, signedness, strict } : { lower: b, upper: a, signedness, strict: !strict }];
}

const isWord = (t: Term): boolean => t.sort.kind === 'bits';

/** The terms that have bounds of their own: literals, symbols and array elements. */
export const isPlace = (t: Term): boolean => t.kind === 'bits' || t.kind === 'symbol' || isApplication(t, 'select');

export const conjunctsOf = (terms: readonly Term[]): readonly Term[] =>
  terms.flatMap((term) => (isApplication(term, 'and') ? term.args : [term]));

/** The bounds in `known`, or those of all words of the width. */
export function boundsOf(t: Term, found: ReadonlyMap<Term, WordBounds>): WordBounds {
  if (t.kind === 'bits') {
    const signed = toSigned(t.value, t.sort.width);
    return { unsigned: { low: t.value, high: t.value }, signed: { low: signed, high: signed } };
  }
  const width = widthOf(t);
  return found.get(t) ?? { unsigned: rangeOf('unsigned', width), signed: rangeOf('signed', width) };
}

/**
 * Transfers bounds between the readings. This is exact if all words between the bounds have the same sign. Undefined if
 * the intervals are disjoint.
 */
export function agreeBounds({ signed, unsigned }: WordBounds, width: number): WordBounds | undefined {
  const modulus = 1n << BigInt(width);
  const half = modulus >> 1n;
  const both = (a: Interval, b: Interval): Interval => ({ low: max(a.low, b.low), high: min(a.high, b.high) });
  const moved = ({ low, high }: Interval, by: bigint): Interval => ({ low: low + by, high: high + by });
  if (signed.low >= 0n || unsigned.high < half) {
    const bounds = both(signed, unsigned);
    return bounds.low > bounds.high ? undefined : { signed: bounds, unsigned: bounds };
  }
  if (signed.high < 0n || unsigned.low >= half) {
    const bounds = both(signed, moved(unsigned, -modulus));
    return bounds.low > bounds.high ? undefined : { signed: bounds, unsigned: moved(bounds, modulus) };
  }
  return signed.low > signed.high || unsigned.low > unsigned.high ? undefined : { signed, unsigned };
}

const same = (a: Interval, b: Interval): boolean => a.low === b.low && a.high === b.high;
