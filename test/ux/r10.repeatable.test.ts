/**
 * Same inputs, same verdict: whatever the number of workers and the order of tests; and a part of a file is no verdict.
 */
import { ifLong, inLongForm, isLong } from '../long';
import { expectValid } from '../schemas';
import { bad, describeWith, good, removeProjects, UserProject, type RunnerName } from './userProject';
import { concatenate, inOrder } from '../patterns';

afterAll(removeProjects);

const tests = (file: string, ...calls: readonly string[]) => `const { loadC } = require('provest');
const m = loadC('./${file}');
beforeEach(() => m.reset());
${calls.map((call, i) => `test('call ${i} of ${file}', () => { m.${call}; });`).join('\n')}
test('${file} is verified', () => expect(m).toBeVerified());
`;

const project = () =>
  new UserProject(
    'jest-30',
    {
      'bad.c': bad,
      'good.c': good,
      'bad.test.js': tests('bad.c', 'push(1)', 'push(2), m.push(3)'),
      'good.test.js': tests('good.c', 'push(1), m.push(2)', 'pop()', 'push(7), m.pop()'),
    },
    { reporters: ['default', ['provest/reporter', { json: true }]] },
  );

/** All that the run says, without times, and without the number of questions for which there was time. */
function said(user: UserProject): { readonly verdicts: readonly { readonly module: string }[] } {
  const text = user.read('.provest/verdicts.json');
  expectValid('run', JSON.parse(text));
  return JSON.parse(text, (key, value: unknown) =>
    ['seconds', 'secondsByPhase', 'solverQueries'].includes(key) ? 0 : value,
  ) as ReturnType<typeof said>;
}

/** With the first run these are two, and ten in the long form. */
const ways = [
  ['-w', '4', '--randomize'],
  ...ifLong(
    ['-w', '4'],
    ['-w', '2', '--randomize'],
    ['-w', '1'],
    ['-i', '--randomize'],
    ['-w', '2'],
    ['-w', '1', '--randomize'],
    ['-w', '2', '--randomize'],
    ['-w', '1'],
  ),
];

inLongForm(
  'runs with other workers and orders say the same, to the letter; --bail leaves out whole files',
  () => {
    const user = project();
    const run = (...args: readonly string[]) => user.run(args, { PROVEST_CACHE: 'off' });
    const first = run('-i');
    expect(first.failed).toEqual(['bad.c is verified']);
    const expected = said(user);
    expect(expected.verdicts.map(({ module }) => module)).toEqual(['bad.c', 'good.c']);
    for (const args of ways) {
      expect({ args, failed: run(...args).failed, said: said(user) }).toEqual({
        args,
        failed: first.failed,
        said: expected,
      });
    }
    expect(run('-i', '--bail').status).toBe(1);
    const { verdicts } = said(user);
    expect(verdicts).toContainEqual(expected.verdicts[0]);
    for (const verdict of verdicts) expect(expected.verdicts).toContainEqual(verdict);
  },
  900_000,
);

test('the test that asks, alone, is not evaluated; whole files in shards are', () => {
  const user = project();
  const part = user.run(['-t', 'is verified']);
  // No test called anything, so nothing is said of either module.
  expect(part.failed).toEqual(['bad.c is verified', 'good.c is verified']);
  for (const file of ['bad.c', 'good.c'])
    expect(part.message(`${file} is verified`)).toMatch(
      /not evaluated: partial run: \d of \d tests of this file were left out by -t, and no other calls a function of/,
    );
  if (!isLong) return;
  // A shard holds whole files, and each of those all of its states.
  const shards = ['1/2', '2/2'].map((shard) => user.run([`--shard=${shard}`]));
  expect(shards.flatMap(({ failed }) => failed)).toEqual(['bad.c is verified']);
  expect(shards.flatMap(({ tests: run }) => run).filter(({ title }) => title.endsWith('is verified'))).toHaveLength(2);
});

