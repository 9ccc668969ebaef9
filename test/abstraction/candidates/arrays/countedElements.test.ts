/** Bounds of elements that rounds add to, at places that no counter names. */
import { countedElements } from '../../../../src/abstraction/candidates/arrays/countedElements';
import { elementConditions } from '../../../../src/abstraction/candidates/arrays/elementConditions';
import { both } from '../../../../src/abstraction/candidates/candidates';
import { provesAlone } from './provesAlone';

jest.setTimeout(120_000);

const proves = provesAlone((system) => both(elementConditions(system), countedElements(system), system));

const isProved = (text: string): Promise<boolean> =>
  proves(`#define N 100000\nint h[16];\nint main(void) { int i, k; ${text} return 0; }`);

const clear = 'for (k = 0; k < 16; k++) h[k] = 0;';
const count = 'for (i = 0; i < N; i++) { k = nondet() & 15; h[k] = h[k] + 1; }';

test.each([
  ['a histogram', `${clear} ${count} for (k = 0; k < 16; k++) assert(h[k] >= 0 && h[k] <= N);`],
  ['in memory that is zero from the beginning', `${count} for (k = 0; k < 16; k++) assert(h[k] <= N);`],
  [
    'amounts within bounds, and rounds that add nothing',
    `${clear} for (i = 0; i < N; i++) { k = nondet() & 15; if (nondet()) h[k] = h[k] - (nondet() & 3); } ` +
      'for (k = 0; k < 16; k++) assert(h[k] <= 0 && h[k] >= -3 * N);',
  ],
])('proved: %s', async (_, text) => {
  expect(await isProved(text)).toBe(true);
});

test.each([
  ['all may be of one kind', `${clear} ${count} for (k = 0; k < 16; k++) assert(h[k] < N);`],
  ['one begins with more', `${clear} h[3] = 1; ${count} for (k = 0; k < 16; k++) assert(h[k] <= N);`],
])('not proved: %s', async (_, text) => {
  expect(await isProved(text)).toBe(false);
});
