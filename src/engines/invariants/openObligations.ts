/**
 * Progress of a proof when its time was up: the checks that cannot fail in any state that satisfies the invariants
 * proved so far. Each is asked by itself and briefly, so the number is a lower bound.
 */
import * as L from '../../logic/build';
import { anyViolated } from '../../semantics/symbolic/violations';
import { type InvariantMap, invariantsAt } from '../../abstraction/transitionSystem/invariantMap';
import type { TransitionSystem } from '../../abstraction/transitionSystem/transitionSystem';
import { invariantsOnTheWay } from '../../abstraction/predicates/transitionQuery';
import type { Budget } from '../../budget';
import type { Check } from '../../program/command';
import type { QueryBudget, Solver } from '../../solver/solver';

const limits = {
  /** For one question. */
  questionMs: 200,
} as const;

/** `checks`: those that are open. */
export interface OpenObligations {
  readonly proved: number;
  readonly total: number;
  readonly checks: ReadonlySet<Check>;
  /** The first one that is open, in the order of the program. */ readonly open:
    { readonly check: Check; readonly function: string } | undefined;
}

/** Checks whose query is not started within the budget are open. */
export async function openObligations(
  system: TransitionSystem,
  invariants: InvariantMap,
  solver: Solver,
  budget: Budget,
): Promise<OpenObligations> {
  const open = new Set<Check>();
  /** With the function each is in. */
  const seen = new Map<Check, string>();
  for (const transition of system.transitions) {
    const { segment, from } = transition;
    if (!segment || !from) continue;
    const premises = [...transition.axioms, ...invariantsOnTheWay(transition, invariants, system.vocabulary)];
    for (const { check, guard, condition, function: fn } of segment.obligations) {
      seen.set(check, fn.name);
      if (open.has(check) || guard === L.FALSE) continue;
      const question = [...premises, ...invariantsAt(invariants, from), guard, L.not(condition)];
      const timeoutMs = Math.min(limits.questionMs, budget.leftMs);
      const answer =
        timeoutMs > 0
          ? await solver.check([...question, ...system.vocabulary.readAxioms(question, new Set())], { timeoutMs })
          : undefined;
      if (answer?.kind !== 'unsat') open.add(check);
    }
  }
  const [first] = [...seen].filter(([check]) => open.has(check));
  return {
    proved: seen.size - open.size,
    total: seen.size,
    checks: open,
    open: first && { check: first[0], function: first[1] },
  };
}

/**
 * True if none of these checks can fail in any state that satisfies the invariants. `effort`: for those of one segment.
 */
export async function dischargesAll(
  system: TransitionSystem,
  invariants: InvariantMap,
  checks: ReadonlySet<Check>,
  solver: Solver,
  effort: () => QueryBudget,
): Promise<boolean> {
  for (const transition of system.transitions) {
    const { segment, from } = transition;
    if (!segment || !from) continue;
    const question = [
      ...transition.axioms,
      ...invariantsAt(invariants, from),
      ...invariantsOnTheWay(transition, invariants, system.vocabulary),
      anyViolated(segment.obligations.filter(({ check }) => checks.has(check))),
    ];
    if (question.includes(L.FALSE)) continue;
    if (
      (await solver.check([...question, ...system.vocabulary.readAxioms(question, new Set())], effort())).kind !==
      'unsat'
    )
      return false;
  }
  return true;
}
