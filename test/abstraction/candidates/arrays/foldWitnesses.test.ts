/** What folds take from arrays, at any length: conditions of variables that only some element, or all of them, decide. */
import { elementConditions } from '../../../../src/abstraction/candidates/arrays/elementConditions';
import { foldWitnesses } from '../../../../src/abstraction/candidates/arrays/foldWitnesses';
import { both } from '../../../../src/abstraction/candidates/candidates';
import { noInvariants } from '../../../../src/abstraction/transitionSystem/invariantMap';
import { plainOptions, TransitionSystem } from '../../../../src/abstraction/transitionSystem/transitionSystem';
import { houdini } from '../../../../src/engines/invariants/houdini';
import { dischargesAll } from '../../../../src/engines/invariants/openObligations';
import { askedIn } from '../../../../src/evidence/certificates/certify';
import { Budget } from '../../../../src/budget';
import { Solvers } from '../../../../src/engines/solvers';
import { programOf } from '../../../program/programOf';

jest.setTimeout(120_000);

const budget = Budget.start({ milliseconds: 600_000 });
let solvers: Solvers;
beforeAll(() => {
  solvers = new Solvers(1, budget, {});
});
afterAll(() => solvers.close());

async function isProved(text: string): Promise<boolean> {
  const program = programOf(
    [
      '#include <assert.h>\n#define N 100000',
      'extern int nondet(void);',
      'int a[N], b[N];',
      `int main(void) { int i, m, n, found = 0; ${text} return 0; }`,
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
  const candidates = both(elementConditions(system), foldWitnesses(system), system);
  const kept = await houdini(system, noInvariants, candidates, solvers.instances, { query, stop: () => false });
  const checks = new Set(askedIn(system));
  expect(checks.size).toBeGreaterThan(0);
  return dischargesAll(system, kept!, checks, solvers.instances, () => query);
}

const fill = 'for (i = 0; i < N; i++) a[i] = nondet();';
const least = 'm = a[0]; for (i = 1; i < N; i++) if (m > a[i]) m = a[i];';
const shift = 'for (i = 1; i < N; i++) a[i - 1] = a[i];';

test.each([
  [
    'the least element before and after a shift (figure 1.4)',
    `${fill} ${least} n = a[0]; ${shift} for (i = 0; i < N - 1; i++) if (n > a[i]) n = a[i]; assert(m == n);`,
  ],
  [
    'the least element is one of them',
    `${fill} ${least} for (i = 0; i < N; i++) if (a[i] == m) found = 1; assert(found);`,
  ],
  [
    'two folds of one array',
    `${fill} ${least} n = a[0]; for (i = 1; i < N; i++) if (a[i] < n) n = a[i]; assert(m == n);`,
  ],
  [
    'a fold of a copy',
    `${fill} ${least} for (i = 0; i < N; i++) b[i] = a[i]; n = b[0]; for (i = 1; i < N; i++) if (b[i] < n) n = b[i]; assert(m == n);`,
  ],
])('%s', async (_, text) => {
  expect(await isProved(text)).toBe(true);
});

test.each([
  [
    'without the first element',
    `${fill} ${least} n = a[1]; ${shift} for (i = 0; i < N - 1; i++) if (n > a[i]) n = a[i]; assert(m == n);`,
  ],
  [
    'an element that no loop looks at',
    `${fill} ${least} for (i = 1; i < N; i++) if (a[i] == m) found = 1; assert(found);`,
  ],
  [
    'a copy that leaves one out',
    `${fill} ${least} for (i = 1; i < N; i++) b[i] = a[i]; n = b[1]; for (i = 1; i < N; i++) if (b[i] < n) n = b[i]; assert(m == n);`,
  ],
])('not %s', async (_, text) => {
  expect(await isProved(text)).toBe(false);
});
