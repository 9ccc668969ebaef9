/**
 * Executions that are too long for the reference evaluator, some ten million edges a second: their middle is executed
 * by compiled code, two hundred times as fast, and rounds that only add are made many at once. Beginning and end are
 * the evaluator's: it has seen each loop that the middle goes round in, and the failure, with all that decides it, is
 * its own. A run counts when both ways to execute the beginning and the end come to the same end after the same number
 * of edges.
 */
import { expressionsOf, walk } from '../../program/traverse';
import type { Program } from '../../program/program';
import { zero } from '../../semantics/concrete/concreteValues';
import { failsAlike } from '../../semantics/concrete/fault';
import { faultOf, type Scenario, type ScenarioOptions, type ScenarioRun, ScenarioRunner } from './scenario';

/** Edges that the evaluator executes, at the beginning and at the end. */
export const evaluatedSteps = { beginning: 1_000_000, end: 1_000_000 } as const;

const limits = {
  /** More answers of the environment are not kept. */
  mostAnswers: 100_000,
} as const;

class TooManyAnswers extends Error {}

/** A run of at most so many edges, compiled as far as possible; undefined where it would be no evidence. */
export function runCompiled(
  program: Program,
  scenario: Scenario,
  options: ScenarioOptions,
  stepLimit: number,
): ScenarioRun | undefined {
  return runLimited(program, scenario, { ...options, stepLimit, leaps: true });
}

/** The failing run once more, as evidence; undefined where it is none. `compiled`: what compiled code came to. */
export function confirmedLongRun(
  program: Program,
  scenario: Scenario,
  options: ScenarioOptions,
  compiled: ScenarioRun,
): ScenarioRun | undefined {
  const { steps } = compiled;
  const compiledBetween = { from: evaluatedSteps.beginning, to: steps - evaluatedSteps.end };
  const error = countingError(steps);
  const run = runLimited(program, scenario, { ...options, stepLimit: steps + error, compiledBetween, leaps: true });
  const [before, after] = [faultOf(compiled), faultOf(run)];
  if (!run || !before || !after || Math.abs(run.steps - steps) > error) return undefined;
  return failsAlike(before, after) && before.message === after.message ? run : undefined;
}

/** Sums of so many edges may differ by this, in whatever parts they are counted. */
const countingError = (steps: number): number => (steps <= Number.MAX_SAFE_INTEGER ? 0 : steps * 2 ** -50);

function runLimited(program: Program, scenario: Scenario, options: ScenarioOptions): ScenarioRun | undefined {
  // The bits of a NaN are what C leaves open, and compiled code does not watch who looks at them.
  if (computesWithFloats(program)) return undefined;
  let count = 0;
  const environment: ScenarioOptions['environment'] = (name, type, args) => {
    if (++count > limits.mostAnswers) throw new TooManyAnswers();
    return options.environment?.(name, type, args) ?? zero(type);
  };
  try {
    return new ScenarioRunner(program, { ...options, environment }).run(scenario);
  } catch (error) {
    if (error instanceof TooManyAnswers) return undefined;
    throw error;
  }
}

function computesWithFloats(program: Program): boolean {
  let found = false;
  for (const fn of program.functions)
    for (const { command } of fn.edges)
      for (const expression of expressionsOf(command))
        walk(expression, (node) => {
          if (node.type.kind === 'float') found = true;
        });
  return found;
}
