/** The engine behind `verify`: modules, memory, calls, all properties, and its place in the portfolio. */
import { verify } from '../../../src/index';
import type { Task } from '../../../src/task';
import { diamonds } from '../diamonds';
import { file, task } from '../task';

jest.setTimeout(240_000);

const asked = (text: string, changes: Partial<Task> = {}) =>
  verify(task(file(text), { engine: 'minimax', ...changes }));
const program: Partial<Task> = {
  mode: 'program',
  entries: ['main'],
  properties: ['reach'],
  load: { externals: 'any', idioms: true },
};

test('a module: the client is the head of a loop', async () => {
  const text = `#include <assert.h>
    static int count;
    int push(void) { if (count < 4) { count = count + 1; return 1; } return 0; }
    int pop(void) { if (count > 0) { count = count - 1; return 1; } return 0; }
    void audit(void) { assert(count >= 0 && count <= 4); }`;
  expect(await asked(text)).toMatchObject({ kind: 'proved', engine: 'minimax' });
  expect((await asked(text.replace('count < 4', 'count < 5'))).kind).toBe('bug');
});

test('elements that are written at computed places', async () => {
  const text = `static int queue[3];
    int main(void) {
      int in = 0, out = 0, i;
      for (i = 0; i < 5; i++) {
        if (nondet()) { if (in - out < 3) { queue[in % 3] = in; in = in + 1; } }
        else if (in > out) { if (queue[out % 3] != out) error(); out = out + 1; }
      }
      return 0;
    }`;
  expect((await asked(text, program)).kind).toBe('proved');
  expect((await asked(text.replace('in - out < 3', 'in - out < 4'), program)).kind).toBe('bug');
});

test('what a function with a loop returns is not made up', async () => {
  const text = `static int six(void) { int i, r = 0; for (i = 0; i < 6; i++) r = r + 1; return r; }
    int main(void) { int x = nondet() ? six() : 6; if (x != WANTED) error(); return 0; }`;
  expect((await asked(text.replace('WANTED', '6'), program)).kind).not.toBe('bug');
  expect((await asked(text.replace('WANTED', '7'), program)).kind).not.toBe('proved');
});

test('a budget that is too small ends as unknown', async () => {
  const text = `int main(void) { unsigned a = nondet(), i = 0; while (i < a) { i = i * 3 + 1; if (i * i == 77) error(); } return 0; }`;
  const verdict = await asked(text, { ...program, budget: { milliseconds: 600 } });
  expect(['unknown', 'potential-error']).toContain(verdict.kind);
});

test('auto follows paths where segments have very many', async () => {
  const text = diamonds(60).replace('void entry', 'void main');
  const twin = diamonds(60, { spoiled: true }).replace('void entry', 'void main');
  expect(await asked(text, { ...program, engine: 'auto' })).toMatchObject({ kind: 'proved' });
  expect((await asked(twin, { ...program, engine: 'auto' })).kind).toBe('bug');
});
