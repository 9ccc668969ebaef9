/**
 * Lists as libraries keep them, in modules that own one: with a way from the first node to the last, appended to before
 * the new node's link is written, searched for a node that the caller has, with a look at the node after the next, and
 * with a head that is chosen. In twins a check that fails must stay open although no failing run is known.
 */
import { withBothEncodings, createSolver, withInstantiation } from '../../../src/solver';
import type { Solver } from '../../../src/solver/solver';
import { openChecks } from './openChecks';
import { inLongForm } from '../../long';

let solver: Solver;
beforeAll(() => {
  solver = withInstantiation(withBothEncodings(createSolver({ seed: 1 })));
});
afterAll(() => solver.close());

const withLeaks = ['reach', 'memsafety', 'leak'] as const;
const open = (text: string, calls: Parameters<typeof openChecks>[1]): Promise<string[]> =>
  openChecks(`#include <stdlib.h>\n${text}`, calls, solver, 'all', withLeaks);

inLongForm(
  'prev of the first node leads to the last',
  async () => {
    const queue = (behind: string): string => `
struct job { int id; struct job *prev, *next; };
static struct job *first;
void append(int id) {
  struct job *j = malloc(sizeof *j);
  j->id = id;
  if (first != NULL) {
    j->prev = first->prev;
    first->prev->next = j;
    first->prev = j;
    j->next = NULL;
  } else {
    first = j;
    j->prev = j;
    j->next = NULL;
  }
}
void cancel(int id) {
  struct job *j = first;
  while (j != NULL && j->id != id) j = j->next;
  if (j == NULL) return;
  if (j->prev == j) first = NULL;
  else if (j == first) {
    j->next->prev = j->prev;
    first = j->next;
  } else {
    j->prev->next = j->next;
    ${behind}
  }
  free(j);
}`;
    const calls = [1, 2, 3, 4].map((id) => ['append', id] as const);
    const all = [...calls, ['cancel', 2], ['cancel', 9], ['cancel', 1], ['append', 5], ['cancel', 3]] as const;
    const right = 'if (j->next != NULL) j->next->prev = j->prev; else first->prev = j->prev;';
    expect(await open(queue(right), [...all, ['cancel', 5], ['cancel', 4]])).toEqual([]);
    // After the last node was cancelled the first one still leads to it.
    const stale = await open(queue('if (j->next != NULL) j->next->prev = j->prev;'), all);
    expect(stale).toEqual(expect.arrayContaining(['dereference first->prev->next']));
  },
  900_000,
);

test('a new node that the last one leads to before its link is written', async () => {
  const log = (end: string): string => `
struct line { int number; struct line *next; };
static struct line *lines, *last;
void add(int number) {
  if (lines == NULL) {
    lines = malloc(sizeof *lines);
    last = lines;
  } else {
    last->next = malloc(sizeof *last);
    last = last->next;
  }
  last->number = number;
  ${end}
}
int find(int number) {
  for (struct line *l = lines; l != NULL; l = l->next) if (l->number == number) return 1;
  return 0;
}
void clear(void) {
  while (lines != NULL) { struct line *l = lines; lines = l->next; free(l); }
  last = NULL;
}`;
  const calls = [1, 2, 3].map((number) => ['add', number] as const);
  expect(await open(log('last->next = NULL;'), [...calls, ['find', 2], ['find', 9], ['clear'], ...calls])).toEqual([]);
  // A number that was not seen leaves the link of the last node as it was allocated.
  const unwritten = await open(log('if (number != 77) last->next = NULL;'), [
    ...calls,
    ['find', 9],
    ['clear'],
    ...calls,
  ]);
  expect(unwritten).toEqual(expect.arrayContaining(['dereference l->number', 'invalid-free l']));
}, 900_000);

const pool = (remove: string): string => `
struct item { struct item *next; int id; };
static struct item *all;
static void removed(struct item *item) {
  struct item *before = NULL;
  for (struct item *i = all; i != NULL; i = i->next) {
    if (i == item) {
      if (before == NULL) all = i->next; else before->next = i->next;
      return;
    }
    before = i;
  }
}
static void pushed(struct item *item) {
  removed(item);
  item->next = all;
  all = item;
}
void add(int id) {
  struct item *i = malloc(sizeof *i);
  i->id = id;
  pushed(i);
}
void again(int id) {
  for (struct item *i = all; i != NULL; i = i->next) if (i->id == id) { ${remove} return; }
}
int drop_last(void) {
  if (all == NULL) return -1;
  if (all->next == NULL) { free(all); all = NULL; return 0; }
  struct item *i;
  for (i = all; i->next->next != NULL; i = i->next);
  free(i->next);
  i->next = NULL;
  return 1;
}`;

inLongForm(
  'a node that may be on the list is taken out before it is put in front',
  async () => {
    const calls = [1, 2, 3].map((id) => ['add', id] as const);
    const all = [
      ...calls,
      ['again', 2],
      ['again', 1],
      ['again', 9],
      ['drop_last'],
      ['drop_last'],
      ['drop_last'],
    ] as const;
    expect(await open(pool('pushed(i);'), [...all, ['drop_last']])).toEqual([]);
    const ring = await open(pool('if (id == 77) { i->next = all; all = i; } else pushed(i);'), all);
    expect(ring).toEqual(expect.arrayContaining(['invalid-free i->next']));
  },
  900_000,
);

inLongForm(
  'the head of the list is chosen',
  async () => {
    const two = (link: string): string => `
struct event { int at; struct event *next; };
static struct event *soon, *late;
void plan(int at) {
  struct event *e = malloc(sizeof *e);
  struct event **link = at > 9 ? &late : &soon;
  while (*link != NULL && (*link)->at < at) link = &(*link)->next;
  e->at = at;
  e->next = *link;
  ${link}
}
int cancel(int at) {
  struct event **link = &soon;
  if (at > 9) link = &late;
  for (; *link != NULL; link = &(*link)->next) {
    struct event *e = *link;
    if (e->at == at) { *link = e->next; free(e); return 1; }
  }
  return 0;
}`;
    const times = [3, 12, 1, 15, 11, 2];
    const calls = [...times.map((at) => ['plan', at] as const), ...[1, 15, 9, 12].map((at) => ['cancel', at] as const)];
    expect(await open(two('*link = e;'), calls)).toEqual([]);
    const both = await open(two('*link = e; if (at == 77) soon = e;'), calls);
    expect(both).toEqual(expect.arrayContaining(['dereference e->at', 'invalid-free e']));
  },
  900_000,
);
