/**
 * Bugs that need more of the outside than answers: what functions without a body write, free, link and call, and what
 * new memory held.
 */
import { verify } from '../../../src/index';
import { ModuleInstance } from '../../../src/host/module';
import { recallScenario, storeScenario } from '../../../src/proofCache/storedScenario';
import { fuzzProgram } from '../../../src/engines/search/fuzzing';
import { Budget } from '../../../src/budget';
import { Problem } from '../../../src/engines/problem';
import { runScenario } from '../../../src/evidence/scenarios/scenario';
import { CFault } from '../../../src/host/fault';
import { loadProgram } from '../../../src/program';
import type { Task } from '../../../src/task';
import { file, task } from '../task';

const header =
  'void *malloc(unsigned long size); void free(void *p); extern void error(void); ' +
  'struct node { int value; struct node *next; };\n';
const inProgram = (text: string, changes: Partial<Task> = {}): Task =>
  task(file(header + text), {
    load: { externals: 'any', idioms: true },
    mode: 'program',
    entries: ['main'],
    properties: ['reach', 'memsafety'],
    budget: { milliseconds: 4000 },
    ...changes,
  });

test.each([
  [
    'an argument',
    'extern void set(int *p); int main(void) { int x = 0; set(&x); if (x == 7) error(); return 0; }',
    '*p = 7',
  ],
  [
    'an element',
    'extern void set(int *p); int main(void) { int x[4] = {0}; set(x); if (x[2] == 7) error(); return 0; }',
    'p[2] = 7',
  ],
  [
    'behind a pointer',
    'extern void set(struct node *n); int main(void) { struct node b = { 2, 0 }, a = { 1, &b }; set(&a); ' +
      'if (b.value == 9) error(); return 0; }',
    'n->next->value = 9',
  ],
  [
    'inside a structure by value',
    'struct box { int tag; int *in; }; extern void set(struct box b); ' +
      'int main(void) { int x = 0; struct box b = { 1, &x }; set(b); if (x == 3) error(); return 0; }',
    '*b.in = 3',
  ],
  [
    'what was handed over before',
    'extern void keep(int *p); extern void later(void); int main(void) { int x = 0; keep(&x); x = 5; later(); ' +
      'if (x == 6) error(); return 0; }',
    '*(p of an earlier keep()) = 6',
  ],
  [
    'a variable',
    'extern void set(void); int level = 1; int main(void) { level = 2; set(); if (level == 4) error(); return 0; }',
    'level = 4',
  ],
  [
    'a pointer',
    'extern void link(int **p, int *x); int main(void) { int x = 1, y = 2; int *p = &y; link(&p, &x); *p = 5; ' +
      'if (x == 5 && y == 2) error(); return 0; }',
    '*p = x',
  ],
  [
    'a block',
    'extern void take(int *p); int main(void) { int *p = malloc(4); if (!p) return 0; take(p); *p = 1; free(p); ' +
      'return 0; }',
    'free(p)',
  ],
  [
    'a call back',
    'extern void out(void); static int level; void up(void) { level = 1; } ' +
      'int main(void) { out(); if (level) error(); return 0; }',
    'up()',
  ],
  [
    'new memory',
    'int main(void) { int *p = malloc(8); if (!p) return 0; if (p[1] == 99) error(); free(p); return 0; }',
    '99 at byte 4',
  ],
])('%s is changed in the counterexample', async (_, text, does) => {
  const verdict = await verify(inProgram(text));
  if (verdict.kind !== 'bug') throw new Error(`${verdict.kind} instead of a bug`);
  expect(
    verdict.counterexample.steps.flatMap((step) =>
      step.kind === 'input' ? (step.does?.effects.map((effect) => effect.text) ?? []) : [],
    ),
  ).toEqual([does]);
});

