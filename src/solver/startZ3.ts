/**
 * Starts Z3's WebAssembly build in a process of its own: little to load, so that whoever starts a prover starts its Z3
 * before it.
 */
import type { ChildProcess } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { childProcess, fs } from '../node';

/** Index of Z3's socket among `stdio`. */
export const socketIndex = 3;

/** `z3child.js` in Node. In a process group of its own it does not receive the signals of ours, such as Ctrl-C. */
export function startZ3(environment: NodeJS.ProcessEnv, group: 'shared' | 'own' = 'shared'): ChildProcess {
  const alone = group === 'own';
  return childProcess.spawn(process.execPath, [childPath()], {
    stdio: ['ignore', 'ignore', alone ? 'ignore' : 'pipe', 'overlapped'],
    windowsHide: true,
    detached: alone,
    env: { ...environment, NODE_OPTIONS: '', GLIBC_TUNABLES: withHugePages(environment['GLIBC_TUNABLES']) },
  });
}

/** Looking takes less than starting what is not there. */
export function mayBeOnPath(command: string): boolean {
  const folders = process.env['PATH'];
  if (process.platform === 'win32' || folders === undefined || /[\\/]/.test(command)) return true;
  return folders.split(delimiter).some((folder) => fs.existsSync(join(folder, command)));
}

/**
 * Z3's 35 MB are touched once, which in large pages takes a fifth of the time, where Linux gives them to those who ask.
 * No other program reads this variable.
 */
function withHugePages(tunables: string | undefined): string {
  return [...(tunables ? [tunables] : []), 'glibc.malloc.hugetlb=1'].join(':');
}

/** The child is plain JavaScript beside this file; a build that did not copy it finds the one in the sources. */
function childPath(): string {
  const places = [join(__dirname, 'z3child.js'), join(__dirname, '../../../src/solver/z3child.js')];
  return places.find((place) => fs.existsSync(place)) ?? places[0]!;
}
