/** Searches a tree for a program and has the certificate's checker judge what was closed; for tests and `bench/`. */
import { printTerm } from '../../../src/abstraction/printing/printTerm';
import type { CutpointSelection } from '../../../src/abstraction/transitionSystem/cutpointSelection';
import { CallStackGraph } from '../../../src/abstraction/transitionSystem/callStackGraph';
import { TransitionGraph } from '../../../src/abstraction/transitionSystem/transitionGraph';
import { TransitionSystem } from '../../../src/abstraction/transitionSystem/transitionSystem';
import { Budget } from '../../../src/budget';
import { nothingKnown } from '../../../src/engines/engine';
import type { MinimaxEvent, MinimaxOptions } from '../../../src/engines/minimax/minimax';
import { searchTree } from '../../../src/engines/minimax/minimaxEngine';
import type { MinimaxStatistics } from '../../../src/engines/minimax/searchTree';
import { Problem } from '../../../src/engines/problem';
import type { Solvers } from '../../../src/engines/solvers';
import { discharge } from '../../../src/engines/minimax/treeProof';
import { isAlive } from '../../../src/engines/minimax/constraints';
import type { SearchTreeReport } from '../../../src/verdict';
import { file, task } from '../task';

/** Effort ends a search; the clock is far away. */
const milliseconds = 36_000_000;

export interface SearchedTree {
  /** `certified`: closed, and the checker agrees. */
  readonly answer: 'certified' | 'refused' | 'fails' | 'unknown';
  readonly statistics: MinimaxStatistics;
  readonly events: readonly MinimaxEvent[];
  readonly report: SearchTreeReport;
  /** Literals of the labels of nodes in a line of the program, as C. */
  readonly labelsIn: (line: number) => readonly (readonly string[])[];
  /** Predicates for other engines at the heads of loops, as C. */
  readonly explanations: readonly string[];
}

export type TreeOptions = Partial<MinimaxOptions> & {
  readonly cutpoints?: CutpointSelection;
  /** Unfolded, or part of segments and by summaries; default the latter. */
  readonly calls?: 'stacks';
};

/** `text` defines `foo`. Loops are closed at once; see `decidedRounds`. */
export async function searched(text: string, options: TreeOptions, solvers: Solvers): Promise<SearchedTree> {
  const { cutpoints = 'branches', calls, ...given } = options;
  const budget = Budget.start({ milliseconds });
  const asked = task(file(text), {
    mode: 'program',
    entries: ['foo'],
    properties: ['reach'],
    load: { externals: 'any', idioms: true },
    engine: 'minimax',
  });
  const problem = new Problem(asked, budget, { solvers });
  const system = new TransitionSystem(problem.program, { ...problem.systemOptions(), cutpoints });
  const stacked =
    calls === 'stacks' &&
    CallStackGraph.of(new TransitionSystem(problem.program, { ...system.options, inline: false }), 5000);
  const graph = stacked || new TransitionGraph(system);
  const events: MinimaxEvent[] = [];
  const { result, statistics, closedTree, report, ...found } = await searchTree(graph, problem, nothingKnown, budget, {
    decidedRounds: () => 0,
    nodes: 2000,
    log: (event) => events.push(event),
    ...given,
  });
  const explanations = [...found.explanations.values()].flatMap((terms) =>
    [...terms].map((term) => printTerm(term, system.vocabulary)),
  );
  const labelsIn = (line: number): readonly (readonly string[])[] =>
    events.flatMap((event) => {
      const point = event.kind === 'labelled' && event.node.place.point;
      if (!point || point.location.span.file.position(point.location.span.start).line !== line) return [];
      const needed = event.node.label!.filter(({ needs }) => isAlive(needs));
      return [needed.map(({ term }) => printTerm(term, system.vocabulary))];
    });
  if (result.kind !== 'closed') return { answer: result.kind, statistics, events, report, labelsIn, explanations };
  const { kind } = await discharge(closedTree!, problem.program, problem.solvers.certifier, () => budget.finalQuery());
  return { answer: kind === 'certified' ? 'certified' : 'refused', statistics, events, report, labelsIn, explanations };
}
