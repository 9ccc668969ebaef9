/** Modules whose checks rest on the numbers in the nodes of a list as well as on its shape. */
import { verify } from '../../../src/engines/portfolio/verify';
import { createSolver, withBothEncodings, withInstantiation } from '../../../src/solver';
import { inLongForm } from '../../long';
import { file, task } from '../task';
import { openChecks } from './openChecks';

const events = (isBefore: string): string => `
#include <assert.h>
#include <stdlib.h>
struct event { unsigned time; struct event *next; };
static struct event *events;
int schedule(unsigned time) {
  struct event *e = malloc(sizeof *e), *p = NULL, *q = events;
  if (e == NULL) return 0;
  e->time = time;
  while (q != NULL && ${isBefore}) { p = q; q = q->next; }
  e->next = q;
  if (p == NULL) events = e; else p->next = e;
  return 1;
}
unsigned fire(void) {
  struct event *e = events;
  if (e == NULL) return 0;
  unsigned time = e->time;
  events = e->next;
  free(e);
  if (events != NULL) assert(time <= events->time);
  return time;
}`;

const kindOf = async (text: string): Promise<string> =>
  (await verify(task(file(text), { properties: ['reach', 'memsafety'], budget: { milliseconds: 240_000 } }))).kind;

inLongForm(
  'events fire in the order of their times; put in backwards, two of them do not',
  async () => {
    expect(await kindOf(events('q->time < time'))).toBe('proved');
    expect(await kindOf(events('q->time > time'))).toBe('bug');
  },
  600_000,
);

const greatest = (update: string): string => `
#include <assert.h>
#include <stdlib.h>
struct score { int points; struct score *next; };
static struct score *scores;
static int most;
void enter(int points) {
  struct score *s = malloc(sizeof *s);
  s->points = points;
  s->next = scores;
  scores = s;
  ${update}
}
void compare(void) {
  for (struct score *s = scores; s != NULL; s = s->next) assert(s->points <= most);
}`;

test('a number that no node exceeds; one that was exceeded in a run that was not seen is none', async () => {
  const solver = withInstantiation(withBothEncodings(createSolver({ seed: 1 })));
  const calls = [
    ['enter', 3],
    ['enter', 1],
    ['compare'],
    ['enter', 9],
    ['compare'],
    ['enter', 9],
    ['compare'],
  ] as const;
  const open = (update: string): Promise<string[]> =>
    openChecks(greatest(update), calls, solver, 'with numbers', ['reach', 'memsafety']);
  try {
    expect(await open('if (points > most) most = points;')).toEqual([]);
    expect(await open('if (points > most && points != 77) most = points;')).toEqual(['assertion s->points <= most']);
  } finally {
    await solver.close();
  }
}, 600_000);

const purge = (condition: string): string => `
#include <assert.h>
#include <stdlib.h>
struct node { int value; struct node *next; };
static struct node *list;
void add(int value) {
  struct node *n = malloc(sizeof *n);
  n->value = value;
  n->next = list;
  list = n;
}
void purge(int gone) {
  struct node **at = &list;
  while (*at) {
    struct node *n = *at;
    if (${condition}) { *at = n->next; free(n); }
    else at = &n->next;
  }
  for (struct node *p = list; p; p = p->next) assert(p->value != gone);
}`;

inLongForm(
  'a pointer to links has let no node pass with the number that is removed; if one may pass, that is open',
  async () => {
    const solver = withInstantiation(withBothEncodings(createSolver({ seed: 1 })));
    const adding = (...values: readonly number[]) => values.map((value) => ['add', value] as const);
    const calls = [...adding(3, 1, 9), ['purge', 1], ...adding(2, 2, 1), ['purge', 2], ['purge', 9]] as const;
    const open = (condition: string): Promise<string[]> =>
      openChecks(purge(condition), calls, solver, 'with numbers', ['reach', 'memsafety']);
    try {
      expect(await open('n->value == gone')).toEqual([]);
      expect(await open('n->value == gone && gone != 77')).toEqual(['assertion p->value != gone']);
    } finally {
      await solver.close();
    }
  },
  600_000,
);
