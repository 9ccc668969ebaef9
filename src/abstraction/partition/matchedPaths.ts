/**
 * Paths of the abstract graph on which every return goes back to where its call came from: reachability over pairs
 * (region in which the activation began, region), as in Reps, Horwitz, Sagiv, "Precise Interprocedural Dataflow
 * Analysis via Graph Reachability", POPL 1995. A callee is explored once per region of its entry, however many callers
 * there are; the pairs of entry and exit are its may-summary. Recursion needs nothing more.
 */
import type { AbstractEdge, AbstractPath, Partition } from './partition';
import type { Region } from './region';

/** `context`: the region of the activation's entry, in functions that are called. */
export interface PathNode {
  readonly context: Region | undefined;
  readonly region: Region;
  readonly via: Via;
}

interface Entered {
  readonly from: PathNode;
  readonly edge: AbstractEdge;
}
type Via =
  | { readonly kind: 'start' }
  | ({ readonly kind: 'step' | 'enter' } & Entered)
  | { readonly kind: 'return'; readonly call: Entered; readonly exit: PathNode; readonly edge: AbstractEdge }
  /** `root`: how the client called; undefined where the context does not matter. */
  | {
      readonly kind: 'leave';
      readonly root: Entered | undefined;
      readonly exit: PathNode;
      readonly edge: AbstractEdge;
    };

type Avoid = (edge: AbstractEdge) => boolean;

const limits = {
  /** Nested calls can make a shortest path exponentially long; a longer one is not followed. */
  paths: 20_000,
  /** Pairs of a context and a region that a search for one path explores. */
  nodes: 20_000,
} as const;

/** A path from the start to the error. `too long`: there is one, too long to be followed. */
export function matchedErrorPath(
  partition: Partition,
  avoid: Avoid = () => false,
): AbstractPath | 'too long' | undefined {
  const exploration = new Exploration(partition, avoid);
  const error = exploration.until(partition.error, limits.nodes);
  if (error === 'too many') return 'too long';
  return error && exploration.pathTo(error);
}

/** Everything that such paths reach. */
export function reachableNodes(partition: Partition): readonly PathNode[] {
  const exploration = new Exploration(partition, () => false);
  exploration.until(undefined, Infinity);
  return exploration.nodes;
}

class Exploration {
  readonly nodes: PathNode[] = [];
  private readonly known = new Set<string>();
  private readonly callers = new Map<Region, Entered[]>();
  /** Calls by the client, or the program's start. */
  private readonly roots = new Map<Region, Entered[]>();
  private readonly exits = new Map<Region, PathNode[]>();

  constructor(
    private readonly partition: Partition,
    private readonly avoid: Avoid,
  ) {
    this.add(undefined, partition.start, { kind: 'start' });
  }

  until(target: Region | undefined, nodeLimit: number): PathNode | 'too many' | undefined {
    for (const node of this.nodes) {
      if (this.nodes.length > nodeLimit) return 'too many';
      if (node.region === target) return node;
      this.follow(node);
    }
    return undefined;
  }

  pathTo(node: PathNode): AbstractPath | 'too long' {
    const path: AbstractEdge[] = [];
    return this.write(node, undefined, path) ? path : 'too long';
  }

  private add(context: Region | undefined, region: Region, via: Via): void {
    const key = `${context?.id ?? ''}:${region.id}`;
    if (this.known.has(key)) return;
    this.known.add(key);
    this.nodes.push({ context, region, via });
  }

  private follow(node: PathNode): void {
    const { context, region } = node;
    for (const edge of this.partition.edgesFrom(region)) {
      if (edge.step.kind === 'return' || this.avoid(edge)) continue;
      const { to } = edge;
      switch (edge.step.kind) {
        case 'segment':
        case 'error':
        case 'resume':
          this.add(context, to, { kind: 'step', from: node, edge });
          break;
        // While an unknown function has control, the client has; what it does then ends with a step of its own.
        case 'hand-over':
        case 'elsewhere':
          this.add(undefined, to, { kind: 'step', from: node, edge });
          break;
        case 'start':
        case 'client':
        case 'call':
          this.enter({ from: node, edge });
          break;
        case 'leave':
          if (context === undefined) this.add(undefined, to, { kind: 'leave', root: undefined, exit: node, edge });
          else
            for (const root of this.roots.get(context) ?? [])
              this.add(root.from.context, to, { kind: 'leave', root, exit: node, edge });
      }
    }
    if (context === undefined || region.node.point?.kind !== 'exit') return;
    listAt(this.exits, context).push(node);
    for (const call of this.callers.get(context) ?? []) this.returnTo(call, node);
  }

  private enter(entered: Entered): void {
    const {
      from,
      edge: { to, step },
    } = entered;
    const tracked = to.node.point?.tracksContext === true;
    this.add(tracked ? to : undefined, to, { kind: 'enter', ...entered });
    if (!tracked) return;
    if (step.kind === 'call') {
      listAt(this.callers, to).push(entered);
      for (const exit of this.exits.get(to) ?? []) this.returnTo(entered, exit);
    } else {
      listAt(this.roots, to).push(entered);
      for (const exit of this.exits.get(to) ?? []) {
        for (const edge of this.partition.edgesFrom(exit.region)) {
          if (edge.step.kind === 'leave' && !this.avoid(edge))
            this.add(from.context, edge.to, { kind: 'leave', root: entered, exit, edge });
        }
      }
    }
  }

  private returnTo(call: Entered, exit: PathNode): void {
    const { region } = call.from;
    for (const step of region.node.leaving) {
      if (step.callee?.entry !== call.edge.to.node) continue;
      for (const to of this.partition.at(step.to)) {
        const edge: AbstractEdge = { from: region, step, to, over: { entry: call.edge.to, exit: exit.region } };
        if (this.partition.has(edge) && !this.avoid(edge))
          this.add(call.from.context, to, { kind: 'return', call, exit, edge });
      }
    }
  }

  /** Appends the path to a node; `within`: only from the entry of its activation. False when it becomes too long. */
  private write(node: PathNode, within: Region | undefined, path: AbstractEdge[]): boolean {
    const { via } = node;
    const push = (edge: AbstractEdge): boolean => path.push(edge) <= limits.paths;
    const entered = (how: Entered): boolean => this.write(how.from, undefined, path) && push(how.edge);
    switch (via.kind) {
      case 'start':
        return true;
      case 'enter':
        return within !== undefined || entered(via);
      case 'step':
        return this.write(via.from, within, path) && push(via.edge);
      case 'return':
        return (
          this.write(via.call.from, within, path) &&
          push(via.call.edge) &&
          this.write(via.exit, via.call.edge.to, path) &&
          push(via.edge)
        );
      case 'leave':
        return (
          (via.root === undefined
            ? this.write(via.exit, undefined, path)
            : entered(via.root) && this.write(via.exit, via.root.edge.to, path)) && push(via.edge)
        );
    }
  }
}

function listAt<K, V>(table: Map<K, V[]>, key: K): V[] {
  let list = table.get(key);
  if (!list) table.set(key, (list = []));
  return list;
}
