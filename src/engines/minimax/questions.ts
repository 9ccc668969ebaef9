/**
 * Queries about states: is a condition possible behind a path, is it implied, and which constraints of the head does
 * that take. A query is answered by folding constants, by a witness, or by the solver, in this order; only those
 * constraints that share symbols with the condition are sent. An answer `unknown` is never taken for one of the others.
 */
import * as L from '../../logic/build';
import { substitute, substituteAll, symbolsOf } from '../../logic/substitute';
import { postOrder } from '../../logic/traverse';
import type { SymbolTerm, Term, Value } from '../../logic/term';
import { conjunctsOf } from '../../abstraction/partition/preimage';
import type { TransitionSystem } from '../../abstraction/transitionSystem/transitionSystem';
import type { Answer, Model, QueryBudget, Session, Solver } from '../../solver/solver';
import type { StateConstraint, Definition, Head } from './constraints';
import { abstractReads, type AbstractReads, withoutReads } from './abstractReads';
import { valuesOf } from './labels';
import type { MinimaxStatistics } from './searchTree';
import type { SymbolicPath } from './symbolicPath';
import { WitnessState } from './witness';

export type Possible =
  | { readonly kind: 'possible'; readonly witness: WitnessState | undefined }
  /** `core`: constraints of the head without which it may be possible. */
  | { readonly kind: 'impossible'; readonly core: readonly StateConstraint[] }
  /** `abstract`: a state in which reads of memory are words of their own. */
  | { readonly kind: 'unknown'; readonly why: string; readonly abstract?: WitnessState };

export type Implied =
  | { readonly kind: 'implied'; readonly core: readonly StateConstraint[] }
  | {
      readonly kind: 'not implied';
      readonly witness: WitnessState | undefined;
      /** In place of a witness: a state in which reads of memory are words of their own. */
      readonly abstract?: WitnessState;
    };

/** An answer, or none with a model of the query without what memory contains. */
type AnswerOrAbstract = Answer & { readonly abstract?: Model };

/** A state described by a head, and the path from there. */
export interface Described {
  readonly head: Head;
  readonly path: SymbolicPath;
  readonly witness: WitnessState | undefined;
}

const limits = {
  /** Cores with more constraints are taken as the solver names them. */
  minimised: 10,
  /** Combinations of values that are tried out rather than asked about. */
  tried: 256,
  /** Values tried for a symbol that the condition mentions. */
  guesses: 24,
  /** For a query that reads what many writes have left, once it is known not to follow without them. */
  readsMs: 1000,
  /** With more writes, the solver does not answer, nor heed its limits. */
  readWrites: 1024,
  /** So many of these without an answer in a row, and no further one is sent. */
  readsUnanswered: 2,
} as const;

export class Questions {
  private session: Session | undefined;
  private readsUnanswered = 0;

  constructor(
    private readonly system: TransitionSystem,
    private readonly solver: Solver,
    /** Undefined: there is no time for a query, and its answer is `unknown`. */
    private readonly budget: () => QueryBudget | undefined,
    private readonly statistics: Pick<MinimaxStatistics, 'questions' | 'avoided'>,
  ) {}

  /**
   * Decides if some state described satisfies the terms, which are over the symbols at the path's begin. `assumed`:
   * these constraints count, besides those that are kept.
   */
  async possible(
    state: Described,
    terms: readonly Term[],
    wanted: 'core' | 'no core' = 'core',
    assumed: readonly StateConstraint[] = [],
  ): Promise<Possible> {
    const { head, path, witness } = state;
    if (assumed.length === 0 && terms.every((term) => term === L.TRUE))
      return this.countAvoided({ kind: 'possible', witness });
    if (witness?.holds(terms) && assumed.every(({ term }) => witness.holds([term])))
      return this.countAvoided({ kind: 'possible', witness });
    const definitions = head.definitions;
    const folded = read(terms, definitions);
    const impossible = folded.indexOf(L.FALSE);
    if (impossible !== -1) {
      this.statistics.avoided++;
      const term = terms[impossible]!;
      const core = definitionsNeeded(term, definitions);
      return { kind: 'impossible', core: wanted === 'core' ? await this.minimiseCore(core, [term]) : core };
    }
    if (assumed.length === 0) {
      const open = folded.filter((term) => term !== L.TRUE);
      if (open.length === 0) return this.countAvoided({ kind: 'possible', witness });
      const used = new Set([...definitions.values()].flatMap(({ by }) => by));
      const rest = head.kept.filter((constraint) => !used.has(constraint)).map(({ term }) => term);
      const relevant = connectedTerms(open, read([...path.conditions, ...rest], definitions), []).conditions;
      const guessed = witness && guess(witness, open, relevant);
      if (guessed) return this.countAvoided({ kind: 'possible', witness: defining(guessed, definitions) });
      if (wanted === 'no core') {
        const tried = tryAll([...relevant, ...open], witness ?? none);
        if (tried === 'none') return this.countAvoided({ kind: 'impossible', core: head.kept });
        if (tried) return this.countAvoided({ kind: 'possible', witness: defining(tried, definitions) });
        const answer = await this.ask([...relevant, ...open], [], witness, wanted);
        return answer.kind === 'possible' && answer.witness
          ? { ...answer, witness: defining(answer.witness, definitions) }
          : answer;
      }
    }
    const relevant = connectedTerms(terms, [...path.conditions], [...new Set([...head.kept, ...assumed])]);
    return this.ask([...relevant.conditions, ...terms], relevant.constraints, witness, wanted);
  }

