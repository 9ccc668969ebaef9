/**
 * A solver that remembers its answers within the process, by the identity of the terms. `unknown` is not remembered:
 * another budget may do better.
 */
import type { Term } from '../../logic/term';
import type { Answer, Solver, SolverStatistics } from '../solver';
import { aroundQueries } from './aroundQueries';

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
  // An answer's core is of the assumptions.
  const cached = aroundQueries(solver, ({ asserted, assumptions, budget, ask }) =>
    remembered(`${keyOf(asserted)} | ${keyOf(assumptions)}`, () => ask(budget)),
  );
  return {
    ...cached,
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
  };
}

const keyOf = (terms: readonly Term[]): string => [...new Set(terms.map((t) => t.id))].sort((a, b) => a - b).join(' ');
