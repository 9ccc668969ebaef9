/**
 * A solver for questions about whole executions, whose arrays come from nowhere but the program's beginning: it is
 * asked about elements (`logic/elementwise.ts`), which are words, and as the question stands only where there are no
 * arrays, or when that was in vain.
 */
import { performance } from 'node:perf_hooks';
import { elementwise } from '../../logic/arrays/elementwise';
import type { Term } from '../../logic/term';
import type { Answer, QueryBudget, Solver } from '../solver';
import { allOf, aroundQueries } from './aroundQueries';

/** Times the units of a budget: those of the SAT solver buy less. */
const units = 10;
const shareOfTime = 0.8;

export function elementByElement(solver: Solver): Solver {
  const elementsFirst = async (
    terms: readonly Term[],
    { timeoutMs, resources }: QueryBudget,
    asItStands: (budget: QueryBudget) => Promise<Answer>,
  ): Promise<Answer> => {
    const end = performance.now() + timeoutMs;
    const words = elementwise(terms);
    if (words) {
      const answer = await solver.check(
        words,
        { timeoutMs: timeoutMs * shareOfTime, ...(resources !== undefined && { resources: resources * units }) },
        { encoding: 'bits' },
      );
      if (answer.kind !== 'unknown' || answer.cause === 'interrupted') return answer;
    }
    return asItStands({
      timeoutMs: Math.max(1, end - performance.now()),
      ...(resources !== undefined && { resources }),
    });
  };
  return aroundQueries(solver, async (query) => {
    const answer = await elementsFirst(allOf(query), query.budget, query.ask);
    return answer.kind === 'unsat' ? { kind: 'unsat', core: query.assumptions } : answer;
  });
}
