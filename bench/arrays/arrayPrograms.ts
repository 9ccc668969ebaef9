/**
 * Public programs with arrays, such as SV-COMP's `array-examples` (KT-09), from a folder of one's own: verdict,
 * processor seconds, and the stage of the portfolio that decided. A program's expected verdict is that of a JSON object
 * from names to `proved` or `bug`, or else of its name (`_true-unreach-call`, `_false-unreach-call`) or of the `.yml`
 * beside it. Nothing of any suite is part of this project. The target: 85 % right, 0 wrong; ends with 1 on a wrong one.
 *
 *   node scripts/run-ts.js bench/arrays/arrayPrograms.ts FOLDER... [--verdicts FILE] [--budget SECONDS] [--only TEXT]
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { timed } from './processorTime';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    verdicts: { type: 'string' },
    budget: { type: 'string', default: '30' },
    only: { type: 'string', default: '' },
  },
});
const main = join(__dirname, '../../dist/src/cli/main.js');
const given = (values.verdicts === undefined ? {} : JSON.parse(readFileSync(values.verdicts, 'utf8'))) as Readonly<
  Record<string, string>
>;

function expectedOf(path: string): 'proved' | 'bug' | undefined {
  const name = basename(path, '.c');
  const known = given[name];
  if (known === 'proved' || known === 'bug') return known;
  const inName = /_(true|false)-unreach-call/u.exec(name)?.[1];
  const beside = path.replace(/\.c$/u, '.yml');
  const inTask = existsSync(beside)
    ? /unreach-call[^]*?expected_verdict: (true|false)/u.exec(readFileSync(beside, 'utf8'))?.[1]
    : undefined;
  const truth = inName ?? inTask;
  return truth === undefined ? undefined : truth === 'true' ? 'proved' : 'bug';
}

interface Answer {
  readonly verdict: string;
  readonly statistics?: { readonly stages: readonly { readonly stage: string; readonly outcome: string }[] };
}

/** The last stage with a proof or a failing execution, and the one before it whose invariants a discharge used. */
function decidedBy({ statistics }: Answer): string {
  const stages = (statistics?.stages ?? []).filter(({ outcome }) => outcome !== 'skipped');
  const last = stages.findLastIndex(({ outcome }) => outcome === 'proof' || outcome === 'failing-execution');
  if (last === -1) return '';
  if (stages[last]!.stage !== 'discharge') return stages[last]!.stage;
  return stages.slice(0, last).findLast(({ outcome }) => outcome === 'learned')?.stage ?? 'discharge';
}

const programs = positionals.flatMap((folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.c') && name.includes(values.only))
    .sort()
    .map((name) => join(folder, name)),
);
let [right, wrong, judged] = [0, 0, 0];
console.log('| program | expected | verdict | processor s | decided by |\n|---|---|---|---:|---|');
for (const path of programs) {
  const expected = expectedOf(path);
  if (!expected) continue;
  const asked = `verify ${path} --entry main --externals any --property reach --no-race --no-cache --json`;
  const { stdout, seconds } = timed(['node', main, ...asked.split(' '), '--budget', `${values.budget}s`]);
  const answer = JSON.parse(stdout) as Answer;
  judged++;
  if (answer.verdict === expected) right++;
  else if (answer.verdict === 'proved' || answer.verdict === 'bug') wrong++;
  const name = basename(path, '.c');
  console.log(`| ${name} | ${expected} | ${answer.verdict} | ${seconds.toFixed(1)} | ${decidedBy(answer)} |`);
}
console.log(`\n${right} of ${judged} right (${Math.floor((100 * right) / Math.max(1, judged))} %), ${wrong} wrong`);
if (wrong > 0) process.exitCode = 1;
