/**
 * Control flow as a graph of numbered nodes: dominators (Cooper, Harvey, Kennedy, "A Simple, Fast Dominance Algorithm",
 * 2001), natural loops, and whether the graph is reducible, that is, whether each retreating edge goes to a node that
 * dominates its source.
 */

export interface FlowGraph {
  readonly entry: number;
  readonly successors: readonly (readonly number[])[];
}

export interface Dominance {
  /** Reachable nodes in reverse post-order. */
  readonly order: readonly number[];
  /** By node: its place in the order; -1 when unreachable. */
  readonly position: readonly number[];
  readonly predecessors: readonly (readonly number[])[];
  /** By node; the entry's is itself. */
  readonly immediate: readonly number[];
  /** By node: the nodes it dominates immediately. */
  readonly children: readonly (readonly number[])[];
  readonly isReducible: boolean;
  readonly loopHeads: ReadonlySet<number>;
}

export function dominance({ entry, successors }: FlowGraph): Dominance {
  const count = successors.length;
  const order = reversePostOrder(entry, successors);
  const position = new Array<number>(count).fill(-1);
  order.forEach((node, i) => {
    position[node] = i;
  });
  const predecessors: number[][] = successors.map(() => []);
  for (const node of order) for (const next of successors[node]!) predecessors[next]!.push(node);
  const immediate = new Array<number>(count).fill(-1);
  immediate[entry] = entry;
  const intersect = (a: number, b: number): number => {
    let [x, y] = [a, b];
    while (x !== y) {
      while (position[x]! > position[y]!) x = immediate[x]!;
      while (position[y]! > position[x]!) y = immediate[y]!;
    }
    return x;
  };
  for (let changed = true; changed;) {
    changed = false;
    for (const node of order) {
      if (node === entry) continue;
      let best = -1;
      for (const before of predecessors[node]!)
        if (immediate[before] !== -1) best = best === -1 ? before : intersect(before, best);
      if (immediate[node] !== best) {
        immediate[node] = best;
        changed = true;
      }
    }
  }
  const children: number[][] = successors.map(() => []);
  for (const node of order) if (node !== entry) children[immediate[node]!]!.push(node);
  const dominates = (a: number, b: number): boolean => {
    let node = b;
    while (position[node]! > position[a]!) node = immediate[node]!;
    return node === a;
  };
  const loopHeads = new Set<number>();
  let isReducible = true;
  for (const node of order) {
    for (const next of successors[node]!) {
      if (position[next]! > position[node]!) continue;
      loopHeads.add(next);
      if (!dominates(next, node)) isReducible = false;
    }
  }
  return { order, position, predecessors, immediate, children, isReducible, loopHeads };
}

/**
 * For each loop head its natural loop: the nodes from which a back edge to it is reached without passing it, and
 * itself.
 */
export function naturalLoops({ predecessors, position, loopHeads }: Dominance): Map<number, Set<number>> {
  const loops = new Map<number, Set<number>>();
  for (const head of loopHeads) {
    const body = new Set([head]);
    const work = predecessors[head]!.filter((node) => position[node]! >= position[head]!);
    while (work.length > 0) {
      const node = work.pop()!;
      if (body.has(node)) continue;
      body.add(node);
      work.push(...predecessors[node]!);
    }
    loops.set(head, body);
  }
  return loops;
}

function reversePostOrder(entry: number, successors: readonly (readonly number[])[]): number[] {
  const postOrder: number[] = [];
  const seen = new Set([entry]);
  const path = [{ node: entry, next: successors[entry]!.length }];
  while (path.length > 0) {
    const top = path[path.length - 1]!;
    if (top.next === 0) {
      postOrder.push(top.node);
      path.pop();
      continue;
    }
    const to = successors[top.node]![--top.next]!;
    if (seen.has(to)) continue;
    seen.add(to);
    path.push({ node: to, next: successors[to]!.length });
  }
  return postOrder.reverse();
}
