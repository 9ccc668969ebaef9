/** k-induction: transitions that are paths of segments which follow one another. */
import type { Term } from '../../logic/term';
import { FreshSymbols } from '../../semantics/symbolic/symbolicValues';
import type { Segment } from '../../semantics/symbolic/segment';
import type { Cutpoint } from './cutpoint';
import type { NewTransition, Transition, TransitionEnd } from './transition';
import type { TransitionSystem } from './transitionSystem';

const limits = {
  /** Above this number of paths k-induction is not attempted: every query would grow too large. */
  paths: 300,
} as const;

type InductionSystem = Pick<TransitionSystem, 'points' | 'unrolled' | 'builder'> & {
  endsOf(segment: Segment): TransitionEnd[];
};

/**
 * k-induction. A segment that leaves the head of a loop is replaced by the paths that end with it: back over k - 1
 * segments, or to the first cutpoint that is no such head. Every execution that comes to the head came along one of
 * them. If there are too many, nothing is replaced.
 *
 * Sheeran, Singh, Stålmarck, "Checking safety properties using induction and a SAT-solver", FMCAD 2000; over segments
 * as Donaldson, Haller, Kroening, Rümmer, SAS 2011.
 */
export function inductionTransitions(
  { points, unrolled, builder, endsOf }: InductionSystem,
  all: readonly Transition[],
  k: number,
): readonly NewTransition[] {
  // A call that is a step of its own may stand at the head itself.
  const others = new Set(
    all.flatMap(({ kind, from, ends }) => (kind === 'segment' ? [] : [from, ...ends.map(({ point }) => point)])),
  );
  const heads = new Set(
    points.filter(
      (point) => point.kind === 'loop' && !point.tracksContext && !others.has(point) && !unrolled.has(point.location),
    ),
  );
  if (pathsThrough(heads, all, k) > limits.paths) return all;
  const found: NewTransition[] = [];
  const extend = (
    first: Cutpoint,
    axioms: readonly Term[],
    through: Transition['through'],
    { point, guard, state, axioms: here }: TransitionEnd,
    before: Segment,
  ): void => {
    const passed = [...through, { point, state }];
    const known = [...axioms, ...here];
    const segment = joinSegments(
      before,
      builder.buildFrom(
        point.fn,
        point.location,
        state,
        new FreshSymbols(
          `${point.fn.name}@${point.location.index}+${passed.map((head) => head.point.index).join('+')}`,
        ),
        guard,
      ),
    );
    const ends = endsOf(segment);
    if (passed.length === k - 1 || !heads.has(first))
      found.push({ kind: 'segment', from: first, axioms: known, ends, segment, summary: undefined, through: passed });
    if (passed.length < k - 1)
      for (const end of ends) if (heads.has(end.point)) extend(first, known, passed, end, segment);
  };
  for (const { kind, from, axioms, ends, segment, summary } of all) {
    if (!from || !heads.has(from)) found.push({ kind, from, axioms, ends, segment, summary });
    if (from && segment) for (const end of ends) if (heads.has(end.point)) extend(from, axioms, [], end, segment);
  }
  return found;
}

/** Number of paths of up to k segments that pass these heads. */
function pathsThrough(heads: ReadonlySet<Cutpoint>, transitions: readonly Transition[], k: number): number {
  let total = 0;
  let arriving = new Map<Cutpoint, number>();
  for (let length = 1; length <= k && total <= limits.paths; length++) {
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
function joinSegments(first: Segment, second: Segment): Segment {
  return {
    ...second,
    from: first.from,
    start: first.start,
    inputs: [...first.inputs, ...second.inputs],
    unknownResults: [...first.unknownResults, ...second.unknownResults],
    conditions: [...new Set([...first.conditions, ...second.conditions])],
  };
}
