/**
 * Formulas at a control point, tried at every arrival of runs: the tests, and the random clients of the sampling. What
 * invariants are guessed from is a few of these states, and the last arrival at a long loop is seldom among them.
 */
import { ConcreteView } from '../../abstraction/transitionSystem/concreteView';
import type { Cutpoint } from '../../abstraction/transitionSystem/cutpoint';
import type { TransitionSystem } from '../../abstraction/transitionSystem/transitionSystem';
import type { Budget } from '../../budget';
import { leavesTheClient } from '../../evidence/scenarios/operations';
import { compile } from '../../logic/compile';
import { NotComputable } from '../../logic/evaluate';
import type { Term } from '../../logic/term';
import type { Machine } from '../../semantics/concrete/machine';
import type { Events } from '../engine';
import type { Problem } from '../problem';
import { fuzz } from './fuzzingEngine';

const limits = {
  /** CFA edges of the random clients. */
  steps: 80_000,
} as const;

/** The formulas that were false in some state. One that cannot be computed counts as refuted. */
export function refutedInRuns(
  problem: Problem,
  system: TransitionSystem,
  point: Cutpoint,
  terms: readonly Term[],
  budget: Budget,
  events: Events,
): ReadonlySet<Term> {
  const { task, program } = problem;
  const refuted = new Set<Term>();
  const left = new Map(terms.map((term) => [term, compile(term)]));
  const observe = (machine: Machine): void => {
    machine.observer = {
      locations: new Set([point.location]),
      visit: (_, activation) => {
        const { globals, memory, activations } = machine;
        const { value } = new ConcreteView(system.vocabulary, { globals, memory, activation, activations });
        for (const [term, holds] of left)
          if (!isTrue(() => holds(value))) {
            refuted.add(term);
            left.delete(term);
          }
      },
    };
  };
  for (const run of task.runs) {
    const instance = problem.instance();
    observe(instance.machine);
    for (const operation of run) {
      if (leavesTheClient(operation, program)) break;
      const outcome = instance.redo(operation);
      if (outcome && outcome.kind !== 'returned') break;
    }
  }
  if (left.size > 0) fuzz(problem, limits.steps, budget, events, { watching: { observe } });
  return refuted;
}

function isTrue(value: () => unknown): boolean {
  try {
    return value() === true;
  } catch (error) {
    if (error instanceof NotComputable) return false;
    throw error;
  }
}
