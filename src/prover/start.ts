/** The proving process begins and ends: little to load, so that a command starts it before it loads itself. */
import type { ChildProcess } from 'node:child_process';
import { childProcess } from '../node';
import { proverScript } from './script';

/** For the child's own heap, without the solver's. */
export const defaultMemoryMb = 4096;

/** A prover that gets ready: it loads, and warms the solver up, until `prove` gives it a task or `endProver` ends it. */
export function startProver(script = proverScript(), memoryMb = defaultMemoryMb): ChildProcess {
  const child = childProcess.fork(script, [], {
    env: childEnvironment(),
    execArgv: [`--max-old-space-size=${memoryMb}`],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    serialization: 'advanced',
    detached: process.platform !== 'win32',
  });
  // One that could not be started has no id, by which `prove` knows it.
  child.on('error', () => {});
  return child;
}

export function isAlive(child: ChildProcess | undefined): child is ChildProcess {
  return child?.pid !== undefined && child.exitCode === null && child.signalCode === null && child.connected;
}

/** Kills the child and whatever it started. */
export function endProver(child: ChildProcess): void {
  if (child.pid === undefined) return;
  if (process.platform === 'win32') {
    childProcess.spawnSync('taskkill', ['/PID', String(child.pid), '/T', '/F'], { stdio: 'ignore', windowsHide: true });
    return;
  }
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    child.kill('SIGKILL'); // the group is gone already
  }
}

/** Jest's own settings (workers, coverage, loaders) are not the prover's. */
function childEnvironment(): NodeJS.ProcessEnv {
  const names = ['PATH', 'Path', 'HOME', 'USERPROFILE', 'TMPDIR', 'TEMP', 'TMP', 'SystemRoot', 'LANG', 'LD_LIBRARY_PATH'];
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => names.includes(name) || name.startsWith('PROVEST_')));
}
