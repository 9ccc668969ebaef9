/**
 * Structured control from a reducible graph, by its dominator tree (N. Ramsey, "Beyond Relooper: Recursive Translation of Unstructured Control
 * Flow to Structured Control Flow", ICFP 2022): a node's code stands inside the blocks that end at the merge nodes it dominates; loop
 * heads open a loop; other nodes stand where they are branched to.
 *
 * Along with control goes knowledge `K` of the state: it is handed on to nodes with one way in, and begins afresh at merges and loop heads.
 */
import type { Dominance } from './controlFlow';
import type { Code, Label } from './wasm';

/** Emits a node's code, which must end by calling `go` once on every way out, with its construct of control still open, or by leaving the function. */
export type NodeEmitter<K> = (node: number, known: K, go: (to: number, known: K) => void) => void;

export function emitStructured<K>(code: Code, entry: number, flow: Dominance, nothingKnown: () => K, emit: NodeEmitter<K>): void {
  const { position, predecessors, children, loopHeads } = flow;
  const labels = new Map<number, Label>();
  const isMerge = (node: number): boolean => {
    let forward = 0;
    for (const before of predecessors[node]!) if (position[before]! < position[node]!) forward++;
    return forward > 1;
  };
  const merges = new Set(flow.order.filter(isMerge));

  const tree = (node: number, known: K): void => {
    const inner = children[node]!.filter((child) => merges.has(child)).sort((a, b) => position[b]! - position[a]!);
    if (!loopHeads.has(node)) return within(node, inner, 0, known);
    const outer = labels.get(node);
    labels.set(node, code.loop());
    within(node, inner, 0, nothingKnown());
    code.end();
    if (outer !== undefined) labels.set(node, outer);
  };

  const within = (node: number, inner: readonly number[], next: number, known: K): void => {
    const follower = inner[next];
    if (follower === undefined) {
      emit(node, known, (to, further) => {
        if (position[to]! <= position[node]! || merges.has(to)) code.branch(labels.get(to)!);
        else tree(to, further);
      });
      return;
    }
    labels.set(follower, code.block());
    within(node, inner, next + 1, known);
    code.end();
    tree(follower, nothingKnown());
  };

  tree(entry, nothingKnown());
}
