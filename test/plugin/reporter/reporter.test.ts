/** The summary: a line per module, and nothing in it that reads better than it is. */
import { join } from 'node:path';
import { failedFiles } from '../../../plugin/session/partialRun';
import ProvestReporter, { summarise, verdictTexts, warningLines } from '../../../plugin/reporter';
import { record, type RunRecord } from '../../../plugin/session/records';

const at = { testFile: 'stack.test.ts', line: 3 };
const loaded = (module: string, line = 3): RunRecord => ({ kind: 'loaded', ...at, module, line });
const verdict = (
  module: string,
  kind: Extract<RunRecord, { kind: 'verdict' }>['verdict'],
  more: object = {},
): RunRecord => ({
  kind: 'verdict',
  ...at,
  module,
  verdict: kind,
  summary: 'why',
  seconds: 1.25,
  obligations: 4,
  ...more,
});
const check = (...records: RunRecord[]): readonly string[] => summarise(records).lines;

test('nothing loaded, nothing said', () => {
  expect(check()).toEqual([]);
});

test('one line per module, in order of name', () => {
  expect(
    check(
      loaded('ring.c'),
      verdict('stack.c', 'proved', { covered: 3, total: 4, summary: '4 obligations' }),
      loaded('a.c'),
      verdict('a.c', 'bug', { summary: 'index 9\nmore' }),
    ),
  ).toEqual([
    'provest',
    '  ✗  a.c      bug (reproduced)  index 9, 1.3 s',
    '  -  ring.c   not evaluated  stack.test.ts loads it, but asked for no verdict in this run',
    '  ✓  stack.c  proved  4 obligations, tests reach 3 of 4 abstract states (75 %), 1.3 s',
  ]);
});

test.each([
  { silent: false, said: /stack\.c +not evaluated[^]*1 module was loaded but not verified/ },
  { silent: true, said: /^provest: 1 module was loaded but not verified/ },
])('with silent: $silent, why the run fails is said all the same', async ({ silent, said }) => {
  let text = '';
  const written = jest.spyOn(process.stderr, 'write').mockImplementation((chunk) => {
    text += String(chunk);
    return true;
  });
  try {
    const reporter = new ProvestReporter({ silent, verbose: true }, { requireVerified: true, live: false });
    record(loaded('stack.c'));
    await reporter.onRunComplete();
    expect(reporter.getLastError()).toBeInstanceOf(Error);
  } finally {
    written.mockRestore();
  }
  expect(text).toMatch(said);
});

test('a file that failed is not said to have asked for nothing', () => {
  expect(
    summarise([loaded('ring.c'), verdict('stack.c', 'proved')], [], new Set(['stack.test.ts'])).lines.slice(1),
  ).toEqual([
    '  -  ring.c   not evaluated  stack.test.ts loads it, but failed without a verdict',
    expect.stringContaining('stack.c  proved'),
  ]);
  const failing = [
    { testFilePath: join(process.cwd(), 'a', 'b.test.ts'), numFailingTests: 1 },
    { testFilePath: join(process.cwd(), 'c.test.ts'), numFailingTests: 0 },
    { testFilePath: join(process.cwd(), 'd.test.ts'), testExecError: {} },
  ];
  expect([...failedFiles({ testResults: failing })]).toEqual([join('a', 'b.test.ts'), 'd.test.ts']);
});

test('a module whose verdict was left out is reported as such, also in a file that failed', () => {
  const why = 'the test that asks for a verdict was left out by -t';
  const records = [
    loaded('ring.c'),
    { ...loaded('ring.c'), notRequested: why },
    verdict('stack.c', 'proved'),
  ] as RunRecord[];
  for (const failed of [new Set<string>(), new Set(['stack.test.ts'])]) {
    const { lines, unverified } = summarise(records, [], failed);
    expect(lines.slice(1)).toEqual([
      `  -  ring.c   not evaluated  stack.test.ts loads it, but ${why}`,
      expect.stringContaining('stack.c  proved'),
    ]);
    expect(unverified).toBe(1);
  }
});

test('C that cannot be read is listed with its first error, unless the test expected that', () => {
  const refused: RunRecord = { kind: 'refused', ...at, module: 'emil.c', why: "emil.c:3:20: expected ';'" };
  const records = [refused, verdict('stack.c', 'proved')];
  expect(summarise(records, [], new Set(['stack.test.ts']))).toEqual({
    lines: [
      'provest',
      "  -  emil.c   not evaluated  the C cannot be read: emil.c:3:20: expected ';'",
      expect.stringContaining('stack.c  proved'),
    ],
    unverified: 0,
  });
  expect(check(...records).slice(1)).toEqual([expect.stringContaining('stack.c  proved')]);
});

