/**
 * The search tree of minimax: nodes, restarts, questions and seconds, with and without what runs know.
 *
 *   node scripts/run-ts.js bench/minimax.ts FILE.c … [--entry foo] [--interpolants precondition,halves,subset,none]
 *   [--order feasible-first] [--cutpoints branches|statements] [--seconds 20] [--nodes 60000] [--samples]
 *   [--follow ROUNDS] [--decided ROUNDS] [--trace]
 */
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { printTerm } from '../src/abstraction/printing/printTerm';
import { TransitionGraph } from '../src/abstraction/transitionSystem/transitionGraph';
import { TransitionSystem } from '../src/abstraction/transitionSystem/transitionSystem';
import { Budget } from '../src/budget';
import { nothingKnown, type Knowledge } from '../src/engines/engine';
import { sampling } from '../src/engines/invariants/sampling';
import type { MinimaxEvent, MinimaxOptions } from '../src/engines/minimax/minimax';
import { searchTree } from '../src/engines/minimax/minimaxEngine';
import { discharge } from '../src/engines/minimax/treeProof';
import { silent } from '../src/engines/portfolio/verificationLog';
import { Problem } from '../src/engines/problem';
import type { TreeNode } from '../src/engines/minimax/searchTree';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    entry: { type: 'string', default: 'foo' },
    interpolants: { type: 'string', default: 'precondition' },
    order: { type: 'string', default: 'feasible-first' },
    cutpoints: { type: 'string', default: 'branches' },
    seconds: { type: 'string', default: '20' },
    nodes: { type: 'string', default: '60000' },
    samples: { type: 'boolean', default: false },
    follow: { type: 'string' },
    decided: { type: 'string' },
    trace: { type: 'boolean', default: false },
  },
});

async function measure(path: string, interpolants: MinimaxOptions['interpolants']): Promise<string> {
  const milliseconds = Number(values.seconds) * 1000;
  const budget = Budget.start({ milliseconds });
  const problem = new Problem(
    {
      files: [path],
      load: { externals: 'any', idioms: true },
      mode: 'program',
      entries: [values.entry],
      probes: [],
      runs: [],
      properties: ['reach'],
      engine: 'minimax',
      seed: 1,
      budget: { milliseconds },
    },
    budget,
    {},
  );
  try {
    await problem.solvers.exact.name;
    let known: Knowledge = nothingKnown;
    if (values.samples) {
      const sampled = await sampling.run(problem, known, budget, silent);
      if ('learned' in sampled) known = sampled.learned;
    }
    const system = new TransitionSystem(problem.program, {
      ...problem.systemOptions(),
      cutpoints: values.cutpoints === 'statements' ? 'statements' : 'branches',
    });
    const started = performance.now();
    const { result, statistics, closedTree } = await searchTree(new TransitionGraph(system), problem, known, budget, {
      interpolants,
      order: values.order as MinimaxOptions['order'],
      nodes: Number(values.nodes),
      ...(values.follow && { follow: () => Number(values.follow) }),
      ...(values.decided && { decidedRounds: () => Number(values.decided) }),
      ...(values.trace && { log: (event) => trace(event, system) }),
    });
    const seconds = (performance.now() - started) / 1000;
    let checked = '';
    if (closedTree) {
      const begin = performance.now();
      const answer = await discharge(closedTree, problem.program, problem.solvers.certifier, () => budget.finalQuery());
      checked =
        `, ${answer.kind}${'why' in answer ? ` (${answer.why})` : ''} in ` +
        `${((performance.now() - begin) / 1000).toFixed(1)} s`;
    }
    const said = result.kind === 'unknown' ? `unknown: ${result.reason.message}` : result.kind;
    return `${said}${checked}; ${seconds.toFixed(1)} s; ${Object.entries(statistics)
      .map(([name, count]) => `${name} ${count}`)
      .join(', ')}`;
  } finally {
    await problem.solvers.close();
  }
}

function trace(event: MinimaxEvent, system: TransitionSystem): void {
  const print = (node: TreeNode): string => {
    let depth = 0;
    for (let at = node.parent; at; at = at.parent) depth++;
    const { point } = node.place;
    const line = point && point.location.span.file.position(point.location.span.start).line;
    return `${' '.repeat(depth)}${node.id} @${line}/${point?.location.index}`;
  };
  const say = (terms: readonly { readonly term: Parameters<typeof printTerm>[0] }[]): string =>
    terms.map(({ term }) => printTerm(term, system.vocabulary)).join(', ');
  switch (event.kind) {
    case 'node':
      console.log(print(event.node));
      break;
    case 'infeasible':
      console.log(`${print(event.node)} infeasible: ${say([{ term: event.literal }])}`);
      break;
    case 'covered':
      console.log(`${print(event.node)} covered by ${event.by.id}: ${say(event.by.label!)}`);
      break;
    case 'closed':
      console.log(
        `${print(event.node)} closed by ${event.by.node!.id}, dropped ${say(event.dropped)}, kept ` +
          `${say(event.by.kept)}`,
      );
      break;
    case 'labelled':
      console.log(`${print(event.node)} label ${say(event.node.label!)}`);
      break;
    case 'restart':
      console.log(`restart at ${event.head.node!.id}: ${say(event.locked.map((term) => ({ term })))}`);
      break;
    case 'failing':
      console.log(`${print(event.node)} error ${event.isReal ? 'reached' : 'not reached'}`);
      break;
    case 'ended':
  }
}

async function main(): Promise<void> {
  for (const path of positionals)
    for (const interpolants of values.interpolants.split(',') as MinimaxOptions['interpolants'][])
      console.log(`${basename(path)} ${interpolants}: ${await measure(path, interpolants)}`);
}

void main();
