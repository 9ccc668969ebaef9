/**
 * Runs in which loops over inputs end soon: many answers of the environment are 0. What holds of all lists is seen in
 * lists of up to three nodes (Yorsh, Ball, Sagiv, ISSTA 2006, section 5.4), and random answers seldom make such, since
 * a loop as `while (nondet())` goes on for all of them but one.
 */
import { asGiven, faultOf, type Scenario, ScenarioRunner } from '../../evidence/scenarios/scenario';
import { randomInput, zero } from '../../semantics/concrete/concreteValues';
import { Random } from '../../semantics/concrete/random';
import type { Problem } from '../problem';
import type { SearchOptions } from './fuzzing';

const limits = {
  runs: 150,
  /** CFA edges of one run. */
  runSteps: 2_000,
} as const;

/** Programs from a function without parameters only. A run that fails, if there is one. */
export function runWithShortLists(
  problem: Problem,
  watching: Partial<SearchOptions>,
  stop: () => boolean,
): Scenario | undefined {
  const { program, task, entries } = problem;
  const [entry] = entries;
  if (task.mode !== 'program' || entry?.parameters.length !== 0) return undefined;
  const random = new Random(task.seed + 3);
  let round = 0;
  const runner = new ScenarioRunner(program, {
    ...problem.scenarioOptions(),
    ...watching,
    stepLimit: limits.runSteps,
    environment: (_, type) =>
      random.below(4) <= round % 2 ? zero(type) : randomInput(type, random, program.dataModel),
  });
  const scenario: Scenario = { calls: [{ fn: entry, arguments: [] }], answers: [] };
  for (; round < limits.runs && !stop(); round++) {
    const run = runner.run(scenario);
    if (run && faultOf(run)) return { ...scenario, answers: run.answers.map(asGiven) };
  }
  return undefined;
}
