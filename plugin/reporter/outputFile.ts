/**
 * Files that a run was asked to write. One that cannot be written fails the run, after everything else has been said
 * and written.
 */
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** Says which file, and why. */
export class OutputError extends Error {}

/** Throws `OutputError`. The file is there as a whole or not at all; folders are made. */
export function writeOutputFile(file: string, text: string, base: string): void {
  const path = resolve(base, file);
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(temporary, text);
    renameSync(temporary, path);
  } catch (error) {
    if (existsSync(temporary)) rmSync(temporary);
    throw new OutputError(
      `cannot write ${file}: ${error instanceof Error ? error.message : String(error)}; is it a file, and may ` +
        'you write there?',
    );
  }
}

/**
 * Value of an environment variable that switches an output on: the file it names, `true` for the usual one, or
 * undefined.
 */
export function wantedBy(text: string | undefined): string | true | undefined {
  if (text === undefined || ['', '0', 'false', 'off', 'no'].includes(text.toLowerCase())) return undefined;
  return ['1', 'true', 'on', 'yes'].includes(text.toLowerCase()) ? true : text;
}
