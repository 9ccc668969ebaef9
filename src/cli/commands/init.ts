/**
 * `provest init`: what a project needs to begin: a configuration of its test runner and, where there is no C yet, a
 * small module with its tests. Asks nothing, overwrites nothing, and says what it did; a second time it does nothing.
 */
import type { Command } from 'commander';
import { type Dirent, existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { buildFlags, flagsAsOptions, type BuildFlags } from '../../buildFlags';
import { findCompileCommands } from '../../compileCommands';
import { exitCode, type ExitCode } from '../exitCode';
import { InputError } from '../inputError';
import { writing } from '../outputFile';
import type { Terminal } from '../terminal';

export function addInitOptions(command: Command): Command {
  return command.description(
    'set up this folder: the configuration of Jest or Vitest and, where there is no C yet, an example',
  );
}

interface Manifest {
  readonly jest?: unknown;
  readonly type?: string;
  readonly scripts?: Record<string, string>;
  readonly dependencies?: Record<string, string>;
  readonly devDependencies?: Record<string, string>;
}

export function initialise(terminal: Terminal): ExitCode {
  const { cwd } = terminal;
  const has = (file: string): boolean => existsSync(join(cwd, file));
  const said: string[] = [];
  const write = (file: string, text: string, why: string): void => {
    if (has(file)) return;
    writing(file, () => writeFileSync(join(cwd, file), text, { flag: 'wx' }));
    said.push(`wrote ${file}: ${why}`);
  };

  write(
    'package.json',
    `${JSON.stringify({ name: 'c-proofs', private: true, scripts: { test: 'jest' } }, null, 2)}\n`,
    'npm test runs Jest',
  );
  const manifest = readManifest(join(cwd, 'package.json'));
  const modules = { ...manifest.dependencies, ...manifest.devDependencies };
  const vitest = 'vitest' in modules && !('jest' in modules);
  const files = readdirSync(cwd);
  const configured =
    files.find((file) => (vitest ? /^(vitest|vite)\.config\./ : /^jest\.config\./).test(file)) ??
    (!vitest && manifest.jest !== undefined ? 'package.json' : undefined);
  const esm = manifest.type === 'module';
  if (configured === undefined) {
    if (vitest) write('vitest.config.mjs', vitestConfiguration, 'the matchers and the summary');
    else
      write(
        'jest.config.js',
        `${esm ? 'export default' : 'module.exports ='} { preset: 'provest' };\n`,
        'the matchers, the summary, and C files in watch mode',
      );
  } else if (!/provest/.test(readFileSync(join(cwd, configured), 'utf8'))) {
    said.push(
      vitest
        ? `add to test in ${configured}: setupFiles: ['provest/vitest'], reporters: ['default', ` +
            "'provest/vitest-reporter']"
        : `add to ${configured}: preset: 'provest' (or, beside another preset, setupFilesAfterEnv: ` +
            "['provest/jest'] and reporters: ['default', 'provest/reporter'])",
    );
  }
  const [cFile] = filesBelow(cwd, 4, (file) => file.endsWith('.c'));
  if (cFile === undefined) {
    write('stack.c', exampleModule, 'a bounded stack, as an example');
    if (vitest)
      write(
        'stack.test.mjs',
        exampleTests("import { expect, test } from 'vitest';\nimport { loadC } from 'provest';"),
        'its tests, and the question whether it is right',
      );
    else if (
      esm &&
      /experimental-vm-modules/.test(`${manifest.scripts?.['test'] ?? ''} ${process.env['NODE_OPTIONS'] ?? ''}`)
    )
      write(
        'stack.test.js',
        exampleTests("import { loadC } from 'provest';"),
        'its tests, and the question whether it is right',
      );
    else
      write(
        'stack.test.js',
        exampleTests("const { loadC } = require('provest');"),
        'its tests, and the question whether it is right',
      );
  }
  const flags = flagsOfProject(cwd);
  if (flags) said.push(flags.said);
  const missing = ['provest', vitest ? 'vitest' : 'jest'].filter((name) => !(name in modules));
  const runner = vitest ? 'npx vitest run' : 'npx jest';
  // The runner finds nothing to run, and says nothing of what is missing.
  const isTested = filesBelow(cwd, 4, (file) => /\.(test|spec)\.[cm]?[jt]sx?$/.test(file)).length > 0;
  if (cFile !== undefined && !isTested) {
    const test = cFile.replace(/^.*\//, '').replace(/\.c$/, vitest ? '.test.mjs' : '.test.js');
    const name = test.replace(/\..*$/, '').replace(/\W+/g, '_');
    const load = esm || vitest ? "import { loadC } from 'provest';" : "const { loadC } = require('provest');";
    const imports = vitest ? "import { expect, test } from 'vitest'; " : '';
    const options = flags?.options === undefined ? '' : `, ${flags.options}`;
    said.push(
      `there are no tests yet; the first may be ${test}, in this folder: ${imports}${load} const m = ` +
        `loadC('./${cFile}'${options}); test('${name} is verified', () => ` +
        'expect(m).toBeVerified({ allowNoTests: true }));',
    );
  }
  if (missing.length > 0) said.push(`next: npm install --save-dev ${missing.join(' ')}, then ${runner}`);
  else if (said.length > 0) said.push(`next: ${runner}`);
  terminal.out(
    said.length === 0
      ? 'provest: everything is set up; run your tests\n'
      : `${said.map((line) => `provest: ${line}\n`).join('')}`,
  );
  return exitCode.proved;
}

/** Include folders and macros that the project is compiled with, as options of `loadC`, and what is said of them. */
function flagsOfProject(cwd: string): { readonly said: string; readonly options?: string } | undefined {
  let build: BuildFlags | undefined;
  try {
    build = buildFlags(cwd);
  } catch (error) {
    const list = relative(cwd, findCompileCommands(cwd)!);
    return { said: `${list} cannot be read: ${error instanceof Error ? error.message : String(error)}` };
  }
  if (build === undefined)
    return existsSync(join(cwd, 'CMakeLists.txt'))
      ? {
          said:
            'run cmake with -DCMAKE_EXPORT_COMPILE_COMMANDS=ON: then provest init and the editor know your include ' +
            'folders',
        }
      : undefined;
  const options = flagsAsOptions(build.flags, cwd);
  if (options === undefined) return undefined;
  const said =
    `${relative(cwd, build.source)} compiles with these, so give them to loadC, relative ` +
    `to the test file: ${options}`;
  return { said, options };
}

/** Paths of the project's own files, here or in a folder not too far below, in the order of their names. */
function filesBelow(folder: string, depth: number, isMeant: (file: string) => boolean): readonly string[] {
  const entries = [...entriesOf(folder)].sort((a, b) => (a.name < b.name ? -1 : 1));
  const here = entries.filter((entry) => entry.isFile() && isMeant(entry.name)).map(({ name }) => name);
  const below = entries
    .filter((entry) => entry.isDirectory() && entry.name !== 'node_modules' && !entry.name.startsWith('.'))
    .flatMap(({ name }) =>
      depth === 0 ? [] : filesBelow(join(folder, name), depth - 1, isMeant).map((file) => `${name}/${file}`),
    );
  return [...here, ...below];
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return []; // Not ours to read.
  }
}

function readManifest(path: string): Manifest {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Manifest;
  } catch (error) {
    throw new InputError(
      `package.json cannot be read: ${error instanceof Error ? error.message : String(error)}`,
      'repair it, and run provest init again',
    );
  }
}

const vitestConfiguration = `export default {
  test: {
    setupFiles: ['provest/vitest'],
    reporters: ['default', 'provest/vitest-reporter'],
  },
};
`;

const exampleModule = `#define CAPACITY 8
static int elems[CAPACITY];
static int size;

int push(int value) {
  if (size == CAPACITY) return 0;
  elems[size] = value;
  size = size + 1;
  return 1;
}

int pop(void) {
  size = size - 1; /* no test has popped an empty stack yet */
  return elems[size];
}
`;

const exampleTests = (imports: string): string => `${imports}

const stack = loadC('./stack.c');

test('the last number pushed is popped first', () => {
  stack.push(7);
  stack.push(9);
  expect(stack.pop()).toBe(9);
  expect(stack.pop()).toBe(7);
});

test('a full stack refuses', () => {
  for (let i = 0; i < 8; i++) expect(stack.push(i)).toBe(1);
  expect(stack.push(8)).toBe(0);
});

// Whatever is called, with whatever arguments: can a check of C fail?
test('is verified', () => expect(stack).toBeVerified());
`;
