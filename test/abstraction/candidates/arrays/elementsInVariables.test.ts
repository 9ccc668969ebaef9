/** Relations of variables with elements: positions that loops choose, what is taken there, and what was stored last. */
import { elementConditions } from '../../../../src/abstraction/candidates/arrays/elementConditions';
import { elementsInVariables } from '../../../../src/abstraction/candidates/arrays/elementsInVariables';
import { accumulators } from '../../../../src/abstraction/candidates/rounds/accumulators';
import { both } from '../../../../src/abstraction/candidates/candidates';
import { roundRelations } from '../../../../src/abstraction/candidates/rounds/roundRelations';
import { provesAlone } from './provesAlone';

jest.setTimeout(120_000);

const proves = provesAlone((system) =>
  [elementsInVariables, roundRelations, accumulators].reduce(
    (all, family) => both(all, family(system), system),
    both(elementConditions(system), new Map(), system),
  ),
);

const isProved = (text: string): Promise<boolean> =>
  proves(
    `#define N 100000\nint a[N], b[N];\n` +
      'int main(void) { int i, m = 0, v = 0, d; for (i = 0; i < N; i++) { a[i] = nondet(); b[i] = nondet(); } ' +
      `${text} return 0; }`,
  );

test.each([
  [
    'the place of the greatest',
    'for (i = 1; i < N; i++) if (a[i] > a[m]) m = i; assert(m >= 0 && m < N); ' +
      'for (i = 0; i < N; i++) assert(a[i] <= a[m]);',
  ],
  [
    'what is taken at the place of the least',
    'v = b[0]; for (i = 1; i < N; i++) if (a[i] < a[m]) { m = i; v = b[i]; } assert(v == b[m]);',
  ],
  [
    'the last place of a value, if there is one',
    'm = -1; for (i = 0; i < N; i++) if (a[i] == 7) m = i; if (m >= 0) assert(a[m] == 7);',
  ],
  [
    'elements that rise',
    'for (i = 0; i < N; i++) { d = nondet(); if (d < v) d = v; v = d; a[i] = v; } ' +
      'for (i = 1; i < N; i++) assert(a[i - 1] <= a[i]);',
  ],
])('proved: %s', async (_, text) => {
  expect(await isProved(text)).toBe(true);
});

test.each([
  [
    'one is not looked at',
    'for (i = 2; i < N; i++) if (a[i] > a[m]) m = i; for (i = 0; i < N; i++) assert(a[i] <= a[m]);',
  ],
  [
    'once the place alone is set',
    'v = b[0]; for (i = 1; i < N; i++) if (a[i] < a[m]) { m = i; if (i != 7) v = b[i]; } assert(v == b[m]);',
  ],
  [
    'one falls',
    'for (i = 0; i < N; i++) { d = nondet(); if (d < v) d = v; v = i == 3 ? 0 : d; a[i] = v; } ' +
      'for (i = 1; i < N; i++) assert(a[i - 1] <= a[i]);',
  ],
])('not proved: %s', async (_, text) => {
  expect(await isProved(text)).toBe(false);
});
