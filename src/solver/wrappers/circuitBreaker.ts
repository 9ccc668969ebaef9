/**
 * A solver that is not asked again after it has died so many times in a row: on this machine it cannot live, and every
 * further death costs time.
 */
import type { Term } from '../../logic/term';
import type { Answer, Encoding, QueryBudget, Session, Solver, SolverStatistics } from '../solver';

/** Each is a question that was asked again after its first death. */
const deathsInARow = 6;

export function circuitBreaker(solver: Solver): Solver {
  let deaths = 0;
  let last: Answer | undefined;
  const asked = async (ask: () => Promise<Answer>): Promise<Answer> => {
    if (last && deaths >= deathsInARow) return last;
    const answer = await ask();
    const died = answer.kind === 'unknown' && answer.cause === 'died';
    deaths = died ? deaths + 1 : 0;
    last = answer;
    return answer;
  };
  return {
    name: solver.name,
    session(options?: { readonly encoding?: Encoding }): Session {
      const session = solver.session(options);
      return {
        assert: (term) => session.assert(term),
        push: () => session.push(),
        pop: () => session.pop(),
        check: (assumptions, budget) => asked(() => session.check(assumptions, budget)),
        close: () => session.close(),
      };
    },
    check: (assertions: readonly Term[], budget: QueryBudget, options?: { readonly encoding?: Encoding }) =>
      asked(() => solver.check(assertions, budget, options)),
    get statistics(): SolverStatistics {
      return solver.statistics;
    },
    close: () => solver.close(),
  };
}
