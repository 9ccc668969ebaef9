/**
 * Results of folds over arrays of any length: conditions of variables that some element decides, or all of them.
 */
import type { Term } from '../../../../src/logic/term';
import { postOrder } from '../../../../src/logic/traverse';
import { programOf } from '../../../program/programOf';
import { elementConditions } from '../../../../src/abstraction/candidates/arrays/elementConditions';
import { foldWitnesses } from '../../../../src/abstraction/candidates/arrays/foldWitnesses';
import { both } from '../../../../src/abstraction/candidates/candidates';
import { provesAlone } from './provesAlone';
import { programSystem } from '../../programSystem';

jest.setTimeout(120_000);

const proves = provesAlone((system) => both(elementConditions(system), foldWitnesses(system), system));

const isProved = (text: string): Promise<boolean> =>
  proves(`#define N 100000\nint a[N], b[N];\nint main(void) { int i, m, n, found = 0; ${text} return 0; }`);

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
    `${fill} ${least} for (i = 0; i < N; i++) b[i] = a[i]; n = b[0]; ` +
      'for (i = 1; i < N; i++) if (b[i] < n) n = b[i]; assert(m == n);',
  ],
])('KT-08: %s', async (_, text) => {
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
    `${fill} ${least} for (i = 1; i < N; i++) b[i] = a[i]; n = b[1]; ` +
      'for (i = 1; i < N; i++) if (b[i] < n) n = b[i]; assert(m == n);',
  ],
])('not %s', async (_, text) => {
  expect(await isProved(text)).toBe(false);
});

/** By loop: for each candidate the number of elements that it is about. */
function elementsOfCandidates(n: number): readonly (readonly number[])[] {
  const program = programOf(
    `#include <assert.h>
    #define N ${n}
    extern int nondet(void);
    int a[N];
    int main(void) {
      int i, m, n;
      ${fill} ${least} n = a[0]; ${shift} for (i = 0; i < N - 1; i++) if (n > a[i]) n = a[i]; assert(m == n);
      return 0;
    }`,
    { externals: 'any' },
  );
  const system = programSystem(program, program.functionByName.get('main')!, ['reach']);
  const elementsOf = (term: Term): number =>
    postOrder([term]).reduce(
      (sum, part) => sum + (part.kind === 'forall' || part.kind === 'exists' ? part.bound.length : 0),
      0,
    );
  return [...foldWitnesses(system).values()].map((terms) => terms.map(elementsOf));
}

test('KT-17: one element of each fold decides figure 1.4, which is computed and does not depend on the length', () => {
  const few = elementsOfCandidates(10);
  // Filling, the first fold, shifting, the second fold.
  expect(few).toHaveLength(4);
  expect(Math.max(...few.flat())).toBe(1);
  for (const loop of few.slice(1)) expect(loop).toContain(1);
  for (const n of [1_000, 100_000]) expect(elementsOfCandidates(n)).toEqual(few);
});
