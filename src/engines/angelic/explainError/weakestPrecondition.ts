/**
 * The weakest liberal precondition of a failing trace, over the state at its entry: what excludes it, whatever the
 * environment answers. Branches on which the failure does not depend count as taken either way, which makes it
 * stronger.
 */
import type { TransitionSystem } from '../../../abstraction/transitionSystem/transitionSystem';
import * as L from '../../../logic/build';
import type { Term } from '../../../logic/term';
import { tracedPath } from '../../../semantics/symbolic/tracedPath';
import type { FailingCall } from './failingCall';

export interface WeakestPrecondition {
  readonly formula: Term;
  /** The failing check's own condition, over the same state. */
  readonly check: Term;
}

/** Undefined if the trace is no path of the program, as with a call of the module from outside. */
export function weakestPrecondition(system: TransitionSystem, call: FailingCall): WeakestPrecondition | undefined {
  const last = call.edges.at(-1)!.command;
  const path = last.kind === 'check' ? tracedPath(system.builder, call.fn, call.edges, last) : undefined;
  if (!path) return undefined;
  const needed = path.conditions.filter(({ step }) => call.isNeeded(step)).map(({ condition }) => condition);
  return { formula: L.implies(L.and(...needed), path.check), check: path.check };
}
