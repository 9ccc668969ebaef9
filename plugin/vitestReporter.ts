/**
 * `reporters: ['default', 'provest/vitest-reporter']`: the summary, in Vitest. Without it the verdicts are the same.
 */
import { resolve } from 'node:path';
import { isLive, LiveLine } from './reporter/liveLine';
import ProvestReporter, { type ReporterOptions } from './reporter';

/** Members read of Vitest, whose types are not at hand when it is not installed. */
interface Vitest {
  readonly config: {
    readonly watch?: boolean;
    watchTriggerPatterns?: readonly WatchTrigger[] | null;
    readonly silent?: boolean | string;
    readonly shard?: { readonly index: number; readonly count: number };
    readonly testNamePattern?: RegExp;
    readonly changed?: boolean | string;
    readonly related?: readonly string[];
    readonly reporters?: readonly unknown[];
  };
  /** Known when the run begins. */
  readonly filenamePattern?: readonly string[];
  /** `u` in watch mode changes it for a run. */
  readonly snapshot?: { readonly options?: { readonly updateSnapshot?: string } };
}

/** Test files to run again when a file that no JavaScript imports is saved; undefined if no test loads it. */
interface WatchTrigger {
  readonly pattern: RegExp;
  readonly testsToRun: (file: string) => readonly string[] | undefined;
}
interface TestModule {
  readonly moduleId: string;
  readonly ok?: () => boolean;
}

export default class VitestReporter {
  /** Before Vitest's own reporter is told to begin: what that writes must come through here. */
  private line = isLive(process.stdout) ? new LiveLine([process.stdout, process.stderr]) : undefined;
  private reporter: ProvestReporter | undefined;
  /** Sources each test file loaded when it last could. */
  private readonly sources = new Map<string, ReadonlySet<string>>();
  /** Test files that failed before they loaded any C. */
  private lost: readonly string[] = [];

  constructor(private readonly options: ReporterOptions = {}) {}

  onInit(vitest: Vitest): void {
    const { config } = vitest;
    const shown = (config.reporters ?? []).map((reporter) =>
      Array.isArray(reporter) ? (reporter[0] as unknown) : reporter,
    );
    // Others leave the cursor in the middle of a line.
    if (this.options.live === false || !shown.some((name) => name === 'default' || name === 'verbose')) {
      this.line?.end();
      this.line = undefined;
    }
    this.reporter = new ProvestReporter(
      {
        ci: process.env.CI !== undefined && process.env.CI !== '' && process.env.CI !== 'false',
        silent: config.silent === true,
        verbose: shown.includes('verbose'),
        watch: config.watch === true,
        onlyChanged: config.changed !== undefined && config.changed !== false,
        findRelatedTests: (config.related ?? []).length > 0,
        get testNamePattern() {
          return config.testNamePattern?.source ?? '';
        },
        get testPathPattern() {
          return vitest.filenamePattern?.join(' ') ?? '';
        },
        ...(config.shard && { shard: { shardIndex: config.shard.index, shardCount: config.shard.count } }),
        get updateSnapshot() {
          return vitest.snapshot?.options?.updateSnapshot;
        },
      },
      { live: false, ...this.options },
    );
    if (this.line) this.reporter.drawOn(this.line);
    if (config.watch)
      config.watchTriggerPatterns = [
        ...(config.watchTriggerPatterns ?? []),
        { pattern: /./, testsToRun: (file) => this.testsThatLoad(resolve(file)) },
      ];
  }

  private testsThatLoad(file: string): readonly string[] | undefined {
    const tests = [...this.sources].filter(([, sources]) => sources.has(file)).map(([test]) => test);
    if (/\.[ch]$/.test(file)) tests.push(...this.lost);
    return tests.length === 0 ? undefined : tests;
  }

  private remember(failing: readonly string[]): void {
    const loaded = new Map<string, Set<string>>();
    for (const record of this.reporter?.records ?? []) {
      if (record.kind !== 'loaded') continue;
      const test = resolve(record.testFile);
      loaded.set(test, new Set([...(loaded.get(test) ?? []), ...(record.sources ?? [])]));
    }
    for (const [test, sources] of loaded) this.sources.set(test, sources);
    this.lost = failing.filter((test) => !this.sources.has(test));
  }

  onTestRunStart(): void {
    this.reporter?.onRunStart();
  }

  async onTestRunEnd(modules: readonly TestModule[] = [], _errors?: unknown, reason?: string): Promise<void> {
    const failing = modules.filter((module) => module.ok?.() === false).map(({ moduleId }) => resolve(moduleId));
    await this.reporter?.onRunComplete(undefined, {
      wasInterrupted: reason === 'interrupted',
      testResults: failing.map((testFilePath) => ({ testFilePath, numFailingTests: 1 })),
    });
    this.remember(failing);
    if (this.reporter?.getLastError()) process.exitCode = 1;
  }
}
