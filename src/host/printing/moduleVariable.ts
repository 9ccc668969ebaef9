/**
 * The variable that holds a module in code we print, where the user has not named one: after its C file, `stack-bug.c`
 * as `stackBug`.
 */
import { basename, extname } from 'node:path';
import { reservedWords } from './reservedWords';

export function moduleVariable(files: readonly string[]): string {
  const file = files[0] ?? 'm.c';
  const name = basename(file, extname(file)).replace(/[^\p{ID_Continue}$]+(.)?/gu, (_, next: string | undefined) =>
    (next ?? '').toUpperCase(),
  );
  return /^[\p{ID_Start}_$]/u.test(name) && !reservedWords.has(name)
    ? name
    : `c${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}
