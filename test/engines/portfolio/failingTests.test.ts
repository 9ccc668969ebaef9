/** A test that fails is a bug, told with the calls that it takes, and no others. */
import { verify } from '../../../src';
import type { Operation } from '../../../src/host/operation';
import { file, run, task } from '../task';

const stack = `
static int elems[8]; static int size;
int push(int value) { if (size == 8) return 0; elems[size++] = value; return 1; }
int pop(void) { size = size - 1; return elems[size]; }
void clear(void) { size = 0; }
`;

async function bugOf(source: string, failing: readonly Operation[]) {
  const verdict = await verify(task(file(source), { runs: [failing] }));
  if (verdict.kind !== 'bug') throw new Error(`expected a bug: ${verdict.kind}`);
  return verdict;
}

test('calls before it that do not matter are left out', async () => {
  const { counterexample, remarks } = await bugOf(
    stack,
    run(['clear'], ['push', 7], ['push', 9], ['pop'], ['clear'], ['pop']),
  );
  expect(counterexample.steps).toMatchObject([{ kind: 'call', function: 'pop' }]);
  expect(counterexample.failure.message).toBe('index -1 is outside elems[8]');
  expect(remarks).toContain('a test of the module ends in this failure');
});

test('what it needs stays, with objects that it takes', async () => {
  const freed = `
#include <stdlib.h>
static int *cell; static int ends;
void make(int value) { if (cell == NULL) { cell = malloc(sizeof *cell); *cell = value; } }
void end(void) { free(cell); ends = 1; }
int get(int *out) { if (cell == NULL || out == NULL) return 0; *out = *cell; return 1; }
`;
  const out = { allocation: 0, offset: 0 };
  const { counterexample } = await bugOf(freed, [
    ...run(['make', 3], ['make', 4]),
    { kind: 'allocate', type: 'int', bytes: '05000000' },
    { kind: 'call', function: 'get', arguments: [out], answers: [] },
    ...run(['end']),
    { kind: 'call', function: 'get', arguments: [out], answers: [] },
  ]);
  expect(counterexample.steps.map((step) => (step.kind === 'call' ? step.function : step.kind))).toEqual([
    'make',
    'end',
    'allocate',
    'get',
  ]);
});

test('the same place of failure, not another that fewer calls reach', async () => {
  const two = `
static int elems[4]; static int first = 4, n;
void add(int value) { elems[n++ & 3] = value; }
int oldest(void) { return elems[first]; }
int at(int index) { return elems[index]; }
`;
  const { counterexample } = await bugOf(two, run(['add', 1], ['add', 2], ['at', 9]));
  expect(counterexample.steps).toMatchObject([{ function: 'at' }]);
});

test('a failure that a test states is for no specification to excuse', async () => {
  const verdict = await bugOf('int get(const int *p) { return *p; }', [
    { kind: 'call', function: 'get', arguments: [{ object: 0, offset: 0 }], answers: [] },
  ]);
  expect(verdict.counterexample.steps).toMatchObject([{ function: 'get' }]);
  expect(verdict.angelic?.specifications ?? []).toEqual([]);
});

test('a test whose answers come from a stub is told as it is', async () => {
  const source = 'int ask(void); static int elems[4]; int get(int more) { return elems[ask()] + more; }';
  const get = (answer: number, more: number): Operation => ({
    kind: 'call',
    function: 'get',
    arguments: [{ integer: String(more) }],
    answers: [{ integer: String(answer) }],
  });
  const runs = [[get(1, 2), get(9, 3)]];
  const verdict = await verify(task(file(source), { runs, load: { externals: 'any' }, stubs: ['ask'] }));
  expect(verdict).toMatchObject({ kind: 'bug', counterexample: { failure: { check: 'array-bounds' } } });
});

test('registers at a fixed address: the page that tells how to give them an object', async () => {
  const register = await bugOf(
    '#define REGISTER (*(volatile unsigned *)0x40011000UL)\nvoid start(void) { REGISTER = 1; }',
    run(['start']),
  );
  expect(register.suggestion).toMatch(/^give memory at a fixed address, .* an object: docs\/firmware\.md/);
  const nothing = await bugOf('static int *p; int get(void) { return *p; }', run(['get']));
  expect(nothing.suggestion ?? '').not.toContain('firmware');
});

test('the same kind of failure, not what other arguments of the last call would do', async () => {
  const freed = `
#include <stdlib.h>
static int *buffer;
void make(unsigned n) { if (!buffer && n > 0 && n < 9) buffer = calloc(n, sizeof *buffer); }
void end(void) { free(buffer); }
int get(int i) { return buffer && i >= 0 ? buffer[i] : 0; }
`;
  const { counterexample } = await bugOf(freed, run(['make', 3], ['end'], ['get', 0]));
  expect(counterexample.failure.message).toMatch(/^use after free: buffer\[i\]/u);
  expect(counterexample.steps).toMatchObject([{ function: 'make' }, { function: 'end' }, { function: 'get' }]);
});

test('what the test passes stays: another value would be another failure', async () => {
  const kept = `
static int elems[4]; static int n;
void add(int value) { elems[n] = value; if (n < 4) n++; }
int at(int index) { return elems[index == n ? n : index]; }
`;
  const { counterexample } = await bugOf(kept, run(['add', 1], ['add', 2], ['add', 3], ['add', 4], ['at', 4]));
  expect(counterexample.steps.at(-1)).toMatchObject({ function: 'at', arguments: [{ kind: 'value', value: 4 }] });
});
