/**
 * Proofs by workers at a queue. With Redis (or Valkey) and BullMQ, which scripts/install-runners.js installs, real
 * workers are started and killed; without them that part is skipped, loudly.
 */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runnerFolder } from '../../scripts/install-runners.js';
import { packageVersion } from '../../src/cli/version';
import { loadProgram } from '../../src/program';
import { cacheKeyOf } from '../../src/proofCache';
import { QueueClient, queueLibrary } from '../../src/queue';
import { queueName } from '../../src/queue/worker';
import { packTask, packVerdict, unpackTask, unpackVerdict } from '../../src/queue/packed';
import { filesMatching } from '../../src/cli/filePatterns';
import { commandLines, snippetsOf } from '../ux/pages';
import { Project } from '../ux/project';
import { runWith } from '../cli/fakes';
import { task } from '../engines/task';
import { proved } from '../report/verdicts';
import { besidePeer } from '../peer';

let cwd: string;
beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), 'provest-queue-'));
  mkdirSync(join(cwd, 'src', 'deep'), { recursive: true });
  writeFileSync(join(cwd, 'src', 'size.h'), '#define SIZE 4\n');
  const module = (bound: string): string =>
    `#include "size.h"\nstatic int a[SIZE]; static int n;\nvoid put(int x) { if (${bound}) a[n++] = x; }\n` +
    'int last(void) { return n > 0 ? a[n - 1] : 0; }\n';
  writeFileSync(join(cwd, 'src', 'right.c'), module('n < SIZE'));
  writeFileSync(join(cwd, 'src', 'wrong.c'), module('n <= SIZE'));
  writeFileSync(join(cwd, 'src', 'deep', 'small.c'), 'int f(int x) { return x > 0 ? x - 1 : x; }\n');
});
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

test('a task travels with its headers, and its verdict comes home with the paths of home', () => {
  const file = join(cwd, 'src', 'right.c');
  const sent = packTask(task(file, { probes: [] }), true, '1.0.0');
  const root = mkdtempSync(join(tmpdir(), 'provest-root-'));
  try {
    const { task: there, alone } = unpackTask(sent, root);
    expect(alone).toBe(true);
    expect(there.files).toEqual([join(root, file)]);
    expect(readFileSync(join(root, cwd, 'src', 'size.h'), 'utf8')).toBe('#define SIZE 4\n');
    const program = loadProgram(there.files, there.load);
    expect(program.functionByName.has('put')).toBe(true);
    // A proof that a worker keeps is one of the same question at home.
    const home = task(file);
    expect(cacheKeyOf(there, program, 'z3')).toEqual(cacheKeyOf(home, loadProgram(home.files, {}), 'z3'));
    const place = { file: join(root, file), line: 1, column: 1 };
    const verdict = { ...proved, invariants: [{ place, at: 'module' as const, formula: '1n' }] };
    const back = unpackVerdict(packVerdict(verdict, root, '1.0.0'), '1.0.0');
    expect(back).toMatchObject({ kind: 'proved', invariants: [{ place: { file } }] });
    expect(unpackVerdict(packVerdict(verdict, root, '0.9.0'), '1.0.0')).toBeUndefined();
  } finally {
    rmSync(root, { recursive: true });
  }
});

test.each([[undefined], ['text'], [{ version: '1.0.0', payload: 'bm8=' }], [{ version: '1.0.0', payload: 7 }]])(
  '%j is no verdict',
  (result) => expect(unpackVerdict(result, '1.0.0')).toBeUndefined(),
);

test.each([
  [['src/**/*.c'], ['src/deep/small.c', 'src/right.c', 'src/wrong.c']],
  [['src/*.c'], ['src/right.c', 'src/wrong.c']],
  [
    ['src/?????.c', 'src/right.c'],
    ['src/right.c', 'src/wrong.c'],
  ],
  [['**/small.*'], ['src/deep/small.c']],
  [['none/*.c'], []],
])('%j names %j', (patterns, files) => expect(filesMatching(patterns, cwd)).toEqual(files));

