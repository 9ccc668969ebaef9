/**
 * A function's automaton as basic blocks, and how far each runs before fuel is looked at again.
 *
 * Fuel is counted in edges, as the reference machine counts steps, but paid per block when it begins. Code that leaves
 * a block early gets the rest back (`refund`). Fuel is tested at checkpoints only (entry, loop heads, after calls),
 * against the most that can be spent before the next one.
 */
import type { Command } from '../../../program/command';
import type { Edge, FunctionDefinition, Location } from '../../../program/program';

export type CallCommand = Extract<Command, { kind: 'call' }>;

export interface BasicBlock {
  readonly index: number;
  readonly first: Location;
  /** Straight-line edges. */
  readonly edges: readonly Edge[];
  /** Location of control after them. */
  readonly last: Location;
  readonly ending:
    | { readonly kind: 'goto'; readonly to: Location }
    | { readonly kind: 'branch'; readonly arms: readonly Edge[] }
    | { readonly kind: 'exit' }
    /** Uncompiled code follows: the reference machine runs it. `to`: where it may go on. */
    | { readonly kind: 'handover'; readonly to: Location | undefined };
  readonly isCheckpoint: boolean;
  /** Edges paid for at its beginning. */
  readonly cost: number;
}

export interface BlockGraph {
  readonly fn: FunctionDefinition;
  readonly blocks: readonly BasicBlock[];
  readonly blockAt: ReadonlyMap<Location, BasicBlock>;
  /** By block: the most that is spent from its beginning to the next checkpoint. */
  readonly need: readonly number[];
  /** By location index: what was paid for and is not yet done when control is there. */
  readonly refund: readonly number[];
}

/** `handsOver`: commands that are left to the reference machine. Watched locations begin blocks. */
export function blocksOf(
  fn: FunctionDefinition,
  handsOver: (edge: Edge) => boolean,
  isWatched: (location: Location) => boolean,
): BlockGraph {
  const incoming = new Map<Location, number>();
  const leaders = new Set<Location>([fn.entry, fn.exit]);
  const checkpoints = new Set<Location>([fn.entry]);
  for (const location of fn.locations) {
    if (isWatched(location)) leaders.add(location);
    if (location.isLoopHead) {
      leaders.add(location);
      checkpoints.add(location);
    }
    for (const edge of location.edges) {
      const seen = (incoming.get(edge.to) ?? 0) + 1;
      incoming.set(edge.to, seen);
      if (seen > 1 || location.edges.length > 1) leaders.add(edge.to);
      if (edge.command.kind === 'call') {
        leaders.add(edge.to);
        checkpoints.add(edge.to);
      } else if (location.edges.length === 1 && handsOver(edge)) {
        leaders.add(edge.to);
        checkpoints.add(edge.to);
      }
    }
  }
  const blocks: BasicBlock[] = [];
  const blockAt = new Map<Location, BasicBlock>();
  const refund: number[] = new Array<number>(fn.locations.length).fill(0);
  for (const first of fn.locations) {
    if (!leaders.has(first)) continue;
    const edges: Edge[] = [];
    let last = first;
    let ending: BasicBlock['ending'] | undefined;
    for (;;) {
      const [edge, ...others] = last.edges;
      if (last === fn.exit) ending = { kind: 'exit' };
      else if (!edge) ending = { kind: 'handover', to: undefined };
      else if (others.length > 0) ending = { kind: 'branch', arms: last.edges };
      else if (handsOver(edge)) ending = { kind: 'handover', to: edge.command.kind === 'halt' ? undefined : edge.to };
      if (ending) break;
      edges.push(edge!);
      last = edge!.to;
      if (leaders.has(last)) {
        ending = { kind: 'goto', to: last };
        break;
      }
    }
    const cost = edges.length + (ending!.kind === 'branch' ? 1 : 0);
    edges.forEach((edge, i) => {
      refund[edge.from.index] = cost - i;
    });
    if (ending!.kind !== 'goto') refund[last.index] = cost - edges.length;
    const block: BasicBlock = {
      index: blocks.length,
      first,
      edges,
      last,
      ending: ending!,
      isCheckpoint: checkpoints.has(first),
      cost,
    };
    blocks.push(block);
    blockAt.set(first, block);
  }
  return { fn, blocks, blockAt, need: needs(blocks, blockAt), refund };
}

export function successors(block: BasicBlock): readonly Location[] {
  switch (block.ending.kind) {
    case 'goto':
      return [block.ending.to];
    case 'branch':
      return block.ending.arms.map(({ to }) => to);
    case 'exit':
    case 'handover':
      return [];
  }
}

/**
 * Locations are in reverse post-order and every cycle passes a loop head, so one sweep from the last block suffices.
 */
function needs(blocks: readonly BasicBlock[], blockAt: ReadonlyMap<Location, BasicBlock>): number[] {
  const need = new Array<number>(blocks.length).fill(0);
  for (let i = blocks.length - 1; i >= 0; i--) {
    const block = blocks[i]!;
    // The exit takes no edge, but the reference machine wants to be allowed one there.
    let further = block.ending.kind === 'exit' ? 1 : 0;
    for (const location of successors(block)) {
      const next = blockAt.get(location)!;
      if (!next.isCheckpoint) further = Math.max(further, need[next.index]!);
    }
    need[i] = block.cost + further;
  }
  return need;
}
