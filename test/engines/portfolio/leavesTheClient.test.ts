/**
 * What a test does to a module that no client of the proof does: its states from there on are none that the proof has
 * to cover, and it says so.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { verify } from '../../../src/engines/portfolio/verify';
import { ModuleInstance } from '../../../src/host/module';
import { loadProgram } from '../../../src/program';
import type { Verdict } from '../../../src/verdict';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'provest-client-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function ask(
  text: string,
  test: (module: ModuleInstance) => void,
  stubs: Readonly<Record<string, () => unknown>> = {},
): Promise<Verdict> {
  const file = join(folder, 'm.c');
  writeFileSync(file, text);
  const module = new ModuleInstance(loadProgram([file], { stubs: Object.keys(stubs) }), { name: 'm.c', stubs });
  test(module);
  return verify({
    files: [file],
    load: {},
    mode: 'module',
    probes: [],
    runs: module.runs,
    stubs: Object.keys(stubs),
    properties: ['reach'],
    engine: 'auto',
    seed: 1,
    budget: { milliseconds: 20_000 },
  });
}

const levels = (most: number): string => `#include <assert.h>
#include <stdarg.h>
static int level;
void set(int to) { if (to >= 0 && to <= ${most}) level = to; }
void check(void) { assert(level <= 5); }
void raise(int times, ...) { va_list list; va_start(list, times); while (times--) level += va_arg(list, int);
  va_end(list); }`;

test('a call with variable arguments: other clients are proved safe', async () => {
  const verdict = await ask(levels(5), (m) => {
    m.fn('set')(3);
    m.fn('check')();
    m.fn('raise')(2, 4, 5);
  });
  expect(verdict).toMatchObject({ kind: 'proved' });
  expect(verdict.remarks).toContain(
    'a test called raise, which takes a variable number of arguments; ' +
      'what it did from there on is not counted as reachable',
  );
  expect(verdict.assumptions).toContain('raise is not called: it takes a variable number of arguments');
});

test('a failure after such a call is no bug of other clients, one that they reach is', async () => {
  const failing = (m: ModuleInstance): void => {
    m.fn('raise')(1, 9);
    expect(() => m.fn('check')()).toThrow('level <= 5');
  };
  expect((await ask(levels(5), failing)).kind).toBe('proved');
  expect((await ask(levels(6), failing)).kind).toBe('bug');
});

test('nor is one after a call that a stub makes', async () => {
  let call = (): unknown => undefined;
  const verdict = await ask(
    `${levels(5)}\nextern int wait(void);\nint go(void) { return wait(); }`,
    (m) => {
      call = () => m.fn('raise')(1, 9);
      m.fn('go')();
      expect(() => m.fn('check')()).toThrow('level <= 5');
    },
    {
      wait: () => {
        call();
        return 0;
      },
    },
  );
  expect(verdict.kind).not.toBe('bug');
  expect(verdict.remarks).toContain(
    'a test called raise, which takes a variable number of arguments; ' +
      'what it did from there on is not counted as reachable',
  );
});
