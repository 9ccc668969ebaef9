/** Cures about numbers, members and the lives of objects, each of one given failure. */
import { curesOf, type CureVocabulary } from '../../../src/engines/angelic/cures';
import { precondition, type Specification, specificationText } from '../../../src/engines/angelic/specifications';
import type { HostValue, Operation } from '../../../src/host/operation';
import { pointerToFresh } from '../../../src/plainPointer';
import { int32 } from '../../../src/program/expression';
import { compare, integer } from '../task';
import { type Calls, type Environment, withTrace } from './failingTrace';

interface Beside {
  readonly vocabulary?: CureVocabulary;
  /** Function and text of preconditions that are kept already. */
  readonly kept?: readonly (readonly [string, string])[];
  readonly runs?: readonly (readonly Operation[])[];
  readonly answers?: Environment['answers'];
  readonly requires?: Environment['requires'];
}

const offered = (
  text: string,
  calls: Calls,
  { vocabulary = 'with bounds of numbers', kept = [], ...others }: Beside = {},
): Promise<readonly string[]> =>
  withTrace(
    text,
    calls,
    async (trace) => {
      const { program } = trace.problem;
      const taken = kept.flatMap(([name, said]): Specification[] => [precondition(program, name, said)!]);
      const found: string[] = [];
      for await (const { specification } of curesOf({ ...trace, isKnown: () => false, vocabulary, taken: () => taken }))
        found.push(specificationText(specification));
      return found;
    },
    others,
  );

describe('bounds of numbers', () => {
  const keep = `#include <stdlib.h>
#include <string.h>
void *keep(const void *bytes, int size) {
  unsigned char *copy = malloc(8 + size);
  if (copy) { memset(copy, 0, 8); memcpy(copy + 8, bytes, size > 0 ? (unsigned)size : 0); }
  return copy;
}`;
  const negative: Calls = ({ characters }) => [['keep', characters([0]), -3]];

  test('a size is not negative', async () => {
    expect(await offered(keep, negative)).toContain('keep: size >= 0');
    expect(await offered(keep, negative, { vocabulary: 'default' })).not.toContain('keep: size >= 0');
  });

  test('no bound leaves clients only sizes for which the allocation fails', async () => {
    expect((await offered(keep, negative)).filter((one) => /size >= \d{4}/.test(one))).toEqual([]);
  });

  test('a number behind a pointer is not the last one of its type', async () => {
    const text = 'int grow(char **data, int *length) { return *length + 1; }';
    expect(await offered(text, ({ numbers }) => [['grow', 0, numbers([2147483647])]])).toContain(
      'grow: *length < 2147483647',
    );
  });

  test('a number that fails whatever its sign is left alone', async () => {
    const text = 'int part(int n) { int a[2] = {0}; return a[n * n]; }';
    expect(await offered(text, () => [['part', -2]])).not.toContain('part: n >= 0');
    const both = 'int part(int n) { int a[1] = {0}; return n == 0 ? 0 : a[n]; }';
    expect(await offered(both, () => [['part', -2]])).not.toContain('part: n >= 0');
  });
});

