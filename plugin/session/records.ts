/**
 * From test files to the reporter: one small file per event, in a folder that the reporter made for this run (nothing
 * in Jest carries data of passing tests). Written under another name and renamed, so that a reader never sees half a
 * file; never `.json`, which Jest's watch mode follows. Without our reporter nothing is written.
 */
import { join } from 'node:path';
import type { Progress } from '../../src/progress';
import type { StateGraph } from '../../src/explanation';
import type { ModuleReport } from '../../src/report/html';
import type { SarifPart, VerdictJson } from '../../src/report';
import type { Task } from '../../src/task';
import type { Verdict } from '../../src/verdict';
import type { CModule } from './cModule';
import type { FilteredTests } from './partialRun';
import { fs, timers } from '../../src/node';
import { Course } from '../../src/report';

export const directoryVariable = 'PROVEST_RUN_DIRECTORY';
/** Set by the reporter when it is going to write an HTML report: proofs then bring along what it shows. */
export const reportVariable = 'PROVEST_WANTS_REPORT';
/** `1`: the reporter writes the tests of bugs, the suggested probes, or the specifications, into the test files. */
export const writeTestsVariable = 'PROVEST_WRITE_TESTS';
export const writeProbesVariable = 'PROVEST_WRITE_PROBES';
export const writeSpecificationsVariable = 'PROVEST_WRITE_SPECIFICATIONS';
/** Set when the reporter wants to know what the tests did. */
export const runsVariable = 'PROVEST_WANTS_RUNS';
/** The seed given to the runner. */
export const seedVariable = 'PROVEST_RUN_SEED';
export const recordSuffix = '.record';
export const progressSuffix = '.progress';

/** Names one `loadC`: the same in every record of it. */
export interface ModuleIdentity {
  readonly module: string;
  readonly testFile: string;
  readonly line: number;
}
export type RunRecord =
  | (ModuleIdentity & {
      readonly kind: 'loaded';
      /** The C files, and the headers they include. */ readonly sources?: readonly string[];
      /**
       * Fingerprints of the sources and the test file: the texts that a verdict is about, for an editor that shows it
       * later.
       */
      readonly fingerprints?: Readonly<Record<string, string>>;
      /** Warnings about accepted C text, each with its lines. */ readonly warnings?: readonly string[];
      /** Why there may be no verdict: tests that ask for one were left out. */ readonly notRequested?: string;
    })
  /** C that could not be read; `why` is the first error. */
  | (ModuleIdentity & { readonly kind: 'refused'; readonly why: string })
  /** At the end of a file; `asked`: a test of it asked for a verdict. */
  | (ModuleIdentity & {
      readonly kind: 'runs';
      readonly task: Task;
      readonly asked: boolean;
      readonly filteredTests?: FilteredTests;
    })
  | (ModuleIdentity & {
      readonly kind: 'verdict';
      readonly verdict: Verdict['kind'];
      /** The verdict, for other programs. */ readonly json?: VerdictJson;
      readonly sarif?: SarifPart;
      readonly summary: string;
      readonly seconds: number;
      readonly obligations: number;
      readonly covered?: number;
      readonly total?: number;
      /** The verdict in full, where no failing test shows it. */ readonly text?: string;
      /** For a bug: the test, and the variable that holds the module. */ readonly tests?: readonly string[];
      readonly variable?: string;
      /** For a potential error: the probes to add to the test file, a line each. */ readonly probe?: string;
      /** Options of `loadC` that accept the specifications which excuse failures. */
      readonly specifications?: readonly string[];
      readonly reused?: number;
      readonly provedAnew?: readonly string[];
      readonly cutpoints?: number;
      /** Failure place, for annotations. */ readonly at?: { readonly file: string; readonly line: number };
      /** For the log of the run: what the proof did when, and the verdict in full. */
      readonly log?: { readonly course: readonly string[]; readonly verdict: string };
      /** For the HTML report, when there is to be one. */ readonly report?: ReportRecord;
    });
export interface ReportRecord {
  readonly module: ModuleReport;
  readonly states: StateGraph | undefined;
}
/** `progress`: absent before the prover's first message. */
export interface ProgressRecord extends ModuleIdentity {
  readonly progress?: Progress;
  readonly startedAt: number;
  readonly budgetMs: number;
  /** The task that is being proved. */ readonly asked: Pick<Task, 'engine' | 'properties' | 'files'>;
}

let count = 0;

export function record(entry: RunRecord): void {
  const directory = process.env[directoryVariable];
  // The folder is gone after an interruption: the reporter has printed what was known.
  if (directory !== undefined && fs.existsSync(directory)) write(directory, `${uniqueName()}${recordSuffix}`, entry);
}

/**
 * Writes the progress of a proof to a file of its own, at most twice a second, and removes it at the end. `ended`: the
 * reporter has ended the run and no longer waits for the proof.
 */
export function progressRecorder(
  module: CModule,
  { engine, properties, files, budget }: Task,
  ended: () => void,
): { update(progress: Progress): void; end(): void; readonly course: readonly string[] } {
  const directory = process.env[directoryVariable];
  if (directory === undefined) return { update: () => {}, end: () => {}, course: [] };
  const name = `${uniqueName()}${progressSuffix}`;
  const startedAt = Date.now();
  const course = new Course(startedAt);
  let last = 0;
  const say = (progress?: Progress): void => {
    const entry: ProgressRecord = {
      ...module.identity,
      ...(progress && { progress }),
      startedAt,
      budgetMs: budget.milliseconds,
      asked: { engine, properties, files },
    };
    write(directory, name, entry);
  };
  say();
  const watch = timers.setInterval(() => {
    if (!fs.existsSync(directory)) ended();
  }, 500);
  watch.unref();
  return {
    course: course.lines,
    update(progress) {
      const now = Date.now();
      course.add(progress, now);
      if (now - last < 500 || !fs.existsSync(directory)) return;
      last = now;
      say(progress);
    },
    end() {
      timers.clearInterval(watch);
      fs.rmSync(join(directory, name), { force: true });
    },
  };
}

export function readRecords(directory: string): RunRecord[] {
  return read<RunRecord>(directory, recordSuffix);
}

export function readProgress(directory: string): ProgressRecord[] {
  return read<ProgressRecord>(directory, progressSuffix);
}

function read<T>(directory: string, suffix: string): T[] {
  if (!fs.existsSync(directory)) return [];
  return fs
    .readdirSync(directory)
    .filter((name) => name.endsWith(suffix))
    .sort()
    .flatMap((name) => {
      try {
        return [JSON.parse(fs.readFileSync(join(directory, name), 'utf8')) as T];
      } catch {
        return []; // removed meanwhile
      }
    });
}

function write(directory: string, name: string, entry: object): void {
  try {
    fs.mkdirSync(directory, { recursive: true });
    const temporary = join(directory, `${name}.tmp`);
    fs.writeFileSync(temporary, JSON.stringify(entry));
    fs.renameSync(temporary, join(directory, name));
  } catch (error) {
    // The summary will lack a line; the verdict does not depend on it.
    process.emitWarning(`provest could not write ${join(directory, name)}: ${String(error)}`);
  }
}

/** Worker threads share a process, so the time is part of the name. */
function uniqueName(): string {
  return `${Date.now().toString(36)}-${process.pid}-${process.hrtime.bigint().toString(36)}-${count++}`;
}
