/** Advice where checks are open. */
import { adviseReason } from '../../advice';
import type { Budget } from '../../budget';
import type { Check } from '../../program/command';
import type { Verdict } from '../../verdict';
import { adviceOnGrowth } from '../explanation/growingCounters';
import { missingInvariants, missingInvariantsText } from '../explanation/missingInvariants';
import { separateArguments } from '../preconditions/separateArguments';
import type { Problem } from '../problem';
import { refutedInRuns } from '../search/refutedInRuns';
import type { CheckTable } from './checkTable';
import { limitCauses } from './cutShort';
import type { PortfolioRun, Verification } from './portfolioRun';
import { pasteable } from './preconditionSuggestion';
import { silent } from './verificationLog';

const limits = {
  /** CFA edges of random clients in which what is offered is tried. */
  steps: 80_000,
  evaluations: Infinity,
  uncomputable: 'refuted',
} as const;

/** Before the advice to go on for longer: what clients may have to keep to, or what would decide the checks. */
export async function withAdviceOnOpenChecks<V extends Verdict>(
  verdict: V,
  { known: { samples, invariants } }: PortfolioRun,
  { problem }: Verification,
  table: CheckTable,
  budget: Budget,
): Promise<V> {
  const separate = aboutSeparateArguments(verdict, problem, table, budget);
  if (separate) return separate;
  if (verdict.kind !== 'unknown' || !limitCauses.has(verdict.reason.cause) || !samples || budget.exhausted)
    return verdict;
  const open = table.openAmong(problem.checks);
  const growing = adviceOnGrowth([...open], table.counts.proved, problem.task);
  if (growing !== undefined) {
    const { suggestion } = adviseReason(verdict.reason, problem.task);
    return { ...verdict, reason: { ...verdict.reason, suggestion: `${growing}\nor ${suggestion!}` } };
  }
  const missing = await missingInvariants(
    samples,
    invariants,
    open,
    problem.solvers.instances,
    budget,
    (point, terms) => {
      const formulas = new Map([[point, terms]]);
      return refutedInRuns(problem, samples.system, formulas, limits, budget, silent).get(point)!;
    },
  );
  if (missing.length === 0) return verdict;
  const { suggestion } = adviseReason(verdict.reason, problem.task);
  return {
    ...verdict,
    reason: { ...verdict.reason, suggestion: [...missing.map(missingInvariantsText), `or ${suggestion!}`].join('\n') },
  };
}

/** Arguments that may be one object keep what is known of one from lasting while the other is written. */
function aboutSeparateArguments<V extends Verdict>(
  verdict: V,
  problem: Problem,
  table: CheckTable,
  budget: Budget,
): V | undefined {
  const isCutShort = verdict.kind === 'unknown' && limitCauses.has(verdict.reason.cause);
  if (!isCutShort && verdict.kind !== 'potential-error') return undefined;
  if (verdict.reason.cause === 'interrupted') return undefined;
  const text = adviceOnSeparateArguments(problem, table.openAmong(problem.checks), 'alone', budget);
  if (text === undefined) return undefined;
  if (verdict.kind === 'potential-error') {
    const [first, ...others] = verdict.errors;
    if (!first) return undefined;
    const suggestion = first.suggestion === undefined ? text : `${text}\nor ${first.suggestion}`;
    return { ...verdict, errors: [{ ...first, suggestion }, ...others] };
  }
  const { suggestion } = adviseReason(verdict.reason, problem.task);
  return { ...verdict, reason: { ...verdict.reason, suggestion: `${text}\nor ${suggestion!}` } };
}

/** `flags`: whether the command line has had others, which it is to keep. */
export function adviceOnSeparateArguments(
  problem: Problem,
  open: ReadonlySet<Check>,
  flags: 'alone' | 'beside those',
  budget: Budget,
): string | undefined {
  const offered = separateArguments(problem, problem.system, open, budget);
  if (offered.length === 0) return undefined;
  const pasted = pasteable(problem.task, offered);
  return [
    'for all that is known, a client may pass one object as two of these arguments; if none does (no test does), ' +
      'say so to loadC:',
    pasted.code,
    flags === 'alone' ? 'or on the command line:' : 'or on the command line, beside those:',
    pasted.flags,
  ].join('\n');
}