describe('sizes that no test passes negative, without bounds of other numbers', () => {
  const number = (integer: number): HostValue => ({ integer: String(integer) });
  const called = (name: string, ...given: readonly HostValue[]): readonly Operation[] => [
    { kind: 'allocate', type: 'char[3]', bytes: '414200' },
    { kind: 'call', function: name, arguments: given, answers: [] },
  ];
  const text = { allocation: 0, offset: 0 };
  const byDefault = (c: string, calls: Calls, ...runs: readonly (readonly Operation[])[]): Promise<readonly string[]> =>
    offered(c, calls, { vocabulary: 'default', runs });

  const table = `#include <stdlib.h>
struct table { int length; int *cells; };
struct table *table_new(int length) {
  struct table *t = malloc(sizeof *t);
  if (!t) return NULL;
  t->length = length;
  t->cells = calloc(length, sizeof *t->cells);
  return t;
}
int table_first(const struct table *t) { return t ? t->cells[0] : 0; }`;
  const made: Calls = ({ earlier }) => [
    ['table_new', -1],
    ['table_first', earlier(0, -1)],
  ];

  test('no memory is there for the size', async () => {
    expect(await byDefault(table, made, called('table_new', number(4)))).toContain('table_new: length >= 0');
  });

  test('nothing is offered of a function that no test calls', async () => {
    expect(await byDefault(table, made, called('table_first', { object: 0, offset: 0 }))).not.toContain(
      'table_new: length >= 0',
    );
  });

  const hash = `unsigned hash(const char *key, int n) {
  unsigned h = 7;
  while (n >= 8) { h = h * 31 + key[7]; key += 8; n -= 8; }
  if (n & 4) h = h * 31 + key[3];
  if (n & 1) h = h * 31 + key[0];
  return h;
}`;
  const negative: Calls = ({ characters }) => [['hash', characters([65]), -1]];

  test('the number counts elements, as tests show', async () => {
    expect(await byDefault(hash, negative, called('hash', text, number(2)))).toContain('hash: n >= 0');
    expect(await byDefault(hash, negative)).not.toContain('hash: n >= 0');
  });

  test('arithmetic overflows for a number that counts elements', async () => {
    const last = `int last(const char *a, int n) {
  int at = n - 1;
  return at < 0 ? 0 : a[at];
}`;
    const lowest: Calls = ({ characters }) => [['last', characters([65]), -2147483648]];
    expect(await byDefault(last, lowest, called('last', text, number(3)))).toContain('last: n >= 0');
    expect(await byDefault(last, lowest)).not.toContain('last: n >= 0');
    // A number that no client may pass with null says nothing of the others.
    const length = { kind: 'length', of: { kind: 'path', variable: 'a', steps: [] } } as const;
    const atLeast = compare('>=', length, { kind: 'path', variable: 'n', steps: [] });
    const requires = [{ function: 'last', formula: atLeast, said: { c: 'PROVEST_LENGTH(a) >= n' } }];
    const beside: Beside = { vocabulary: 'default', runs: [called('last', text, number(3))], requires };
    expect(await offered(last, () => [['last', 0, -2147483648]], beside)).toContain('last: n >= 0');
    // Here the number is not one of elements, unless that is stated.
    const shorter = [called('last', text, number(1))];
    expect(await byDefault(last, lowest, ...shorter)).not.toContain('last: n >= 0');
    const stated = (c: string): Beside => ({
      vocabulary: 'default',
      runs: shorter,
      requires: [{ function: 'last', formula: compare('==', integer(0), integer(0)), said: { c } }],
    });
    expect(await offered(last, lowest, stated('a != NULL && PROVEST_LENGTH(a) >= n'))).toContain('last: n >= 0');
    expect(await offered(last, lowest, stated('PROVEST_LENGTH(a) >= n + 1'))).not.toContain('last: n >= 0');
  });

  test('an index that is only compared with the end is an error', async () => {
    const at = `static int cells[4];
int at(int i) { return i < 4 ? cells[i] : 0; }`;
    expect(await byDefault(at, () => [['at', -1]], called('at', number(2)))).not.toContain('at: i >= 0');
    const within = 'int within(const char *text, int i) { return i < 2 ? text[i] : 0; }';
    const before: Calls = ({ characters }) => [['within', characters([65, 66]), -1]];
    const run = called('within', text, number(1));
    expect(await byDefault(within, before, run)).not.toContain('within: i >= 0');
  });

  test('an index that tests pass up to the last element is one', async () => {
    const at = 'int at(const char *a, int n, int i) { return a && i < n ? a[i] : -1; }';
    const before: Calls = ({ characters }) => [['at', characters([65, 66]), 2, -1]];
    const runs = [0, 1, 2].map((i) => called('at', text, number(3), number(i)));
    expect(await byDefault(at, before, ...runs)).not.toContain('at: i >= 0');
  });

  describe('what a function asserts first', () => {
    const checked = (more: string): string => `#include <assert.h>
static int cells[8];
int get(int i) { ${more} assert(i < 8); return i < 0 ? 0 : cells[i]; }`;
    const beyond: Calls = () => [['get', 8]];
    const tested = called('get', number(7));

    test('is for clients to keep if tests call it', async () => {
      expect(await byDefault(checked(''), beyond, tested)).toContain('get: i <= 7');
      expect(await byDefault(checked(''), beyond)).toEqual([]);
    });

    test('but not behind a branch, or what it has done', async () => {
      expect(await byDefault(checked('if (i > 8) return -1;'), beyond, tested)).toEqual([]);
      expect(await byDefault(checked('cells[0]++;'), beyond, tested)).toEqual([]);
    });

    test('nor a number that is left out', async () => {
      const text = '#include <assert.h>\nint other(int i) { assert(i != 8); return i; }';
      expect(await byDefault(text, () => [['other', 8]], called('other', number(7)))).toEqual([]);
    });
  });

  test('a refused allocation of another number says nothing of an index', async () => {
    const both = `#include <stdlib.h>
static int fallback[4];
static int *cells = fallback;
void make(int n) { int *p = malloc(n); cells = p ? p : fallback; }
int get(int i) { return i < 4 ? cells[i] : 0; }`;
    const calls: Calls = () => [
      ['make', -1],
      ['get', -1],
    ];
    expect(await byDefault(both, calls, called('make', number(40)), called('get', number(2)))).not.toContain(
      'get: i >= 0',
    );
  });
});

