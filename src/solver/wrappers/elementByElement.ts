/**
 * A solver for questions about whole executions, whose arrays come from nowhere but the program's beginning: it is
 * asked about elements (`logic/elementwise.ts`), which are words, and as the question stands only where there are no
 * arrays, or when that was in vain.
 */
import { performance } from 'node:perf_hooks';
import { elementwise } from '../../logic/arrays/elementwise';
import type { Term } from '../../logic/term';
import type { Answer, Encoding, QueryBudget, Session, Solver, SolverStatistics } from '../solver';

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
  return {
    name: solver.name,
    get statistics(): SolverStatistics {
      return solver.statistics;
    },
    close: () => solver.close(),
    session(options?: { readonly encoding?: Encoding }): Session {
      const session = solver.session(options);
      const frames: Term[][] = [[]];
      return {
        assert: (term) => {
          frames.at(-1)!.push(term);
          session.assert(term);
        },
        push: () => {
          frames.push([]);
          session.push();
        },
        pop: () => {
          frames.pop();
          session.pop();
        },
        check: async (assumptions, budget) => {
          const answer = await elementsFirst([...frames.flat(), ...assumptions], budget, (rest) =>
            session.check(assumptions, rest),
          );
          return answer.kind === 'unsat' ? { kind: 'unsat', core: assumptions } : answer;
        },
        close: () => session.close(),
      };
    },
    check: (assertions: readonly Term[], budget: QueryBudget, options?: { readonly encoding?: Encoding }) =>
      elementsFirst(assertions, budget, (rest) => solver.check(assertions, rest, options)),
  };
}
