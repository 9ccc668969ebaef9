/** Files that the user asked for: written in place, and a path that cannot be written is the user's error. */
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { InputError } from './inputError';

export function writeOutput(file: string, text: string, cwd: string): void {
  const path = resolve(cwd, file);
  if (/\.[ch]$/i.test(path)) throw new InputError(`${file} looks like C source and is not overwritten`, 'choose another name for the output');
  try {
    writeFileSync(path, text);
  } catch (error) {
    throw new InputError(`cannot write ${file}: ${error instanceof Error ? error.message : String(error)}`, 'does its directory exist, and may you write there?');
  }
}
