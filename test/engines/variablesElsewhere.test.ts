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
