/**
 * Bounds of what a loop adds up, in terms of its counter: after k rounds that each add between `low` and `high`, a sum
 * lies between its start plus k times either. Read off the program, as candidates; intervals as in Cousot, Cousot,
 * POPL 1977, of the amount alone.
 */
import * as L from '../../../logic/build';
import { ordersOf, type WordBounds } from '../../../logic/bounds/assertedBounds';
import { sizeOf, symbolsOf } from '../../../logic/substitute';
import type { Term } from '../../../logic/term';
import { postOrder } from '../../../logic/traverse';
import type { WordIntervals } from '../../../logic/bounds/wordIntervals';
import { max, min, rangeOf } from '../../../logic/bounds/wordRanges';
import type { Cutpoint } from '../../transitionSystem/cutpoint';
import type { TransitionSystem } from '../../transitionSystem/transitionSystem';
import { conjuncts } from '../../../semantics/symbolic/segment';
import { boundsInMemory } from '../statics/storedBounds';
import {
  boundsOfElements,
  type Counter,
  intervalsUnder,
  type LoopRound,
  roundsThroughCalls,
  startOf,
  startsBetween,
} from './loopRounds';

const limits = {
  /** Candidates at one loop. */
  candidates: 16,
  /** And what supports them. */
  support: 16,
  /** Nodes of a start value: a larger one is a number at most. */
  start: 8,
  /** Nodes of a condition. */
  size: 40,
  /** Nested operators of an amount that are looked at. */
  depth: 12,
  /** Bits of sums and counters, extended, so that what is said of them does not wrap around. */
  width: 64,
} as const;

export interface Amount {
  readonly low: bigint;
  readonly high: bigint;
}

/** Each with what it takes to keep it: bounds of the counter, and what the loop begins with and leaves as it is. */
export function accumulators(system: TransitionSystem): Map<Cutpoint, readonly Term[]> {
  const found = new Map<Cutpoint, readonly Term[]>();
  const kept = boundsInMemory(system);
  const inMemory = (array: Term): WordBounds | undefined =>
    array.kind === 'symbol' ? kept.get(array.name) : undefined;
  for (const fn of system.functions) {
    const rounds = roundsThroughCalls(fn, system);
    for (const round of rounds) {
      const bounds = boundsIn(round, rounds, inMemory, system)
        .filter(({ kind }) => kind !== 'boolean')
        .slice(0, limits.candidates);
      if (bounds.length === 0) continue;
      const support = [...boundsOfCounters(round), ...steadyConditions(round, system)].slice(0, limits.support);
      const say = (point: Cutpoint, terms: readonly Term[]): void => {
        if (terms.length > 0) found.set(point, [...new Set([...(found.get(point) ?? []), ...terms])]);
      };
      for (const point of [round.point, ...round.through]) say(point, [...bounds, ...support]);
      // A sum may begin before other loops, which leave it alone.
      const starts = [...new Set(bounds.flatMap((bound) => [...symbolsOf(bound)]))].flatMap((symbol) => {
        const start = startOf(symbol, round.point, system);
        return start?.kind === 'bits' ? [{ symbol, is: L.eq(symbol, start) }] : [];
      });
      for (const { point, after } of rounds)
        if (point.location.index < round.point.location.index)
          say(
            point,
            starts.filter(({ symbol }) => after.get(symbol) === symbol).map(({ is }) => is),
          );
      // Nor do calls on the way change it.
      for (const point of system.points)
        if (point.fn === fn && (point.kind === 'call' || point.kind === 'return') && isBefore(point, round))
          say(
            point,
            starts.map(({ is }) => is),
          );
    }
  }
  return found;
}

const isBefore = ({ location }: Cutpoint, { point, through }: LoopRound): boolean =>
  location.index < point.location.index && !through.some((call) => call.location === location);

/** At least where it starts, at most one further than the last round begins. */
function boundsOfCounters({ counters, end, after }: LoopRound): readonly Term[] {
  return counters.flatMap(({ symbol, signed, step, start, isConditional }) => {
    const atMost = signed ? L.sle : L.ule;
    const inOrder = (a: Term, b: Term): Term => (step > 0n ? atMost(a, b) : atMost(b, a));
    const passed = isConditional
      ? []
      : conjuncts(end.guard).flatMap((condition) => {
          const [order] = condition.kind === 'apply' ? ordersOf(condition) : [];
          if (!order?.strict || order.signedness !== (signed ? 'signed' : 'unsigned')) return [];
          const [near, far] = step > 0n ? [order.lower, order.upper] : [order.upper, order.lower];
          return near === symbol && isSteady(far, after) ? [inOrder(symbol, far)] : [];
        });
    return [...(start === undefined ? [] : [inOrder(start, symbol)]), ...passed];
  });
}

/** Conditions on the way to the loop about what the loop does not change. */
function steadyConditions({ point, after }: LoopRound, system: TransitionSystem): readonly Term[] {
  const conditions = system.transitions.flatMap(({ from, ends }) =>
    from === point
      ? []
      : ends.flatMap((end) => {
          if (end.point !== point) return [];
          const binding = system.vocabulary.binding(point.fn, end.state);
          return conjuncts(end.guard).filter(
            (condition) =>
              sizeOf(condition) <= limits.size && isSteady(condition, after) && isSteady(condition, binding),
          );
        }),
  );
  return [...new Set(conditions)];
}

/** All that it mentions is part of the state, and stays as it is. */
const isSteady = (term: Term, after: ReadonlyMap<Term, Term>): boolean =>
  [...symbolsOf(term)].every((symbol) => after.get(symbol) === symbol);

