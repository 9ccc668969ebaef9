/**
 * A test that ends in a failing check, while it keeps to what a client may do, shows a bug by itself.
 */
import { leavesTheClient, TestSteps } from '../../evidence/scenarios/operations';
import { breaksPrecondition } from '../../evidence/scenarios/scenario';
import type { Operation } from '../../host/operation';
import { isChecked } from '../../program/command';
import type { Fault } from '../../semantics/concrete/fault';
import type { ClientStep } from '../../verdict';
import type { Engine } from '../engine';
import type { Problem } from '../problem';

export const replayTests: Engine = {
  name: 'tests',
  applies: ({ task }) => (task.runs.length === 0 ? 'there are no tests' : undefined),
  async run(problem, known, _budget, events) {
    const started = performance.now();
    const run = problem.task.runs.find((one) => failingTest(problem, one) !== undefined);
    events.onTime('execution', (performance.now() - started) / 1000);
    return run
      ? { kind: 'unsafe', failure: { kind: 'test', run } }
      : { kind: 'unknown', reason: undefined, learned: known };
  },
};

/** The failure of a test's run as a client's steps; undefined when it does not fail, or leaves what clients may do. */
export function failingTest(
  problem: Problem,
  run: readonly Operation[],
): { readonly fault: Fault; readonly steps: readonly ClientStep[] } | undefined {
  const { program, init, entries, checkedProperties } = problem;
  const options = problem.scenarioOptions();
  const instance = problem.instance();
  const told = new TestSteps(program);
  for (const operation of run) {
    if (leavesTheClient(operation, program)) return undefined;
    if (operation.kind === 'call') {
      const fn = program.functionByName.get(operation.function);
      if (init && told.steps.every(({ kind }) => kind !== 'call') && fn !== init) return undefined;
      const args = fn && entries.includes(fn) ? instance.argumentsOf(operation) : undefined;
      if (fn && args && !options.permits(fn, args, instance.machine)) return undefined;
    }
    told.add(operation);
    const outcome = instance.redo(operation);
    if (operation.kind === 'call' && outcome?.kind === 'returned' && outcome.value !== undefined)
      told.result(instance.resultOf(operation, outcome.value));
    if (
      outcome?.kind === 'fault' &&
      !breaksPrecondition(outcome.fault) &&
      isChecked(outcome.fault.command, checkedProperties)
    )
      return failsAsTested(problem, run) ? { fault: outcome.fault, steps: told.steps } : undefined;
    if (outcome && outcome.kind !== 'returned') return undefined;
  }
  return undefined;
}

/** Law: a test that passes is no failing one, whatever the program that is verified makes of the numbers in its log. */
function failsAsTested(problem: Problem, run: readonly Operation[]): boolean {
  const { tested, program } = problem;
  if (tested === program) return true;
  const instance = problem.instance(tested);
  return run.some((operation) => instance.redo(operation)?.kind === 'fault');
}
