/**
 * What the reporter hears of a test file besides verdicts. At the end: what its tests did to each module, for measures
 * over all files and for lcov.
 */
import { record, runsVariable, directoryVariable } from './records';
import { session } from './session';

export function recordRuns(): void {
  if (process.env[directoryVariable] === undefined || process.env[runsVariable] === undefined) return;
  const { leftOut, modules } = session();
  for (const module of modules) {
    const { runs, ...task } = module.task(module.asked ?? {}, true);
    record({
      kind: 'runs',
      ...module.identity,
      task: { ...task, runs },
      asked: module.asked !== undefined,
      ...(leftOut && { leftOut }),
    });
  }
}

/** At the beginning, for modules that are loaded already. */
export function recordUnasked(why: string | undefined): void {
  session().unasked = why;
  if (why !== undefined)
    for (const module of session().modules) record({ kind: 'loaded', ...module.identity, ...unasked() });
}

export function unasked(): { readonly unasked?: string } {
  const { unasked: why } = session();
  return why === undefined ? {} : { unasked: why };
}
