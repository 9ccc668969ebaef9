/** A solver that is told equations between polynomials multiplied out (`logic/polynomial.ts`), which means the same. */
import { multipliedOut } from '../logic/polynomial';
import type { Term } from '../logic/term';
import type { Encoding, QueryBudget, Session, Solver, SolverStatistics } from './solver';

export function withEquationsMultipliedOut(solver: Solver): Solver {
  return {
    name: solver.name,
    get statistics(): SolverStatistics { return solver.statistics; },
    close: () => solver.close(),
    session(options?: { readonly encoding?: Encoding }): Session {
      const session = solver.session(options);
      return {
        assert: (term) => session.assert(multipliedOut(term)),
        push: () => session.push(),
        pop: () => session.pop(),
        check: (assumptions, budget) => session.check(assumptions, budget),
        close: () => session.close(),
      };
    },
    check: (assertions: readonly Term[], budget: QueryBudget, options?: { readonly encoding?: Encoding }) => solver.check(assertions.map(multipliedOut), budget, options),
  };
}
