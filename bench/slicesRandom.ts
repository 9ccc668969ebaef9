/**
 * Slices of random programs, with and without calls, against all states that these reach: none hides a failure, each
 * kind is part of the next, and the checker refuses a proof of a slice from which a write was taken out that it keeps.
 * Prints how many of the safe programs have safe slices. What breaks a law ends with 1.
 *
 *   node scripts/run-ts.js bench/slicesRandom.ts [PROGRAMS=300] [SEED=1] [--attacks PROGRAMS]
 */
import fc from 'fast-check';
import { parseArgs } from 'node:util';
import { Budget } from '../src/budget';
import { Solvers } from '../src/engines/solvers';
import { sliceKinds } from '../src/reductions/slice/slice';
import { programWith } from '../test/engines/minimax/randomPrograms';
import { attacks, brokenLaw, judged } from '../test/reductions/randomSlices';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { attacks: { type: 'string', default: '0' } },
});

async function main(): Promise<void> {
  const [count = 300, seed = 1] = positionals.map(Number);
  const safe = new Map(sliceKinds.map((kind) => [kind, { slices: 0, kept: 0, commands: 0 }]));
  let [safePrograms, programs] = [0, 0];
  for (const calls of [false, true])
    for (const { text } of fc.sample(programWith({ calls }), { numRuns: count / 2, seed })) {
      const program = judged(text);
      const broken = brokenLaw(program);
      programs++;
      if (broken !== undefined) {
        console.log(`${broken}:\n${text}`);
        process.exitCode = 1;
      }
      if (program.fails) continue;
      safePrograms++;
      const most = program.slices.get('backward')!.one.functions.flatMap(({ edges }) => edges).length;
      for (const [kind, { one, fails }] of program.slices) {
        const row = safe.get(kind)!;
        if (!fails) row.slices++;
        row.kept += one.kept.size;
        row.commands += most;
      }
    }
  console.log(`${programs} programs, ${safePrograms} of them safe\n`);
  console.log('| slice | safe, of the safe programs | commands kept |\n|---|---:|---:|');
  const percent = (part: number, whole: number): string => `${Math.round((100 * part) / Math.max(1, whole))} %`;
  for (const [kind, { slices, kept, commands }] of safe)
    console.log(`| ${kind} | ${percent(slices, safePrograms)} | ${percent(kept, commands)} |`);
  await attackAll(Number(values.attacks), seed);
}

async function attackAll(count: number, seed: number): Promise<void> {
  const solvers = new Solvers(seed, Budget.start({ milliseconds: 36_000_000 }), {});
  const found = { refused: 0, accepted: 0, 'not proved': 0 };
  for (const { text } of fc.sample(programWith({ calls: false }), { numRuns: count, seed: seed + 1 }))
    for (const attack of await attacks(text, 'backward', solvers)) {
      found[attack]++;
      if (attack !== 'accepted') continue;
      console.log(`accepted, though a check fails:\n${text}`);
      process.exitCode = 1;
    }
  await solvers.close();
  if (count > 0) console.log(`\nwrites taken out: ${JSON.stringify(found)}`);
}

void main();
