/**
 * The verdict belongs to the test that asked for it, which knows the states of all tests of the file, whatever their
 * order.
 */
import { join } from 'node:path';
import { ifLong, isLong } from '../long';
import { bad, describeWith, good, installed, removeProjects, UserProject, type RunnerName } from './userProject';

afterAll(removeProjects);

const bugTest = `const { loadC } = require('provest');

const m = loadC('./bad.c');

describe('stack', () => {
  test('is verified', () => expect(m).toBeVerified());
  test('pops what was pushed', () => { m.push(1); expect(m.pop()).toBe(1); });
});
`;
/** The proof is asked for first, and a test after it in another block is the only one that calls the module. */
const early = `const { loadC } = require('provest');
const m = loadC('./good.c');
describe('first', () => {
  test('is verified', () => expect(m).toBeVerified());
  test('is tested', () => expect(m).toBeAdequatelyTested({ atLeast: 0.01 }));
});
describe('second', () => { test('calls', () => { m.push(1); m.push(2); expect(m.pop()).toBe(2); }); });
`;

/** What of Node's globals jsdom hides. */
const barren = (home: string): string => `const { TestEnvironment } = require(${JSON.stringify(
  join(home, 'node_modules', 'jest-environment-node'),
)});
module.exports = class extends TestEnvironment {
  async setup() {
    await super.setup();
    const names = ['TextDecoder', 'TextEncoder', 'structuredClone', 'setImmediate', 'clearImmediate'];
    for (const name of names) delete this.global[name];
  }
};`;

describe.each<RunnerName>(['jest-30', ...ifLong('jest-29' as const, 'vitest-4' as const)])('%s', (runner) => {
  describeWith(runner, () => {
    const isJest = runner !== 'vitest-4';
    test('where tests run at the same time, only those fail that asked', () => {
      const load = isJest ? "const { loadC } = require('provest');" : "import { loadC } from 'provest';";
      const at = (name: string): string => `${name}.test.${isJest ? 'js' : 'mjs'}`;
      const calls = "test.concurrent('calls', async () => { m.push(1); });";
      const run = new UserProject(runner, {
        'bad.c': bad,
        [at('awaited')]:
          `${load} const m = loadC('./bad.c'); ${calls}\n` +
          `test.concurrent('is verified', async () => { await expect(m).toBeVerified(); });`,
        [at('swallowed')]:
          `${load} const m = loadC('./bad.c'); ${calls}\n` +
          `test.concurrent('asks', async () => { expect(m).toBeVerified().then(() => {}, () => {}); });`,
      }).run();
      expect([run.status, run.failed]).toEqual([1, ['is verified']]);
      // In the file that swallows its verdict no test fails, but the file does.
      expect(run.stdout + run.stderr).toMatch(/This verdict came after the test had ended/);
    });
  });
});

describe.each<RunnerName>(['jest-30', 'jest-29'])('%s', (runner) => {
  describeWith(runner, () => {
    (runner === 'jest-30' || isLong ? test : test.skip)("in an environment without Node's own globals", () => {
      const run = new UserProject(
        runner,
        {
          'barren.js': barren(installed(runner)!),
          'good.c': good,
          'said.c': '#include <stdio.h>\nint say(const char *text) { return text ? printf("%.9s", text) : 0; }',
          'said.test.js': `const { loadC } = require('provest'); const m = loadC('./said.c'), n = loadC('./good.c');
          test('says it', () => { expect(m.say('né')).toBe(3); expect(m.stdout).toBe('né'); });
          test('pops', () => { n.push(1); expect(n.pop()).toBe(1); });
          test('is verified', () => expect(n).toBeVerified());`,
        },
        { testEnvironment: './barren.js' },
      ).run();
      expect([run.failed, run.status]).toEqual([[], 0]);
    });

    test('in the console, in JSON, in JUnit, on GitHub, and for --onlyFailures', () => {
      const project = new UserProject(runner, {
        'bad.c': bad,
        'good.c': good,
        'bad.test.js': bugTest,
        'early.test.js': early,
      });
      const compilers = installed('compilers');
      if (compilers !== undefined) project.install(['jest-junit'], compilers);
      const junit =
        compilers === undefined
          ? []
          : ['--reporters=default', '--reporters=provest/reporter', '--reporters=jest-junit'];
      const run = project.run(['--ci', ...junit], { GITHUB_ACTIONS: 'true' });
      expect(run.status).toBe(1);
      expect(run.failed).toEqual(['is verified']);
      expect(
        run.tests
          .filter(({ status }) => status === 'passed')
          .map(({ title }) => title)
          .sort(),
      ).toEqual(['calls', 'is tested', 'is verified', 'pops what was pushed']);
      // Both lines: of the test, and of the C.
      expect(run.stderr).toMatch(/●.* is verified\n[^]*bad\.c: bug \(reproduced\): index -1 is outside elems\[4\]/);
      expect(run.stderr).toMatch(/> 11 \| {3}return elems\[size\];/);
      expect(run.stderr).toMatch(/> 6 \| {3}test\('is verified', \(\) => expect\(m\)\.toBeVerified\(\)\);\n/);
      expect(run.stderr).toMatch(/at .*bad\.test\.js:6:/);
      expect(run.stderr).toContain(
        '::error file=bad.c,line=11,title=provest%3A bug (reproduced)::bad.c: index -1 is outside elems[4]',
      );
      expect(run.stderr + run.stdout).not.toMatch(/Test suite failed to run/);
      expect(run.stderr).toMatch(/^Tests: +1 failed, 4 passed, 5 total$/m);
      if (compilers !== undefined) {
        expect(project.read('junit.xml')).toMatch(/<testsuites [^>]*tests="5" failures="1" errors="0"/);
        expect(project.read('junit.xml')).toMatch(/<testcase [^>]*name="stack is verified"[^>]*>\s*<failure>/);
      }
      if (!isLong) return;
      const again = project.run(['--onlyFailures']);
      expect(again.failed).toEqual(['is verified']);
      expect(again.tests.filter(({ status }) => status !== 'pending').map(({ title }) => title)).toEqual(
        expect.arrayContaining(['is verified']),
      );
      expect(again.stderr).not.toContain('early.test.js');
    });
  });
});
