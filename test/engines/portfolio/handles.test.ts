/** Structures that a module alone makes: a client cannot make one up, so what fails only in a made-up one is no bug. */
import { verify } from '../../../src';
import type { Operation } from '../../../src/host/operation';
import { file, task } from '../task';
import { inLongForm } from '../../long';

const ring = (put: string): string => `
#include <stdlib.h>
struct ring { int capacity, count; int *data; };
struct ring *ring_new(int capacity) {
  if (capacity < 1 || capacity > 100) return NULL;
  struct ring *r = malloc(sizeof *r);
  r->capacity = capacity;
  r->count = 0;
  r->data = malloc(capacity * sizeof(int));
  return r;
}
int ring_put(struct ring *r, int value) { ${put} }
`;
const checked = 'if (!r || r->count == r->capacity) return 0; r->data[r->count++] = value; return 1;';
const brief = { budget: { milliseconds: 8_000 } };

inLongForm(
  'what fails in a made-up object only is no bug',
  async () => {
    const verdict = await verify(task(file(ring(checked)), brief));
    expect(['proved', 'potential-error', 'unknown']).toContain(verdict.kind);
  },
  60_000,
);

test('what fails in an object of the module is one', async () => {
  const verdict = await verify(task(file(ring(checked.replace('r->count == r->capacity', 'r->count > r->capacity')))));
  expect(verdict).toMatchObject({ kind: 'bug', counterexample: { failure: { check: 'dereference' } } });
  if (verdict.kind === 'bug') expect(verdict.counterexample.steps.map((step) => step.kind)).not.toContain('allocate');
}, 120_000);

test('clients make handles if a test does, if a header declares the members, or if no function makes one', async () => {
  const made: Operation = { kind: 'allocate', type: 'struct ring', bytes: '00'.repeat(16) };
  expect(await verify(task(file(ring(checked)), { runs: [[made]] }))).toMatchObject({ kind: 'bug' });
  expect(
    await verify(task(file(ring(checked).replace('struct ring *ring_new', 'static struct ring *ring_new')))),
  ).toMatchObject({ kind: 'bug' });
  const header = file('struct ring { int capacity, count; int *data; };');
  expect(await verify(task(file(ring(checked).replace(/struct ring \{.*\};/, `#include "${header}"`))))).toMatchObject({
    kind: 'bug',
  });
}, 120_000);

const freed = 'void ring_free(struct ring *r) { if (r) { free(r->data); free(r); } }';

inLongForm(
  'a client does not use a handle again that it gave back to be freed',
  async () => {
    const verdict = await verify(task(file(`${ring(checked)}${freed}`), brief));
    expect(verdict.kind).not.toBe('bug');
  },
  60_000,
);

inLongForm(
  'what the module itself keeps of a freed one is its fault',
  async () => {
    const keeps = `${ring('kept = r; return 0;').replace(
      'struct ring *ring_new',
      'static struct ring *kept; struct ring *ring_new',
    )}${freed} int ring_last(void) { return kept ? kept->count : 0; }`;
    expect(await verify(task(file(keeps), brief))).toMatchObject({
      kind: 'bug',
      counterexample: { failure: { check: 'dereference' } },
    });
  },
  60_000,
);
