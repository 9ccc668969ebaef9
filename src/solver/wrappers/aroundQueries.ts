/** A solver with something between it and those who ask: each query passes it, with all that is to hold together. */
import type { Term } from '../../logic/term';
import type { Answer, QueryBudget, Session, SessionOptions, Solver, SolverStatistics } from '../solver';

export interface InterceptedQuery {
  readonly asserted: readonly Term[];
  /** Made by a session's caller for this query alone: the core of an answer `unsat` is some of them. */
  readonly assumptions: readonly Term[];
  readonly budget: QueryBudget;
  /** Asks the solver. */
  ask(budget: QueryBudget): Promise<Answer>;
}

export const allOf = ({ asserted, assumptions }: InterceptedQuery): readonly Term[] => [...asserted, ...assumptions];

export function aroundQueries(solver: Solver, answer: (query: InterceptedQuery) => Promise<Answer>): Solver {
  return {
    name: solver.name,
    get statistics(): SolverStatistics {
      return solver.statistics;
    },
    close: () => solver.close(),
    session: (options?: SessionOptions) => aroundSession(solver.session(options), answer),
    check: (asserted, budget, options) =>
      answer({ asserted, assumptions: [], budget, ask: (rest) => solver.check(asserted, rest, options) }),
  };
}

function aroundSession(session: Session, answer: (query: InterceptedQuery) => Promise<Answer>): Session {
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
    check: (assumptions, budget) =>
      answer({ asserted: levels.flat(), assumptions, budget, ask: (rest) => session.check(assumptions, rest) }),
    close: () => session.close(),
  };
}
