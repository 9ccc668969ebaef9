/**
 * Which functions without a body may call back, and what the verdict says of it. A stub of the tests stands for a
 * function that was seen: it calls back if it did so in a test. Of the others nothing is known, unless the user says
 * that none does.
 */
import { callsBack } from '../../host/operation';
import type { FunctionDefinition, Program } from '../../program/program';
import { type CallBacks, callBackTargets, noCallBacks } from '../../semantics/pointers/callbacks';
import type { Task } from '../../task';

export function callBacksOf(task: Task, program: Program, entries: readonly FunctionDefinition[]): CallBacks {
  const seen = task.runs.some((run) => run.some(callsBack));
  const quiet = (name: string): boolean =>
    !seen && (task.callBacks === false || task.load.externals === 'angelic' || task.stubs?.includes(name) === true);
  const by = new Set(program.externals.map(({ name }) => name).filter((name) => !quiet(name)));
  const { entries: own, others } = callBackTargets(program, task.mode, entries);
  return by.size === 0 || own.length + others.length === 0 ? noCallBacks : { by, entries: own, others };
}

/** One sentence each. */
export function assumedOfCallBacks(task: Task, program: Program, entries: readonly FunctionDefinition[]): string[] {
  const { by, others } = callBacksOf(task, program, entries);
  const list: string[] = [];
  const targets = callBackTargets(program, task.mode, entries);
  if (targets.entries.length + targets.others.length + targets.takingPointers.length === 0) return list;
  const quiet = program.externals.map(({ name }) => name).filter((name) => !by.has(name));
  if (quiet.length > 0) {
    const known = task.mode === 'module' && passObjects(entries);
    list.push(
      `${quiet.join(', ')}: ${quiet.length === 1 ? 'does' : 'do'} not call back while a call is going on` +
        (known ? ', nor change what clients handed over, or got, before' : ''),
    );
  }
  if (by.size === 0) return list;
  if (others.length > 0)
    list.push(
      `functions without a body may call back ${others.map(({ name }) => name).join(', ')}, but only with ` +
        'arguments and at times with which no check there fails',
    );
  const { takingPointers } = targets;
  if (takingPointers.length > 0)
    list.push(
      `functions without a body do not call back ${takingPointers.map(({ name }) => name).join(', ')} (for the ` +
        'pointers passed)',
    );
  return list;
}

/** From clients, or to them. */
const passObjects = (entries: readonly FunctionDefinition[]): boolean =>
  entries.some(
    ({ parameters, result }) =>
      result?.kind === 'pointer' ||
      parameters.some(({ ctype }) => ctype?.kind === 'pointer' && ctype.to.kind !== 'function'),
  );

/** Suggestion for when something cannot be proved with call-backs. */
export function suggestedOfCallBacks({ by }: CallBacks): string | undefined {
  if (by.size === 0) return undefined;
  const names = [...by].join(', ');
  return (
    `${names} may call back: if ${by.size === 1 ? 'it does' : 'they do'} not, say so with --no-call-backs ` +
    '(callBacks: false), or with a stub in the tests'
  );
}
