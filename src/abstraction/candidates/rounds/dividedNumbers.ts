/**
 * Bounds of a number that each round of a loop divides by a constant, in terms of the loop's counter: after k rounds it
 * is at most its greatest first value divided k times, as in `do digits[n++] = '0' + v % 10; while ((v /= 10) != 0)`.
 * So the counter is bounded, too, by a number that occurs nowhere in the C. Read off the program, as candidates.
 */
import * as L from '../../../logic/build';
import type { SymbolTerm, Term } from '../../../logic/term';
import { rangeOf } from '../../../logic/bounds/wordRanges';
import type { Cutpoint } from '../../transitionSystem/cutpoint';
import type { TransitionSystem } from '../../transitionSystem/transitionSystem';
import { candidatesOfRounds, type Counter, type LoopRound } from './loopRounds';

const limits = {
  /** Rounds after which nothing is left of the number: one case of the bound each. */
  rounds: 64,
  /** Numbers and counters of one loop. */
  pairs: 4,
} as const;

/** A number, and what the loop divides it by. */
interface Divided {
  readonly symbol: SymbolTerm;
  readonly signed: boolean;
  readonly divisor: bigint;
}

export const dividedNumbers = (system: TransitionSystem): ReadonlyMap<Cutpoint, readonly Term[]> =>
  candidatesOfRounds(system, (round) => {
    const counters = round.counters.filter(
      ({ isConditional, step, start }) => !isConditional && (step === 1n || step === -1n) && start?.kind === 'bits',
    );
    return dividedIn(round, system)
      .flatMap((number) => counters.map((counter) => boundsOf(number, counter)))
      .slice(0, limits.pairs)
      .flat();
  });

function dividedIn({ after }: LoopRound, { vocabulary }: TransitionSystem): readonly Divided[] {
  return [...after].flatMap(([symbol, value]): readonly Divided[] => {
    const meaning = vocabulary.meaning(symbol);
    if (symbol.kind !== 'symbol' || symbol.sort.kind !== 'bits' || meaning?.kind !== 'variable') return [];
    const { type } = meaning.variable;
    const divisor = divisorOf(symbol, value);
    return divisor === undefined || type.kind !== 'integer' ? [] : [{ symbol, signed: type.signed, divisor }];
  });
}

/** Undefined where the round does anything else to the number. Powers of two leave out the last bits. */
function divisorOf(symbol: Term, value: Term): bigint | undefined {
  if (L.isApplication(value, 'unsigned-divide') || L.isApplication(value, 'signed-divide')) {
    const [number, by] = value.args as readonly [Term, Term];
    return number === symbol && by.kind === 'bits' && by.value >= 2n ? by.value : undefined;
  }
  if (!L.isApplication(value, 'zero-extend') && !L.isApplication(value, 'sign-extend')) return undefined;
  const [first] = value.args;
  if (!first || !L.isApplication(first, 'extract') || first.args[0] !== symbol) return undefined;
  return 1n << BigInt(L.widthOf(symbol) - L.widthOf(first));
}

/** The number that is left after each number of rounds, and the rounds there are while something is left. */
function boundsOf({ symbol, signed, divisor }: Divided, counter: Counter): readonly Term[] {
  const width = L.widthOf(symbol);
  const counterWidth = L.widthOf(counter.symbol);
  const start = counter.start?.kind === 'bits' ? counter.start.value : 0n;
  const { high } = rangeOf(signed ? 'signed' : 'unsigned', width);
  const left: bigint[] = [];
  for (let most = high / divisor; left.at(-1) !== 0n; most /= divisor) left.push(most);
  if (left.length > limits.rounds) return [];
  const counterAt = (rounds: number): Term =>
    L.bits(BigInt.asUintN(counterWidth, start + counter.step * BigInt(rounds)), counterWidth);
  const atMost = counter.signed ? L.sle : L.ule;
  const inOrder = (a: Term, b: Term): Term => (counter.step > 0n ? atMost(a, b) : atMost(b, a));
  const notNegative = L.sle(L.bits(0n, width), symbol);
  const numberAtMost = (most: bigint): Term => (signed ? L.sle : L.ule)(symbol, L.bits(most, width));
  return [
    ...(signed ? [notNegative] : []),
    L.and(...left.map((most, i) => L.or(inOrder(counter.symbol, counterAt(i)), numberAtMost(most)))),
    inOrder(counterAt(0), counter.symbol),
    inOrder(counter.symbol, counterAt(left.length)),
    // Nothing is left then: a loop that tests the number before it comes back does not.
    inOrder(counter.symbol, counterAt(left.length - 1)),
  ];
}
