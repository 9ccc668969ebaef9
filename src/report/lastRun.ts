/**
 * Verdicts of the last run of each test file, `.provest/last-run`: what an editor shows before anything is proved
 * again. A verdict comes with the fingerprints of the texts it is about, and is no verdict on any other text. Not
 * `.json`, which Jest's watch mode follows.
 */
import { join } from 'node:path';
import { fs } from '../node';
import { sha256 } from '../sha256';
import { projectFolder, writeOwnFile } from './runLog';
import type { VerdictJson } from './json/verdictJson';

export const lastRunFile = 'last-run';

/** One `loadC` of a test file. Paths are absolute. */
export interface LastVerdict {
  readonly testFile: string;
  readonly line: number;
  /** Holds the module in the test file; absent: none does. */
  readonly variable?: string;
  /** C files, headers and the test file with the fingerprints of their texts. */
  readonly sources: Readonly<Record<string, string>>;
  /** Folder that the paths of `verdict` are relative to. */
  readonly base: string;
  readonly verdict: VerdictJson;
}

interface LastRun {
  readonly format: 1;
  readonly provest: string;
  readonly verdicts: readonly LastVerdict[];
}

/** SHA-256 of a file's bytes; undefined when it cannot be read. */
export function fingerprint(file: string): string | undefined {
  try {
    return sha256(fs.readFileSync(file));
  } catch {
    return undefined;
  }
}

/** Fingerprints of the files that can be read, by path. */
export function fingerprintsOf(files: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    files.flatMap((file) => {
      const print = fingerprint(file);
      return print === undefined ? [] : [[file, print]];
    }),
  );
}

/**
 * Replaces the verdicts of `testFiles` and keeps those of other test files that still exist. Verdicts on a text that
 * has changed since the test loaded it are left out: they may be about either text.
 */
export function writeLastRun(
  start: string,
  version: string,
  testFiles: ReadonlySet<string>,
  verdicts: readonly LastVerdict[],
): string | undefined {
  const kept = readLastRun(start, version).filter(
    ({ testFile }) => !testFiles.has(testFile) && fs.existsSync(testFile),
  );
  const current = verdicts.filter(({ sources }) =>
    Object.entries(sources).every(([file, print]) => fingerprint(file) === print),
  );
  if (kept.length === 0 && current.length === 0 && testFiles.size === 0) return undefined;
  const run: LastRun = { format: 1, provest: version, verdicts: [...kept, ...current].map(shorten) };
  return writeOwnFile(start, lastRunFile, `${JSON.stringify(run)}\n`);
}

/** An editor has no use for the rest, which can be large. */
function shorten(one: LastVerdict): LastVerdict {
  return { ...one, verdict: { ...one.verdict, adequacy: null, refinement: null } };
}

/** Nothing for a file that is not there, damaged, or of another version. */
export function readLastRun(start: string, version: string): readonly LastVerdict[] {
  const root = projectFolder(start);
  if (root === undefined) return [];
  try {
    const run = JSON.parse(fs.readFileSync(join(root, '.provest', lastRunFile), 'utf8')) as Partial<LastRun> | null;
    return run?.format === 1 && run.provest === version && Array.isArray(run.verdicts) ? run.verdicts : [];
  } catch {
    return [];
  }
}