  /** The definitions at the head alone make one of the terms false. */
  isRefuted({ head }: Described, terms: readonly Term[]): boolean {
    return read(terms, head.definitions).includes(L.FALSE);
  }

  /** The definitions at the head alone make all terms true. */
  isGiven({ head }: Described, terms: readonly Term[]): boolean {
    return read(terms, head.definitions).every((term) => term === L.TRUE);
  }

  /** Decides if all states described satisfy the term, which is over the symbols at the path's begin. */
  async implies(state: Described, term: Term, wanted: 'core' | 'no core' = 'core'): Promise<Implied> {
    const answer = await this.possible(state, [...conjunctsOf(L.not(term))], wanted);
    if (answer.kind === 'impossible') return { kind: 'implied', core: answer.core };
    if (answer.kind === 'possible') return { kind: 'not implied', witness: answer.witness };
    return { kind: 'not implied', witness: undefined, ...(answer.abstract && { abstract: answer.abstract }) };
  }

  /** A part of the terms that implies the goal with what holds on the path; undefined if not even all do. */
  async coreOf(given: readonly Term[], path: readonly Term[], goal: Term): Promise<readonly Term[] | undefined> {
    const answer = await this.assuming([...path, L.not(goal)], given);
    if (answer.kind !== 'unsat') return undefined;
    let core = answer.core;
    for (const term of core) {
      if (core.length > limits.minimised) break;
      const rest = core.filter((other) => other !== term);
      if ((await this.check([...path, ...rest, L.not(goal)])).kind === 'unsat') core = rest;
    }
    return core;
  }

  /** The terms contradict each other, whatever the state. */
  async contradictory(terms: readonly Term[]): Promise<boolean> {
    if (terms.some((term) => term === L.FALSE)) return true;
    return (await this.check(terms)).kind === 'unsat';
  }

  async check(terms: readonly Term[]): Promise<AnswerOrAbstract> {
    return this.assuming(terms, []);
  }

  /** In one session for all; a query in a fresh context follows where that gives up. */
  private async assuming(terms: readonly Term[], assumptions: readonly Term[]): Promise<AnswerOrAbstract> {
    if (terms.some((term) => term === L.FALSE)) return { kind: 'unsat', core: [] };
    const budget = this.budget();
    if (!budget) return noTime;
    this.statistics.questions++;
    const all = [...terms, ...assumptions];
    const axioms = this.system.vocabulary.readAxioms(all, new Set());
    const abstract = abstractReads([...all, ...axioms]);
    return abstract
      ? this.assumingReads(terms, assumptions, axioms, abstract, budget)
      : this.inSession([...terms, ...axioms], assumptions, budget);
  }

  /**
   * First without what memory contains. The exact query may keep the solver busy beyond its limits, and its failure
   * costs a path that is searched in vain.
   */
  private async assumingReads(
    terms: readonly Term[],
    assumptions: readonly Term[],
    axioms: readonly Term[],
    { terms: abstract, writes }: AbstractReads,
    budget: QueryBudget,
  ): Promise<AnswerOrAbstract> {
    const from = terms.length;
    const to = from + assumptions.length;
    const given = abstract.slice(from, to);
    const answer = await this.inSession([...abstract.slice(0, from), ...abstract.slice(to)], given, budget);
    if (answer.kind === 'unsat')
      return { kind: 'unsat', core: assumptions.filter((_, i) => answer.core.includes(given[i]!)) };
    if (writes > limits.readWrites || this.readsUnanswered >= limits.readsUnanswered)
      return { ...notAsked, ...(answer.kind === 'sat' && { abstract: answer.model }) };
    const rest = this.budget();
    if (!rest) return noTime;
    const exact = await this.solver.check([...terms, ...assumptions, ...axioms], {
      ...rest,
      timeoutMs: Math.min(rest.timeoutMs, limits.readsMs),
    });
    this.readsUnanswered = exact.kind === 'unknown' ? this.readsUnanswered + 1 : 0;
    return exact.kind === 'unsat' ? { kind: 'unsat', core: assumptions } : exact;
  }

