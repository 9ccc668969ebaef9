/**
 * A solver that is not asked about quantifiers: formulas with them are asked about by instances (`logic/instances.ts`).
 * `unsat` is as good as ever. A model is one of the instances only and says so (`partial`), and of what it is asked
 * about quantified formulas it knows only what fails there: for engines that a model tells what not to believe, never
 * for one that takes it for a state.
 */
import { atWitnesses, hasQuantifier, instantiate } from '../logic/instances';
import type { SymbolTerm, Term } from '../logic/term';
import type { Answer, Encoding, Model, QueryBudget, Session, Solver, SolverStatistics } from './solver';

/** `instances`: who is asked about instances, if somebody else should be. */
export function withInstantiation(solver: Solver, instances = solver): Solver {
  return {
    name: solver.name,
    get statistics(): SolverStatistics {
      return solver.statistics;
    },
    close: () => solver.close(),
    session: (options?: { readonly encoding?: Encoding }) =>
      new InstantiatedSession(solver.session(options), () => instances.session(options)),
    async check(
      assertions: readonly Term[],
      budget: QueryBudget,
      options?: { readonly encoding?: Encoding },
    ): Promise<Answer> {
      if (!assertions.some(hasQuantifier)) return solver.check(assertions, budget, options);
      const { terms, witnesses } = instantiate(assertions);
      return partial(await instances.check(terms, budget, options), witnesses);
    },
  };
}

/** Single questions by instances, and as they stand where a model is one of the instances only. */
export function withExactFallback(instances: Solver, exact: Solver): Solver {
  return {
    ...instances,
    get statistics(): SolverStatistics {
      return exact.statistics;
    },
    async check(
      assertions: readonly Term[],
      budget: QueryBudget,
      options?: { readonly encoding?: Encoding },
    ): Promise<Answer> {
      const answer = await instances.check(assertions, budget, options);
      return answer.kind === 'sat' && answer.model.partial && assertions.some(hasQuantifier)
        ? exact.check(assertions, budget, options)
        : answer;
    },
  };
}

class InstantiatedSession implements Session {
  /** All assertions: where they read arrays is where instances are wanted. */
  private readonly frames: Term[][] = [[]];

  private quantified = false;

  constructor(
    private session: Session,
    private readonly forInstances: () => Session,
  ) {}

  assert(term: Term): void {
    if (hasQuantifier(term) && !this.quantified) this.changeOver();
    this.frames[this.frames.length - 1]!.push(term);
    if (!hasQuantifier(term)) this.session.assert(term);
  }

  private changeOver(): void {
    this.quantified = true;
    this.session.close();
    this.session = this.forInstances();
    this.frames.forEach((frame, i) => {
      if (i > 0) this.session.push();
      for (const term of frame) this.session.assert(term);
    });
  }

  push(): void {
    this.frames.push([]);
    this.session.push();
  }

  pop(): void {
    this.session.pop();
    this.frames.pop();
  }

  async check(assumptions: readonly Term[], budget: QueryBudget): Promise<Answer> {
    if (assumptions.some(hasQuantifier) && !this.quantified) this.changeOver();
    const all = [...this.frames.flat(), ...assumptions];
    if (!all.some(hasQuantifier)) return this.session.check(assumptions, budget);
    const told = new Set(all.filter((term) => !hasQuantifier(term)));
    this.session.push();
    try {
      const { terms, witnesses } = instantiate(all);
      for (const term of terms) if (!told.has(term)) this.session.assert(term);
      return partial(
        await this.session.check(
          assumptions.filter((term) => !hasQuantifier(term)),
          budget,
        ),
        witnesses,
      );
    } finally {
      this.session.pop();
    }
  }

  close(): void {
    this.session.close();
  }
}

function partial(answer: Answer, witnesses: readonly SymbolTerm[]): Answer {
  if (answer.kind !== 'sat') return answer;
  const { model } = answer;
  const weaker: Model = {
    symbol: (symbol) => model.symbol(symbol),
    evaluate: (term) => model.evaluate(atWitnesses(term, witnesses)),
    partial: true,
  };
  return { kind: 'sat', model: weaker };
}
