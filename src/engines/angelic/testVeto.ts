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
