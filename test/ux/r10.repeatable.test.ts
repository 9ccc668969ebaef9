/** Same inputs, same verdict: whatever the number of workers and the order of tests; and a part of a run is no verdict, unless it is a proof or a bug. */
import { bad, good, removeProjects, UserProject } from './userProject';

afterAll(removeProjects);

const tests = (file: string, ...calls: readonly string[]) => `const { loadC, verdictOf } = require('provest');
const m = loadC('./${file}');
${calls.map((call, i) => `test('call ${i} of ${file}', () => { m.${call}; });`).join('\n')}
test('${file} is verified', () => expect(m).toBeVerified());
test('${file} in full', async () => {
  const { statistics, ...verdict } = await verdictOf(m, { cache: false });
  const { seconds, secondsByPhase, ...counts } = statistics;
  require('fs').writeFileSync('${file}.' + process.env.RUN + '.out', JSON.stringify({ ...verdict, counts }, (_, value) => (typeof value === 'bigint' ? String(value) : value)));
});
`;

const project = () => new UserProject('jest-30', {
  'bad.c': bad, 'good.c': good,
  'bad.test.js': tests('bad.c', 'push(1)', 'push(2)'), 'good.test.js': tests('good.c', 'push(1)', 'pop()', 'pop()'),
});

test('workers and order change nothing', () => {
  const user = project();
  const ways = [['-i'], ['-w', '2'], ['-w', '4', '--randomize', '--seed=7']];
  const outcomes = ways.map((args, i) => {
    const { failed } = user.run(args, { RUN: String(i), PROVEST_CACHE: 'off' });
    return { failed, good: user.read(`good.c.${i}.out`), bad: user.read(`bad.c.${i}.out`) };
  });
  expect(outcomes[0]!.failed).toEqual(['bad.c is verified']);
  expect(outcomes[1]).toEqual(outcomes[0]);
  // Another order of the tests is another log; what was proved, and the counterexample, are the same.
  const said = (text: string) => { const { kind, assumptions, counterexample } = JSON.parse(text) as Record<string, { failure?: unknown }>; return { kind, assumptions, failure: counterexample?.failure }; };
  expect(said(outcomes[2]!.good)).toEqual(said(outcomes[0]!.good));
  expect(said(outcomes[2]!.bad)).toEqual(said(outcomes[0]!.bad));
});

test('a part of a file is not evaluated, or says that only a part was known', () => {
  const user = project();
  const part = user.run(['-t', 'is verified'], { RUN: 'part' });
  // No test called anything, so nothing is said of either module.
  expect(part.failed).toEqual(['bad.c is verified', 'good.c is verified']);
  for (const file of ['bad.c', 'good.c']) expect(part.message(`${file} is verified`)).toMatch(/not evaluated: no test called a function/);
  // A shard holds whole files, and each of those all of its states.
  const shards = ['1/2', '2/2'].map((shard) => user.run([`--shard=${shard}`], { RUN: 'shard' }));
  expect(shards.flatMap(({ failed }) => failed)).toEqual(['bad.c is verified']);
  expect(shards.flatMap(({ tests: run }) => run).filter(({ title }) => title.endsWith('is verified'))).toHaveLength(2);
});

test('-t and .only leave a proof a proof and a bug a bug; what needed more states, and the measure of the tests, is not evaluated', () => {
  const weak = 'static int v[2];\nstatic int all;\nvoid step(unsigned i) { if (i < 2 && v[i] < 100) { v[i] = v[i] + 1; all = all + 1; } }\nint part(void) { return v[0] == 0 ? 0 : 100 * v[0] / all; }\n';
  const head = (file: string) => `const { loadC } = require('provest');\nconst m = loadC('./${file}');\n`;
  const user = new UserProject('jest-30', {
    'weak.c': weak, 'good.c': good,
    'weak.test.js': `${head('weak.c')}test('one', () => m.step(1));\ntest('two', () => m.part());\ntest('weak verdict', () => expect(m).toBeVerified({ budget: 3_000 }));\ntest('always skipped', () => {});\n`,
    'good.test.js': `${head('good.c')}test.only('one', () => { m.push(1); });\ntest('two', () => { m.pop(); });\ntest.only('verdict', () => expect(m).toBeVerified());\ntest.only('measure', () => expect(m).toBeAdequatelyTested({ atLeast: 0.01 }));\n`,
  });
  const part = user.run(['-w', '1', '-t', 'one|verdict|measure']);
  expect(part.failed).toEqual(['measure', 'weak verdict']);
  expect(part.message('measure')).toMatch(/not evaluated: partial run: 1 of 2 tests of this file were left out by (-t|\.only), and their states are missing/);
  expect(part.message('weak verdict')).toMatch(/not evaluated: partial run: 2 of 3 tests of this file were left out by -t, and their states are missing[^]*run the whole file/);
});

test('three shards merged are the full run; a missing one is an error; the seed is the one that was given', () => {
  const user = project();
  const third = "const { loadC } = require('provest');\nconst m = loadC('./good.c');\ntest('full', () => { for (let i = 0; i < 5; i++) m.push(i); });\n";
  user.write({ 'third.test.js': third });
  const blobs = ['1/3', '2/3', '3/3'].map((shard, i) => { user.run(['-w', '1', `--shard=${shard}`, '--seed=7'], { RUN: 'x', PROVEST_CACHE: 'off' }); return `.provest/shard-${i + 1}-of-3.provest`; });
  const full = user.run(['-w', '1', '--seed=7'], { RUN: 'x', PROVEST_BLOB: '1', PROVEST_CACHE: 'off' });
  expect(full.stderr).toContain('seed 7');
  const merge = (...args: readonly string[]) => user.provest(['merge', ...args, '--thresholds', 'break=1', '--json', 'merged.out']);
  /** Without times, and what they bring with them. */
  const said = (): unknown => JSON.parse(user.read('merged.out'), (key, value: unknown) => (['seconds', 'secondsByPhase', 'solverQueries', 'reused'].includes(key) ? 0 : value));
  expect(merge(...blobs.slice(0, 2))).toMatchObject({ status: 3, stderr: expect.stringContaining('only 2 of 3 shards are there; 3/3 is missing') as string });
  expect(merge(...blobs).status).toBe(1);
  const ofShards = said();
  expect(merge('.provest/run.provest').status).toBe(1);
  expect(said()).toEqual(ofShards);
  expect(ofShards).toMatchObject({ adequacy: expect.arrayContaining([expect.objectContaining({ module: 'good.c', testFiles: ['good.test.js', 'third.test.js'] })]) as unknown });
  expect(merge('bad.c')).toMatchObject({ status: 3 });
});
