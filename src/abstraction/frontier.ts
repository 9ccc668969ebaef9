/**
 * Ordered abstract traces and their frontier (SYNERGY, section 3, step 3). A path to the error is rewritten so that its beginning is the branch of a
 * forest state: S_0 to S_k-1 all hold states of the forest, and none from S_k on does. The frontier is where tests stop and the abstraction goes on.
 */
import type { Forest, StateNumber } from './forest';
import type { AbstractEdge, AbstractPath, Partition } from './partition';
import type { Region } from './region';

export interface OrderedTrace {
  /** The state that ends the prefix; undefined when no state lies on the path (k is 0). */
  readonly state: StateNumber | undefined;
  /** From S_k-1, or the start, into S_k. */
  readonly frontier: AbstractEdge;
  /** What follows S_k. */
  readonly rest: AbstractPath;
  /** Regions before the frontier. */
  readonly k: number;
}

/** Which of the states in S_k-1 ends the prefix: the oldest (the paper's optimisation, section 6), the latest, or the one that `nearest` picks. */
export type StateChoice = 'oldest' | 'latest' | 'nearest';

export function ordered(path: AbstractPath, forest: Forest, choice: StateChoice, nearest: (edge: AbstractEdge) => StateNumber): OrderedTrace {
  let last = path.length - 1;
  while (last >= 0 && !path[last]!.to.isReached) last--;
  if (last === path.length - 1) throw new Error('a path to the error is ordered only while no state has reached the error');
  const region = last < 0 ? undefined : path[last]!.to;
  const frontier = path[last + 1]!;
  const choose = (states: readonly StateNumber[]): StateNumber => {
    switch (choice) {
      case 'oldest': return states[0]!;
      case 'latest': return states[states.length - 1]!;
      case 'nearest': return nearest(frontier);
    }
  };
  const state = region && choose(region.states);
  const trace: OrderedTrace = { state, frontier, rest: path.slice(last + 2), k: state === undefined ? 0 : depth(forest, state) };
  if ([trace.frontier, ...trace.rest].some(({ to }) => to.isReached)) throw new Error('no region behind the frontier holds a state of the forest');
  return trace;
}

/** S_0 to S_k-1. */
export function prefix({ state }: OrderedTrace, forest: Forest, partition: Partition): Region[] {
  return state === undefined ? [] : forest.branch(state).map((at) => partition.regionOf(at));
}

function depth(forest: Forest, state: StateNumber): number {
  let k = 0;
  for (let at: StateNumber | undefined = state; at !== undefined; at = forest.parentOf(at)) k++;
  return k;
}
