/** Modules whose checks rest on the numbers in the nodes of a list as well as on its shape. */
import { verify } from '../../../src/engines/portfolio/verify';
import { inLongForm } from '../../long';
import { file, task } from '../task';

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
