/**
 * Sums over all rounds of two nested loops, as over the cells of a table: `for (y = 0; y < H; y++) for (x = 0; x < W;
 * x++) sum += cells[y][x]`. The inner loop has at most `W` rounds, a number, each time, and each round adds between
 * `low` and `high`. So the outer loop's counter times `W`, and the inner one's beside it, bound what has been added.
 * Read off the program, as candidates.
 */
import * as L from '../../../logic/build';
import type { SymbolTerm, Term } from '../../../logic/term';
import { max, min } from '../../../logic/bounds/wordRanges';
import type { Cutpoint } from '../../transitionSystem/cutpoint';
import type { TransitionSystem } from '../../transitionSystem/transitionSystem';
import { type Amount, amountOf, literal, wide } from './accumulators';
import { type Counter, intervalsUnder, type LoopRound, roundsThroughCalls } from './loopRounds';
import { firstValue, outerLoops, type OuterLoop } from './nestedCounts';

const limits = {
  /** Pairs of a sum and an outer loop, for one inner loop. */
  candidates: 4,
  /** Rounds of the inner loop. */
  rounds: 1 << 16,
  /** Bits of a sum. */
  width: 32,
} as const;

interface Sum {
  readonly symbol: SymbolTerm;
  readonly signed: boolean;
  readonly amount: Amount;
}

/** The inner loop's counter, and the most rounds that it has. */
interface Inner {
  readonly counter: Counter;
  readonly first: Term;
  readonly rounds: bigint;
}

export function nestedSums(system: TransitionSystem): ReadonlyMap<Cutpoint, readonly Term[]> {
  const found = new Map<Cutpoint, readonly Term[]>();
  const say = (point: Cutpoint, terms: readonly Term[]): void => {
    found.set(point, [...new Set([...(found.get(point) ?? []), ...terms])]);
  };
  for (const fn of system.functions)
    for (const round of roundsThroughCalls(fn, system)) {
      const [inner] = innersOf(round, system);
      if (!inner) continue;
      const all = sumsIn(round, system).flatMap((sum) =>
        outerLoops(fn, round, sum.symbol, system).map((outer) => ({ sum, outer })),
      );
      for (const { sum, outer } of all.slice(0, limits.candidates)) {
        const first = firstValue(sum.symbol, outer.point, system);
        if (first?.kind !== 'bits' || outer.counter.symbol === inner.counter.symbol) continue;
        const { inside, between } = boundsOf(sum, first, inner, outer);
        say(round.point, inside);
        say(outer.point, between);
      }
    }
  return found;
}

/** Counters that go up by 1 from a number to a number. */
function innersOf({ point, counters, end }: LoopRound, system: TransitionSystem): readonly Inner[] {
  return counters.flatMap((counter): readonly Inner[] => {
    const { symbol, step, isConditional, signed } = counter;
    const first = counter.start ?? firstValue(symbol, point, system);
    if (step !== 1n || isConditional || first?.kind !== 'bits') return [];
    const start = signed ? BigInt.asIntN(L.widthOf(symbol), first.value) : first.value;
    const rounds = greatest(symbol, end.guard, L.signednessOf({ signed })) + 1n - start;
    return rounds > 0n && rounds <= limits.rounds ? [{ counter, first, rounds }] : [];
  });
}

/** The greatest value under the condition, of which each case may give another bound. */
function greatest(symbol: SymbolTerm, condition: Term, signedness: L.Signedness): bigint {
  const under = (one: Term): bigint => greatest(symbol, one, signedness);
  if (L.isApplication(condition, 'or')) return max(...condition.args.map(under));
  const whole = intervalsUnder([condition], [symbol]).of(symbol)[signedness].high;
  return L.isApplication(condition, 'and') ? min(whole, ...condition.args.map(under)) : whole;
}

function sumsIn({ after, end, counters }: LoopRound, { vocabulary }: TransitionSystem): readonly Sum[] {
  const within = intervalsUnder([end.guard], [...after.values()]);
  return [...after].flatMap(([symbol, value]): readonly Sum[] => {
    const meaning = vocabulary.meaning(symbol);
    if (symbol.kind !== 'symbol' || symbol.sort.kind !== 'bits' || symbol.sort.width > limits.width) return [];
    if (value === symbol || meaning?.kind !== 'variable' || meaning.variable.type.kind !== 'integer') return [];
    if (counters.some((counter) => counter.symbol === symbol && !counter.isConditional)) return [];
    const amount = amountOf(symbol, value, within);
    return amount ? [{ symbol, signed: meaning.variable.type.signed, amount }] : [];
  });
}

function boundsOf(
  sum: Sum,
  first: Term,
  { counter, first: begin, rounds }: Inner,
  outer: OuterLoop,
): { readonly inside: readonly Term[]; readonly between: readonly Term[] } {
  // The inner loop may be left early.
  const [least, most] = [min(sum.amount.low, 0n), max(sum.amount.high, 0n)];
  const added = L.sub(wide(sum.symbol, sum), wide(first, sum));
  const done = L.sub(wide(outer.counter.symbol, outer.counter), wide(outer.start, outer.counter));
  const walked = L.sub(wide(counter.symbol, counter), wide(begin, counter));
  const before = L.mul(literal(rounds), done);
  const betweenBoth = (made: Term): readonly Term[] => [
    L.sle(L.mul(literal(least), made), added),
    L.sle(added, L.mul(literal(most), made)),
  ];
  const common = [L.sle(literal(0n), done)];
  return {
    inside: [
      ...common,
      L.sle(literal(0n), walked),
      L.sle(walked, literal(rounds)),
      ...betweenBoth(L.add(before, walked)),
    ],
    between: [...common, ...betweenBoth(before)],
  };
}
