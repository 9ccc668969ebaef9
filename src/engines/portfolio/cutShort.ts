/** An answer that a limit has cut short. */
import type { Budget } from '../../budget';
import type { CauseId, CheckResult, Reason, Verdict } from '../../verdict';
import type { CheckTable } from './checkTable';

export const limitCauses: ReadonlySet<CauseId> = new Set<CauseId>([
  'time-budget',
  'solver-budget',
  'nonlinear',
  'interrupted',
  'state-explosion',
]);

/**
 * An answer that a limit has cut short says how far it had come, and where the first open check is. `unchecked`: number
 * of checks that follow from invariants which were not certified in time.
 */
export function saysHowFar<V extends Verdict>(
  verdict: V,
  { counts: { proved, total } }: Pick<CheckTable, 'counts'>,
  unchecked: number,
  checks: readonly CheckResult[],
  { elapsedSeconds: seconds }: Pick<Budget, 'elapsedSeconds'>,
): V {
  if (verdict.kind !== 'unknown' || total === 0 || !limitCauses.has(verdict.reason.cause)) return verdict;
  const open = checks.filter(({ status }) => status === 'open');
  const reason = open.length > 0 ? aboutOpenChecks(verdict.reason, open) : verdict.reason;
  const place = reason.place ?? open[0]?.place;
  const more =
    unchecked === 0
      ? ''
      : `; ${unchecked} ${proved > 0 ? 'more ' : ''}${unchecked === 1 ? 'follows' : 'follow'} from invariants that ` +
        'there was no time to check again';
  const message = `${reason.message}; ${proved} of ${total} checks ${proved === 1 ? 'is' : 'are'} proved${more}`;
  return {
    ...verdict,
    reason: { ...reason, message, ...(place && { place }) },
    statistics: { ...verdict.statistics, obligations: proved, seconds },
  };
}

/** The step at which the time ended may be in a function that was proved by then. */
function aboutOpenChecks(reason: Reason, open: readonly CheckResult[]): Reason {
  const isOpenThere = open.some(({ place }) => place.function === reason.place?.function);
  if (reason.cause !== 'time-budget' || !reason.place || isOpenThere) return reason;
  return { cause: 'time-budget', message: 'the budget is used up' };
}
