/**
 * Must-summaries (SMASH: Godefroid, Nori, Rajamani, Tetali, POPL 2010): every call that a test made is a way through
 * the callee that exists. Where an abstract path enters a callee in one region and leaves it in another, and some call
 * in the forest did just that, whoever made it, its steps can be taken over at once.
 */
import type { Forest, StateNumber } from './forest';
import type { OrderedTrace } from './frontier';
import type { Partition } from './partition';
import type { Region } from './region';
import type { Step } from '../transitionSystem/transitionGraph';

export interface RecordedCall {
  /** From the call point to the node after the call. */
  readonly steps: readonly Step[];
  readonly into: Region;
}

const limits = {
  /** Longer paths make formulas too hard for the solver. */
  steps: 400,
  /** Ends of calls that are looked at. */
  ends: 50,
} as const;

/** For the call that the trace's frontier makes, or that is at work there: a way to its return. */
export function mustSummary(
  { state, frontier, rest, pending }: OrderedTrace,
  forest: Forest,
  partition: Partition,
): (RecordedCall & { readonly caller: StateNumber }) | undefined {
  const makes = frontier.step.kind === 'call';
  const call = makes ? frontier : pending;
  const caller = makes || state === undefined ? state : forest.callerOf(state);
  if (!call || caller === undefined) return undefined;
  let depth = makes ? 0 : 1;
  const back = [frontier, ...rest].find(({ step }) => {
    depth += step.kind === 'call' ? 1 : step.kind === 'return' ? -1 : 0;
    return depth === 0;
  });
  if (!back?.over) return undefined;
  for (const end of back.over.exit.states.slice(0, limits.ends)) {
    const begin = beginOf(end, forest);
    if (begin === undefined || end - begin > limits.steps || partition.regionOf(begin) !== call.to) continue;
    const between = Array.from({ length: end - begin }, (_, i) => forest.stepTo(begin + 1 + i));
    return { steps: [call.step, ...between, back.step], into: back.to, caller };
  }
  return undefined;
}

/** The first state of the activation. */
function beginOf(state: StateNumber, forest: Forest): StateNumber | undefined {
  let at: StateNumber | undefined = state;
  while (at !== undefined && forest.nodeOf(at).point?.kind !== 'entry') at = forest.parentOf(at);
  return at;
}
