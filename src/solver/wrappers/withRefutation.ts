/** A solver that is not asked what a cheaper procedure refutes. */
import type { Term } from '../../logic/term';
import type { Answer, Encoding, QueryBudget, Session, Solver, SolverStatistics } from '../solver';

/** `refutes`: true only of terms that cannot hold together. */
export function withRefutation(solver: Solver, refutes: (terms: readonly Term[]) => boolean): Solver {
  return {
    name: solver.name,
    get statistics(): SolverStatistics {
      return solver.statistics;
    },
    close: () => solver.close(),
    session(options?: { readonly encoding?: Encoding }): Session {
      const session = solver.session(options);
      const levels: Term[][] = [[]];
      return {
        assert: (term) => {
          levels.at(-1)!.push(term);
          session.assert(term);
        },
        push: () => {
          levels.push([]);
          session.push();
        },
        pop: () => {
          levels.pop();
          session.pop();
        },
        check: async (assumptions, budget): Promise<Answer> =>
          refutes([...levels.flat(), ...assumptions])
            ? { kind: 'unsat', core: assumptions }
            : session.check(assumptions, budget),
        close: () => session.close(),
      };
    },
    check: async (assertions: readonly Term[], budget: QueryBudget, options?: { readonly encoding?: Encoding }) =>
      refutes(assertions) ? { kind: 'unsat', core: [] } : solver.check(assertions, budget, options),
  };
}
