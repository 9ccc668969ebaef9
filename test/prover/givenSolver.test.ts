/**
 * Z3 is started with its prover and handed over: the proof rests on neither's staying alive, and none of the three
 * outlives the others.
 */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prove } from '../../src/prover/prove';
import { endProver, startProver } from '../../src/prover/start';
import type { Task } from '../../src/task';
import { stillRunning } from './running';

let folder: string;
let file: string;
let hard: string;
let before: string | undefined;
beforeAll(() => {
  before = process.env['PROVEST_Z3'];
  process.env['PROVEST_Z3'] = 'wasm';
  folder = mkdtempSync(join(tmpdir(), 'provest-given-'));
  file = join(folder, 'sum.c');
  writeFileSync(
    file,
    '#include <assert.h>\nint nondet_int(void);\n' +
      'int main(void) { int n = nondet_int(), i = 0, s = 0; if (n < 0 || n > 100) return 0; ' +
      'while (i < n) { i++; s += 2; } assert(s == 2 * n); return 0; }\n',
  );
  hard = join(folder, 'hard.c');
  writeFileSync(
    hard,
    '#include <assert.h>\nunsigned long nondet_ulong(void);\n' +
      'int main(void) { unsigned long x = nondet_ulong(), y = nondet_ulong(); ' +
      'if (x <= 1 || y <= 1 || x >> 32 || y >> 32) return 0; assert(x * y != 4611685975477714963UL); return 0; }\n',
  );
});
afterAll(() => {
  if (before === undefined) delete process.env['PROVEST_Z3'];
  else process.env['PROVEST_Z3'] = before;
  rmSync(folder, { recursive: true, force: true });
});

const taskOf = (path: string, milliseconds = 60_000): Task => ({
  files: [path],
  load: {},
  mode: 'program',
  probes: [],
  runs: [],
  properties: ['reach'],
  engine: 'auto',
  seed: 1,
  budget: { milliseconds },
});
const sleep = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

/** Of a process. */
function solversOf(parent: number): number[] {
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' });
  return stdout
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, ppid, ...command]) => Number(ppid) === parent && /z3child/.test(command.join(' ')))
    .map(([pid]) => Number(pid));
}

/** A prover, and the Z3 that it was given, which is a child of ours. */
function started(): { child: ReturnType<typeof startProver>; given: number } {
  const others = new Set(solversOf(process.pid));
  const child = startProver();
  const [given, ...more] = solversOf(process.pid).filter((pid) => !others.has(pid));
  expect(more).toEqual([]);
  return { child, given: given! };
}

test('it serves the proof, and is gone with the prover', async () => {
  const { child, given } = started();
  const verdict = await prove(taskOf(file), { child });
  expect(verdict.kind).toBe('proved');
  expect(verdict.statistics).toMatchObject({ solver: expect.stringMatching(/^z3 .*wasm/) });
  expect(solversOf(child.pid!)).toEqual([]);
  expect(await stillRunning([given, child.pid!])).toEqual([]);
}, 60_000);

test('one that is killed before it is asked is replaced by the prover', async () => {
  const { child, given } = started();
  process.kill(given, 'SIGKILL');
  expect((await prove(taskOf(file), { child })).kind).toBe('proved');
  expect(await stillRunning([given, child.pid!])).toEqual([]);
}, 60_000);

test('a prover that is killed takes it along, busy or not', async () => {
  const { child, given } = started();
  const verdict = prove(taskOf(hard), { child });
  await sleep(3000);
  process.kill(child.pid!, 'SIGKILL');
  expect(await verdict).toMatchObject({ kind: 'unknown', reason: { cause: 'solver-died' } });
  expect(await stillRunning([given, child.pid!])).toEqual([]);
}, 60_000);

test('a prover that is not needed takes it along', async () => {
  const { child, given } = started();
  endProver(child);
  expect(await stillRunning([given, child.pid!])).toEqual([]);
}, 60_000);

function childrenOf(parent: number): readonly number[] {
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' });
  return stdout
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .filter(([, ppid]) => ppid === parent)
    .map(([pid]) => pid!);
}

test('who asked is killed, and both are gone, whether Z3 is busy or idle', async () => {
  for (const wait of [0, 3500]) {
    const command = spawn(
      process.execPath,
      [
        join(__dirname, '../../dist/src/cli/main.js'),
        'verify',
        hard,
        '--property',
        'reach',
        '--budget',
        '60s',
        '--no-cache',
      ],
      { stdio: 'ignore', env: { ...process.env } },
    );
    while (childrenOf(command.pid!).length < 2) await sleep(50);
    await sleep(wait);
    const children = childrenOf(command.pid!);
    command.kill('SIGKILL');
    expect(children.length).toBeGreaterThanOrEqual(2);
    expect(await stillRunning(children)).toEqual([]);
  }
}, 60_000);
