/** Cures of one given failure by experiment, without a search for the failure. */
import { curesOf } from '../../../src/engines/angelic/cures';
import { type Specification, specificationText } from '../../../src/engines/angelic/specifications';
import { pointerToFresh } from '../../../src/plainPointer';
import { int32 } from '../../../src/program/expression';
import { type Calls, type Environment, withTrace } from './failingTrace';

const offered = (
  text: string,
  calls: Calls,
  environment?: Environment,
  taken: readonly Specification[] = [],
): Promise<readonly string[]> =>
  withTrace(
    text,
    calls,
    async (trace) => {
      const found: string[] = [];
      const failure = { ...trace, isKnown: () => false, vocabulary: 'default', taken: () => taken } as const;
      for await (const { specification } of curesOf(failure)) found.push(specificationText(specification));
      return found;
    },
    environment,
  );

const terminated = (texts: readonly string[]): readonly string[] =>
  texts.filter((text) => text.includes('PROVEST_TERMINATED'));

test('a function that is told how long a text is needs no end of it', async () => {
  const text = `int next(const char *text, unsigned size) {
  if (size == 0) return 0;
  return (text[0] & 0x80) ? text[1] : text[0];
}`;
  expect(terminated(await offered(text, ({ characters }) => [['next', characters([-61]), 1]]))).toEqual([]);
});

test('a write behind an object is no matter of a 0 at its end', async () => {
  const text = 'void end(char *to, unsigned size) { if (size > 0) to[size] = 0; }';
  expect(terminated(await offered(text, ({ characters }) => [['end', characters([65]), 1]]))).toEqual([]);
});

test('a function that goes on to the end of a text does, whatever number stands beside it', async () => {
  const text = 'unsigned last(const char *text, unsigned more) { while (*text) text++; return more; }';
  expect(terminated(await offered(text, ({ characters }) => [['last', characters([65]), 1]]))).toEqual([
    'last: PROVEST_TERMINATED(text)',
  ]);
});

test('a number behind a pointer stays what it is while lengths are tried', async () => {
  const text =
    'int at(const char *text, unsigned size, const int *place) { return *place < (int)size ? text[*place] : 0; }';
  const calls: Calls = ({ characters, numbers }) => [['at', characters([65]), 2, numbers([1])]];
  expect(await offered(text, calls)).toContain('at: PROVEST_LENGTH(text) >= size');
});

test('a text without an end is told beside a null pointer, which fails later', async () => {
  const text = `struct count { unsigned n; };
void add(struct count *c, const char *text) { unsigned n = 0; while (text[n]) n++; c->n += n; }`;
  expect(await offered(text, ({ characters }) => [['add', 0, characters([65])]])).toContain(
    'add: PROVEST_TERMINATED(text)',
  );
});

test('characters that an earlier call was given are no text', async () => {
  const text = `int first(const char *bytes) { return bytes[0]; }
unsigned length(const char *text) { unsigned n = 0; while (text[n]) n++; return n; }`;
  const calls: Calls = ({ characters, earlier }) => [
    ['first', characters([65])],
    ['length', earlier(0, 0)],
  ];
  expect(await offered(text, calls)).toContain('length: PROVEST_TERMINATED(text)');
});

test('null that an earlier call has returned is null from the client', async () => {
  const text = `struct item { int n; };
struct item *find(int n) { return 0; }
int look(const struct item *i) { return i->n; }`;
  expect(
    await offered(text, ({ earlier }) => [
      ['find', 1],
      ['look', earlier(0, -1)],
    ]),
  ).toContain('look: i != NULL');
});

test('a function that is called back with null', async () => {
  const text = `extern void report(int code);
struct item { int n; };
int look(const struct item *i) { return i->n; }
void work(void) { report(1); }`;
  const sideEffects = { effects: [{ kind: 'call', function: 'look', arguments: [0] }], afterSilent: 0 } as const;
  const answers = [{ name: 'report', value: 0, type: int32, sideEffects }];
  expect(await offered(text, () => [['work']], { answers })).toContain('look: i != NULL');
});

test('a buffer that another one fills is as long as its number says, if that one has room', async () => {
  const text = `unsigned decode(unsigned char *to, unsigned room, const unsigned char *from, unsigned count) {
  unsigned at = 0, done = 0;
  while (at < count) {
    unsigned more = from[at++];
    if (more == 0) break;
    if (done >= room) break;
    if (more > count - at) more = count - at;
    for (; more > 0; more--) { if (done < room) to[done++] = from[at]; at++; }
  }
  return done;
}`;
  const calls: Calls = ({ characters }) => [['decode', characters([0]), 1, characters([2]), 4]];
  expect(await offered(text, calls)).toContain('decode: PROVEST_LENGTH(from) >= count');
});

test('a function that tests a buffer for null may be called with null and any number', async () => {
  const text =
    'int sum(const int *data, int n) { int s = 0; for (int i = 0; data && i < n; i++) s += data[i] % 2; return s; }';
  expect(await offered(text, ({ numbers }) => [['sum', numbers([1]), 2]])).toEqual(
    expect.arrayContaining(['sum: PROVEST_LENGTH(data) >= n', 'sum: (data == NULL || PROVEST_LENGTH(data) >= n)']),
  );
});

