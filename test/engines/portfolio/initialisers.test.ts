/**
 * Structures that clients have set up: what the module keeps of every one is proved; a way around the function that
 * sets them up is not overlooked; the promise is offered where it is the cause.
 */
import { verify } from '../../../src/index';
import type { Operation } from '../../../src/host/operation';
import type { InitialisedBy } from '../../../src/evidence/scenarios/structures/setUpFunctions';
import type { Task } from '../../../src/task';
import { compare, file, task, variable } from '../task';
import { ifLong, inLongForm, isLong } from '../../long';

jest.setTimeout(240_000);

const byInit: readonly InitialisedBy[] = [{ type: 'quota_t', functions: ['quota_init'] }];
const quotas = (
  more: string,
  init = 'void quota_init(quota_t *q, unsigned limit) { q->used = 0; q->limit = limit; }',
): string => `
  #include <assert.h>
  #include <string.h>
  #include <stdlib.h>
  typedef struct { unsigned used, limit; } quota_t;
  ${init}
  unsigned quota_left(const quota_t *q) { assert(q->used <= q->limit); return q->limit - q->used; }
  ${more}`;
const take = 'int quota_take(quota_t *q, unsigned n) { if (n > q->limit - q->used) return 0; q->used += n; return 1; }';
const notNull = (functions: Readonly<Record<string, string>>) =>
  Object.entries({ quota_init: 'q', quota_left: 'q', ...functions }).map(([name, parameter]) => ({
    function: name,
    formula: compare('!=', variable(parameter), { kind: 'null' }),
  }));
const ask = (text: string, changes: Partial<Task> = {}) =>
  verify(task(file(text), { initialisedBy: byInit, budget: { milliseconds: 60_000 }, ...changes }));

inLongForm('what every structure keeps is found and proved, and the verdict says what clients do', async () => {
  const verdict = await ask(quotas(take), { requires: notNull({ quota_take: 'q' }) });
  expect(verdict.kind).toBe('proved');
  expect(verdict.assumptions.join('\n')).toContain(
    'every quota_t set up by quota_init before they pass it to anything else',
  );
  if (verdict.kind === 'proved')
    expect(verdict.invariants.map(({ formula }) => formula).join('\n')).toContain(
      'for every live quota_t *_object: _object->used <= _object->limit',
    );
});

test('one is set up by an assignment as a whole', async () => {
  const whole = (value: string): string =>
    quotas(
      take,
      'void quota_init(quota_t *q, unsigned limit) { *q = (quota_t){ .limit = limit, .used = ' + value + ' }; }',
    );
  const requires = notNull({ quota_take: 'q' });
  expect((await ask(whole('0'), { requires })).kind).toBe('proved');
  expect((await ask(whole('limit / 2 * 3'), { requires, budget: { milliseconds: 10_000 } })).kind).toBe('bug');
});

type Case = readonly [what: string, text: string, parameters: Readonly<Record<string, string>>];

test.each<Case>([
  [
    'one that was not set up right',
    quotas(
      take,
      'int quota_init(quota_t *q, unsigned limit) { if (limit == 0) return -1; q->used = 0; q->limit = limit; ' +
        'return 0; }',
    ),
    { quota_take: 'q' },
  ],
  [
    'the module keeps a pointer to one',
    quotas(
      'static quota_t *kept; void quota_keep(quota_t *q) { kept = q; } ' +
        'void spoil(unsigned n) { if (kept) kept->used = n; }',
    ),
    { quota_keep: 'q' },
  ],
  ...ifLong<Case>(
    [
      'another call changes one after the other',
      quotas('void quota_move(quota_t *from, quota_t *to) { to->used = from->limit; }'),
      {},
    ],
    [
      'the module makes one that is not set up',
      quotas('quota_t *quota_new(void) { return malloc(sizeof(quota_t)); }'),
      {},
    ],
    [
      'the function is called back while it sets one up',
      quotas(
        'void hook(void);',
        'void hook(void); void quota_init(quota_t *q, unsigned limit) { q->limit = limit; q->used = limit + 1; ' +
          'hook(); q->used = 0; }',
      ),
      {},
    ],
  ),
])('%s: not proved', async (_, text, parameters) => {
  const verdict = await ask(text, {
    requires: notNull(parameters),
    load: { externals: 'any' },
    budget: { milliseconds: 4000 },
  });
  expect(verdict.kind).not.toBe('proved');
});

test.each<Case>([
  ['passed by value', quotas('unsigned quota_copied(quota_t q) { assert(q.used <= q.limit); return q.used; }'), {}],
  [
    'found behind a pointer that clients write',
    quotas(
      'struct owner { quota_t *q; }; unsigned quota_owned(const struct owner *o) { if (!o->q) return 0; ' +
        'assert(o->q->used <= o->q->limit); return o->q->used; }',
    ),
    { quota_owned: 'o' },
  ],
  ...ifLong<Case>(
    [
      'part of something that clients write',
      quotas('struct pair { quota_t a, b; }; unsigned quota_first(struct pair *p) { return quota_left(&p->a); }'),
      { quota_first: 'p' },
    ],
    [
      'of the same members as another type',
      quotas(
        'typedef struct { unsigned used, limit; } other_t; ' +
          'void other_set(other_t *o, unsigned n) { o->used = n; } ' +
          'unsigned other_get(other_t *o) { return quota_left((quota_t *)o); }',
      ),
      { other_set: 'o', other_get: 'o' },
    ],
  ),
])('%s: no proof rests on it', async (_, text, parameters) => {
  const verdict = await ask(text, { requires: notNull(parameters), budget: { milliseconds: 4000 } });
  expect(verdict.kind).not.toBe('proved');
});

