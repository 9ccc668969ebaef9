/**
 * R9: one number, the same everywhere and over all files, with the missing tests; thresholds that fail; proofs of
 * nothing are none.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { isLong, inLongForm } from '../long';
import { expectValid } from '../schemas';
import { Project } from './project';

const queue =
  'static int items[4];\nstatic int size;\nint push(int k) {\n  if (size == 4) return 0;\n  items[size++] = k;\n' +
  '  return 1;\n}\nint pop(void) {\n  if (size == 0) return -1;\n  size--;\n  return items[size];\n}\n';
const head = "const { loadC } = require('provest');\nconst queue = loadC('./queue.c');\n";
/** Of the package lcov. */
const genhtml = spawnSync('genhtml', ['--version']).error === undefined;
if (!genhtml)
  process.stderr.write('\n!! WARNING: genhtml is not installed, so whether it reads our tracefile is NOT CHECKED\n\n');
let user: Project;
beforeAll(() => {
  user = new Project({ 'queue.c': queue });
});
afterAll(() => user.remove());

function configure(options: object): void {
  user.write(
    'jest.config.js',
    `module.exports = ${JSON.stringify({
      preset: 'provest',
      transform: {},
      cacheDirectory: '/tmp/provest-jest-cache',
      reporters: ['default', ['provest/reporter', options]],
    })};`,
  );
}