test('a structure that a function makes of a text, and another ends', async () => {
  const text = `#include <stdlib.h>
struct word { unsigned length; };
struct word *word_of(const char *text) {
  struct word *w;
  unsigned n = 0;
  while (text[n]) n++;
  w = malloc(sizeof *w);
  if (w) w->length = n;
  return w;
}
struct pair { struct word left, right; };
unsigned both(const struct pair *p) { return p->left.length; }
void word_drop(struct word *w) { free(w); }`;
  expect(await offered(text, ({ object }) => [['word_drop', object('word', { length: 1 })]])).toContain(
    'struct word is set up by word_of',
  );
});

test('a member that leads to a text', async () => {
  const text = `#include <string.h>
struct mail { const char *subject; int n; };
unsigned length(const struct mail *m) { return m->subject ? (unsigned)strlen(m->subject) : 0; }`;
  const mail = (subject: readonly number[]): Calls => {
    return ({ object }) => [['length', object('mail', { subject: pointerToFresh([...subject]), n: 0 })]];
  };
  expect(terminated(await offered(text, mail([65])))).toEqual([
    'length: (m->subject == NULL || PROVEST_TERMINATED(m->subject))',
    'length: PROVEST_TERMINATED(m->subject)',
  ]);
});

test('what only the module writes, once it is set up, is nothing that clients keep', async () => {
  const ring = `struct ring { int items[8]; unsigned head; };
int pop(struct ring *r) { return r->items[r->head++]; }`;
  const span = `struct span { int *first, *last; };
int ends(const struct span *s) { return *s->first + *s->last; }`;
  const popped: Calls = ({ object }) => [['pop', object('ring', { items: [], head: 8 })]];
  const without: Calls = ({ object }) => [['ends', object('span', { first: null, last: null })]];
  const found = (text: string, calls: Calls, type: string | undefined): Promise<readonly string[]> =>
    withTrace(text, calls, async (trace) => {
      const initialisedBy = { type: type ?? '', functions: ['set_up'] };
      const taken = (): readonly Specification[] => (type ? [{ kind: 'initialised-by', initialisedBy }] : []);
      const texts: string[] = [];
      const failure = { ...trace, isKnown: () => false, vocabulary: 'with bounds of numbers', taken } as const;
      for await (const { specification } of curesOf(failure)) texts.push(specificationText(specification));
      return texts;
    });
  expect(await found(ring, popped, undefined)).toContain('pop: r->head <= 7');
  expect(await found(ring, popped, 'struct ring')).not.toContain('pop: r->head <= 7');
  expect(await found(span, without, undefined)).toContain('ends: s->first != NULL');
  expect((await found(span, without, 'struct span')).filter((text) => text.includes('s->'))).toEqual([]);
});

describe('memory that was lent to a structure which a function sets up', () => {
  const lent = `#include <string.h>
struct buffer { char *at; unsigned length, size; };
void begin(struct buffer *b, char *memory, unsigned size) { b->at = memory; b->length = 1; b->size = size; }
int add(struct buffer *b, const char *bytes, unsigned count) {
  if (count > b->size - b->length) return 0;
  memcpy(b->at + b->length, bytes, count);
  return 1;
}
void move(struct buffer *b, struct buffer *from) { if (from->size > 4) memcpy(b->at + 1, from->at, 4); }`;
  const room = [0, 0, 0, 0, 0, 0, 0, 0];
  const setUp: Specification = {
    kind: 'initialised-by',
    initialisedBy: { type: 'struct buffer', functions: ['begin'] },
  };
  const apart = async (calls: Calls): Promise<readonly string[]> =>
    (await offered(lent, calls, undefined, [setUp])).filter((one) => one.includes('PROVEST_SAME_OBJECT'));

  test('clients do not pass it beside the structure', async () => {
    const calls: Calls = ({ object, characters, earlier }) => [
      ['begin', object('buffer', {}), characters(room), 8],
      ['add', earlier(0, 0), earlier(0, 1), 4],
    ];
    expect(await apart(calls)).toEqual(['add: !PROVEST_SAME_OBJECT(b->at, bytes)']);
  });

  test('what two of them lead to is up to the module', async () => {
    const calls: Calls = ({ object, characters, earlier }) => [
      ['begin', object('buffer', {}), characters(room), 8],
      ['begin', object('buffer', {}), earlier(0, 1), 8],
      ['move', earlier(0, 0), earlier(1, 0)],
    ];
    expect(await apart(calls)).toEqual([]);
  });
});

