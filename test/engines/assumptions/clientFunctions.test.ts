/**
 * Functions that clients pass: they may be any, answer anything, change what they can reach and call back; which of
 * them a pointer means is known by comparing alone.
 */
import { verify } from '../../../src/index';
import { verdictToJson } from '../../../src/report/json/json';
import { formatStep } from '../../../src/report/step';
import type { Task } from '../../../src/task';
import type { Verdict } from '../../../src/verdict';
import { file, task } from '../task';
import { isLong, inLongForm } from '../../long';
import { concatenate } from '../../patterns';

const ask = (text: string, changes: Partial<Task> = {}): Promise<Verdict> =>
  verify(task(file(`#include <assert.h>\n#include <stdlib.h>\n${text}`), changes));
/** What is not proved takes its whole budget. */
const briefly = { budget: { milliseconds: isLong ? 2500 : 1000 } };

const registry = (call: string): string => `
  typedef void (*handler)(int topic, int value);
  static handler registered;
  static unsigned fired;
  void subscribe(handler h) { registered = h; }
  void publish(int value) { ${call} { fired++; registered(1, value); } }`;

test('what is kept is null or can be called', async () => {
  const proved = await ask(registry('if (registered)'));
  expect(proved).toMatchObject({ kind: 'proved' });
  expect(proved.assumptions).toEqual(
    expect.arrayContaining([
      "a client's function that is passed as void (*)(int, int) may return any value and change whatever it can reach",
      "pointers to functions that are passed are null, or lead to a function of the client's or one of such a " +
        'type that the module itself makes pointers to',
    ]) as string[],
  );
  const bug = await ask(registry(''));
  expect(bug).toMatchObject({ kind: 'bug', counterexample: { failure: { check: 'invalid-call' } } });
});

inLongForm('a table of them holds functions up to its counter', async () => {
  const table = (limit: string): string => `
    typedef void (*handler)(int);
    static handler slots[4];
    static unsigned used;
    int add(handler h) { if (!h || used == 4) return 0; slots[used++] = h; return 1; }
    void fire(int v) { for (unsigned i = 0; i ${limit} used; i++) slots[i](v); }`;
  expect(await ask(table('<'))).toMatchObject({ kind: 'proved' });
  expect(await ask(table('<='))).toMatchObject({ kind: 'bug' });
});

test('a table that a client passes holds null or functions in all elements', async () => {
  const table = (condition: string): string => `
    typedef int (*task_fn)(int);
    int run(task_fn *tasks, unsigned long n, int x) {
      int all = 0;
      for (unsigned long i = 0; i < n; i++) ${condition} all ^= tasks[i](x);
      return all;
    }`;
  const length = {
    kind: '>=',
    left: { kind: 'length', of: { kind: 'path', variable: 'tasks', steps: [] } },
    right: { kind: 'path', variable: 'n', steps: [] },
  } as const;
  const requires = [{ function: 'run', formula: length }];
  const budget = { milliseconds: 60_000 };
  expect(await ask(table('if (tasks[i])'), { requires, budget })).toMatchObject({ kind: 'proved' });
  expect(await ask(table(''), { requires, budget })).toMatchObject({
    kind: 'bug',
    counterexample: { failure: { check: 'invalid-call' } },
  });
});

test('a function of the module stands in until a client registers one', async () => {
  expect(
    await ask(
      'static int last; static void keep(int v) { last = v; } static void (*h)(int) = keep; ' +
        'void set(void (*f)(int)) { h = f ? f : keep; } void fire(int v) { h(v); }',
    ),
  ).toMatchObject({ kind: 'proved' });
});

test.each([
  ['two may be different', 'void both(void (*a)(void), void (*b)(void)) { if (a && b) assert(a == b); }'],
  [
    'and three',
    'void three(int (*a)(int), int (*b)(int), int (*c)(int)) { if (a && b && c) assert(a == b || b == c || a == c); }',
  ],
  ['or the same', 'void both(void (*a)(void), void (*b)(void)) { if (a && b) assert(a != b); }'],
  [
    'two calls may answer differently',
    'int twice(int (*f)(int)) { if (!f) return 0; int a = f(1), b = f(1); assert(a == b); return a; }',
  ],
  ['an answer may be any index', 'static int t[4]; int at(unsigned (*f)(void)) { return f ? t[f()] : 0; }'],
  ['what it gets a pointer to is changed', 'void go(void (*f)(int *)) { int x = 1; if (f) f(&x); assert(x == 1); }'],
  [
    'also later',
    'static int kept; void go(void (*f)(int *)) { if (f) { f(&kept); kept = 3; } } ' +
      'int get(void) { assert(kept == 0 || kept == 3); return kept; }',
  ],
  [
    'it may call back',
    'static unsigned n; void add(void) { n++; } void go(void (*f)(void)) { unsigned before = n; if (f) f(); ' +
      'assert(n == before); }',
  ],
  ['it has no bytes', 'void go(void (*f)(int)) { if (f) *(char *)(void *)f = 1; }'],
  ['it cannot be freed', 'void go(void (*f)(int)) { if (f) free((void *)f); }'],
  ['it is called as what it is', 'void go(void (*f)(int)) { if (f) ((int (*)(double, double))f)(1, 2); }'],
])('%s', async (_, text) => {
  expect(await ask(text)).toMatchObject({ kind: 'bug' });
});

