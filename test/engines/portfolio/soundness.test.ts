/**
 * Traps for the reading of C as formulas. Two questions that need no luck in searching: are the facts assumed of every
 * state true in the states of a run, and is a failing execution among those the formulas describe?
 */
import { initialState } from '../../../src/abstraction/transitionSystem/initialState';
import { ConcreteView } from '../../../src/abstraction/transitionSystem/concreteView';
import { plainOptions, TransitionSystem } from '../../../src/abstraction/transitionSystem/transitionSystem';
import { and, not } from '../../../src/logic/build';
import { compile } from '../../../src/logic/compile';
import { loadProgram } from '../../../src/program';
import type { Property } from '../../../src/program/command';
import type { Program } from '../../../src/program/program';
import { Machine } from '../../../src/semantics/concrete/machine';
import { FreshSymbols } from '../../../src/semantics/symbolic/symbolicValues';
import { createSolver } from '../../../src/solver';
import { file } from '../task';

jest.setTimeout(120_000);

const solver = createSolver({ seed: 1 });
afterAll(async () => {
  await solver.close();
});

const prelude = '#include <assert.h>\n#include <string.h>\n#include <stdlib.h>\nint nondet(void);\n';

function systemOf(text: string, inline = true): { readonly program: Program; readonly system: TransitionSystem } {
  const program = loadProgram([file(prelude + text)], { externals: 'any' });
  const main = program.functionByName.get('main')!;
  const checkedProperties = new Set<Property>(['reach']);
  return {
    program,
    system: new TransitionSystem(program, {
      mode: 'program',
      entries: [main],
      init: undefined,
      checkedProperties,
      cutpoints: 'default',
      pointerAxioms: true,
      inline,
      requires: () => [],
    }),
  };
}

/** Facts about the states of a run that are false in one of them; answers of `nondet` in order, then 0. */
function falseFacts(text: string, answers: readonly number[] = []): string[] {
  const { program, system } = systemOf(text, false);
  const { vocabulary } = system;
  const facts = new Map(
    system.points.map((point) => [
      point.location,
      [
        ...vocabulary.wellFormed(point.fn, point.location),
        ...vocabulary.readAxioms(vocabulary.symbolsFor(point.fn), new Set()),
      ].map((term) => compile(term)),
    ]),
  );
  let asked = 0;
  const machine = new Machine(program, {
    properties: new Set(['reach']),
    input: () => answers[asked++] ?? 0,
    output: () => {},
  });
  const wrong = new Set<string>();
  machine.observer = {
    locations: new Set(facts.keys()),
    visit: (location, activation) => {
      const view = new ConcreteView(system.vocabulary, {
        globals: machine.globals,
        memory: machine.memory,
        activation,
        activations: machine.activations,
      });
      facts.get(location)!.forEach((holds, i) => {
        if (holds(view.value) !== true) wrong.add(`${activation.fn.name}, ${system.at(location)!.kind}: fact ${i}`);
      });
    },
  };
  machine.call(program.functionByName.get('main')!, []);
  return [...wrong];
}

/** May an assertion of the loop-free `main` fail, as the formulas have it? */
async function canFail(text: string): Promise<boolean> {
  const { program, system } = systemOf(text);
  const main = program.functionByName.get('main')!;
  const symbols = new FreshSymbols('test');
  const segment = system.builder.buildFrom(
    main,
    main.entry,
    {
      ...initialState(program, system.vocabulary, symbols),
      locals: system.vocabulary.state(main, main.entry, symbols).locals,
    },
    symbols,
    and(),
  );
  for (const { guard, condition } of segment.obligations) {
    const answer = await solver.check([guard, not(condition)], { timeoutMs: 60_000 });
    if (answer.kind === 'unknown') throw new Error(answer.detail);
    if (answer.kind === 'sat') return true;
  }
  return false;
}

