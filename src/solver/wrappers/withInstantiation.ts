/**
 * A solver that is not asked about quantifiers: formulas with them are asked about by instances (`logic/instances.ts`).
 * `unsat` is as good as ever. A model is one of the instances only and says so (`partial`), and of what it is asked
 * about quantified formulas it knows only what fails there: for engines that a model tells what not to believe, never
 * for one that takes it for a state.
 */
import { arrayValue, defaultValue } from '../../logic/arrays/arrayValue';
import { call } from '../../logic/call';
import { evaluate } from '../../logic/evaluate';
import { atWitnesses, hasQuantifier, instantiate } from '../../logic/quantifiers/instances';
import { hasChains, LinkedInstances, type ArrayRead } from '../../logic/links/instances';
import { literal } from '../../logic/literal';
import type { SymbolTerm, Term, Value } from '../../logic/term';
import type { Answer, Encoding, Model, QueryBudget, Session, Solver, SolverStatistics } from '../solver';

/**
 * `instances`: who is asked about instances, if somebody else should be; `links`: about those of links, which have no
 * arrays.
 */
export function withInstantiation(solver: Solver, instances = solver, links = solver): Solver {
  return {
    name: solver.name,
    get statistics(): SolverStatistics {
      return solver.statistics;
    },
    close: () => solver.close(),
    session: (options?: { readonly encoding?: Encoding }) =>
      new InstantiatedSession(
        solver.session(options),
        () => instances.session(options),
        () => links.session(options?.encoding ? options : { encoding: 'integers' }),
      ),
    async check(
      assertions: readonly Term[],
      budget: QueryBudget,
      options?: { readonly encoding?: Encoding },
    ): Promise<Answer> {
      if (hasChains(assertions)) {
        const linked = new LinkedInstances();
        const { lasting, others, witnesses } = linked.of([], assertions);
        const terms = [...lasting, ...others];
        const answer = await checkLinked(links, terms, budget, options);
        return ofArrays(answer, () => linked.readsIn(terms), witnesses);
      }
      if (!assertions.some(hasQuantifier)) return solver.check(assertions, budget, options);
      const { terms, witnesses } = instantiate(assertions);
      return partial(await instances.check(terms, budget, options), witnesses);
    },
  };
}

/**
 * Asks about links in integers alone: object numbers are only compared, and the queries of doubly linked lists took 3
 * to 30 times the effort in words.
 */
async function checkLinked(
  solver: Solver,
  terms: readonly Term[],
  budget: QueryBudget,
  options: { readonly encoding?: Encoding } | undefined,
): Promise<Answer> {
  if (options?.encoding) return solver.check(terms, budget, options);
  const session = solver.session({ encoding: 'integers' });
  try {
    for (const term of terms) session.assert(term);
    return await session.check([], budget);
  } finally {
    session.close();
  }
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
  /** For queries with chains: their reduction, the session that solves it, and the terms it was told for good. */
  private linked:
    { readonly instances: LinkedInstances; readonly session: Session; readonly told: Set<Term> } | undefined;

  constructor(
    private session: Session,
    private readonly forInstances: () => Session,
    private readonly forLinks: () => Session,
  ) {}

  assert(term: Term): void {
    if (hasQuantifier(term) && !this.quantified) this.changeOver();
    this.frames[this.frames.length - 1]!.push(term);
    if (isAsserted(term)) this.session.assert(term);
  }

  private changeOver(): void {
    this.quantified = true;
    this.session.close();
    this.session = this.forInstances();
    this.frames.forEach((frame, i) => {
      if (i > 0) this.session.push();
      for (const term of frame) if (isAsserted(term)) this.session.assert(term);
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
    if (hasChains(all)) return this.checkLinked(assumptions, budget);
    if (!all.some(hasQuantifier)) return this.session.check(assumptions, budget);
    const told = new Set(all.filter((term) => !hasQuantifier(term)));
    this.session.push();
    try {
      const { terms, witnesses } = instantiate(all);
      for (const term of terms) if (!told.has(term)) this.session.assert(term);
      const answer = await this.session.check(
        assumptions.filter((term) => !hasQuantifier(term)),
        budget,
      );
      return partial(usingAll(answer, assumptions.filter(hasQuantifier)), witnesses);
    } finally {
      this.session.pop();
    }
  }

  /** The session of such queries keeps what follows from the first frame, which is never dropped. */
  private async checkLinked(assumptions: readonly Term[], budget: QueryBudget): Promise<Answer> {
    // A name stands for itself in the reduction and can be assumed of it.
    const names = assumptions.filter(({ kind }) => kind === 'symbol');
    const others = assumptions.filter(({ kind }) => kind !== 'symbol');
    this.linked ??= { instances: new LinkedInstances(), session: this.forLinks(), told: new Set() };
    const { instances, session, told } = this.linked;
    const {
      lasting,
      others: rest,
      witnesses,
    } = instances.of(this.frames[0]!, [...this.frames.slice(1).flat(), ...others]);
    for (const term of lasting) {
      if (told.has(term)) continue;
      told.add(term);
      session.assert(term);
    }
    session.push();
    try {
      for (const term of rest) if (!told.has(term)) session.assert(term);
      const answer = usingAll(await session.check(names, budget), others);
      return ofArrays(answer, () => instances.readsIn([...told, ...rest]), witnesses);
    } finally {
      session.pop();
    }
  }

  close(): void {
    this.session.close();
    this.linked?.session.close();
  }
}

/** An answer to a question that some assumptions were asserted for: its core is taken to use them. */
const usingAll = (answer: Answer, asserted: readonly Term[]): Answer =>
  answer.kind === 'unsat' ? { kind: 'unsat', core: [...answer.core, ...asserted] } : answer;

const isAsserted = (term: Term): boolean => !hasQuantifier(term) && !hasChains([term]);

/** A model in which arrays have the elements that the query read of them. */
function ofArrays(answer: Answer, reads: () => readonly ArrayRead[], witnesses: readonly SymbolTerm[]): Answer {
  if (answer.kind !== 'sat') return answer;
  const { model } = answer;
  const elements = new Map<SymbolTerm, (readonly [bigint, Value])[]>();
  for (const { array, index, value } of reads()) {
    const pair = [model.evaluate(index) as bigint, model.evaluate(value)] as const;
    const known = elements.get(array);
    if (known) known.push(pair);
    else elements.set(array, [pair]);
  }
  const arrays = new Map<SymbolTerm, Value>();
  for (const [array, pairs] of elements)
    if (array.sort.kind === 'array')
      arrays.set(array, arrayValue(defaultValue(array.sort.element), pairs, array.sort.element));
  const symbol = (s: SymbolTerm): Value => arrays.get(s) ?? model.symbol(s);
  const weaker: Model = {
    symbol,
    evaluate: (term) =>
      evaluate(atWitnesses(term, witnesses), symbol, (name, args, application) =>
        model.evaluate(call(name, application.sort, ...args.map((arg, i) => literal(arg, application.args[i]!.sort)!))),
      ),
    partial: true,
  };
  return { kind: 'sat', model: weaker };
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
