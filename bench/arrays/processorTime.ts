/** Processor seconds of a command with all that it starts. Linux, with Python 3. */
import { spawnSync } from 'node:child_process';

/**
 * Adopts processes whose parent ends before they do: a shell would not count what the solver's process cost. Prints
 * the processor seconds of all on the last line.
 */
const adopting = [
  'import ctypes, os, resource, subprocess, sys',
  'ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)',
  'subprocess.run(sys.argv[1:], stderr=subprocess.DEVNULL)',
  'try:',
  '    while True: os.wait()',
  'except ChildProcessError: pass',
  'used = resource.getrusage(resource.RUSAGE_CHILDREN)',
  'print("\\ncpu", used.ru_utime + used.ru_stime)',
].join('\n');

/** Output, and processor seconds of the command and all that it starts. */
export function timed(command: readonly string[]): { readonly stdout: string; readonly seconds: number } {
  const { stdout } = spawnSync('python3', ['-c', adopting, ...command], { encoding: 'utf8', maxBuffer: 1 << 26 });
  const [last, seconds = 'NaN'] = /\ncpu ([\d.]+)\n$/u.exec(stdout) ?? [''];
  return { stdout: stdout.slice(0, stdout.length - last.length), seconds: Number(seconds) };
}
