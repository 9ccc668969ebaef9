/**
 * Table 1 of SYNERGY (FSE 2006) on programs of our own after its patterns: iterations and seconds per engine, beside
 * the paper's iterations.
 *
 *   node scripts/run-ts.js bench/table1.ts [--engines synergy,lee-yannakakis,dart,slam] [--only t03] [--cutpoints
 *   default|statements] [--generalize learned] [--iterations 60] [--seconds 30]
 *
 * A star stands for no answer within the iterations: the partition grew on and on. Where the clock or the solver ended
 * it before, which says nothing, there is a question mark. Ends with 1 when an answer is wrong.
 */
import { parseArgs } from 'node:util';
import { refiningEngines } from '../src/engines/refinement/refine';
import { generalisations } from '../src/engines/refinement/generalise';
import { withBothEncodings, createHornSolver, createSolver } from '../src/solver';
import { measure, table1Programs } from './table1/run';

const { values } = parseArgs({
  options: {
    engines: { type: 'string', default: refiningEngines.join(',') },
    only: { type: 'string', default: '' },
    cutpoints: { type: 'string', default: 'default' },
    generalize: { type: 'string', default: 'learned' },
    iterations: { type: 'string', default: '60' },
    seconds: { type: 'string', default: '30' },
  },
});
const engines = refiningEngines.filter((name) => values.engines.split(',').includes(name));
const generalize = generalisations.find((name) => name === values.generalize) ?? 'learned';
const cutpoints = values.cutpoints === 'statements' ? 'statements' : 'default';

async function main(): Promise<void> {
  let wrong = 0;
  console.log(
    `| program | expected | ${engines.map((name) => `${name}: iterations / s`).join(' | ')} | paper: Synergy / ` +
      'SLAM / Lee-Yannakakis |',
  );
  console.log(`|---|---|${engines.map(() => '---|').join('')}---|`);
  for (const program of table1Programs.filter(({ name }) => name.startsWith(values.only))) {
    const cells: string[] = [];
    for (const engine of engines) {
      const solver = withBothEncodings(createSolver({ seed: 1 }));
      const horn = createHornSolver();
      // The solver's start is not the engine's time.
      await solver.name;
      try {
        const { verdict, iterations, seconds, result } = await measure(program, engine, solver, {
          cutpoints,
          generalize,
          horn,
          iterations: Number(values.iterations),
          milliseconds: Number(values.seconds) * 1000,
        });
        if (verdict !== 'unknown' && verdict !== program.expect) {
          wrong++;
          console.error(`${program.name}: ${engine} says ${verdict}`);
        }
        const diverges = result.kind === 'unknown' && result.reason.cause === 'state-explosion';
        cells.push(
          verdict === 'unknown'
            ? `${diverges ? '*' : '?'} (${iterations} / ${seconds.toFixed(1)})`
            : `${iterations} / ${seconds.toFixed(1)}`,
        );
      } finally {
        await Promise.all([solver.close(), horn.close()]);
      }
    }
    const { synergy, slam, leeYannakakis } = program.paper;
    console.log(
      `| ${program.name} | ${program.expect} | ${cells.join(' | ')} | ${synergy} / ${slam ?? '*'} / ` +
        `${leeYannakakis ?? '*'} |`,
    );
  }
  process.exitCode = wrong > 0 ? 1 : 0;
}

void main();
