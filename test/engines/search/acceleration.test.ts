/** Failures behind loops of a hundred million rounds and more, and twins without them. */
import { readFileSync } from 'node:fs';
import { Budget } from '../../../src/budget';
import { nothingKnown } from '../../../src/engines/engine';
import { sampling } from '../../../src/engines/invariants/sampling';
import { silent } from '../../../src/engines/portfolio/verificationLog';
import { Problem } from '../../../src/engines/problem';
import { acceleration } from '../../../src/engines/search/acceleration';
import { verify } from '../../../src/index';
import { isLong, inLongForm } from '../../long';
import { file, fixture, task } from '../task';

jest.setTimeout(180_000);

const judged = async (path: string, seconds = 90) =>
  verify(
    task(path, {
      mode: 'program',
      entries: ['main'],
      properties: ['reach'],
      load: { externals: 'any' },
      budget: { milliseconds: seconds * 1000 },
    }),
  );

const header = `extern unsigned nondet_uint(void);
extern int nondet_int(void);
extern void reach_error(void);
`;

const lineOf = (path: string): number =>
  readFileSync(path, 'utf8')
    .split('\n')
    .findIndex((line) => line.includes('<- fails')) + 1;

/** The first three in the short form. */
const some = (names: readonly string[]): readonly string[] => names.slice(0, isLong ? names.length : 3);

describe('fixtures', () => {
  test.each(some(['count_by_three', 'phases', 'down', 'wrapping', 'sum', 'converging', 'passing']))(
    'jump_%s_wrong: a bug',
    async (name) => {
      const path = fixture(`programs/loops/jump_${name}_wrong.c`);
      expect(await judged(path)).toMatchObject({
        kind: 'bug',
        counterexample: { failure: { place: { line: lineOf(path) } } },
      });
    },
  );

  test.each(some(['count_by_three', 'wrapping', 'sides', 'phases', 'converging', 'passing', 'down']))(
    'jump_%s: proved',
    async (name) => {
      expect(await judged(fixture(`programs/loops/jump_${name}.c`))).toMatchObject({ kind: 'proved' });
    },
  );
});

test.each([
  ['proved', 'the parameters of main', 'int main(int argc, char **argv)', '!='],
  ['bug', 'the parameters of main', 'int main(int argc, char **argv)', '=='],
  ['bug', 'other parameters', 'int main(long count, char *text, _Bool flag)', '=='],
])('%s: %s that nobody reads leave one execution', async (kind, _, start, operator) => {
  const text = `extern void reach_error(void);
${start} {
  unsigned x, y, cells = 0;
  for (y = 0; y < 100000; y++)
    for (x = 0; x < 100000; x++) cells++;
  if (cells ${operator} 1410065408u) reach_error();
  return 0;
}`;
  expect(await judged(file(text))).toMatchObject({ kind });
});

describe('invariants of states that only leaps come to', () => {
  test.each(['rounds_in_phases', ...(isLong ? ['long_nest', 'long_triangle', 'wide_sum'] : [])])(
    '%s: proved',
    async (name) => {
      expect(await judged(fixture(`programs/loops/${name}.c`))).toMatchObject({ kind: 'proved' });
    },
  );
});

test('the verdict says that an execution is too long for the evaluator alone, and gives the input', async () => {
  const verdict = await judged(fixture('programs/loops/jump_wrapping_wrong.c'));
  expect(verdict).toMatchObject({
    kind: 'bug',
    counterexample: {
      steps: [
        { kind: 'input', value: 2 ** 30 },
        { kind: 'call', function: 'main' },
      ],
    },
    remarks: expect.arrayContaining([expect.stringContaining('were executed as compiled code')]) as unknown,
  });
});

inLongForm('a loop behind another, where both go on for long', async () => {
  const text = (last: string): string => `${header}int main(void) {
  unsigned n = nondet_uint(), m = nondet_uint(), a = 0, b = 7;
  if (n > 100000000 || m > 100000000) return 0;
  for (unsigned i = 0; i < n; i++) a += 2;
  for (unsigned j = 0; j < m; j++) b += 3;
  if (a == 60000000 && b == ${last}) reach_error();
  return 0;
}
`;
  expect(await judged(file(text('90000007')))).toMatchObject({ kind: 'bug' });
  expect((await judged(file(text('90000008')), 8)).kind).not.toBe('bug');
});

test('an inner loop of a few rounds is part of a round', async () => {
  const text = `${header}int main(void) {
  unsigned n = nondet_uint(), x = 0;
  for (unsigned i = 0; i < n; i++) for (int k = 0; k < 4; k++) x += 3;
  if (x == 120000000) reach_error();
  return 0;
}
`;
  expect(await judged(file(text))).toMatchObject({ kind: 'bug' });
});

test('a guard that a jump does not understand leads to no bug that is none', async () => {
  // The multiples of 1000 that end the loop lie between the first round and the last.
  const text = `${header}int main(void) {
  unsigned n = nondet_uint(), x = 1;
  while (x % 1000 != 0 && x < n) x++;
  if (x > 5000) reach_error();
  return 0;
}
`;
  expect((await judged(file(text), 8)).kind).not.toBe('bug');
});

inLongForm('rounds that wrap a signed counter around', async () => {
  const text = (bound: string): string => `${header}int main(void) {
  int x = 2000000000;
  unsigned n = nondet_uint(), i = 0;
  if (n > ${bound}) return 0;
  while (i < n) { x++; i++; }
  if (x < 0) reach_error();
  return 0;
}
`;
  expect(await judged(file(text('200000000')))).toMatchObject({ kind: 'bug' });
  expect(await judged(file(text('147483647')))).toMatchObject({ kind: 'proved' });
});

test('loops of eight rounds are no loops to be jumped over, and take no query', async () => {
  const text = `${header}int main(void) {
  unsigned x = nondet_uint() & 1, y = 0;
  for (int i = 0; i < 8; i++) { x += 2; y += 4; }
  if (y == 3 + x) reach_error();
  return 0;
}
`;
  const program = { mode: 'program', entries: ['main'], properties: ['reach'], load: { externals: 'any' } } as const;
  const asked = task(file(text), program);
  const budget = Budget.start(asked.budget);
  const problem = new Problem(asked, budget, {});
  try {
    const sampled = await sampling.run(problem, nothingKnown, budget, silent);
    if (!('learned' in sampled)) throw new Error(sampled.kind);
    const { instances } = problem.solvers;
    const before = instances.statistics.queries;
    await acceleration('late').run(problem, sampled.learned, budget, silent);
    expect(instances.statistics.queries).toBe(before);
  } finally {
    await problem.solvers.close();
  }
});

test.each([
  ['unsafe', 1],
  ['unknown', 0],
])('the only execution is run further in the late turn: %s', async (kind, start) => {
  const text = `${header}static unsigned step(unsigned n) { return n + 2; }
int main(void) {
  unsigned x = ${start};
  while (x < 1000000) x = step(x);
  if (x % 2) reach_error();
  return 0;
}
`;
  const program = { mode: 'program', entries: ['main'], properties: ['reach'], load: { externals: 'any' } } as const;
  const asked = task(file(text), program);
  const budget = Budget.start(asked.budget);
  const problem = new Problem(asked, budget, {});
  const known = { ...nothingKnown, isLong: true };
  try {
    const late = acceleration('late');
    expect(late.applies(problem, known)).toBeUndefined();
    expect((await late.run(problem, known, budget, silent)).kind).toBe(kind);
  } finally {
    await problem.solvers.close();
  }
});