  private async inSession(terms: readonly Term[], assumptions: readonly Term[], budget: QueryBudget): Promise<Answer> {
    const session = (this.session ??= this.solver.session());
    session.push();
    try {
      for (const term of terms) session.assert(term);
      const answer = await session.check(assumptions, budget);
      if (answer.kind !== 'unknown') return answer;
    } finally {
      session.pop();
    }
    const rest = this.budget();
    if (!rest) return noTime;
    const answer = await this.solver.check([...terms, ...assumptions], rest);
    return answer.kind === 'unsat' ? { kind: 'unsat', core: assumptions } : answer;
  }

  /** Ends the session with the solver. */
  close(): void {
    this.session?.close();
    this.session = undefined;
  }

  private async ask(
    hard: readonly Term[],
    constraints: readonly StateConstraint[],
    witness: WitnessState | undefined,
    wanted: 'core' | 'no core',
  ): Promise<Possible> {
    const terms = constraints.map(({ term }) => term);
    const answer = await (wanted === 'core' ? this.assuming(hard, terms) : this.check([...hard, ...terms]));
    switch (answer.kind) {
      case 'sat': {
        const isWhole = answer.model.partial !== true;
        const values = valuesIn(answer.model, [...hard, ...terms]);
        return { kind: 'possible', witness: isWhole ? (witness ?? none).with(values) : undefined };
      }
      case 'unknown': {
        const abstract = answer.abstract && none.with(valuesIn(answer.abstract, withoutReads([...hard, ...terms])));
        return { kind: 'unknown', why: answer.detail, ...(abstract && { abstract }) };
      }
      case 'unsat': {
        if (wanted === 'no core') return { kind: 'impossible', core: constraints };
        const core = constraints.filter(({ term }) => answer.core.includes(term));
        return { kind: 'impossible', core: await this.minimiseCore(core, hard) };
      }
    }
  }

  /** Removes what is not needed: those that are no max constraints first, equations before their halves. */
  private async minimiseCore(
    core: readonly StateConstraint[],
    hard: readonly Term[],
  ): Promise<readonly StateConstraint[]> {
    if (core.length === 0 || core.length > limits.minimised) return core;
    // A single equation whose halves are no constraints of their own.
    if (core.length === 1 && core[0]!.bound?.side === 'both') return core;
    let kept = core;
    const order = [...core].sort((a, b) => rank(a) - rank(b));
    for (const constraint of order) {
      if (constraint.isMax) continue;
      const rest = kept.filter((other) => other !== constraint);
      if ((await this.check([...hard, ...rest.map(({ term }) => term)])).kind === 'unsat') kept = rest;
    }
    return kept;
  }

  private countAvoided(answer: Possible): Possible {
    this.statistics.avoided++;
    return answer;
  }
}

const none = new WitnessState(new Map());
const notAsked: Answer = { kind: 'unknown', cause: 'resources', detail: 'it is too hard with what memory contains' };
const noTime: Answer = { kind: 'unknown', cause: 'timeout', detail: 'no time left' };

function valuesIn(model: Model, terms: readonly Term[]): readonly [SymbolTerm, Value][] {
  const mentioned = new Set(terms.flatMap((term) => [...symbolsOf(term)]));
  return [...mentioned].map((symbol) => [symbol, model.symbol(symbol)]);
}

const rank = ({ bound }: StateConstraint): number => (bound?.side === 'both' ? 0 : bound ? 2 : 1);

/** Conditions and constraints that share symbols with the terms, directly or through others. */
function connectedTerms(
  terms: readonly Term[],
  conditions: readonly Term[],
  constraints: readonly StateConstraint[],
): { readonly conditions: readonly Term[]; readonly constraints: readonly StateConstraint[] } {
  const reached = new Set<SymbolTerm>();
  for (const term of terms) for (const symbol of symbolsOf(term)) reached.add(symbol);
  let open = [
    ...conditions.map((term) => ({ term, constraint: undefined as StateConstraint | undefined })),
    ...constraints.map((constraint) => ({ term: constraint.term, constraint })),
  ];
  const found: typeof open = [];
  for (let grew = true; grew;) {
    grew = false;
    const rest: typeof open = [];
    for (const one of open) {
      const symbols = symbolsOf(one.term);
      if ([...symbols].some((symbol) => reached.has(symbol))) {
        for (const symbol of symbols) reached.add(symbol);
        found.push(one);
        grew = true;
      } else rest.push(one);
    }
    open = rest;
  }
  return {
    conditions: found.filter(({ constraint }) => !constraint).map(({ term }) => term),
    constraints: found.flatMap(({ constraint }) => constraint ?? []),
  };
}

