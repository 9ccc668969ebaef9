/** One install, one line: `provest init` in an empty folder, the packed files, and the three commands of a newcomer. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { initialise } from '../../src/cli/commands/init';
import { InputError } from '../../src/cli/inputError';
import { describeWith, removeProjects, root, UserProject, type RunnerName } from './userProject';
import { ifLong } from '../long';

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
  removeProjects();
});

function init(files: Readonly<Record<string, string>> = {}): {
  readonly folder: string;
  again(): string;
  readonly out: string;
} {
  const folder = mkdtempSync(join(tmpdir(), 'provest-init-'));
  folders.push(folder);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const again = (): string => initIn(folder);
  return { folder, again, out: again() };
}

function initIn(cwd: string): string {
  let out = '';
  const nobody = () => {
    throw new Error('not asked for');
  };
  initialise({
    out: (text) => {
      out += text;
    },
    err: nobody,
    color: false,
    errIsTerminal: false,
    errColumns: 80,
    cwd,
    now: () => 0,
    onInterrupt: nobody,
    input: nobody,
  });
  return out;
}

test('an empty folder gets a configuration and an example, once', () => {
  const { folder, out, again } = init();
  expect(readdirSync(folder).sort()).toEqual(['jest.config.js', 'package.json', 'stack.c', 'stack.test.js']);
  expect(out).toContain('next: npm install --save-dev provest jest');
  const before = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ devDependencies: { jest: '30', provest: '1' } }));
  expect(again()).toBe('provest: everything is set up; run your tests\n');
  expect(readFileSync(join(folder, 'stack.c'), 'utf8')).toBe(before[2]);
});

test("a user's own files are kept, and missing configuration is reported", () => {
  const own = init({
    'package.json': '{"devDependencies":{"jest":"29","provest":"1"}}',
    'jest.config.ts': "export default { preset: 'ts-jest' };",
    'queue.c': 'int x;',
  });
  expect(readdirSync(own.folder)).toHaveLength(3);
  expect(own.out).toMatch(/add to jest\.config\.ts: .*setupFilesAfterEnv: \['provest\/jest'\]/);
  expect(() => init({ 'package.json': '{' })).toThrow(InputError);
});

test("where nothing can be written, that is the user's matter, not a failure of ours", () => {
  expect(() => initIn(join(init().folder, 'stack.c'))).toThrow(InputError);
});

test('where the C lies in a folder there is no need of an example, unlike where only a dependency has some', () => {
  expect(readdirSync(init({ 'firmware/src/queue.c': 'int x;' }).folder)).not.toContain('stack.c');
  expect(readdirSync(init({ 'node_modules/queue/queue.c': 'int x;' }).folder)).toContain('stack.c');
});

// In Jest 30: r7.install.test.ts.
describe.each<RunnerName>([...ifLong('jest-29' as const), 'vitest-4'])('%s', (runner) => {
  describeWith(runner, () => {
    test('the example finds its bug', () => {
      const { folder } = init({
        'package.json': JSON.stringify({ devDependencies: { [runner.split('-')[0]!]: '*', provest: '*' } }),
      });
      const files = Object.fromEntries(
        readdirSync(folder).map((file) => [file, readFileSync(join(folder, file), 'utf8')]),
      );
      const result = new UserProject(runner, files).run();
      expect(result.failed).toEqual(['is verified']);
      expect(result.message('is verified')).toMatch(/stack\.c: bug \(reproduced\): index -1 is outside elems\[8\]/);
      expect(result.tests.filter(({ status }) => status === 'passed')).toHaveLength(2);
    });
  });
});

/** Built declarations that these import, directly or not, and themselves. */
function declarationsFrom(files: readonly string[]): readonly string[] {
  const found = new Set(files);
  for (const file of found) {
    const text = readFileSync(join(root, file), 'utf8');
    for (const [, name] of text.matchAll(/(?:\bfrom|\bimport\(?)\s*['"](\.[^'"]*)['"]/g)) {
      const path = join(dirname(file), name!.replace(/\.m?js$/, ''));
      const built = [`${path}.d.ts`, `${path}.d.mts`, join(path, 'index.d.ts')].find((one) =>
        existsSync(join(root, one)),
      );
      if (built !== undefined) found.add(built);
    }
  }
  return [...found];
}

test('the package holds what it needs, and stays small', () => {
  const { stdout } = spawnSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: root,
    encoding: 'utf8',
  });
  const [{ files, size, unpackedSize }] = JSON.parse(stdout) as [
    { files: { path: string }[]; size: number; unpackedSize: number },
  ];
  const paths = files.map(({ path }) => path);
  for (const needed of [
    'dist/plugin/index.js',
    'dist/plugin/vitest.mjs',
    'dist/plugin/vitest.d.mts',
    'dist/plugin/vitest-reporter.mjs',
    'dist/plugin/dependencies.js',
    'dist/plugin/watchTests.js',
    'dist/src/cli/main.js',
    'dist/src/prover/child.js',
    'dist/src/solver/z3child.js',
    'dist/src/report/json/verdict.schema.json',
    'dist/src/c/headers/stdio.h',
    'jest-preset.js',
    'LICENSE',
    'README.md',
  ])
    expect(paths).toContain(needed);
  // Every door of `exports` leads somewhere.
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    exports: Record<string, string | Record<string, string>>;
  };
  const doors = Object.values(exports)
    .flatMap((door) => (typeof door === 'string' ? [door] : Object.values(door)))
    .map((door) => door.replace('./', ''));
  expect(doors.filter((door) => !paths.includes(door))).toEqual([]);
  // Declarations that no door leads to are left out, and no others.
  const types = doors.filter((door) => /\.d\.m?ts$/.test(door));
  expect(declarationsFrom(types).filter((file) => !paths.includes(file))).toEqual([]);
  expect(
    paths.filter((path) => /^(test|bench|fixtures|node_modules)\//.test(path) || /\.tsbuildinfo$/.test(path)),
  ).toEqual([]);
  // A download of less than 3 MB.
  expect(size).toBeLessThan(3e6);
  expect(unpackedSize).toBeLessThan(12e6);
});
