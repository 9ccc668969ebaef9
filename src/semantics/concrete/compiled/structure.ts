/**
 * Structured control from a reducible graph, by its dominator tree (N. Ramsey, "Beyond Relooper: Recursive Translation
 * of Unstructured Control Flow to Structured Control Flow", ICFP 2022): a node's code stands inside the blocks that end
 * at the merge nodes it dominates; loop heads open a loop; other nodes stand where they are branched to.
 *
 * Along with control goes knowledge `K` of the state. A node with one way in gets what was known at the end of the node
 * before it; a merge node or loop head what was known at the end of its immediate dominator and survives all nodes that
 * lie between.
 */
import type { Dominance } from './controlFlow';
import { NotCompiled } from './notCompiled';
import type { Code, BranchTarget } from './wasm';

/**
 * Nodes inside one another: each takes a few frames of the native stack, which must not run out. What follows a
 * construct is not inside it.
 */
const mostNested = 800;

/**
 * Emits a node's code, which must end by calling `go` once on every way out, with its construct of control still open,
 * or by leaving the function. `known` is for that way alone, `atBranch` for all of them, and is kept. `again`: the node
 * itself, if it is the head of a loop; to be branched to with nothing known.
 */
export type NodeEmitter<K> = (
  node: number,
  known: K,
  go: (to: number, known: K, atBranch: K) => void,
  again: BranchTarget | undefined,
) => void;

export interface KnowledgeDomain<K> {
  nothing(): K;
  /** A copy of what is known, without what the nodes may change. */
  surviving(known: K, nodes: ReadonlySet<number>): K;
}

export function emitStructured<K>(
  code: Code,
  entry: number,
  flow: Dominance,
  knowledge: KnowledgeDomain<K>,
  emit: NodeEmitter<K>,
): void {
  const { position, predecessors, children, loopHeads, immediate } = flow;
  /** By node: what was known when its own code was done. */
  const atEnd = new Map<number, K>();
  const between = (from: number, to: number): Set<number> => {
    const found = new Set<number>();
    const work = predecessors[to]!.filter((node) => node !== from && position[node] !== -1);
    while (work.length > 0) {
      const node = work.pop()!;
      if (found.has(node)) continue;
      found.add(node);
      for (const before of predecessors[node]!) if (before !== from) work.push(before);
    }
    return found;
  };
  const inherited = (node: number, known: K | undefined): K => {
    const from = immediate[node]!;
    const before = known ?? atEnd.get(from);
    return before === undefined || from === node
      ? knowledge.nothing()
      : knowledge.surviving(before, between(from, node));
  };
  const labels = new Map<number, BranchTarget>();
  const isMerge = (node: number): boolean => {
    let forward = 0;
    for (const before of predecessors[node]!) if (position[before]! < position[node]!) forward++;
    return forward > 1;
  };
  const merges = new Set(flow.order.filter(isMerge));

  let depth = 0;
  const tree = (root: number, atRoot: K): void => {
    if (++depth > mostNested) throw new NotCompiled('nested too deeply');
    for (let [node, known]: [number | undefined, K] = [root, atRoot]; node !== undefined;) {
      node = subtree(node, known);
      if (node !== undefined) known = atFollower(node);
    }
    depth--;
  };
  const atFollower = (follower: number): K =>
    loopHeads.has(follower) ? knowledge.nothing() : inherited(follower, undefined);
  /** Leaves the last of the merge nodes that follow to its caller, so that a long row of statements takes no stack. */
  const subtree = (node: number, known: K): number | undefined => {
    const followers = children[node]!.filter((child) => merges.has(child)).sort((a, b) => position[b]! - position[a]!);
    if (!loopHeads.has(node)) return within(node, followers, known);
    const outer = labels.get(node);
    labels.set(node, code.loop());
    const last = within(node, followers, inherited(node, merges.has(node) ? undefined : known));
    if (last !== undefined) tree(last, atFollower(last));
    code.end();
    if (outer !== undefined) labels.set(node, outer);
    return undefined;
  };

  /** A block for each follower around the node's own code, so that a branch out of a block leads to its follower. */
  const within = (node: number, followers: readonly number[], known: K): number | undefined => {
    for (const follower of followers) labels.set(follower, code.block());
    emit(
      node,
      known,
      (to, further, atBranch) => {
        if (!atEnd.has(node)) atEnd.set(node, atBranch);
        if (position[to]! <= position[node]! || merges.has(to)) code.branch(labels.get(to)!);
        else tree(to, further);
      },
      loopHeads.has(node) ? labels.get(node) : undefined,
    );
    for (let i = followers.length - 1; i > 0; i--) {
      code.end();
      tree(followers[i]!, atFollower(followers[i]!));
    }
    if (followers.length > 0) code.end();
    return followers[0];
  };

  tree(entry, knowledge.nothing());
}
