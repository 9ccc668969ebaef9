/**
 * A number that an inner loop counts on for all rounds of an outer one, as in the bits of several words: `for (w = 0; w
 * < words; w++) for (x = word[w]; x != 0; x &= x - 1) n++`. Each time the inner loop has at most as many rounds as
 * there are until nothing is left of `x` (`dividedNumbers.ts`), so the outer loop's counter times that number bounds
 * what is counted. Read off the program, as candidates.
 */
import * as L from '../../../logic/build';
import type { SymbolTerm, Term } from '../../../logic/term';
import type { FunctionDefinition } from '../../../program/program';
import type { Cutpoint } from '../../transitionSystem/cutpoint';
import type { TransitionSystem } from '../../transitionSystem/transitionSystem';
import { literal, wide } from './accumulators';
import { slowCounters, type Used, usedIn } from './dividedNumbers';
import { type Counter, type LoopRound, roundsThroughCalls } from './loopRounds';

const limits = {
  /** Numbers, counters and outer loops of one inner loop. */
  candidates: 4,
} as const;

/** A loop around another, whose rounds go up in steps of 1. */
export interface OuterLoop {
  readonly point: Cutpoint;
  readonly counter: Pick<Counter, 'symbol' | 'signed'>;
  readonly start: Term;
}

export function nestedCounts(system: TransitionSystem): ReadonlyMap<Cutpoint, readonly Term[]> {
  const found = new Map<Cutpoint, readonly Term[]>();
  const say = (point: Cutpoint, terms: readonly Term[]): void => {
    found.set(point, [...new Set([...(found.get(point) ?? []), ...terms])]);
  };
  for (const fn of system.functions)
    for (const round of roundsThroughCalls(fn, system)) {
      const counts = [...round.counters, ...slowCounters(round, system)].filter(({ step }) => step === 1n);
      if (counts.length === 0) continue;
      const numbers = usedIn(round, system);
      if (numbers.length === 0) continue;
      const all = counts.flatMap((count) =>
        outerLoops(fn, round, count.symbol, system).flatMap((outer) =>
          numbers.map((number) => ({ count, outer, number })),
        ),
      );
      for (const { count, outer, number } of all.slice(0, limits.candidates)) {
        const first = firstValue(count.symbol, outer.point, system);
        if (first?.kind !== 'bits') continue;
        const { inside, between } = boundsOf(count, first, outer, number);
        say(round.point, inside);
        say(outer.point, between);
      }
    }
  return found;
}

/** Loops whose head the inner one leads back to, with what is counted as it is. */
export function outerLoops(
  fn: FunctionDefinition,
  { point: inner, after }: LoopRound,
  count: SymbolTerm,
  system: TransitionSystem,
): readonly OuterLoop[] {
  const ends = system.transitions.flatMap((transition) => (transition.from === inner ? transition.ends : []));
  return ends.flatMap(({ point, state }): readonly OuterLoop[] => {
    if (point === inner || point.kind !== 'loop' || point.location.index > inner.location.index) return [];
    const values = system.vocabulary.binding(fn, state);
    if (values.get(count) !== count) return [];
    return [...values].flatMap(([symbol, value]): readonly OuterLoop[] => {
      const meaning = system.vocabulary.meaning(symbol);
      if (symbol.kind !== 'symbol' || symbol.sort.kind !== 'bits' || meaning?.kind !== 'variable') return [];
      const { type } = meaning.variable;
      const isCounted = value === L.add(symbol, L.bits(1n, symbol.sort.width));
      if (!isCounted || after.get(symbol) !== symbol || type.kind !== 'integer') return [];
      const start = firstValue(symbol, point, system);
      return start?.kind === 'bits' ? [{ point, counter: { symbol, signed: type.signed }, start }] : [];
    });
  });
}

/** The value with which the loop is entered from before it, if it is one. Loops within lie behind its head. */
export function firstValue(
  symbol: SymbolTerm,
  point: Cutpoint,
  { transitions, vocabulary }: TransitionSystem,
): Term | undefined {
  const values = transitions.flatMap(({ from, ends }) =>
    from?.fn === point.fn && from.kind === 'loop' && from.location.index >= point.location.index
      ? []
      : ends.flatMap((end) => (end.point === point ? [vocabulary.valueIn(symbol, point.fn, end.state)!] : [])),
  );
  const [value, ...others] = new Set(values);
  return others.length === 0 ? value : undefined;
}

function boundsOf(
  count: Counter,
  first: Term,
  { counter, start }: OuterLoop,
  { left, support }: Used,
): { readonly inside: readonly Term[]; readonly between: readonly Term[] } {
  const counted = L.sub(wide(count.symbol, count), wide(first, count));
  const rounds = L.sub(wide(counter.symbol, counter), wide(start, counter));
  const before = L.mul(literal(BigInt(left.length)), rounds);
  const isAtMost = (more: number): Term => L.sle(counted, L.add(before, literal(BigInt(more))));
  const common = [L.sle(literal(0n), counted), L.sle(literal(0n), rounds)];
  return {
    inside: [...support, ...common, L.and(...left.map((holds, i) => L.or(isAtMost(i), holds))), isAtMost(left.length)],
    between: [...common, isAtMost(0)],
  };
}
