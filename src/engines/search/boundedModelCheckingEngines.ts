/**
 * Two uses of bounded search: all executions of a bounded length, where a failure is expected; and all executions to
 * their ends, where runs ended soon, which proves the program.
 */
import type { StepOrder } from '../../abstraction/transitionSystem/unwinding';
import { type TransitionSystem } from '../../abstraction/transitionSystem/transitionSystem';
import type { Budget } from '../../budget';
import { canBeUnwound } from '../../evidence/certificates/unwindingCertificate';
import { faultOf, runScenario } from '../../evidence/scenarios/scenario';
import { naturalLoops } from '../../program/automata/loops';
import type { Location } from '../../program/program';
import { reachableFunctions } from '../../program/automata/reachableFunctions';
import type { QueryBudget } from '../../solver';
import { elementByElement } from '../../solver/wrappers/elementByElement';
import { arrivalsAt, type Engine, type Events, type Knowledge, type Outcome } from '../engine';
import type { Problem } from '../problem';
import { searchBounded, type BoundedSearchLimits, type BoundedSearchResult } from './boundedModelChecking';

const limits = {
  /** Rounds of a program, and of a module, which has a client beside it. */
  programRounds: 400,
  moduleRounds: 40,
  /** Calls of a module's client. */
  calls: 5,
  /** CFA edges to confirm what is found. */
  replaySteps: 2_000_000,
  /** Visits of a loop head during unwinding: somewhat more than any run had. */
  visits: (arrivals: number): number => Math.max(20, 2 * arrivals + 4),
} as const;

interface Unwinding {
  readonly order: StepOrder;
  readonly rounds: number;
  /** Fraction of time left. */
  readonly share: number;
  /** Fraction of time left for the last query. */
  readonly last: number;
}

/** Near failures come first. */
const breadthFirst: Unwinding = { order: 'breadth', rounds: 400, share: 0.25, last: 0.25 };
/** Executions of different lengths are stepped so that they meet behind the loops they leave. */
const thenInnerFirst: readonly Unwinding[] = [
  { ...breadthFirst, share: 0.12 },
  { order: 'inner-first', rounds: 2000, share: 0.27, last: 0.3 },
];

const systemOf = (problem: Problem, known: Knowledge): TransitionSystem => known.abstraction?.system ?? problem.system;

/** All executions of a bounded length; `budget` is the share for it. */
export const boundedModelChecking: Engine = {
  name: 'bounded-model-checking',
  applies: (_, { tried }) => (tried.has('bounded-model-checking') ? 'it was tried' : undefined),
  async run(problem, known, budget, events) {
    const isProgram = problem.task.mode === 'program';
    const system = systemOf(problem, known);
    const result = await search(problem, system, budget, events, {
      order: 'breadth',
      rounds: isProgram ? limits.programRounds : limits.moduleRounds,
      calls: isProgram ? 1 : limits.calls,
      query: () => budget.query(),
    });
    return outcomeOf(result, problem, system, known);
  },
};

/** All executions to their ends. `unlessObjects`: left to a later stage where a loop makes objects. */
export const unwinding = (when: 'unless-objects' | 'now'): Engine => ({
  name: 'unwinding',
  applies({ task }, known) {
    if (known.tried.has('unwinding')) return 'it was tried';
    if (when === 'unless-objects' && known.samples?.unwindAfter === 'objects')
      return 'what objects have in common comes first';
    if (task.predicates === 'probes' || task.adequacy) return 'abstract states are wanted';
    return undefined;
  },
  async run(problem, known, budget, events) {
    const system = systemOf(problem, known);
    if (!canBeUnwound(system)) return { kind: 'unknown', reason: undefined, learned: known };
    const heads = new Set([...system.functions, ...system.inlined].flatMap((fn) => [...naturalLoops(fn).keys()]));
    const visits = (location: Location): number => {
      if (!heads.has(location)) return Infinity;
      const arrivals = arrivalsAt(known, location);
      return arrivals === undefined ? 0 : limits.visits(arrivals);
    };
    const hasRecursion = system.functions.some((fn) =>
      fn.edges.some(
        ({ command }) =>
          command.kind === 'call' && command.targets.some((target) => reachableFunctions([target]).has(fn)),
      ),
    );
    let result: BoundedSearchResult = { kind: 'open', endedTogether: false };
    for (const { order, rounds, share, last } of hasRecursion ? [breadthFirst] : thenInnerFirst) {
      const left = Math.max(0, budget.leftMs);
      // When all executions have ended, one answer is left.
      const query = (when: 'round' | 'end'): QueryBudget =>
        when === 'end' ? budget.query(left * last) : budget.moderateQuery();
      result = await search(problem, system, budget.share(share), events, { order, rounds, calls: 1, visits, query });
      // If they ended without ever being apart, the other order is the same.
      if (result.kind !== 'open' || result.endedTogether || budget.exhausted) break;
    }
    return outcomeOf(result, problem, system, known);
  },
});

function outcomeOf(
  result: BoundedSearchResult,
  { task }: Problem,
  system: TransitionSystem,
  known: Knowledge,
): Outcome {
  switch (result.kind) {
    case 'found':
      return { kind: 'unsafe', failure: { kind: 'scenario', scenario: result.scenario } };
    case 'ended':
      // Another proof is wanted when abstract states are, or only the probes.
      return task.predicates === 'probes' || task.adequacy
        ? { kind: 'unknown', reason: undefined, learned: known }
        : { kind: 'safe', proof: { kind: 'unwinding', certificate: result.ended, system } };
    case 'open':
      return { kind: 'unknown', reason: undefined, learned: known };
  }
}

/** Failures found count when the reference evaluator agrees. */
async function search(
  problem: Problem,
  system: TransitionSystem,
  budget: Budget,
  events: Events,
  bounds: Pick<BoundedSearchLimits, 'order' | 'rounds' | 'calls' | 'visits' | 'query'>,
): Promise<BoundedSearchResult> {
  const result = await searchBounded(system, elementByElement(problem.solvers.instances), {
    ...bounds,
    query: (when) => {
      const query = bounds.query(when);
      const left = when === 'end' && bounds.visits ? Infinity : budget.leftMs;
      return { ...query, timeoutMs: Math.max(50, Math.min(query.timeoutMs, left)) };
    },
    stop: () => budget.exhausted !== undefined,
  });
  if (result.kind !== 'found') return result;
  const options = { ...problem.scenarioOptions(), stepLimit: limits.replaySteps };
  if (faultOf(runScenario(problem.program, result.scenario, options))) return result;
  events.difficulty('a bounded search found an execution that the evaluator did not confirm');
  return { kind: 'open', endedTogether: false };
}
