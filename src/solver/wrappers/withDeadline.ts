/**
 * A solver whose questions end by a moment, however long they were given: budgets are handed out early and used late.
 */
import type { Term } from '../../logic/term';
import type { Answer, Encoding, QueryBudget, Session, Solver, SolverStatistics } from '../solver';

/** The detail of an answer that the end of all time cut short, not a limit of the question. */
export const noTimeLeft = 'no time left';
const noTime: Answer = { kind: 'unknown', cause: 'timeout', detail: noTimeLeft };

/** `endMs`: on the clock of `performance.now()`; asked anew for every question. */
export function withDeadline(solver: Solver, endMs: () => number): Solver {
  const within = async (budget: QueryBudget, ask: (budget: QueryBudget) => Promise<Answer>): Promise<Answer> => {
    const leftMs = endMs() - performance.now();
    if (leftMs <= 0) return noTime;
    const answer = await ask({ ...budget, timeoutMs: Math.min(budget.timeoutMs, leftMs) });
    return answer.kind === 'unknown' && answer.cause === 'timeout' && leftMs < budget.timeoutMs ? noTime : answer;
  };
  return {
    name: solver.name,
    session(options?: { readonly encoding?: Encoding }): Session {
      const session = solver.session(options);
      return {
        assert: (term) => session.assert(term),
        push: () => session.push(),
        pop: () => session.pop(),
        check: (assumptions, budget) => within(budget, (limit) => session.check(assumptions, limit)),
        close: () => session.close(),
      };
    },
    check: (assertions: readonly Term[], budget: QueryBudget, options?: { readonly encoding?: Encoding }) =>
      within(budget, (limit) => solver.check(assertions, limit, options)),
    get statistics(): SolverStatistics {
      return solver.statistics;
    },
    close: () => solver.close(),
  };
}
