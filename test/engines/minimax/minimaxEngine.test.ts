/** The engine behind `verify`: modules, memory, calls, all properties, and its place in the portfolio. */
import { Budget } from '../../../src/budget';
import { nothingKnown } from '../../../src/engines/engine';
import { minimaxEngine } from '../../../src/engines/minimax/minimaxEngine';
import { Problem } from '../../../src/engines/problem';
import { verify } from '../../../src/index';
import type { Task } from '../../../src/task';
import { diamonds } from '../diamonds';
import { file, task } from '../task';
import { inLongForm } from '../../long';

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

test('a call in a module is followed with what its caller knows, and the client knows what is left', async () => {
  const text = `#include <assert.h>
    static int last;
    static int times(int n) { int i = 0, r = 0; while (i < n) { i = i + 1; r = r + 2; } return r; }
    void one(void) { last = times(1); assert(last == 2); }
    void two(int twice) { last = times(2); if (twice) last = times(WANTED); }
    void audit(void) { assert(last == 0 || last == 2 || last == 4); }`;
  expect(await asked(text.replace('WANTED', '1'))).toMatchObject({ kind: 'proved', engine: 'minimax' });
  expect((await asked(text.replace('WANTED', '3'))).kind).toBe('bug');
});

test('an entry of a module that the module calls itself returns to its caller, and not to the client', async () => {
  const text = `#include <assert.h>
    static int depth;
    int level(void) { int i, r = 0; for (i = 0; i < depth; i++) r = r + 1; return r; }
    void enter(void) { depth = 1; assert(level() == 1); depth = 2; assert(level() == LAST); depth = 0; }
    void idle(void) { assert(level() == 0); }`;
  expect(await asked(text.replace('LAST', '2'))).toMatchObject({ kind: 'proved', engine: 'minimax' });
  expect((await asked(text.replace('LAST', '1'))).kind).toBe('bug');
});

test('a module in whose calls the client may call again is not unfolded', async () => {
  const text = `#include <assert.h>
    extern void notify(void);
    static int open;
    static int rounds(int n) { int i, r = 0; for (i = 0; i < n; i++) r = r + 1; return r; }
    void run(void) { if (open) return; open = rounds(1); notify(); assert(open == 1); open = 0; }
    void stop(void) { OTHER }`;
  const asks = (other: string) => asked(text.replace('OTHER', other), { load: { externals: 'any', idioms: true } });
  expect((await asks('')).kind).not.toBe('bug');
  expect((await asks('open = 0;')).kind).not.toBe('proved');
});