const runLine = (line: string) => runWith(line.split(' '), cwd);
test.each([
  ['verify src/none*.c --queue redis://localhost', /no file matches src\/none\*\.c/],
  ['verify src/*.c --queue redis://localhost --html out.html', /--html is for one proof, and there are 2 files/],
  ['worker', /a worker needs a queue/],
  ['worker --queue redis://localhost --jobs 0', /'0' is no number of jobs/],
])('%s is refused', async (line, message) => {
  const { code, err } = await runLine(line);
  expect({ code, err }).toEqual({ code: 3, err: expect.stringMatching(message) as string });
});

test('without the libraries the message says what to install', () => {
  const folder = mkdtempSync(join(tmpdir(), 'provest-none-'));
  try {
    expect(() => queueLibrary(folder)).toThrow(/needs the packages bullmq and ioredis, and \w+ is not installed/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

const server = ['redis-server', 'valkey-server'].find((name) => spawnSync(name, ['--version']).status === 0);
const libraries = [process.env['PROVEST_QUEUE_LIBRARIES'] ?? '', runnerFolder('queue')].find((folder) =>
  existsSync(join(folder, 'node_modules', 'bullmq')),
);
const main = join(__dirname, '..', '..', 'dist', 'src', 'cli', 'main.js');
const canRun = server !== undefined && libraries !== undefined && existsSync(main);
const missing =
  server === undefined
    ? 'redis-server and valkey-server are not installed'
    : libraries === undefined
      ? 'bullmq is not installed (node scripts/install-runners.js)'
      : 'dist is missing (npm run build)';

besidePeer(canRun, `${missing}: NO worker is started, and the queue is NOT tested`).describe('with Redis', () => {
  let redis: ChildProcess;
  let url: string;
  const workers = new Set<ChildProcess>();

  beforeAll(async () => {
    symlinkSync(join(libraries!, 'node_modules'), join(cwd, 'node_modules'));
    const port = await freePort();
    url = `redis://127.0.0.1:${port}`;
    redis = spawn(server!, ['--port', String(port), '--save', '', '--appendonly', 'no'], { stdio: 'ignore' });
    await until(async () => {
      const connection = await queueLibrary(cwd).connect(url);
      connection.disconnect();
    });
  }, 60_000);
  afterEach(() => {
    for (const worker of workers) worker.kill('SIGKILL');
    workers.clear();
  });
  afterAll(() => void redis.kill('SIGKILL'));

  function startWorker(args: readonly string[] = ['worker', '--queue', url]): {
    readonly process: ChildProcess;
    readonly said: () => string;
  } {
    const child = spawn(process.execPath, [main, ...args], {
      cwd,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    workers.add(child);
    let text = '';
    child.stderr!.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
    return { process: child, said: () => text };
  }

  function verify(...args: readonly string[]): Promise<{ readonly code: number | null; readonly verdicts: unknown[] }> {
    return new Promise((done) => {
      const child = spawn(process.execPath, [main, 'verify', ...args, '--budget', '60s', '--json'], { cwd });
      let out = '';
      child.stdout.on('data', (chunk: Buffer) => {
        out += chunk.toString();
      });
      child.on('close', (code) =>
        done({
          code,
          verdicts: out
            .trim()
            .split('\n')
            .map((line) => JSON.parse(line) as { files: string[]; verdict: string })
            .map(({ files, verdict }) => `${files[0]}: ${verdict}`)
            .sort(),
        }),
      );
    });
  }
  const expected = ['src/deep/small.c: proved', 'src/right.c: proved', 'src/wrong.c: bug'];

  test('every file has the verdict it has at home, once, although the first worker is killed at work', async () => {
    const asked = verify('src/**/*.c', '--queue', url);
    const first = startWorker();
    await until(() => {
      if (!first.said().includes('waits for tasks')) throw new Error(first.said());
    });
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    first.process.kill('SIGKILL');
    const second = startWorker();
    expect(await asked).toEqual({ code: 1, verdicts: expected });
    // Once, by whichever of the two was alive to answer.
    const answers = `${first.said()}${second.said()}`.split('\n').filter((line) => /: (?:proved|bug)$/.test(line));
    expect(answers).toHaveLength(3);
  }, 300_000);

  test('the commands of the reference do what it says', async () => {
    const { text } = snippetsOf('docs/reference/options.md').find((one) => one.text.includes('provest worker'))!;
    const [worker, verifier] = commandLines(text).map(({ args }) =>
      args.map((word) => word.replace('redis://build-1:6379', url)),
    );
    expect(worker).toContain(url);
    startWorker(worker);
    expect(await verify(...verifier!.slice(1))).toEqual({ code: 1, verdicts: expected });
  }, 300_000);

  test('tests send their proofs, with logs and stubs, and the verdicts are theirs', async () => {
    const project = new Project({
      'clock.c':
        'int now(void);\nstatic int last;\n' +
        'int lap(void) { int then = last; last = now() & 255; return last - then; }\n',
      'wrong.c': 'static int left = 3;\nint share(int k) { return k / left--; }\n',
      'clock.test.js': `const { loadC } = require('provest');
const clock = loadC('./clock.c', { stubs: { now: () => 7 } });
test('laps', () => expect(clock.lap()).toBe(7));
test('is verified', () => expect(clock).toBeVerified());\n`,
      'wrong.test.js': `const { loadC } = require('provest');
const wrong = loadC('./wrong.c');
test('shares', () => expect(wrong.share(6)).toBe(2));
test('is verified', () => expect(wrong).toBeVerified());\n`,
      'jest.config.js':
        `module.exports = { transform: {}, setupFilesAfterEnv: ['provest/jest'], reporters: ['default', ` +
        `['provest/reporter', { queue: '${url}' }]] };\n`,
    });
    try {
      for (const name of ['bullmq', 'ioredis'])
        symlinkSync(join(libraries!, 'node_modules', name), join(project.folder, 'node_modules', name));
      const worker = startWorker();
      const { status, stderr } = project.jest({ args: ['-w', '2'] });
      expect([status, stderr]).toEqual([1, expect.stringMatching(/✓ +clock\.c +proved[^]*✗ +wrong\.c +bug/)]);
      expect(stderr).toMatch(/wrong\.c: bug \(reproduced\): division by zero[^]*wrong\.share\(/);
      expect(stderr).not.toMatch(/provest-task-|did not exit/);
      await until(() => {
        for (const line of ['clock.c: proved', 'wrong.c: bug'])
          if (!worker.said().includes(join(project.folder, line))) throw new Error(worker.said());
      });
    } finally {
      project.remove();
    }
  }, 300_000);

  test('a worker that takes a task of another version refuses it', async () => {
    const library = queueLibrary(cwd);
    const connection = await library.connect(url);
    const listening = await library.connect(url);
    const name = queueName(packageVersion());
    const queue = new library.Queue(name, { connection });
    const events = new library.QueueEvents(name, { connection: listening });
    await events.waitUntilReady();
    startWorker();
    const job = await queue.add('verify', packTask(task(join(cwd, 'src', 'right.c')), true, '0.0.1'), { attempts: 1 });
    await expect(job.waitUntilFinished(events)).rejects.toThrow(/the task of 0\.0\.1/);
    await events.close();
    await queue.close();
    connection.disconnect();
    listening.disconnect();
  }, 120_000);

  test('an answer that is none of this version is not accepted', async () => {
    const library = queueLibrary(cwd);
    const connection = await library.connect(url);
    const poisoned = new library.Worker(queueName('9.9.9'), async () => ({ version: '9.9.8', payload: '' }), {
      connection,
      concurrency: 1,
      lockDuration: 15_000,
      stalledInterval: 5_000,
      maxStalledCount: 3,
    });
    const client = await QueueClient.connect(library, url, '9.9.9');
    const verdict = await client.verify(task(join(cwd, 'src', 'right.c')), {
      alone: true,
      signal: new AbortController().signal,
      progress: () => {},
    });
    expect(verdict).toMatchObject({ kind: 'not-evaluated', reason: { cause: 'internal-error' } });
    await client.close();
    await poisoned.close();
    connection.disconnect();
  }, 120_000);

  test('a missing server is reported at once', async () => {
    const port = await freePort();
    await expect(queueLibrary(cwd).connect(`redis://:secret@127.0.0.1:${port}`)).rejects.toThrow(
      `no Redis answers at redis://127.0.0.1:${port}`,
    );
    await expect(queueLibrary(cwd).connect('localhost:1')).rejects.toThrow(/no address of a Redis server/);
  }, 60_000);
});

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => resolve(port));
    });
  });
}

/** Tries until it does not throw. */
async function until(action: () => unknown): Promise<void> {
  for (let round = 0; ; round++) {
    try {
      await action();
      return;
    } catch (error) {
      if (round === 300) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}
