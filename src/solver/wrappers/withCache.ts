/**
 * A solver that remembers its answers within the process, by the identity of the terms. `unknown` is not remembered:
 * another budget may do better.
 */
import type { Term } from '../../logic/term';
import type { Answer, Encoding, QueryBudget, Session, Solver, SolverStatistics } from '../solver';

/** Oldest answers go first. */
const capacity = 10_000;

export function withCache(solver: Solver): Solver {
  const answers = new Map<string, Answer>();
  const extra = { queries: 0, sat: 0, unsat: 0 };
  const remembered = async (key: string, ask: () => Promise<Answer>): Promise<Answer> => {
    const known = answers.get(key);
    if (known && known.kind !== 'unknown') {
      extra.queries++;
      extra[known.kind]++;
      return known;
    }
    const answer = await ask();
    if (answer.kind !== 'unknown') {
      answers.set(key, answer);
      if (answers.size > capacity) answers.delete(answers.keys().next().value!);
    }
    return answer;
  };
  return {
    name: solver.name,
    session(options?: { readonly encoding?: Encoding }): Session {
      const session = solver.session(options);
      const levels: Term[][] = [[]];
      return {
        assert: (term) => {
          levels[levels.length - 1]!.push(term);
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
        // An answer's core is of the assumptions.
        check: (assumptions, budget) =>
          remembered(`${keyOf(levels.flat())} | ${keyOf(assumptions)}`, () => session.check(assumptions, budget)),
        close: () => session.close(),
      };
    },
    check: (assertions: readonly Term[], budget: QueryBudget, options?: { readonly encoding?: Encoding }) =>
      remembered(keyOf(assertions), () => solver.check(assertions, budget, options)),
    get statistics(): SolverStatistics {
      const { queries, sat, unsat, avoided, ...rest } = solver.statistics;
      return {
        ...rest,
        queries: queries + extra.queries,
        sat: sat + extra.sat,
        unsat: unsat + extra.unsat,
        avoided: avoided + extra.queries,
      };
    },
    close: () => solver.close(),
  };
}

const keyOf = (terms: readonly Term[]): string => [...new Set(terms.map((t) => t.id))].sort((a, b) => a - b).join(' ');
