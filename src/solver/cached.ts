/**
 * A solver that remembers its answers within the process, by the identity of the asserted terms. `unknown` is not remembered: another
 * budget may do better. Sessions pass through.
 */
import type { Term } from '../logic/term';
import type { Answer, Encoding, QueryBudget, Session, Solver, SolverStatistics } from './solver';

/** Oldest answers go first. */
const capacity = 10_000;

export function cached(solver: Solver): Solver {
  const answers = new Map<string, Answer>();
  const extra = { queries: 0, sat: 0, unsat: 0 };
  return {
    name: solver.name,
    session: (options?: { readonly encoding?: Encoding }): Session => solver.session(options),
    async check(assertions: readonly Term[], budget: QueryBudget, options?: { readonly encoding?: Encoding }): Promise<Answer> {
      const key = [...new Set(assertions.map((t) => t.id))].sort((a, b) => a - b).join(' ');
      const known = answers.get(key);
      if (known && known.kind !== 'unknown') {
        extra.queries++;
        extra[known.kind]++;
        return known;
      }
      const answer = await solver.check(assertions, budget, options);
      if (answer.kind !== 'unknown') {
        answers.set(key, answer);
        if (answers.size > capacity) answers.delete(answers.keys().next().value!);
      }
      return answer;
    },
    get statistics(): SolverStatistics {
      const { queries, sat, unsat, avoided, ...rest } = solver.statistics;
      return { ...rest, queries: queries + extra.queries, sat: sat + extra.sat, unsat: unsat + extra.unsat, avoided: avoided + extra.queries };
    },
    close: () => solver.close(),
  };
}
