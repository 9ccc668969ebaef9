/** The command as benchmarks run it: the built one, in a process of its own that is killed when it takes too long. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import type { ConformanceProgram } from '../../test/conformance/programs';

const main = join(__dirname, '..', '..', 'dist', 'src', 'cli', 'main.js');

export interface Answer {
  /** 9 if it was killed. */
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export function provest(args: readonly string[], atMostSeconds: number, cwd?: string): Promise<Answer> {
  return new Promise((done) => {
    execFile(
      process.execPath,
      [main, ...args],
      { timeout: atMostSeconds * 1000, killSignal: 'SIGKILL', maxBuffer: 1 << 28, ...(cwd && { cwd }) },
      (error, out, err) =>
        done({ code: error === null ? 0 : typeof error.code === 'number' ? error.code : 9, out, err }),
    );
  });
}

/** Arguments that ask for a program by itself. */
export const askFor = (
  { path, entry, dataModel }: ConformanceProgram,
  properties: readonly string[],
  budgetSeconds: number,
): string[] => [
  path,
  '--entry',
  entry!,
  '--property',
  properties.join(','),
  '--data-model',
  dataModel,
  '--budget',
  `${budgetSeconds}s`,
];

/** The JSON of an answer, which is its last line. */
export const jsonOf = <T>({ out }: Answer): T | undefined => {
  const line = out.trim().split('\n').at(-1)!;
  return line.startsWith('{') ? (JSON.parse(line) as T) : undefined;
};
