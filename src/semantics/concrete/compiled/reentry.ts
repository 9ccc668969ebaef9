/**
 * The graph of nodes that code is emitted for. A function is emitted twice: once to be called, where nodes are its
 * blocks, and once to be put in the middle of, at any loop head or wherever the reference machine gives back control.
 *
 * To keep the second one reducible, control goes into a loop only through its head: the beginning dispatches to the
 * outermost loop around the place, whose head dispatches further. A head whose loop holds no other place needs no
 * dispatch, so that inner loops cost nothing.
 */
import type { Location } from '../../../program/program';
import { successors, type BlockGraph } from './blocks';
import { dominance, naturalLoops, type Dominance } from './controlFlow';

export type FlowNode =
  | { readonly kind: 'block'; readonly block: number }
  /**
   * Goes by the place that is wanted: a location's index, or -1 when it was reached. `other` is where control goes
   * then.
   */
  | {
      readonly kind: 'dispatch';
      readonly arms: readonly { readonly location: number; readonly to: number }[];
      readonly other: number | undefined;
    }
  /** The wanted place is reached. */
  | { readonly kind: 'arrival'; readonly to: number };

export interface EmissionGraph {
  readonly entry: number;
  readonly nodes: readonly FlowNode[];
  readonly flow: Dominance;
}

/** Places where the second form can be entered. */
export function reentryPoints(graph: BlockGraph): Location[] {
  const points = new Set<Location>([graph.fn.entry]);
  for (const block of graph.blocks) {
    if (block.first.isLoopHead) points.add(block.first);
    if (block.ending.kind === 'handover' && block.ending.to) points.add(block.ending.to);
  }
  return [...points];
}

/** Control flow as it is when commands that are handed over lead on. */
function wholeFlow(graph: BlockGraph): Dominance {
  const index = (location: Location): number => graph.blockAt.get(location)!.index;
  return dominance({
    entry: index(graph.fn.entry),
    successors: graph.blocks.map((block) =>
      block.ending.kind === 'handover' && block.ending.to ? [index(block.ending.to)] : successors(block).map(index),
    ),
  });
}

/** The blocks of each loop, by the index of its head; undefined when control flow is irreducible. */
export function loopsOf(graph: BlockGraph): Map<number, Set<number>> | undefined {
  const flow = wholeFlow(graph);
  return flow.isReducible ? naturalLoops(flow) : undefined;
}

/** Undefined when its control flow is irreducible. */
export function calledGraph(graph: BlockGraph): EmissionGraph | undefined {
  const next = graph.blocks.map((block) => successors(block).map((location) => graph.blockAt.get(location)!.index));
  const entry = graph.blockAt.get(graph.fn.entry)!.index;
  const flow = dominance({ entry, successors: next });
  return flow.isReducible
    ? { entry, nodes: graph.blocks.map((_, block) => ({ kind: 'block', block })), flow }
    : undefined;
}

export function reentrantGraph(graph: BlockGraph, points: readonly Location[]): EmissionGraph | undefined {
  const index = (location: Location): number => graph.blockAt.get(location)!.index;
  const whole = wholeFlow(graph);
  if (!whole.isReducible) return undefined;
  const loops = naturalLoops(whole);
  const headsAround = (block: number): number[] =>
    [...loops]
      .filter(([head, body]) => head !== block && body.has(block))
      .map(([head]) => head)
      .sort((a, b) => whole.position[a]! - whole.position[b]!);

  const nodes: FlowNode[] = graph.blocks.map((_, block) => ({ kind: 'block', block }));
  const next: number[][] = graph.blocks.map((block) => successors(block).map(index));
  const add = (node: FlowNode, to: number[]): number => {
    nodes.push(node);
    next.push(to);
    return nodes.length - 1;
  };
  interface Dispatcher {
    readonly node: number;
    readonly arms: { location: number; to: number }[];
  }
  const makeDispatcher = (other: number | undefined): Dispatcher => {
    const arms: Dispatcher['arms'] = [];
    return { node: add({ kind: 'dispatch', arms, other }, other === undefined ? [] : [other]), arms };
  };
  const begin = makeDispatcher(undefined);
  const dispatchers = new Map<number, Dispatcher>();
  const routes = points.map((location) => ({ location, block: index(location), around: headsAround(index(location)) }));
  for (const { around } of routes)
    for (const head of around) if (!dispatchers.has(head)) dispatchers.set(head, makeDispatcher(head));
  for (const { location, block, around } of routes) {
    let from = begin;
    const step = (to: number) => {
      from.arms.push({ location: location.index, to });
      if (!next[from.node]!.includes(to)) next[from.node]!.push(to);
    };
    for (const head of around) {
      const dispatcher = dispatchers.get(head)!;
      step(dispatcher.node);
      from = dispatcher;
    }
    const own = dispatchers.get(block);
    if (own) {
      step(own.node);
      from = own;
    }
    step(add({ kind: 'arrival', to: block }, [block]));
  }
  // Edges to a head with a dispatcher go to the dispatcher, except from there.
  for (let node = 0; node < graph.blocks.length; node++)
    next[node] = next[node]!.map((to) => dispatchers.get(to)?.node ?? to);
  const flow = dominance({ entry: begin.node, successors: next });
  return flow.isReducible ? { entry: begin.node, nodes, flow } : undefined;
}

/** The node that stands for a block as the target of other blocks. */
export function targetNode(graph: EmissionGraph, block: number): number {
  const dispatcher = graph.nodes.findIndex((node) => node.kind === 'dispatch' && node.other === block);
  return dispatcher === -1 ? block : dispatcher;
}
