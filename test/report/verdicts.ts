/** One verdict of each kind, as an engine would give them for a bounded stack. */
import type { Adequacy, Counterexample, Failure, Statistics, Verdict } from '../../src/verdict';

export const base = '/project';
const file = '/project/stack.c';

const statistics: Statistics = {
  seconds: 1.25,
  secondsByPhase: { 'front-end': 0.05, execution: 0.1, solving: 1, certify: 0.1 },
  solver: 'z3 5.1.0 (wasm)',
  solverQueries: 34,
  testsStates: 40,
  abstractStates: 18,
  coveredAbstractStates: 14,
  fabricatedStates: 4,
  predicates: 5,
  cutpoints: 9,
  segments: 21,
  obligations: 17,
  stages: [
    { stage: 'sampling', outcome: 'learned', seconds: 0.25 },
    { stage: 'long-runs', outcome: 'skipped', why: 'no loop was seen to be long' },
    { stage: 'discharge', outcome: 'proof', seconds: 1 },
  ],
};
const adequacy: Adequacy = {
  covered: 14,
  total: 18,
  ratio: 14 / 18,
  missing: [
    {
      at: { file, line: 20, column: 1, function: 'push' },
      valuation: 'size == max',
      state: [{ name: 'size', value: '2' }],
    },
  ],
};
const common = {
  engine: 'test-based-abstraction',
  properties: ['reach', 'memsafety', 'overflow', 'div-by-zero'],
  assumptions: ['int has 32 bits (LP64)', 'clients call only init, push, pop'],
  statistics,
  adequacy,
  remarks: [],
} as const;
const failure: Failure = {
  check: 'array-bounds',
  property: 'memsafety',
  message: 'index -1 is outside elems[8]',
  place: { file, line: 14, column: 5, function: 'push' },
  codeFrame: '  13 | {\n> 14 |   elems[size] = k;\n     |   ^^^^^^^^^^^\n  15 | }',
};

export const proved = {
  ...common,
  kind: 'proved',
  invariants: [
    { place: { file, line: 12, column: 3, function: 'push' }, at: 'loop', formula: 'index <= size' },
    { place: { file, line: 1, column: 1 }, at: 'module', formula: '0 <= size && size <= max' },
  ],
} satisfies Verdict;

export const bug = {
  ...common,
  kind: 'bug',
  counterexample: {
    failure,
    steps: [
      { kind: 'call', function: 'init', arguments: [{ kind: 'value', value: 2 }] },
      { kind: 'allocate', name: 'items', type: 'int[2]', value: [1, 2] },
      { kind: 'call', function: 'pop', arguments: [], result: 9223372036854775807n },
      { kind: 'call', function: 'push', arguments: [{ kind: 'object', name: 'items' }] },
    ],
    stack: [failure.place, { file, line: 30, column: 3, function: 'push_all' }],
    test: "test('push: index -1 is outside elems[8]', () => {\n  stack.init(2);\n});\n",
  },
} satisfies Verdict;

export const potentialError = {
  ...common,
  kind: 'potential-error',
  errors: [
    {
      failure,
      at: { file, line: 10, column: 1, function: 'push' },
      state: [
        { name: 'size', value: '-1' },
        { name: 'max', value: '2' },
      ],
      explanation: 'No test reaches a state with size < 0, and no probe tells such states apart.',
      suggestion: "stack.probe('size is negative', (s) => s.size < 0);",
    },
    {
      failure: { ...failure, place: { file, line: 22, column: 9 } },
      at: { file, line: 20, column: 1 },
      state: [],
      explanation: '',
      suggestion: undefined,
    },
  ],
  reason: {
    cause: 'probe-too-weak',
    message: 'The predicates cannot tell the failing states from reachable ones.',
    suggestion: "stack.probe('size is negative', (s) => s.size < 0);",
  },
} satisfies Verdict;

export const unknown = {
  ...common,
  kind: 'unknown',
  adequacy: undefined,
  reason: {
    cause: 'solver-budget',
    message: 'the solver gave up on 3 of 17 obligations',
    place: { file, line: 12, column: 3, function: 'push' },
    suggestion: 'provest verify stack.c --budget 60s',
  },
} satisfies Verdict;

export const notEvaluated = {
  ...common,
  kind: 'not-evaluated',
  reason: {
    cause: 'not-run',
    message: 'no test of this file called the module',
    suggestion: 'write a test that calls it',
  },
} satisfies Verdict;

const example = {
  failure: { ...failure, check: 'null-dereference', message: 'null pointer dereference: s' },
  steps: [{ kind: 'call', function: 'push', arguments: [{ kind: 'value', value: null }] }],
  stack: [failure.place],
  test: '',
} satisfies Counterexample;
const specification = {
  text: 'push: s != NULL',
  function: 'push',
  excuses: 2,
  example,
  keptByCalls: 3,
  code: "requires: { push: 's != NULL' }",
  flags: '--requires "push: s != NULL"',
};

/** A bug beside a failure that a specification excuses. */
export const bugAndSpecification = {
  ...bug,
  further: [example],
  angelic: {
    specifications: [specification],
    refused: [{ text: 'pop: size > 0', place: failure.place, condition: 'size == 0', outcome: true }, null],
  },
} satisfies Verdict;

export const conditional = {
  ...common,
  kind: 'conditional',
  invariants: proved.invariants,
  angelic: { specifications: [specification], refused: [null] },
  reason: { cause: 'not-accepted', message: 'clients keep 1 specification', suggestion: specification.code },
} satisfies Verdict;

export const everyVerdict: readonly Verdict[] = [proved, bug, potentialError, unknown, notEvaluated, conditional];
