/**
 * A search for the largest inductive set of candidates that had to stop before its end, for the next search of its kind
 * to go on from. A candidate that a step breaks while all others are assumed is in no inductive set of them: it need
 * not be tried again. A step that breaks none of those that are left needs no second look, however many of them fall,
 * until one falls that the step may assume.
 */
import type { Cutpoint } from '../../abstraction/transitionSystem/cutpoint';
import { type InvariantMap, invariantsAt } from '../../abstraction/transitionSystem/invariantMap';
import type { Transition, TransitionSystem } from '../../abstraction/transitionSystem/transitionSystem';
import type { Term } from '../../logic/term';
import type { CandidateKind } from '../../abstraction/candidates/candidates';

export interface InterruptedSearch {
  readonly system: TransitionSystem;
  /** Invariants that the search assumed. */
  readonly known: InvariantMap;
  readonly tried: ReadonlyMap<Cutpoint, ReadonlySet<Term>>;
  /** Candidates that were left. */
  readonly left: ReadonlyMap<Cutpoint, ReadonlySet<Term>>;
  /** Steps that may break one of them. */
  readonly pending: ReadonlySet<Transition>;
}

const bySystem = new WeakMap<TransitionSystem, Map<CandidateKind, InterruptedSearch>>();

/** Interrupted searches on a system, by the kind of their candidates. */
export function interruptedSearches(system: TransitionSystem): Map<CandidateKind, InterruptedSearch> {
  const known = bySystem.get(system);
  if (known) return known;
  const none = new Map<CandidateKind, InterruptedSearch>();
  bySystem.set(system, none);
  return none;
}

/** True if a search on the system that knows these invariants may go on from where the earlier one stopped. */
export function continues({ system, known }: InterruptedSearch, on: TransitionSystem, now: InvariantMap): boolean {
  return (
    system === on &&
    system.points.every((point) => {
      const there = new Set(invariantsAt(now, point));
      return invariantsAt(known, point).every((term) => there.has(term));
    })
  );
}
