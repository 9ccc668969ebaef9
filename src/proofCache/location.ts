/**
 * Folder for what a project's proofs leave: with its other caches. Outside a project nothing is written unless a folder
 * is named.
 */
import { dirname, join, resolve } from 'node:path';
import { fs } from '../node';

/** `off`, or a folder, over everything else. */
export const cacheVariable = 'PROVEST_CACHE';

/** Undefined: nothing is remembered. `asked`: false switches it off, a path chooses the folder. */
export function memoryFolder(
  start: string,
  asked: boolean | string | undefined,
  environment: NodeJS.ProcessEnv = process.env,
): string | undefined {
  if (asked === false) return undefined;
  if (typeof asked === 'string') return resolve(start, asked);
  const said = environment[cacheVariable];
  if (said === 'off') return undefined;
  if (said !== undefined && said !== '') return resolve(start, said);
  for (let folder = resolve(start); ; folder = dirname(folder)) {
    if (fs.existsSync(join(folder, 'package.json')))
      return join(
        folder,
        ...(fs.existsSync(join(folder, 'node_modules'))
          ? ['node_modules', '.cache', 'provest']
          : ['.provest', 'cache']),
      );
    if (folder === dirname(folder)) return undefined;
  }
}
