/**
 * Invariants from constrained Horn clauses: the largest inductive part of what a fixpoint over integers proposes,
 * without wrapping first, which is fast, then with it.
 */
import { conjoin } from '../../abstraction/transitionSystem/invariantMap';
import type { Reason } from '../../verdict';
import type { Engine } from '../engine';
import { spacer, type SpacerResult } from './hornClauses';
import { houdini } from './houdini';
import { saving } from './houdiniEngine';
import { openObligations } from './openObligations';

const limits = {
  /** One fixpoint: most of what they find they find in a second. */
  fixpointMs: 6000,
  /** With less time left none is started. */
  leastMs: 200,
  /** Arithmetic, with its share of the time left. */
  attempts: [
    ['unbounded', 0.5],
    ['wrapping', 1],
  ],
} as const;

/** `alone`: its checks are discharged even where no invariant is found. */
export const hornClauses = (where: 'alone' | 'in a portfolio'): Engine => ({
  name: 'spacer',
  applies({ solvers }, { samples }) {
    if (!samples) return 'no states were sampled';
    return solvers.horn || where === 'alone' ? undefined : 'the solver that was given solves no Horn clauses';
  },
  async run(problem, known, budget) {
    const { system } = known.samples!;
    let { invariants } = known;
    let reason: Reason = { cause: 'solver-budget', message: 'Spacer was not asked' };
    const { horn, instances } = problem.solvers;
    for (const [arithmetic, share] of horn ? limits.attempts : []) {
      const leftMs = Math.min(budget.leftMs * share, limits.fixpointMs);
      if (leftMs < limits.leastMs || budget.exhausted) break;
      const answer = await spacer(system, invariants, horn!, { arithmetic, timeoutMs: leftMs });
      if (answer.kind !== 'candidates') {
        reason = reasonOf(answer);
        if (answer.kind === 'unknown' && answer.cause !== 'timeout' && answer.cause !== 'resources') break;
        continue;
      }
      const kept = await houdini(system, invariants, answer.candidates, instances, {
        query: budget.query(),
        stop: () => budget.exhausted !== undefined,
        left: saving({ ...known, invariants }, system, { stage: 'spacer', searched: false }),
      });
      if (!kept) break;
      if ([...kept.values()].some((terms) => terms.length > 0)) invariants = conjoin(invariants, kept);
      reason = {
        cause: 'probe-too-weak',
        message: 'Spacer has an invariant over integers, but of words that wrap it is not inductive, or not enough',
      };
      const { proved, total } = await openObligations(system, invariants, instances, budget);
      if (proved === total) break;
    }
    if (invariants === known.invariants && where !== 'alone') return { kind: 'unknown', reason, learned: known };
    return {
      kind: 'unknown',
      reason,
      learned: { ...known, invariants, strengthened: { by: 'spacer', system, invariants } },
    };
  },
});

function reasonOf(answer: Exclude<SpacerResult, { kind: 'candidates' }>): Reason {
  switch (answer.kind) {
    case 'refuted':
      return {
        cause: 'probe-too-weak',
        message: 'Spacer finds that over integers the check can fail, but no execution was found that does it',
      };
    case 'unknown':
      return {
        cause: answer.cause === 'interrupted' ? 'interrupted' : 'solver-budget',
        message: `Spacer found no invariant (${answer.cause}: ${answer.detail})`,
      };
  }
}
