/**
 * The summary at the end of a run: one line per module with its verdict and how well it is tested, modules that were
 * loaded and never verified, and what is being proved while one waits. The verdicts themselves are the tests'; without
 * this reporter nothing turns green.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageVersion } from '../src/cli/version';
import { anew, percent, progressText, verdictWord, writeLastRun, writeLog, type LoggedProof } from '../src/report';
import type { Thresholds } from '../src/report/thresholds';
import { checkReporterOptions } from './module/checkOptions';
import { OutputError, wantedBy } from './reporter/outputFile';
import { reportToGitHub } from './reporter/github';
import { isLive, LiveLine } from './reporter/liveLine';
import { queueVariable } from './queue/throughQueue';
import { failedFiles, partOfRun, type Results, type RunConfig } from './session/partialRun';
import {
  directoryVariable,
  readProgress,
  readRecords,
  reportVariable,
  runsVariable,
  seedVariable,
  writeProbesVariable,
  writeSpecificationsVariable,
  writeTestsVariable,
  type ModuleIdentity,
  type ProgressRecord,
  type RunRecord,
} from './session/records';
import { lastVerdicts } from './reporter/lastVerdicts';
import type { ReportRequest } from './reporter/reportProcess';
import type { OptionToWrite } from './reporter/writeOptions';
import type { ProbeToWrite, TestToWrite } from './reporter/writeTests';

export interface ReporterOptions {
  /** A module that was loaded but not verified fails the run. */
  readonly requireVerified?: boolean;
  /** Puts the test of each bug into the test file that found it; also with `jest -u`, never with `--ci`. */
  readonly writeTests?: boolean;
  /** A line that is drawn over itself while one waits; default: in a terminal. */
  readonly live?: boolean;
  /** Ctrl-C is answered with what is known; default: yes, but in watch mode, where Jest listens to it. */
  readonly interruptible?: boolean;
  /**
   * Writes an HTML report: to this file, or, for `true`, to `.provest/report.html`. Also by PROVEST_HTML in the
   * environment.
   */
  readonly html?: boolean | string;
  /** Percentages of each module's states that tests of all files together must reach; below `break` the run fails. */
  readonly thresholds?: Thresholds;
  /** Writes all verdicts as JSON: to this file, or, for `true`, to `.provest/verdicts.json`. */
  readonly json?: boolean | string;
  /**
   * Writes all verdicts as SARIF 2.1.0, for code scanning: to this file, or, for `true`, to `.provest/provest.sarif`.
   */
  readonly sarif?: boolean | string;
  /**
   * Writes which lines of C the tests executed, for genhtml and the like: to this file, or, for `true`, to
   * `.provest/lcov.info`.
   */
  readonly lcov?: boolean | string;
  /**
   * Writes what `provest merge` puts together: to this file, or, for `true`, to `.provest/run.provest`. With `--shard`
   * always.
   */
  readonly blob?: boolean | string;
  /** Proofs are made by workers at this Redis server: `redis://localhost:6379`. */
  readonly queue?: string;
}
interface GlobalConfig extends RunConfig {
  readonly ci?: boolean;
  readonly verbose?: boolean;
  readonly updateSnapshot?: string;
  readonly silent?: boolean;
  readonly watch?: boolean;
  readonly watchAll?: boolean;
}
type VerdictRecord = Extract<RunRecord, { kind: 'verdict' }>;

/** A line that is drawn over itself, or lines that stay. */
const heartbeatMs = { live: 1000, lines: 30_000 };

export default class ProvestReporter {
  private readonly directory: string;
  private heartbeat: NodeJS.Timeout | undefined;
  private line: LiveLine | undefined;
  private error: Error | undefined;
  /** Last run's records. */
  records: readonly RunRecord[] = [];

