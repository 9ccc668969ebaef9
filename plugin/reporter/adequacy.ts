/**
 * Adequacy of all test files together for each module: the states of all their runs against the abstract states of one
 * proof. Files that load a module in different ways test different modules. The proof is the one that the files
 * themselves made, checked again.
 */
import { prove } from '../../src/prover';
import type { Probe, Task } from '../../src/task';
import type { Adequacy, Verdict } from '../../src/verdict';
import type { RunRecord } from '../session/records';
import { inOneOrder } from '../session/runOrder';

type RunsRecord = Extract<RunRecord, { kind: 'runs' }>;

export interface Measured {
  readonly module: string;
  readonly testFiles: readonly string[];
  readonly verdict: Verdict['kind'];
  /** Undefined: the abstract states are not known, `why`. */
  readonly adequacy: Adequacy | undefined;
  readonly why: string;
}

/** Modules that a verdict was asked for, by anyone. `memory`: folder of what was proved. */
export async function measure(records: readonly RunRecord[], memory: string | undefined): Promise<Measured[]> {
  const found: Measured[] = [];
  for (const group of groups(records)) {
    const task = together(group);
    if (!task) continue;
    const verdict = task.runs.length === 0 ? undefined : await prove(task, { memory });
    const known = verdict?.adequacy && verdict.adequacy.total > 0 ? verdict.adequacy : undefined;
    found.push({
      module: group[0]!.module,
      testFiles: [...new Set(group.map(({ testFile }) => testFile))].sort(),
      verdict: verdict?.kind ?? 'not-evaluated',
      adequacy: known,
      why: !verdict
        ? 'no test called it'
        : 'reason' in verdict
          ? verdict.reason.message
          : verdict.kind === 'bug'
            ? `a bug was found: ${verdict.counterexample.failure.message}`
            : (verdict.remarks.at(-1) ?? 'its proof has no abstract states'),
    });
  }
  return found;
}

function groups(records: readonly RunRecord[]): readonly RunsRecord[][] {
  const byKey = new Map<string, RunsRecord[]>();
  const runs = records.filter((record): record is RunsRecord => record.kind === 'runs');
  const order = (r: RunsRecord): string => `${r.module}\0${r.testFile}\0${String(r.line).padStart(8, '0')}`;
  for (const record of [...runs].sort((a, b) => (order(a) < order(b) ? -1 : 1))) {
    const { files, load, mode, entries, init, initialisedBy, validPointers, requires, stubs, hostEnvironment } =
      record.task;
    const key = JSON.stringify([
      files,
      load,
      mode,
      entries,
      init,
      initialisedBy,
      validPointers,
      requires?.map(({ said: _said, ...requirement }) => requirement),
      stubs,
      hostEnvironment,
    ]);
    byKey.set(key, [...(byKey.get(key) ?? []), record]);
  }
  return [...byKey.values()];
}

/** The question of the first that asked, about the tests and probes of all. */
function together(group: readonly RunsRecord[]): Task | undefined {
  const first = group.find(({ asked }) => asked);
  if (!first) return undefined;
  const probes = new Map<string, Probe>(
    group.flatMap(({ task }) => task.probes.map((probe) => [`${probe.name}\0${probe.function ?? ''}`, probe] as const)),
  );
  const runs = new Map(group.flatMap(({ task }) => task.runs.map((run) => [JSON.stringify(run), run] as const)));
  return { ...first.task, probes: [...probes.values()], runs: inOneOrder([...runs.values()]), adequacy: true };
}
