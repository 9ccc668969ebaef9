/**
 * Bounds of the sum of two counters that move against each other, as what is left of a source and what is in a target
 * already: `while (n > 0) to[at++] = digits[--n]`. No round changes the sum, so what was tested of one counter before
 * the loop, as `n < size` or `n > least`, holds of both together. Read off the program, as candidates.
 */
import * as L from '../../../logic/build';
import type { Term } from '../../../logic/term';
import type { Cutpoint } from '../../transitionSystem/cutpoint';
import type { TransitionSystem } from '../../transitionSystem/transitionSystem';
import { candidatesOfRounds, type Counter, type LoopRound } from './loopRounds';

const limits = {
  /** Pairs of counters at one loop. */
  pairs: 3,
  /** Numbers that no round changes, as bounds. */
  bounds: 4,
} as const;

export const keptSums = (system: TransitionSystem): ReadonlyMap<Cutpoint, readonly Term[]> =>
  candidatesOfRounds(system, (round) => oppositesIn(round).flatMap((pair) => boundsOf(pair, round, system)));

function oppositesIn({ counters }: LoopRound): readonly (readonly [Counter, Counter])[] {
  const steady = counters.filter(({ isConditional }) => !isConditional);
  return steady
    .flatMap((a, i) =>
      steady
        .slice(i + 1)
        .filter((b) => a.step === -b.step && L.widthOf(a.symbol) === L.widthOf(b.symbol) && a.signed === b.signed)
        .map((b) => [a, b] as const),
    )
    .slice(0, limits.pairs);
}

/** The sum is what one counter began with, and the other's first value where that is known. */
function boundsOf([a, b]: readonly [Counter, Counter], { point, after }: LoopRound, system: TransitionSystem): Term[] {
  const known = [a, b].find(({ start }) => start?.kind === 'bits')?.start;
  const both = L.add(a.symbol, b.symbol);
  const sum = known ? L.sub(both, known) : both;
  const [atMost, below] = a.signed ? [L.sle, L.slt] : [L.ule, L.ult];
  const steady = system.vocabulary.symbolsFor(point.fn).filter((symbol) => {
    const meaning = system.vocabulary.meaning(symbol);
    if (meaning?.kind !== 'variable' || meaning.variable.type.kind !== 'integer') return false;
    const { variable } = meaning;
    const isAlike = meaning.variable.type.signed === a.signed && L.widthOf(symbol) === L.widthOf(sum);
    return isAlike && !variable.temporary && variable.scope === 'local' && after.get(symbol) === symbol;
  });
  return [
    ...(a.signed ? [atMost(L.bits(0n, L.widthOf(sum)), sum)] : []),
    ...steady
      .slice(0, limits.bounds)
      .flatMap((bound) => [below(sum, bound), atMost(sum, bound), below(bound, sum), atMost(bound, sum)]),
  ].filter((term) => term.kind !== 'boolean');
}