  constructor(
    private readonly globalConfig: GlobalConfig = {},
    private readonly options: ReporterOptions = {},
  ) {
    withoutFrames(() => checkReporterOptions(this.options));
    this.directory = mkdtempSync(join(tmpdir(), 'provest-run-'));
    // Workers are started after this and inherit it.
    process.env[directoryVariable] = this.directory;
    if (this.reportFile() !== undefined) process.env[reportVariable] = '1';
    else delete process.env[reportVariable];
    if (this.options.thresholds !== undefined || this.options.lcov || this.blobFile() !== undefined)
      process.env[runsVariable] = '1';
    else delete process.env[runsVariable];
    if (this.options.queue !== undefined) process.env[queueVariable] = this.options.queue;
    // Jest draws a seed when it is given none: that one must change nothing.
    if (seedAsked() && this.globalConfig.seed !== undefined)
      process.env[seedVariable] = String(this.globalConfig.seed >>> 0);
    else delete process.env[seedVariable];
  }

  /** Used by a runner that needs the line before a run begins. */
  drawOn(line: LiveLine): void {
    this.line = line;
  }

  onRunStart(): void {
    // In Vitest's watch mode one reporter sees many runs.
    mkdirSync(this.directory, { recursive: true });
    if (!this.globalConfig.watch && !this.globalConfig.watchAll && this.options.interruptible !== false)
      process.once('SIGINT', this.onInterrupt).once('SIGTERM', this.onInterrupt);
    if (this.globalConfig.silent) return;
    if (this.options.live ?? isLive(process.stderr)) this.line ??= new LiveLine([process.stderr, process.stdout]);
    this.heartbeat = setInterval(() => this.beat(), this.line ? heartbeatMs.live : heartbeatMs.lines);
    this.heartbeat.unref();
  }

  async onRunComplete(_contexts?: unknown, results?: Results): Promise<void> {
    this.stop();
    const records = (this.records = readRecords(this.directory));
    const interrupted = results?.wasInterrupted ? readProgress(this.directory) : [];
    rmSync(this.directory, { recursive: true, force: true });
    const summary = summarise(records, interrupted, failedFiles(results ?? {}));
    const texts = this.globalConfig.verbose ? verdictTexts(records) : [];
    // Jest is verbose by itself with a single test file, which may hold many modules.
    const inFull = texts.length <= 1 || results?.numTotalTestSuites !== 1 || process.argv.includes('--verbose');
    for (const text of inFull ? texts : []) this.say(`\n${text}\n`);
    const seed = process.env[seedVariable];
    if (summary.lines.length > 0)
      this.say(`\n${summary.lines.join('\n')}\n${seed === undefined ? '' : `  seed ${seed}\n`}`);
    if (!inFull) this.say('  --verbose prints what each proof assumes, and its invariants\n');
    for (const line of warningLines(records, this.globalConfig.verbose === true)) this.say(`${line}\n`);
    await this.write(records);
    if (this.options.requireVerified && summary.unverified > 0) {
      this.fail(
        `${summary.unverified} module${summary.unverified === 1 ? ' was' : 's were'} loaded but not verified ` +
          "(provest's option requireVerified)",
      );
    }
    reportToGitHub(records, (text) => this.print(text));
    await this.outputs(records, partOfRun(this.globalConfig, results));
    this.log(records, interrupted);
    await this.report(records, interrupted);
  }

  private stop(): void {
    clearInterval(this.heartbeat);
    this.line?.end();
    process.off('SIGINT', this.onInterrupt).off('SIGTERM', this.onInterrupt);
  }

  /**
   * Ctrl-C ends the run at once, as it does without us, but not before what is known is said. Provers end with the
   * process that asked them.
   */
  private readonly onInterrupt = (): void => {
    this.stop();
    const records = readRecords(this.directory);
    const interrupted = readProgress(this.directory);
    rmSync(this.directory, { recursive: true, force: true });
    const { lines } = summarise(records, interrupted);
    if (lines.length > 0) this.say(`\nprovest: interrupted; what is known so far:\n${lines.slice(1).join('\n')}\n`);
    this.log(records, interrupted);
    this.reportAtOnce(records, interrupted);
    process.exit(130);
  };

  private reportFile(): string | undefined {
    return outputPath(this.options.html ?? wantedBy(process.env.PROVEST_HTML), 'report.html');
  }

