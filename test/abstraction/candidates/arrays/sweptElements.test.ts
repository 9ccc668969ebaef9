/** Conditions of all elements of a table that two loops fill are inductive, whatever the number of rows. */
import { sweptElements } from '../../../../src/abstraction/candidates/arrays/sweptElements';
import { provesAlone } from './provesAlone';

jest.setTimeout(120_000);

const proves = provesAlone(
  (system) => new Map([...system.points.map((point) => [point, []] as const), ...sweptElements(system)]),
);

/** True if the candidates alone prove all assertions; `n`: rows of the table. */
const isProved = (text: string, n: number): Promise<boolean> =>
  proves(`#define N ${n}\nint t[N][10]; short s[N][6];\nint main(void) { int i, j, v = nondet(); ${text} return 0; }`);

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
      'for (i = 0; i < N; i++) for (j = 0; j < 6; j++) s[i][j] = 3; ' +
        'for (i = 0; i < N; i++) for (j = 0; j < 6; j++) assert(s[i][j] == 3);',
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
