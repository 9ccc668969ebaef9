/** Logs of the tests of a run (a blob) on one module, for `provest cover`. */
import type { Probe, Task } from '../../src/task';
import { mergedRecords } from './mergeRuns';

/** Throws `BlobError`. */
export function testsOf(run: string, files: readonly string[], base: string): Pick<Task, 'runs' | 'probes'> {
  const tasks = mergedRecords([run], base).flatMap((record) =>
    record.kind === 'runs' && JSON.stringify(record.task.files) === JSON.stringify(files) ? [record.task] : [],
  );
  const probes = new Map<string, Probe>(
    tasks.flatMap((task) => task.probes.map((probe) => [`${probe.name}\0${probe.function ?? ''}`, probe] as const)),
  );
  return { runs: tasks.flatMap((task) => task.runs), probes: [...probes.values()] };
}
