/**
 * k-induction: what follows from the last k states at the heads of loops, for the engine and for the independent check.
 */
import { verify } from '../../../src';
import {
  plainOptions,
  TransitionSystem,
  type SystemOptions,
} from '../../../src/abstraction/transitionSystem/transitionSystem';
import { type Certificate, certify } from '../../../src/evidence/certificates/certify';
import * as L from '../../../src/logic/build';
import type { Term } from '../../../src/logic/term';
import type { ProofMemory } from '../../../src/proofCache';
import { loadProgram } from '../../../src/program';
import { defaultProperties } from '../../../src/program/command';
import { createSolver } from '../../../src/solver';
import type { Task } from '../../../src/task';
import { file, fixture, task } from '../task';

const solver = createSolver();
afterAll(() => solver.close());

const program = (path: string, changes: Partial<Task> = {}): Task =>
  task(path, { mode: 'program', entries: ['main'], load: { externals: 'any' }, properties: ['reach'], ...changes });

/**
 * Whether facts about `x`, claimed at every loop, are certified with this k; where the program begins, statics are 0.
 */
async function certified(text: string, induction: number, facts: (x: Term) => readonly Term[]): Promise<string> {
  const loaded = loadProgram([file(text)], { externals: 'any' });
  const options: SystemOptions = {
    ...plainOptions,
    mode: 'program',
    entries: [loaded.functionByName.get('main')!],
    checkedProperties: new Set(defaultProperties),
    ...(induction > 1 && { induction }),
  };
  const system = new TransitionSystem(loaded, options);
  const statics = system.vocabulary
    .symbolsFor(options.entries[0]!)
    .filter(({ name }) => ['x', 'y', 'z'].includes(name));
  const start = statics.map((symbol) => L.eq(symbol, word(0)));
  const certificate: Certificate = new Map(
    system.points.map(({ key, kind }) => [
      key,
      {
        invariants: kind === 'loop' ? facts(statics.find(({ name }) => name === 'x')!) : kind === 'entry' ? start : [],
        predicates: [],
        states: [['', ['']]],
      },
    ]),
  );
  const result = await certify(loaded, options, certificate, solver, () => ({ timeoutMs: 20_000 }));
  return result.kind === 'certified' ? 'certified' : result.why;
}

const word = (value: number): Term => L.bits(BigInt(value), 32);
const header = 'int nondet(void); unsigned nondet_unsigned(void); void reach_error(void); static unsigned x;\n';

test('a loop whose condition calls a function with a loop is not followed further', () => {
  const loaded = loadProgram(
    [
      file(`${header}static int n(void) { int i = 0; while (nondet()) i++; return i; }
int main(void) { for (int i = 0; i < n(); i++) x++; return 0; }`),
    ],
    { externals: 'any' },
  );
  const system = new TransitionSystem(loaded, {
    ...plainOptions,
    mode: 'program',
    entries: [loaded.functionByName.get('main')!],
    checkedProperties: new Set(defaultProperties),
    induction: 3,
  });
  expect(system.transitions.length).toBeGreaterThan(0);
});

test('where a single state is enough, k is not raised', async () => {
  const verdict = await verify(
    program(
      file(`${header}int main(void) { while (nondet()) if (x < 10) x++; if (x > 10) reach_error(); return 0; }`),
      { engine: 'k-induction' },
    ),
  );
  expect(verdict.kind).toBe('proved');
  expect(verdict.remarks.join()).not.toContain('inductive');
});

test('what is not k-inductive is unknown', async () => {
  const verdict = await verify(
    program(
      file(`${header}int main(void) { for (;;) { if (x == 77) reach_error(); x = x * 5 + 1; if (x > 100) x = 0; } }`),
      { engine: 'k-induction', budget: { milliseconds: 4000 } },
    ),
  );
  expect(verdict.kind).not.toBe('bug');
});

/** 0, 1, 2, ... */
const counter = `${header}int main(void) { while (nondet()) x++; return 0; }`;
/** A pipeline in which 9 comes out two rounds after it came in, which it does not. */
const pipeline =
  `${header}static unsigned y, z;\n` +
  'int main(void) { for (;;) { x = y; y = z; z = nondet_unsigned(); if (z == 9) z = 0; } }';

