import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { causePage } from '../../src/report/causePage';
import { formatVerdict } from '../../src/report';
import type { ClientStep, Counterexample, Failure, InvariantAt, Verdict } from '../../src/verdict';
import {
  base,
  bug,
  bugAndSpecification,
  conditional,
  everyVerdict,
  notEvaluated,
  potentialError,
  proved,
  unknown,
} from './verdicts';

const effort =
  'test-based-abstraction, 1.3 s, 34 solver queries (z3 5.1.0 (wasm)), 18 abstract states, 4 states fabricated';

function check(verdict: Verdict, expected: string): void {
  // The pages on causes are in the package, wherever that is.
  const text = formatVerdict(verdict, { color: false, base, subject: 'stack.c' }).replaceAll(
    `${join(__dirname, '../..')}/`,
    '',
  );
  // What was not evaluated was no effort.
  expect(text).toBe(`${expected.trim()}${verdict.kind === 'not-evaluated' ? '' : `\n\n${effort}`}`);
}

test('proved says relative to what, and the invariants between calls come first', () =>
  check(
    proved,
    `
stack.c: proved: no check of reach, memsafety, overflow, div-by-zero can fail

Relative to:
  - int has 32 bits (LP64)
  - clients call only init, push, pop

Between any two calls:
  0 <= size && size <= max

Elsewhere:
  loop at line 12 of push  index <= size

The tests reach 14 of 18 abstract states (77.7 %).
`,
  ));

test('abstract states are told where something tells them apart', () => {
  const text = (predicates: number): string =>
    formatVerdict(
      { ...proved, adequacy: undefined, statistics: { ...proved.statistics, predicates } },
      { color: false, base },
    )
      .split('\n')
      .at(-1)!;
  expect(text(1)).toBe(effort);
  expect(text(0)).toBe(effort.replace(/, 18 abstract.*/, ''));
});

test('a bug shows the C line, the calls and the test to paste', () =>
  check(
    bug,
    `
stack.c: bug (reproduced): index -1 is outside elems[8]

at stack.c:14:5 in push (array-bounds, property memsafety)
    13 | {
  > 14 |   elems[size] = k;
       |   ^^^^^^^^^^^
    15 | }

How to get there, from the initial state:
  1  init(2)
  2  items = a new int[2] holding {1, 2}
  3  pop() returns 9223372036854775807
  4  push(items)

C call stack:
  stack.c:14:5 in push
  stack.c:30:3 in push_all

Test to paste; it fails at this C line:
  test('push: index -1 is outside elems[8]', () => {
    stack.init(2);
  });
`,
  ));

test('a potential error shows the state it starts from and the probe to try', () =>
  check(
    potentialError,
    `
stack.c: potential error: 2 checks could fail, in states not shown reachable

index -1 is outside elems[8]

at stack.c:14:5 in push (array-bounds, property memsafety)
    13 | {
  > 14 |   elems[size] = k;
       |   ^^^^^^^^^^^
    15 | }

The state it starts from, at stack.c:10:1 in push:
  size = -1
  max = 2

No test reaches a state with size < 0, and no probe tells such states apart.

What to try:
  stack.probe('size is negative', (s) => s.size < 0);

Further:
  stack.c:22:9: index -1 is outside elems[8]

cause: probe-too-weak (docs/causes/probe-too-weak.md)

The tests reach 14 of 18 abstract states (77.7 %).
`,
  ));

test('unknown names its cause, its place and what to try', () =>
  check(
    unknown,
    `
stack.c: unknown: the solver gave up on 3 of 17 obligations

at stack.c:12:3 in push
cause: solver-budget (docs/causes/solver-budget.md)
What to try:
  provest verify stack.c --budget 60s
`,
  ));

test("a cause's page is named as the reader can open it", () => {
  const root = join(__dirname, '../..');
  expect(causePage('not-run', root)).toBe('docs/causes/not-run.md');
  expect(causePage('not-run', dirname(root))).toBe(`${basename(root)}/docs/causes/not-run.md`);
  expect(existsSync(causePage('not-run', join(root, 'src')))).toBe(true);
});

test('not evaluated is a verdict of its own', () =>
  check(
    { ...notEvaluated, adequacy: undefined },
    `
stack.c: not evaluated: no test of this file called the module

cause: not-run (docs/causes/not-run.md)
What to try:
  write a test that calls it
`,
  ));

test('AV-07: specifications stand apart from failures that none excuses', () => {
  const text = formatVerdict(bugAndSpecification, { color: false, base });
  expect(text).toContain(
    'Not for clients to avoid:\n  pop: size > 0 would do, but then line 14, size == 0, could never be true',
  );
  expect(text).toContain(
    'Specifications of clients that excuse failures:\n  push: s != NULL: 2 failures, for example push(NULL); ' +
      '3 calls in tests keep it',
  );
  expect(text).not.toContain('Further checks that fail');
  expect(formatVerdict(conditional, { color: false, base }).split('\n')[0]).toBe(
    'proved if clients keep 1 specification',
  );
});

