/** The step of the abstract program that a failed check takes: to its error node. */
import type { Fault } from '../../semantics/concrete/fault';
import type { GraphNode, Step } from '../transitionSystem/transitionGraph';

/** Undefined when the check is no command of the program (a library function's own). */
export function faultStep(from: GraphNode, { command }: Fault): Step | undefined {
  return from.leaving.find(({ obligation }) => obligation?.check === command);
}
