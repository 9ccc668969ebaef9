/**
 * Runs with short lists. What holds of all lists is seen in lists of up to three nodes (Yorsh, Ball, Sagiv, ISSTA 2006,
 * section 5.4), and random values seldom make such: a loop as `while (nondet())` goes on for all answers but one, and a
 * client that adds a node by one number seldom asks for it by the same. So many answers in a program are 0, and clients
 * of a module pass few numbers.
 */
import type { CType } from '../../c/types';
import { type Argument, asGiven, faultOf, type Scenario, ScenarioRunner } from '../../evidence/scenarios/scenario';
import { randomInput, wrapInteger, zero } from '../../semantics/concrete/concreteValues';
import { Random } from '../../semantics/concrete/random';
import type { Problem } from '../problem';
import type { SearchOptions } from './fuzzing';
import { ScenarioGenerator } from './scenarioGenerator';

const limits = {
  runs: 150,
  /** CFA edges of one run. */
  runSteps: 2_000,
  runsOfModule: 400,
  /** Calls of a client. */
  calls: 12,
  /** Numbers that a client passes: 1 to at most so many. */
  numbers: 3,
} as const;

/** A run that fails, if there is one. */
export function runWithShortLists(
  problem: Problem,
  watching: Partial<SearchOptions>,
  stop: () => boolean,
): Scenario | undefined {
  return problem.task.mode === 'module' ? runClients(problem, watching, stop) : runPrograms(problem, watching, stop);
}

/** Programs from a function without parameters only. */
function runPrograms(problem: Problem, watching: Partial<SearchOptions>, stop: () => boolean): Scenario | undefined {
  const { program, task, entries } = problem;
  const [entry] = entries;
  if (entry?.parameters.length !== 0) return undefined;
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

function runClients(problem: Problem, watching: Partial<SearchOptions>, stop: () => boolean): Scenario | undefined {
  const { program, task, called: entries, init, handles, initialisers } = problem;
  if (entries.length === 0) return undefined;
  const random = new Random(task.seed + 5);
  const generator = new ScenarioGenerator(program, random, task.seed, handles, initialisers);
  const runner = new ScenarioRunner(program, {
    ...problem.scenarioOptions(),
    ...watching,
    stepLimit: limits.runSteps,
    environment: generator.environment,
  });
  const options = { entries, init, maximumCalls: limits.calls };
  for (let round = 0; round < limits.runsOfModule && !stop(); round++) {
    const most = 1 + random.below(limits.numbers);
    let { calls } = generator.scenario(options, undefined);
    for (let more = random.below(3); more > 0; more--)
      ({ calls } = generator.scenario(options, { calls, answers: [] }));
    const scenario: Scenario = {
      calls: calls.map(({ fn, arguments: given }) => ({
        fn,
        arguments: given.map((argument, i): Argument => {
          const { type, ctype } = fn.parameters[i] ?? {};
          const isNumber = argument.kind === 'scalar' && type?.kind === 'integer' && !isBoolean(ctype);
          return isNumber ? { kind: 'scalar', value: wrapInteger(BigInt(1 + random.below(most)), type) } : argument;
        }),
      })),
      answers: [],
    };
    const run = runner.run(scenario);
    if (run && faultOf(run)) return { calls: scenario.calls.slice(0, run.last + 1), answers: run.answers.map(asGiven) };
  }
  return undefined;
}

const isBoolean = (type: CType | undefined): boolean => type?.kind === 'integer' && type.name === 'bool';
