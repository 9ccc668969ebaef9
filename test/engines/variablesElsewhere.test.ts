/** Variables that no file defines: what is assumed, what a test prints, what cannot be stated. */
import { verify } from '../../src';
import type { Task } from '../../src/task';
import { compare, file, integer, task, variable } from './task';

const run = (text: string, changes: Partial<Task> = {}) =>
  verify(task(file(text), { budget: { milliseconds: 10_000 }, ...changes }));

test('a counterexample says what others wrote, and its test writes it', async () => {
  const verdict = await run(
    'extern struct { int limits[2]; } config; int f(int i) { return i / (config.limits[1] - 77); }',
    { properties: ['div-by-zero'] },
  );
  expect(verdict).toMatchObject({ kind: 'bug', counterexample: { failure: { check: 'division-by-zero' } } });
  if (verdict.kind !== 'bug') return;
  expect(verdict.counterexample.steps.map(({ kind }) => kind)).toEqual(['input', 'call']);
  expect(verdict.counterexample.test).toMatch(/\.global\.config\.limits\[1\] = 77;\n/);
});

test('others write 0 over what the module has written', async () => {
  const verdict = await run(
    '#include <assert.h>\nextern int x; static int set; void start(void) { x = 5; set = 1; } ' +
      'void look(void) { if (set) assert(x == 5); }',
    { properties: ['reach'] },
  );
  expect(verdict.kind).toBe('bug');
  if (verdict.kind !== 'bug') return;
  expect(verdict.counterexample.steps.map(({ kind }) => kind)).toEqual(['call', 'input', 'call']);
  expect(verdict.counterexample.test).toMatch(/start\(\);\n.*\.global\.x = -?\d+;\n.*look\(\);/);
});

test('a proof lists the variables, by what is assumed of them', async () => {
  const verdict = await run('extern const int table[2]; extern int x; int f(void) { return table[0] == x; }');
  expect(verdict).toMatchObject({
    kind: 'proved',
    assumptions: expect.arrayContaining([
      'table: defined in no file, const, of any value',
      'x: defined in no file, of any value at each call of a client, and written by no one else during it',
    ]),
  });
});

test('clients keep to a precondition about them, and the start of a program cannot', async () => {
  const text = 'extern int x; int f(void) { return 10 / x; }';
  const requires = [{ function: 'f', formula: compare('>', variable('x'), integer(0)) }];
  expect((await run(text)).kind).toBe('bug');
  expect((await run(text, { requires })).kind).toBe('proved');
  await expect(run(text, { requires, mode: 'program', entries: ['f'] })).rejects.toThrow(
    "the precondition of 'f' is about 'x', which no file defines and which gets its value there",
  );
});

describe('constants', () => {
  const twice = (read: string) =>
    `static int seen, set; void f(void) { if (set) assert(seen == ${read}); seen = ${read}; set = 1; }`;
  const behindCall = (read: string) =>
    `void other(void); void f(void) { int a = ${read}; other(); assert(a == (${read})); }`;

  test.each([
    ['a constant', `extern const int x; ${twice('x')}`, 'proved'],
    ['a variable', `extern int x; ${twice('x')}`, 'bug'],
    ['a constant that hardware changes', `extern const volatile int x; ${twice('x')}`, 'bug'],
    ['registers in a constant structure', `extern const struct { volatile int r; } x; ${twice('x.r')}`, 'bug'],
    ['a constant member', `extern struct { int a; const int b[2]; } x; ${twice('x.b[1]')}`, 'proved'],
    ['a member beside it', `extern struct { int a; const int b[2]; } x; ${twice('x.a')}`, 'bug'],
    ['a constant behind an unknown function', `extern const int x; ${behindCall('x')}`, 'proved'],
    ['a variable behind one', `extern int x; ${behindCall('x')}`, 'bug'],
    [
      'a constant pointer that is defined',
      `int y; extern int *const x; int *const x = &y; ${behindCall('x == &y')}`,
      'proved',
    ],
    ['a pointer that is defined', `int y; extern int *x; int *x = &y; ${behindCall('x == &y')}`, 'bug'],
  ])('%s', async (_, text, expected) => {
    const verdict = await run(`#include <assert.h>\n${text}`, {
      properties: ['reach'],
      callBacks: false,
      load: { externals: 'any' },
    });
    expect(verdict.kind).toBe(expected);
  });
});

test('a proof says that no pointers to them are passed', async () => {
  const verdict = await run('extern int x; int f(const int *p) { return p == &x; }');
  expect(verdict).toMatchObject({
    kind: 'proved',
    assumptions: expect.arrayContaining([expect.stringContaining('none of those that no file defines')]),
  });
});
