/** Entries of the check table say on what they rest. */
import { CheckTable } from '../../../src/engines/portfolio/checkTable';
import type { LocatedCheck } from '../../../src/engines/problem';
import { type Check, checkKey } from '../../../src/program/command';
import { functionOf, programOf } from '../../program/programOf';

const fn = functionOf(programOf('static int a[4]; int f(int i, int n) { a[i] = 1; return 6 / n; }'), 'f');
const checks: readonly LocatedCheck[] = fn.edges.flatMap(({ command }) =>
  command.kind === 'check' ? [{ check: command, function: fn }] : [],
);
const [first, ...others] = checks.map(({ check }) => check) as [Check, ...Check[]];
const reason = { cause: 'not-run', message: '' } as const;

const marks = (assumed?: ReadonlySet<ReturnType<typeof checkKey>>): readonly unknown[] => {
  const table = new CheckTable(checks);
  table.recordProved(new Set(others), checks, 'intervals', 'all clients', assumed);
  return table.results(reason).map((row) => (row.status === 'proved' ? row.assumesFailing === true : row.status));
};

test('a proof that assumes a check is marked, whether or not the table has it as failing', () => {
  expect(others.length).toBeGreaterThan(0);
  expect(marks()).toEqual(['open', ...others.map(() => false)]);
  expect(marks(new Set([checkKey(first)]))).toEqual(['open', ...others.map(() => true)]);
});