test('a failure that a specification excuses is the first only if there is no other, and says so', () => {
  const { angelic, counterexample } = bugAndSpecification;
  const [specification] = angelic.specifications;
  const title = (example: typeof counterexample): string =>
    formatVerdict(
      { ...bugAndSpecification, angelic: { ...angelic, specifications: [{ ...specification!, example }] } },
      { color: false },
    ).split('\n')[0]!;
  expect(title(counterexample)).toBe(
    `bug (reproduced), if a client breaks a specification below: ${counterexample.failure.message}`,
  );
  const { failure } = counterexample;
  const elsewhere = { ...counterexample, failure: { ...failure, place: { ...failure.place, line: 99 } } };
  expect(title(elsewhere)).toBe(`bug (reproduced): ${failure.message}`);
});

test('AV-08: a specification that may make a branch impossible says which', () => {
  const {
    angelic: {
      specifications: [specification],
    },
  } = conditional;
  const place = { file: join(base, 'stack.c'), line: 7, column: 3, function: 'push' };
  const undecided = { place, condition: 'n > limit', outcome: true };
  const text = formatVerdict(
    { ...conditional, angelic: { specifications: [{ ...specification, undecided }], refused: [null] } },
    { color: false, base },
  );
  expect(text).toContain('3 calls in tests keep it; not judged: perhaps line 7, n > limit, could never be true');
});

test('AV-16: errors that one refused specification would excuse are told as one', () => {
  const other = {
    ...bugAndSpecification.counterexample,
    failure: {
      ...bugAndSpecification.counterexample.failure,
      place: { ...bugAndSpecification.counterexample.failure.place, line: 99 },
    },
  };
  const [refusal] = bugAndSpecification.angelic.refused;
  const verdict = (second: typeof refusal | null): Verdict => ({
    ...bugAndSpecification,
    further: [other],
    angelic: { specifications: [], refused: [refusal, second] },
  });
  const one = formatVerdict(verdict(refusal), { color: false, base });
  expect(one).not.toContain('Further checks that fail:\n  stack.c:99');
  expect(one).toMatch(/could never be true\n {2}the same cause: \S*:99:/);
  // Another reason, or none, is another error.
  expect(formatVerdict(verdict(null), { color: false, base })).toMatch(/Further checks that fail:\n {2}\S*:99:/);
});

test('the words of one verdict do not occur in the title of another', () => {
  const words = ['proved', 'bug', 'potential error', 'unknown', 'not evaluated', 'proved if'];
  const said = everyVerdict.map((verdict) => {
    const title = formatVerdict(verdict, { color: false }).split('\n')[0]!;
    // `proved if` is a word of its own; who looks for a proof looks at the exit code, or for the colon.
    return words.filter((word) => title.replace('proved:', '<proof>').includes(word === 'proved' ? '<proof>' : word));
  });
  expect(said).toEqual(words.map((word) => [word]));
});

