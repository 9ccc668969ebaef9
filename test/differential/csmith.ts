/** One random program from a seed, run on the machine and natively. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DataModel } from '../../src/c/types';
import { onGcc, onMachine } from './machineAndGcc';

export type CsmithResult =
  | { readonly kind: 'same'; readonly seed: number; readonly lines: number; readonly loadMs: number; readonly runMs: number; readonly steps: number }
  /** Neither ran to its end within the limits, so there is nothing to compare. */
  | { readonly kind: 'skipped'; readonly seed: number; readonly why: string }
  | { readonly kind: 'different'; readonly seed: number; readonly options: string; readonly machine: string; readonly gcc: string };

/** Where the runtime of csmith's programs is, if it is installed. */
export function csmithHeaders(): string | undefined {
  return ['/usr/include/csmith', '/usr/local/include/csmith', `${process.env.CSMITH_INCLUDE ?? ''}`].find((folder) => existsSync(join(folder, 'csmith.h')));
}

/** Every seed asks for another mixture of what C has; packed structures are GNU's and left out. */
export function optionsFor(seed: number): string[] {
  const switches = ['--no-argc', '--no-packed-struct', '--quiet', '--seed', String(seed)];
  if (seed % 3 === 1) switches.push('--max-funcs', '4', '--max-block-depth', '3');
  if (seed % 4 === 2) switches.push('--float');
  if (seed % 4 === 3) switches.push('--builtins', '--disable-builtin-kinds', 'x86');
  if (seed % 5 === 0) switches.push('--max-pointer-depth', '4');
  return switches;
}

export function tryProgram(seed: number, dataModel: DataModel = 'lp64', stepLimit = 5_000_000): CsmithResult {
  const headers = csmithHeaders();
  if (headers === undefined) throw new Error('csmith.h is not installed');
  const folder = mkdtempSync(join(tmpdir(), 'provest-csmith-'));
  try {
    const options = optionsFor(seed);
    const path = join(folder, `seed${seed}.c`);
    const { stdout: text, status } = spawnSync('csmith', options, { cwd: folder, encoding: 'utf8', maxBuffer: 2 ** 26, timeout: 20_000 });
    if (status !== 0) return { kind: 'skipped', seed, why: 'csmith failed' };
    writeFileSync(path, text);
    const native = onGcc(path, ['-I', headers, ...(dataModel === 'ilp32' ? ['-m32', '-msse2', '-mfpmath=sse'] : [])], 2_000);
    if (!native) return { kind: 'skipped', seed, why: 'does not compile, or takes too long natively' };
    let machine;
    try {
      machine = onMachine(path, { include: [headers], dataModel }, { stepLimit });
    } catch (error) {
      machine = { output: '', end: `threw ${error instanceof Error ? error.stack ?? error.message : String(error)}`, loadMs: 0, runMs: 0, steps: 0 };
    }
    if (machine.end === 'limit: steps') return { kind: 'skipped', seed, why: 'takes too many steps' };
    // The one undefined behaviour that csmith does not avoid.
    if (machine.end.startsWith('conversion ') && options.includes('--float')) return { kind: 'skipped', seed, why: 'converts a float that does not fit' };
    if (machine.output === native.output && machine.end === native.end) {
      return { kind: 'same', seed, lines: text.split('\n').length, loadMs: machine.loadMs, runMs: machine.runMs, steps: machine.steps };
    }
    const say = ({ output, end }: { output: string; end: string }) => `${output.trim()} (${end})`;
    return { kind: 'different', seed, options: options.join(' '), machine: say(machine), gcc: say(native) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
