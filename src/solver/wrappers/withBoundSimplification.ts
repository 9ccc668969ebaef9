/**
 * A solver that is asked less: comparisons that the bounds of single words decide are left out of what it is told, in
 * whatever reading.
 */
import type { Term } from '../../logic/term';
import { type KnownBounds, withinBounds as shortened } from '../../logic/bounds/withinBounds';
import type { Encoding, QueryBudget, Session, Solver, SolverStatistics } from '../solver';

export function withBoundSimplification(solver: Solver): Solver {
  return {
    name: solver.name,
    get statistics(): SolverStatistics {
      return solver.statistics;
    },
    close: () => solver.close(),
    session(options?: { readonly encoding?: Encoding }): Session {
      const session = solver.session(options);
      const levels: KnownBounds[] = [new Map()];
      return {
        assert: (term) => {
          const { terms, known } = shortened([term], levels.at(-1)!);
          levels[levels.length - 1] = known;
          for (const shorter of terms) session.assert(shorter);
        },
        push: () => {
          levels.push(levels.at(-1)!);
          session.push();
        },
        pop: () => {
          levels.pop();
          session.pop();
        },
        check: (assumptions, budget) => session.check(assumptions, budget),
        close: () => session.close(),
      };
    },
    check: (assertions: readonly Term[], budget: QueryBudget, options?: { readonly encoding?: Encoding }) =>
      solver.check(shortened(assertions, new Map()).terms, budget, options),
  };
}
