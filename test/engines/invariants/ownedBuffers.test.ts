/**
 * Buffers that each structure owns and makes larger: growable arrays and queues are proved, and mistakes in them and in
 * texts are the first failure that is reported.
 */
import { verify, type Verdict } from '../../../src';
import { inLongForm } from '../../long';
import { file, task } from '../task';

const answer = (text: string, type: string, setUp: string): Promise<Verdict> =>
  verify(
    task(file(text), {
      budget: { milliseconds: 150_000 },
      initialisedBy: [{ type: `struct ${type}`, functions: [setUp] }],
    }),
  );

const message = (verdict: Verdict): string =>
  verdict.kind === 'bug' ? verdict.counterexample.failure.message : verdict.kind;

describe('a growable array', () => {
  const array = (full: string, grow: string): string => `
#include <stdlib.h>
#include <provest.h>
struct array { int *data; size_t size, cap; };
void array_init(struct array *a) { PROVEST_REQUIRES(a != NULL); a->data = NULL; a->size = 0; a->cap = 0; }
void array_free(struct array *a) {
  PROVEST_REQUIRES(a != NULL);
  free(a->data); a->data = NULL; a->size = a->cap = 0;
}
int array_push(struct array *a, int value) {
  PROVEST_REQUIRES(a != NULL);
  if (${full}) {
    size_t cap = a->cap ? a->cap * 2 : 8;
    ${grow}
    a->cap = cap;
  }
  a->data[a->size++] = value;
  return 1;
}
int array_get(const struct array *a, size_t i) {
  PROVEST_REQUIRES(a != NULL);
  return i < a->size ? a->data[i] : 0;
}
`;
  const grow = 'int *data = realloc(a->data, cap * sizeof *data); if (!data) return 0; a->data = data;';

  inLongForm(
    'is proved',
    async () => {
      const verdict = await answer(array('a->size == a->cap', grow), 'array', 'array_init');
      expect(verdict.kind).toBe('proved');
    },
    200_000,
  );

  test.each([
    ['does not grow in time', 'a->size > a->cap', grow, /null pointer/],
    ['is a byte short', 'a->size == a->cap', grow.replace('sizeof *data', 'sizeof *data - 1'), /out of bounds/],
    ['keeps the block that was freed', 'a->size == a->cap', grow.replace(/a->data = data;$/, ''), /null|freed/],
  ])(
    '%s: a bug',
    async (_, full, growing, expected) => {
      expect(message(await answer(array(full, growing), 'array', 'array_init'))).toMatch(expected);
    },
    100_000,
  );
});

describe('a text that grows', () => {
  const text = (need: string): string => `
#include <stdlib.h>
#include <string.h>
#include <provest.h>
struct text { char *buf; size_t len, cap; };
void text_init(struct text *t) {
  PROVEST_REQUIRES(t != NULL);
  t->buf = malloc(16); t->cap = 16; t->len = 0; t->buf[0] = 0;
}
static int reserve(struct text *t, size_t extra) {
  size_t need = ${need};
  if (need <= t->cap) return 0;
  size_t cap = t->cap;
  while (cap < need) cap *= 2;
  char *buf = realloc(t->buf, cap);
  if (!buf) return -1;
  t->buf = buf;
  t->cap = cap;
  return 0;
}
int text_add(struct text *t, const char *more) {
  PROVEST_REQUIRES(t != NULL && PROVEST_TERMINATED(more));
  size_t n = strlen(more);
  if (reserve(t, n) < 0) return -1;
  memcpy(t->buf + t->len, more, n);
  t->len += n;
  t->buf[t->len] = 0;
  return 0;
}
`;

  test('without room for its end: a bug', async () => {
    expect(message(await answer(text('t->len + extra'), 'text', 'text_init'))).toMatch(/out of bounds/);
  }, 100_000);
});

describe('a queue that grows', () => {
  const queue = (count: string): string => `
#include <stdlib.h>
#include <provest.h>
struct queue { int *data; size_t head, count, cap; };
void queue_init(struct queue *q) {
  PROVEST_REQUIRES(q != NULL);
  q->data = NULL; q->head = q->count = q->cap = 0;
}
static int grow(struct queue *q) {
  size_t cap = q->cap ? q->cap * 2 : 8;
  int *data = malloc(${count} * sizeof(int));
  if (!data) return 0;
  for (size_t i = 0; i < q->count; i++) data[i] = q->data[(q->head + i) % q->cap];
  free(q->data);
  q->data = data;
  q->head = 0;
  q->cap = cap;
  return 1;
}
int queue_put(struct queue *q, int x) {
  PROVEST_REQUIRES(q != NULL);
  if (q->count == q->cap && !grow(q)) return 0;
  q->data[(q->head + q->count) % q->cap] = x;
  q->count++;
  return 1;
}
int queue_get(struct queue *q) {
  PROVEST_REQUIRES(q != NULL);
  if (q->count == 0) return -1;
  int x = q->data[q->head];
  q->head = (q->head + 1) % q->cap;
  q->count--;
  return x;
}
`;

  inLongForm(
    'is proved',
    async () => {
      expect((await answer(queue('cap'), 'queue', 'queue_init')).kind).toBe('proved');
    },
    200_000,
  );

  test('into a block as small as the old one: a bug', async () => {
    expect(message(await answer(queue('(q->cap ? q->cap : 8)'), 'queue', 'queue_init'))).toMatch(/out of bounds/);
  }, 100_000);
});
