/**
 * Bounds of a number that each round of a loop divides, in terms of the loop's counter: after k rounds it is at most
 * its greatest first value divided k times, as in `do digits[n++] = '0' + v % 10; while ((v /= 10) != 0)`. So the
 * counter is bounded, too, by a number that occurs nowhere in the C. So it is where each round clears the last bit that
 * is set, as in `while (x) { x &= x - 1; n++; }`: after k rounds the last k bits are 0. Read off the program, as
 * candidates.
 */
import * as L from '../../../logic/build';
import { symbolsOf } from '../../../logic/substitute';
import type { SymbolTerm, Term } from '../../../logic/term';
import { rangeOf } from '../../../logic/bounds/wordRanges';
import type { Cutpoint } from '../../transitionSystem/cutpoint';
import type { TransitionSystem } from '../../transitionSystem/transitionSystem';
import { amountOf } from './accumulators';
import { candidatesOfRounds, type Counter, intervalsUnder, type LoopRound, startOf } from './loopRounds';

const limits = {
  /** Rounds after which nothing is left of the number: one case of the bound each. */
  rounds: 64,
  /** Numbers and counters of one loop. */
  pairs: 4,
} as const;

/** A number, and what is left of it after each number of rounds. */
export interface Used {
  /** Conditions after one round, after two and so on; the last says that nothing is left. */
  readonly left: readonly Term[];
  /** Conditions that this rests on, and what holds of the number itself. */
  readonly support: readonly Term[];
}

export const dividedNumbers = (system: TransitionSystem): ReadonlyMap<Cutpoint, readonly Term[]> =>
  candidatesOfRounds(system, (round) => {
    const counters = [...round.counters, ...slowCounters(round, system)].filter(
      ({ step, start }) => (step === 1n || step === -1n) && start?.kind === 'bits',
    );
    if (counters.length === 0) return [];
    return usedIn(round, system)
      .flatMap((number) => counters.map((counter) => boundsOf(number, counter)))
      .slice(0, limits.pairs)
      .flat();
  });

/** Numbers to which a round adds 0 or 1, as in `n += x & 1`. */
export function slowCounters({ point, after, counters, end }: LoopRound, system: TransitionSystem): readonly Counter[] {
  const within = intervalsUnder([end.guard], [...after.values()]);
  return [...after].flatMap(([symbol, value]): readonly Counter[] => {
    const meaning = system.vocabulary.meaning(symbol);
    if (symbol.kind !== 'symbol' || symbol.sort.kind !== 'bits' || meaning?.kind !== 'variable') return [];
    const { type } = meaning.variable;
    if (value === symbol || type.kind !== 'integer' || counters.some((known) => known.symbol === symbol)) return [];
    const amount = amountOf(symbol, value, within);
    if (amount?.low !== 0n || amount.high !== 1n) return [];
    return [{ symbol, signed: type.signed, step: 1n, isConditional: true, start: startOf(symbol, point, system) }];
  });
}

/** Numbers of which a round leaves less. */
export function usedIn({ after }: LoopRound, { vocabulary }: TransitionSystem): readonly Used[] {
  return [...after].flatMap(([symbol, value]): readonly Used[] => {
    const meaning = vocabulary.meaning(symbol);
    if (symbol.kind !== 'symbol' || symbol.sort.kind !== 'bits' || meaning?.kind !== 'variable') return [];
    if (meaning.variable.type.kind !== 'integer') return [];
    if (clearsLastBit(symbol, value)) return [{ left: clearedBits(symbol), support: [] }];
    const { signed } = meaning.variable.type;
    const isSteady = (term: Term): boolean => [...symbolsOf(term)].every((one) => after.get(one) === one);
    const divisor = divisorOf(symbol, value, isSteady);
    return divisor === undefined ? [] : dividedBy(symbol, signed, divisor);
  });
}

/**
 * Undefined where the round does anything else to the number. Powers of two leave out the last bits. An unknown divisor
 * that no round changes is taken to be 2 at least.
 */
function divisorOf(symbol: Term, value: Term, isSteady: (term: Term) => boolean): bigint | Term | undefined {
  // Division by zero is 0 behind its check.
  if (L.isApplication(value, 'ite')) {
    const [, then, otherwise] = value.args as readonly [Term, Term, Term];
    return then.kind === 'bits' && then.value === 0n ? divisorOf(symbol, otherwise, isSteady) : undefined;
  }
  if (L.isApplication(value, 'unsigned-divide') || L.isApplication(value, 'signed-divide')) {
    const [number, by] = value.args as readonly [Term, Term];
    if (number !== symbol) return undefined;
    if (by.kind === 'bits') return by.value >= 2n ? by.value : undefined;
    return isSteady(by) ? by : undefined;
  }
  if (!L.isApplication(value, 'zero-extend') && !L.isApplication(value, 'sign-extend')) return undefined;
  const [first] = value.args;
  if (!first || !L.isApplication(first, 'extract') || first.args[0] !== symbol) return undefined;
  return 1n << BigInt(L.widthOf(symbol) - L.widthOf(first));
}

function dividedBy(symbol: SymbolTerm, signed: boolean, by: bigint | Term): readonly Used[] {
  const width = L.widthOf(symbol);
  const { high } = rangeOf(signed ? 'signed' : 'unsigned', width);
  const divisor = typeof by === 'bigint' ? by : 2n;
  const left: bigint[] = [];
  for (let most = high / divisor; left.at(-1) !== 0n; most /= divisor) left.push(most);
  if (left.length > limits.rounds) return [];
  const two = typeof by === 'bigint' ? undefined : L.bits(2n, L.widthOf(by));
  const support = [
    ...(signed ? [L.sle(L.bits(0n, width), symbol)] : []),
    ...(typeof by === 'bigint' ? [] : [(signed ? L.sle : L.ule)(two!, by)]),
  ];
  return [{ left: left.map((most) => (signed ? L.sle : L.ule)(symbol, L.bits(most, width))), support }];
}

/** `x & (x - 1)`, as in Kernighan's count of bits. */
function clearsLastBit(symbol: Term, value: Term): boolean {
  return value === L.bitAnd(symbol, L.sub(symbol, L.bits(1n, L.widthOf(symbol))));
}

/** After k rounds, the last k bits are 0. */
function clearedBits(symbol: Term): readonly Term[] {
  const width = L.widthOf(symbol);
  return Array.from({ length: width }, (_, i) => L.eq(L.extract(i, 0, symbol), L.bits(0n, i + 1)));
}

/** The number that is left after each number of rounds, and the rounds there are while something is left. */
function boundsOf({ left, support }: Used, counter: Counter): readonly Term[] {
  const counterWidth = L.widthOf(counter.symbol);
  const start = counter.start?.kind === 'bits' ? counter.start.value : 0n;
  const counterAt = (rounds: number): Term =>
    L.bits(BigInt.asUintN(counterWidth, start + counter.step * BigInt(rounds)), counterWidth);
  const atMost = counter.signed ? L.sle : L.ule;
  const inOrder = (a: Term, b: Term): Term => (counter.step > 0n ? atMost(a, b) : atMost(b, a));
  return [
    ...support,
    L.and(...left.map((holds, i) => L.or(inOrder(counter.symbol, counterAt(i)), holds))),
    inOrder(counterAt(0), counter.symbol),
    inOrder(counter.symbol, counterAt(left.length)),
    // Nothing is left then: a loop that tests the number before it comes back does not.
    inOrder(counter.symbol, counterAt(left.length - 1)),
  ];
}
