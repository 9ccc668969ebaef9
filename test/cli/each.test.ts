/** `provest verify --each`: every file by itself, several at a time. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Backend } from '../../src/cli/backend';
import { bug, everyVerdict, proved } from '../report/verdicts';
import { runWith } from './fakes';

let cwd: string;
const names = ['a.c', 'b.c', 'c.c', 'd.c', 'e.c'];

beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), 'provest-each-'));
  for (const name of names) writeFileSync(join(cwd, name), `void f_${name[0]!}(void) {}\n`);
  writeFileSync(join(cwd, 'wrong.txt'), 'int @;\n');
});
afterAll(() => rmSync(cwd, { recursive: true }));

const run = (line: string, backend: Partial<Backend> = {}) => runWith(line.split(' '), cwd, () => backend);

/** A backend whose proofs end one after the other, each when all that may begin has begun. */
function slow(): { readonly backend: Partial<Backend>; readonly most: () => number } {
  let [active, most] = [0, 0];
  return {
    backend: {
      verify: async () => {
        most = Math.max(most, ++active);
        await new Promise((resolve) => setImmediate(resolve));
        active--;
        return proved;
      },
    },
    most: () => most,
  };
}

test('every file is a task of its own, in order', async () => {
  const { tasks, code } = await run('verify *.c --each --jobs 1');
  expect(tasks.map(({ files }) => files.map((file) => basename(file)))).toEqual(names.map((name) => [name]));
  expect(code).toBe(0);
});

test('without --each files are linked together', async () => {
  const { tasks } = await run('verify a.c b.c');
  expect(tasks.map(({ files }) => files.length)).toEqual([2]);
});

test.each([1, 2, 5, 9])('with --jobs %i at most so many are proved at a time', async (jobs) => {
  const { backend, most } = slow();
  await run(`verify *.c --each --jobs ${jobs}`, backend);
  expect(most()).toBe(Math.min(jobs, names.length));
});

test('proofs have no rival, which would depend on the number of jobs', async () => {
  const alone: (boolean | undefined)[] = [];
  await run('verify a.c b.c --each --jobs 2', {
    verify: async (_, options) => {
      alone.push(options.alone);
      return proved;
    },
  });
  expect(alone).toEqual([true, true]);
});

test('the exit code is the worst, and files that cannot be read keep no other from its verdict', async () => {
  writeFileSync(join(cwd, 'f.c'), 'int @;\n');
  try {
    const { code, out, err } = await run('verify *.c --each --jobs 2', {
      verify: async ({ files }) => (files[0]!.endsWith('b.c') ? bug : proved),
    });
    expect(code).toBe(3);
    expect(err).toMatch(/f\.c:.*unexpected '@'/);
    expect(out.match(/proved/g)!.length).toBeGreaterThanOrEqual(4);
  } finally {
    rmSync(join(cwd, 'f.c'));
  }
});

test('the output is the same for every number of jobs, but for its order', async () => {
  const verdicts = everyVerdict.slice(0, names.length);
  const lines = async (jobs: number) => {
    const { out } = await run(`verify *.c --each --json --jobs ${jobs}`, {
      verify: async ({ files }) => verdicts[names.indexOf(basename(files[0]!)) % verdicts.length]!,
    });
    return out.trimEnd().split('\n').sort();
  };
  expect(await lines(3)).toEqual(await lines(1));
});

test.each([
  ['verify a.c b.c --jobs none', /'none' is no number of jobs/],
  ['verify a.c --each --jobs none', /'none' is no number of jobs/],
  ['verify a.c b.c --each --html report.html', /--html is for one proof, and there are 2 files/],
  ['verify none/*.c --each', /no file matches none/],
])('%s is refused', async (line, message) => {
  const { code, err, tasks } = await run(line);
  expect({ code, tasks }).toEqual({ code: 3, tasks: [] });
  expect(err).toMatch(message);
});

test('cores are for the solvers of one proof, or for files', async () => {
  const jobsOf = async (line: string): Promise<unknown> => (await run(line)).tasks.map(({ jobs }) => jobs);
  expect(await jobsOf('verify a.c --jobs 3')).toEqual([3]);
  expect(await jobsOf('verify a.c')).toEqual([undefined]);
  expect(await jobsOf('verify a.c b.c --each --jobs 2')).toEqual([1, 1]);
});