  private async outputs(records: readonly RunRecord[], part: string | undefined): Promise<void> {
    const { thresholds, json, lcov, sarif } = this.options;
    const blob = this.blobFile();
    if (blob === undefined && thresholds === undefined && !json && !lcov && !sarif) return;
    const { writeOutputs } = await import('./reporter/runOutputs.js');
    const failures = await writeOutputs(records, {
      part,
      thresholds,
      blob,
      json: outputPath(json, 'verdicts.json'),
      lcov: outputPath(lcov, 'lcov.info'),
      sarif: outputPath(sarif, 'provest.sarif'),
      shard: this.globalConfig.shard,
      print: (text) => this.say(text),
    });
    for (const failure of failures) this.fail(failure);
  }

  private blobFile(): string | undefined {
    const { shard } = this.globalConfig;
    const wanted = this.options.blob ?? wantedBy(process.env.PROVEST_BLOB);
    const name = shard ? `shard-${shard.shardIndex}-of-${shard.shardCount}.provest` : 'run.provest';
    return wanted === undefined && shard ? join('.provest', name) : outputPath(wanted, name);
  }

  private async report(records: readonly RunRecord[], interrupted: readonly ProgressRecord[]): Promise<void> {
    const file = this.reportFile();
    if (file === undefined) return;
    const { writeReport } = await import('./reporter/reportFile.js');
    await this.reportWriteErrors(async () => {
      if (await writeReport(file, records, interrupted)) this.say(`provest: report: ${file}\n`);
    });
  }

  /** Workers that Ctrl-C has ended, too, would be reported meanwhile. */
  private reportAtOnce(records: readonly RunRecord[], interrupted: readonly ProgressRecord[]): void {
    const file = this.reportFile();
    if (file === undefined) return;
    const { status, stdout } = spawnSync(process.execPath, [join(__dirname, 'reporter', 'reportProcess.js')], {
      input: JSON.stringify({ file, records, interrupted } satisfies ReportRequest),
      encoding: 'utf8',
    });
    if (status === 0) this.say(stdout);
    else this.print(`provest: the report was not written: ${file}\n`);
  }

  private async reportWriteErrors(write: () => void | Promise<void>): Promise<void> {
    try {
      await write();
    } catch (error) {
      if (!(error instanceof OutputError)) throw error;
      this.fail(error.message);
    }
  }

  private fail(why: string): void {
    this.error ??= new Error(why);
    this.print(`provest: ${why}\n`); // Jest does not print it
  }

  /** Makes Jest end with 1. */
  getLastError(): Error | undefined {
    return this.error;
  }

  private beat(): void {
    const waiting = readProgress(this.directory).map(progressLine);
    if (!this.line) {
      for (const text of waiting) this.print(`provest: ${text}\n`);
    } else if (waiting.length === 0) this.line.wipe();
    else this.line.show(`${waiting[0]}${waiting.length > 1 ? ` (and ${waiting.length - 1} more)` : ''}`);
  }

  private log(records: readonly RunRecord[], interrupted: readonly ProgressRecord[] = []): void {
    const proofs = records
      .flatMap((r): LoggedProof[] =>
        r.kind === 'verdict' && r.log ? [{ subject: `${r.module} (${r.testFile}:${r.line})`, ...r.log }] : [],
      )
      .sort((a, b) => (a.subject < b.subject ? -1 : 1));
    const cut = interrupted.map((p): LoggedProof => ({
      subject: `${p.module} (${p.testFile}:${p.line})`,
      course: [],
      verdict: `interrupted: ${progressLine(p)}`,
    }));
    writeLog(process.cwd(), [...proofs, ...cut], { version: packageVersion(), time: new Date() });
    const { testFiles, verdicts } = lastVerdicts(records, process.cwd());
    if (testFiles.size > 0) writeLastRun(process.cwd(), packageVersion(), testFiles, verdicts);
  }

