/** Loops whose rounds are distinguished by a number. */
import { asksOfObjects } from '../../abstraction/candidates/arrays/elementConditions';
import { type Counter, type LoopRound, roundsOf } from '../../abstraction/candidates/rounds/loopRounds';
import type { TransitionSystem } from '../../abstraction/transitionSystem/transitionSystem';
import { symbolsOf } from '../../logic/substitute';
import type { Term } from '../../logic/term';
import type { FunctionDefinition } from '../../program/program';
import { conjuncts } from '../../semantics/symbolic/segment';

export interface NumberedLoop extends LoopRound {
  readonly counter: Counter;
  /** Others that every round moves, too. */
  readonly companions: readonly Counter[];
  /** The conditions under which a round is entered and goes round, but those on lifetimes and sizes of objects. */
  readonly guard: readonly Term[];
}

/** The last loop first; without those of which no number counts the rounds. */
export function numberedLoops(fn: FunctionDefinition, system: TransitionSystem): readonly NumberedLoop[] {
  return roundsOf(fn, system).flatMap((round): NumberedLoop[] => {
    const always = round.counters.filter(({ isConditional }) => !isConditional);
    const counter = always.find(({ step }) => step === 1n || step === -1n) ?? always[0];
    if (!counter) return [];
    const guard = conjuncts(round.end.guard).filter((part) => !asksOfObjects(part, system));
    return [{ ...round, counter, companions: always.filter((one) => one !== counter), guard }];
  });
}

/** That some number of the loop's decides the condition. */
export function mentionsNumbers(condition: Term, { counter, companions }: NumberedLoop): boolean {
  const symbols = symbolsOf(condition);
  return [counter, ...companions].some(({ symbol }) => symbols.has(symbol));
}

/** The parts of a loop's guard that its numbers decide, and the others. */
export function partsOfGuard(loop: NumberedLoop): {
  readonly numbered: readonly Term[];
  readonly others: readonly Term[];
} {
  const numbers = new Set<Term>([loop.counter, ...loop.companions].map(({ symbol }) => symbol));
  const isSteady = (symbol: Term): boolean => numbers.has(symbol) || loop.after.get(symbol) === symbol;
  const isNumbered = (part: Term): boolean => [...symbolsOf(part)].every((one) => isSteady(one) && !isArray(one));
  return { numbered: loop.guard.filter(isNumbered), others: loop.guard.filter((part) => !isNumbered(part)) };
}

const isArray = ({ sort }: Term): boolean => sort.kind === 'array';