test('color changes nothing but escape sequences, and its absence means none', () => {
  for (const verdict of everyVerdict) {
    const plain = formatVerdict(verdict, { color: false });
    const colored = formatVerdict(verdict, { color: true });
    expect(plain).not.toContain('\x1b');
    expect(colored).toContain('\x1b');
    expect(colored.replace(/\x1b\[\d+m/g, '')).toBe(plain);
  }
});

test('a long counterexample and many invariants still fit on a screen', () => {
  const call = (name: string) => ({ kind: 'call', function: name, arguments: [] }) as const;
  const steps = [...bug.counterexample.steps, ...Array.from({ length: 250 }, () => [call('top'), call('pop')]).flat()];
  const long = formatVerdict({ ...bug, counterexample: { ...bug.counterexample, steps } }, { color: false });
  expect(long).toContain('… 476 more lines');
  expect(long).toContain('504  pop()');
  expect(long.split('\n').length).toBeLessThan(60);
  const invariants = Array.from({ length: 300 }, (_, i) => ({ ...proved.invariants[0]!, formula: `x == ${i}` }));
  const wide = formatVerdict({ ...proved, invariants }, { color: false });
  expect(wide).toContain('… 292 more places');
  expect(wide.split('\n').length).toBeLessThan(50);
});

test('the same call many times over is told once, and counted', () => {
  const push = (value: number) => ({ kind: 'call', function: 'push', arguments: [{ kind: 'value', value }] }) as const;
  const steps = [push(1), ...Array.from({ length: 100 }, () => push(0)), push(2), push(2)];
  const text = formatVerdict({ ...bug, counterexample: { ...bug.counterexample, steps } }, { color: false });
  expect(text).toContain('    1  push(1)\n    2  push(0), 100 times\n  102  push(2)\n  103  push(2)\n');
});

test('inputs stand below the call that asks for them', () => {
  const input = (name: string, value: number | null) => ({ kind: 'input', function: name, value }) as const;
  const steps = [
    input('nondet', 0),
    input('nondet', 1),
    input('malloc', 1),
    input('malloc', null),
    input('uninitialised i', 7),
    { kind: 'call', function: 'client', arguments: [] },
    ...Array.from({ length: 30 }, (_, i) => input('nondet', i)),
    { kind: 'call', function: 'client', arguments: [] },
    input('nondet', 5),
  ] as const;
  expect(formatVerdict({ ...bug, counterexample: { ...bug.counterexample, steps } }, { color: false })).toContain(`
  1  client()
     where nondet() gives 0, 1
     where malloc() gives memory, NULL
     where uninitialised i is 7
  2  client()
     where nondet() gives 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, … 10 more …, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29
     then nondet() gives 5
`);
});

test('functions of the client have the names of their steps, also where they answer', () => {
  const type = 'int (*)(int)';
  const fn = (name: string) => ({ kind: 'function', name, type }) as const;
  const answer = { kind: 'input', function: type, value: 7 } as const;
  const call = { kind: 'call', function: 'each', arguments: [{ kind: 'object', name: 'next' }] } as const;
  const shown = (...steps: readonly ClientStep[]): string =>
    formatVerdict({ ...bug, counterexample: { ...bug.counterexample, steps } }, { color: false });
  expect(shown(fn('next'), answer, call)).toContain(`
  1  next = a function of the client's: int (*)(int)
  2  each(next)
     where next() gives 7
`);
  // The steps do not say which was asked.
  expect(shown(fn('next'), fn('last'), answer, call)).toContain('where next() or last() gives 7\n');
});

test('invariants between calls are printed in full and once, those of other places on a line each', () => {
  const conjuncts = Array.from({ length: 12 }, (_, i) => `(size >= ${i} || size <= ${i + 1})`).join(' && ');
  const at = (kind: InvariantAt['at'], formula: string): InvariantAt => ({
    place: { file: 'stack.c', line: 3, column: 1, function: 'push' },
    at: kind,
    formula,
  });
  const invariants = [
    at('entry', conjuncts),
    at('exit', `${conjuncts} && x == 1`),
    at('loop', 'a == 1 || b == 2 && c == 3'),
    at('call', 'true'),
    at('module', conjuncts),
  ];
  expect(formatVerdict({ ...proved, invariants }, { color: false })).toContain(`
Between any two calls:
  (size >= 0 || size <= 1) && (size >= 1 || size <= 2)
  && (size >= 2 || size <= 3) && (size >= 3 || size <= 4)
  && (size >= 4 || size <= 5) && (size >= 5 || size <= 6)
  && (size >= 6 || size <= 7) && (size >= 7 || size <= 8)
  && (size >= 8 || size <= 9) && (size >= 9 || size <= 10)
  && (size >= 10 || size <= 11) && (size >= 11 || size <= 12)

Elsewhere:
  loop at line 3 of push  a == 1 || b == 2 && c == 3
  exit of push            (size >= 0 || size <= 1) && … 12 more
`);
});

test('a call of a library function that fails alike in several of its lines is told once', () => {
  const there = { ...bug.counterexample.failure, place: { file: '<provest>/string/strcat.c', line: 8, column: 5 } };
  const caller = { place: bug.counterexample.failure.place, codeFrame: '' };
  const fails = (offset: number, line: number, changes: Partial<Failure> = {}) => ({
    ...bug.counterexample,
    failure: {
      ...there,
      message: `out of bounds: target[end + i]: offset ${offset} in 'path'`,
      place: { ...there.place, line },
      caller,
      ...changes,
    },
  });
  const told = (...further: Counterexample[]): string =>
    formatVerdict({ ...bug, counterexample: fails(16, 11), further }, { color: false });
  expect(told(fails(19, 8))).not.toContain('Further checks that fail');
  const elsewhere = { ...caller, place: { ...caller.place, line: 99 } };
  for (const other of [
    fails(19, 8, { caller: elsewhere }),
    fails(19, 8, { message: "out of bounds: source[i]: offset 19 in 'path'" }),
    fails(19, 8, { check: 'null-dereference' }),
  ])
    expect(told(other)).toContain('Further checks that fail');
});

test('calls with their answers are told once, too, and a counterexample of two dozen lines in full', () => {
  const input = (value: number) => ({ kind: 'input', function: 'data', value }) as const;
  const read = { kind: 'call', function: 'read', arguments: [] } as const;
  const shown = (...steps: readonly ClientStep[]): string =>
    formatVerdict({ ...bug, counterexample: { ...bug.counterexample, steps } }, { color: false });
  expect(shown(...Array.from({ length: 3 }, () => [input(7), read]).flat(), input(8), read)).toContain(
    '  1  read(), 3 times\n     where data() gives 7\n  4  read()\n     where data() gives 8\n',
  );
  expect(shown(...Array.from({ length: 13 }, (_, i) => [input(i), read]).flat())).not.toContain('more lines');
});
