/** Variables that get lead bytes: which do, and that the program computes what it did before. */
import * as fc from 'fast-check';
import { readCText, readLibraryUnit } from '../../../src/c';
import { lower, type Program } from '../../../src/program';
import { Machine } from '../../../src/semantics';

const loaded = (text: string, alignsAllBut?: readonly string[]): Program =>
  lower(readCText(text, 'test.c').units, {
    dataModel: 'lp64',
    externals: 'any',
    stubs: [],
    libraryUnit: (name) => readLibraryUnit(name),
    ...(alignsAllBut && { alignsAllBut: new Set(alignsAllBut) }),
  });

const leads = (text: string, kept: readonly string[] = []): Record<string, number> =>
  Object.fromEntries(
    loaded(`#include <stdlib.h>\n#include <string.h>\n${text}`, kept).objects.flatMap(({ name, leadBytes }) =>
      leadBytes === undefined ? [] : [[name, leadBytes] as const],
    ),
  );

const ring = `
  struct list_head { struct list_head *next, *prev; };
  struct task { int id; struct list_head run; };
  static struct list_head tasks = { &tasks, &tasks };`;
const add = `void add(void) {
  struct task *t = malloc(sizeof *t);
  t->run.next = tasks.next; t->run.prev = &tasks; tasks.next->prev = &t->run; tasks.next = &t->run; }`;

test.each([
  ['the head of a ring', `${ring} ${add}`, { tasks: 8 }],
  [
    'a head inside a structure',
    `struct link { struct link *next; }; struct item { long a, b; struct link l; };
    static struct { int count; struct link first; } list = { 0, { &list.first } };
    void add(struct item *t) { t->l.next = list.first.next; list.first.next = &t->l; }`,
    { list: 8 },
  ],
  [
    'the head of a list with pointers back to pointers',
    `struct item { int v; struct item *next, **pprev; }; static struct item *head;
    void add(struct item *t) {
      t->next = head; if (head) head->pprev = &t->next; head = t; t->pprev = &head; }`,
    { head: 8 },
  ],
])('%s', (_, text, expected) => {
  expect(leads(text)).toEqual(expected);
});

test.each([
  [
    'links begin the structure',
    `${ring.replace('int id; struct list_head run;', 'struct list_head run; int id;')} ${add}`,
  ],
  [
    'the address is not passed on',
    `${ring.replace('{ &tasks, &tasks }', '{ 0, 0 }')} void *first(void) { return tasks.next; }`,
  ],
  ['clients can name it', `${ring.replace('static', '')} ${add}`],
  ['a pointer is made a number', `${ring} ${add} unsigned long at(void *p) { return (unsigned long)p; }`],
  ['pointers are in order', `${ring} ${add} int before(char *p, char *q) { return p < q; }`],
  ['a library function reads through a pointer', `${ring} ${add} int known(char *p) { return getenv(p) != 0; }`],
  [
    'a pointer is a number from the beginning',
    `${ring} ${add} static unsigned long at = (unsigned long)&tasks;
    unsigned long where(void) { return at; }`,
  ],
  [
    'a library function gets a place',
    `#include <stdio.h>\n${ring} ${add} int say(void) { return puts((char *)&tasks - 8); }`,
  ],
  [
    'a library function finds a pointer among its arguments',
    `#include <stdio.h>\n${ring} ${add} int say(void) { return printf("%s", (char *)tasks.next); }`,
  ],
  [
    'two structures have the links at different places',
    `${ring} ${add} struct other { long a, b; struct list_head run; };
    void also(struct other *o) { o->run.next = &tasks; tasks.prev = &o->run; }`,
  ],
])('none where %s', (_, text) => {
  expect(leads(text)).toEqual({});
});

test('none of a name that a probe mentions', () => {
  expect(leads(`${ring} ${add}`, ['tasks'])).toEqual({});
});

const functions = `
  #include <stddef.h>
  #include <stdlib.h>
  ${ring}
  #define task_of(p) ((struct task *)((char *)(p) - offsetof(struct task, run)))
  int add(int id) {
    struct task *t = malloc(sizeof *t);
    t->id = id;
    t->run.next = &tasks;
    t->run.prev = tasks.prev;
    tasks.prev->next = &t->run;
    tasks.prev = &t->run;
    return 0;
  }
  int drop(int id) {
    for (struct list_head *p = tasks.next; p != &tasks; p = p->next)
      if (task_of(p)->id == id) {
        p->prev->next = p->next;
        p->next->prev = p->prev;
        free(task_of(p));
        return 1;
      }
    return 0;
  }
  int first(int n) { return n > 2 || tasks.next != &tasks ? task_of(tasks.next)->id : -1; }
  int stale(int id) {
    struct list_head *p = tasks.prev;
    if (p != &tasks) free(task_of(p));
    return id;
  }
  int beyond(int n) { struct list_head *p = tasks.next; return p[n].next == &tasks; }
  int distance(int n) { struct list_head *p = &tasks + (n & 1); return (int)(p - &tasks); }
  int wrong(int n) { if (n == 4) free(tasks.next); return n; }`;

test('both programs compute the same, and fail at the same checks', () => {
  const programs = [loaded(functions), loaded(functions, [])];
  expect(programs.map(({ objects }) => objects.map(({ leadBytes }) => leadBytes))).toEqual([[undefined], [8]]);
  const names = ['add', 'drop', 'first', 'stale', 'beyond', 'distance', 'wrong'] as const;
  const kinds = new Set<string>();
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.constantFrom(...names), fc.integer({ min: -1, max: 4 })), { maxLength: 10 }),
      (calls) => {
        const [before, after] = programs.map((program) => {
          const machine = new Machine(program);
          const results: string[] = [];
          for (const [name, value] of calls) {
            const outcome = machine.call(program.functionByName.get(name)!, [value]);
            if (outcome.kind === 'returned') results.push(String(outcome.value));
            else if (outcome.kind === 'fault') {
              const { check, span, message } = outcome.fault;
              kinds.add(check);
              results.push(`${check} ${span.start} ${message}`);
              break;
            } else throw new Error(outcome.kind);
          }
          return results;
        });
        expect(after).toEqual(before);
      },
    ),
    { numRuns: 300 },
  );
  expect([...kinds].sort()).toEqual(['dereference', 'invalid-free']);
});
