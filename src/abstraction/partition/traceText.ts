/**
 * Abstract traces in the notation of the SYNERGY paper: places by number, rounds of loops as powers, the frontier as a
 * bar: `(0, 1, 2, (3, 4, 2)^1000, 5 | 6, error)`.
 */
import type { Forest } from './forest';
import { prefix, type OrderedTrace } from './frontier';
import type { Partition } from './partition';
import type { GraphNode } from '../transitionSystem/transitionGraph';
import type { TransitionSystem } from '../transitionSystem/transitionSystem';

const limits = {
  /** Longest round that is looked for. */
  steps: 12,
} as const;

/** Numbers the cutpoints of each function from 0, in program order; with several functions, by name and number. */
export class NodeNames {
  private readonly names = new Map<GraphNode, string>();
  constructor(system: TransitionSystem, nodes: readonly GraphNode[]) {
    const counts = new Map<unknown, number>();
    for (const node of [...nodes].sort((a, b) => (a.point?.location.index ?? 0) - (b.point?.location.index ?? 0))) {
      const { point } = node;
      if (!point) {
        this.names.set(node, node.kind);
        continue;
      }
      const n = counts.get(point.fn) ?? 0;
      counts.set(point.fn, n + 1);
      this.names.set(
        node,
        point === system.client ? 'client' : system.functions.length > 1 ? `${point.fn.name}:${n}` : String(n),
      );
    }
  }
  of(node: GraphNode): string {
    return this.names.get(node)!;
  }
}

export function notation(trace: OrderedTrace, forest: Forest, partition: Partition, names: NodeNames): string {
  const before = rounds(prefix(trace, forest, partition).map(({ node }) => names.of(node)));
  const after = [trace.frontier, ...trace.rest].map(({ to }) => names.of(to.node));
  return `(${before.join(', ')}${before.length > 0 ? ' | ' : ''}${after.join(', ')})`;
}

/** Repeated blocks become powers. */
export function rounds(names: readonly string[]): string[] {
  const text: string[] = [];
  for (let i = 0; i < names.length;) {
    let [best, times] = [1, 1];
    for (let length = 1; length <= limits.steps && i + 2 * length <= names.length; length++) {
      let count = 1;
      while (sameBlock(names, i, i + count * length, length)) count++;
      if (count > 1 && count * length > best * times) [best, times] = [length, count];
    }
    // Rounds are shown as late as they can begin: the loop's head first, then what goes round.
    if (times > 1 && sameBlock(names, i + 1, i + 1 + best * (times - 1), best)) [best, times] = [1, 1];
    const block = names.slice(i, i + best).join(', ');
    text.push(times === 1 ? block : `${best === 1 ? block : `(${block})`}^${times}`);
    i += best * times;
  }
  return text;
}

function sameBlock(names: readonly string[], a: number, b: number, length: number): boolean {
  if (b + length > names.length) return false;
  for (let k = 0; k < length; k++) if (names[a + k] !== names[b + k]) return false;
  return true;
}
