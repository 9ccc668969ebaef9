/**
 * A solver that is asked with symbols in place of products and quotients of unknown values first: mostly the answer
 * does not hang on what these are, and the circuits of one division make a question dear. What has no model then has
 * none; a model is one if the terms hold under it as they are. Else the terms are asked about as they are.
 */
import { NonlinearAbstraction } from '../../logic/nonlinear';
import type { Term } from '../../logic/term';
import { allHold } from '../model';
import type { Answer, QueryBudget, Session, SessionOptions, Solver, SolverStatistics } from '../solver';

/** Effort of the first question: little, since the other may follow. */
const limits = { resources: 1_000_000, shareOfTime: 0.3 } as const;

export function withNonlinearAbstraction(solver: Solver): Solver {
  const abstraction = new NonlinearAbstraction();
  return {
    name: solver.name,
    get statistics(): SolverStatistics {
      return solver.statistics;
    },
    close: () => solver.close(),
    session: (options) => new AbstractingSession(solver, abstraction, options),
    check: async (terms, budget, options) => {
      const exact = (rest: QueryBudget): Promise<Answer> => solver.check(terms, rest, options);
      if (!terms.some((term) => abstraction.changes(term))) return exact(budget);
      const facts = terms.flatMap((term) => abstraction.factsOf(term));
      const abstract = [...terms.map((term) => abstraction.of(term)), ...facts];
      return refined(terms, budget, (less) => solver.check(abstract, less, options), exact);
    },
  };
}

async function refined(
  terms: readonly Term[],
  budget: QueryBudget,
  abstract: (budget: QueryBudget) => Promise<Answer>,
  exact: (budget: QueryBudget) => Promise<Answer>,
): Promise<Answer> {
  const begun = performance.now();
  const answer = await abstract({
    timeoutMs: budget.timeoutMs * limits.shareOfTime,
    resources: Math.min(budget.resources ?? Infinity, limits.resources),
  });
  if (answer.kind === 'unsat' || (answer.kind === 'sat' && allHold(answer.model, terms))) return answer;
  if (answer.kind === 'unknown' && answer.cause === 'interrupted') return answer;
  return exact({ ...budget, timeoutMs: Math.max(1, budget.timeoutMs - (performance.now() - begun)) });
}

class AbstractingSession implements Session {
  private readonly levels: Term[][] = [[]];
  /** It gets the terms themselves while there is nothing to replace. */
  private readonly abstract: Session;
  private exact: Session | undefined;

  constructor(
    private readonly solver: Solver,
    private readonly abstraction: NonlinearAbstraction,
    private readonly options: SessionOptions | undefined,
  ) {
    this.abstract = solver.session(options);
  }

  assert(term: Term): void {
    this.levels.at(-1)!.push(term);
    this.assertAbstract(term);
    this.exact?.assert(term);
  }

  push(): void {
    this.levels.push([]);
    this.abstract.push();
    this.exact?.push();
  }

  pop(): void {
    this.levels.pop();
    this.abstract.pop();
    this.exact?.pop();
  }

  async check(assumptions: readonly Term[], budget: QueryBudget): Promise<Answer> {
    const terms = [...this.levels.flat(), ...assumptions];
    if (!terms.some((term) => this.abstraction.changes(term))) return this.abstract.check(assumptions, budget);
    return refined(
      terms,
      budget,
      (less) => this.checkAbstract(assumptions, less),
      (rest) => this.exactly().check(assumptions, rest),
    );
  }

  close(): void {
    this.abstract.close();
    this.exact?.close();
  }

  private async checkAbstract(assumptions: readonly Term[], budget: QueryBudget): Promise<Answer> {
    const given = assumptions.map((term) => this.abstraction.of(term));
    this.abstract.push();
    for (const term of assumptions) for (const fact of this.abstraction.factsOf(term)) this.abstract.assert(fact);
    const answer = await this.abstract.check(given, budget);
    this.abstract.pop();
    return answer.kind === 'unsat'
      ? { kind: 'unsat', core: assumptions.filter((_, i) => answer.core.includes(given[i]!)) }
      : answer;
  }

  private assertAbstract(term: Term): void {
    this.abstract.assert(this.abstraction.of(term));
    for (const fact of this.abstraction.factsOf(term)) this.abstract.assert(fact);
  }

  private exactly(): Session {
    if (this.exact) return this.exact;
    this.exact = this.solver.session(this.options);
    this.levels.forEach((level, i) => {
      if (i > 0) this.exact!.push();
      for (const term of level) this.exact!.assert(term);
    });
    return this.exact;
  }
}