test.each([2, 3, 4])('the first states need no others before them: %i', async (k) => {
  for (let value = 0; value < 6; value++)
    expect(await certified(counter, k, (x) => [L.not(L.eq(x, word(value)))])).toMatch(/beyond the invariant/);
});

test('k has to be large enough', async () => {
  const never9 = (x: Term): Term[] => [L.not(L.eq(x, word(9)))];
  expect(await certified(pipeline, 1, never9)).toMatch(/beyond the invariant/);
  expect(await certified(pipeline, 2, never9)).toMatch(/beyond the invariant/);
  expect(await certified(pipeline, 3, never9)).toBe('certified');
  expect(await certified(pipeline.replace('if (z == 9) z = 0;', ''), 3, never9)).toMatch(/beyond the invariant/);
});

test('each check is shown on every way to it, the first rounds included', async () => {
  for (const round of [0, 1, 2, 3, 5]) {
    expect(
      await certified(`${header}int main(void) { for (;;) { if (x == ${round}) reach_error(); x++; } }`, 3, () => []),
    ).toMatch(/the check can fail/);
  }
  // Loops in a row and inside one another.
  const nested = (wrong: number) =>
    `${header}int main(void) { while (nondet()) { x = 0; while (nondet()) { if (x < 3) x++; } ` +
    `if (x == ${wrong}) reach_error(); } while (nondet()) { if (x == ${wrong}) reach_error(); x = 1; } ` +
    'return 0; }';
  const small = (x: Term): Term[] => [L.ule(x, word(3))];
  for (const k of [2, 3]) {
    expect(await certified(nested(4), k, small)).toBe('certified');
    for (const wrong of [0, 2, 3]) expect(await certified(nested(wrong), k, small)).toMatch(/the check can fail/);
  }
});

test('two values of one input function are two', async () => {
  expect(
    await certified(
      `${header}int main(void) { for (;;) { unsigned before = x; x = nondet_unsigned(); ` +
        'if (before != 0 && x != before) reach_error(); } }',
      3,
      () => [],
    ),
  ).toMatch(/the check can fail/);
});

test('a program is proved by what held ten times before, and a kept proof is taken up with its k', async () => {
  const kept = new Map<string, string>();
  const memory: ProofMemory = {
    recall: (name) => {
      const text = kept.get(name);
      return text === undefined ? undefined : (JSON.parse(text) as unknown);
    },
    keep: (name, contents) => {
      kept.set(name, JSON.stringify(contents));
      return undefined;
    },
  };
  const asked = program(fixture('programs/loops/one_then_zero.c'), { engine: 'k-induction' });
  const first = await verify(asked, { memory });
  expect(first).toMatchObject({ kind: 'proved', engine: 'k-induction' });
  expect(first.remarks).toContainEqual(expect.stringContaining('10-inductive'));
  const again = await verify(asked, { memory });
  expect(again).toMatchObject({ kind: 'proved', engine: 'k-induction' });
  expect(again.statistics.reused).toBe(again.statistics.cutpoints);
  // Whatever k a file names, what is not inductive with it is proved some other way.
  for (const [name, text] of kept) kept.set(name, text.replace(/"induction":\d+/, '"induction":2'));
  const poisoned = await verify(asked, { memory });
  expect(poisoned).toMatchObject({ kind: 'proved' });
  expect(poisoned.statistics.reused).toBeUndefined();
});

test('an invariant of a witness may be k-inductive', async () => {
  const path = file(`${pipeline.replace('{ x = y;', '{ if (x == 9) reach_error(); x = y;')}`);
  const claims = (value: number) => [
    {
      file: path,
      line: 3,
      column: 1,
      function: 'main',
      text: `x != ${value}`,
      formula: {
        kind: '!=' as const,
        left: { kind: 'path' as const, variable: 'x', steps: [] },
        right: { kind: 'integer' as const, value: String(value) },
      },
    },
  ];
  expect(await verify(program(path, { claims: claims(9) }))).toMatchObject({ kind: 'proved' });
  expect(await verify(program(path, { claims: claims(8) }))).toMatchObject({
    kind: 'unknown',
    reason: { cause: 'checker-disagrees' },
  });
});
