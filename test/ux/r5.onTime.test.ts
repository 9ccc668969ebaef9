/**
 * It always ends, on time, says how far it came, and leaves no process behind: a hard question, an endless C loop in a
 * test, Ctrl-C.
 */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readReport } from '../../src/report/html/difference';
import { ifLong } from '../long';
import { commandFile } from './builtPackage';
import { hard } from './hard';
import { good, installed, removeProjects, UserProject, type RunnerName } from './userProject';
import { concatenate } from '../patterns';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'provest-time-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
  removeProjects();
});

/** Every process that we start carries this in its environment, and so do its children. */
const marked = (mark: string) => ({
  PATH: process.env['PATH'],
  HOME: process.env['HOME'],
  PROVEST_MARK: mark,
  NO_COLOR: '1',
});

/** Processes with the mark, as `ps` would show them. */
function alive(mark: string): string[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        if (!readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`PROVEST_MARK=${mark}`)) return [];
        return /^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
          ? []
          : [readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')];
      } catch {
        return []; // gone meanwhile, or not ours to read
      }
    });
}

async function gone(mark: string, withinMs = 3000): Promise<string[]> {
  for (let i = 0; i < withinMs / 100 && alive(mark).length > 0; i++)
    await new Promise((resolve) => setTimeout(resolve, 100));
  return alive(mark);
}

test('a hard question ends with the budget, and says what is proved', async () => {
  writeFileSync(join(folder, 'hard.c'), hard);
  const began = Date.now();
  const { status, stdout } = spawnSync(
    process.execPath,
    [commandFile, 'verify', 'hard.c', '--budget', '6s', '--json'],
    {
      cwd: folder,
      encoding: 'utf8',
      env: marked('hard'),
    },
  );
  const seconds = (Date.now() - began) / 1000;
  expect(status).toBe(2);
  const { verdict, reason, statistics } = JSON.parse(stdout) as {
    verdict: string;
    reason: { message: string };
    statistics: { seconds: number };
  };
  expect(verdict).toBe('unknown');
  // How many depends on the machine; that the division is none of them does not.
  expect(reason.message).toMatch(/; [0-9] of \d checks (is|are) proved/);
  expect(statistics.seconds).toBeLessThan(10);
  expect(seconds).toBeLessThan(30);
  expect(await gone('hard')).toEqual([]);
});

const runners: readonly (readonly [RunnerName, number])[] = [['jest-30', 6000], ...ifLong(['jest-29', 6000] as const)];
test.each(runners.filter(([runner]) => installed(runner) !== undefined))(
  'in %s: proofs longer than its limit are not cut, an endless loop in C is a failing test with the line',
  async (runner, budget) => {
    const project = new UserProject(runner, {
      'hard.c': hard,
      'loop.c': 'static int x;\nint spin(void) {\n  for (;;) x ^= 1;\n}\n',
      'hard.test.js':
        `const { loadC } = require('provest');\nconst m = loadC('./hard.c');\n` +
        `test('calls', () => { m.first(1); });\n` +
        `test('is verified', () => expect(m).toBeVerified({ budget: ${budget} }));\n`,
      'loop.test.js':
        "const { loadC } = require('provest');\nconst m = loadC('./loop.c', { stepLimit: 200000 });\n" +
        "test('spins', () => { m.spin(); });\n",
    });
    const result = project.run([], { PROVEST_MARK: runner, PROVEST_CACHE: 'off' });
    expect(result.failed).toEqual(['is verified', 'spins']);
    expect(result.message('is verified')).toMatch(
      /unknown: [^]*place: hard\.c:\d+|unknown: [^]*of \d checks (is|are) proved/,
    );
    expect(result.message('is verified')).toMatch(/[0-9] of \d checks (is|are) proved/);
    expect(result.message('is verified')).not.toMatch(/Exceeded timeout/);
    // By the proof's own clock; the machine may be busy besides.
    expect(Number(/, (\d+\.\d) s, \d+ solver quer/.exec(result.message('is verified'))![1])).toBeLessThan(
      budget / 1000 + 6,
    );
    expect(result.message('spins')).toMatch(/loop\.c:3/);
    expect(result.stderr).not.toMatch(/did not exit|open handle|force exited|failed to exit/);
    expect(await gone(runner)).toEqual([]);
  },
);

test('Ctrl-C ends a proof of the command with what is known, at once', async () => {
  writeFileSync(join(folder, 'hard.c'), hard);
  const child = spawn(process.execPath, [commandFile, 'verify', 'hard.c', '--budget', '60s'], {
    cwd: folder,
    env: marked('interrupt'),
  });
  const { out, code } = await interruptedAfter(child, () => Date.now() - began > 6000);
  expect(out).toMatch(/interrupted: ending with what is known/);
  // By the prover itself: one that has to be killed says less, and later.
  expect(out).toMatch(/hard\.c: unknown: interrupted before an answer was reached; [0-9] of \d checks (is|are) proved/);
  expect(code).toBe(2);
  expect(await gone('interrupt')).toEqual([]);
});