test.each([
  [
    'was never handed over',
    'extern void set(int *p); int main(void) { int x = 0, y = 0, *q = &y; set(&x); if (*q) error(); return 0; }',
  ],
  [
    'is static and does not escape',
    'extern void set(void); static int level; int main(void) { set(); if (level) error(); return 0; }',
  ],
  [
    "is the callee's copy",
    'struct box { int tag; int in; }; extern void set(struct box b); ' +
      'int main(void) { struct box b = { 1, 0 }; set(b); if (b.in) error(); return 0; }',
  ],
  [
    'cannot be linked to',
    'extern void link(int **p); int main(void) { int x = 1, y = 2; int *p = &y, *q = &x; link(&p); *p = 5; ' +
      'if (*q == 5) error(); return 0; }',
  ],
  [
    'is constant',
    'extern void set(const int *p); static const int limit = 3; ' +
      'int main(void) { set(&limit); if (limit != 3) error(); return 0; }',
  ],
])('what %s stays as it is', async (_, text) => {
  expect((await verify(inProgram(text, { properties: ['reach'] }))).kind).not.toBe('bug');
});

test('of a structure by value only what its pointers lead to is forgotten', async () => {
  const given = (before: string): Task =>
    inProgram(
      'struct box { int content; struct box *self; }; extern void set(struct box b); ' +
        `int main(void) { struct box b = { 0, 0 }; ${before} set(b); if (b.content) error(); return 0; }`,
      { properties: ['reach'], budget: { milliseconds: 20_000 } },
    );
  expect((await verify(given(''))).kind).toBe('proved');
  expect((await verify(given('b.self = &b;'))).kind).toBe('bug');
});

test('the test does it with an answer that is a function, and fails at the same line', async () => {
  const text =
    'extern int fill(int *p, int n);\nint sum(void) { int v[2] = { 0, 0 };\n  int n = fill(v, 2);\n' +
    '  if (v[1] == 4 && n == 2) error(); return v[0]; }';
  const path = file(header + text);
  const verdict = await verify(
    task(path, { load: { externals: 'any', idioms: true }, properties: ['reach'], budget: { milliseconds: 6000 } }),
  );
  if (verdict.kind !== 'bug') throw new Error(`${verdict.kind} instead of a bug`);
  expect(verdict.counterexample.test).toContain(".answer('fill', (p, n) => { p.at(1).write(4); return 2; });");
  const m = new ModuleInstance(loadProgram([path], { externals: 'any', idioms: true }), { name: 'module', seed: 1 });
  m.answer('fill', (p: { at(i: number): { write(value: number): void } }) => {
    p.at(1).write(4);
    return 2;
  });
  expect(() => m.fn('sum')()).toThrow(CFault);
});

test('a scenario with effects is kept as text and found again, and what no outside could do is not done', async () => {
  const given = inProgram(
    'extern void link(int **p, int *x); int main(void) { int x = 1, y = 2; int *p = &y; link(&p, &x); *p = 5; ' +
      'if (x == 5 && y == 2) error(); return 0; }',
  );
  const problem = new Problem(given, Budget.start(given.budget), {});
  try {
    const { program, entries } = problem;
    const found = fuzzProgram(program, {
      ...problem.scenarioOptions(),
      entries,
      maximumCalls: 1,
      seed: 1,
      edges: 500_000,
      stop: () => false,
    })!;
    const stored = JSON.parse(JSON.stringify(storeScenario(found))) as {
      answers: { does: { effects: { offsetBytes: number }[] } }[];
    };
    expect(recallScenario(stored, program)).toEqual(found);
    stored.answers[0]!.does.effects[0]!.offsetBytes = 4;
    expect(runScenario(program, recallScenario(stored, program)!, problem.scenarioOptions())).toMatchObject({
      outcome: { kind: 'returned' },
      answers: [],
    });
    (stored.answers[0]!.does as unknown as { effects: unknown }).effects = 'all';
    expect(recallScenario(stored, program)).toBeUndefined();
  } finally {
    await problem.solvers.close();
  }
});

test('a variable whose declaration is jumped past holds anything', async () => {
  const verdict = await verify(
    inProgram(
      'extern int __VERIFIER_nondet_int(void); int main(void) { if (__VERIFIER_nondet_int()) goto skip; ' +
        'int y = 5; skip: if (y == 1234) error(); return 0; }',
      { properties: ['reach'] },
    ),
  );
  expect(verdict).toMatchObject({
    kind: 'bug',
    counterexample: {
      steps: [{ function: 'uninitialised y', value: 1234 }, { function: '__VERIFIER_nondet_int' }, { kind: 'call' }],
    },
  });
});
