/**
 * Whatever happens to the proving process, there is a verdict, it is `unknown` (or `not evaluated`, where we failed)
 * unless the process gave one, and nothing stays behind.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { verdictWithoutProof, prove, type ProveOptions } from '../../src/prover/prove';
import type { Task } from '../../src/task';
import type { Verdict } from '../../src/verdict';
import { bug as aBug } from '../report/verdicts';
import { stillRunning } from './running';

const task: Task = {
  files: ['/nowhere/m.c'],
  load: {},
  mode: 'module',
  probes: [],
  runs: [],
  properties: ['reach'],
  engine: 'auto',
  seed: 1,
  budget: { milliseconds: 300 },
};
const proved: Verdict = {
  ...verdictWithoutProof(task, { cause: 'not-run', message: '' }, Date.now()),
  kind: 'proved',
  invariants: [],
};

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'provest-prove-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let scripts = 0;
function check(body: string, options: ProveOptions = {}): Promise<Verdict> {
  const script = join(folder, `child${scripts++}.js`);
  writeFileSync(script, `process.on('disconnect', () => process.exit());\n${body}`);
  return prove(task, { script, graceMs: 200, ...options });
}
const reason = (verdict: Verdict): string =>
  'reason' in verdict
    ? `${verdict.kind} ${verdict.reason.cause}: ` +
      `${verdict.reason.message}` +
      `${verdict.reason.place ? ` at ${verdict.reason.place.file}:${verdict.reason.place.line}` : ''}`
    : verdict.kind;
const send = (message: unknown): string => `process.send(${JSON.stringify(message)});`;

test('a verdict comes through, with bigints, progress and the trace of the engine', async () => {
  const progress: unknown[] = [];
  const lines: string[] = [];
  const verdict = await check(
    `process.once('message', ({ task, trace }) => {
    if (trace) ${send({ kind: 'trace', line: 'iteration 1' })}
    ${send({ kind: 'started' })} ${send({ kind: 'progress', progress: { phase: 'solving', done: 1, total: 2 } })}
    const verdict = { ...${JSON.stringify(proved)}, remarks: [task.files[0], 2n ** 70n] };
    process.send({ kind: 'verdict', verdict }, () => process.disconnect());
  });`,
    { onProgress: (p) => progress.push(p), onTrace: (line) => lines.push(line) },
  );
  expect(lines).toEqual(['iteration 1']);
  expect(verdict).toMatchObject({ kind: 'proved', remarks: ['/nowhere/m.c', 2n ** 70n] });
  expect(progress).toEqual([{ phase: 'solving', done: 1, total: 2 }]);
});

describe('a bug that was found before the prover', () => {
  const bug = { ...aBug, counterexample: { ...aBug.counterexample, steps: [] } };
  const found = `${send({ kind: 'started' })} ${send({ kind: 'found', verdict: bug })}`;

  test.each([
    ['went on and on', 'setTimeout(() => { for (;;); }, 50)', /budget of 0\.3 s was used up.*other checks/],
    ['was killed', "setTimeout(() => process.kill(process.pid, 'SIGKILL'), 50)", /ended by SIGKILL.*other checks/],
  ])('%s is told, with the remark that more may be to find', async (_, then, remark) => {
    const verdict = await check(`${found} ${then}`);
    expect(verdict).toMatchObject({ kind: 'bug', counterexample: bug.counterexample });
    expect(verdict.remarks.at(-1)).toMatch(remark);
  });

  test('gave its verdict is in that verdict', async () => {
    const verdict = await check(
      `${found} process.send(${JSON.stringify({ kind: 'verdict', verdict: proved })}, () => process.disconnect());`,
    );
    expect(verdict).toEqual(proved);
  });

  test('failed is not told, for then nothing it said counts', async () => {
    const verdict = await check(`${found} ${send({ kind: 'failure', message: 'TypeError: x' })}`);
    expect(verdict.kind).toBe('not-evaluated');
  });
});

test.each<[string, string, string, ProveOptions]>([
  [
    'exits',
    "console.error('out of luck'); process.exit(3)",
    'not-evaluated internal-error: provest itself failed, sorry: the prover ended with exit code 3 without a ' +
      'verdict:\nout of luck',
    {},
  ],
  [
    'exits well, but says nothing',
    'process.exit(0)',
    'not-evaluated internal-error: provest itself failed, sorry: the prover ended with exit code 0 without a verdict',
    {},
  ],
  [
    'is killed',
    "process.kill(process.pid, 'SIGKILL'); setInterval(() => {}, 1000)",
    'unknown solver-died: the prover was ended by SIGKILL without a verdict',
    {},
  ],
  [
    'never begins',
    'setInterval(() => {}, 1000)',
    'unknown time-budget: the prover did not begin within 0.3 s',
    { startMs: 300 },
  ],
  [
    'goes on and on, deaf to events',
    `${send({ kind: 'started' })} setTimeout(() => { for (;;); }, 50)`,
    'unknown time-budget: the budget of 0.3 s was used up and the prover was killed',
    {},
  ],
  [
    'goes on and on after it has come to something',
    `${send({ kind: 'started' })} ${send({
      kind: 'progress',
      progress: { phase: 'solving', done: 1, total: 2, place: { file: 'm.c', line: 3, column: 1 } },
    })} setTimeout(() => { for (;;); }, 50)`,
    'was used up and the prover was killed (looking for a proof, 1 of 2 obligations) at m.c:3',
    {},
  ],
  [
    'talks nonsense',
    `${send({ kind: 'verdict', verdict: { kind: 'proved' } })} setInterval(() => {}, 1000)`,
    'not-evaluated internal-error: provest itself failed, sorry: the prover sent a message that is no verdict',
    {},
  ],
  [
    'talks another language',
    `${send('proved')} setInterval(() => {}, 1000)`,
    'not-evaluated internal-error: provest itself failed, sorry: the prover sent a message that is no verdict',
    {},
  ],
  [
    'throws',
    `${send({ kind: 'failure', message: 'TypeError: x' })} setInterval(() => {}, 1000)`,
    'not-evaluated internal-error: provest itself failed, sorry: TypeError: x',
    {},
  ],
  [
    'aborts',
    `${send({ kind: 'started' })} process.abort()`,
    'unknown solver-died: the prover was ended by SIGABRT',
    {},
  ],
  [
    'runs out of memory',
    `${send({ kind: 'started' })} const all = []; for (;;) all.push(new Array(1e5).fill({}).map(() => ({})));`,
    'unknown solver-died: the prover ran out of memory: it needed more than 40 MB',
    { memoryMb: 40, graceMs: 60_000 },
  ],
])('a prover that %s', async (_, body, expected, options) => {
  expect(reason(await check(body, options))).toContain(expected);
});

test('a missing program', async () => {
  expect(reason(await prove(task, { script: join(folder, 'missing.js') }))).toMatch(
    /not-evaluated internal-error: .* ended with exit code 1[^]*Cannot find module/,
  );
});

test('what the prover started is gone with it', async () => {
  const pidFile = join(folder, 'pid');
  await check(`const waiting = ['-e', 'setInterval(() => {}, 1000)'];
    const child = require('child_process').spawn(process.execPath, waiting, { stdio: 'ignore' });
    require('fs').writeFileSync(${JSON.stringify(pidFile)}, String(child.pid));
    ${send({ kind: 'started' })} setInterval(() => {}, 1000);`);
  const pid = Number(readFileSync(pidFile, 'utf8'));
  expect(await stillRunning([pid])).toEqual([]);
});
