/**
 * Stages of the random search: a quick one before formulas about the whole program are made, and longer ones between
 * proof attempts. Effort is counted in CFA edges.
 */
import type { Scenario } from '../../evidence/scenarios/scenario';
import { edgeCount } from '../../program/traverse';
import type { Budget } from '../../budget';
import type { Engine, Events, Knowledge } from '../engine';
import { UnterminatedStrings } from '../preconditions/unterminatedStrings';
import type { Problem } from '../problem';
import { testPrefixes } from './testPrefixes';
import { runLong, fuzzProgram, type SearchOptions } from './fuzzing';

const limits = {
  /** All runs of the quick search together. */
  quickSteps: 30_000,
  /** The same for a small program, of which formulas are cheap. */
  quickestSteps: 6_000,
  /** That many times as many, where tests are there to go on from: most failures are near them. */
  nearTests: 4,
  /** CFA edges of a small program. */
  smallProgramEdges: 500,
  /** Calls of one client of a module. */
  calls: 40,
  /** Runs past long loops: time, and share of the whole budget. */
  longRunMs: 1_500,
  longRunShare: 0.1,
} as const;

const callsOf = ({ task }: Problem): number => (task.mode === 'program' ? 1 : limits.calls);

const known = new WeakMap<Problem, readonly Scenario[]>();

function prefixesFor(problem: Problem): readonly Scenario[] {
  let found = known.get(problem);
  if (!found) known.set(problem, (found = testPrefixes(problem)));
  return found;
}

/** Random runs, at most `steps` edges together. */
export function fuzz(
  problem: Problem,
  steps: number,
  budget: Budget,
  events: Events,
  watching: Partial<SearchOptions> = {},
): Scenario | undefined {
  const started = performance.now();
  const found = fuzzProgram(problem.program, {
    ...problem.scenarioOptions(),
    ...watching,
    entries: problem.called,
    seed: problem.task.seed,
    edges: steps,
    prefixes: prefixesFor(problem),
    maximumCalls: callsOf(problem),
    stop: () => budget.exhausted !== undefined,
  });
  events.spent('execution', (performance.now() - started) / 1000);
  return found;
}

/** Long runs, past loops that short ones never leave. */
export function fuzzPastLoops(
  problem: Problem,
  budget: Budget,
  events: Events,
  watching: Partial<SearchOptions>,
): Scenario | undefined {
  const started = performance.now();
  const { task } = problem;
  const found = runLong(problem.program, {
    ...problem.scenarioOptions(),
    ...watching,
    entries: problem.called,
    seed: task.seed,
    maximumCalls: callsOf(problem),
    milliseconds: Math.min(limits.longRunMs, task.budget.milliseconds * limits.longRunShare),
    stop: () => budget.exhausted !== undefined,
  });
  events.spent('execution', (performance.now() - started) / 1000);
  return found;
}

const outcomeOf = (found: Scenario | undefined, known: Knowledge): Awaited<ReturnType<Engine['run']>> =>
  found
    ? { kind: 'unsafe', failure: { kind: 'scenario', scenario: found } }
    : { kind: 'unknown', reason: undefined, learned: known };

/** Before formulas about the whole program are made: most bugs are near. */
export const quickSearch: Engine = {
  name: 'fuzzing:quick',
  applies: () => undefined,
  async run(problem, known, budget, events) {
    const isSmall = problem.task.mode === 'program' && edgeCount(problem.program) < limits.smallProgramEdges;
    const near = prefixesFor(problem).length > 0 ? limits.nearTests : 1;
    const found = fuzz(problem, near * (isSmall ? limits.quickestSteps : limits.quickSteps), budget, events);
    return outcomeOf(found ?? unterminated(problem), known);
  },
};

/** Characters without a 0, which the search does not pass: failures by them would hide others. */
function unterminated(problem: Problem): Scenario | undefined {
  return problem.task.mode === 'module' && !problem.init
    ? new UnterminatedStrings(problem.program, problem.callable, problem.scenarioOptions()).failing()
    : undefined;
}

export const fuzzing = (steps: number): Engine => ({
  name: `fuzzing:${steps}`,
  applies: () => undefined,
  run: async (problem, known, budget, events) =>
    outcomeOf(fuzz(problem, steps, budget, events, known.samples?.watching), known),
});
