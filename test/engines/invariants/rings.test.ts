/**
 * Rings through a head that is a variable, and queues with pointers back to links, proved by facts about reachability
 * alone. In their twins the check that fails must stay open although no failing run is known.
 */
import { withBothEncodings, createSolver, withInstantiation } from '../../../src/solver';
import type { Solver } from '../../../src/solver/solver';
import { inLongForm } from '../../long';
import { openChecks } from './openChecks';

let solver: Solver;
beforeAll(() => {
  solver = withInstantiation(withBothEncodings(createSolver({ seed: 1 })));
});
afterAll(() => solver.close());

const open = (
  body: string,
  calls: Parameters<typeof openChecks>[1],
  tried?: Parameters<typeof openChecks>[3],
): Promise<string[]> => openChecks(`#include <stddef.h>\n#include <stdlib.h>\n${body}`, calls, solver, tried);

const single = (remove: string): string => `
struct node { int value; struct node *next; };
static struct node head = { 0, &head };
void add(int value) {
  struct node *t = malloc(sizeof *t);
  t->value = value;
  t->next = head.next;
  head.next = t;
}
void drop(void) {
  struct node *t = head.next;
  if (t == &head) return;
  ${remove}
  free(t);
}`;

inLongForm(
  'a ring of single links',
  async () => {
    expect(await open(single('head.next = t->next;'), [['add', 1], ['add', 2], ['drop'], ['drop'], ['drop']])).toEqual(
      [],
    );
    expect(await open(single(''), [['add', 1]])).toEqual(['invalid-free t']);
  },
  300_000,
);

const double = (mend: string): string => `
struct link { struct link *next, *prev; };
static struct link head = { &head, &head };
void add(void) {
  struct link *t = malloc(sizeof *t);
  t->next = head.next;
  t->prev = &head;
  head.next->prev = t;
  head.next = t;
}
int drop(int n) {
  struct link *p = head.next;
  while (p != &head && n-- > 0) p = p->next;
  if (p == &head) return 0;
  p->prev->next = p->next;
  ${mend}
  free(p);
  return 1;
}`;
const calls = [['add'], ['drop', 0], ['add'], ['add'], ['add'], ['drop', 1], ['drop', 1], ['drop', 5]] as const;

inLongForm(
  'a ring of double links, from which any node is taken out',
  async () => {
    expect(await open(double('p->next->prev = p->prev;'), calls)).toEqual([]);
    expect(await open(double(''), [['add']])).toEqual(expect.arrayContaining(['dereference p->prev->next']));
  },
  900_000,
);

const tasks = (guard: string): string => `
struct list_head { struct list_head *next, *prev; };
struct task { int id; struct list_head run; };
static struct list_head tasks = { &tasks, &tasks };
#define task_of(p) ((struct task *)((char *)(p) - offsetof(struct task, run)))
void start(int id) {
  struct task *t = malloc(sizeof *t);
  t->id = id;
  t->run.next = &tasks;
  t->run.prev = tasks.prev;
  tasks.prev->next = &t->run;
  tasks.prev = &t->run;
}
int first(void) {
  ${guard}
  return task_of(tasks.next)->id;
}`;

test('a ring of members, with a head that is no structure of that kind', async () => {
  const some = [['start', 1], ['first'], ['start', 2], ['first']] as const;
  expect(await open(tasks('if (tasks.next == &tasks) return -1;'), some)).toEqual([]);
  expect(await open(tasks(''), some)).toEqual(['dereference task_of(tasks.next)->id']);
}, 300_000);

test('the head of a ring may lie behind the end of another object', async () => {
  const text = tasks('if (tasks.next == &tasks) return -1;');
  const compared = `${text}
static int before[2];
int behind(void) {
  before[0]++;
  assert((void *)(before + 2) != (void *)&tasks);
  return (void *)before == (void *)&tasks;
}`;
  expect(await open(`#include <assert.h>\n${compared}`, [['start', 1], ['behind']], 'none')).toContain(
    'assertion (void *)(before + 2) != (void *)&tasks',
  );
}, 300_000);

const jobs = (order: string): string => `
struct job { void (*run)(int); int value; struct job *next; };
static struct job *jobs;
static int sum;
static void count(int n) { sum = n; }
static void clear(int n) { sum = -n; }
void submit(int kind, int value) {
  struct job *t = malloc(sizeof *t);
  t->run = kind ? count : ${order};
  t->value = value;
  t->next = jobs;
  jobs = t;
}
void step(void) {
  struct job *t = jobs;
  if (t == NULL) return;
  jobs = t->next;
  t->run(t->value);
  free(t);
}`;

inLongForm(
  'functions that nodes point to can be called',
  async () => {
    const some = [['submit', 1, 1], ['submit', 1, 2], ['step'], ['step']] as const;
    expect(await open(jobs('clear'), some)).toEqual([]);
    expect(await open(jobs('NULL'), some)).toEqual(['invalid-call t->run(t->value)']);
  },
  300_000,
);
