/**
 * Formulas at control points, tried at every arrival of runs: the tests, and random clients. What invariants are
 * guessed from is a few of these states, and the last arrival at a long loop is seldom among them.
 */
import { ConcreteView } from '../../abstraction/transitionSystem/concreteView';
import type { Cutpoint } from '../../abstraction/transitionSystem/cutpoint';
import type { TransitionSystem } from '../../abstraction/transitionSystem/transitionSystem';
import type { Budget } from '../../budget';
import { leavesTheClient } from '../../evidence/scenarios/operations';
import { compile } from '../../logic/compile';
import { NotComputable } from '../../logic/evaluate';
import type { Term } from '../../logic/term';
import type { Activation, Machine } from '../../semantics/concrete/machine';
import type { Events } from '../engine';
import type { Problem } from '../problem';
import { fuzz } from './fuzzingEngine';

export interface RefutationOptions {
  /** CFA edges of the random clients. */
  readonly steps: number;
  /** Formulas that are evaluated, all arrivals together. */
  readonly evaluations: number;
  /** One that cannot be computed is not shown to be false; where it is offered to people, it must be seen to hold. */
  readonly uncomputable: 'kept' | 'refuted';
}

/** The formulas that were false in some state. */
export function refutedInRuns(
  problem: Problem,
  system: TransitionSystem,
  formulas: ReadonlyMap<Cutpoint, readonly Term[]>,
  { steps, evaluations, uncomputable }: RefutationOptions,
  budget: Budget,
  events: Events,
): ReadonlyMap<Cutpoint, ReadonlySet<Term>> {
  const { task, program } = problem;
  const refuted = new Map([...formulas.keys()].map((point) => [point, new Set<Term>()]));
  const left = new Map(
    [...formulas].map(([point, terms]) => [point, new Map(terms.map((term) => [term, compile(term)]))]),
  );
  let effort = evaluations;
  const tryAt = (point: Cutpoint, machine: Machine, activation: Activation | undefined): void => {
    const { globals, memory, activations } = machine;
    const { value } = new ConcreteView(system.vocabulary, { globals, memory, activation, activations });
    const ofPoint = left.get(point)!;
    for (const [term, holds] of ofPoint) {
      if (effort-- <= 0) return;
      if (truth(() => holds(value)) ?? uncomputable === 'kept') continue;
      refuted.get(point)!.add(term);
      ofPoint.delete(term);
    }
  };
  const isTried = (point: Cutpoint | undefined): point is Cutpoint =>
    effort > 0 && point !== undefined && (left.get(point)?.size ?? 0) > 0;
  const observe = (machine: Machine): void => {
    machine.observer = {
      locations: new Set(
        [...formulas.keys()].filter((point) => point !== system.client).map(({ location }) => location),
      ),
      visit: (location, activation) => {
        const point = system.at(location);
        if (isTried(point)) tryAt(point, machine, activation);
      },
      skip: (location) => (isTried(system.at(location)) ? 0 : Infinity),
    };
  };
  const between = (machine: Machine): void => {
    if (isTried(system.client)) tryAt(system.client, machine, undefined);
  };
  for (const run of task.runs) {
    const instance = problem.instance();
    observe(instance.machine);
    for (const operation of run) {
      between(instance.machine);
      if (leavesTheClient(operation, program)) break;
      const outcome = instance.redo(operation);
      if (outcome && outcome.kind !== 'returned') break;
    }
  }
  if ([...left.keys()].some(isTried)) fuzz(problem, steps, budget, events, { watching: { observe, between } });
  return refuted;
}

/** Undefined: it cannot be computed. */
function truth(value: () => unknown): boolean | undefined {
  try {
    return value() === true;
  } catch (error) {
    if (error instanceof NotComputable) return undefined;
    throw error;
  }
}
