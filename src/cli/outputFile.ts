/** Files that the user asked for: written in place, and a path that cannot be written is the user's error. */
import { accessSync, constants, statSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { InputError } from './inputError';

export function writeOutput(file: string, text: string, cwd: string): void {
  writing(file, () => writeFileSync(pathOf(file, cwd), text));
}

/** Checks access before the proof, so that no user waits for a report that cannot be written. */
export function checkOutput(file: string, cwd: string): void {
  const path = pathOf(file, cwd);
  writing(file, () => accessSync(statSync(path, { throwIfNoEntry: false }) ? path : dirname(path), constants.W_OK));
}

function pathOf(file: string, cwd: string): string {
  const path = resolve(cwd, file);
  if (/\.[ch]$/i.test(path))
    throw new InputError(`${file} looks like C source and is not overwritten`, 'choose another name for the output');
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory())
    throw new InputError(`cannot write ${file}: it is a directory`, 'name a file in it');
  return path;
}

/** A failure of the file system is the user's error. */
export function writing(file: string, action: () => void): void {
  try {
    action();
  } catch (error) {
    throw new InputError(
      `cannot write ${file}: ${error instanceof Error ? error.message : String(error)}`,
      'does its directory exist, and may you write there?',
    );
  }
}
