/**
 * A user's project in a temporary folder, and a test runner run on it: Jest 30 (ours), Jest 29 and Vitest 4 (installed
 * by scripts/install-runners.js). The built package lies in its node_modules as an install would put it there.
 */
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { runnerFolder } from '../../scripts/install-runners.js';
import { builtPackage, root } from './builtPackage';

export { root };
export type RunnerName = 'jest-30' | 'jest-29' | 'vitest-4';

/**
 * Where the runner's node_modules are; undefined when it is not installed. `compilers`: what users' tests are compiled
 * with, and `jest-junit`.
 */
export function installed(runner: RunnerName | 'compilers'): string | undefined {
  if (runner === 'jest-30') return root;
  const folder = runnerFolder(runner);
  return existsSync(folder) ? folder : undefined;
}

/** Tests that need a runner which is not there are skipped, and say so on the screen. */
export function describeWith(runner: RunnerName | 'compilers', body: () => void): void {
  if (installed(runner) !== undefined) return describe(runner, body);
  process.stderr.write(
    `\n!! WARNING: ${runner} is not installed, so its tests are SKIPPED; run "node scripts/install-runners.js"\n\n`,
  );
  describe.skip(runner, body);
}

export interface TestResult {
  readonly title: string;
  readonly status: string;
  readonly failureMessages: readonly string[];
}
export interface Run {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** The runner's own JSON; empty when it printed none. */
  readonly tests: readonly TestResult[];
  readonly seconds: number;
  readonly failed: readonly string[];
  message(title: string): string;
}

const projects: string[] = [];

/** To be called once in a test file. */
export function removeProjects(): void {
  for (const project of projects.splice(0)) rmSync(project, { recursive: true, force: true });
}

export class UserProject {
  readonly folder = mkdtempSync(join(tmpdir(), 'provest-user-'));

  constructor(
    private readonly runner: RunnerName,
    files: Readonly<Record<string, string>>,
    readonly config: Readonly<Record<string, unknown>> = {},
  ) {
    projects.push(this.folder);
    const modules = join(this.folder, 'node_modules');
    // A copy: Vitest takes a package outside node_modules for a part of the user's sources.
    for (const part of ['dist', 'package.json', 'jest-preset.js'])
      cpSync(join(builtPackage, part), join(modules, 'provest', part), { recursive: true });
    symlinkSync(join(root, 'node_modules'), join(modules, 'provest', 'node_modules'), 'dir');
    const home = join(installed(runner)!, 'node_modules');
    for (const name of runner === 'vitest-4' ? readdirSync(home).filter((entry) => !entry.startsWith('.')) : [])
      symlinkSync(join(home, name), join(modules, name), 'dir');
    const configuration: Record<string, string> =
      runner === 'vitest-4'
        ? {
            'vitest.config.mjs': `export default ${JSON.stringify({
              test: {
                globals: true,
                setupFiles: ['provest/vitest'],
                reporters: ['default', 'provest/vitest-reporter'],
                ...config,
              },
            })};`,
          }
        : {
            'jest.config.js': `module.exports = ${JSON.stringify({
              preset: 'provest',
              transform: {},
              cacheDirectory: join(this.folder, 'jest-cache'),
              ...config,
            })};`,
          };
    this.write({ 'package.json': '{"name":"user"}', ...configuration, ...files });
  }

  write(files: Readonly<Record<string, string>>): void {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(this.folder, name)), { recursive: true });
      writeFileSync(join(this.folder, name), text);
    }
  }

  has(file: string): boolean {
    return existsSync(join(this.folder, file));
  }

  read(file: string): string {
    return readFileSync(join(this.folder, file), 'utf8');
  }

  /** The program and its first arguments. */
  get command(): readonly string[] {
    const home = join(installed(this.runner)!, 'node_modules');
    return this.runner === 'vitest-4'
      ? [join(home, 'vitest', 'vitest.mjs'), 'run']
      : [join(home, 'jest', 'bin', 'jest.js')];
  }

  /** Packages of other folders, as if they had been installed here. */
  install(names: readonly string[], from: string): void {
    for (const name of names) {
      const target = join(this.folder, 'node_modules', name);
      mkdirSync(dirname(target), { recursive: true });
      symlinkSync(join(from, 'node_modules', name), target, 'dir');
    }
  }

  /** The command `provest` of this project. */
  provest(
    args: readonly string[],
    environment: Readonly<Record<string, string>> = {},
  ): { readonly status: number | null; readonly stdout: string; readonly stderr: string } {
    return this.spawn(
      [join(this.folder, 'node_modules', 'provest', 'dist', 'src', 'cli', 'main.js'), ...args],
      environment,
    );
  }

  /** `addressSpaceKb`: what the shell allows the run and all its children. */
  private spawn(args: readonly string[], environment: Readonly<Record<string, string>>, addressSpaceKb?: number) {
    const options = {
      cwd: this.folder,
      encoding: 'utf8',
      timeout: 150_000,
      env: { PATH: process.env['PATH'], HOME: process.env['HOME'], NO_COLOR: '1', ...environment },
    } as const;
    return addressSpaceKb === undefined
      ? spawnSync(process.execPath, args, options)
      : spawnSync('sh', ['-c', `ulimit -v ${addressSpaceKb}; exec "$0" "$@"`, process.execPath, ...args], options);
  }

  /** As a user runs it, with the reporters of the configuration. */
  plain(...args: readonly string[]): {
    readonly status: number | null;
    readonly stdout: string;
    readonly stderr: string;
  } {
    return this.spawn([...this.command, ...args], {});
  }

  /** With the results as JSON, by whatever other reporters there are. */
  run(args: readonly string[] = [], environment: Readonly<Record<string, string>> = {}, addressSpaceKb?: number): Run {
    const began = Date.now();
    const output = join(this.folder, `results-${projects.length}-${began}.out`);
    const json =
      this.runner === 'vitest-4'
        ? [
            '--reporter=json',
            `--outputFile.json=${output}`,
            ...(args.some((arg) => arg.startsWith('--reporter'))
              ? []
              : ['--reporter=default', '--reporter=provest/vitest-reporter']),
          ]
        : ['--json', `--outputFile=${output}`];
    const { status, stdout, stderr } = this.spawn([...this.command, ...json, ...args], environment, addressSpaceKb);
    const text = existsSync(output) ? readFileSync(output, 'utf8') : '';
    rmSync(output, { force: true });
    const tests =
      text === ''
        ? []
        : (JSON.parse(text) as { testResults: { assertionResults: TestResult[] }[] }).testResults.flatMap(
            ({ assertionResults }) => assertionResults,
          );
    return {
      status,
      stdout,
      stderr,
      tests,
      seconds: (Date.now() - began) / 1000,
      failed: tests
        .filter((test) => test.status === 'failed')
        .map(({ title }) => title)
        .sort(),
      message: (title) =>
        tests.find((test) => test.title === title)?.failureMessages.join('\n') ??
        `no test '${title}' in ${stdout}${stderr}`,
    };
  }
}

export const bad = `static int elems[4];
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
export const good = bad.replace('  size--;', '  if (size == 0) return 0;\n  size--;');
