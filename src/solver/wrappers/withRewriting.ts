/** A solver that is told other terms, which mean the same. */
import type { Term } from '../../logic/term';
import type { Answer, Encoding, QueryBudget, Session, Solver, SolverStatistics } from '../solver';

/**
 * `rewrite` keeps the meaning and brings no symbols: a model of what it makes of terms is one of theirs. `lemmas` gives
 * valid formulas, in rewritten form, that help with the given terms. `inModels` rewrites what a model is asked for.
 */
export function withRewriting(
  solver: Solver,
  rewrite: (term: Term) => Term,
  lemmas: (terms: readonly Term[]) => readonly Term[] = () => [],
  inModels: (term: Term) => Term = rewrite,
): Solver {
  return {
    name: solver.name,
    get statistics(): SolverStatistics {
      return solver.statistics;
    },
    close: () => solver.close(),
    session(options?: { readonly encoding?: Encoding }): Session {
      const session = solver.session(options);
      const levels: { readonly asserted: Term[]; readonly lemmas: Set<Term> }[] = [{ asserted: [], lemmas: new Set() }];
      return {
        assert: (term) => {
          levels.at(-1)!.asserted.push(term);
          session.assert(rewrite(term));
        },
        push: () => {
          levels.push({ asserted: [], lemmas: new Set() });
          session.push();
        },
        pop: () => {
          levels.pop();
          session.pop();
        },
        check: async (assumptions, budget) => {
          for (const lemma of lemmas([...levels.flatMap(({ asserted }) => asserted), ...assumptions])) {
            if (levels.some((level) => level.lemmas.has(lemma))) continue;
            levels.at(-1)!.lemmas.add(lemma);
            session.assert(lemma);
          }
          const given = assumptions.map(rewrite);
          const answer = await session.check(given, budget);
          return answer.kind === 'unsat'
            ? { kind: 'unsat', core: assumptions.filter((_, i) => answer.core.includes(given[i]!)) }
            : asTold(answer, inModels);
        },
        close: () => session.close(),
      };
    },
    check: async (assertions: readonly Term[], budget: QueryBudget, options?: { readonly encoding?: Encoding }) =>
      asTold(await solver.check([...assertions.map(rewrite), ...lemmas(assertions)], budget, options), inModels),
  };
}

/** The model gives terms the values of what the solver was told in their place. */
function asTold(answer: Answer, inModels: (term: Term) => Term): Answer {
  if (answer.kind !== 'sat') return answer;
  const { model } = answer;
  return {
    kind: 'sat',
    model: {
      symbol: (symbol) => model.symbol(symbol),
      ...(model.partial ? { partial: true } : {}),
      evaluate: (term) => model.evaluate(inModels(term)),
    },
  };
}
