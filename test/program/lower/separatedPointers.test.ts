/** Pointers to pointers that become two variables: which do, and that the program computes what it did before. */
import * as fc from 'fast-check';
import { readCText, readLibraryUnit } from '../../../src/c';
import { lower, type Program } from '../../../src/program';
import { Machine } from '../../../src/semantics';

const loaded = (text: string, separatesAllBut?: readonly string[]): Program =>
  lower(readCText(text, 'test.c').units, {
    dataModel: 'lp64',
    externals: 'any',
    stubs: [],
    libraryUnit: (name) => readLibraryUnit(name),
    ...(separatesAllBut && { separatesAllBut: new Set(separatesAllBut) }),
  });

const list = `
  #include <stdlib.h>
  struct node { int value; struct node *next; };
  static struct node *head;`;

function separated(body: string, kept: readonly string[] = []): readonly string[] {
  const fn = loaded(`${list} void use(struct node **p); ${body}`, kept).functionByName.get('f')!;
  const flags = fn.variables.filter(({ selects }) => selects);
  expect(fn.hasSeparatedPointers === true).toBe(flags.length > 0);
  return flags.map(({ name, selects }) => `${name} ${selects!.name}`);
}

const walk = 'while (*link) link = &(*link)->next;';

test.each([
  ['a static variable and members', `void f(void) { struct node **link = &head; ${walk} }`, 'head'],
  [
    'a local variable and members',
    `void f(void) { struct node *own = head; struct node **link = &own; ${walk} }`,
    'own',
  ],
  [
    'one of two variables, and members',
    `static struct node *tail; void f(int c) { struct node **link = &head; if (c) link = &tail; ${walk} }`,
    'head or &tail',
  ],
  [
    'a choice of two variables',
    `static struct node *tail; void f(int c) { struct node **link = c ? &tail : &head; ${walk} }`,
    'tail or &head',
  ],
  [
    'a choice of a variable and a member',
    `static struct node *tail;
    void f(int c) { struct node **link = &tail; ${walk} link = c ? &head : &tail->next; ${walk} }`,
    'tail or &head',
  ],
  [
    'an element of an array, and members',
    `static struct node *heads[8]; void f(unsigned n) { struct node **link = &heads[n % 8]; ${walk} }`,
    'heads',
  ],
  [
    'an element of one of two arrays, and members',
    `static struct node *heads[8], *others[4];
    void f(unsigned n) { struct node **link = &heads[n % 8]; if (n > 9) link = &others[n % 4]; ${walk} }`,
    'heads or &others',
  ],
  [
    'an assignment behind the declaration',
    `void f(void) { struct node **link; link = &head; ${walk} *link = 0; }`,
    'head',
  ],
])('%s', (_, body, fixed) => {
  expect(separated(body)).toEqual([`<link is &${fixed}> <link if not &${fixed}>`]);
});

test.each([
  ['it leads to variables alone', 'void f(void) { struct node **link = &head; *link = 0; }'],
  ['it leads to members alone', 'void f(void) { struct node **link = &head->next; link = &(*link)->next; *link = 0; }'],
  [
    'it leads to four variables',
    `static struct node *a, *b, *c;
    void f(int n) {
      struct node **link = n == 1 ? &a : n == 2 ? &b : n == 3 ? &c : &head;
      ${walk}
    }`,
  ],
  [
    'what it leads to depends on what it led to',
    `static struct node *tail; void f(void) { struct node **link = &head; ${walk} link = *link ? &tail : &head; }`,
  ],
  [
    'it leads to elements alone',
    'static struct node *heads[8]; void f(int n) { struct node **link = &heads[n & 7]; *link = 0; }',
  ],
  ['it is passed on', `void f(void) { struct node **link = &head; ${walk} use(link); }`],
  ['it is copied', `struct node **kept; void f(void) { struct node **link = &head; ${walk} kept = link; }`],
  ['it is a parameter', `void f(struct node **link) { if (!link) link = &head; ${walk} }`],
  ['its address is taken', `void g(struct node ***p); void f(void) { struct node **link = &head; ${walk} g(&link); }`],
  [
    'each round has a variable of its own',
    `void f(int n) {
      struct node **link = &head->next;
      while (n--) { struct node *own = head; if (n == 3) link = &own; *link = 0; }
    }`,
  ],
  [
    'the variable ends first',
    `void f(int n) {
      struct node **link = &head->next;
      if (n) { struct node *own = head; link = &own; *link = 0; }
      *link = 0;
    }`,
  ],
])('none where %s', (_, body) => {
  expect(separated(body)).toEqual([]);
});

test('none of a name that a probe mentions', () => {
  const body = `void f(void) { struct node **link = &head; ${walk} }`;
  expect(separated(body, ['other'])).toHaveLength(1);
  expect(separated(body, ['link'])).toEqual([]);
});

