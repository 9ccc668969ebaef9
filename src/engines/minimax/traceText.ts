/**
 * A search in the notation of the paper, one line per event: places by number, primes for further visits of a place, a
 * vector with an annotation per constraint (n neutral, max kept for good, min dropped).
 */
import { NodeNames } from '../../abstraction/partition/traceText';
import type { GraphNode } from '../../abstraction/transitionSystem/transitionGraph';
import type { Term } from '../../logic/term';
import type { StateConstraint } from './constraints';
import { isHousekeeping, literalTexts, neededLiterals } from './literalText';
import type { MinimaxEvent } from './minimax';
import type { MinimaxStatistics, SearchGraph, TreeNode } from './searchTree';

const limits = {
  /** Deeper nodes are indented no further. */
  indentColumns: 40,
} as const;

export class TreeTrace {
  private readonly places: NodeNames;
  private readonly visits = new Map<GraphNode, number>();
  private readonly names = new Map<TreeNode, string>();

  constructor(
    private readonly graph: SearchGraph,
    private readonly print: (line: string) => void,
  ) {
    this.places = new NodeNames(graph.system, graph.nodes);
  }

  /** Prints an event; for `MinimaxOptions.log`. */
  add(event: MinimaxEvent): void {
    switch (event.kind) {
      case 'node':
        this.line(event.node, this.name(event.node));
        break;
      case 'ended':
        this.line(event.node, `${this.name(event.node)} no check follows`);
        break;
      case 'infeasible':
        this.line(event.node, `  <${this.places.of(event.step.to)}> infeasible: ${this.say([event.literal])}`);
        break;
      case 'covered':
        this.line(event.node, `${this.name(event.node)} covered by ${this.name(event.by)}: ${this.label(event.by)}`);
        break;
      case 'closed': {
        const dropped = event.dropped.map(({ term }) => term);
        const what = dropped.length === 0 ? 'nothing dropped' : `${this.say(dropped)} dropped`;
        const { constraints, node } = event.by;
        this.line(
          event.node,
          `${this.name(event.node)} closed by ${this.name(node!)}, ${what} ${this.vector(constraints)}`,
        );
        break;
      }
      case 'labelled':
        this.line(event.node, `${this.name(event.node)} label ${this.label(event.node)}`);
        break;
      case 'failing':
        this.line(event.node, `  <${this.places.of(event.step.to)}> ${event.isReal ? 'fails' : 'spurious'}`);
        break;
      case 'restart':
        this.line(event.head.node!, `restart at ${this.name(event.head.node!)}, locked: ${this.say(event.locked)}`);
        break;
    }
  }

  /** The last line. T: seconds of the search. */
  onEnd(answer: string, { nodes, infeasible, covered, closed, restarts }: MinimaxStatistics, seconds: number): void {
    this.print(
      `${answer}: S = ${nodes} nodes, ${infeasible} infeasible, ${covered} covered, ${closed} closed, ` +
        `${restarts} restart${restarts === 1 ? '' : 's'}; T = ${seconds.toFixed(2)} s`,
    );
  }

  private line(node: TreeNode, text: string): void {
    let depth = 0;
    for (let at = node.parent; at && depth < limits.indentColumns; at = at.parent) depth++;
    this.print(`${' '.repeat(depth)}${text}`);
  }

  private name(node: TreeNode): string {
    let name = this.names.get(node);
    if (name === undefined) {
      const visits = this.visits.get(node.place) ?? 0;
      this.visits.set(node.place, visits + 1);
      const primes = visits <= 3 ? "'".repeat(visits) : `'${visits}`;
      this.names.set(node, (name = `<${this.places.of(node.place)}${primes}>`));
    }
    return name;
  }

  private label({ label }: TreeNode): string {
    return this.say(neededLiterals(label));
  }

  private say(terms: readonly Term[]): string {
    const shown = literalTexts(terms, this.graph.system.vocabulary);
    return shown.length === 0 ? 'true' : shown.join(', ');
  }

  private vector(constraints: readonly StateConstraint[]): string {
    const shown = constraints.filter(({ term }) => !isHousekeeping(term, this.graph.system.vocabulary));
    return `[${shown.map(({ isMax, isKept }) => (isMax ? 'max' : isKept ? 'n' : 'min')).join(' ')}]`;
  }
}
