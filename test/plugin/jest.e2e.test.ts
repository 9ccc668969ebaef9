/**
 * Jest itself, run on a project of a user: the package is linked into its node_modules as an install would, and needs
 * to have been built. Above all: no way of asking wrongly makes an unproved module green.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { concatenate } from '../patterns';

const root = join(__dirname, '..', '..');
const jestBin = join(root, 'node_modules', 'jest', 'bin', 'jest.js');

const bad = `static int elems[4];
static int size;
int push(int k) {
  if (size == 4) return 0;
  elems[size] = k;
  size++;
  return 1;
}
int pop(void) {
  size--;
  return elems[size];
}
`;
const good = bad.replace('  size--;', '  if (size == 0) return 0;\n  size--;');
const uses = (file: string) => `const { loadC } = require('provest'); const m = loadC('./${file}');`;
const calls = "test('pushes', () => { m.push(1); expect(m.pop()).toBe(1); });";

interface Assertion {
  readonly title: string;
  readonly status: string;
  readonly failureMessages: readonly string[];
}
interface Run {
  readonly status: number | null;
  readonly tests: ReadonlyMap<string, Assertion>;
  readonly stderr: string;
  readonly project: string;
  read(file: string): string;
}

const projects: string[] = [];
afterAll(() => {
  for (const project of projects) rmSync(project, { recursive: true, force: true });
});

function run(
  files: Readonly<Record<string, string>>,
  options: { readonly config?: object; readonly args?: readonly string[]; readonly env?: Record<string, string> } = {},
): Run {
  if (!existsSync(join(root, 'dist', 'src', 'prover', 'child.js')))
    throw new Error('these tests run the built package: run "npm run build" first');
  const project = mkdtempSync(join(tmpdir(), 'provest-jest-'));
  projects.push(project);
  mkdirSync(join(project, 'node_modules'));
  symlinkSync(root, join(project, 'node_modules', 'provest'), 'dir');
  const config = {
    preset: 'provest',
    transform: {},
    cacheDirectory: join(tmpdir(), 'provest-jest-cache'),
    ...options.config,
  };
  const all: Record<string, string> = {
    'package.json': '{"name":"user"}',
    'jest.config.js': `module.exports = ${JSON.stringify(config)};`,
    ...files,
  };
  for (const [name, text] of Object.entries(all)) {
    mkdirSync(dirname(join(project, name)), { recursive: true });
    writeFileSync(join(project, name), text);
  }
  const { status, stdout, stderr } = spawnSync(process.execPath, [jestBin, '--json', ...(options.args ?? [])], {
    cwd: project,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...options.env },
  });
  const results = stdout.startsWith('{')
    ? (JSON.parse(stdout) as { testResults: { assertionResults: Assertion[]; message: string }[] }).testResults
    : [];
  const tests = new Map(results.flatMap(({ assertionResults }) => assertionResults.map((a) => [a.title, a] as const)));
  return { status, tests, stderr, project, read: (file) => readFileSync(join(project, file), 'utf8') };
}

/** Titles of failed tests, in order of name. */
const failed = ({ tests }: Run): string[] =>
  [...tests.values()]
    .filter((t) => t.status === 'failed')
    .map((t) => t.title)
    .sort();
const message = ({ tests }: Run, title: string): string =>
  tests.get(title)?.failureMessages.join('\n') ?? `no test '${title}'`;

test('the verdict is the asking test’s, with the C line and a test to paste, and a proved module passes', () => {
  const result = run(
    {
      'bad.c': bad,
      'good.c': good,
      'bad.test.js': `${uses('bad.c')}\ntest('is verified', () => expect(m).toBeVerified());\n${calls}`,
      'good.test.js':
        `${uses('good.c')}\ntest('is verified too', () => expect(m).toBeVerified());\n` +
        `test('is not wrong', async () => ` +
        `{ await expect(expect(m).not.toBeVerified()).rejects.toThrow('but it is proved'); });\n` +
        `${calls.replace("'pushes'", "'pushes well'")}`,
    },
    { args: ['--testTimeout=400', '--verbose'] },
  );
  expect(failed(result)).toEqual(['is verified']);
  expect(result.status).toBe(1);
  const text = message(result, 'is verified');
  expect(text).toMatch(/bad\.c: bug \(reproduced\): index -1 is outside elems\[4\]/);
  expect(text).toContain('> 11 |   return elems[size];');
  expect(text).toMatch(/\d+ {2}pop\(\)/);
  expect(text).toContain('  m.reset();\n    m.pop();');
  expect(text).toMatch(/at .*bad\.test\.js:2:/);
  expect(result.stderr).toMatch(/provest\n +✗ +bad\.c +bug \(reproduced\) .*\n +✓ +good\.c +proved/);
  // With --verbose, what a proof is relative to; the bug is in its test's message already.
  expect(result.stderr).toMatch(/good\.c: proved[^]*Relative to:\n[^]*Between any two calls:\n/);
  expect(result.stderr.match(/bad\.c: bug/g)).toHaveLength(1);
  expect(result.stderr).not.toMatch(/did not exit|open handle|force exited/);
});

