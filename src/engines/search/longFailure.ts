/**
 * Failures of executions that may be long. An engine that claims one by a formula, or by runs without an observer, has
 * compiled code repeat it first.
 */
import { runCompiled } from '../../evidence/scenarios/longRun';
import { faultOf, type Scenario, type ScenarioRun } from '../../evidence/scenarios/scenario';
import { evenAnswers } from '../../evidence/scenarios/shrink';
import { failsAlike } from '../../semantics/concrete/fault';
import type { Budget } from '../../budget';
import type { Events, FailingExecution } from '../engine';
import type { Problem } from '../problem';

const limits = {
  /** CFA edges of a run that is made smaller, which takes many, and of one that the reference evaluator takes. */
  shrunkSteps: 500_000,
  evaluatedSteps: 20_000_000,
  /** CFA edges of the first run, and by how many times each is longer than the one before, at most. */
  firstSteps: 50_000_000,
  longer: 8,
  /** CFA edges of the longest run, most of them in rounds that are made many at once. */
  longestSteps: 2 ** 62,
  /** Fraction of the time left for one long run, which is done once more if it fails. */
  runShare: 0.35,
  /** CFA edges of all runs in which answers of a long one are made simpler. */
  evenedSteps: 200_000_000,
  /** Steps that take as long as an answer does. */
  answerSteps: 100,
} as const;

/** The scenario as a failure, if it is one. */
export function longFailure(
  scenario: Scenario,
  problem: Problem,
  budget: Budget,
  events: Events,
): FailingExecution | undefined {
  const began = performance.now();
  try {
    const found = runFar(scenario, problem, budget);
    if (!found || !faultOf(found)) return undefined;
    if (found.steps > limits.evaluatedSteps) return { kind: 'long-execution', scenario, compiled: found };
    if (found.steps > limits.shrunkSteps)
      return { kind: 'execution', scenario: even(scenario, found, problem, budget), steps: limits.evaluatedSteps };
    return { kind: 'scenario', scenario };
  } finally {
    events.onTime('execution', (performance.now() - began) / 1000);
  }
}

/** The same failure with more answers that are 0. */
function even(scenario: Scenario, first: ScenarioRun, problem: Problem, budget: Budget): Scenario {
  const target = faultOf(first)!;
  const options = problem.scenarioOptions();
  const mostSteps = 2 * first.steps;
  let best = scenario;
  let left: number = limits.evenedSteps;
  evenAnswers(
    () => best,
    (candidate) => {
      const run = runCompiled(problem.program, candidate, options, mostSteps);
      left -= (run?.steps ?? mostSteps) + limits.answerSteps * first.answers.length;
      const fault = faultOf(run);
      if (!fault || !failsAlike(fault, target) || run!.steps > limits.evaluatedSteps) return false;
      best = candidate;
      return true;
    },
    () => left > 0 && !budget.exhausted,
  );
  return best;
}

/**
 * A run that is as long as time allows: each attempt says how fast this program runs, and the code that it runs on gets
 * better meanwhile.
 */
function runFar(scenario: Scenario, problem: Problem, budget: Budget): ScenarioRun | undefined {
  const options = problem.scenarioOptions();
  const affordableMs = budget.leftMs * limits.runShare;
  for (let steps: number = limits.firstSteps; ;) {
    const beforeMs = budget.leftMs;
    const run = runCompiled(problem.program, scenario, options, steps);
    const spentMs = Math.max(1, beforeMs - budget.leftMs);
    if (run?.outcome.kind !== 'limit' || run.outcome.limit !== 'steps') return run;
    const affordable = Math.min(limits.longestSteps, Math.floor((run.steps / spentMs) * affordableMs));
    if (affordable <= steps * limits.longer) {
      if (affordable <= steps) return undefined;
      steps = affordable;
    } else steps *= limits.longer;
  }
}
