/** A part of a problem, decided by engines in their order, each with what those before it learned. */
import { constantsOf } from '../../abstraction/candidates/observables';
import { PredicateAbstraction } from '../../abstraction/predicates/predicateAbstraction';
import type { Budget } from '../../budget';
import type { Reduced } from '../../reductions/reduction';
import type { ReducedPart } from '../../verdict';
import { type Engine, type Knowledge, nothingKnown, type Outcome } from '../engine';
import { dischargesAll } from '../invariants/openObligations';
import { silent } from '../portfolio/verificationLog';
import type { Problem } from '../problem';
import { sampleRuns } from './runsOfSystem';

const limits = {
  /** One query about all checks of a segment. */
  queryMs: 2000,
} as const;

export type Decision =
  | { readonly kind: 'safe'; readonly abstraction: PredicateAbstraction }
  | Extract<Outcome, { kind: 'unsafe' }>
  | { readonly kind: 'open' };

/** The part for the statistics of the verdict. */
export const partReport = ({ size, checks }: Reduced, outcome: ReducedPart['outcome']): ReducedPart => ({
  size,
  checks: checks.size,
  outcome,
});

export function outcomeOfPart({ kind }: Decision): ReducedPart['outcome'] {
  switch (kind) {
    case 'safe':
      return 'proved';
    case 'unsafe':
      return 'fails';
    case 'open':
      return 'open';
  }
}

/** `engineShare`: of the time left, for each engine but the last. One that is cut short keeps what it has found. */
export async function decide(
  whole: Problem,
  { weakening, checks }: Reduced,
  inner: readonly Engine[],
  budget: Budget,
  { sampled, engineShare }: { readonly sampled: 'with runs of the slice' | 'as it is'; readonly engineShare: number },
): Promise<Decision> {
  const problem = whole.weaken(weakening, budget);
  let known: Knowledge = nothingKnown;
  for (const [i, engine] of inner.entries()) {
    if (budget.exhausted) break;
    if (engine.applies(problem, known) !== undefined) continue;
    const granted = i === inner.length - 1 ? budget : budget.share(engineShare);
    const outcome = await engine.run(problem, known, granted, silent);
    if (outcome.kind === 'unsafe') return outcome;
    if (outcome.kind === 'safe') {
      if (outcome.proof.kind === 'invariant') return { kind: 'safe', abstraction: outcome.proof.abstraction };
      continue;
    }
    const { strengthened } = outcome.learned;
    const isNew = strengthened !== undefined && strengthened !== known.strengthened;
    // Runs of the program show few of the states that are possible in the weaker one.
    if (sampled === 'with runs of the slice' && !known.samples && outcome.learned.samples) {
      const { system, samples } = outcome.learned.samples;
      sampleRuns(system, samples, constantsOf(system), problem.task.seed);
    }
    known = outcome.learned;
    if (!isNew) continue;
    const { system, invariants } = strengthened;
    const effort = () => ({ timeoutMs: Math.max(1, Math.min(limits.queryMs, budget.leftMs)) });
    if (await dischargesAll(system, invariants, checks, problem.solvers.instances, effort))
      return { kind: 'safe', abstraction: PredicateAbstraction.ofInvariants(system, invariants) };
  }
  return { kind: 'open' };
}
