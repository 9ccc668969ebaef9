/** Numbers of rounds of loops that count from one number to another, read off the program. */
import { intervalsUnder, roundsOf, type LoopRound } from './loopRounds';
import { conjuncts } from '../../../semantics/symbolic/segment';
import type { Cutpoint } from '../../transitionSystem/cutpoint';
import type { TransitionSystem } from '../../transitionSystem/transitionSystem';
import { rangeOf } from '../../../logic/bounds/wordRanges';
import { signednessOf, toSigned } from '../../../logic/words/words';

/** Rounds of each loop that counts from a number to another; fewer if it is left in some other way. */
export function knownRounds(system: TransitionSystem): ReadonlyMap<Cutpoint, bigint> {
  const found = new Map<Cutpoint, bigint>();
  for (const fn of system.functions)
    for (const round of roundsOf(fn, system)) {
      const rounds = roundsIn(round);
      if (rounds !== undefined) found.set(round.point, rounds);
    }
  return found;
}

/** The counter that leaves the loop first says how often it goes round. */
function roundsIn({ counters, end }: LoopRound): bigint | undefined {
  const steady = counters.filter(({ isConditional }) => !isConditional);
  const intervals = intervalsUnder(
    conjuncts(end.guard),
    steady.map(({ symbol }) => symbol),
  );
  let fewest: bigint | undefined;
  for (const { symbol, step, start, signed } of steady) {
    if (start?.kind !== 'bits') continue;
    const { low, high } = intervals.of(symbol)[signednessOf({ signed })];
    const word = rangeOf(signednessOf({ signed }), start.sort.width);
    if (step > 0n ? high === word.high : low === word.low) continue; // no test ends it
    const from = signed ? toSigned(start.value, start.sort.width) : start.value;
    const distance = step > 0n ? high - from : from - low;
    const rounds = distance < 0n ? 0n : distance / (step > 0n ? step : -step) + 1n;
    if (fewest === undefined || rounds < fewest) fewest = rounds;
  }
  return fewest;
}
