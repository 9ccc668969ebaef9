/**
 * Passing tests show what is possible: an angelic assertion, and an exact one. A precondition that a call of a test
 * does not keep is none.
 */
import { leavesTheClient } from '../../evidence/scenarios/operations';
import type { Problem } from '../problem';

/**
 * True if all calls of the function by tests keep the preconditions that `constrained` states of it. Calls from the
 * module itself need not.
 */
export function isKeptByTests(problem: Problem, constrained: Problem, name: string): boolean {
  const fn = problem.program.functionByName.get(name)!;
  const { permits } = constrained.scenarioOptions();
  for (const run of problem.task.runs) {
    if (!run.some((operation) => operation.kind === 'call' && operation.function === name)) continue;
    const instance = problem.instance();
    const { machine } = instance;
    let isKept = true;
    machine.observer = {
      locations: new Set([fn.entry]),
      visit: (_, { locals }) => {
        if (machine.activations.length === 1)
          isKept &&= permits(
            fn,
            fn.parameters.map(({ slot }) => locals[slot] ?? 0),
            machine,
          );
      },
    };
    for (const operation of run) {
      if (leavesTheClient(operation, problem.program) !== undefined) break;
      const outcome = instance.redo(operation);
      // Failing tests do not count.
      if (outcome && outcome.kind !== 'returned') break;
      if (!isKept) return false;
    }
  }
  return true;
}

/**
 * True if every answer that a stub or a test gave keeps the guarantees of `constrained`: no call that returned ends
 * there before it does.
 */
export function isKeptByAnswers(problem: Problem, constrained: Problem): boolean {
  for (const run of problem.task.runs) {
    const instance = problem.instance();
    const kept = constrained.instance();
    for (const operation of run) {
      if (leavesTheClient(operation, problem.program) !== undefined) break;
      const outcome = instance.redo(operation);
      if (outcome && outcome.kind !== 'returned') break;
      const under = kept.redo(operation);
      if (under && under.kind !== 'returned') return false;
    }
  }
  return true;
}