function boundsIn(
  round: LoopRound,
  rounds: readonly LoopRound[],
  inMemory: (array: Term) => WordBounds | undefined,
  system: TransitionSystem,
): Term[] {
  const { point, after, counters, end } = round;
  const steady = counters.filter(
    ({ symbol, isConditional, start }) => !isConditional && start !== undefined && start !== symbol,
  );
  if (steady.length === 0) return [];
  const alone = intervalsUnder([end.guard], [...after.values()]);
  const within = intervalsUnder([end.guard], [...after.values()], boundsOfElements(round, rounds, inMemory));
  return [...after].flatMap(([symbol, value]) => {
    if (symbol.kind !== 'symbol' || symbol.sort.kind !== 'bits' || symbol.sort.width > limits.width) return [];
    const meaning = system.vocabulary.meaning(symbol);
    if (value === symbol || meaning?.kind !== 'variable') return [];
    const { type: ofVariable } = meaning.variable;
    if (ofVariable.kind !== 'integer' && (ofVariable.kind !== 'pointer' || meaning.part !== 'offset')) return [];
    const type = ofVariable.kind === 'integer' ? ofVariable : { signed: true };
    const amount = amountOf(symbol, value, within, limits.depth);
    // That all rounds add the same number is said of rounds (`roundRelations.ts`), unless elements are that number.
    if (!amount || (amount.low === amount.high && amountOf(symbol, value, alone, limits.depth))) return [];
    const start = startOf(symbol, point, system);
    const from = start && start !== symbol && sizeOf(start) <= limits.start ? wide(start, type) : undefined;
    const { low, high } = startsBetween(symbol, point, system, L.signednessOf(type));
    return steady.flatMap((counter) => {
      if (counter.symbol === symbol) return [];
      const [least, most] = sums(wide(symbol, type), amount, counter);
      const unlessFar = unlessItWraps(L.widthOf(symbol), amount, counter);
      return [
        ...(from ? [most(from), least(from)] : []),
        ...(high === undefined ? [] : [most(literal(high))]),
        ...(low === undefined ? [] : [least(literal(low))]),
      ].flatMap((bound) => [bound, ...unlessFar(bound)]);
    });
  });
}

/**
 * A counter of all bits, as `size_t i`, times the amount may wrap around, and so may the sum, so that nothing is known
 * of it before the counter is bounded, as by the end of a text. The bound is said once more of rounds before that.
 */
function unlessItWraps(
  width: number,
  { low, high }: Amount,
  { symbol, step, start }: Counter,
): (bound: Term) => readonly Term[] {
  if (L.widthOf(symbol) < limits.width || start === undefined) return () => [];
  const [now, first] = [symbol, start];
  const walked = step > 0n ? L.sub(now, first) : L.sub(first, now);
  const most = (1n << BigInt(Math.min(width - 1, limits.width - 2))) / max(max(-low, high), 1n) - 1n;
  return (bound) => [L.or(L.ult(literal(most), walked), bound)];
}

/** The least and the most that a sum can be, for a start; all have 64 bits. */
export function sums(
  sum: Term,
  { low, high }: Amount,
  counter: Counter,
): readonly [(start: Term) => Term, (start: Term) => Term] {
  const { step } = counter;
  const [now, first] = [wide(counter.symbol, counter), wide(counter.start!, counter)];
  const walked = step > 0n ? L.sub(now, first) : L.sub(first, now);
  // Per unit that the counter walks; a round walks this many of them.
  const length = step > 0n ? step : -step;
  const added = (start: Term): Term => L.mul(literal(length), L.sub(sum, start));
  const times = (amount: bigint): Term => L.mul(literal(amount), walked);
  return [(start) => L.sle(times(low), added(start)), (start) => L.sle(added(start), times(high))];
}

export const literal = (value: bigint): Term => L.bits(BigInt.asUintN(limits.width, value), limits.width);

export function wide(term: Term, counter: { readonly signed: boolean }): Term {
  return L.resize(term, limits.width, L.signednessOf(counter));
}

/** For a sum of which one operand is the word, perhaps changed before. */
function amountOfSum(symbol: Term, value: Term, within: WordIntervals, depth: number): Amount | undefined {
  if (!L.isApplication(value, 'add')) return undefined;
  const reads = value.args.map((operand) => postOrder([operand]).some((part) => part === symbol));
  if (reads.filter((one) => one).length > 1) return undefined;
  const amounts = value.args.map((operand, i) =>
    reads[i] ? amountOf(symbol, operand, within, depth - 1) : within.of(operand).signed,
  );
  let [low, high] = [0n, 0n];
  for (const amount of amounts) {
    if (!amount) return undefined;
    [low, high] = [low + amount.low, high + amount.high];
  }
  const all = rangeOf('signed', L.widthOf(value));
  return low > all.low && high < all.high ? { low, high } : undefined;
}

/** Amount a round adds to the word, as an interval of signed numbers; undefined where it does anything else. */
export function amountOf(
  symbol: Term,
  value: Term,
  within: WordIntervals,
  depth: number = limits.depth,
): Amount | undefined {
  if (value === symbol) return { low: 0n, high: 0n };
  if (depth === 0) return undefined;
  if (L.isApplication(value, 'ite')) {
    const [a, b] = value.args.slice(1).map((side) => amountOf(symbol, side, within, depth - 1));
    return a && b && { low: min(a.low, b.low), high: max(a.high, b.high) };
  }
  const amount = L.sub(value, symbol);
  if (postOrder([amount]).some((part) => part === symbol)) return amountOfSum(symbol, value, within, depth);
  const { signed } = within.of(amount);
  const all = rangeOf('signed', L.widthOf(value));
  return signed.low > all.low && signed.high < all.high ? signed : undefined;
}
