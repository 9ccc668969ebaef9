/**
 * Bounds of a place that a loop moves on by one element in each round, from what is left of a count: a test in front of
 * the loop, as `if (count > length - at) return;`, says that `count` elements fit behind `at`, and in the loop that the
 * `count - i` that are left do. The count may be narrower than the place, as lengths in the headers of messages are.
 * Read off the program, as candidates.
 */
import * as L from '../../../logic/build';
import { symbolsOf } from '../../../logic/symbols';
import type { SymbolTerm, Term } from '../../../logic/term';
import type { Cutpoint } from '../../transitionSystem/cutpoint';
import type { TransitionSystem } from '../../transitionSystem/transitionSystem';
import { candidatesOfRounds, type Counter, type LoopRound } from './loopRounds';

const limits = {
  /** Pairs of a place and a count at one loop. */
  pairs: 4,
  /** Numbers that no round changes, as ends of a place or a count. */
  ends: 4,
} as const;

export const remainingRounds = (system: TransitionSystem): ReadonlyMap<Cutpoint, readonly Term[]> =>
  candidatesOfRounds(system, (round) => pairsIn(round).flatMap((pair) => boundsOf(pair, round, system)));

interface Pair {
  readonly place: Counter;
  readonly counter: Counter;
}

function pairsIn({ counters }: LoopRound): readonly Pair[] {
  const steady = counters.filter(({ isConditional }) => !isConditional);
  return steady
    .filter(({ step }) => step === 1n)
    .flatMap((place) =>
      steady
        .filter((counter) => {
          const isNarrower = L.widthOf(counter.symbol) < L.widthOf(place.symbol);
          const isAsWide = L.widthOf(counter.symbol) === L.widthOf(place.symbol) && counter.signed === place.signed;
          // Numbers of one type that move against each other keep their sum.
          return counter !== place && (isNarrower || (isAsWide && counter.step === 1n)) && isUnit(counter.step);
        })
        .map((counter) => ({ place, counter })),
    )
    .slice(0, limits.pairs);
}

const isUnit = (step: bigint): boolean => step === 1n || step === -1n;

function boundsOf({ place, counter }: Pair, round: LoopRound, system: TransitionSystem): Term[] {
  const at = place.symbol;
  const widened = (term: Term): Term => (counter.signed ? L.signExtend : L.zeroExtend)(term, L.widthOf(at));
  const tested = symbolsOf(round.end.guard);
  const counts = steadyLike(counter, round, system).filter((symbol) => tested.has(symbol));
  const left =
    counter.step === 1n
      ? counts.slice(0, limits.ends).map((count) => L.sub(widened(count), widened(counter.symbol)))
      : [widened(counter.symbol)];
  const ends = steadyLike(place, round, system).slice(0, limits.ends);
  return ends
    .flatMap((end) =>
      place.signed
        ? left.map((rest) => L.sle(L.add(at, rest), end))
        : [L.ule(at, end), ...left.map((rest) => L.ule(rest, L.sub(end, at)))],
    )
    .filter((term) => term.kind !== 'boolean');
}

/** Variables of the counter's type that no round changes. */
function steadyLike({ symbol: own, signed }: Counter, { point, after }: LoopRound, system: TransitionSystem) {
  return system.vocabulary.symbolsFor(point.fn).filter((symbol): symbol is SymbolTerm => {
    const meaning = system.vocabulary.meaning(symbol);
    if (symbol.kind !== 'symbol' || meaning?.kind !== 'variable') return false;
    const { type, temporary, scope } = meaning.variable;
    return (
      type.kind === 'integer' &&
      type.signed === signed &&
      L.widthOf(symbol) === L.widthOf(own) &&
      !temporary &&
      scope === 'local' &&
      symbol !== own &&
      after.get(symbol) === symbol
    );
  });
}