  private async write(records: readonly RunRecord[]): Promise<void> {
    if (this.globalConfig.ci) return;
    const wantsTests =
      this.options.writeTests || process.env[writeTestsVariable] === '1' || this.globalConfig.updateSnapshot === 'all';
    const wantsProbes = process.env[writeProbesVariable] === '1';
    const wantsSpecifications = process.env[writeSpecificationsVariable] === '1';
    const of = <T>(make: (r: VerdictRecord & { readonly variable: string }) => readonly T[]): T[] =>
      records.flatMap((r) =>
        r.kind === 'verdict' && r.variable !== undefined ? make({ ...r, variable: r.variable }) : [],
      );
    const tests = !wantsTests
      ? []
      : of<TestToWrite>((r) => (r.tests ?? []).map((test) => ({ file: r.testFile, variable: r.variable, test })));
    const probes = !wantsProbes
      ? []
      : of<ProbeToWrite>((r) =>
          r.probe === undefined ? [] : [{ file: r.testFile, variable: r.variable, probe: r.probe }],
        );
    const specifications = !wantsSpecifications
      ? []
      : of<OptionToWrite>((r) =>
          (r.specifications ?? []).map((code) => ({ file: r.testFile, variable: r.variable, code })),
        );
    // A user who asked by name or key learns that there is nothing.
    if (wantsTests && tests.length === 0 && process.env[writeTestsVariable] === '1')
      this.say('provest: no test written: no bug was found in a module that the test file keeps in a variable\n');
    if (wantsProbes && probes.length === 0)
      this.say('provest: no probe added: none is suggested for a module that the test file keeps in a variable\n');
    if (wantsSpecifications && specifications.length === 0)
      this.say(
        'provest: no specification accepted: none is listed for a module that the test file keeps in a variable\n',
      );
    if (tests.length + probes.length + specifications.length === 0) return;
    const { writeProbes, writeTests } = await import('./reporter/writeTests.js'); // half a second, so only when needed
    const { writeOptions } = await import('./reporter/writeOptions.js');
    await this.reportWriteErrors(() => {
      const lines = [...writeTests(tests), ...writeProbes(probes), ...writeOptions(specifications)];
      for (const line of lines.length > 0
        ? lines
        : ['provest: nothing written: what was found is in the test files already'])
        this.say(`${line}\n`);
    });
  }

  /** Nothing with `--silent`: then only a failure that no test shows is told. */
  private say(text: string): void {
    if (!this.globalConfig.silent) this.print(text);
  }

  /** Not stdout, which belongs to `--json`. */
  private print(text: string): void {
    process.stderr.write(text);
  }
}

function outputPath(wanted: boolean | string | undefined, name: string): string | undefined {
  return wanted === undefined || wanted === false ? undefined : wanted === true ? join('.provest', name) : wanted;
}

/** A mistake in the configuration, which the runner shows with its stack: no line of that is the user's. */
function withoutFrames(check: () => void): void {
  try {
    check();
  } catch (error) {
    if (error instanceof Error) error.stack = `${error.name}: ${error.message}`;
    throw error;
  }
}

const seedAsked = (): boolean => process.argv.some((argument) => /^--seed(=|$)/.test(argument));

/** `interrupted`: what was being proved when the run was ended. `failed`: test files with a failure. */
export function summarise(
  records: readonly RunRecord[],
  interrupted: readonly ProgressRecord[] = [],
  failed: ReadonlySet<string> = new Set(),
): { readonly lines: readonly string[]; readonly unverified: number } {
  const identity = (r: ModuleIdentity) => `${r.module}\0${r.testFile}\0${r.line}`;
  const last = new Map<string, VerdictRecord>();
  const loaded = new Map<string, RunRecord>();
  const notRequested = new Map<string, string>();
  for (const r of records) {
    // A test may expect the refusal.
    if (r.kind === 'refused' && !failed.has(r.testFile)) continue;
    loaded.set(identity(r), r);
    if (r.kind === 'loaded' && r.notRequested !== undefined) notRequested.set(identity(r), r.notRequested);
    if (r.kind === 'verdict') last.set(identity(r), worse(last.get(identity(r)), r));
  }
  if (loaded.size === 0) return { lines: [], unverified: 0 };
  const names = [...loaded.values()].map((r) => r.module);
  const width = Math.max(...names.map((name) => name.length));
  const rows = [...loaded]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, r]) => {
      // One file may be loaded several times. The test file distinguishes the modules.
      const name =
        r.module.padEnd(width) +
        (names.filter((other) => other === r.module).length > 1 ? `  (${r.testFile}:${r.line})` : '');
      const verdict = last.get(key);
      if (r.kind === 'refused' && !verdict) return `  -  ${name}  not evaluated  the C cannot be read: ${r.why}`;
      const cut = interrupted.find((p) => identity(p) === key);
      if (cut)
        return `  -  ${name}  not evaluated  interrupted: ${progressLine({ ...cut, module: '' }).replace(/^: /, '')}`;
      if (verdict) return verdictLine(name, verdict);
      const why = failed.has(r.testFile) ? 'failed without a verdict' : 'asked for no verdict in this run';
      return `  -  ${name}  not evaluated  ${r.testFile} loads it, but ${notRequested.get(key) ?? why}`;
    });
  return {
    lines: ['provest', ...rows],
    unverified: [...loaded].filter(([key, { kind }]) => kind !== 'refused' && !last.has(key)).length,
  };
}

