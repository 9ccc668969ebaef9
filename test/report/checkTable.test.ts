/** The table of checks as text, JSON, SARIF and lines. */
import { checkLines, checksInSum, formatVerdict, proofLcov, verdictToJson, verdictToSarif } from '../../src/report';
import type { CheckResult, Verdict } from '../../src/verdict';
import { expectValid } from '../schemas';
import { base, bug, proved } from './verdicts';

const at = (line: number, name: string, column = 3) => ({ file: `${base}/stack.c`, line, column, function: name });
const isProved = { status: 'proved', stage: 'test-based-abstraction', assumesFailing: true } as const;
const bounds = { check: 'array-bounds', property: 'memsafety' } as const;
const checks: readonly CheckResult[] = [
  { ...bounds, place: at(4, 'get'), text: 'a[i]', status: 'fails', stage: 'fuzzing', counterexample: 0 },
  { ...bounds, place: at(8, 'put'), text: 'a[i]', ...isProved },
  {
    check: 'signed-overflow',
    property: 'overflow',
    place: at(8, 'put', 9),
    text: 'i + 1',
    status: 'open',
    reason: { cause: 'time-budget', message: 'the time was up' },
  },
  { ...bounds, place: at(12, 'top'), text: 'a[0]', ...isProved },
  { ...bounds, place: { ...at(30, 'memcpy'), file: '<provest>/string.c' }, text: 'd[i]', library: true, ...isProved },
];
const table: Verdict = { ...bug, checks };
const context = { version: '1', base, files: [`${base}/stack.c`] };

test('one line in sum, then the functions in which something is not proved', () => {
  expect(checksInSum(checks)).toBe('3 of 5 checks proved, 1 fails, 1 open');
  expect(checkLines(checks, 'without proof')).toEqual([
    'get: 0 of 1 check proved, 1 fails',
    '  line 4: a[i] (array-bounds): fails',
    'put: 1 of 2 checks proved, 1 open',
    '  line 8: i + 1 (signed-overflow): open',
    'proved for executions that pass the failing checks',
  ]);
});

test('all of them on request, also of a proof', () => {
  expect(checkLines(checks, 'all')).toContain('memcpy (C library): 1 of 1 check proved');
  const proof: Verdict = {
    ...proved,
    checks: [{ ...bounds, place: at(8, 'put'), text: 'a[i]', status: 'proved', stage: 'spacer' }],
  };
  expect(formatVerdict(proof, { color: false, base })).not.toContain('checks proved');
  expect(formatVerdict(proof, { color: false, base, allChecks: true })).toContain(
    '1 of 1 check proved:\n  put: 1 of 1 check proved\n    line 8: a[i] (array-bounds): proved',
  );
});

test('a long table is cut, and says how much of it', () => {
  const many = Array.from({ length: 30 }, (_, i): CheckResult => ({ ...checks[0]!, place: at(i + 1, `f${i % 10}`) }));
  const lines = checkLines(many, 'without proof');
  expect(lines.at(-1)).toBe('… 2 more functions');
  expect(checkLines(many, 'all')).toHaveLength(40);
});

test('as JSON, valid against the schema', () => {
  const json = verdictToJson(table, 'module', context);
  expectValid('verdict', json);
  expect(json.checks[0]).toEqual({
    ...bounds,
    place: { file: 'stack.c', line: 4, column: 3, function: 'get' },
    text: 'a[i]',
    status: 'fails',
    stage: 'fuzzing',
    counterexample: 0,
  });
  expect(json.checks[2]).toMatchObject({ status: 'open', cause: 'time-budget' });
});

test('in SARIF the table is a property of the run, and a proved check no result', () => {
  const [run] = verdictToSarif(table, context).runs;
  expect(run.properties.checks).toHaveLength(5);
  expect(run.results.every(({ locations }) => locations[0]!.physicalLocation?.region?.startLine !== 12)).toBe(true);
});

test('as an lcov tracefile: a line is hit when all its checks are proved; the library is left out', () => {
  expect(proofLcov(checks, base).split('\n')).toEqual([
    'TN:proof',
    'SF:stack.c',
    'BRDA:4,0,0,0',
    'BRDA:8,0,0,1',
    'BRDA:8,0,1,0',
    'BRDA:12,0,0,1',
    'BRF:4',
    'BRH:2',
    'DA:4,0',
    'DA:8,0',
    'DA:12,1',
    'LF:3',
    'LH:1',
    'end_of_record',
    '',
  ]);
});
