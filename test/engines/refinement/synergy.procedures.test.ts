/**
 * Calls and recursion under refinement: what holds at a callee's end is told apart by how it began, a failure behind
 * calls is replayed, and every proof is discharged again. Each program has a twin that is wrong.
 */
import { verify } from '../../../src';
import type { Task } from '../../../src/task';
import type { Verdict } from '../../../src/verdict';
import { file, run, task } from '../task';
import { refineFixture } from '../refining';
import { inLongForm, ifLong } from '../../long';

jest.setTimeout(300_000);

const prelude = 'extern int __VERIFIER_nondet_int(void); extern void reach_error(void);\n';
const program = (text: string, changes: Partial<Task> = {}): Promise<Verdict> =>
  verify(
    task(file(prelude + text), {
      mode: 'program',
      entries: ['main'],
      properties: ['reach'],
      engine: 'synergy',
      load: { externals: 'any' },
      ...changes,
    }),
  );

/** McCarthy's function with other constants: for n <= 50 it is 46. */
const nested = (claim: string): string => `
  static int f(int n) { if (n > 50) return n - 5; return f(f(n + 6)); }
  int main(void) { int n = __VERIFIER_nondet_int(); if (n < 40 || n > 80) return 0; int r = f(n);
    if (${claim}) reach_error(); return 0; }`;
const parity = (claim: string): string => `
  static int odd(unsigned n);
  static int even(unsigned n) { return n == 0 ? 1 : odd(n - 1); }
  static int odd(unsigned n) { return n == 0 ? 0 : even(n - 1); }
  int main(void) { unsigned n = (unsigned)__VERIFIER_nondet_int(); if (n > 500) return 0;
    if (even(n) && ${claim}) reach_error(); return 0; }`;
const list = (claim: string): string => `
  #include <stdlib.h>
  struct node { struct node *next; };
  static int length(const struct node *list) { return list == 0 ? 0 : 1 + length(list->next); }
  int main(void) {
    struct node *list = 0;
    int n = 0;
    while (__VERIFIER_nondet_int() && n < 3) { struct node *made = malloc(sizeof *made); if (!made) return 0;
      made->next = list; list = made; n++; }
    int l = length(list);
    if (${claim}) reach_error();
    return 0;
  }`;
const twice = (claim: string): string => `
  static int calls;
  static int down(int n) { calls = calls > 0; if (n <= 0) return 0; return down(n - 1); }
  int main(void) { calls = 7; int a = down(__VERIFIER_nondet_int()); int b = down(a + __VERIFIER_nondet_int());
    if (${claim}) reach_error(); return 0; }`;

test.each<[string, string, 'proved' | 'bug']>([
  ['calls of calls', nested('n <= 50 && r != 46'), 'proved'],
  ['calls of calls, for too many arguments', nested('n <= 52 && r != 46'), 'bug'],
  ['mutual recursion', parity('n % 2 != 0'), 'proved'],
  ['mutual recursion, wrong for some', parity('n % 4 != 0'), 'bug'],
  ...ifLong<[string, string, 'proved' | 'bug']>(['the length of a list', list('l < 0'), 'proved']),
  ['the length of a list, exactly', list('l == 2'), 'bug'],
  ['two calls in turn', twice('a != b || calls != 1'), 'proved'],
  ['two calls in turn, and what they leave', twice('a == b && calls == 1'), 'bug'],
])('%s', async (_, text, expected) => {
  expect((await program(text)).kind).toBe(expected);
});

test('a summary is kept for each way in which a callee begins', async () => {
  // What lock() leaves depends on what it found: one fact about its end is not enough.
  const text = `
    static int held;
    static void flip(int n) { if (n > 0) { flip(n - 1); return; } held = !held; }
    int main(void) { int n = __VERIFIER_nondet_int(); if (n > 100) return 0; held = 0; flip(n);
      if (held != 1) reach_error(); flip(n); if (held != 0) reach_error(); return 0; }`;
  const verdict = await program(text);
  expect(verdict.kind).toBe('proved');
  expect((await program(text.replace('held != 0)', 'held != 1)'))).kind).toBe('bug');
});

inLongForm('a module whose functions call each other: clients enter anywhere', async () => {
  const text = (limit: number): string => `
    static int depth;
    int down(int n);
    int up(int n) { if (n > 0 && depth < 3) { depth++; int r = down(n - 1); depth--; return r; } return depth; }
    int down(int n) { return n > 5 ? up(n) : depth; }
    int at(int i) { static int cells[4]; return cells[up(i) > ${limit} ? 4 : 0]; }`;
  const of = (limit: number): Promise<Verdict> =>
    verify(
      task(file(text(limit)), { engine: 'synergy', properties: ['memsafety'], runs: [run(['up', 3], ['at', 1])] }),
    );
  expect((await of(1)).kind).toBe('bug');
  expect((await of(3)).kind).not.toBe('bug');
});

inLongForm('a call that one test made is a way for another: must-summaries', async () => {
  const text = `extern int nondet(void); extern void error(void);
    static int walk(int n) { if (n <= 0) return 0; return 1 + walk(n - 1); }
    void entry(int a, int b) { int x = walk(a); if (a != 4) return; int y = walk(b); if (x + y == 8) error(); }`;
  const { result, refinement } = await refineFixture(file(text), {
    generalize: 'off',
    choice: 'oldest',
    cutpoints: 'default',
  });
  expect(result.kind).toBe('fail');
  expect(refinement.statistics.testsByCalls).toBeGreaterThan(0);
});
