/** Who is asked about each program: provest as it is installed, and CBMC with growing unwindings. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { failingLine, type Answer } from '../../test/conformance/judge';
import type { ConformanceProgram } from '../../test/conformance/programs';
import { runCbmc } from './cbmc';
import type { SuiteProgram } from './suites';

export interface Timed {
  readonly answer: Answer;
  readonly seconds: number;
  /** The tool failed, in its words. */ readonly crash?: string;
}
export interface Contestant {
  readonly name: string;
  ask(program: Subject): Promise<Timed>;
}
export type Subject = ConformanceProgram &
  Partial<Pick<SuiteProgram, 'files' | 'include' | 'define' | 'mallocMayFail' | 'old'>>;

export function provest(
  budgetSeconds: number,
  engine: string | undefined,
  main: string = join(__dirname, '..', '..', 'dist', 'src', 'cli', 'main.js'),
  flags: readonly string[] = [],
): Contestant {
  return {
    name: 'provest',
    ask: (program) =>
      new Promise((done) => {
        const began = performance.now();
        const option = (name: string, value: string | undefined): string[] =>
          value === undefined ? [] : [name, value];
        execFile(
          process.execPath,
          [
            main,
            'verify',
            ...(program.files ?? [program.path]),
            '--json',
            '--property',
            program.properties.join(','),
            '--budget',
            `${budgetSeconds}s`,
            '--data-model',
            program.dataModel,
            ...option('--entry', program.entry),
            ...(program.mode === 'module' ? ['--externals', 'any'] : []),
            ...option('--init', program.init),
            ...option('--engine', engine),
            ...(program.mallocMayFail ? ['--malloc-may-fail'] : []),
            ...(program.old ? ['--std', 'gnu89'] : []),
            '--no-cache',
            ...flags,
            ...(program.include ?? []).flatMap((folder) => ['-I', folder]),
            ...(program.define ?? []).flatMap((definition) => ['-D', definition]),
          ],
          { timeout: (2 * budgetSeconds + 20) * 1000, killSignal: 'SIGKILL', maxBuffer: 1 << 28 },
          (error, stdout, stderr) => {
            const seconds = (performance.now() - began) / 1000;
            const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 9;
            const read = parse(stdout);
            if (code > 2 || read === undefined)
              done({
                answer: { kind: 'unknown', cause: code === 3 ? 'refused' : code === 9 ? 'killed' : 'crash' },
                seconds,
                crash: `exit code ${code}: ${failure(stdout, stderr)}`,
              });
            else done({ answer: read, seconds });
          },
        );
      }),
  };
}

interface Output {
  readonly verdict: Answer['kind'] | 'error';
  readonly reason: { readonly cause: string } | null;
  readonly counterexample: { readonly stack: readonly { readonly file: string; readonly line: number }[] } | null;
  readonly diagnostics?: readonly { readonly message: string }[];
}

function parse(stdout: string): Answer | undefined {
  const output = lastLine(stdout);
  if (output === undefined || output.verdict === 'error') return undefined;
  const line = output.counterexample ? failingLine(output.counterexample.stack) : undefined;
  return {
    kind: output.verdict,
    ...(line !== undefined && { line }),
    ...(output.reason && { cause: output.reason.cause }),
  };
}

function lastLine(stdout: string): Output | undefined {
  try {
    return JSON.parse(stdout.trimEnd().split('\n').at(-1)!) as Output;
  } catch {
    return undefined;
  }
}

function failure(stdout: string, stderr: string): string {
  const said = lastLine(stdout)
    ?.diagnostics?.map(({ message }) => message)
    .join('; ');
  return (said || stderr.trim() || stdout.trim()).slice(0, 300);
}

/**
 * Once the unwinding suffices or a failure is found, CBMC's answer is taken. It has no check for uninitialised values.
 */
export function cbmc(bin: string, budgetSeconds: number): Contestant {
  return {
    name: 'CBMC',
    ask: async (program) => {
      let seconds = 0;
      if (program.properties.includes('uninitialised'))
        return { answer: { kind: 'unknown', cause: 'not checked' }, seconds };
      for (const unwind of [2, 12, 60, 1010]) {
        const left = budgetSeconds - seconds;
        if (left <= 0) break;
        const result = await runCbmc(program, { bin, unwind, timeoutMs: left * 1000, calls: Math.min(unwind, 6) });
        seconds += result.seconds;
        if (result.kind === 'none') {
          if (result.why !== 'timeout')
            return { answer: { kind: 'unknown', cause: 'crash' }, seconds, crash: result.why };
          break;
        }
        const failing = result.failing.filter(({ property }) => program.properties.includes(property));
        if (failing.length > 0) {
          const expected = program.expect.kind === 'bug' ? program.expect.line : undefined;
          return {
            answer: { kind: 'bug', line: failing.find(({ line }) => line === expected)?.line ?? failing[0]!.line },
            seconds,
          };
        }
        // The client of a module makes a bounded number of calls, so nothing is proved of it.
        if (result.complete)
          return {
            answer: program.mode === 'module' ? { kind: 'unknown', cause: 'bounded' } : { kind: 'proved' },
            seconds,
          };
      }
      return { answer: { kind: 'unknown', cause: 'bounded' }, seconds };
    },
  };
}