describe('facts assumed of every state', () => {
  const check = (text: string, answers?: readonly number[]): void => {
    expect(falseFacts(text, answers)).toEqual([]);
  };

  test('a pointer to an automatic object of an earlier round', () => {
    check(
      'int main(void) { int *p = 0; for (int i = 0; i < 3; i++) { int x = i; for (int j = 0; j < 2; j++) x++; ' +
        'p = &x; } return p != 0; }',
    );
  });
  test('a pointer to an automatic object of an earlier call', () => {
    check(
      'static int *kept; static void f(int n) { int x = n; while (x > 2) x--; kept = &x; } ' +
        'int main(void) { f(3); f(4); return 0; }',
    );
  });
  test('a pointer to an automatic object of an outer activation', () => {
    check(
      'static int *kept; static void f(int n) { int x = n; while (nondet()) x++; kept = &x; ' +
        'if (n > 0) f(n - 1); } int main(void) { f(2); return 0; }',
      [1, 0, 1, 0, 1],
    );
    check(
      'static int f(int n, int *p) { int x = n; while (nondet()) x++; if (p) x += *p; ' +
        'return n > 0 ? f(n - 1, &x) : x; } int main(void) { return f(2, 0); }',
      [1, 0, 1, 0, 1],
    );
  });
  test('a pointer at a single place, to objects that begin again', () => {
    check(
      'static int *kept; static int **place = &kept; int main(void) { for (int i = 0; i < 3; i++) { int x = i; ' +
        'for (int j = 0; j < 2; j++) x++; *place = &x; } return kept != 0; }',
    );
    check(
      'static int *kept; static int **place = &kept; static void f(int n) { int x = n; while (nondet()) x++; ' +
        '*place = &x; if (n > 0) f(n - 1); } int main(void) { f(2); return 0; }',
      [1, 0, 1, 0, 1],
    );
    check(
      'static void move(const char **at) { while (**at) ++*at; } static int f(const char *text, int n) { ' +
        'char own[2] = { 1, 0 }; const char *from = n > 0 ? own : text; move(&from); ' +
        'return n > 0 ? f(own, n - 1) : *from; } int main(void) { return f("ab", 2); }',
    );
    check(
      'static char *block; static char **place = &block; int main(void) { for (int i = 1; i < 4; i++) ' +
        '{ *place = realloc(*place, i); (*place)[i - 1] = 0; } free(*place); while (nondet()) ; return 0; }',
      [1, 0],
    );
  });
});

