/**
 * Interface of the command to the rest of the package. `main.ts` supplies the real thing, tests a small one of their
 * own.
 */
import type { CoveringTest } from '../engines/portfolio/verify';
import type { ProgramInterface } from '../program';
import type { Program } from '../program/program';
import type { Progress } from '../progress';
import type { SlicedFile, SliceRequest } from '../reductions/slice/sliceFile';
import type { Thresholds } from '../report/thresholds';
import type { LoadOptions, Task } from '../task';
import type { Verdict } from '../verdict';

export interface MergeRequest {
  readonly thresholds: Thresholds | undefined;
  readonly json: string | undefined;
  readonly lcov: string | undefined;
  readonly html: string | undefined;
  readonly sarif: string | undefined;
  readonly base: string;
  readonly print: (text: string) => void;
}

export interface QueuedProofs {
  readonly verify: Backend['verify'];
  /** Says that no worker of this version is there; undefined if one is. */
  absence(): Promise<string | undefined>;
  close(): Promise<void>;
}

export interface Backend {
  readonly version: string;
  /** Names that `--engine` accepts; the first is the default. */
  readonly engines: readonly string[];
  /** Throws `CError` when the C text cannot be accepted. */
  loadProgram(files: readonly string[], options: LoadOptions): Program;
  /** Its interface alone, in about half of the time: errors in bodies of functions stay untold. */
  loadInterface(files: readonly string[], options: LoadOptions): ProgramInterface;
  /** Names of functions that a header declares. Throws `CError` when it cannot be read by itself. */
  declaredFunctions(header: string, options: LoadOptions): readonly string[];
  /**
   * `memory`: folder of what earlier runs left; undefined: none. `alone`: the engine of the task alone, without a rival
   * beside it.
   */
  verify(
    task: Task,
    options: {
      readonly progress: (progress: Progress) => void;
      readonly signal: AbortSignal;
      readonly memory: string | undefined;
      readonly alone?: boolean;
      readonly trace?: (line: string) => void;
    },
  ): Promise<Verdict>;
  /** Proofs by workers at a queue; throws `InputError` where there is none. */
  queue(url: string, from: string): Promise<QueuedProofs>;
  /** Proves what comes to a queue until told to end. */
  work(options: {
    readonly url: string;
    readonly from: string;
    readonly jobs: number;
    readonly print: (text: string) => void;
    readonly signal: AbortSignal;
  }): Promise<void>;
  /** Clients that reach abstract states. */
  cover(task: Task): Promise<readonly CoveringTest[]>;
  /** The slice for the checks at a place; without a check there: the lines that have some. */
  slice(request: SliceRequest): Promise<SlicedFile | { readonly linesWithChecks: readonly number[] }>;
  /** The text of a test file with the tests in it, and how many it did not have. */
  withTests(
    text: string,
    tests: readonly { readonly file: string; readonly variable: string; readonly test: string }[],
    path: string,
  ): Promise<{ readonly text: string; readonly added: number }>;
  /** Runs of the test runner as one; throws `InputError` for files that are none. */
  merge(files: readonly string[], options: MergeRequest): Promise<'proved' | 'bug' | 'undecided'>;
  /**
   * Logs of a run's tests on the module of these files, and their probes; throws `InputError` for a file that is no
   * run.
   */
  testsOf(run: string, files: readonly string[], base: string): Promise<Pick<Task, 'runs' | 'probes'>>;
  /** The language server, until its client goes. */
  serveEditor(): Promise<void>;
  /** The text of a `.d.ts` file. */
  declarations(program: Program): Promise<string>;
}
