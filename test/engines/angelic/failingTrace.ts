/** A failing execution that a test writes down, without a search for it. */
import type { Task } from '../../../src/task';
import { TransitionSystem } from '../../../src/abstraction/transitionSystem/transitionSystem';
import { printType } from '../../../src/c/printType';
import type { CType } from '../../../src/c/types';
import { Budget } from '../../../src/budget';
import type { ExplainedTrace } from '../../../src/engines/angelic/explainError/explainError';
import { Problem } from '../../../src/engines/problem';
import { type Argument, faultOf, runScenario, type Scenario } from '../../../src/evidence/scenarios/scenario';
import type { Operation } from '../../../src/host/operation';
import type { Plain } from '../../../src/verdict';
import { file, task } from '../task';

const budget = Budget.start({ milliseconds: 600_000 });
const byte: CType = { kind: 'integer', name: 'char', widthBits: 8, signed: true };
const int: CType = { kind: 'integer', name: 'int', widthBits: 32, signed: true };
const array = (of: CType, contents: readonly number[]): Argument => ({
  kind: 'object',
  type: { kind: 'array', of, length: contents.length },
  contents: [...contents],
});

export interface Objects {
  readonly object: (record: string, contents: Plain) => Argument;
  readonly characters: (contents: readonly number[]) => Argument;
  readonly numbers: (contents: readonly number[]) => Argument;
  /** An argument of an earlier call, or, with argument -1, its result. */
  readonly earlier: (call: number, argument: number) => Argument;
}
export interface Environment {
  readonly solver?: 'answers' | 'has no time';
  readonly answers?: Scenario['answers'];
  readonly angelic?: true;
  readonly runs?: readonly (readonly Operation[])[];
  readonly requires?: Task['requires'];
}
export type Calls = (objects: Objects) => readonly (readonly [string, ...(number | Argument)[]])[];

/** The last of the calls fails. */
export async function withTrace<Found>(
  text: string,
  calls: Calls,
  ask: (trace: ExplainedTrace) => Found | Promise<Found>,
  { solver = 'answers', answers = [], ...options }: Environment = {},
): Promise<Found> {
  const problem = Problem.examine(task(file(text), { load: { externals: 'any' }, ...options }), budget, {});
  const { program } = problem;
  const recordOf = (name: string): CType => {
    const found = program.functions
      .flatMap(({ parameters }) => parameters.map(({ ctype }) => (ctype?.kind === 'pointer' ? ctype.to : undefined)))
      .find((type) => type && printType(type).replace('const ', '') === `struct ${name}`);
    if (!found) throw new Error(`no parameter points to a struct ${name}`);
    return found;
  };
  const made = calls({
    object: (record, contents) => ({ kind: 'object', type: recordOf(record), contents }),
    characters: (contents) => array(byte, contents),
    numbers: (contents) => array(int, contents),
    earlier: (call, argument) => ({ kind: 'earlier', call, argument }),
  });
  const scenario = {
    calls: made.map(([name, ...given]) => ({
      fn: program.functionByName.get(name)!,
      arguments: given.map((one): Argument => (typeof one === 'number' ? { kind: 'scalar', value: one } : one)),
    })),
    answers,
  };
  const run = runScenario(program, scenario, problem.scenarioOptions());
  const fault = faultOf(run);
  if (!run || !fault || run.last !== scenario.calls.length - 1) throw new Error('the last call does not fail');
  const found = await ask({
    problem,
    scenario,
    fault,
    system: () => new TransitionSystem(program, problem.systemOptions()),
    bounds: true,
    taken: () => [],
    solver: problem.solvers.instances,
    query: () => (solver === 'answers' ? budget.query(20_000) : undefined),
  });
  await problem.solvers.close();
  return found;
}
