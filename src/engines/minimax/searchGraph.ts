/** The places and steps that are searched: segments without branches, and with the calls of a program unfolded. */
import { CallStackGraph } from '../../abstraction/transitionSystem/callStackGraph';
import { TransitionGraph } from '../../abstraction/transitionSystem/transitionGraph';
import { type SystemOptions, TransitionSystem } from '../../abstraction/transitionSystem/transitionSystem';
import { pathsThrough } from '../../program/automata/pathCount';
import type { Problem } from '../problem';

const limits = {
  /** A function without loops and with more paths is followed path by path rather than as part of a segment. */
  inlinedPaths: 8,
  /** With more, calls are passed by what is known of the callee's exit. */
  places: 20_000,
} as const;

export function searchGraphOf(problem: Problem): TransitionGraph | CallStackGraph {
  const { cutpoints, ...others } = problem.systemOptions();
  const options: SystemOptions = { ...others, cutpoints: cutpoints === 'default' ? 'branches' : cutpoints };
  const system = new TransitionSystem(problem.program, options);
  const isBranchy = [...system.inlined].some((fn) => pathsThrough(fn) > limits.inlinedPaths);
  const isSummarising = system.points.some((point) => system.callAt(point));
  const stacked =
    isBranchy || isSummarising
      ? CallStackGraph.of(
          isBranchy ? new TransitionSystem(problem.program, { ...options, inline: false }) : system,
          limits.places,
        )
      : undefined;
  return stacked ?? new TransitionGraph(system);
}
