/** Unknown functions that call the program back while they run: what they then change, and what they find. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { verify } from '../../../src/index';
import type { Task } from '../../../src/task';
import type { Verdict } from '../../../src/verdict';
import { isLong } from '../../long';

const folder = mkdtempSync(join(tmpdir(), 'provest-call-backs-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;

/** What is not proved takes its whole budget. */
const briefly = { budget: { milliseconds: isLong ? 3000 : 1000 } };

function ask(text: string, task: Partial<Task> = {}): Promise<Verdict> {
  const file = join(folder, `module${files++}.c`);
  writeFileSync(file, `extern void error(void); extern void outside(void); extern int sensor(void);\n${text}`);
  return verify({
    files: [file],
    load: { externals: 'any', idioms: true },
    mode: 'module',
    probes: [],
    runs: [],
    properties: ['reach', 'memsafety'],
    engine: 'auto',
    seed: 1,
    budget: { milliseconds: 20_000 },
    ...task,
  });
}

const half = 'static int busy; void work(void) { if (busy) error(); busy = 1; outside(); busy = 0; }';
const rest = 'static int busy; void work(void) { if (busy) error(); busy = 1; busy = 0; outside(); }';

test('a module must be at rest when it calls out', async () => {
  expect((await ask(rest)).kind).toBe('proved');
  const verdict = await ask(half);
  expect(verdict).toMatchObject({
    kind: 'bug',
    counterexample: {
      steps: [
        { kind: 'input', function: 'outside', does: { effects: [{ text: 'work()' }] } },
        { kind: 'call', function: 'work' },
      ],
    },
  });
});

test('a function without a body may call the entry of a program, unless that is main', async () => {
  const counts = (name: string): string =>
    `static unsigned rounds; int ${name}(void) { rounds++; unsigned before = rounds; outside(); ` +
    'if (rounds != before) error(); return 0; }';
  const program = { mode: 'program', entries: ['work'] } as const;
  expect((await ask(counts('work'), { ...program, ...briefly })).kind).not.toBe('proved');
  expect((await ask(counts('work'), { ...program, callBacks: false })).kind).toBe('proved');
  expect((await ask(counts('main'), { mode: 'program', entries: ['main'] })).kind).toBe('proved');
});

test('a stub is taken not to call back, and the user may say it of all; the verdict lists both', async () => {
  const stubbed = await ask(half, { stubs: ['outside'], load: { externals: 'error', idioms: true } });
  expect(stubbed.kind).toBe('proved');
  expect(stubbed.assumptions).toContainEqual(expect.stringContaining('outside: does not call back'));
  const said = await ask(half, { callBacks: false });
  expect(said.kind).toBe('proved');
  expect(said.assumptions).toContainEqual(expect.stringContaining('outside: does not call back'));
});

test('a stub that called back in a test may do so in the proof', async () => {
  const call = { kind: 'call', function: 'work', arguments: [], answers: [] } as const;
  const run = [{ ...call, answers: [{ at: 0, does: [call] }] }];
  const stubs = { stubs: ['outside'], load: { externals: 'error', idioms: true } } as const;
  expect((await ask(rest, { ...stubs, runs: [run] })).kind).toBe('proved');
  expect(
    (
      await ask('static int busy; void work(void) { if (busy > 1) error(); busy++; outside(); busy--; }', {
        ...stubs,
        ...briefly,
        runs: [run],
      })
    ).kind,
  ).not.toBe('proved');
});

test('what was known before the call is forgotten as far as call-backs change it', async () => {
  const sample = (body: string): string =>
    `static int count, values[4]; void clear(void) { count = 0; } void sample(void) { ${body} }`;
  expect((await ask(sample('int v = sensor(); if (count < 4) values[count++] = v;'))).kind).toBe('proved');
  expect(
    (await ask(sample('if (count < 4) { values[count++] = 0; int v = sensor(); values[count - 1] = v; }'), briefly))
      .kind,
  ).not.toBe('proved');
});

test('static functions whose address is a value change what they change', async () => {
  const handing = (
    handed: string,
  ): string => `extern void handOut(void (*f)(void)); static int level; static void up(void) { level = 1; }
  static void stay(void) { level = 0; }
    void use(void (*f)(void)) { (void)up; } void start(void) { handOut(${handed}); if (level != 0) error(); }`;
  expect((await ask(handing('up'), briefly)).kind).not.toBe('proved');
  // Its address is a value in 'use'.
  expect((await ask(handing('stay'), briefly)).kind).not.toBe('proved');
});

test('an automatic object of a function that is called again is not the one of the new activation', async () => {
  const text =
    'static int *kept; static int old; void g(void) { if (kept) *kept = 7; } ' +
    'void f(int n) { int x = n; kept = &x; outside(); if (x != n) error(); kept = 0; }';
  expect((await ask(text, briefly)).kind).not.toBe('proved');
});

test('it has the objects that clients handed over, and may write them', async () => {
  expect(
    (await ask('void work(int *p) { if (!p || *p != 1) return; sensor(); if (*p != 1) error(); }', briefly)).kind,
  ).not.toBe('proved');
  expect(
    (
      await ask(
        'static int *kept; void keep(int *p) { if (p) *p = 1; kept = p; } ' +
          'void work(void) { if (!kept) return; *kept = 1; outside(); if (*kept != 1) error(); }',
        briefly,
      )
    ).kind,
  ).not.toBe('proved');
  expect(
    (
      await ask('void work(int *p) { if (!p || *p != 1) return; sensor(); if (*p != 1) error(); }', {
        callBacks: false,
      })
    ).kind,
  ).toBe('proved');
});