/** What Jest 29 does otherwise is in r1.neverGreen.test.ts. */
describe.each<RunnerName>(['jest-30', ...ifLong('jest-29' as const, 'vitest-4' as const)])('%s', (runner) =>
  describeWith(runner, () => {
    const imports =
      runner === 'vitest-4' ? "import { loadC } from 'provest';\n" : "const { loadC } = require('provest');\n";
    const file = (name: string): string => `${name}.test.${runner === 'vitest-4' ? 'mjs' : 'js'}`;
    const reporters = [
      'default',
      [runner === 'vitest-4' ? 'provest/vitest-reporter' : 'provest/reporter', { thresholds: { break: 20 } }],
    ];

    inLongForm(
      '-t and .only leave nothing evaluated of the file they cut, and say what the part shows',
      () => {
        const user = new UserProject(runner, {
          'bad.c': bad,
          'good.c': good,
          [file('bad')]:
            `${imports}const m = loadC('./bad.c');\ntest('one', () => { m.push(1); });\n` +
            `test('two', () => { m.push(2); });\n` +
            `test('bad verdict', async () => { await expect(m).toBeVerified(); });\n` +
            `test.skip('one never', () => {});\n`,
          [file('good')]:
            `${imports}const m = loadC('./good.c');\ntest.only('one', () => { m.push(1); });\n` +
            `test('two', () => { m.pop(); });\n` +
            `test.only('verdict', async () => { await expect(m).toBeVerified(); });\n` +
            `test.only('measure', async () => { await expect(m).toBeAdequatelyTested({ atLeast: 0.01 }); });\n` +
            `test.only('whatever', async () => { await expect(m).toBeVerified({ allowNoTests: true }); });\n`,
          [file('whole')]:
            `${imports}const m = loadC('./good.c');\ntest('one', () => { m.push(1); m.pop(); });\n` +
            `test.skip('one for later', () => {});\n` +
            `test('whole verdict', async () => { await expect(m).toBeVerified(); });\n`,
        });
        const part = user.run(['-t', 'one|verdict|measure|whatever']);
        expect(part.failed).toEqual(['bad verdict', 'measure', 'verdict']);
        expect(part.message('bad verdict')).toMatch(
          inOrder(
            /not evaluated: partial run: \d of \d tests of this file were left out by -t, and their states are missing/,
            /run the whole file/,
            /with the states of this part alone: bug \(reproduced\), index -1 is outside elems\[4\] at bad\.c:11/,
          ),
        );
        for (const title of ['verdict', 'measure'])
          expect(part.message(title)).toMatch(
            concatenate(
              /not evaluated: partial run: \d of \d tests of this file were left out by (-t|\.only), /,
              /and their states are missing/,
            ),
          );
        if (runner !== 'jest-30' && !isLong) return;
        const unasked = user.run([file('bad'), '-t', 'one']);
        expect([
          unasked.failed,
          unasked.tests.filter(({ status }) => status === 'passed').map(({ title }) => title),
        ]).toEqual([[], ['one']]);
        expect(unasked.stderr).toMatch(
          concatenate(
            /- {2}bad\.c {2}not evaluated {2}bad\.test\.m?js loads it, but /,
            new RegExp(
              'the test that asks for a verdict was left out by -t|' +
                String.raw`\d of \d tests of this file were left out by -t, and no other asked for a verdict`,
            ),
          ),
        );
        expect(user.run([file('bad'), '-t', 'bad verdict']).message('bad verdict')).toMatch(
          concatenate(
            /not evaluated: partial run: \d of \d tests of this file were left out by -t, /,
            /and no other calls a function of bad\.c[^]*run the whole file/,
          ),
        );
        if (isLong) expect(user.run([file('bad')]).message('bad verdict')).toContain('bug (reproduced)');
      },
      300_000,
    );

    inLongForm(
      'thresholds are of whole runs: the full one is measured, a part is not',
      () => {
        const user = new UserProject(
          runner,
          {
            'good.c': good,
            [file('a')]:
              `${imports}const m = loadC('./good.c');\ntest('empty', () => { m.pop(); });\n` +
              `test('a verdict', async () => { await expect(m).toBeVerified(); });\n`,
            [file('b')]:
              `${imports}const m = loadC('./good.c');\ntest('some', () => { m.push(1); });\n` +
              `test('more', () => { for (let i = 0; i < 5; i++) m.push(i); });\n`,
          },
          { reporters },
        );
        const run = (...args: readonly string[]) => user.plain(...(runner === 'vitest-4' ? [] : ['-w', '1']), ...args);
        const full = run();
        expect(full.stderr).toMatch(/provest: good\.c: all tests together reach \d+ of \d+ abstract states/);
        expect(full.status).toBe(0);
        expect(run('a.test').stderr).toContain(
          'how well the tests test is not evaluated (partial run: only some test files)',
        );
        if (isLong)
          expect(run('-t', 'empty|verdict').stderr).toContain(
            'how well the tests test is not evaluated (partial run: -t)',
          );
        if (isLong)
          expect(run('--shard=1/2').stderr).toContain(
            'how well the tests test is not evaluated (partial run: --shard=1/2)',
          );
        user.write({ [file('b')]: user.read(file('b')).replace("test('some'", "test.only('some'") });
        expect(run().stderr).toMatch(
          concatenate(
            /how well the tests test is not evaluated /,
            /\(partial run: 1 of 2 tests of b\.test\.m?js were left out by \.only\)/,
          ),
        );
      },
      300_000,
    );
  }),
);

test('shards merged are the full run; a missing one is an error; the seed is the one that was given', () => {
  const user = project();
  const count = isLong ? 3 : 2;
  const third =
    "const { loadC } = require('provest');\nconst m = loadC('./good.c');\n" +
    "test('full', () => { for (let i = 0; i < 5; i++) m.push(i); });\n";
  user.write({ 'third.test.js': third });
  const blobs = Array.from({ length: count }, (_, i) => {
    user.run(['-w', '1', `--shard=${i + 1}/${count}`, '--seed=7'], { PROVEST_CACHE: 'off' });
    return `.provest/shard-${i + 1}-of-${count}.provest`;
  });
  const full = user.run(['-w', '1', '--seed=7'], { PROVEST_BLOB: '1', PROVEST_CACHE: 'off' });
  expect(full.stderr).toContain('seed 7');
  const merge = (...args: readonly string[]) =>
    user.provest(['merge', ...args, '--thresholds', 'break=1', '--json', 'merged.out']);
  /** Without times, and what they bring with them. */
  const merged = (): unknown => {
    expectValid('run', JSON.parse(user.read('merged.out')));
    return JSON.parse(user.read('merged.out'), (key, value: unknown) =>
      ['seconds', 'secondsByPhase', 'solverQueries', 'reused', 'provedAnew', 'stages'].includes(key) ? 0 : value,
    ) as unknown;
  };
  expect(merge(...blobs.slice(0, -1))).toMatchObject({
    status: 3,
    stderr: expect.stringContaining(
      `only ${count - 1} of ${count} shards are there; ${count}/${count} is missing`,
    ) as string,
  });
  expect(merge(...blobs).status).toBe(1);
  const ofShards = merged();
  expect(merge('.provest/run.provest').status).toBe(1);
  expect(merged()).toEqual(ofShards);
  expect(ofShards).toMatchObject({
    adequacy: expect.arrayContaining([
      expect.objectContaining({ module: 'good.c', testFiles: ['good.test.js', 'third.test.js'] }),
    ]) as unknown,
  });
  expect(merge('bad.c')).toMatchObject({ status: 3 });
});
