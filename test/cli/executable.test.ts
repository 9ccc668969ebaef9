/** The built executable as a shell sees it: streams, exit codes, signals. Needs `npm run build`. */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stillRunning } from '../prover/running';

const main = join(__dirname, '../../dist/src/cli/main.js');
const { version } = JSON.parse(readFileSync(join(__dirname, '../../package.json'), 'utf8')) as { version: string };
let cwd: string;

beforeAll(() => {
  if (!existsSync(main)) throw new Error('these tests run the built package: run "npm run build" first');
  cwd = mkdtempSync(join(tmpdir(), 'provest-bin-'));
  writeFileSync(
    join(cwd, 'stack.c'),
    'static int size;\nint pop(void) { return 8 / size; }\nint shown(int x) { return x; }\n',
  );
  writeFileSync(
    join(cwd, 'hard.c'),
    '#include <assert.h>\nvoid check(unsigned long a, unsigned long b) {\n' +
      '  if (a > 1 && b > 1 && a < 4294967296 && b < 4294967296) assert(a * b != 18446743979220271189ul);\n}\n',
  );
});
afterAll(() => rmSync(cwd, { recursive: true }));

function run(...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...args], { cwd, encoding: 'utf8' });
  return { status, stdout, stderr };
}

test('version, bug, types, and a wrong call', () => {
  expect(run('--version')).toEqual({ status: 0, stdout: `${version}\n`, stderr: '' });
  expect(run('verify', 'stack.c')).toMatchObject({
    status: 1,
    stdout: expect.stringMatching(/^stack.c: bug \(reproduced\): division by zero/) as string,
    stderr: '',
  });
  expect(run('types', 'stack.c')).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('shown(x: number') as string,
    stderr: '',
  });
  expect(run('verify', 'stak.c')).toEqual({
    status: 3,
    stdout: '',
    stderr: "provest: no such file: stak.c\nhint: did you mean 'stack.c'?\n",
  });
});

test('a reader that goes away is no failure', () => {
  const { stdout, stderr } = spawnSync('bash', ['-c', `"${process.execPath}" "${main}" verify stack.c | head -n 1`], {
    cwd,
    encoding: 'utf8',
  });
  expect({ stdout, stderr }).toEqual({ stdout: expect.stringMatching(/^stack.c: bug/) as string, stderr: '' });
});

test('Ctrl-C prints the partial verdict, ends with 2, and leaves no process behind', async () => {
  const child = spawn(process.execPath, [main, 'verify', 'hard.c', '--budget', '60s'], { cwd });
  let stdout = '';
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString();
  });
  const ended = new Promise<number | null>((resolve) => {
    child.on('close', resolve);
  });
  const solvers = await until(() => childrenOf(child.pid!));
  child.kill('SIGINT');
  expect(await ended).toBe(2);
  expect(stdout).toMatch(/^hard.c: unknown: interrupted/);
  expect(await stillRunning(solvers)).toEqual([]);
});

/** From /proc; where there is none, nothing is looked for and the rest of the test still holds. */
function childrenOf(pid: number): number[] {
  if (!existsSync('/proc/self/stat')) return [0];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((candidate) => {
      const stat = `/proc/${candidate}/stat`;
      return existsSync(stat) && Number(/^.*\) \S (\d+)/.exec(readFileSync(stat, 'utf8'))?.[1]) === pid;
    });
}

async function until(children: () => number[]): Promise<number[]> {
  for (let attempt = 0; attempt < 400; attempt++) {
    const found = children();
    if (found.length > 0) return found;
    await new Promise((resolve) => {
      setTimeout(resolve, 100);
    });
  }
  throw new Error('no solver was started');
}
