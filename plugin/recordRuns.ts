/** At the end of a test file: what its tests did to each module, for measures over all files and for lcov. */
import { record, runsVariable, directoryVariable } from './records';
import { session } from './session';

export function recordRuns(): void {
  if (process.env[directoryVariable] === undefined || process.env[runsVariable] === undefined) return;
  const { leftOut, modules } = session();
  for (const module of modules) {
    const { runs, ...task } = module.task(module.asked ?? {}, true);
    record({ kind: 'runs', ...module.identity, task: { ...task, runs }, asked: module.asked !== undefined, ...(leftOut && { leftOut }) });
  }
}