describe('what formulas allow, executions without loops', () => {
  const check = async (text: string, expected: boolean): Promise<void> => {
    expect(await canFail(text)).toBe(expected);
  };
  /** The assertion holds of no execution that C allows, and its opposite of all. */
  const decides = async (
    before: string,
    body: (condition: string) => string,
    right: string,
    wrong: string,
  ): Promise<void> => {
    await check(`${before} int main(void) { ${body(right)} return 0; }`, false);
    await check(`${before} int main(void) { ${body(wrong)} return 0; }`, true);
  };

  test('bytes in the middle of a number are filled', async () => {
    await check('int main(void) { unsigned x = 0; memset((char *)&x + 1, 255, 1); assert(x == 0); return 0; }', true);
    await check(
      'int main(void) { unsigned x[3] = {0}; int i = nondet(); if (i < 0 || i > 2) return 0; ' +
        'memset((char *)(x + i) + 1, 255, 1); assert(x[i] == 0); return 0; }',
      true,
    );
    await check('int main(void) { unsigned x = 0; memset(&x, 255, 2); assert(x == 0xffffffff); return 0; }', true);
    await check('int main(void) { unsigned x = 0; memset(&x, 255, 4); assert(x == 0xffffffff); return 0; }', false);
    await check(
      'int main(void) { unsigned x[2] = {1, 1}; int i = nondet(); if (i < 0 || i > 7) return 0; ' +
        'memset((char *)x + i, 0, 1); assert(x[1] == 1); return 0; }',
      true,
    );
  });
  test('bytes of a pointer are filled', async () => {
    const program = (byte: string, condition: string): string =>
      `static char *p; int main(void) { memset(&p, ${byte}, sizeof p); assert(${condition}); return 0; }`;
    await check(program('255', '(unsigned long)p != ~0ul'), true);
    await check(program('255', 'p'), false);
    await check(program('0', '!p'), false);
    await check(program('nondet()', '!p'), true);
  });
  test('the first half of a number is copied', async () => {
    await check(
      'int main(void) { unsigned x = 0, y = 0x12345678; memcpy(&x, &y, 2); assert(x == 0x12345678); return 0; }',
      true,
    );
    await check(
      'int main(void) { unsigned x = 0, y = 0x12345678; memcpy(&x, &y, 4); assert(x == 0x12345678); return 0; }',
      false,
    );
  });
  test('the end of an object may be where another begins, and no other place of it', async () => {
    await check(
      'static int a[2], b[2]; int main(void) { int n = nondet(); int *p = a + (n > 0 ? 2 : 1), *q = b; ' +
        'assert(p != q); return 0; }',
      true,
    );
    await check(
      'static int a[2], b[2]; int main(void) { int n = nondet(); int *p = a + (n > 0 ? 2 : 1), *q = b; ' +
        'assert(p == q); return 0; }',
      true,
    );
    await check(
      'static int a[2], b[2]; int main(void) { int n = nondet(); int *p = a + (n > 0 ? 1 : 0), *q = b; ' +
        'assert(p != q); return 0; }',
      false,
    );
    await check(
      'static int a[2], b[2]; int main(void) { int n = nondet(); int *p = a + (n > 0 ? 2 : 1), *q = b + 1; ' +
        'assert(p != q); return 0; }',
      false,
    );
    await check(
      'static int a[2], b[2]; int main(void) { int n = nondet(); int *p = a + (n > 0 ? 2 : 1), *q = b; ' +
        'int once = p == q; assert(once == (p == q) && once != (p != q)); return 0; }',
      false,
    );
  });
  test('comparing pointers makes their objects no closer', async () => {
    await decides(
      'static int a, b; static int *const pa = &a; static int *const pb = &b;',
      (c) => `int same = (nondet() ? &a : &b) == &a; *pa = 1; *pb = 2; assert(${c} || same > 1);`,
      'a == 1 && b == 2',
      'a == b',
    );
    await decides(
      'static int a, b; static int *t[2];',
      (c) =>
        'int i = nondet(); if (i < 0 || i > 1) return 0; t[0] = &a; t[1] = &b; int same = t[i] == &a; ' +
        `*t[0] = 1; *t[1] = 2; assert(${c} || same > 1);`,
      'a == 1 && b == 2 && same == !i',
      'a == b',
    );
    await decides(
      'static int a, b; static int *p = &a;',
      (c) => `int *q = &b; int same = p == (int *)-1; *p = 1; *q = 2; assert(${c} || same > 1);`,
      'a == 1 && b == 2',
      'a == b',
    );
  });
  test('pointers moved within the object that holds them', async () => {
    await check(
      'static int a, b; static int *ps[3] = {&a, &b, 0}; ' +
        'int main(void) { int n = nondet(); if (n < 1 || n > 2) return 0; ' +
        'memmove(&ps[1], &ps[0], n * sizeof *ps); assert(ps[2] == 0); return 0; }',
      true,
    );
    await decides(
      'struct I { int *p; int n; }; struct O { int a; struct I i[3]; }; static int x, y; static struct O o;',
      (c) => `struct I i = {&x, 1}; o.i[0] = i; o.i[1] = o.i[0]; o.i[2] = o.i[1]; *o.i[2].p = 7; assert(${c});`,
      'x == 7 && y == 0',
      'x == 0',
    );
  });
  test('structures copied from one object to another', async () => {
    await decides(
      'struct P { int x, y; }; static struct P make(int a, int b) { return (struct P){a, b}; }',
      (c) => `struct P p = make(3, 4), q = p; p.x = 9; assert(${c});`,
      'q.x == 3 && q.y == 4 && p.x == 9',
      'q.x == 9',
    );
    await decides(
      'struct P { int x, y; };',
      (c) =>
        'struct P a[3] = {{1, 2}, {3, 4}, {5, 6}}; int i = nondet(); if (i < 0 || i > 2) return 0; ' +
        `struct P p = a[i]; a[i] = a[0]; a[0] = p; assert(${c});`,
      '(i == 2) == (a[0].y == 6)',
      'a[0].x == 1',
    );
    await decides(
      'struct P { int x, y; }; struct Q { char c; struct P p[2]; };',
      (c) => `struct Q q = {1, {{2, 3}, {4, 5}}}; struct P p = {7, 8}; q.p[1] = p; p = q.p[0]; assert(${c});`,
      'q.p[1].y == 8 && p.x == 2',
      'q.p[0].x == 7',
    );
  });
  test('pointers in structures copied from one object to another', async () => {
    await decides(
      'struct P { int *p; int n; }; static int x, y;',
      (c) => `struct P a = {&x, 1}, b = {&y, 2}; b = a; *b.p = 5; assert(${c});`,
      'x == 5 && y == 0 && b.p == a.p',
      'x == 0',
    );
    await decides(
      'struct P { int *p; int n; }; static int x, y;',
      (c) => `struct P a = {&x, 1}, b; b = a; a.p = &y; *b.p = 5; *a.p = 6; assert(${c});`,
      'x == 5 && y == 6',
      'x == 0',
    );
    await decides(
      'struct I { int *p; }; struct O { int k; struct I i[2]; }; static int x, y;',
      (c) => `struct O o = {1, {{&x}, {&y}}}; int n = nondet() != 0; struct I i = o.i[n]; *i.p = 3; assert(${c});`,
      'x + y == 3',
      'x == 0 || n',
    );
    await decides(
      'struct N { struct N *next; int v; };',
      (c) => `struct N a = {0, 1}, b = {&a, 2}, t = b; t.next->v = 7; struct N u = *t.next; assert(${c});`,
      'a.v == 7 && u.v == 7 && u.next == 0',
      'a.v == 1',
    );
    await decides(
      'static int x, y; struct P { int *p; };',
      (c) => `struct P a = {&x}, b = {&y}, t = a; struct P *w = nondet() ? &a : &b; t = *w; *t.p = 5; assert(${c});`,
      'x + y == 5',
      'x == 5 || a.p == 0',
    );
  });
  test('copies of other shapes than the objects', async () => {
    await decides(
      'union U { unsigned n; unsigned char b[4]; };',
      (c) => `union U a, b; a.n = 0x01020304; b = a; b.b[0] = 9; assert(${c});`,
      'b.n == 0x01020309 && a.n == 0x01020304',
      'b.n == 0x01020304',
    );
    await decides(
      'struct P { unsigned a, b; };',
      (c) => `struct P p = {1, 2}; unsigned long n = 0; memcpy(&n, &p, 8); assert(${c});`,
      'n == 0x200000001',
      'n == 1',
    );
    await check(
      'struct P { unsigned a, b; }; int main(void) { struct P p = {1, 2}, q = {3, 4}; ' +
        'memcpy((char *)&q + 2, &p, 4); assert(q.a == 3); return 0; }',
      true,
    );
    await check(
      'struct P { unsigned a, b; }; int main(void) { struct P p = {1, 2}, q = {3, 4}; ' +
        'memcpy((char *)&q + 2, &p, 4); assert(q.b == 4); return 0; }',
      true,
    );
    await decides(
      'struct P { unsigned a, b; };',
      (c) => `struct P p = {1, 2}, q = {3, 4}; memcpy(&q.b, &p.a, 4); assert(${c});`,
      'q.a == 3 && q.b == 1',
      'q.b == 4',
    );
    await check(
      'static int x, y; int main(void) { int *p = &x, *q = &y; memcpy(&q, &p, 4); ' +
        'memcpy((char *)&q + 4, (char *)&p + 4, 4); *q = 1; assert(x == 0); return 0; }',
      true,
    );
    await check(
      'struct P { float f; int i; }; int main(void) { struct P p = {1.5f, 2}, q = p; int bits; ' +
        'memcpy(&bits, &q.f, 4); assert(bits == 0); return 0; }',
      true,
    );
  });
  test('numbers read through one of two pointers', async () => {
    await decides(
      '',
      (c) => `int a = 1, b = 2; int *p = nondet() ? &a : &b; *p = 5; int x = *(nondet() ? &a : &b); assert(${c});`,
      'x == 1 || x == 2 || x == 5',
      'x == 1 || x == 2',
    );
  });
  test('a pointer that the environment chose', async () => {
    await check(
      'void *__VERIFIER_nondet_pointer(void); int main(void) { int x = 1; int *p = __VERIFIER_nondet_pointer(); ' +
        'if (p == &x) { *p = 3; assert(x == 1); } return 0; }',
      true,
    );
  });
  test('an unknown function writes what an earlier one was handed', async () => {
    await decides(
      'void keep(int *); void poke(void);',
      (c) => `int x = 1, y = 1; int *q = &y; keep(&x); x = 1; poke(); assert(${c} && *q);`,
      'y == 1',
      'x == 1',
    );
  });
  test('an unknown function moves visible pointers', async () => {
    await check(
      'void poke(void); int x, y; int *p = &x; ' +
        'int main(void) { poke(); y = 0; if (p == &y) { *p = 3; assert(y == 0); } return 0; }',
      true,
    );
    await check(
      'void poke(void); int y; int *p; int main(void) { int z = 0; poke(); if (p) { *p = 3; assert(0); } return z; }',
      true,
    );
  });
  test('an unknown function answers with an object of its own or of ours', async () => {
    await check('int *get(void); int main(void) { int *p = get(); if (p) { *p = 3; assert(0); } return 0; }', true);
    await check(
      'int *get(void); int x; int main(void) { x = 1; int *p = get(); if (p == &x) { *p = 3; assert(x == 1); } ' +
        'return 0; }',
      true,
    );
    await check(
      'int *get(int *); int main(void) { int x = 1; int *p = get(&x); x = 1; ' +
        'if (p == &x) { *p = 3; assert(x == 1); } return 0; }',
      true,
    );
  });
  test('a client keeps what it gave', async () => {
    const entry = async (text: string, expected: boolean): Promise<void> => {
      const program = loadProgram([file(prelude + text)], {});
      const fn = program.functionByName.get('f')!;
      const system = new TransitionSystem(program, {
        ...plainOptions,
        mode: 'module',
        entries: [...program.functions.filter(({ library, linkage }) => !library && linkage === 'external')],
        checkedProperties: new Set<Property>(['reach']),
      });
      const transition = system.transitions.find(
        ({ kind, from }) => kind === 'segment' && from?.location === fn.entry,
      )!;
      const facts = [...transition.axioms, ...system.clientAssumptions(fn)];
      const answers = await Promise.all(
        transition.segment!.obligations.map(({ guard, condition }) =>
          solver.check(
            [...facts, ...system.vocabulary.readAxioms([guard, condition], new Set()), guard, not(condition)],
            { timeoutMs: 60_000 },
          ),
        ),
      );
      expect(answers.some(({ kind }) => kind === 'sat')).toBe(expected);
    };
    await entry(
      'struct N { int v; }; struct L { struct N *head; }; ' +
        'void f(struct L *l, struct N *n) { if (!l || !n || !l->head) return; l->head->v = 1; n->v = 2; ' +
        'assert(l->head->v == 1); }',
      true,
    );
    await entry(
      'struct N { struct N *next; int v; }; ' +
        'void f(struct N *a, struct N *b) { if (!a || !b || !a->next) return; a->next->v = 1; b->v = 2; ' +
        'assert(a->next->v == 1); }',
      true,
    );
    await entry('void f(int **a, int *b) { if (!a || !b || !*a) return; **a = 1; *b = 2; assert(**a == 1); }', true);
    await entry('void f(int *a, void *b) { if (!a || !b) return; *a = 1; *(int *)b = 2; assert(*a == 1); }', true);
    await entry(
      'struct S { int *p; }; static int x; void g(struct S *s) { if (s) s->p = &x; } ' +
        'void f(struct S *s) { if (!s || !s->p) return; x = 1; if (s->p != &x) { *s->p = 5; assert(x == 5); } }',
      true,
    );
    await entry(
      'struct S { int v; }; static struct S *cur; void g(struct S **out) { if (!out || cur) return; ' +
        'cur = malloc(sizeof *cur); if (cur) cur->v = 1; *out = cur; } ' +
        'void f(struct S *s) { if (s && cur) { cur->v = 1; s->v = 7; assert(cur->v == 1); } }',
      true,
    );
    await entry(
      'int *cur; void g(void) { cur = malloc(4); } void f(int *p) { if (!p || !cur) return; *cur = 1; *p = 2; ' +
        'assert(*cur == 1); }',
      true,
    );
    await entry('static int x; void f(int *p) { x = 1; if (p) *p = 2; assert(x == 1); }', false);
  });
});
