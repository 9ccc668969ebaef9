/** Calls of functions that walk lists, copied into their callers: which are, and that the program computes the same. */
import * as fc from 'fast-check';
import { readCText, readLibraryUnit } from '../../../src/c';
import { lower, type Program } from '../../../src/program';
import { resultsOf } from './callsOf';

const loaded = (text: string, inlinesAllBut?: readonly string[]): Program =>
  lower(readCText(text, 'test.c').units, {
    dataModel: 'lp64',
    externals: 'any',
    stubs: [],
    libraryUnit: (name) => readLibraryUnit(name),
    ...(inlinesAllBut && { inlinesAllBut: new Set(inlinesAllBut) }),
  });

const list = `
  #include <stdlib.h>
  struct node { int value; struct node *next; };
  struct pair { struct pair *other; struct node *next; };`;

/** Functions that `f` still calls. */
function called(text: string, kept: readonly string[] = []): readonly string[] {
  const { edges } = loaded(list + text, kept).functionByName.get('f')!;
  return edges.flatMap(({ command }) => (command.kind === 'call' ? command.targets.map(({ name }) => name) : []));
}

const drop = 'static void drop(struct node *l) { while (l) { struct node *n = l->next; free(l); l = n; } }';

test.each([
  ['a loop over the parameter', `${drop} void f(struct node *a, struct node *b) { drop(a); drop(b); }`],
  [
    'a loop that builds a list',
    `static struct node *build(int n) {
      struct node *h = NULL;
      while (n--) { struct node *t = malloc(sizeof *t); t->next = h; h = t; }
      return h;
    }
    struct node *f(void) { struct node *a = build(3), *b = build(2); return a ? b : a; }`,
  ],
  [
    'a helper that calls another',
    `${drop} static int all(struct node *l) { int n = 0; for (struct node *p = l; p; p = p->next) n++; drop(l);
    return n; }
    int f(struct node *a, struct node *b) { return all(a) + all(b); }`,
  ],
])('%s is copied', (_, text) => {
  expect(called(text)).toEqual([]);
});

test.each([
  [
    'no loop',
    'static int first(struct node *l) { return l->value; } int f(struct node *a, struct node *b) { return first(a); }',
    'first',
  ],
  [
    'no list',
    'static int sum(int *p, int n) { int s = 0; while (n--) s += p[n]; return s; } int f(int *a) { return sum(a, 3); }',
    'sum',
  ],
  ['no second list', `${drop} void f(struct node *a) { drop(a); }`, 'drop'],
  [
    'recursion',
    `static void all(struct node *l) { while (l && l->value) l = l->next; if (l) all(l->next); }
    void f(struct node *a, struct node *b) { all(a); }`,
    'all',
  ],
  [
    'an automatic object',
    `void use(int *p); static void all(struct node *l) { int n = 0; for (; l; l = l->next) use(&n); }
    void f(struct node *a, struct node *b) { all(a); }`,
    'all',
  ],
  [
    'a pointer to one of several functions',
    `${drop} static void walk(struct node *l) { while (l) l = l->next; }
    void f(struct node *a, struct node *b, int c) { void (*g)(struct node *) = c ? drop : walk; g(a); }`,
    'drop walk',
  ],
])('not with %s', (_, text, rest) => {
  expect(called(text).join(' ')).toBe(rest);
});

test('a function that a probe speaks of is not copied', () => {
  const text = `${drop} void f(struct node *a, struct node *b) { drop(a); }`;
  expect(called(text)).toEqual([]);
  expect(called(text, ['drop'])).toEqual(['drop']);
});

test('a caller is not filled beyond measure', () => {
  const steps = Array.from({ length: 8 }, (_, i) => `if (l->value == ${i}) l->value = l->value * 3 + ${i};`).join(' ');
  const text = `static void walk(struct node *l) { while (l) { ${steps} l = l->next; } }
    void f(struct node *a, struct node *b) { ${'walk(a); '.repeat(40)} }`;
  const left = called(text).length;
  expect(left).toBeGreaterThan(0);
  expect(left).toBeLessThan(40);
});

const functions = `${list}
  static struct node *a, *b;
  static int length(const struct node *l) { int n = 0; while (l) { n++; l = l->next; } return n; }
  static struct node *last(struct node *l) { int left; for (left = length(l); left > 1; left--) l = l->next; return l; }
  static struct node *reverse(struct node *l) {
    struct node *r = NULL, *t;
    while (l) { t = l->next; l->next = r; r = l; l = t; }
    return r;
  }
  static void drop(struct node *l) {
    while (l) { struct node *n = l->next; if (l->value == 3) { l->value = 0; return; } free(l); l = n; }
  }
  static int find(struct node *l, int v) { for (int i = 0; l; l = l->next, i++) if (l->value == v) return i;
    return -1; }
  int push(int v) { struct node *t = malloc(sizeof *t); t->value = v; t->next = a; a = t;
    return length(a) - length(b); }
  int swap(int v) { struct node *t = a; a = b; b = t; return v; }
  int join(int v) { if (!a) { a = b; b = NULL; return v; } last(a)->next = b; b = NULL; return length(a); }
  int turn(int v) { a = reverse(a); b = reverse(reverse(b)); return a ? a->value + v : -v; }
  int clear(int v) { drop(a); a = NULL; return v; }
  int stale(int v) { drop(a); return find(b, v); }
  int at(int v) { return find(a, v) * 100 + find(b, v) * 10 + find(a, find(b, v)); }
  int wrong(int v) { return last(a)->value + v; }`;

test('both programs compute the same, and fail at the same checks', () => {
  const programs = [loaded(functions), loaded(functions, [])];
  const names = ['push', 'swap', 'join', 'turn', 'clear', 'stale', 'at', 'wrong'] as const;
  expect(programs[1]!.functions.filter(({ hasInlinedHelpers }) => hasInlinedHelpers).map(({ name }) => name)).toEqual([
    'last',
    ...names.filter((name) => name !== 'swap'),
  ]);
  const messages = new Set<string>();
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.constantFrom(...names), fc.integer({ min: 0, max: 4 })), { maxLength: 14 }),
      (calls) => {
        const [before, after] = programs.map((program) => resultsOf(program, calls, (check) => messages.add(check)));
        expect(after).toEqual(before);
      },
    ),
    { numRuns: 400 },
  );
  expect([...messages].sort()).toEqual(expect.arrayContaining(['dereference', 'null-dereference']));
});