test('what holds between calls survives it, and what clients promise that it leaves alone', async () => {
  expect(
    await ask(
      'static unsigned n; void add(void) { if (n < 10) n++; } ' +
        'void go(void (*f)(void)) { if (f) f(); assert(n <= 10); }',
    ),
  ).toMatchObject({ kind: 'proved' });
  const text =
    'static unsigned n; void add(void) { n++; } void go(void (*f)(void)) { unsigned before = n; if (f) f(); ' +
    'assert(n == before); }';
  expect(await ask(text, { callBacks: false })).toMatchObject({ kind: 'proved' });
});

test('the test to paste passes a function', async () => {
  const verdict = await ask(
    'static int t[4]; int at(int start, unsigned (*next)(int)) { return next ? t[next(start) & 7] : 0; }',
  );
  if (verdict.kind !== 'bug') throw new Error(verdict.kind);
  const [fn, ...rest] = verdict.counterexample.steps;
  expect(fn).toEqual({ kind: 'function', name: 'next', type: 'unsigned int (*)(int)' });
  expect(rest).toMatchObject([
    { kind: 'input', function: 'unsigned int (*)(int)' },
    { kind: 'call', function: 'at', arguments: [{ kind: 'value' }, { kind: 'object', name: 'next' }] },
  ]);
  expect(verdict.counterexample.test).toMatch(
    /const next = \(\) => 0;\n *\w+\.answer\('unsigned int \(\*\)\(int\)', \d\);\n *\w+\.at\(0, next\);/,
  );
});

test('each is called as its parameter is, and a number is added only where that name is taken', async () => {
  const names = async (text: string): Promise<string[]> => {
    const verdict = await ask(text);
    return verdict.kind === 'bug'
      ? verdict.counterexample.steps
          .flatMap((step) => (step.kind === 'function' || step.kind === 'allocate' ? [step.name] : []))
          .sort()
      : [verdict.kind];
  };
  expect(
    await names('void three(int *p, void (*f)(void), void (*g)(void)) { if (p && f && g) assert(f == g); }'),
  ).toEqual(['f', 'g', 'p']);
  expect(
    await names('static void (*kept)(void); void set(void (*f)(void)) { if (kept && f) assert(f == kept); kept = f; }'),
  ).toEqual(['f', 'f2']);
});

inLongForm(
  "a pointer may lead to clients' functions that take other kinds of pointers, as it may to the module's",
  async () => {
    const text = (claim: string): string => `
    struct a { int x; }; struct b { int y; };
    void forA(void (*f)(struct a *)) { struct a v = { 1 }; if (f) f(&v); }
    void forB(void (*f)(struct b *)) { struct b v = { 1 }; if (f) { f(&v); ${claim} } }`;
    expect(await ask(text(''))).toMatchObject({ kind: 'proved' });
    expect(await ask(text('assert(v.y == 1);'), { properties: ['reach'] })).toMatchObject({
      kind: 'bug',
      counterexample: { failure: { check: 'assertion' } },
    });
  },
);

describe('without memory safety', () => {
  const reach = { ...briefly, properties: ['reach' as const] };

  test('a call that nothing shows to lead to one of a type that clients pass may lead anywhere', async () => {
    const text =
      'void go(void *p) { if (p) { ((void (*)(int))p)(3); assert(0); } } void other(void (*f)(int)) { (void)f; }';
    expect(await ask(text, { properties: ['reach'] })).toMatchObject({ kind: 'unknown' });
  });

  test.each([
    [
      'answers with a pointer',
      'int g; void go(int *(*get)(void)) { if (get) { int *p = get(); g = 0; if (p) *p = 3; assert(g == 0); } }',
    ],
    [
      'puts one where it can write',
      'int g; void go(void (*fill)(int **)) { int *p = 0; if (fill) { fill(&p); g = 0; if (p) *p = 3; ' +
        'assert(g == 0); } }',
    ],
  ])("a client's function that %s may mean a variable with a name for other files", async (_, text) => {
    expect((await ask(text, reach)).kind).not.toBe('proved');
  });
});

test('a client passes on what the module handed out as a pointer of another type', async () => {
  const text = `
    struct a { int x; };
    typedef void (*handler)(void *);
    static handler kept;
    static void own(struct a *p) { (void)p; }
    handler get(void) { return (handler)own; }
    void set(handler h) { kept = h; }
    void look(void) { assert(kept != (handler)own); }`;
  expect((await ask(text, briefly)).kind).not.toBe('proved');
});

