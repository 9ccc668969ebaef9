/**
 * Random programs with nested loops, with and without calls, against all states that they reach: `minimax` alone, with
 * each of its options in turn. An answer that contradicts the states, or a closed tree that the checker refuses, ends
 * with 1.
 *
 *   node scripts/run-ts.js bench/minimaxRandom.ts [PROGRAMS=20] [SEED=1] [--calls]
 */
import fc from 'fast-check';
import { Budget } from '../src/budget';
import { Solvers } from '../src/engines/solvers';
import { programWith, statesOf } from '../test/engines/minimax/randomPrograms';
import { searched, type TreeOptions } from '../test/engines/minimax/searched';

const variants: Readonly<Record<string, TreeOptions>> = {
  usual: {},
  'loops followed': { decidedRounds: () => 6 },
  'followed for 2 rounds': { follow: () => 2 },
  halves: { interpolants: 'halves' },
  subset: { interpolants: 'subset' },
  'infeasible-first': { order: 'infeasible-first' },
  'in text order': { order: 'text' },
  'no interpolants': { interpolants: 'none' },
  'equations whole': { equations: 'whole' },
};
const nodes = 400;

async function main(): Promise<void> {
  const calls = process.argv.includes('--calls');
  const [count = 20, seed = 1] = process.argv
    .slice(2)
    .filter((text) => text !== '--calls')
    .map(Number);
  const names = Object.keys(variants);
  const table = new Map(names.map((name) => [name, { right: 0, open: 0, wrong: 0 }]));
  const solvers = new Solvers(seed, Budget.start({ milliseconds: 36_000_000 }), {});
  for (const [i, { text, run }] of fc.sample(programWith({ calls }), { numRuns: count, seed }).entries()) {
    let fails = false;
    run(statesOf([[0, 1, 0]]), () => (fails = true));
    const name = names[i % names.length]!;
    const options = { nodes, ...variants[name]!, ...(calls && { calls: 'stacks' as const }) };
    const { answer } = await searched(text, options, solvers);
    const row = table.get(name)!;
    if (answer === 'unknown') row.open++;
    else if (answer === (fails ? 'fails' : 'certified')) row.right++;
    else {
      row.wrong++;
      console.log(`${name}: ${answer}, but it ${fails ? 'fails' : 'does not fail'}:\n${text}`);
      process.exitCode = 1;
    }
  }
  await solvers.close();
  console.log('| option | right | undecided | wrong |\n|---|---:|---:|---:|');
  for (const [name, { right, open, wrong }] of table) console.log(`| ${name} | ${right} | ${open} | ${wrong} |`);
}

void main();
