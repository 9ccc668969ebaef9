/** Conditions under which numbers of static data are set, said of these. */
import { assignedConditions } from '../../../../src/abstraction/candidates/statics/assignedConditions';
import { printTerm } from '../../../../src/abstraction/printing/printTerm';
import { verify } from '../../../../src/index';
import { file, task } from '../../../engines/task';
import { moduleSystem } from '../../moduleSystem';

const table = (test: string, access: string): string => `
  static int cells[64];
  static int rows, columns;
  int table_size(int r, int c) {
    if (r <= 0 || c <= 0 || r > 64 || c > 64 || ${test}) return 0;
    rows = r;
    columns = c;
    return 1;
  }
  int table_get(int r, int c) {
    if (r < 0 || r >= rows || c < 0 || ${access}) return 0;
    return cells[r * columns + c];
  }`;

test('of two numbers that a function sets', () => {
  const system = moduleSystem(table('r * c > 64', 'c >= columns'));
  const terms = assignedConditions(system).get(system.client!) ?? [];
  expect(terms.map((term) => printTerm(term, system.vocabulary))).toEqual(['rows * columns <= 64']);
});

test('none of one number, nor what does not hold at first', () => {
  const one = moduleSystem('static int n; void set(int x) { if (x < 8) n = x; }');
  expect(assignedConditions(one).get(one.client!) ?? []).toEqual([]);
  const later = moduleSystem('static int a, b; void set(int x, int y) { if (x < y) { a = x; b = y; } }');
  expect(assignedConditions(later).get(later.client!) ?? []).toEqual([]);
});

test.each([
  ['r * c > 64', 'c >= columns', 'proved'],
  ['r * c > 65', 'c >= columns', 'not proved'],
  ['r * c > 64', 'c > columns', 'not proved'],
])(
  'a table of rows: refused if %s, and a column if %s: %s',
  async (refused, column, expected) => {
    const { kind } = await verify(
      task(file(table(refused, column)), { budget: { milliseconds: expected === 'proved' ? 20_000 : 3_000 } }),
    );
    expect(kind === 'proved' ? kind : 'not proved').toBe(expected);
  },
  60_000,
);
