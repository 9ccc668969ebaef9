/** Failures behind conventions of clients: those that break one are excused, and those that keep it are still found. */
import { verify, type Verdict } from '../../../src';
import { file, task } from '../task';
import { errors, specifications } from './lists';
import { inLongForm } from '../../long';

jest.setTimeout(240_000);

const ask = (text: string): Promise<Verdict> =>
  verify(
    task(file(text), {
      angelic: true,
      furtherChecks: 'to the end',
      properties: ['memsafety'],
      budget: { milliseconds: 12_000 },
    }),
  );
const stated = (verdict: Verdict, word: string): readonly string[] =>
  specifications(verdict).filter((one) => one.includes(word));

/** `emptied`: what clearing does to the pointer. */
const store = (emptied: string): string => `#include <stdlib.h>
struct store { int *items; unsigned used; };
void store_init(struct store *s) { if (!s) return; s->items = malloc(4 * sizeof *s->items); s->used = 0; }
void store_put(struct store *s, int item) { if (s && s->items && s->used < 4) s->items[s->used++] = item; }
int store_first(const struct store *s) { return s && s->used ? s->items[0] : 0; }
void store_clear(struct store *s) { if (!s) return; ${emptied} }
void store_close(struct store *s) { if (s) free(s->items); }`;

test('a use after closing is excused, and one after clearing is found at the same line', async () => {
  const right = await ask(store('s->used = 0;'));
  expect(errors(right)).toEqual([]);
  expect(stated(right, 'after store_close').length).toBeGreaterThan(0);
  const wrong = await ask(store('free(s->items);'));
  expect(errors(wrong).join()).toContain('use after free');
});

/** `behind`: what taking out the last message does to the tail. */
const bus = (behind: string): string => `#include <stdlib.h>
struct message { struct message *next; unsigned length; };
struct bus { struct message *head, *tail; };
void bus_init(struct bus *b) { if (b) b->head = b->tail = NULL; }
int bus_send(struct bus *b, unsigned length) {
  struct message *m;
  if (!b) return -1;
  m = malloc(sizeof *m);
  if (!m) return -1;
  m->length = length;
  m->next = NULL;
  if (b->tail) b->tail->next = m; else b->head = m;
  b->tail = m;
  return 0;
}
int bus_receive(struct bus *b) {
  struct message *m;
  int length;
  if (!b || !b->head) return -1;
  m = b->head;
  length = (int)(m->length & 255);
  b->head = m->next;
  ${behind}
  free(m);
  return length;
}
void bus_close(struct bus *b) {
  if (!b) return;
  while (b->head) { struct message *m = b->head; b->head = m->next; free(m); }
}`;

inLongForm('a tail that stays behind is no matter of clients', async () => {
  const wrong = await ask(bus(''));
  expect(errors(wrong).join()).toContain('use after free: b->tail->next');
  expect(stated(wrong, 'PROVEST_SAME_OBJECT')).toEqual([]);
  const right = await ask(bus('if (!b->head) b->tail = NULL;'));
  expect(errors(right)).toEqual([]);
});
