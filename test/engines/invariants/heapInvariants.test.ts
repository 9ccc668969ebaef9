/**
 * Facts about all live objects that a module allocated, and what they carry: proofs of what a module does with its
 * handles.
 */
import { verify } from '../../../src';
import { isLong, inLongForm } from '../../long';
import { file, task } from '../task';

const account = (spend: string): string => `
#include <assert.h>
#include <stdlib.h>
struct account { int limit, used; };
struct account *account_new(int limit) {
  if (limit <= 0 || limit > 1000) return NULL;
  struct account *a = malloc(sizeof *a);
  a->limit = limit;
  a->used = 0;
  return a;
}
void account_free(struct account *a) { free(a); }
int account_spend(struct account *a, int n) { ${spend} }
int account_used(const struct account *a) {
  if (!a) return 0;
  assert(a->used <= a->limit);
  return 100 * a->used / a->limit;
}
`;
const checked = 'if (!a || n < 0 || n > a->limit - a->used) return 0; a->used += n; return 1;';
const patient = { budget: { milliseconds: 150_000 } };
/** Wrong claims are not proved in any time. */
const brief = { budget: { milliseconds: isLong ? 30_000 : 8_000 } };

inLongForm(
  'what every handle keeps is found and proved, and says what it takes of clients',
  async () => {
    const verdict = await verify(task(file(account(checked)), patient));
    expect(verdict.kind).toBe('proved');
    expect(verdict.assumptions.join('\n')).toMatch(/clients get every struct account from the module/);
    if (verdict.kind === 'proved')
      expect(verdict.invariants.map(({ formula }) => formula).join('\n')).toContain(
        '(for every live struct account *_object: _object->used <= _object->limit)',
      );
  },
  200_000,
);

test('what one call breaks of it is not', async () => {
  const verdict = await verify(task(file(account(checked.replace('n > a->limit - a->used', 'n > a->limit'))), brief));
  expect(verdict.kind).not.toBe('proved');
}, 100_000);

test('nor what the module hands out before it keeps it, or takes from a client', async () => {
  const early = account(checked).replace('a->used = 0;', 'if (limit != 7) a->used = 0;');
  expect((await verify(task(file(early), brief))).kind).not.toBe('proved');
  const copied = `${account(checked)} int account_left(struct account a) { return 100 / a.limit; }`;
  expect((await verify(task(file(copied), brief))).kind).not.toBe('proved');
  const told = `${account(checked)} void account_limit(struct account *a, int n) { if (a) a->limit = n; }`;
  expect((await verify(task(file(told), brief))).kind).not.toBe('proved');
}, 200_000);

inLongForm(
  "a buffer of the client's that a structure keeps with its size",
  async () => {
    const ring = (full: string): string => `
#include <stddef.h>
#include <provest.h>
struct ring { unsigned char *buf; size_t size, head, count; };
void ring_init(struct ring *r, unsigned char *buf, size_t size) {
  PROVEST_REQUIRES(r != NULL && size > 0 && PROVEST_LENGTH(buf) >= size);
  r->buf = buf; r->size = size; r->head = 0; r->count = 0;
}
int ring_put(struct ring *r, unsigned char b) {
  if (!r || ${full}) return 0;
  size_t at = r->head + r->count;
  if (at >= r->size) at -= r->size;
  r->buf[at] = b;
  r->count++;
  return 1;
}
`;
    const options = { ...patient, initialisedBy: [{ type: 'ring', functions: ['ring_init'] }] };
    expect((await verify(task(file(ring('r->count == r->size')), options))).kind).toBe('proved');
    expect((await verify(task(file(ring('r->count > 2 * r->size')), options))).kind).toBe('bug');
  },
  200_000,
);

test('a buffer that is kept with its length may be none of length 0', async () => {
  const text = (kept: string): string => `
#include <stddef.h>
#include <provest.h>
struct span { unsigned short *words; unsigned length; };
void span_init(struct span *s, unsigned short *words, unsigned length) {
  PROVEST_REQUIRES(s != NULL && PROVEST_LENGTH(words) >= length);
  s->words = words; s->length = ${kept};
}
int span_get(const struct span *s, unsigned i) { return !s || i >= s->length ? -1 : s->words[i]; }
`;
  const options = { ...patient, initialisedBy: [{ type: 'span', functions: ['span_init'] }] };
  expect((await verify(task(file(text('length')), options))).kind).toBe('proved');
  expect((await verify(task(file(text('length + (length < 9)')), options))).kind).toBe('bug');
}, 200_000);

describe('of a list that a program makes in a loop', () => {
  const list = (content: string, freed: string): string => `
#include <assert.h>
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
struct cell { int content; struct cell *rest; };
int main(void) {
  struct cell *first = 0;
  for (int i = 0; i < 100 && __VERIFIER_nondet_int(); i++) {
    struct cell *cell = malloc(sizeof *cell);
    cell->content = ${content};
    cell->rest = first;
    first = cell;
  }
  for (struct cell *cell = first; cell; cell = cell->rest) assert(cell->content >= 0);
  while (first) { ${freed} }
  return 0;
}
`;
  const inOrder = 'struct cell *rest = first->rest; free(first); first = rest;';
  const answer = (text: string, options = patient) => verify(task(file(text), { mode: 'program', ...options }));

  inLongForm(
    'what is in every cell, and that each is freed once',
    async () => {
      const verdict = await answer(list('i', inOrder));
      expect(verdict.kind).toBe('proved');
      if (verdict.kind === 'proved')
        expect(verdict.invariants.map(({ formula }) => formula).join('\n')).toContain(
          'for every live struct cell *_object',
        );
    },
    200_000,
  );

  test('not when a cell is made differently, or looked at when it is freed', async () => {
    expect((await answer(list('i == 60 ? -1 : i', inOrder), brief)).kind).not.toBe('proved');
    expect(await answer(list('i', 'free(first); first = first->rest;'))).toMatchObject({ kind: 'bug' });
  }, 200_000);
});

describe('a set of bits in words', () => {
  const bits = (words: string): string => `
#include <stdint.h>
#include <stdlib.h>
struct bits { size_t count; uint32_t *words; };
struct bits *bits_new(size_t count) {
  if (count == 0 || count > 4096) return NULL;
  struct bits *b = malloc(sizeof *b);
  b->count = count;
  b->words = calloc(${words}, sizeof(uint32_t));
  return b;
}
int bits_set(struct bits *b, size_t i) {
  if (!b || i >= b->count) return 0;
  b->words[i / 32] |= 1u << i % 32;
  return 1;
}`;

  inLongForm(
    'has as many as hold them',
    async () => {
      expect((await verify(task(file(bits('(count + 31) / 32')), patient))).kind).toBe('proved');
    },
    200_000,
  );

  test('is not proved with one fewer', async () => {
    expect((await verify(task(file(bits('count / 32 + (count == 1)')), brief))).kind).not.toBe('proved');
  }, 100_000);
});
