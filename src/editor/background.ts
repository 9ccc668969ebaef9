/** Proofs and tests in processes of their own, one at a time, so that the editor never waits. */
import type { ChildProcess } from 'node:child_process';
import { dirname, join } from 'node:path';
import { childProcess, fs } from '../node';
import { fingerprintsOf, projectFolder, type VerdictJson } from '../report';
import type { ModuleResult } from './moduleResult';

export interface BackgroundSettings {
  /** The program of the command `provest`. */
  readonly command: string;
  /** As on the command line: `5s`. */
  readonly budget: string;
  /** Further arguments of `provest verify`. */
  readonly arguments: readonly string[];
}

export interface Ran {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** At most so much of what a process prints is kept. */
const mostCharacters = 64 * 2 ** 20;

/** One process after another; a file that is asked for again while it waits is run once. */
export class Background {
  private readonly waiting = new Map<string, () => Promise<void>>();
  private running: ChildProcess | undefined;
  private runningKey: string | undefined;
  private busy = false;

  /** Replaces a job of that name that waits, and ends one that runs: what it works on has changed. */
  add(key: string, job: () => Promise<void>): void {
    this.waiting.delete(key);
    this.waiting.set(key, job);
    if (this.runningKey === key) this.running?.kill();
    void this.next();
  }

  isBusyWith(key: string): boolean {
    return this.runningKey === key || this.waiting.has(key);
  }

  /** Ends what runs and forgets what waits. */
  stop(): void {
    this.waiting.clear();
    this.running?.kill();
  }

  run(program: string, args: readonly string[], cwd: string, environment: NodeJS.ProcessEnv = {}): Promise<Ran> {
    return new Promise((resolve) => {
      const child = childProcess.spawn(program, args, {
        cwd,
        env: { ...process.env, ...environment },
        stdio: ['ignore', 'pipe', 'pipe'],
        windowsHide: true,
      });
      this.running = child;
      let stdout = '';
      let stderr = '';
      child.stdout.on('data', (chunk: Buffer) => (stdout = (stdout + chunk.toString()).slice(-mostCharacters)));
      child.stderr.on('data', (chunk: Buffer) => (stderr = (stderr + chunk.toString()).slice(-mostCharacters)));
      const end = (status: number | null, text = ''): void => {
        if (this.running === child) this.running = undefined;
        resolve({ status, stdout, stderr: stderr + text });
      };
      child.on('error', (error) => end(null, error.message));
      child.on('close', (status) => end(status));
    });
  }

  private async next(): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    for (let entry = first(this.waiting); entry; entry = first(this.waiting)) {
      const [key, job] = entry;
      this.waiting.delete(key);
      this.runningKey = key;
      await job();
      this.runningKey = undefined;
    }
    this.busy = false;
  }
}

const first = <K, V>(map: ReadonlyMap<K, V>): [K, V] | undefined => map.entries().next().value;

/**
 * The verdict of `provest verify` on the file as it is saved. `sources`: every file it is made of. Undefined when one
 * of them changed meanwhile, or the process was ended; a text when the command could not be run.
 */
export async function proveFile(
  background: Background,
  file: string,
  sources: readonly string[],
  settings: BackgroundSettings,
): Promise<ModuleResult | string | undefined> {
  const before = fingerprintsOf(sources);
  const base = projectFolder(dirname(file)) ?? dirname(file);
  const { status, stdout, stderr } = await background.run(
    process.execPath,
    [settings.command, 'verify', file, '--json', '--angelic', '--budget', settings.budget, ...settings.arguments],
    base,
    // The log is that of runs which a person has started.
    { PROVEST_LOG: 'off' },
  );
  const verdict = lastLine(stdout);
  if (!verdict) return status === null ? undefined : stderr.trim() || `provest verify ended with ${status}`;
  if (verdict.reason?.cause === 'internal-error') return verdict.reason.message;
  const after = fingerprintsOf(sources);
  if (JSON.stringify(before) !== JSON.stringify(after)) return undefined;
  return { origin: 'command', verdict, base, sources: before };
}

function lastLine(stdout: string): VerdictJson | undefined {
  try {
    return JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '') as VerdictJson;
  } catch {
    return undefined; // ended before it answered
  }
}

/**
 * Runs test files with the project's own runner; the reporter then writes what the tests found. Undefined: the project
 * has no runner that could be found.
 */
export function runTests(
  background: Background,
  testFiles: readonly string[],
  title?: string,
): Promise<Ran> | undefined {
  const start = testFiles[0] === undefined ? undefined : dirname(testFiles[0]);
  const runner = start === undefined ? undefined : findRunner(start);
  if (!runner) return undefined;
  const named = title === undefined ? [] : ['-t', `${escaped(title)}$`];
  return background.run(
    process.execPath,
    runner.kind === 'jest'
      ? [runner.program, '--runTestsByPath', ...testFiles, '--colors=false', ...named]
      : [runner.program, 'run', ...testFiles, ...named],
    runner.root,
    // A part of a run is no verdict on the module, and is not remembered as one.
    { CI: '1', NO_COLOR: '1', ...(title !== undefined && { PROVEST_LOG: 'off' }) },
  );
}

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

interface Runner {
  readonly kind: 'jest' | 'vitest';
  readonly program: string;
  readonly root: string;
}

/** In the nearest folder with a `package.json` and a runner, or above it, where workspaces keep theirs. */
function findRunner(start: string): Runner | undefined {
  const root = projectFolder(start);
  if (root === undefined) return undefined;
  for (let folder = root; ; folder = dirname(folder)) {
    const found = (
      [
        ['jest', 'jest/bin/jest.js'],
        ['vitest', 'vitest/vitest.mjs'],
      ] as const
    )
      .map(([kind, path]) => ({ kind, program: join(folder, 'node_modules', path), root }))
      .find(({ program }) => fs.existsSync(program));
    if (found) return found;
    if (folder === dirname(folder)) return undefined;
  }
}
