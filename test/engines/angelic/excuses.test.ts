/**
 * Failures and the specifications that excuse them: what is offered, what is refused and why, and what is proved of
 * clients that keep to it.
 */
import { verify } from '../../../src';
import type { Task, Verdict } from '../../../src';
import type { HostValue } from '../../../src/host/operation';
import { compare, file, task, variable } from '../task';
import { errors, specifications } from './lists';
import { inLongForm } from '../../long';

const ask = (text: string, change: Partial<Task> = {}): Promise<Verdict> =>
  verify(task(file(text), { furtherChecks: 'briefly', ...change }));

const list = `
#include <stddef.h>
struct node { int value; struct node *next; };
int first(const struct node *n) { return n->value; }
int second(const struct node *n) { return n->next->value; }
`;

test('what a specification excuses comes after what none does', async () => {
  const verdict = await ask(`${list}int mean(int sum, int count) { return count == 7 ? sum / (count - 7) : 0; }`);
  expect(errors(verdict)[0]).toMatch(/^mean: division by zero/);
  expect(specifications(verdict)).toEqual(expect.arrayContaining(['first: n != NULL', 'second: n != NULL']));
});

test('AV-05: a function that tests for null is called with null', async () => {
  const verdict = await ask(
    '#include <stddef.h>\nint f(int *p) { int n = 0; if (p == NULL) n = 1; return *p + n; }\n' +
      'int g(int *p) { return *p; }',
  );
  expect(errors(verdict)).toEqual(['f: null pointer dereference: p']);
  expect(specifications(verdict)).toEqual(['g: p != NULL']);
  expect(verdict).toMatchObject({
    kind: 'bug',
    angelic: { refused: [{ text: 'f: p != NULL', condition: 'p == NULL', outcome: true }, null] },
  });
});

test('AV-13: a test behind the dereference counts, too', async () => {
  // A compiler may leave it out; who wrote it expects null.
  const verdict = await ask('int f(int *p) { int n = *p; if (!p) return 0; return n; }');
  expect(errors(verdict)).toEqual(['f: null pointer dereference: p']);
  expect(specifications(verdict)).toEqual([]);
});

test('a null test in a function that others call, too, says nothing about this one', async () => {
  const verdict = await ask(
    'int safe(const int *p) { return p ? *p : 0; }\nint f(const int *p) { return safe(p) ^ *p; }',
  );
  expect(errors(verdict)).toEqual([]);
  expect(specifications(verdict)).toEqual(['f: p != NULL']);
  // Called from nowhere else it is part of the function.
  const own = await ask(
    'static int safe(const int *p) { return p ? *p : 0; }\nint f(const int *p) { return safe(p) ^ *p; }',
  );
  expect(errors(own)).toEqual(['f: null pointer dereference: p']);
});

test('a loop between the entry and the test does not hide it', async () => {
  const verdict = await ask(
    'int f(int *p, unsigned n) { int s = 0; for (unsigned i = 0; i < n; i++) s ^= 1; if (!p) s = 2; ' +
      'return s + *p % 2; }',
    { properties: ['memsafety'] },
  );
  expect(errors(verdict)).toEqual(['f: null pointer dereference: p']);
});

test('what the module does by itself is no matter of clients', async () => {
  const verdict = await ask(
    '#include <stddef.h>\nint read(int *p) { return *p; }\nint start(void) { return read(NULL); }',
  );
  expect(errors(verdict)).toEqual(['read: null pointer dereference: p']);
});

inLongForm('a variable that clients see may be specified, a hidden one not', async () => {
  expect(
    specifications(await ask('int *device;\nvoid start(int *p) { device = p; }\nint poll(void) { return *device; }')),
  ).toEqual(['poll: device != NULL']);
  const hidden = await ask(
    'static int *device;\nvoid start(int *p) { device = p; }\nint poll(void) { return *device; }',
  );
  expect(specifications(hidden)).toEqual([]);
  expect(errors(hidden)).toEqual(['poll: null pointer dereference: device']);
});

inLongForm('a length is a number of the C, not that of one run', async () => {
  const digits =
    'int print(unsigned value, char *to) { int n = 0; do { to[n++] = (char)(48 + value % 10); value /= 10; } ' +
    'while (value); return n; }';
  expect(specifications(await ask(digits)).filter((text) => text.includes('LENGTH'))).toEqual([]);
  const square =
    'void clear(int *m, unsigned side) { for (unsigned i = 0; i < side; i++) for (unsigned j = 0; j < side; j++) ' +
    'm[i * side + j] = 0; }';
  expect(specifications(await ask(square))).toContain('clear: PROVEST_LENGTH(m) >= side * side');
});

inLongForm(
  'a structure that a function of the module returns is had from there',
  async () => {
    const pair = `#include <stdlib.h>
typedef struct pair { unsigned char *bits; unsigned size; } pair_t;
pair_t *pair_new(unsigned n) { pair_t *p = malloc(sizeof *p); if (n > 64) n = 64; p->bits = calloc(1, n); p->size = n;
  return p; }
void pair_set(pair_t *p, unsigned i) { if (i < p->size) p->bits[i] = 1; }`;
    // Whose members no header shows is a handle anyway.
    const header = file('typedef struct pair { unsigned char *bits; unsigned size; } pair_t;');
    const text = `#include "${header}"\n${pair
      .split('\n')
      .filter((line) => !line.startsWith('typedef'))
      .join('\n')}`;
    const verdict = await ask(text);
    expect(errors(verdict)).toEqual([]);
    expect(specifications(verdict)).toContain('struct pair is set up by pair_new');
    const requires = [{ function: 'pair_set', formula: compare('!=', variable('p'), { kind: 'null' }) }];
    const initialisedBy = [{ type: 'pair_t', functions: ['pair_new'] }];
    expect((await ask(text, { requires, initialisedBy, budget: { milliseconds: 120_000 } })).kind).toBe('proved');
    // Where a test makes one by itself, clients do.
    const runs: Task['runs'] = [[{ kind: 'allocate', type: 'pair_t', bytes: '' }]];
    expect(specifications(await ask(text, { runs }))).not.toContain('struct pair is set up by pair_new');
  },
  300_000,
);