test.each([
  { suites: 1, modules: 1, inFull: true },
  { suites: 1, modules: 2, inFull: false },
  { suites: 2, modules: 2, inFull: true },
])(
  '$modules modules in $suites test files: proofs are printed in full: $inFull',
  async ({ suites, modules, inFull }) => {
    let text = '';
    const written = jest.spyOn(process.stderr, 'write').mockImplementation((chunk) => {
      text += String(chunk);
      return true;
    });
    try {
      const reporter = new ProvestReporter({ verbose: true }, { live: false });
      for (let i = 0; i < modules; i++) record(verdict(`m${i}.c`, 'proved', { text: `text of m${i}` }));
      await reporter.onRunComplete(undefined, { numTotalTestSuites: suites });
    } finally {
      written.mockRestore();
    }
    expect([/text of m0/.test(text), /--verbose prints/.test(text)]).toEqual([inFull, !inFull]);
  },
);

test('asked twice, the worse answer is shown; loaded twice, both are', () => {
  expect(check(verdict('m.c', 'unknown'), verdict('m.c', 'proved'))[1]).toContain('?  m.c  unknown');
  expect(check(verdict('m.c', 'proved'), loaded('m.c', 9))).toEqual([
    'provest',
    '  ✓  m.c  (stack.test.ts:3)  proved  why, 1.3 s',
    '  -  m.c  (stack.test.ts:9)  not evaluated  stack.test.ts loads it, but asked for no verdict in this run',
  ]);
});

test('the verdicts of passing tests in full, once each', () => {
  expect(
    verdictTexts([
      loaded('m.c'),
      verdict('m.c', 'proved', { text: 'b' }),
      verdict('m.c', 'bug'),
      verdict('n.c', 'bug', { text: 'a' }),
      verdict('m.c', 'proved', { text: 'b' }),
    ]),
  ).toEqual(['a', 'b']);
});

test('the measure of the tests is kept from whichever question was about it', () => {
  expect(
    check(verdict('m.c', 'proved'), verdict('m.c', 'proved', { covered: 1, total: 2 }), verdict('m.c', 'proved'))[1],
  ).toContain('tests reach 1 of 2');
  expect(check(verdict('m.c', 'proved', { covered: 1, total: 2 }), verdict('m.c', 'unknown'))[1]).toMatch(
    /unknown.*tests reach 1 of 2/,
  );
});

test('a proof that a second question of the same run reuses is none of an earlier run', () => {
  const [first, second] = [
    verdict('m.c', 'proved', { cutpoints: 5 }),
    verdict('m.c', 'proved', { reused: 5, cutpoints: 5, covered: 1, total: 2, seconds: 0.5 }),
  ];
  for (const records of [
    [first, second],
    [second, first],
  ])
    expect(check(...records)[1]).toBe('  ✓  m.c  proved  why, tests reach 1 of 2 abstract states (50 %), 1.3 s');
  expect(check(second, second)[1]).toContain('reused 5 of 5');
});

test('warnings once for each module, the first in short, or all', () => {
  const odd = (module: string, testFile: string, ...warnings: string[]): RunRecord => ({
    kind: 'loaded',
    ...at,
    module,
    testFile,
    warnings,
  });
  const records = [
    odd('m.c', 'a.test.ts', 'm.c:1:2: warning: this\n> 1 | x', 'm.c:2:2: warning: that'),
    odd('m.c', 'b.test.ts', 'm.c:1:2: warning: this\n> 1 | x'),
    loaded('n.c'),
    odd('k.c', 'a.test.ts', 'k.c:7:1: warning: only'),
  ];
  expect(warningLines(records, false)).toEqual([
    '  k.c:7:1: warning: only',
    '  m.c:1:2: warning: this (and 1 more in m.c; --verbose shows all)',
  ]);
  expect(warningLines(records, true)).toEqual([
    '\nk.c:7:1: warning: only',
    '\nm.c:1:2: warning: this\n> 1 | x',
    '\nm.c:2:2: warning: that',
  ]);
  expect(warningLines([loaded('n.c'), verdict('n.c', 'proved')], true)).toEqual([]);
});