// More of them are in test/ux/r1.neverGreen.test.ts.
test('green needs a proof: no module, or a probe with effects, fails with a reason; mocks do not matter', () => {
  const result = run(
    {
      'good.c': good,
      'something.test.js': `${uses('good.c')}\ntest('not a module', () => expect(m.push).toBeVerified());`,
      'mocked.test.js':
        `jest.mock('fs'); jest.mock('child_process'); jest.useFakeTimers();\n` +
        `${uses('good.c')} ${calls.replace('pushes', 'pushes under mocks')}\n` +
        `test('mocks do not matter', () => expect(m).toBeVerified());`,
      'changing.test.js':
        `${uses('good.c')} ${calls.replace('pushes', 'pushes beside it')}\n` +
        `let limit = 1; m.probe('p', (s) => s.size < limit); limit = 2;\n` +
        `test('probe that changes', () => expect(m).toBeVerified());`,
    },
    { config: { preset: undefined }, args: ['-w', '2', '--reporters=default'] },
  );
  expect(failed(result)).toEqual(['not a module', 'probe that changes', 'pushes beside it']);
  expect(message(result, 'not a module')).toContain('give it what loadC returned');
  expect(message(result, 'probe that changes')).toContain('captures a variable that changes: limit was 1');
  expect(result.tests.get('mocks do not matter')?.status).toBe('passed');
});

test('all calls of the file count, whatever the order: without them the question would be refused', () => {
  const file = `${uses('good.c')}
    describe('first', () => { test('is verified', () => expect(m).toBeVerified()); });
    describe('second', () => { ${calls} });`;
  const result = run({ 'good.c': good, 'order.test.js': file }, { args: ['--randomize', '--seed=3'] });
  expect(failed(result)).toEqual([]);
  expect(result.status).toBe(0);
});

test('@jest/globals without globals; a module nobody verified is told, and fails the run when asked', () => {
  const result = run(
    {
      'good.c': good,
      'one.test.js': `const { test, expect } = require('@jest/globals'); ${uses('good.c')} ${calls}`,
    },
    { config: { injectGlobals: false, reporters: ['default', ['provest/reporter', { requireVerified: true }]] } },
  );
  expect(failed(result)).toEqual([]);
  expect(result.stderr).toContain('good.c  not evaluated  one.test.js loads it, but asked for no verdict in this run');
  expect(result.stderr).toContain('1 module was loaded but not verified');
  expect(result.status).toBe(1);
});

test('the test of a bug is written when asked for, in the style of the file, and fails by itself', () => {
  const files = {
    'bad.c': bad,
    'bad.test.js':
      `${uses('bad.c')}\n\ndescribe('stack', () => {\n    ${calls}\n});\n` +
      `test('is verified', () => expect(m).toBeVerified());\n`,
  };
  const written = run(files, { env: { PROVEST_WRITE_TESTS: '1' } });
  expect(written.stderr).toContain('bad.test.js: 1 test written');
  const text = written.read('bad.test.js');
  expect(text).toContain(files['bad.test.js']);
  expect(text).toMatch(
    concatenate(
      /\/\/ @provest-generated [0-9a-f]{10} .*\n/,
      /test\('pop does not fail at bad\.c:11 \(index -1 is outside elems\[4\]\)', \(\) => \{\n/,
      / {4}m\.reset\(\);\n {4}m\.pop\(\);/,
    ),
  );
  const again = run({ 'bad.c': bad, 'bad.test.js': text }, { env: { PROVEST_WRITE_TESTS: '1' } });
  expect(again.read('bad.test.js')).toBe(text);
  expect(failed(again)).toEqual(['is verified', 'pop does not fail at bad.c:11 (index -1 is outside elems[4])']);
  expect(message(again, 'pop does not fail at bad.c:11 (index -1 is outside elems[4])')).toMatch(
    /index -1 is outside elems\[4\][^]*> 11 \|/,
  );
});

test("Jest's automock leaves the package as it is", () => {
  const { status, tests } = run(
    { 'good.c': good, 'good.test.js': `${uses('good.c')} ${calls}` },
    { args: ['--automock'] },
  );
  expect([status, tests.get('pushes')?.status]).toEqual([0, 'passed']);
});
