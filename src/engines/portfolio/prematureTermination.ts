/**
 * Executions that end at an invalid access or a division by zero that is not checked. Later checks then hold vacuously,
 * although a compiled program may go on. A short random search looks for such an execution. Inputs that are pointers
 * are left out: an arbitrary external pointer says nothing about the program. A pointer that the program never set is
 * its own fault.
 */
import type { Budget } from '../../budget';
import { isUninitialised } from '../../evidence/scenarios/scenario';
import type { CheckKind, Property } from '../../program/command';
import type { Fault } from '../../semantics/concrete/fault';
import { fuzzProgram } from '../search/fuzzing';
import type { Problem } from '../problem';

/** Checks at which executions end even where they are no property in force. */
export const terminatingChecks: readonly CheckKind[] = [
  'null-dereference',
  'dereference',
  'array-bounds',
  'read-only',
  'invalid-free',
  'invalid-call',
  'array-length',
  'division-by-zero',
];

const limits = {
  /** CFA edges of all runs together. */
  searchSteps: 100_000,
} as const;

export function undefinedBehaviourBeforeCheck(problem: Problem, budget: Budget): Fault | undefined {
  const { task, program, entries, checkedProperties } = problem;
  const asked = checkedProperties.has('memsafety') && checkedProperties.has('div-by-zero');
  const canEnd = program.functions.some((fn) =>
    fn.edges.some(({ command }) =>
      command.kind === 'check' ? terminatingChecks.includes(command.check) : command.kind === 'external',
    ),
  );
  if (
    asked ||
    !canEnd ||
    task.mode !== 'program' ||
    program.externals.length > 0 ||
    entries.some((fn) => fn.parameters.some(({ type }) => type.kind === 'pointer'))
  )
    return undefined;
  let found: Fault | undefined;
  fuzzProgram(program, {
    ...problem.scenarioOptions(),
    checkedProperties: new Set<Property | CheckKind>([...checkedProperties, ...terminatingChecks]),
    entries,
    seed: task.seed,
    edges: limits.searchSteps,
    maximumCalls: 1,
    stop: () => budget.exhausted !== undefined,
    failed: ({ answers }, fault) => {
      if (
        terminatingChecks.includes(fault.check) &&
        !answers.some((answer) => answer.type.kind === 'pointer' && !isUninitialised(answer))
      )
        found = fault;
      return found === undefined;
    },
  });
  return found;
}
