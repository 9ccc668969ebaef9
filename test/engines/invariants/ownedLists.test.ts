/**
 * Modules that own lists behind static variables, proved by facts about reachability alone that hold between all calls.
 * In their twins the check that fails must stay open although no failing run is known.
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

const open = (body: string, calls: Parameters<typeof openChecks>[1]): Promise<string[]> =>
  openChecks(`#include <stdlib.h>\nstruct node { int value; struct node *next; };\n${body}`, calls, solver);

const push = `
static struct node *head;
void push(int value) {
  struct node *t = malloc(sizeof *t);
  t->value = value;
  t->next = head;
  head = t;
}`;

test('a stack: push, pop, search and clear', async () => {
  const stack = (pop: string): string => `${push}
int pop(void) {
  struct node *t = head;
  if (t == NULL) return -1;
  int value = t->value;
  ${pop}
  free(t);
  return value;
}
int contains(int value) {
  for (struct node *p = head; p != NULL; p = p->next) if (p->value == value) return 1;
  return 0;
}
void clear(void) {
  while (head != NULL) { struct node *t = head->next; free(head); head = t; }
}`;
  expect(await open(stack('head = t->next;'), [])).toEqual([]);
  const dangling = await open(stack(''), []);
  expect(dangling).toEqual(expect.arrayContaining(['dereference t->value', 'dereference p->value', 'invalid-free t']));
}, 900_000);

inLongForm(
  'nodes are removed while the list is walked',
  async () => {
    const purge = (remove: string): string => `${push}
void purge(void) {
  struct node *p = head, *prev = NULL;
  while (p != NULL) {
    struct node *next = p->next;
    if (p->value < 0) {
      ${remove}
      free(p);
    } else {
      prev = p;
    }
    p = next;
  }
}`;
    const calls = [1, -1, 2, -2, -3, 3].flatMap((value) => [['push', value] as const, ['purge'] as const]);
    expect(await open(purge('if (prev != NULL) prev->next = next; else head = next;'), calls)).toEqual([]);
    expect(await open(purge('if (prev != NULL) prev->next = next;'), [['push', 1], ['purge']])).toEqual(
      expect.arrayContaining(['dereference p->value', 'invalid-free p']),
    );
  },
  900_000,
);

inLongForm(
  'a queue with a tail',
  async () => {
    const queue = (emptied: string): string => `
static struct node *head, *tail;
void put(int value) {
  struct node *t = malloc(sizeof *t);
  t->value = value;
  t->next = NULL;
  if (tail != NULL) tail->next = t; else head = t;
  tail = t;
}
int get(void) {
  struct node *t = head;
  if (t == NULL) return -1;
  int value = t->value;
  head = t->next;
  ${emptied}
  free(t);
  return value;
}`;
    const calls = [
      ['put', 1],
      ['put', 2],
      ['get'],
      ['put', 3],
      ['put', 4],
      ['get'],
      ['get'],
      ['get'],
      ['put', 1],
    ] as const;
    expect(await open(queue('if (head == NULL) tail = NULL;'), calls)).toEqual([]);
    expect(await open(queue(''), [['put', 1], ['put', 2], ['get']])).toContain('dereference tail->next');
  },
  900_000,
);

inLongForm(
  'a free list beside the list in use',
  async () => {
    const lists = (give: string): string => `
static struct node *active, *spare;
void take(int value) {
  struct node *t = spare;
  if (t != NULL) spare = t->next; else t = malloc(sizeof *t);
  t->value = value;
  t->next = active;
  active = t;
}
void give(void) {
  struct node *t = active;
  if (t == NULL) return;
  ${give}
  t->next = spare;
  spare = t;
}
void drain(void) {
  while (spare != NULL) { struct node *t = spare; spare = t->next; free(t); }
}
int first(void) { return active == NULL ? 0 : active->value; }`;
    const calls = [
      ['take', 1],
      ['take', 2],
      ['take', 3],
      ['give'],
      ['give'],
      ['take', 4],
      ['drain'],
      ['give'],
    ] as const;
    expect(await open(lists('active = t->next;'), calls)).toEqual([]);
    expect(await open(lists(''), [['take', 1]])).toContain('dereference active->value');
  },
  900_000,
);

inLongForm(
  'nodes are removed and appended through pointers to links',
  async () => {
    const through = (remove: string): string => `${push}
int drop(int value) {
  struct node **link = &head;
  while (*link != NULL) {
    struct node *t = *link;
    if (t->value == value) { ${remove} return 1; }
    link = &t->next;
  }
  return 0;
}
void append(int value) {
  struct node **link, *t = malloc(sizeof *t);
  t->value = value;
  t->next = NULL;
  for (link = &head; *link != NULL; link = &(*link)->next);
  *link = t;
}`;
    const calls = [
      ...[3, 2, 1].map((value) => ['push', value] as const),
      ...[2, 7, 3].map((value) => ['drop', value] as const),
      ...[4, 5].map((value) => ['append', value] as const),
      ...[1, 5].map((value) => ['drop', value] as const),
    ];
    expect(await open(through('*link = t->next; free(t);'), calls)).toEqual([]);
    expect(await open(through('free(t);'), [['push', 1]])).toEqual(
      expect.arrayContaining(['dereference t->value', 'invalid-free t']),
    );
  },
  900_000,
);
