/** Failures that few inputs have, behind loops that a random search does not run to their end; and twins without. */
import { Budget } from '../../../src/budget';
import { nothingKnown, type Outcome } from '../../../src/engines/engine';
import { sampling } from '../../../src/engines/invariants/sampling';
import { silent } from '../../../src/engines/portfolio/verificationLog';
import { Problem } from '../../../src/engines/problem';
import { longRuns } from '../../../src/engines/search/longRuns';
import { verify } from '../../../src/index';
import type { Task } from '../../../src/task';
import { ifLong, inLongForm } from '../../long';
import { file, fixture, task } from '../task';

jest.setTimeout(120_000);

const header = 'extern int nondet(void); extern void error(void);';

const program = (path: string): Task =>
  task(path, { mode: 'program', entries: ['main'], properties: ['reach'], load: { externals: 'any' } });

/** After sampling; a reason why the engine has nothing to do, or its outcome. */
async function searched(asked: Task, when: 'early' | 'late' = 'early'): Promise<string | Outcome> {
  const budget = Budget.start(asked.budget);
  const problem = new Problem(asked, budget, {});
  try {
    const sampled = await sampling.run(problem, nothingKnown, budget, silent);
    if (sampled.kind !== 'unknown') return sampled;
    const engine = longRuns(when);
    return engine.applies(problem, sampled.learned) ?? (await engine.run(problem, sampled.learned, budget, silent));
  } finally {
    await problem.solvers.close();
  }
}

test('the verdict names the input', async () => {
  expect(await verify(program(fixture('programs/arrays/ramp_one_input_wrong.c')))).toMatchObject({
    kind: 'bug',
    counterexample: {
      failure: { place: { line: 13 } },
      steps: [
        { kind: 'input', value: 77 },
        { kind: 'call', function: 'main' },
      ],
    },
  });
});

test('no input of the twin fails', async () => {
  expect(await searched(program(fixture('programs/arrays/ramp_one_input.c')))).toMatchObject({ kind: 'unknown' });
});

test('a small number that is no number of the program', async () => {
  const text = (product: number): string => `${header}
    int main(void) {
      int i, w = nondet() & 255, s = 0;
      for (i = 0; i < 60000; i++) s ^= i;
      if (w * 7 == ${product} && s == 0) error();
      return 0;
    }`;
  expect(await searched(program(file(text(1407))))).toMatchObject({
    kind: 'unsafe',
    failure: { scenario: { answers: [{ value: 201 }] } },
  });
  expect(await searched(program(file(text(1409))))).toMatchObject({ kind: 'unknown' });
});

test('an argument of a client', async () => {
  const text = `extern void error(void); static int a[70000];
    void spread(int v) {
      for (int i = 0; i < 70000; i++) a[i] = v;
      for (int i = 0; i < 70000; i++) if (a[i] == 91 && i > 69990) error();
    }`;
  const found = await searched(task(file(text), { properties: ['reach'], load: { externals: 'any' } }));
  if (typeof found === 'string' || found.kind !== 'unsafe' || found.failure.kind === 'test')
    throw new Error('no failing client was found');
  expect(found.failure.scenario.calls.at(-1)!.arguments).toEqual([{ kind: 'scalar', value: 91 }]);
});

test('loops that are left soon are for others', async () => {
  const text = `${header} int main(void) { int i, x = nondet(); for (i = 0; i < 9; i++) x ^= i; return x; }`;
  expect(await searched(program(file(text)))).toBe('no loop was seen to be long');
});

test('a program that never ends, and asks for ever', async () => {
  const text = `${header} int main(void) { int x = 0; for (;;) { x ^= nondet() & 1; if (x > 1) error(); } }`;
  expect(await searched(program(file(text)))).toMatchObject({ kind: 'unknown' });
});

describe('copies behind 200,000 inputs', () => {
  const text = (last: string): string => `${header}
    #define N 100000
    int a[N], b[N], c[N];
    int main(void) {
      int i;
      for (i = 0; i < N; i++) { a[i] = nondet(); b[i] = nondet(); }
      for (i = 0; i < N; i++) c[i] = a[i];
      for (i = 0; i < N; i++) c[i] = ${last}[i];
      for (i = 0; i < N; i++) if (c[i] != a[i]) error();
      return 0;
    }`;
  inLongForm('one that another overwrites', async () => {
    expect(await searched(program(file(text('b'))))).toMatchObject({ kind: 'unsafe' });
  });
  inLongForm('one that is made again', async () => {
    expect(await searched(program(file(text('a'))))).toMatchObject({ kind: 'unknown' });
  });
});

describe('answers of an array of 60,000 elements that must agree', () => {
  const text = (loop: string): string => `${header}
    int a[60000];
    int main(void) {
      int i, m = 0, c = 0;
      for (i = 0; i < 60000; i++) a[i] = nondet();
      ${loop}
      return 0;
    }`;
  test.each<readonly [what: string, loop: string]>([
    ...ifLong<readonly [what: string, loop: string]>([
      'the last is the only largest',
      'for (m = a[0], i = 1; i < 59999; i++) if (a[i] > m) m = a[i]; if (a[i] > m) error();',
    ]),
    [
      'each is smaller than the one before',
      'for (i = 1; i < 60000; i++) c += a[i] < a[i - 1]; if (c == 59999) error();',
    ],
  ])('%s', async (_, loop) => {
    expect(await searched(program(file(text(loop))), 'late')).toMatchObject({ kind: 'unsafe' });
  });
});

const ring = (advanced: string): string => `
  static int places[200]; static unsigned char first, used;
  int put(int v) { if (used == 200) return 0; places[(first + used) % 200] = v; used++; return 1; }
  int get(void) { if (used == 0) return 0; int v = places[first]; first = ${advanced}; used--; return v; }`;

test('a ring of a module that comes round only after hundreds of calls, in as few calls a round as fail', async () => {
  const outcome = await searched(task(file(ring('first + 1')), { properties: ['memsafety'] }));
  if (typeof outcome === 'string' || outcome.kind !== 'unsafe' || outcome.failure.kind !== 'scenario')
    throw new Error('no failing execution');
  const names = outcome.failure.scenario.calls.map(({ fn }) => fn.name);
  // The first call of the round may be the one that reads.
  expect([402, 403]).toContain(names.length);
  expect(names.slice(-2)).toEqual(['put', 'get']);
});

test('the twin of that ring has no such execution', async () => {
  expect(await searched(task(file(ring('(first + 1) % 200')), { properties: ['memsafety'] }))).toMatchObject({
    kind: 'unknown',
  });
});
