/** A module of one file in a folder of its own, which is gone after the tests. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ModuleInstance } from '../../src/host/module';
import type { ModuleOptions } from '../../src/host/moduleOptions';
import { loadProgram, type ProgramOptions } from '../../src/program';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'provest-host-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

export function load(
  text: string,
  options: Partial<ModuleOptions> & Omit<ProgramOptions, 'stubs'> = {},
): ModuleInstance {
  const file = join(folder, 'm.c');
  writeFileSync(file, text);
  const program = loadProgram([file], { ...options, stubs: Object.keys(options.stubs ?? {}) });
  return new ModuleInstance(program, { name: 'm.c', ...options });
}

/** The result of one call. */
export function check(text: string, fn: string, ...args: unknown[]): unknown {
  return load(text).fn(fn)(...args);
}