const functions = `${list}
  int push(int v) { struct node *t = malloc(sizeof *t); t->value = v; t->next = head; head = t; return 0; }
  int drop(int v) {
    struct node **link = &head;
    while (*link != NULL) {
      struct node *t = *link;
      if (t->value == v) { *link = t->next; free(t); return 1; }
      link = &t->next;
    }
    return 0;
  }
  int append(int v) {
    struct node **link;
    for (link = &head; *link; link = &(*link)->next) if (link == &head && (*link)->value == v) return -1;
    *link = malloc(sizeof **link);
    (*link)->value = v;
    (*link)->next = NULL;
    return link == &head;
  }
  int insert(int v) {
    struct node *own = head, **link = &own, *t = malloc(sizeof *t);
    while (*link && link[0]->value < v) link = &(*link)->next;
    t->value = v;
    t->next = *link;
    *link = t;
    head = own;
    return 0;
  }
  int wrong(int v) { struct node **link = &head; while ((*link)->value != v) link = &(*link)->next;
    return (*link)->value; }
  int stale(int v) {
    struct node **link = &head;
    while (*link && (*link)->value != v) link = &(*link)->next;
    if (*link) { struct node *t = *link; head = t->next; link = &t->next; free(t); }
    return *link == NULL;
  }
  static struct node *late;
  int choose(int v) {
    struct node **link = v % 2 ? &late : &head, *t = malloc(sizeof *t);
    while (*link && (*link)->value < v) link = &(*link)->next;
    t->value = v;
    t->next = *link;
    *link = t;
    return link == &late;
  }
  int either(int v) {
    struct node **link = &late;
    if (v > 2) link = &head;
    else if (v == 2) link = NULL;
    while (link && *link && (*link)->value != v) link = &(*link)->next;
    struct node *t = *link;
    if (!t) return -1;
    *link = t->next;
    free(t);
    return link == &late ? 2 : link == &head;
  }
  static struct node *rows[3];
  int enter(int v) {
    struct node **link = &rows[v % 3], *t = malloc(sizeof *t);
    while (*link && (*link)->value < v) link = &(*link)->next;
    t->value = v;
    t->next = *link;
    *link = t;
    return link == &rows[v % 3];
  }
  int leave(int v) {
    struct node **link = &head;
    if (v > 2) link = &rows[v - 2];
    else if (v == 1) link = &rows[v];
    for (; *link; link = &(*link)->next)
      if ((*link)->value == v) {
        struct node *t = *link;
        *link = t->next;
        free(t);
        return link == &head ? 2 : link == &rows[2];
      }
    return -1;
  }
  int beyond(int v) {
    struct node **link = &rows[v];
    while (*link) link = &(*link)->next;
    return link == &rows[v];
  }
  int again(int v) {
    struct node **link = &rows[0];
    while (*link && (*link)->value != v) link = &(*link)->next;
    if (*link) link = &rows[(*link)->value % 3];
    while (*link) link = &(*link)->next;
    return link == &rows[0] ? 3 : link == &rows[1];
  }
  int at(int i) {
    struct node *p = i % 5 == 0 ? head : i % 5 == 1 ? late : rows[i % 5 - 2];
    i /= 5;
    while (p && i--) p = p->next;
    return p ? p->value : -99;
  }`;

test('both programs compute the same, and fail at the same checks', () => {
  const programs = [loaded(functions), loaded(functions, [])];
  expect(
    programs[1]!.functions.filter(({ hasSeparatedPointers }) => hasSeparatedPointers).map(({ name }) => name),
  ).toEqual(['drop', 'append', 'insert', 'wrong', 'stale', 'choose', 'either', 'enter', 'leave', 'beyond', 'again']);
  const names = [
    'push',
    'drop',
    'append',
    'insert',
    'wrong',
    'stale',
    'choose',
    'either',
    'enter',
    'leave',
    'beyond',
  ] as const;
  const messages = new Set<string>();
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.constantFrom(...names), fc.integer({ min: 0, max: 4 })), { maxLength: 12 }),
      (calls) => {
        const [before, after] = programs.map((program) => {
          const machine = new Machine(program);
          const call = (name: string, value: number): string => {
            const outcome = machine.call(program.functionByName.get(name)!, [value]);
            if (outcome.kind === 'returned') return String(outcome.value);
            if (outcome.kind !== 'fault') throw new Error(outcome.kind);
            messages.add(outcome.fault.message.replace(/\d+/g, 'n'));
            return outcome.fault.message;
          };
          const results: string[] = [];
          for (const [name, value] of calls) {
            const result = call(name, value);
            results.push(result);
            if (!/^-?\d+$/.test(result)) return results;
            for (let i = 0; i < 25; i++) results.push(call('at', i));
          }
          return results;
        });
        expect(after).toEqual(before);
      },
    ),
    { numRuns: 200 },
  );
  expect([...messages]).toEqual(
    expect.arrayContaining([
      'null pointer dereference: (*link)',
      expect.stringMatching(/^use after free: \*link: the object of n bytes allocated at line n was freed/),
    ]),
  );
});
