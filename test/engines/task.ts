/** A task with everything at its default, for tests that change one thing. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defaultProperties } from '../../src/program/command';
import type { Operation } from '../../src/host/operation';
import type { ProbeFormula } from '../../src/abstraction/predicates/probeFormula';
import type { Task } from '../../src/task';

const folder = mkdtempSync(join(tmpdir(), 'provest-engines-'));
const remove = (): void => rmSync(folder, { recursive: true, force: true });
// Benchmarks use this, too.
if (typeof afterAll === 'function') afterAll(remove);
else process.once('exit', remove);
let count = 0;

export const fixture = (path: string): string => join(__dirname, '../../fixtures', path);

/** C text as a file. */
export function file(text: string): string {
  const path = join(folder, `module${count++}.c`);
  writeFileSync(path, text);
  return path;
}

export function task(path: string, changes: Partial<Task> = {}): Task {
  return {
    files: [path],
    load: {},
    mode: 'module',
    probes: [],
    runs: [],
    properties: defaultProperties,
    engine: 'auto',
    seed: 1,
    budget: { milliseconds: 60_000 },
    ...changes,
  };
}

/** Calls with integer arguments, from a fresh start. */
export function run(...calls: readonly (readonly [string, ...(number | bigint)[]])[]): Operation[] {
  return calls.map(([name, ...args]): Operation => ({
    kind: 'call',
    function: name,
    arguments: args.map((value) => ({ integer: String(value) })),
    answers: [],
  }));
}

export const variable = (name: string): ProbeFormula => ({ kind: 'path', variable: name, steps: [] });
export const integer = (value: number): ProbeFormula => ({ kind: 'integer', value: String(value) });
export const compare = (
  operator: '<' | '<=' | '==' | '!=' | '>' | '>=',
  left: ProbeFormula,
  right: ProbeFormula,
): ProbeFormula => ({ kind: operator, left, right });