/**
 * Warnings of the front end, once for each module however often it is loaded: all of them, or their number and the
 * first.
 */
export function warningLines(records: readonly RunRecord[], verbose: boolean): readonly string[] {
  const byModule = new Map<string, Set<string>>();
  for (const r of records) {
    if (r.kind !== 'loaded' || !r.warnings) continue;
    const known = byModule.get(r.module) ?? new Set();
    byModule.set(r.module, known);
    for (const warning of r.warnings) known.add(warning);
  }
  const rows = [...byModule].sort(([a], [b]) => (a < b ? -1 : 1));
  if (verbose) return [...new Set(rows.flatMap(([, warnings]) => [...warnings]))].map((warning) => `\n${warning}`);
  return rows.map(
    ([module, [first, ...others]]) =>
      `  ${first!.split('\n')[0]}` +
      `${others.length === 0 ? '' : ` (and ${others.length} more in ${module}; --verbose shows all)`}`,
  );
}

/** The verdicts that passing tests asked for, once each. */
export function verdictTexts(records: readonly RunRecord[]): readonly string[] {
  return [...new Set(records.flatMap((r) => (r.kind === 'verdict' && r.text !== undefined ? [r.text] : [])))].sort();
}

function verdictLine(name: string, r: VerdictRecord): string {
  const mark = { proved: '✓', bug: '✗', conditional: '?', 'potential-error': '?', unknown: '?', 'not-evaluated': '-' }[
    r.verdict
  ];
  const states =
    r.covered !== undefined && r.total !== undefined && r.total > 0
      ? `, tests reach ${r.covered} of ${r.total} abstract states (${percent(r.covered / r.total)})`
      : '';
  return (
    `  ${mark}  ${name}  ${verdictWord[r.verdict]}  ${r.summary.split('\n')[0]}${states}` +
    `${r.reused === undefined ? '' : `, reused ${r.reused} of ${r.cutpoints}${anew(r.provedAnew)}`}, ` +
    `${r.seconds.toFixed(1)} s`
  );
}

/**
 * Asked twice with different options, the less good answer is shown; of equal ones that which this run has proved,
 * since a second question reuses what the first found.
 */
function worse(a: VerdictRecord | undefined, b: VerdictRecord): VerdictRecord {
  const order = ['proved', 'not-evaluated', 'conditional', 'unknown', 'potential-error', 'bug'];
  if (!a) return b;
  const isNew = a.verdict === b.verdict && a.reused === undefined && b.reused !== undefined;
  const [shown, other] = isNew || order.indexOf(a.verdict) > order.indexOf(b.verdict) ? [a, b] : [b, a];
  // Only one of the two may have been about the abstract states.
  return shown.total === undefined && other.covered !== undefined && other.total !== undefined
    ? { ...shown, covered: other.covered, total: other.total }
    : shown;
}

function progressLine({ module, progress, startedAt, budgetMs }: ProgressRecord): string {
  return progressText({ subject: module, progress, elapsedMs: Date.now() - startedAt, budgetMs });
}
