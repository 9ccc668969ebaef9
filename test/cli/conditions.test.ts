/** Probes and preconditions on the command line reach the task as formulas; mistakes in them are wrong calls. */
import { conditionsOf } from '../../src/cli/conditions';
import { InputError } from '../../src/cli/inputError';
import type { ProbeFormula } from '../../src/abstraction/predicates/probeFormula';
import { programOf } from '../program/programOf';

const program = programOf(
  'int size, max; void push(int value) { int free = value; size = free; } static int half(int of) { return of / 2; }',
);
const all = { mode: 'module' } as const;
const check = (probe: readonly string[], requires: readonly string[] = []) =>
  conditionsOf(program, { probe, requires, initialisedBy: [], validPointers: [] }, 'm.c', all);
const path = (variable: string): ProbeFormula => ({ kind: 'path', variable, steps: [] });

test('names, places and formulas', () => {
  expect(
    check(['full: size == max', 'fits in push: free < max'], ['push: value > max ? 1 : 0', 'push: value < 9']),
  ).toEqual({
    probes: [
      { name: 'full', origin: '--probe', formula: { kind: '==', left: path('size'), right: path('max') } },
      {
        name: 'fits',
        origin: '--probe',
        function: 'push',
        formula: { kind: '<', left: path('free'), right: path('max') },
      },
    ],
    requires: [
      {
        function: 'push',
        formula: {
          kind: 'conditional',
          condition: { kind: '>', left: path('value'), right: path('max') },
          then: { kind: 'integer', value: '1' },
          otherwise: { kind: 'integer', value: '0' },
        },
        said: { c: 'value > max ? 1 : 0' },
      },
      {
        function: 'push',
        formula: { kind: '<', left: path('value'), right: { kind: 'integer', value: '9' } },
        said: { c: 'value < 9' },
      },
    ],
  });
  expect(check([])).toEqual({ probes: [] });
});

test('calls that clients make', () => {
  const asked = (possible: string) =>
    conditionsOf(
      program,
      { probe: [], requires: [], initialisedBy: [], validPointers: [], possible: [possible] },
      'm.c',
      all,
    );
  expect(asked('push: value < 9')).toEqual({
    probes: [],
    possible: [
      {
        function: 'push',
        formula: { kind: '<', left: path('value'), right: { kind: 'integer', value: '9' } },
        said: { c: 'value < 9' },
      },
    ],
  });
  expect(() => asked('value < 9')).toThrow(/--possible 'value < 9' has no name before a colon/);
  expect(() => asked('push: valeu < 9')).toThrow(/--possible: [^]*did you mean 'value'/);
  expect(() => asked('psuh: value < 9')).toThrow(/no function 'psuh'/);
});

test('structures are set up by functions that clients call', () => {
  const ring = programOf(
    'typedef struct { int at; } ring_t; void ring_init(ring_t *r) { r->at = 0; }\n' +
      'static void clear(ring_t *r) { r->at = 0; } int ring_at(const ring_t *r) { return r ? r->at : 0; }',
  );
  const asked = (by: string, scope: Parameters<typeof conditionsOf>[3] = all) =>
    conditionsOf(ring, { probe: [], requires: [], initialisedBy: [`ring_t: ${by}`], validPointers: [] }, 'm.c', scope)
      .initialisedBy;
  expect(asked('ring_init')).toEqual([{ type: 'ring_t', functions: ['ring_init'] }]);
  expect(() => asked('clear')).toThrow(new InputError("--initialised-by: clients call no function 'clear'"));
  expect(() => asked('ring_init', { ...all, entries: ['ring_at'] })).toThrow(InputError);
  expect(asked('ring_init', { ...all, entries: ['ring_at'], init: 'ring_init' })).toHaveLength(1);
});

test('parameters are called what the definition calls them, whatever a header says', () => {
  const named = programOf('int first(const int *list); int first(const int *p) { return *p; }');
  expect(
    conditionsOf(named, { probe: [], requires: ['first: p != NULL'], initialisedBy: [], validPointers: [] }, 'm.c', all)
      .requires,
  ).toHaveLength(1);
  expect(() =>
    conditionsOf(
      named,
      { probe: [], requires: ['first: list != NULL'], initialisedBy: [], validPointers: [] },
      'm.c',
      all,
    ),
  ).toThrow(/did you mean|none of the parameters/);
});

test.each([
  [['size == max'], [], /has no name before a colon/],
  [[': size'], [], /has no name before a colon/],
  [['p: sise == 1'], [], /did you mean 'size'\?\n {2}sise == 1/],
  [['p in psh: size'], [], /no function 'psh'/],
  [['p: size', 'p: max'], [], /two probes are named 'p'/],
  [['p: free == 1'], [], /none of the variables of m\.c/],
  [[], ['push: free > 1'], /none of the parameters of push/],
  [[], ['psuh: value > 1'], /no function 'psuh'/],
  [[], ['push: value ='], /no side effects/],
  [['p:'], [], /condition is empty/],
])('%j %j is refused', (probe, requires, message) => {
  expect(() => check(probe, requires)).toThrow(InputError);
  expect(() => check(probe, requires)).toThrow(message);
});