describe('memory that is lent with its length', () => {
  const ring = `#include <string.h>
struct ring { unsigned char *at; unsigned size, used; };
int begin(struct ring *r, unsigned char *memory, unsigned size) {
  if (!r || !memory || size == 0) return 0;
  r->at = memory; r->size = size; r->used = 0;
  return 1;
}
unsigned put(struct ring *r, const unsigned char *from, unsigned count) {
  unsigned room = r->size - r->used - 1;
  if (count > room) count = room;
  memcpy(r->at + r->used, from, count);
  r->used += count;
  return count;
}`;
  const putting =
    (count: number): Calls =>
    ({ object, characters, earlier }) => [
      ['begin', object('ring', {}), characters([0]), 3],
      ['put', earlier(0, 0), characters([0]), count],
    ];

  test('is as long as that, also if the last element is not come to, and another is too short', async () => {
    expect(await offered(ring, putting(2))).toContain('begin: PROVEST_LENGTH(memory) >= size');
  });

  test('no length excuses what goes on behind it', async () => {
    const wrong = ring.replace('r->size = size;', 'r->size = size + 2;');
    expect((await offered(wrong, putting(4))).filter((one) => one.startsWith('begin: PROVEST_LENGTH'))).toEqual([]);
  });
});

describe('what a function asserts of what it is passed', () => {
  const table = `#include <assert.h>
struct table { int items[8]; unsigned used; };
void begin(struct table *t) { t->used = 0; }
void add(struct table *t, int item) { if (t->used < 8) t->items[t->used++] = item; }
int at(const struct table *t, unsigned index) { assert(index < t->used); return t->items[index]; }
int last(const struct table *t) { assert(t->used > 0); return t->items[t->used - 1]; }
void drop(struct table *t) { t->used--; }
int room(const struct table *t) { assert(t->used <= 8); return 8 - (int)t->used; }`;
  const setUp: Specification = {
    kind: 'initialised-by',
    initialisedBy: { type: 'struct table', functions: ['begin'] },
  };
  const found = (calls: Calls): Promise<readonly string[]> =>
    withTrace(table, calls, async (trace) => {
      const texts: string[] = [];
      const taken = (): readonly Specification[] => [setUp];
      const failure = { ...trace, isKnown: () => false, vocabulary: 'with bounds of numbers', taken } as const;
      for await (const { specification } of curesOf(failure)) texts.push(specificationText(specification));
      return texts;
    });

  test('beside members of a structure is for clients to keep', async () => {
    const calls: Calls = ({ object, earlier }) => [
      ['begin', object('table', {})],
      ['at', earlier(0, 0), 1],
    ];
    expect(await found(calls)).toContain('at: t != NULL && index < t->used');
  });

  test('and what does not hold of a structure that was just set up', async () => {
    const calls: Calls = ({ object, earlier }) => [
      ['begin', object('table', {})],
      ['last', earlier(0, 0)],
    ];
    expect(await found(calls)).toContain('last: t != NULL && t->used != 0');
  });

  test('but not an invariant, which the module itself has broken', async () => {
    const calls: Calls = ({ object, earlier }) => [
      ['begin', object('table', {})],
      ['drop', earlier(0, 0)],
      ['room', earlier(0, 0)],
    ];
    expect(await found(calls)).toEqual([]);
  });
});

test('one structure that a function made is passed twice', async () => {
  const text = `#include <stdlib.h>
struct bag { unsigned n; };
struct bag *bag_new(unsigned n) { struct bag *b = malloc(sizeof *b); if (!b) abort(); b->n = n; return b; }
unsigned pour(struct bag *to, struct bag *from) { to->n += 1; from->n = 0; return 6 / to->n; }`;
  const calls: Calls = ({ earlier }) => [
    ['bag_new', 1],
    ['pour', earlier(0, -1), earlier(0, -1)],
  ];
  expect(await offered(text, calls)).toContain('pour: to != from');
});

test('no constant stands for a number that a parameter leads to', async () => {
  const text = `int mend(unsigned char *bytes, unsigned *size) {
  unsigned i, kind = 0;
  for (i = 0; i < *size; i++) { if (bytes[i] == 2) kind = 3; if (bytes[i] == 3) kind = 2; }
  return kind == 3;
}`;
  const calls: Calls = ({ characters, numbers }) => [['mend', characters([0]), numbers([3])]];
  expect((await offered(text, calls)).filter((one) => one.includes('PROVEST_LENGTH(bytes)'))).toEqual([
    'mend: PROVEST_LENGTH(bytes) >= *size',
  ]);
});

test('a constant length is none where a parameter counts the elements', async () => {
  const text = `int fill(char *to, int size) {
  int i;
  if (size < 3) return -1;
  for (i = 0; i < 3; i++) to[i] = 'a';
  to[3] = 0;
  return 3;
}`;
  const calls: Calls = ({ characters }) => [['fill', characters([0, 0, 0]), 3]];
  const lengths = async (taken: readonly Specification[]): Promise<readonly string[]> =>
    (await offered(text, calls, undefined, taken)).filter((one) => one.includes('PROVEST_LENGTH'));
  expect(await lengths([])).toContain('fill: PROVEST_LENGTH(to) >= 4');
  const formula = { kind: 'boolean', value: true } as const;
  const counted: Specification = { kind: 'requires', function: 'fill', text: 'PROVEST_LENGTH(to) >= size', formula };
  expect(await lengths([counted])).toEqual([]);
});