inLongForm('elements that are written at computed places', async () => {
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

test('a function with a loop is followed for each of its calls', async () => {
  const text = `static int six(void) { int i, r = 0; for (i = 0; i < 6; i++) r = r + 1; return r; }
    int main(void) { int x = nondet() ? six() : 6; if (x != WANTED) error(); return 0; }`;
  expect((await asked(text.replace('WANTED', '6'), program)).kind).toBe('proved');
  expect((await asked(text.replace('WANTED', '7'), program)).kind).toBe('bug');
});

test('callers wait with what they know, whoever calls', async () => {
  const text = `static const int keys[4] = { 3, 8, 1, 9 };
    static int find(int key) { int i; for (i = 0; i < 4; i++) if (keys[i] == key) return i; return -1; }
    static int both(int a, int b) { int p = find(a), q; if (p < 0) return -1; q = find(b); return q < 0 ? -1 : p + q; }
    int main(void) {
      int a = nondet(), sum;
      sum = both(a, 9);
      if (sum >= 0 && keys[sum - 3] != a) error();
      if (a == 8 && sum != WANTED) error();
      return 0;
    }`;
  expect(await asked(text.replace('WANTED', '4'), program)).toMatchObject({ kind: 'proved', engine: 'minimax' });
  expect((await asked(text.replace('WANTED', '5'), program)).kind).toBe('bug');
});

inLongForm('what a callee writes through a pointer is the variable of its caller', async () => {
  const text = `static void add(int *to, int n) { int i; for (i = 0; i < n; i++) *to = *to + 2; }
    int main(void) {
      int x = 0, y = 1, n = nondet() ? 2 : 3;
      add(&x, n); add(&y, 3);
      if (x != 2 * n || y != WANTED) error();
      return 0;
    }`;
  expect((await asked(text.replace('WANTED', '7'), program)).kind).toBe('proved');
  expect((await asked(text.replace('WANTED', '6'), program)).kind).toBe('bug');
});

test('a function that a pointer chooses is followed if it is chosen', async () => {
  const text = `static int up(int n) { int i, r = 0; for (i = 0; i < n; i++) r = r + 1; return r; }
    static int down(int n) { int i, r = 0; for (i = 0; i < n; i++) r = r - 1; return r; }
    int main(void) {
      int (*f)(int) = nondet() ? up : down;
      int x = f(3);
      if (f == up && x != WANTED) error();
      if (f == down && x != -3) error();
      return 0;
    }`;
  expect((await asked(text.replace('WANTED', '3'), program)).kind).toBe('proved');
  expect((await asked(text.replace('WANTED', '4'), program)).kind).toBe('bug');
});

test('a function that calls itself is passed by what is known of its exit', async () => {
  const text = `static int depth(int n) { if (n <= 0) return 0; return depth(n - 1) + 1; }
    int main(void) { int n = nondet(); if (n > 3) n = 3; if (depth(n) > LIMIT) error(); return 0; }`;
  expect((await asked(text.replace('LIMIT', '3'), program)).kind).not.toBe('bug');
  expect((await asked(text.replace('LIMIT', '2'), program)).kind).not.toBe('proved');
});

test('a budget that is too small ends as unknown', async () => {
  // To tell which of 2^40 values there are takes any machine long.
  const ways = 'if (nondet()) s = s * 3 + 1; else s = s * 5 + 2; '.repeat(40);
  const text = `int main(void) { unsigned s = 0; ${ways} if (s == 123456) error(); return 0; }`;
  const verdict = await asked(text, { ...program, budget: { milliseconds: 600 } });
  expect(['unknown', 'potential-error']).toContain(verdict.kind);
});

const diamondsOf = (count: number): string =>
  Array.from({ length: count }, () => 'if (nondet()) s = s + 1; else s = s + 2;').join(' ');

test('a tree that grows over the number of nodes given ends as unknown, and says so', async () => {
  const text = `int main(void) { int s = 0, t = 0; while (nondet()) { ${diamondsOf(3)} t = t + 6;
      if (s > 100) { s = 0; t = 0; } }
    if (s > t) error(); return 0; }`;
  const verdict = await asked(text, { ...program, minimax: { nodes: 5 } });
  const message = expect.stringMatching(/the tree has 5 nodes; 0 of 1 checks are proved/u) as string;
  expect(verdict).toMatchObject({ kind: 'unknown', reason: { message }, checks: [{ status: 'open' }] });
});

test('a check that needs no search is proved, though the tree grew over the number of nodes', async () => {
  const text = `int main(void) { int s = 0; ${diamondsOf(8)} if (s > LIMIT) error(); return 0; }`;
  const verdict = await asked(text.replace('LIMIT', '16'), { ...program, minimax: { nodes: 5 } });
  expect(verdict).toMatchObject({
    kind: 'proved',
    engine: 'minimax, known invariants',
    remarks: expect.arrayContaining([expect.stringContaining('the tree has 5 nodes')]) as unknown,
    checks: [{ status: 'proved' }],
  });
  expect((await asked(text.replace('LIMIT', '15'), { ...program, minimax: { nodes: 5 } })).kind).not.toBe('proved');
});

test('auto follows paths where segments have very many', async () => {
  const text = diamonds(60).replace('void entry', 'void main');
  const twin = diamonds(60, { spoiled: true }).replace('void entry', 'void main');
  expect(await asked(text, { ...program, engine: 'auto' })).toMatchObject({ kind: 'proved' });
  expect((await asked(twin, { ...program, engine: 'auto' })).kind).toBe('bug');
});

test('a large program with few checks is searched early, others are not', async () => {
  const why = async (assignments: number, checks: number, changes: Partial<Task> = {}): Promise<string | undefined> => {
    const body = 'x = x * 3 + y; '.repeat(assignments) + 'assert(x != y); '.repeat(checks);
    const wanted = task(file(`#include <assert.h>\nint main(void) { unsigned x = 1, y = 2; ${body} return 0; }`), {
      ...program,
      ...changes,
    });
    const problem = new Problem(wanted, Budget.start(wanted.budget), {});
    try {
      return minimaxEngine('large').applies(problem, nothingKnown);
    } finally {
      await problem.solvers.close();
    }
  };
  expect(await why(5_000, 2)).toBeUndefined();
  const no = 'the program is small, or has many checks';
  expect(await why(10, 2)).toBe(no);
  expect(await why(5_000, 20)).toBe(no);
  expect(await why(5_000, 2, { mode: 'module', entries: ['main'] })).toBe(no);
});