test('R9 the share is the same in console, JSON and HTML, the union over two files; thresholds fail the run', () => {
  user.write(
    'a.test.js',
    `${head}test('empty', () => expect(queue.pop()).toBe(-1));\n` +
      `test('adequacy', () => expect(queue).toBeAdequatelyTested({ thresholds: { high: 90, low: 50, break: 40 }, ` +
      'budget: 300_000 }));\n' +
      `test('enough', () => expect(queue).toBeAdequatelyTested({ atLeast: 0.2, budget: 300_000 }));\n` +
      `test('all', () => expect(queue).toBeAdequatelyTested({ budget: 300_000 }));\n`,
  );
  user.write('b.test.js', `${head}test('some', () => { queue.push(1); queue.push(2); queue.pop(); });\n`);
  configure({ thresholds: { high: 90, low: 60, break: 70 }, json: true, html: true });
  const enough = user.jest({ args: ['-w', '1', '--json'] });
  const { testResults } = JSON.parse(enough.stdout) as {
    testResults: { assertionResults: { title: string; status: string; failureMessages: string[] }[] }[];
  };
  const result = (wanted: string) =>
    testResults.flatMap(({ assertionResults }) => assertionResults).find(({ title }) => title === wanted)!;
  const asked = result('adequacy');
  expect([asked.status, result('enough').status, result('all').status]).toEqual(['failed', 'passed', 'failed']);
  expect(result('all').failureMessages.join()).toContain('20 %, asked for at least 100 %');
  const message = asked.failureMessages.join();
  expect(message).toContain(
    'The tests reach 2 of 10 abstract states of queue.c: 20 % (poor), asked for at least 40 %.',
  );
  // Each missing state in C terms, and the tests that reach them.
  expect(message.match(/not reached at (push|pop):\d+: size/g)).toHaveLength(8);
  expect(message).toContain(
    "test('shows what the code does: push(0)', () => {\n    queue.reset();\n    expect(queue.push(0)).toBe(1);",
  );
  expect(enough.stderr).toContain('provest: queue.c: all tests together reach 7 of 10 abstract states (70 %, fair)');
  const json = JSON.parse(user.read('.provest/verdicts.json')) as {
    verdicts: { verdict: { adequacy: { ratio: number } } }[];
    adequacy: { percent: string; ratio: number; missing: { test: string | null }[] }[];
  };
  expectValid('run', json);
  expect(json.verdicts.map(({ verdict }) => verdict.adequacy.ratio)).toEqual([0.2, 0.2, 0.2]);
  expect(json.adequacy).toMatchObject([{ covered: 7, total: 10, ratio: 0.7, percent: '70 %' }]);
  expect(json.adequacy[0]!.missing).toHaveLength(3);
  expect(user.read('.provest/report.html').replaceAll('\\u0022', '"')).toContain('"covered":2,"total":10,"ratio":0.2');

  // Those tests reach them.
  user.write(
    'c.test.js',
    `${head}${json.adequacy[0]!.missing.map(({ test: text }, i) => (text ?? '').replace("test('", `test('${i} `)).join(
      '\n',
    )}`,
  );
  configure({ thresholds: { high: 90, low: 60, break: 100 } });
  expect(user.jest({ args: ['-w', '1'] }).stderr).toContain(
    'all tests together reach 10 of 10 abstract states (100 %, good)',
  );

  user.write('c.test.js', 'test("nothing", () => {});');
  user.write(
    'a.test.js',
    `${head}test('empty', () => expect(queue.pop()).toBe(-1));\n` +
      `test('verified', () => expect(queue).toBeVerified({ budget: 300_000 }));\n`,
  );
  configure({ thresholds: { break: 71 } });
  const short = user.jest({ args: ['-w', '1'] });
  expect(short.status).toBe(1);
  expect(short.stderr).toMatch(
    /7 of 10 abstract states \(70 %\), asked for at least 71 %\n {2}not reached at push:4: size == 4/,
  );
  // A part of the run is no measure.
  if (isLong)
    expect(user.jest({ args: ['-w', '1', 'a.test'] })).toMatchObject({
      status: 0,
      stderr: expect.stringContaining(
        'how well the tests test is not evaluated (partial run: only some test files)',
      ) as string,
    });
  configure({ thresholds: { brake: 71 } });
  expect(user.jest().stderr).toContain("without 'brake'");
}, 900_000);

test('R9 the command line has the threshold too', () => {
  expect(user.provest('cover', 'queue.c', '--budget', '5m', '--thresholds', 'high=100,low=50,break=100')).toMatchObject(
    { status: 0, stderr: expect.stringContaining('10 of 10 abstract states (100 %, good)') as string },
  );
  // Nothing reaches what C never does.
  user.write('dead.c', 'static int n;\nint step(void) { if (n < 0) n = 7; return n; }\n');
  expect(user.provest('cover', 'queue.c', '--thresholds', 'break=101')).toMatchObject({ status: 3 });
}, 900_000);

inLongForm(
  'R9 vacuous: contradictory assumptions, probes that tell nothing apart; a probe that holds always is a remark',
  () => {
    user.write(
      'assume.c',
      '#include <assert.h>\nvoid __VERIFIER_assume(int);\nvoid f(int x) { __VERIFIER_assume(0); assert(x == 1234); }\n',
    );
    expect(user.provest('verify', 'assume.c', '--no-cache')).toMatchObject({
      status: 2,
      stdout: expect.stringMatching(/unknown: an assumption contradicts everything[^]*cause: vacuous/) as string,
    });
    const verify = (probe: string) =>
      user.provest('verify', 'queue.c', '--no-cache', '--budget', '5m', '--probe', probe);
    expect(verify('never: size > 4')).toMatchObject({
      status: 2,
      stdout: expect.stringMatching(
        /the probe 'never' holds in no state that the module can reach[^]*cause: vacuous/,
      ) as string,
    });
    expect(verify('nothing: size == size')).toMatchObject({
      status: 2,
      stdout: expect.stringContaining("the probe 'nothing' holds in every state there could be") as string,
    });
    expect(verify('always: size <= 4')).toMatchObject({
      status: 0,
      stdout: expect.stringContaining("the probe 'always' holds in all states that the module can reach") as string,
    });
    expect(verify('full: size == 4').status).toBe(0);
  },
  900_000,
);

test('R14 executed lines of C, in a form that genhtml reads', () => {
  user.write('a.test.js', `${head}test('empty', () => expect(queue.pop()).toBe(-1));\n`);
  user.write('b.test.js', `${head}test('again', () => expect(queue.pop()).toBe(-1));\n`);
  configure({ lcov: 'out/lcov.info' });
  expect(user.jest().status).toBe(0);
  expect(user.read('out/lcov.info')).toBe(
    [
      'TN:',
      'SF:queue.c',
      'FN:3,push',
      'FN:8,pop',
      'FNDA:0,push',
      'FNDA:2,pop',
      'FNF:2',
      'FNH:1',
      'DA:4,0',
      'DA:5,0',
      'DA:6,0',
      'DA:9,2',
      'DA:10,0',
      'DA:11,0',
      'LF:6',
      'LH:1',
      'end_of_record',
      '',
    ].join('\n'),
  );
  expect(readFileSync(`${user.folder}/out/lcov.info`, 'utf8')).not.toContain(user.folder);
  if (!genhtml) return;
  const pages = spawnSync('genhtml', ['out/lcov.info', '--output-directory', 'out/pages'], {
    cwd: user.folder,
    encoding: 'utf8',
  });
  expect(pages).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(
      /lines\.*: 16\.7% \(1 of 6 lines\)[^]*functions\.*: 50\.0% \(1 of 2 functions\)/,
    ) as string,
  });
  expect(pages.stderr).toBe('');
}, 300_000);
