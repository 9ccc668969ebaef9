/** The proving process begins and ends: little to load, so that a command starts it before it loads itself. */
import type { ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';
import { childProcess, os } from '../node';
import { mayBeOnPath, socketIndex, startZ3 } from '../solver/startZ3';
import { proverScript } from './script';

/** For the child's own heap, without the solver's. */
export const defaultMemoryMb = 4096;

/**
 * For objects that live briefly, as most terms do: with V8's own 16 MB, a sixth of a prover's time goes into moving
 * what still lives, with 64 a tenth.
 */
const youngMemoryMb = 64;

/** File descriptor, in a prover, of the socket of a Z3 that was started with it. */
const givenSocket = 4;

/** The Z3 of each prover that was given one. */
const solvers = new WeakMap<ChildProcess, ChildProcess>();

/** A prover that gets ready: it loads, and Z3 beside it, until `prove` gives it a task or `endProver` ends it. */
export function startProver(script?: string, memoryMb = defaultMemoryMb): ChildProcess {
  // Z3 takes longest to be ready. A script that is not ours has no use for one.
  const solver = script === undefined ? earlySolver() : undefined;
  const socket = solver?.stdio[socketIndex] as Socket | undefined;
  try {
    const child = childProcess.fork(script ?? proverScript(), solver ? [String(givenSocket), String(solver.pid)] : [], {
      env: childEnvironment(),
      execArgv: [`--max-old-space-size=${memoryMb}`, `--max-semi-space-size=${youngMemoryMb}`],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc', ...(socket ? [socket] : [])],
      serialization: 'advanced',
      detached: process.platform !== 'win32',
    });
    // One that could not be started has no id, by which `prove` knows it.
    child.on('error', () => {});
    if (solver) {
      solvers.set(child, solver);
      child.on('exit', () => {
        solver.kill('SIGKILL');
      });
    }
    return child;
  } catch (error) {
    solver?.kill('SIGKILL');
    throw error;
  } finally {
    socket?.destroy(); // the prover's own is open
  }
}

/**
 * Z3 in WebAssembly, where that is what the prover will use and descriptors can be passed on; in a process group of its
 * own, as the prover is.
 */
function earlySolver(): ChildProcess | undefined {
  const wanted = process.env['PROVEST_Z3'] ?? '';
  const isOurs = wanted === 'wasm' || ((wanted === '' || wanted === 'auto') && !mayBeOnPath('z3'));
  if (!isOurs || process.platform === 'win32') return undefined;
  const solver = startZ3(childEnvironment(), 'own');
  solver.on('error', () => {});
  solver.unref();
  return solver.pid === undefined ? undefined : solver;
}

/** Resolves when the Z3 that a prover was given is gone; call it when the prover is. */
export async function solverExited(child: ChildProcess): Promise<void> {
  const solver = solvers.get(child);
  if (!solver || solver.exitCode !== null || solver.signalCode !== null) return;
  solver.ref();
  const gone = new Promise((resolve) => {
    solver.once('exit', resolve);
  });
  solver.kill('SIGKILL');
  await gone;
}

/** Its work waits for that of others. */
export function lowerPriority(child: ChildProcess): void {
  for (const { pid } of [child, solvers.get(child) ?? child]) {
    try {
      if (pid !== undefined) os.setPriority(pid, os.constants.priority.PRIORITY_BELOW_NORMAL);
    } catch {
      // It has ended already, or priorities are not ours to set.
    }
  }
}

export function isAlive(child: ChildProcess | undefined): child is ChildProcess {
  return child?.pid !== undefined && child.exitCode === null && child.signalCode === null && child.connected;
}

/** Kills the child and whatever it started. */
export function endProver(child: ChildProcess): void {
  solvers.get(child)?.kill('SIGKILL');
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
  const names = [
    'PATH',
    'Path',
    'HOME',
    'USERPROFILE',
    'TMPDIR',
    'TEMP',
    'TMP',
    'SystemRoot',
    'LANG',
    'LD_LIBRARY_PATH',
  ];
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => names.includes(name) || name.startsWith('PROVEST_')),
  );
}
