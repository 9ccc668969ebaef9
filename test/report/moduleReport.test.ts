/** What the report's page is given: its marks are those of the table of checks, so that they agree with the figures. */
import { moduleReport } from '../../src/report/html';
import type { CheckAt, Explanation } from '../../src/explanation';
import type { CheckResult, Verdict } from '../../src/verdict';
import { base, conditional, unknown } from './verdicts';

const file = `${base}/stack.c`;
const at = (line: number, check: CheckAt['check'] = 'array-bounds') => ({
  check,
  text: `a[${line}]`,
  place: { file, line, column: 3, function: 'f' },
});
const row = (line: number): Omit<CheckResult, 'status' | 'stage' | 'reason'> => ({
  ...at(line),
  property: 'memsafety',
});
const timeUp = { cause: 'time-budget', message: 'the time was up' } as const;
const explanation = (checks: readonly CheckAt[]): Explanation => ({
  checks,
  lines: [{ file, code: [1, 2, 3, 4, 5], ran: [1] }],
  slices: [
    { check: 0, aside: [{ file, lines: [5] }] },
    { check: 2, aside: [{ file, lines: [4] }] },
  ],
  states: undefined,
  trace: undefined,
});
const of = (verdict: Verdict) =>
  moduleReport({ name: 'stack.c', verdict, mode: 'module', version: '1', base, sources: [{ file, text: '' }] });

test('open checks keep their abstract states, and every check of the table has a mark or is counted', () => {
  const report = of({
    ...unknown,
    checks: [
      { ...row(1), status: 'proved', stage: 'houdini' },
      { ...row(2), status: 'open', reason: timeUp },
      { ...row(3), status: 'open', reason: timeUp },
      { ...row(4), status: 'open', reason: timeUp },
      {
        ...row(9),
        place: { file: '<provest>/string.c', line: 9, column: 1 },
        library: true,
        status: 'open',
        reason: timeUp,
      },
    ],
    explanation: explanation([
      // Nobody calls this function: its check is not in force.
      { ...at(7), status: 'open' },
      { ...at(2), status: 'may-fail' },
      { ...at(3), status: 'no-alarm' },
      { ...at(1), status: 'open' },
    ]),
  });
  expect(report.sources[0]!.checks.map(([line, , , , status]) => [line, status])).toEqual([
    [1, 'holds'],
    [2, 'may-fail'],
    [3, 'no-alarm'],
    [4, 'open'],
  ]);
  expect([report.checksInSum, report.checksElsewhere]).toEqual(['1 of 5 checks proved, 4 open', 1]);
  // Slices are about the same checks as in the explanation.
  expect(report.sources[0]!.aside).toEqual([[0, 2, [4]]]);
});

test('what is proved for clients that keep specifications has a mark of its own', () => {
  const reason = { cause: 'not-accepted', message: 'proved of clients that keep the specifications' } as const;
  const report = of({ ...conditional, checks: [{ ...row(1), status: 'open', reason }] });
  expect(report.sources[0]!.checks.map(([, , , , status]) => status)).toEqual(['holds-if']);
  expect(report.checksInSum).toBe('0 of 1 check proved, 1 under the specifications');
});

test('without a table the explanation has the say', () => {
  const report = of({ ...unknown, explanation: explanation([{ ...at(2), status: 'may-fail' }]) });
  expect(report.sources[0]!.checks.map(([line, , , , status]) => [line, status])).toEqual([[2, 'may-fail']]);
  expect(report.checksElsewhere).toBe(0);
});