test('a structure is had from one function, not from another that changes it as well', async () => {
  const header = file('struct roster { void **data; unsigned length, room; };');
  const text = `#include <stdlib.h>
#include <string.h>
#include "${header}"
struct roster *roster_new(unsigned room) {
  if (room == 0) room = 16;
  struct roster *r = malloc(sizeof *r);
  if (r == NULL) return NULL;
  r->room = room;
  r->length = 0;
  r->data = malloc(room * sizeof(void *));
  if (r->data == NULL) { free(r); return NULL; }
  return r;
}
int roster_insert(struct roster *r, unsigned index, void *value) {
  if (index > r->length || r->length >= r->room) return 0;
  memmove(&r->data[index + 1], &r->data[index], (r->length - index) * sizeof(void *));
  r->data[index] = value;
  r->length++;
  return 1;
}
void roster_remove_range(struct roster *r, unsigned index, unsigned length) {
  if (index > r->length || length > r->length - index) return;
  memmove(&r->data[index], &r->data[index + length], (r->length - (index + length)) * sizeof(void *));
  r->length -= length;
}
void roster_remove(struct roster *r, unsigned index) { roster_remove_range(r, index, 1); }
void roster_clear(struct roster *r) { r->length = 0; }`;
  const offered = specifications(await ask(text));
  expect(offered.filter((one) => one.includes('is set up by'))).toEqual(['struct roster is set up by roster_new']);
  expect(offered.filter((one) => one.includes('r->'))).toEqual([]);
});

describe('angelic', () => {
  const angelic: Partial<Task> = { angelic: true, furtherChecks: 'to the end' };

  test('AV-01, AV-18: proved of clients that keep the specifications, which is never proved', async () => {
    const verdict = await ask('struct s { int n; };\nint first(const struct s *s) { return s->n; }', angelic);
    expect(verdict).toMatchObject({ kind: 'conditional', reason: { cause: 'not-accepted' } });
    expect(specifications(verdict)).toEqual(['first: s != NULL']);
    const stated = await ask('int f(int n) { return 6 / (n | 1); }', angelic);
    expect(stated.kind).toBe('proved');
  });

  inLongForm('with an error it stays a bug, and the rest is proved under the specifications', async () => {
    const verdict = await ask(`${list}int share(int n) { return n == 3 ? 6 / (n - 3) : 0; }`, angelic);
    expect(verdict.kind).toBe('bug');
    expect(errors(verdict)).toEqual([expect.stringMatching(/^share: division by zero/)]);
    const under = verdict.checks!.filter((check) => check.status === 'open' && check.reason.cause === 'not-accepted');
    expect(under.length).toBeGreaterThan(0);
    expect(verdict.checks!.filter((check) => check.status === 'fails' && !check.excused)).toHaveLength(1);
  });

  test('AV-12: a bound of a number is a specification, a number left out is none', async () => {
    const bound = await ask('static int a[8];\nint get(int i) { return a[i]; }', angelic);
    expect(bound.kind).toBe('conditional');
    const one = await ask(
      '#include <assert.h>\nint get(int fd) { if (fd < 0 || fd > 4) return -1; assert(fd < 4); return fd; }',
      angelic,
    );
    expect(one).toMatchObject({ kind: 'bug', angelic: { refused: [{ outcome: true }] } });
  });

  test('AV-14: a test speaks against what it does not keep', async () => {
    const text = 'int first(const int *p, int n) { return n > 0 ? p[0] : 0; }';
    const passed = (pointer: HostValue): Task['runs'] => [
      [
        { kind: 'allocate', type: 'int[1]', bytes: '00000000' },
        { kind: 'call', function: 'first', arguments: [pointer, { integer: '0' }], answers: [] },
      ],
    ];
    expect(specifications(await ask(text, { runs: passed({ allocation: 0, offset: 0 }) }))).toEqual([
      'first: p != NULL',
    ]);
    const withNull = await ask(text, { runs: passed({ object: 0, offset: 0 }) });
    expect(specifications(withNull)).toEqual([]);
    expect(errors(withNull)).toEqual(['first: null pointer dereference: p']);
  });
});

inLongForm('a text that ends too early for one function leaves no other function open', async () => {
  const kept = file(`
#include <string.h>
static char kept[4];
int keep(const char *name) {
  if (strlen(name) >= sizeof kept) return 0;
  strcpy(kept, name);
  return 1;
}
int find(const char *name, int *value) {
  if (strcmp(kept, name) != 0) return 0;
  *value = 1;
  return 1;
}`);
  const verdict = await verify(task(kept, { angelic: true, furtherChecks: 'to the end' }));
  expect(specifications(verdict)).toEqual(
    expect.arrayContaining(['keep: PROVEST_TERMINATED(name)', 'find: value != NULL']),
  );
  expect(verdict.kind).toBe('conditional');
});
