/**
 * Ordered abstract traces and their frontier (SYNERGY, section 3, step 3). A path to the error is rewritten so that its
 * beginning is the branch of a forest state: S_0 to S_k-1 all hold states of the forest, and none from S_k on does. The
 * frontier is where tests stop and the abstraction goes on. Where the rest of the path returns from calls that are
 * pending, only states count whose callers are in the regions from which it called.
 */
import type { Forest, StateNumber } from './forest';
import type { AbstractEdge, AbstractPath, Partition } from './partition';
import type { Region } from './region';
import type { Step } from '../transitionSystem/transitionGraph';

export interface OrderedTrace {
  /** The state that ends the prefix; undefined when no state lies on the path (k is 0). */
  readonly state: StateNumber | undefined;
  /** From S_k-1, or the start, into S_k. */
  readonly frontier: AbstractEdge;
  /** Path after S_k. */
  readonly rest: AbstractPath;
  /** Regions before the frontier. */
  readonly k: number;
  /** The call at work in the state, where the rest of the path returns from it. */
  readonly pending: AbstractEdge | undefined;
  /** Does the forest now have a state beyond the frontier, from which the rest could be gone? */
  readonly isCrossed: () => boolean;
}

/**
 * Which of the states in S_k-1 ends the prefix: the oldest (the paper's optimisation, section 6), the latest, or the
 * one that `nearest` picks.
 */
export type StateChoice = 'oldest' | 'latest' | 'nearest';

export function orderPath(
  path: AbstractPath,
  forest: Forest,
  partition: Partition,
  choice: StateChoice,
  nearest: (edge: AbstractEdge, states: readonly StateNumber[]) => StateNumber,
): OrderedTrace {
  const pending = pendingCalls(path);
  const on = (i: number): readonly StateNumber[] =>
    path[i]!.to.states.filter((state) => isCalledFrom(pending[i]!, state, forest, partition));
  let last = path.length - 1;
  let states: readonly StateNumber[] = [];
  while (last >= 0 && (states = on(last)).length === 0) last--;
  if (last === path.length - 1)
    throw new Error('a path to the error is ordered only while no state has reached the error');
  const frontier = path[last + 1]!;
  const choose = (): StateNumber => {
    switch (choice) {
      case 'oldest':
        return states[0]!;
      case 'latest':
        return states[states.length - 1]!;
      case 'nearest':
        return nearest(frontier, states);
    }
  };
  const state = last < 0 ? undefined : choose();
  return {
    state,
    frontier,
    rest: path.slice(last + 2),
    k: state === undefined ? 0 : depth(forest, state),
    pending: last < 0 ? undefined : pending[last]?.call,
    isCrossed: () => on(last + 1).length > 0,
  };
}

/** Calls that the rest of a path returns from, innermost first: the regions in which they were made, and where. */
type Pending = { readonly call: AbstractEdge; readonly outer: Pending } | undefined;

/** After each edge of the path. Calls that the rest does not return from do not matter. */
function pendingCalls(path: AbstractPath): readonly Pending[] {
  const needed: number[] = [];
  let need = 0;
  for (let i = path.length - 1; i >= 0; i--) {
    needed[i] = need;
    const { kind } = path[i]!.step;
    need = kind === 'return' ? need + 1 : kind === 'call' ? Math.max(0, need - 1) : staysIn(kind) ? need : 0;
  }
  const all: Pending[] = [];
  let stack: Pending;
  path.forEach((edge, i) => {
    const { kind } = edge.step;
    stack =
      kind === 'call'
        ? { call: edge, outer: stack }
        : kind === 'return'
          ? stack?.outer
          : staysIn(kind)
            ? stack
            : undefined;
    all[i] = needed[i] === 0 ? undefined : take(stack, needed[i]!);
  });
  return all;
}

const staysIn = (kind: Step['kind']): boolean => kind === 'segment' || kind === 'error' || kind === 'resume';

function take(pending: Pending, count: number): Pending {
  return count === 0 || !pending ? undefined : { call: pending.call, outer: take(pending.outer, count - 1) };
}

function isCalledFrom(pending: Pending, state: StateNumber, forest: Forest, partition: Partition): boolean {
  let at: StateNumber | undefined = state;
  for (let call = pending; call; call = call.outer) {
    at = forest.callerOf(at);
    if (at === undefined || partition.regionOf(at) !== call.call.from) return false;
  }
  return true;
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