test('what clients keep of a structure for one function is tried for others', async () => {
  const text = `struct table { unsigned count; int *items; };
int first(const struct table *t) { return t->count > 0 ? t->items[0] : 0; }
int last(const struct table *table, unsigned more) {
  return table->count > 0 ? table->items[table->count - 1] : (int)more;
}`;
  const calls: Calls = ({ object }) => [['last', object('table', { count: 1, items: null }), 0]];
  const kept = [['first', 'PROVEST_LENGTH(t->items) >= t->count']] as const;
  expect((await offered(text, calls, { kept }))[0]).toBe('last: PROVEST_LENGTH(table->items) >= table->count');
});

test('but not where the structure itself is null', async () => {
  const text = `struct box { int *v; };
int get(const struct box *b) { return *b->v; }
int set_up(struct box *b) { b->v = 0; return 0; }`;
  const kept = [['get', 'b->v != NULL']] as const;
  const cures = await offered(text, () => [['set_up', 0]], { kept });
  expect(cures).toContain('set_up: b != NULL');
  expect(cures).not.toContain('set_up: b->v != NULL');
});

test('a member is not null, though a function of the client may set it on the way', async () => {
  const text = `struct out { unsigned char *at, *end; int (*more)(struct out *); };
int put(struct out *o, int c) { if (o->at == o->end && !o->more(o)) return 0; *o->at++ = (unsigned char)c; return 1; }`;
  const calls: Calls = ({ object }) => [['put', object('out', { at: null, end: pointerToFresh([0]), more: null }), 1]];
  expect(await offered(text, calls)).toContain('put: o->at != NULL');
});

test('no member behind a null pointer is behind a failure', async () => {
  const text = `struct mail { int n; struct mail *reply_to; const char *subject; };
int first(const struct mail *m) { return m->reply_to->n + (m->subject ? m->subject[0] : 0); }
int depth(const struct mail *mail) { return mail->reply_to ? mail->reply_to->n : 0; }`;
  const reply: Calls = ({ object }) => [['first', object('mail', { n: 0, reply_to: null, subject: null })]];
  const found = await offered(text, reply);
  expect(found).toContain('first: m->reply_to != NULL');
  expect(found.filter((one) => one.includes('reply_to->'))).toEqual([]);
  // Nor is a member what null in the place of the structure lacks.
  const kept = [['first', 'm->reply_to != NULL']] as const;
  expect(await offered(text, () => [['depth', 0]], { kept })).not.toContain('depth: mail->reply_to != NULL');
});

