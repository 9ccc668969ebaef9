/**
 * Records of a test file for the reporter besides verdicts. At the end: what its tests did to each module, for measures
 * over all files and for lcov.
 */
import { record, runsVariable, directoryVariable } from './records';
import { session } from './session';

export function recordRuns(): void {
  if (process.env[directoryVariable] === undefined || process.env[runsVariable] === undefined) return;
  const { filteredTests, modules } = session();
  for (const module of modules) {
    const { runs, ...task } = module.task(module.asked ?? {}, { adequacy: true });
    record({
      kind: 'runs',
      ...module.identity,
      task: { ...task, runs },
      asked: module.asked !== undefined,
      ...(filteredTests && { filteredTests }),
    });
  }
}

/** At the beginning, for modules that are loaded already. */
export function recordNotRequested(why: string | undefined): void {
  session().notRequested = why;
  if (why !== undefined)
    for (const module of session().modules) record({ kind: 'loaded', ...module.identity, ...notRequested() });
}

export function notRequested(): { readonly notRequested?: string } {
  const { notRequested: why } = session();
  return why === undefined ? {} : { notRequested: why };
}