test('a pointer to a function without a prototype may lead to any of several types', async () => {
  const text =
    'int g(int (*z)(int)) { return z != 0; } ' +
    'void f(int (*h)(int, int), int (*x)()) { if (h && x) assert((void *)x != (void *)h); }';
  expect((await ask(text, briefly)).kind).not.toBe('proved');
});

test.each([
  [
    'of a variable number of arguments',
    'static int own(int n, ...) { return n; } int (*get(void))(int, ...) { return own; } ' +
      'void look(int (*h)(int, ...)) { assert(h != own); }',
  ],
  [
    'of a structure by value',
    'struct p { int a[2]; }; static int own(struct p v) { return v.a[0]; } ' +
      'int (*get(void))(struct p) { return own; } void look(int (*h)(struct p)) { assert(h != own); }',
  ],
])(
  'nothing is known of a pointer to a function that nobody stands in for, %s: a client may have it from the module',
  async (_, text) => {
    expect((await ask(text, briefly)).kind).not.toBe('proved');
  },
);

describe('in structures of clients', () => {
  const ops = 'struct ops { int (*f)(int); int (*g)(int); int n; };';

  test('what a client or the module put there is null or can be called', async () => {
    const proved = await ask(
      `${ops} static int own(int v) { return v; } ` +
        'void set(struct ops *o, int (*h)(int)) { if (o) o->f = h ? h : own; } ' +
        'int go(struct ops *o) { return o && o->f ? o->f(1) : 0; }',
    );
    expect(proved).toMatchObject({ kind: 'proved' });
    expect(proved.assumptions).toContain(
      'pointers to functions that lie in structures of clients are null, or lead to such a function, too',
    );
  });

  test.each([
    ['it may be null again after a call', 'int go(struct ops *o) { return o && o->f ? o->f(1) + o->f(2) : 0; }'],
    ['two members may differ', 'void go(struct ops *o) { if (o && o->f && o->g) assert(o->f == o->g); }'],
    ['or not', 'void go(struct ops *o) { if (o && o->f && o->g) assert(o->f != o->g); }'],
    [
      'it may be one of the module’s own',
      'static int own(int v) { return v; } int (*which(void))(int) { return own; } ' +
        'void go(struct ops *o) { if (o) assert(o->f != own); }',
    ],
    [
      'or another',
      'static int own(int v) { return v; } int (*which(void))(int) { return own; } ' +
        'void go(struct ops *o) { if (o && o->f) assert(o->f == own); }',
    ],
    [
      'of one that returns a structure nothing is known',
      'struct two { int a[2]; }; struct t { struct two (*f)(void); }; ' +
        'int go(struct t *o) { return o && o->f ? o->f().a[0] : 0; }',
    ],
  ])('%s', async (_, text) => {
    expect((await ask(`${ops} ${text}`, briefly)).kind).not.toBe('proved');
  });

  test('a bug that needs client functions names the smallest, in steps, JSON and the test to paste', async () => {
    const verdict =
      await ask(`struct sensor { unsigned (*sample)(int); void (*done)(void); void (*unused)(void); int gain; };
      static int table[8]; int take(const struct sensor *s, int channel) { if (!s || !s->sample || !s->done) return -1;
        unsigned i = s->sample(channel); s->done(); return table[i]; }`);
    if (verdict.kind !== 'bug') throw new Error(verdict.kind);
    const { steps, test: text } = verdict.counterexample;
    expect(steps.slice(0, 3)).toEqual([
      { kind: 'function', name: 'sample', type: 'unsigned int (*)(int)' },
      { kind: 'function', name: 'done', type: 'void (*)(void)' },
      {
        kind: 'allocate',
        name: 's',
        type: 'struct sensor',
        value: { sample: { '()': 'sample' }, done: { '()': 'done' }, unused: null, gain: 0 },
      },
    ]);
    expect(formatStep(steps[2]!, steps)).toBe(
      's = a new struct sensor holding {.sample = sample, .done = done, .unused = NULL, .gain = 0}',
    );
    expect(text).toMatch(
      concatenate(
        /const sample = \(\) => 0;\n *const done = \(\) => \{\};\n/,
        / *const s = \w+\.alloc\('struct sensor', \{ sample: sample, done: done, unused: null, gain: 0 \}\);\n/,
        / *\w+\.answer\('unsigned int \(\*\)\(int\)', 8\);/,
      ),
    );
    expect(
      verdictToJson(verdict, 'module', { version: '1', base: '/', files: [] }).counterexample!.steps[2],
    ).toMatchObject({ value: { sample: 'sample', done: 'done', unused: null } });
  });
});
