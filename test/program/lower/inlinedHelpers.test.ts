/** Calls of functions that walk lists, copied into their callers: which are, and that the program computes the same. */
import * as fc from 'fast-check';
import { readCText, readLibraryUnit } from '../../../src/c';
import { lower, type Program } from '../../../src/program';
import { resultsOf } from './callsOf';

const loaded = (text: string, allBut?: readonly string[], of: 'program' | 'module' = 'program'): Program =>
  lower(readCText(text, 'test.c').units, {
    dataModel: 'lp64',
    externals: 'any',
    stubs: [],
    libraryUnit: (name) => readLibraryUnit(name),
    ...(allBut && { inlines: { allBut: new Set(allBut), of } }),
    ...(of === 'module' && { separatesAllBut: new Set() }),
  });

const list = `
  #include <stdlib.h>
  struct node { int value; struct node *next; };
  struct pair { struct pair *other; struct node *next; };`;

/** Functions that `f` still calls. */
function called(text: string, kept: readonly string[] = [], of: 'program' | 'module' = 'program'): readonly string[] {
  const { edges } = loaded(list + text, kept, of).functionByName.get('f')!;
  return edges.flatMap(({ command }) => (command.kind === 'call' ? command.targets.map(({ name }) => name) : []));
}

const merge = `static struct node *merge(struct node *l, struct node *m) {
  struct node dummy, *tail = &dummy;
  for (dummy.next = NULL; l && m; tail = tail->next)
    if (l->value <= m->value) { tail->next = l; l = l->next; } else { tail->next = m; m = m->next; }
  tail->next = l ? l : m;
  return dummy.next;
}`;
const without = `static struct node *without(struct node *l, int v) {
  struct node **at = &l;
  while (*at)
    if ((*at)->value == v) { struct node *t = *at; *at = t->next; free(t); } else at = &(*at)->next;
  return l;
}`;
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
  ['an automatic node', `${merge} struct node *f(struct node *a, struct node *b) { return merge(a, b); }`],
  [
    'a head whose address is taken',
    `${without} int f(struct node *a, struct node *b) { return without(a, 1) == without(b, 2); }`,
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
    'an automatic number',
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
  int wrong(int v) { return last(a)->value + v; }
  ${merge} ${without}
  int merged(int v) { a = merge(a, b); if (v != 3) b = NULL; return length(a) - length(b); }
  int gone(int v) { a = without(a, v); b = without(without(b, v + 1), 0); return length(a) * 10 + length(b); }`;

/** Checks at which random calls fail; both programs give the same results for them. */
function messagesOfBoth(programs: readonly Program[], names: readonly string[], numRuns: number): ReadonlySet<string> {
  const messages = new Set<string>();
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.constantFrom(...names), fc.integer({ min: 0, max: 4 })), { maxLength: 14 }),
      (calls) => {
        const [before, after] = programs.map((program) => resultsOf(program, calls, (check) => messages.add(check)));
        expect(after).toEqual(before);
      },
    ),
    { numRuns },
  );
  return messages;
}

test('both programs compute the same, and fail at the same checks', () => {
  const programs = [loaded(functions), loaded(functions, [])];
  const names = ['push', 'swap', 'join', 'turn', 'clear', 'stale', 'at', 'wrong', 'merged', 'gone'] as const;
  expect(programs[1]!.functions.filter(({ hasInlinedHelpers }) => hasInlinedHelpers).map(({ name }) => name)).toEqual([
    'last',
    ...names.filter((name) => name !== 'swap'),
  ]);
  const messages = messagesOfBoth(programs, names, 400);
  expect([...messages].sort()).toEqual(expect.arrayContaining(['dereference', 'null-dereference']));
});

const lists = 'static struct node *a, *b;';
const unlink = `static void unlink(struct node **head, struct node *n) {
  while (*head && *head != n) head = &(*head)->next;
  if (*head) *head = n->next;
}`;

test.each([
  ['two lists by value', `${lists} ${drop} void g(void) { drop(b); } void f(void) { drop(a); }`],
  ['the heads of two lists', `${lists} ${unlink} void g(void) { unlink(&b, b); } void f(void) { unlink(&a, a); }`],
  [
    'heads in two structures',
    `struct queue { struct node *first, *last; }; static struct queue a, b;
    static void flush(struct queue *q) { struct node *n; while ((n = q->first)) { q->first = n->next; free(n); } }
    void g(void) { flush(&a); } void f(void) { flush(&b); }`,
  ],
  [
    'heads behind pointers without a type',
    `static void *a, *b; static void **const first = &a, **const second = &b;
    static int length(void **l) { int n = 0; for (struct node *p = *l; p; p = p->next) n++; return n; }
    int g(void) { return length(first); } int f(void) { return length(second); }`,
  ],
  [
    'two lists through another function',
    `${lists} ${drop} static void clear(struct node **l) { drop(*l); *l = NULL; }
    void g(void) { struct node *t = b; drop(t); } void f(void) { drop(a); }`,
  ],
  [
    'two local lists of one caller',
    `struct node *made(void); ${drop}
    void f(void) { struct node *s = made(), *t = made(); drop(s); drop(t); }`,
  ],
])('in a module, a function that is given %s is copied', (_, text) => {
  expect(called(text, [], 'module')).toEqual([]);
});

test.each([
  ['two lists at once', `${lists} ${merge} void f(void) { a = merge(a, b); b = NULL; }`],
  ['the head of one list, from which it walks', `${lists} ${unlink} void f(void) { unlink(&a, b); }`],
])('in a module, a function that is given %s is copied, too', (_, text) => {
  expect(called(text, [], 'module')).toEqual([]);
});

test.each([
  ['one list', `${lists} ${drop} void g(void) { drop(a); } void f(void) { drop(a); }`, 'drop'],
  [
    'one local list of each caller',
    `struct node *made(void); ${drop}
    void g(void) { struct node *t = made(); drop(t); } void f(void) { struct node *t = made(); drop(t); }`,
    'drop',
  ],
  [
    'lists of clients',
    `${lists} ${drop} void g(struct node *l) { drop(l); } void f(struct node *l) { drop(l); }`,
    'drop',
  ],
  [
    'two texts',
    `static int length(const char *s) { int n = 0; while (s[n]) n++; return n; }
    int g(void) { return length("a"); } int f(void) { return length("b"); }`,
    'length',
  ],
])('in a module, a function that is given %s is not', (_, text, rest) => {
  expect(called(text, [], 'module').join(' ')).toBe(rest);
});

describe('in a module, a function that makes room in a loop', () => {
  const reserve = (grown: string): string => `
    struct text { char *buf; size_t len, cap; };
    static int reserve(struct text *t, size_t need) {
      size_t cap = t->cap ? t->cap : 16;
      while (cap < need) cap *= 2;
      char *buf = ${grown};
      if (!buf) return 0;
      t->buf = buf;
      t->cap = cap;
      return 1;
    }
    int f(struct text *t) { return reserve(t, t->len + 2); }`;

  test('is copied if it puts a block in the place of another', () => {
    expect(called(reserve('realloc(t->buf, cap)'), [], 'module')).toEqual([]);
    expect(called(reserve('malloc(cap)').replace('t->buf = buf', 'free(t->buf); t->buf = buf'), [], 'module')).toEqual(
      [],
    );
  });

  test('but not if it only allocates, or a probe speaks of it', () => {
    expect(called(reserve('malloc(cap)'), [], 'module')).toEqual(['reserve']);
    expect(called(reserve('realloc(t->buf, cap)'), ['reserve'], 'module')).toEqual(['reserve']);
  });

  test('computes the same in both programs, and fails at the same checks', () => {
    const text = `#include <stdlib.h>
      static int *items, count, capacity;
      static int grow(int need) {
        int n = capacity ? capacity : 1;
        while (n < need) n *= 2;
        if (n == 4) return 0;
        int *p = realloc(items, n * sizeof *p);
        if (!p) return 0;
        items = p;
        capacity = n;
        return n;
      }
      int add(int x) { int n = count < capacity ? 1 : grow(count + 1); if (n || x == 3) items[count++] = x; return n; }
      int more(int x) { return grow(x) - grow(count + x); }
      int last(int x) { return count > 0 ? items[count - 1] : x; }`;
    const programs = [loaded(text), loaded(text, [], 'module')];
    expect(programs[1]!.functions.filter(({ hasInlinedHelpers }) => hasInlinedHelpers).map(({ name }) => name)).toEqual(
      ['add', 'more'],
    );
    const messages = messagesOfBoth(programs, ['add', 'more', 'last'], 200);
    expect(messages.size).toBeGreaterThan(0);
  });
});

test('in a module, a pointer to the head of one list becomes two in the copy', () => {
  const text = `${list} ${lists} ${unlink} void g(void) { unlink(&b, b); }
    void f(void) { unlink(&a, a); unlink(&b, a); }`;
  const names = loaded(text, [], 'module')
    .functionByName.get('f')!
    .variables.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['<unlink::head if not &a>', '<unlink#2::head if not &b>']));
});

test('in a program, too', () => {
  const text = `${list} ${unlink} void f(struct node *a, struct node *b) { unlink(&a, b); }`;
  const names = loaded(text, [])
    .functionByName.get('f')!
    .variables.map(({ name }) => name);
  expect(names).toContain('<unlink::head if not &a>');
});

const moduleFunctions = `${functions}
  struct queue { struct node *first, *last; };
  static struct queue early, late;
  static void cut(struct node **head, int v) {
    while (*head && (*head)->value != v) head = &(*head)->next;
    if (*head) { struct node *t = *head; *head = t->next; free(t); }
  }
  static void put(struct queue *q, int v) {
    struct node *t = malloc(sizeof *t), *p;
    t->value = v;
    t->next = NULL;
    for (p = q->first; p && p->next; p = p->next) ;
    if (p) p->next = t; else q->first = t;
    q->last = t;
  }
  static int sum(const struct queue *q) { int s = 0; for (struct node *p = q->first; p; p = p->next) s += p->value;
    return s + (q->last ? q->last->value : 0); }
  int removed(int v) { cut(v % 2 ? &a : &b, v); cut(&a, v + 1); cut(&b, 4); return length(a) - length(b); }
  int queued(int v) { put(&early, v); if (v > 2) put(&late, v); return sum(&early) * 10 + sum(&late); }
  int dropped(int v) { cut(&early.first, v); return sum(&early); }`;

test('both modules compute the same, and fail at the same checks', () => {
  const programs = [loaded(moduleFunctions), loaded(moduleFunctions, [], 'module')];
  const names = [
    ...['push', 'swap', 'join', 'at', 'clear', 'stale', 'removed', 'queued', 'dropped', 'merged', 'gone'],
  ] as const;
  expect(programs[1]!.functions.filter(({ hasInlinedHelpers }) => hasInlinedHelpers).map(({ name }) => name)).toEqual(
    expect.arrayContaining(['removed', 'queued', 'dropped', 'merged']),
  );
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
  expect([...messages]).toContain('dereference');
});