const used: Operation[] = [
  { kind: 'allocate', type: 'quota_t', bytes: '0300000001000000' },
  { kind: 'call', function: 'quota_init', arguments: [{ allocation: 0, offset: 0 }, { integer: '4' }], answers: [] },
  { kind: 'call', function: 'quota_left', arguments: [{ allocation: 0, offset: 0 }], answers: [] },
];

test('a function that only looks at the structure, or that fails on it itself, sets none up', async () => {
  const text = (as: string): string =>
    `typedef struct { int size; int *data; } box; int box_open(${as}box *b) { return 1 / b->size; } ` +
    'int first(box *b) { return *b->data; }';
  for (const as of ['', 'const ']) {
    const verdict = await verify(task(file(text(as)), { properties: ['memsafety'] }));
    expect(verdict.kind === 'bug' && verdict.suggestion).not.toContain('initialisedBy');
  }
});

test('initialisedBy is suggested if a structure that was not set up is the cause, and no test uses one', async () => {
  const promises = { requires: notNull({}), initialisedBy: [], budget: { milliseconds: 20_000 } };
  const offered = await ask(quotas(''), { ...promises, runs: [used] });
  expect(offered).toMatchObject({
    kind: 'bug',
    suggestion: expect.stringContaining("initialisedBy: { quota_t: 'quota_init' }") as string,
  });
  const contradicted = await ask(quotas('unsigned quota_peek(const quota_t *q) { return q->used; }'), {
    ...promises,
    runs: [
      [used[0]!, { kind: 'call', function: 'quota_peek', arguments: [{ allocation: 0, offset: 0 }], answers: [] }],
    ],
  });
  expect(contradicted.kind === 'bug' && contradicted.suggestion?.includes('initialisedBy')).not.toBe(true);
});

test('what a test does beside the promise is not counted, and said', async () => {
  const written: Operation = { kind: 'write', target: { allocation: 0, offset: 0 }, bytes: '09000000' };
  const verdict = await ask(quotas(''), { requires: notNull({}), runs: [used, [...used, written, used[2]!]] });
  expect(verdict.kind).toBe('proved');
  expect(verdict.remarks.join()).toContain('which initialisedBy says clients do not');
});

test.each([
  [[{ type: 'quota', functions: ['quota_init'] }], /neither a basic type nor a typedef/],
  [[{ type: 'int', functions: ['quota_init'] }], /'int' is no structure/],
  [[{ type: 'quota_t', functions: ['quota_open'] }], /clients call no function 'quota_open'/],
  [[{ type: 'quota_t', functions: ['other'] }], /other has no parameter that points to quota_t/],
  [[{ type: 'quota_t', functions: [] }], /name a function that sets up quota_t/],
])('mistakes: %j', async (initialisedBy, message) => {
  await expect(ask(quotas('void other(int n) { (void)n; }'), { initialisedBy })).rejects.toThrow(message);
});

describe('a moving average that keeps the sum of its window in a structure', () => {
  const average = (add: string): string => `
  #include <stdint.h>
  typedef struct { int16_t window[6]; int32_t sum; uint8_t at; } average_t;
  void average_init(average_t *a) {
    for (int i = 0; i < 6; i++) a->window[i] = 0;
    a->sum = 0;
    a->at = 0;
  }
  int average_add(average_t *a, int16_t sample) {
    ${add}
    a->window[a->at] = sample;
    a->sum += sample;
    a->at = (uint8_t)((a->at + 1) % 6);
    return a->sum / 6;
  }`;
  const given: Partial<Task> = {
    initialisedBy: [{ type: 'average_t', functions: ['average_init'] }],
    requires: ['average_init', 'average_add'].map((name) => ({
      function: name,
      formula: compare('!=', variable('a'), { kind: 'null' }),
    })),
  };

  inLongForm('never overflows, since the sum is that of the elements', async () => {
    const verdict = await ask(average('a->sum -= a->window[a->at];'), given);
    expect(verdict.kind).toBe('proved');
    if (verdict.kind === 'proved')
      expect(verdict.invariants.map(({ formula }) => formula).join('\n')).toContain(
        '_object->sum == _object->window[0] + _object->window[1]',
      );
  });

  test('is not proved where the oldest sample stays in the sum', async () => {
    const wrong = average('if (sample != 3) a->sum -= a->window[a->at];');
    const verdict = await ask(wrong, { ...given, budget: { milliseconds: isLong ? 60_000 : 8_000 } });
    expect(verdict.kind).not.toBe('proved');
  });
});
