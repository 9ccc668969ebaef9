/**
 * Paths of segments that follow one another, for k-induction: how many there are, and one segment after the other as
 * one.
 */
import type { Segment } from '../../semantics/symbolic/segment';
import type { Cutpoint } from './cutpoint';
import type { Transition } from './transitionSystem';

/** More are too much for every question that is asked of a system. */
export const MOST_PATHS = 300;

/** Number of paths of up to k segments that pass these heads. */
export function pathsThrough(heads: ReadonlySet<Cutpoint>, transitions: readonly Transition[], k: number): number {
  let total = 0;
  let arriving = new Map<Cutpoint, number>();
  for (let length = 1; length <= k && total <= MOST_PATHS; length++) {
    const next = new Map<Cutpoint, number>();
    for (const { from, segment, ends } of transitions) {
      if (!from || !segment) continue;
      const paths = length === 1 ? 1 : heads.has(from) ? (arriving.get(from) ?? 0) : 0;
      total += length === 1 ? 0 : paths;
      for (const { point } of ends) next.set(point, (next.get(point) ?? 0) + paths);
    }
    arriving = next;
  }
  return total;
}

/** One segment after the other; its ends and checks are the second one's. */
export function joined(first: Segment, second: Segment): Segment {
  return {
    ...second,
    from: first.from,
    start: first.start,
    inputs: [...first.inputs, ...second.inputs],
    unknownResults: [...first.unknownResults, ...second.unknownResults],
    conditions: [...new Set([...first.conditions, ...second.conditions])],
  };
}
