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
  const ways = [['-i'], ['-w', '2'], ['--randomize', '--seed=7', '-i']];
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