const interruptible: readonly (readonly [RunnerName, readonly string[], RegExp])[] = [
  ['jest-30', ['-w', '2'], /PASS.*good\.test/],
  ...ifLong<[RunnerName, string[], RegExp]>(['vitest-4', ['--maxWorkers=2'], /✓ good\.test/]),
];
test.each(interruptible.filter(([runner]) => installed(runner) !== undefined))(
  'Ctrl-C during a proof in %s says what is known, and leaves nothing behind',
  async (runner, args, passed) => {
    const uses = (file: string, call: string) =>
      `const { loadC } = require('provest');\nconst m = loadC('./${file}');\ntest('calls', () => { ${call} });\n` +
      `test('is verified', () => expect(m).toBeVerified({ budget: 90000 }));\n`;
    const project = new UserProject(
      runner,
      {
        'hard.c': hard,
        'good.c': good,
        'hard.test.cjs': uses('hard.c', 'm.first(1);'),
        'good.test.cjs': uses('good.c', 'm.push(1);'),
      },
      runner === 'vitest-4' ? {} : { testMatch: ['**/*.test.cjs'] },
    );
    const mark = `interrupt-${runner}`;
    const child = spawn(process.execPath, [...project.command, ...args], {
      cwd: project.folder,
      env: { ...marked(mark), PROVEST_HTML: '1' },
    });
    const { out, code } = await interruptedAfter(child, (text) => passed.test(text) && Date.now() - began > 8000);
    expect(out).toMatch(
      concatenate(
        /provest: interrupted; what is known so far:\n +✓ +good\.c +proved .*\n/,
        / +- +hard\.c +not evaluated +interrupted: .*, \d+ s of 90 s\n/,
      ),
    );
    expect(out).not.toMatch(/did not exit|failed to exit/);
    expect(project.read('.provest/log')).toMatch(/== good\.c [^]*proved[^]*== hard\.c [^]*interrupted: /);
    expect(out.trimEnd()).toMatch(/provest: report: \.provest\/report\.html$/);
    expect(readReport(project.read('.provest/report.html'))!.modules.map(({ name, word }) => [name, word])).toEqual([
      ['good.c', 'proved'],
      ['hard.c', 'not evaluated'],
    ]);
    expect(code).toBe(130);
    // Only the runner itself was told; its workers notice.
    expect(await gone(mark, 15_000)).toEqual([]);
  },
);

test.each(interruptible.filter(([runner]) => installed(runner) !== undefined))(
  '%s is killed, and its workers and provers end with it',
  async (runner, args) => {
    const uses =
      "const { loadC } = require('provest');\nconst m = loadC('./hard.c');\n" +
      "test('calls', () => { m.first(1); });\n" +
      "test('is verified', () => expect(m).toBeVerified({ budget: 120_000 }));\n";
    const project = new UserProject(
      runner,
      { 'hard.c': hard, 'one.test.cjs': uses, 'two.test.cjs': uses },
      runner === 'vitest-4' ? {} : { testMatch: ['**/*.test.cjs'] },
    );
    const mark = `killed-${runner}`;
    const child = spawn(process.execPath, [...project.command, ...args], {
      cwd: project.folder,
      env: marked(mark),
      stdio: 'ignore',
    });
    const proving = () => alive(mark).filter((command) => command.includes('z3child')).length;
    while (proving() === 0 && Date.now() - began < 60_000) await new Promise((resolve) => setTimeout(resolve, 100));
    expect(proving()).toBeGreaterThan(0);
    child.kill('SIGKILL');
    expect(await gone(mark, 20_000)).toEqual([]);
  },
  120_000,
);

let began: number;
beforeEach(() => {
  began = Date.now();
});

/** As soon as the output so far is what is waited for. */
async function interruptedAfter(
  child: ChildProcess,
  due: (out: string) => boolean,
): Promise<{ readonly out: string; readonly code: number | null }> {
  let out = '';
  for (const stream of [child.stdout!, child.stderr!])
    stream.setEncoding('utf8').on('data', (text: string) => {
      out += text;
    });
  const ended = new Promise<number | null>((resolve) => child.once('close', (code) => resolve(code)));
  while (!due(out) && child.exitCode === null && Date.now() - began < 60_000)
    await new Promise((resolve) => setTimeout(resolve, 100));
  const asked = Date.now();
  child.kill('SIGINT');
  const code = await ended;
  expect(Date.now() - asked).toBeLessThan(5000);
  return { out, code };
}
