/** The machine's C compiler, as an oracle. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { besidePeer } from '../peer';

/** `test` where there is a compiler; elsewhere a skipped test, loudly. */
export const testWithCompiler = (name: string, body: () => void): void =>
  besidePeer(spawnSync('cc', ['--version']).status === 0, `there is no cc, so NOT tested: ${name}`).test(name, body);

/** The exit status and everything printed, by the compiler when it fails, else by the program. */
export function compileAndRun(
  files: Readonly<Record<string, string>>,
  ...flags: string[]
): { status: number | null; output: string } {
  const directory = mkdtempSync(join(tmpdir(), 'provest-'));
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text);
    const compiled = spawnSync('cc', ['-std=gnu11', '-w', ...flags, '-o', 'program', ...Object.keys(files)], {
      cwd: directory,
      encoding: 'utf8',
    });
    if (compiled.status !== 0) return { status: compiled.status, output: compiled.stderr };
    const { status, stdout, stderr } = spawnSync(join(directory, 'program'), { encoding: 'utf8' });
    return { status, output: stdout + stderr };
  } finally {
    rmSync(directory, { recursive: true });
  }
}
