/**
 * Nodes of the search tree on the figures and other small programs: with each kind of interpolant, in the other order,
 * and without interpolants, which is plain symbolic execution. The words `more than` mark a search that gave up.
 *
 *   node scripts/run-ts.js bench/minimaxBaselines.ts [NODES=600] [PROGRAM, such as 'figure 3']
 */
import { Budget } from '../src/budget';
import { Solvers } from '../src/engines/solvers';
import { figures, others } from '../test/engines/minimax/acceptancePrograms';
import { counted } from '../test/engines/minimax/figures';
import { searched, type TreeOptions } from '../test/engines/minimax/searched';

const columns: Readonly<Record<string, TreeOptions>> = {
  preconditions: {},
  halves: { interpolants: 'halves' },
  subset: { interpolants: 'subset' },
  'infeasible-first': { order: 'infeasible-first' },
  none: { interpolants: 'none' },
};

async function main(): Promise<void> {
  const [nodes = '600', wanted = ''] = process.argv.slice(2);
  const programs = Object.entries({ ...figures, 'figure 3(b)': { text: counted }, ...others });
  const solvers = new Solvers(1, Budget.start({ milliseconds: 36_000_000 }), {});
  console.log(`| program | ${Object.keys(columns).join(' | ')} |\n|---|${'---:|'.repeat(Object.keys(columns).length)}`);
  for (const [name, { text }] of programs.filter(([title]) => title.includes(wanted))) {
    const cells: string[] = [];
    for (const options of Object.values(columns)) {
      const { answer, statistics } = await searched(
        text,
        { nodes: Number(nodes), calls: 'stacks', ...options },
        solvers,
      );
      if (answer === 'refused' || answer === 'fails') throw new Error(`${name}, which is safe: ${answer}`);
      const restarts = statistics.restarts > 0 ? ` (${statistics.restarts})` : '';
      cells.push(answer === 'unknown' ? `more than ${nodes}` : `${statistics.nodes}${restarts}`);
    }
    console.log(`| ${name} | ${cells.join(' | ')} |`);
  }
  await solvers.close();
}

void main();