/** A witness that differs from the given one in a symbol of the terms. */
function guess(witness: WitnessState, terms: readonly Term[], conditions: readonly Term[]): WitnessState | undefined {
  const failing = terms.filter((term) => witness.evaluate(term) !== true);
  const mentioned = new Set(failing.flatMap((term) => [...symbolsOf(term)]));
  if (mentioned.size > 3) return undefined;
  const literals = new Set<bigint>([0n, 1n]);
  for (const term of postOrder(failing))
    if (term.kind === 'bits') for (const near of [-1n, 0n, 1n]) literals.add(term.value + near);
  const all = [...terms, ...conditions];
  for (const symbol of mentioned) {
    if (symbol.sort.kind !== 'bits') continue;
    const { width } = symbol.sort;
    for (const literal of [...literals].slice(0, limits.guesses)) {
      const tried = witness.with([[symbol, BigInt.asUintN(width, literal)]]);
      if (tried.holds(failing) && tried.holds(all)) return tried;
    }
  }
  return undefined;
}

/** Values that bounds leave to the symbols, if they are few: one that satisfies the terms, or that there is none. */
function tryAll(terms: readonly Term[], witness: WitnessState): WitnessState | 'none' | undefined {
  const symbols = [...new Set(terms.flatMap((term) => [...symbolsOf(term)]))];
  const domains: (readonly Term[])[] = [];
  let count = 1;
  for (const symbol of symbols) {
    const values = count <= limits.tried ? valuesOf(symbol, terms) : undefined;
    if (!values) return undefined;
    domains.push(values);
    count *= values.length;
  }
  if (count > limits.tried) return undefined;
  for (let i = 0; i < count; i++) {
    let rest = i;
    const chosen = symbols.map((symbol, k): [SymbolTerm, Value] => {
      const value = domains[k]![rest % domains[k]!.length]!;
      rest = Math.floor(rest / domains[k]!.length);
      return [symbol, (value as Extract<Term, { kind: 'bits' }>).value];
    });
    const tried = witness.with(chosen);
    const values = terms.map((term) => tried.evaluate(term));
    if (values.includes(undefined)) return undefined;
    if (values.every((value) => value === true)) return tried;
  }
  return 'none';
}

/** The witness with the values that definitions give. */
function defining(witness: WitnessState, definitions: Definitions): WitnessState | undefined {
  const values: [SymbolTerm, Value][] = [];
  for (const [symbol, { value }] of definitions) {
    const computed = witness.evaluate(value);
    if (computed === undefined) return undefined;
    values.push([symbol, computed]);
  }
  return values.length === 0 ? witness : witness.with(values);
}

type Definitions = ReadonlyMap<SymbolTerm, Definition>;

function read(terms: readonly Term[], definitions: Definitions): Term[] {
  const map = new Map<Term, Term>();
  for (const term of terms)
    for (const symbol of symbolsOf(term)) {
      const definition = definitions.get(symbol);
      if (definition) map.set(symbol, definition.value);
    }
  return map.size === 0 ? [...terms] : substituteAll(terms, map);
}

/** Constraints of definitions that make the term false. */
function definitionsNeeded(term: Term, definitions: Definitions): readonly StateConstraint[] {
  const mentioned = [...symbolsOf(term)].filter((symbol) => definitions.has(symbol));
  const isFalse = (symbols: readonly SymbolTerm[]): boolean =>
    substitute(term, new Map(symbols.map((symbol) => [symbol, definitions.get(symbol)!.value]))) === L.FALSE;
  let needed: readonly SymbolTerm[] = mentioned;
  for (const symbol of mentioned) {
    const rest = needed.filter((other) => other !== symbol);
    if (isFalse(rest)) needed = rest;
  }
  return [...new Set(needed.flatMap((symbol) => definitions.get(symbol)!.by))];
}

/** Terms over a node's symbols, with what its head defines. */
export function withDefinitions({ head, path }: Described, terms: readonly Term[]): Term[] {
  return read(path.read(terms), head.definitions);
}
