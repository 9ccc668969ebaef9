/** A solver that is not asked what a cheaper procedure refutes. */
import type { Term } from '../../logic/term';
import type { Solver } from '../solver';
import { allOf, aroundQueries } from './aroundQueries';

/** `refutes`: true only of terms that cannot hold together. */
export const withRefutation = (solver: Solver, refutes: (terms: readonly Term[]) => boolean): Solver =>
  aroundQueries(solver, async (query) =>
    refutes(allOf(query)) ? { kind: 'unsat', core: query.assumptions } : query.ask(query.budget),
  );
