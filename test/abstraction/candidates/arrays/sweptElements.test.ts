/** Conditions of all elements of a table that two loops fill are inductive, whatever the number of rows. */
import { sweptElements } from '../../../../src/abstraction/candidates/arrays/sweptElements';
import { noInvariants } from '../../../../src/abstraction/transitionSystem/invariantMap';
import { plainOptions, TransitionSystem } from '../../../../src/abstraction/transitionSystem/transitionSystem';
import { Budget } from '../../../../src/budget';
import { houdini } from '../../../../src/engines/invariants/houdini';
import { dischargesAll } from '../../../../src/engines/invariants/openObligations';
import { Solvers } from '../../../../src/engines/solvers';
import { askedIn } from '../../../../src/evidence/certificates/certify';
import { programOf } from '../../../program/programOf';

jest.setTimeout(120_000);

const budget = Budget.start({ milliseconds: 600_000 });
let solvers: Solvers;
beforeAll(() => {
  solvers = new Solvers(1, budget, {});
});
afterAll(() => solvers.close());

/** True if the candidates alone prove all assertions; `n`: rows of the table. */
async function isProved(text: string, n: number): Promise<boolean> {
  const program = programOf(
    [
      `#include <assert.h>\n#define N ${n}`,
      'extern int nondet(void);',
      'int t[N][10]; short s[N][6];',
      `int main(void) { int i, j, v = nondet(); ${text} return 0; }`,
    ].join('\n'),
    { externals: 'any' },
  );
  const system = new TransitionSystem(program, {
    ...plainOptions,
    mode: 'program',
    entries: [program.functionByName.get('main')!],
    checkedProperties: new Set(['reach']),
  });
  const query = budget.moderateQuery();
  const candidates = new Map([...system.points.map((point) => [point, []] as const), ...sweptElements(system)]);
  const kept = await houdini(system, noInvariants, candidates, solvers.instances, { query, stop: () => false });
  const checks = new Set(askedIn(system));
  expect(checks.size).toBeGreaterThan(0);
  return dischargesAll(system, kept!, checks, solvers.instances, () => query);
}

const rows = 'for (i = 0; i < N; i++) for (j = 0; j < 10; j++)';

describe.each([100, 5_000_000])('%d rows', (n) => {
  test.each([
    ['the same everywhere', `${rows} t[i][j] = v; ${rows} assert(t[i][j] == v);`],
    ['a condition of inputs', `${rows} t[i][j] = nondet() & 7; ${rows} assert(t[i][j] >= 0 && t[i][j] < 8);`],
    [
      'read by columns, through other counters',
      `${rows} t[i][j] = v; for (int c = 0; c < 10; c++) for (int r = 0; r < N; r++) assert(t[r][c] == v);`,
    ],
    [
      'rows of twelve bytes',
      'for (i = 0; i < N; i++) for (j = 0; j < 6; j++) s[i][j] = 3; for (i = 0; i < N; i++) for (j = 0; j < 6; j++) assert(s[i][j] == 3);',
    ],
  ])('%s', async (_, text) => {
    expect(await isProved(text, n)).toBe(true);
  });
});

test.each([
  [
    'the first column is left out',
    `for (i = 0; i < N; i++) for (j = 1; j < 10; j++) t[i][j] = v | 1; ${rows} assert(t[i][j] == (v | 1));`,
  ],
  [
    'the last row is left out',
    `for (i = 0; i < N - 1; i++) for (j = 0; j < 10; j++) t[i][j] = v | 1; ${rows} assert(t[i][j] == (v | 1));`,
  ],
  ['one element is changed in between', `${rows} t[i][j] = v; t[3][4] = v + 1; ${rows} assert(t[i][j] == v);`],
  ['an element depends on its row', `${rows} t[i][j] = i & 1; ${rows} assert(t[i][j] == 0);`],
])('not proved: %s', async (_, text) => {
  expect(await isProved(text, 100)).toBe(false);
});
