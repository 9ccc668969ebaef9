/** A solver that is told other terms, which mean the same. */
import type { Term } from '../logic/term';
import type { Encoding, QueryBudget, Session, Solver, SolverStatistics } from './solver';

/** `rewrite` keeps the meaning and brings no symbols: a model of what it makes of terms is one of theirs. */
export function withRewriting(solver: Solver, rewrite: (term: Term) => Term): Solver {
  return {
    name: solver.name,
    get statistics(): SolverStatistics {
      return solver.statistics;
    },
    close: () => solver.close(),
    session(options?: { readonly encoding?: Encoding }): Session {
      const session = solver.session(options);
      return {
        assert: (term) => session.assert(rewrite(term)),
        push: () => session.push(),
        pop: () => session.pop(),
        check: async (assumptions, budget) => {
          const given = assumptions.map(rewrite);
          const answer = await session.check(given, budget);
          return answer.kind === 'unsat'
            ? { kind: 'unsat', core: assumptions.filter((_, i) => answer.core.includes(given[i]!)) }
            : answer;
        },
        close: () => session.close(),
      };
    },
    check: (assertions: readonly Term[], budget: QueryBudget, options?: { readonly encoding?: Encoding }) =>
      solver.check(assertions.map(rewrite), budget, options),
  };
}
