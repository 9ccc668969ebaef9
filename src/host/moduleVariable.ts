/** The variable that holds a module in code we print, where the user has not named one: after its C file, `stack-bug.c` as `stackBug`. */
import { basename, extname } from 'node:path';
import { reservedWords } from './reservedWords';

export function moduleVariable(files: readonly string[]): string {
  const file = files[0] ?? 'm.c';
  const name = basename(file, extname(file)).replace(/[^A-Za-z0-9_$]+(.)?/g, (_, next: string | undefined) => (next ?? '').toUpperCase());
  return /^[A-Za-z_$]/.test(name) && !reservedWords.has(name) ? name : `c${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}
