/**
 * Engines that race: the first proof or bug counts, nothing of the other stays, and without an idle core there is
 * one engine.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { verdictWithoutProof } from '../../src/prover/prove';
import { race, type RaceOptions } from '../../src/prover/race';
import type { Task } from '../../src/task';
import type { Verdict } from '../../src/verdict';
import { stillRunning } from './running';

const task: Task = {
  files: ['/nowhere/m.c'],
  load: {},
  mode: 'program',
  probes: [],
  runs: [],
  properties: ['reach'],
  engine: 'auto',
  seed: 1,
  budget: { milliseconds: 20_000 },
};
const answer = (kind: 'proved' | 'unknown', engine: string): Verdict =>
  kind === 'proved'
    ? {
        ...verdictWithoutProof({ ...task, engine }, { cause: 'not-run', message: '' }, Date.now()),
        kind,
        invariants: [],
      }
    : verdictWithoutProof({ ...task, engine }, { cause: 'time-budget', message: `said by ${engine}` }, Date.now());

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'provest-race-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let scripts = 0;
interface Entrant {
  readonly afterMs: number;
  readonly kind: 'proved' | 'unknown';
}
/** Each entrant writes its number of process to a file with the name of its engine, then answers as told. */
async function run(
  auto: Entrant,
  synergy: Entrant,
  options: RaceOptions = {},
  given: Partial<Task> = {},
  minimax: Entrant = { afterMs: slow, kind: 'unknown' },
): Promise<{ readonly verdict: Verdict; readonly entered: readonly string[]; readonly stayed: readonly string[] }> {
  const own = join(folder, String(scripts++));
  const script = `${own}.js`;
  const answers = {
    auto: [auto.afterMs, answer(auto.kind, 'auto')],
    synergy: [synergy.afterMs, answer(synergy.kind, 'synergy')],
    minimax: [minimax.afterMs, answer(minimax.kind, 'minimax')],
  };
  writeFileSync(
    script,
    `process.on('disconnect', () => process.exit());
    process.once('message', ({ task }) => {
      const about = { pid: process.pid, priority: require('os').getPriority(), task };
      require('fs').writeFileSync(${JSON.stringify(own)} + '.' + task.engine, JSON.stringify(about));
      process.send({ kind: 'started' });
      const [afterMs, verdict] = ${JSON.stringify(answers)}[task.engine];
      setTimeout(() => process.send({ kind: 'verdict', verdict }, () => process.disconnect()), afterMs);
    });`,
  );
  const verdict = await race({ ...task, ...given }, { script, headStartMs: 200, idleCores: () => 1, ...options });
  const entered = ['auto', 'synergy', 'minimax'].filter((engine) => existsSync(`${own}.${engine}`));
  const pids = entered.map((engine) => (JSON.parse(readFileSync(`${own}.${engine}`, 'utf8')) as { pid: number }).pid);
  const running = await stillRunning(pids);
  const stayed = entered.filter((_, i) => running.includes(pids[i]!));
  return { verdict, entered, stayed };
}
const slow = 15_000;

test('the rival is first: its proof counts, the favourite has ended, seconds are those of the whole race', async () => {
  const { verdict, entered, stayed } = await run({ afterMs: slow, kind: 'proved' }, { afterMs: 100, kind: 'proved' });
  expect(verdict).toMatchObject({ kind: 'proved', engine: 'synergy' });
  expect({ entered, stayed }).toEqual({ entered: ['auto', 'synergy'], stayed: [] });
  expect(verdict.statistics.seconds).toBeGreaterThan(0.25);
});

test('the favourite is first: the rival is gone', async () => {
  const { verdict, stayed } = await run({ afterMs: 1500, kind: 'proved' }, { afterMs: slow, kind: 'proved' });
  expect(verdict).toMatchObject({ kind: 'proved', engine: 'auto' });
  expect(stayed).toEqual([]);
});

test('rivals without an answer end no race, and are no answer', async () => {
  const none: Entrant = { afterMs: 50, kind: 'unknown' };
  const { verdict, entered } = await run({ afterMs: 2500, kind: 'unknown' }, none, {}, {}, none);
  expect(verdict).toMatchObject({ kind: 'unknown', reason: { message: 'said by auto' } });
  expect(entered).toEqual(['auto', 'synergy', 'minimax']);
});

test('where the first rival gives up the second begins, and its proof counts', async () => {
  const { verdict, entered, stayed } = await run(
    { afterMs: slow, kind: 'proved' },
    { afterMs: 50, kind: 'unknown' },
    {},
    {},
    { afterMs: 50, kind: 'proved' },
  );
  expect(verdict).toMatchObject({ kind: 'proved', engine: 'minimax' });
  expect({ entered, stayed }).toEqual({ entered: ['auto', 'synergy', 'minimax'], stayed: [] });
});

test('the rival has half of what is left of the budget, says whose question it answers, and gives way', async () => {
  await run({ afterMs: 1500, kind: 'proved' }, { afterMs: slow, kind: 'proved' });
  const entrant = (engine: string): { readonly task: Task; readonly priority: number } =>
    JSON.parse(readFileSync(join(folder, `${scripts - 1}.${engine}`), 'utf8')) as { task: Task; priority: number };
  const { task: handed } = entrant('synergy');
  expect(handed.asked).toBe('auto');
  // Beside who gives way to all already there is nothing to give.
  expect(entrant('synergy').priority).toBeGreaterThanOrEqual(
    Math.max(entrant('auto').priority, constants.priority.PRIORITY_BELOW_NORMAL),
  );
  expect(handed.budget.milliseconds).toBeLessThan(9_950);
  expect(handed.budget.milliseconds).toBeGreaterThan(7_500);
});

test.each<[string, RaceOptions, Partial<Task>]>([
  ['no core is idle', { idleCores: () => 0.5 }, {}],
  ['the favourite needs no more than its head start', { headStartMs: 5_000 }, {}],
  ['another engine is wanted', {}, { engine: 'synergy' }],
  ['the answer is to be the same on every machine', {}, { budget: { milliseconds: 20_000, resourcesPerQuery: 1000 } }],
  ['abstract states are wanted', {}, { adequacy: true }],
  ['there is to be no refinement', {}, { refinement: { escalate: false } }],
  ['there is hardly any time', {}, { budget: { milliseconds: 1900 } }],
])('one engine alone, where %s', async (_, options, given) => {
  const { entered } = await run({ afterMs: 700, kind: 'proved' }, { afterMs: 700, kind: 'proved' }, options, given);
  expect(entered).toHaveLength(1);
});

test('an interruption reaches both', async () => {
  const abort = new AbortController();
  setTimeout(() => abort.abort(), 1000);
  const { verdict, stayed } = await run(
    { afterMs: slow, kind: 'proved' },
    { afterMs: slow, kind: 'proved' },
    { signal: abort.signal, graceMs: 200 },
  );
  expect(verdict).toMatchObject({ kind: 'unknown', reason: { cause: 'interrupted' } });
  expect(stayed).toEqual([]);
});
