/**
 * Many modules through the queue while workers are killed: every verdict must be that of a local run, once (run
 * `npm run build` and `node scripts/install-runners.js` first).
 *
 *   node scripts/run-ts.js bench/queueSoak.ts [--modules 24] [--workers 3] [--minutes 0] [--kill-every 15]
 *   [--budget 30]
 *
 * The long form is `--modules 300 --minutes 10 --kill-every 60`: the same modules are sent again until the time is
 * over, each time without what is remembered. Every `--kill-every` seconds the worker that is alive longest is killed
 * by SIGKILL, and another one started. Skipped, loudly, without Redis or BullMQ. Ends with 1 when a verdict differs, is
 * missing or comes twice.
 */
import { execFile, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runnerFolder } from '../scripts/install-runners';

const { values } = parseArgs({
  options: {
    modules: { type: 'string', default: '24' },
    workers: { type: 'string', default: '3' },
    minutes: { type: 'string', default: '0' },
    'kill-every': { type: 'string', default: '15' },
    budget: { type: 'string', default: '30' },
  },
});
const main = join(__dirname, '..', 'dist', 'src', 'cli', 'main.js');

/** Small modules of several kinds, each with its own numbers. Those with a bug have it in every third. */
const kinds: readonly ((n: number, wrong: boolean) => string)[] = [
  (n, wrong) =>
    `#include <assert.h>\nstatic int left = ${n};\nint take(void) { if (left ${wrong ? '>=' : '>'} 0) left--; ` +
    'assert(left >= 0); return left; }\n',
  (n, wrong) =>
    `static int table[${n}];\nint get(int i) { if (i < 0 || i ${wrong ? '>' : '>='} ${n}) return 0; ` +
    `return table[i]; }\n` +
    `void put(int i, int x) { if (i >= 0 && i < ${n}) table[i] = x; }\n`,
  (n, wrong) =>
    `#include <assert.h>\nint main(void) { unsigned i = 0, s = 0; while (i < ${1000 * n}u) { i++; s += 2; } ` +
    `assert(s == 2 * i${wrong ? ' + 1' : ''}); return 0; }\n`,
  (n, wrong) => `int share(int a, int b) { ${wrong ? '' : 'if (b == 0) return 0; '}return (a & ${n}) / b; }\n`,
];

interface Answer {
  readonly file: string;
  readonly verdict: string;
}

function verify(cwd: string, args: readonly string[]): Promise<readonly Answer[]> {
  return new Promise((done, failed) => {
    execFile(
      process.execPath,
      [main, 'verify', '*.c', ...args, '--budget', `${values.budget}s`, '--no-cache', '--json'],
      { cwd, maxBuffer: 1 << 30 },
      (error, stdout, stderr) => {
        if (error && ![1, 2].includes(Number(error.code))) return failed(new Error(stderr || String(error)));
        done(
          stdout
            .trim()
            .split('\n')
            .map((line) => {
              const { files, verdict } = JSON.parse(line) as { files: readonly string[]; verdict: string };
              return { file: files[0]!, verdict };
            })
            .sort((a, b) => (a.file < b.file ? -1 : 1)),
        );
      },
    );
  });
}

/** Workers, one of which dies now and then. */
class Workers {
  private readonly alive: ChildProcess[] = [];
  private readonly timer: NodeJS.Timeout;
  killed = 0;

  constructor(
    private readonly cwd: string,
    private readonly url: string,
  ) {
    for (let i = 0; i < Number(values.workers); i++) this.start();
    this.timer = setInterval(() => this.replaceOne(), 1000 * Number(values['kill-every']));
  }

  end(): void {
    clearInterval(this.timer);
    for (const worker of this.alive) worker.kill('SIGKILL');
  }

  private start(): void {
    this.alive.push(spawn(process.execPath, [main, 'worker', '--queue', this.url], { cwd: this.cwd, stdio: 'ignore' }));
  }

  private replaceOne(): void {
    this.alive.shift()!.kill('SIGKILL');
    this.killed++;
    this.start();
  }
}

/** Lines of what is wrong with the answers. */
function differences(expected: readonly Answer[], answers: readonly Answer[]): readonly string[] {
  const wrong: string[] = [];
  for (const { file, verdict } of expected) {
    const own = answers.filter((answer) => answer.file === file).map((answer) => answer.verdict);
    if (own.length !== 1 || own[0] !== verdict) wrong.push(`${file}: ${own.join(', ') || 'no answer'}, not ${verdict}`);
  }
  return wrong;
}

const freePort = (): Promise<number> =>
  new Promise((done) => {
    const socket = createServer().listen(0, '127.0.0.1', () => {
      const { port } = socket.address() as AddressInfo;
      socket.close(() => done(port));
    });
  });

const count = (answers: readonly Answer[]): string =>
  [...new Set(answers.map(({ verdict }) => verdict))]
    .sort()
    .map((kind) => `${kind} ${answers.filter(({ verdict }) => verdict === kind).length}`)
    .join(', ');

async function soak(server: string, libraries: string): Promise<number> {
  const cwd = mkdtempSync(join(tmpdir(), 'provest-soak-'));
  symlinkSync(join(libraries, 'node_modules'), join(cwd, 'node_modules'));
  for (let i = 0; i < Number(values.modules); i++)
    writeFileSync(
      join(cwd, `module${String(i).padStart(3, '0')}.c`),
      kinds[i % kinds.length]!(3 + Math.floor(i / kinds.length), i % 3 === 0),
    );
  let began = Date.now();
  const expected = await verify(cwd, ['--each']);
  console.log(`local: ${count(expected)}, in ${((Date.now() - began) / 1000).toFixed(0)} s`);
  const port = await freePort();
  const redis = spawn(server, ['--port', String(port), '--save', '', '--appendonly', 'no'], { stdio: 'ignore' });
  const url = `redis://127.0.0.1:${port}`;
  const workers = new Workers(cwd, url);
  const wrong: string[] = [];
  began = Date.now();
  let rounds = 0;
  let answers = 0;
  try {
    do {
      const answered = await verify(cwd, ['--queue', url]);
      rounds++;
      answers += answered.length;
      wrong.push(...differences(expected, answered));
    } while (Date.now() - began < 60_000 * Number(values.minutes));
  } finally {
    workers.end();
    redis.kill('SIGKILL');
    rmSync(cwd, { recursive: true, force: true });
  }
  for (const line of wrong) console.log(`!! ${line}`);
  console.log(
    `queue: ${rounds} rounds, ${answers} verdicts, ${wrong.length} different, ${workers.killed} workers killed, ` +
      `${((Date.now() - began) / 1000).toFixed(0)} s`,
  );
  return wrong.length > 0 ? 1 : 0;
}

const server = ['redis-server', 'valkey-server'].find((name) => spawnSync(name, ['--version']).status === 0);
const libraries = [process.env['PROVEST_QUEUE_LIBRARIES'] ?? '', runnerFolder('queue')].find((folder) =>
  existsSync(join(folder, 'node_modules', 'bullmq')),
);
if (server === undefined || libraries === undefined)
  console.log(`!! SKIPPED: no ${server === undefined ? 'Redis or Valkey' : 'BullMQ'}: the queue was NOT soaked`);
else
  void soak(server, libraries).then((code) => {
    process.exitCode = code;
  });