test('two pointers in a structure lead into one object, those first that are compared', async () => {
  const text = `struct out { unsigned char *start, *at, *end; int full; };
#define ROOM(o, n) ((o)->at + (n) <= (o)->end)
int put(struct out *o, int c) {
  if (!ROOM(o, 1)) { o->full = 1; return 0; }
  *o->at++ = (unsigned char)c;
  return 1;
}`;
  const one = pointerToFresh([0]);
  const calls: Calls = ({ object }) => [['put', object('out', { start: one, at: one, end: one, full: 0 }), 1]];
  const joined = (await offered(text, calls)).filter((said) => said.includes('PROVEST_SAME_OBJECT'));
  expect(joined[0]).toBe('put: PROVEST_SAME_OBJECT(o->at, o->end)');
});

describe('the lives of objects', () => {
  const chain = `#include <stdlib.h>
struct node { struct node *next; };
struct chain { struct node *first; };
void chain_init(struct chain *c) { c->first = 0; }
void chain_add(struct chain *c, struct node *n) { n->next = c->first; c->first = n; }
void chain_drop(struct chain *c) { struct node *n = c->first; if (n) { c->first = n->next; free(n); } }
void chain_destroy(struct chain *c) { while (c->first) { struct node *n = c->first; c->first = n->next; free(n); } }`;
  const from = (...names: readonly string[]): Calls => {
    return ({ object, earlier }) => [
      ['chain_init', object('chain', { first: null })],
      ['chain_add', earlier(0, 0), object('node', { next: null })],
      ...names.map((name) => [name, earlier(0, 0)] as const),
    ];
  };
  const handed = "chain_add: n is allocated memory, and the module's from then on";

  test('an object that the module frees is handed over', async () => {
    expect(await offered(chain, from('chain_destroy'))).toContain(handed);
  });

  test('unless a test passes one of its own', async () => {
    const run: readonly Operation[] = [
      { kind: 'allocate', type: 'struct node', bytes: '00'.repeat(8) },
      { kind: 'allocate', type: 'struct chain', bytes: '00'.repeat(8) },
      {
        kind: 'call',
        function: 'chain_add',
        arguments: [
          { allocation: 1, offset: 0 },
          { allocation: 0, offset: 0 },
        ],
        answers: [],
      },
    ];
    expect(await offered(chain, from('chain_destroy'), { runs: [run] })).not.toContain(handed);
  });

  test('or a variable of the module', async () => {
    const text = '#include <stdlib.h>\nint kept[2];\nint drop(int *p) { if (*p) free(p); return 0; }';
    const calls: Calls = ({ numbers }) => [['drop', numbers([1])]];
    const passing = (object: number): readonly Operation[] => [
      { kind: 'call', function: 'drop', arguments: [{ object, offset: 0 }], answers: [] },
    ];
    const isAboutDrop = (one: string): boolean => one.startsWith('drop: p is allocated');
    expect((await offered(text, calls, { runs: [passing(1)] })).filter(isAboutDrop)).toEqual([]);
    // Made by the module's own allocation.
    expect((await offered(text, calls, { runs: [passing(5000)] })).filter(isAboutDrop)).toHaveLength(1);
  });

  test('so is memory that a structure leads to', async () => {
    const text = `#include <stdlib.h>
struct map { int *at; unsigned n; };
void map_deinit(struct map *m) { free(m->at); m->at = 0; }`;
    const calls: Calls = ({ object }) => [['map_deinit', object('map', { at: pointerToFresh([1]), n: 1 })]];
    expect(await offered(text, calls)).toContain(
      "map_deinit: m leads to allocated memory, which is the module's from then on",
    );
  });

  const isAboutFree = (one: string): boolean => one.includes("the module's from then on");

  test('a structure and what it leads to are handed over together', async () => {
    const text = `#include <stdlib.h>
struct map { int *at; unsigned n; };
void map_free(struct map *m) { free(m->at); free(m); }`;
    const calls: Calls = ({ object }) => [['map_free', object('map', { at: pointerToFresh([1]), n: 1 })]];
    expect(await offered(text, calls)).toContain(
      "map_free: m is allocated memory, as is what it leads to, and the module's from then on",
    );
  });

  test('so are several objects', async () => {
    const text = '#include <stdlib.h>\nvoid drop(int *p, int *q) { free(p); free(q); }';
    const calls: Calls = ({ numbers }) => [['drop', numbers([1]), numbers([2])]];
    expect(await offered(text, calls)).toContain("drop: p is allocated memory, and the module's from then on");
  });

  test('that hides no access to what was handed over and freed', async () => {
    const calls: Calls = ({ numbers }) => [['drop', numbers([1])]];
    for (const more of ['free(p);', 'return *p;'])
      expect(
        (await offered(`#include <stdlib.h>\nint drop(int *p) { free(p); ${more} return 0; }`, calls)).filter(
          isAboutFree,
        ),
      ).toEqual([]);
  });

  test('what a function looks at is not handed over', async () => {
    const text = `#include <stdlib.h>
int sum(const int *xs, int n) { if (n > 1) { free((void *)xs); return -1; } return n == 1 ? xs[0] : 0; }`;
    expect((await offered(text, ({ numbers }) => [['sum', numbers([1]), 2]])).filter(isAboutFree)).toEqual([]);
  });

  const store = `#include <stdlib.h>
struct store { int *items; unsigned used; };
int store_init(struct store *s) { s->items = malloc(4 * sizeof *s->items); s->used = 0; return s->items != 0; }
void store_put(struct store *s, int item) { if (s->items && s->used < 4) s->items[s->used++] = item; }
int store_first(const struct store *s) { return s->used ? s->items[0] : 0; }
void store_clear(struct store *s) { free(s->items); }
void store_close(struct store *s) { free(s->items); }`;
  const used = (...names: readonly string[]): Calls => {
    return ({ object, earlier }) => [
      ['store_init', object('store', { items: null, used: 0 })],
      ['store_put', earlier(0, 0), 7],
      ...names.map((name) => [name, earlier(0, 0)] as const),
    ];
  };
  const closed = 'struct store is not used after store_close';

  test('a structure that was closed is not used again', async () => {
    expect(await offered(store, used('store_close', 'store_first'))).toContain(closed);
    expect(await offered(store, used('store_close', 'store_close'))).toContain(closed);
  });

  test('one that was cleared, or opened once more, may be', async () => {
    const isAboutUse = (one: string): boolean => one.includes('not used after');
    expect((await offered(store, used('store_clear', 'store_first'))).filter(isAboutUse)).toEqual([]);
    const stale = store.replace('s->items = malloc(4 * sizeof *s->items);', '');
    const reopened = await offered(
      stale.replace('s->used = 0; return s->items != 0;', 's->used = 1; return 1;'),
      ({ object, earlier }) => [
        ['store_init', object('store', { items: null, used: 0 })],
        ['store_close', earlier(0, 0)],
        ['store_init', earlier(0, 0)],
        ['store_first', earlier(0, 0)],
      ],
    );
    expect(reopened.filter(isAboutUse)).toEqual([]);
  });

  const allocate = (type: string, bytes: number): Operation => ({ kind: 'allocate', type, bytes: '00'.repeat(bytes) });
  const callOf = (name: string, ...allocations: readonly number[]): Operation => ({
    kind: 'call',
    function: name,
    arguments: allocations.map((allocation) => ({ allocation, offset: 0 })),
    answers: [],
  });

  test('unless a test uses one that it has closed', async () => {
    const offeredBeside = (...names: readonly string[]): Promise<readonly string[]> => {
      const run = [allocate('struct store', 16), ...names.map((name) => callOf(name, 0))];
      return offered(store, used('store_close', 'store_first'), { runs: [run] });
    };
    expect(await offeredBeside('store_close', 'store_first')).not.toContain(closed);
    expect(await offeredBeside('store_close', 'store_init', 'store_first')).toContain(closed);
  });

  test('one of which a part was deleted may be used', async () => {
    const named = (name: string): string => store.replaceAll('store_close', name);
    const isAboutUse = (one: string): boolean => one.includes('not used after');
    for (const name of ['store_delete_first', 'storeReleaseOldest', 'free_unused'])
      expect((await offered(named(name), used(name, 'store_first'))).filter(isAboutUse)).toEqual([]);
    for (const name of ['store_delete', 'storeRelease', 'free_store', 'store_free_all'])
      expect(await offered(named(name), used(name, 'store_first'))).toContain(`struct store is not used after ${name}`);
  });

  test('one with several users may be used when one of them has gone', async () => {
    const text = `#include <stdlib.h>
struct shared { int users; int *value; };
int shared_init(struct shared *s) { s->value = calloc(1, sizeof *s->value); s->users = 1; return s->value != 0; }
void shared_retain(struct shared *s) { s->users++; }
void shared_release(struct shared *s) { if (--s->users <= 1) free(s->value); }
int shared_get(const struct shared *s) { return s->users > 0 && s->value ? *s->value : 0; }`;
    const calls: Calls = ({ object, earlier }) => [
      ['shared_init', object('shared', { users: 0, value: null })],
      ...['shared_retain', 'shared_release', 'shared_get'].map((name) => [name, earlier(0, 0)] as const),
    ];
    expect((await offered(text, calls)).filter((one) => one.includes('not used after'))).toEqual([]);
  });

  const queue = `struct node { struct node *next; int n; };
struct queue { struct node *head, *tail; unsigned count; };
void queue_init(struct queue *q) { q->head = q->tail = 0; q->count = 0; }
void put(struct queue *q, struct node *n) {
  if (q->tail) q->tail->next = n; else q->head = n;
  q->tail = n;
  n->next = 0;
  q->count++;
}
void unlink(struct queue *q, struct node *n) { q->head = q->tail = 0; n->next = 0; }
int sum(const struct queue *q) {
  int s = 0;
  const struct node *i = q->head;
  for (unsigned k = 0; k < q->count; k++) { s |= i->n; i = i->next; }
  return s;
}`;
  const queued = (...names: readonly string[]): Calls => {
    return ({ object, earlier }) => [
      ['queue_init', object('queue', { head: null, tail: null, count: 0 })],
      ['put', earlier(0, 0), object('node', { next: null, n: 1 })],
      ...names.map((name) => [name, earlier(0, 0), earlier(1, 1)] as const),
      ['sum', earlier(0, 0)],
    ];
  };
  const isAboutLinks = (one: string): boolean => one.includes('linked in');

  test('a node that is in a queue does not go into one again', async () => {
    expect(await offered(queue, queued('put'))).toContain('put: n is not linked in already');
  });

  test('unless a test puts one in again', async () => {
    const node = [allocate('struct queue', 24), allocate('struct node', 16)];
    const offeredBeside = (...calls: readonly Operation[]): Promise<readonly string[]> =>
      offered(queue, queued('put'), { runs: [[...node, ...calls]] });
    expect((await offeredBeside(callOf('put', 0, 1), callOf('put', 0, 1))).filter(isAboutLinks)).toEqual([]);
    expect((await offeredBeside(callOf('put', 0, 1))).filter(isAboutLinks)).toHaveLength(1);
  });

  test('nor several times', async () => {
    const calls: Calls = ({ object, earlier }) => [
      ['queue_init', object('queue', { head: null, tail: null, count: 0 })],
      ['put', earlier(0, 0), object('node', { next: null, n: 1 })],
      ['put', earlier(0, 0), earlier(1, 1)],
      ['put', earlier(0, 0), earlier(1, 1)],
      ['sum', earlier(0, 0)],
    ];
    expect(await offered(queue, calls)).toContain('put: n is not linked in already');
  });

  test('a function that links nothing in may be passed what is linked in', async () => {
    expect((await offered(queue, queued('unlink'))).filter(isAboutLinks)).toEqual([]);
  });

  const list = `struct node { struct node *next; int n; };
struct list { struct node *first; unsigned count; };
void list_init(struct list *l) { l->first = 0; l->count = 0; }
void list_add(struct list *l, struct node *n) { if (l->count < 4) { n->next = l->first; l->first = n; l->count++; } }
void list_REMOVE(struct list *l, struct node *n) {
  struct node *i = l->first;
  if (!i) return;
  while (i->next && i->next != n) i = i->next;
  if (i->next) i->next = n->next;
  l->count--;
}
int list_sum(const struct list *l) {
  int all[8], k = 0, s = 0;
  for (const struct node *i = l->first; i; i = i->next) all[k++] = i->n;
  while (k > 0) s |= all[--k];
  return s;
}`;
  const again = (name: string, argument: 'the object' | 'the list alone'): Calls => {
    return ({ object, earlier }) => [
      ['list_init', object('list', { first: null, count: 0 })],
      ['list_add', earlier(0, 0), object('node', { next: null, n: 1 })],
      [name, earlier(0, 0), ...(argument === 'the object' ? [earlier(1, 1)] : [])],
      ['list_add', earlier(0, 0), earlier(1, 1)],
      ['list_sum', earlier(0, 0)],
    ];
  };

  test('a node that was taken out goes into a list again', async () => {
    for (const name of ['list_remove', 'listDelete', 'list_touch'])
      expect(
        (await offered(list.replace('list_REMOVE', name), again(name, 'the object'))).filter(isAboutLinks),
      ).toEqual(name === 'list_touch' ? ['list_add: n is not linked in already'] : []);
  });

  test('one that was not in the list by then does not', async () => {
    const text = list.replace('list_REMOVE', 'list_remove');
    const calls: Calls = ({ object, earlier }) => [
      ['list_remove', object('list', { first: null, count: 0 }), 0],
      ['list_add', earlier(0, 0), object('node', { next: null, n: 1 })],
      ['list_add', earlier(0, 0), earlier(1, 1)],
      ['list_sum', earlier(0, 0)],
    ];
    expect(await offered(text, calls)).toContain('list_add: n is not linked in already');
  });

  test('also where the list alone says which', async () => {
    const pop = `${list}
void list_pop(struct list *l) { if (l->count > 0) l->count--; }`;
    expect((await offered(pop, again('list_pop', 'the list alone'))).filter(isAboutLinks)).toEqual([]);
  });

  test('a node goes in once more behind a call that a function without a body makes back', async () => {
    const text = `extern void report(int code);
${queue}
int tell(struct queue *q) { report(1); return q->count; }`;
    const calls: Calls = ({ object, earlier }) => [
      ['queue_init', object('queue', { head: null, tail: null, count: 0 })],
      ['tell', earlier(0, 0)],
      ['put', earlier(0, 0), object('node', { next: null, n: 1 })],
      ['put', earlier(0, 0), earlier(2, 1)],
      ['sum', earlier(0, 0)],
    ];
    const sideEffects = {
      effects: [{ kind: 'call', function: 'queue_init', arguments: [0] }],
      afterSilent: 0,
    } as const;
    const answers = [{ name: 'report', value: 0, type: int32, sideEffects }];
    const guarded = text.replace(
      '{ q->head = q->tail = 0; q->count',
      '{ if (!q) return; q->head = q->tail = 0; q->count',
    );
    expect(await offered(guarded, calls, { answers })).toContain('put: n is not linked in already');
  });
});
