/**
 * The checker of a certificate's claims on a transition system: few queries for each transition and context. It uses
 * nothing of an engine but its claims.
 */
import * as L from '../../logic/build';
import { NotComputable } from '../../logic/evaluate';
import { literal } from '../../logic/literal';
import { hasQuantifier } from '../../logic/quantifiers/instances';
import { withOneWitness } from '../../logic/quantifiers/oneWitness';
import { substituteAll } from '../../logic/substitute';
import { symbolsOf } from '../../logic/symbols';
import type { Term } from '../../logic/term';
import { ConcreteView } from '../../abstraction/transitionSystem/concreteView';
import type { Cutpoint } from '../../abstraction/transitionSystem/cutpoint';
import type { Valuation } from '../../abstraction/predicates/predicateAbstraction';
import { initialStateOfClient } from '../../abstraction/transitionSystem/initialState';
import { type TransitionSystem, type Transition } from '../../abstraction/transitionSystem/transitionSystem';
import type { Check } from '../../program/command';
import { Machine } from '../../semantics/concrete/machine';
import { anyViolated } from '../../semantics/symbolic/violations';
import type { Obligation } from '../../semantics/symbolic/segment';
import { FreshSymbols } from '../../semantics/symbolic/symbolicValues';
import { compile } from '../../logic/compile';
import type { QueryBudget, Solver } from '../../solver/solver';

export interface CertificateEntry {
  /** Hold in every state here. */
  readonly invariants: readonly Term[];
  readonly predicates: readonly Term[];
  /** Allowed valuations by context ('' where contexts are not distinguished). */
  readonly states: readonly (readonly [Valuation, readonly Valuation[]])[];
}
const limits = {
  /**
   * Checks of a segment in one question; claims with quantifiers in one, each of which brings an element of its own;
   * how long a question is tried before parts of it are asked; and how many those are.
   */
  checksOfQuestion: 64,
  quantifiedOfQuestion: 4,
  questionMs: 2000,
  partsOfQuestion: 8,
} as const;
export type CertifyResult =
  | {
      readonly kind: 'certified';
      /** Checks in force in the code that was analysed. */ readonly obligations: number;
      readonly queries: number;
    }
  | { readonly kind: 'refuted'; readonly why: string }
  | { readonly kind: 'unknown'; readonly why: string };

/** Every edge of an analysed function lies behind some cutpoint without another in between; undefined: all do. */
export function edgeBehindNoCutpoint(system: TransitionSystem): string | undefined {
  for (const fn of system.functions) {
    const covered = new Set<number>();
    for (const point of system.points) {
      if (point.fn !== fn) continue;
      const work = [point.location];
      const seen = new Set(work);
      for (let location = work.pop(); location; location = work.pop()) {
        for (const edge of location.edges) {
          covered.add(edge.index);
          if (seen.has(edge.to) || system.at(edge.to)) continue;
          seen.add(edge.to);
          work.push(edge.to);
        }
      }
    }
    if (covered.size !== fn.edges.length) return `part of ${fn.name} lies behind no cutpoint`;
  }
  return undefined;
}

const conjuncts = (term: Term): readonly Term[] =>
  L.isApplication(term, 'and') ? term.args.flatMap(conjuncts) : [term];

interface GuardedClaim {
  readonly guard: Term;
  readonly claim: Term;
}

interface ClosureQuery {
  readonly known: readonly Term[];
  readonly claims: readonly GuardedClaim[];
}

export class CertificateChecker {
  queries = 0;
  private readonly allowed: readonly ReadonlyMap<Valuation, ReadonlySet<Valuation>>[];

  constructor(
    private readonly system: TransitionSystem,
    /** In the order of the system's cutpoints. */
    private readonly certificate: readonly CertificateEntry[],
    private readonly solver: Solver,
    private readonly budget: () => QueryBudget,
  ) {
    this.allowed = certificate.map(
      ({ states }) => new Map(states.map(([context, valuations]) => [context, new Set(valuations)])),
    );
  }

  /**
   * Checks without a solver: exits handed to the client, contexts that begin with themselves, edges that no segment
   * forgot.
   */
  structure(): string | undefined {
    const { system } = this;
    const { client } = system;
    for (const point of system.points) {
      // A symbol of a transition's own (an input, a havoc) would be constrained by what is claimed of states.
      const known = new Set<Term>(system.vocabulary.symbolsFor(point.fn));
      const { invariants, predicates } = this.certificate[point.index]!;
      const foreign = [...invariants, ...predicates]
        .flatMap((term) => [...symbolsOf(term)])
        .find((symbol) => !known.has(symbol));
      if (foreign) return `the invariant of ${point.fn.name} mentions ${foreign.name}, which is no part of the state`;
    }
    if (client) {
      const states = this.allowed[client.index]!.get('') ?? new Set();
      const predicates = this.certificate[client.index]!.predicates;
      for (const point of system.points) {
        if (point.kind !== 'exit' || !(system.options.entries.includes(point.fn) || point.fn === system.options.init))
          continue;
        if (predicates.some((term, i) => this.certificate[point.index]!.predicates[i] !== term))
          return `the exit of ${point.fn.name} does not say what the client may rely on`;
        for (const valuations of this.allowed[point.index]!.values()) {
          for (const valuation of valuations)
            if (!states.has(valuation.slice(0, predicates.length)))
              return `${point.fn.name} can return in a state the client does not allow`;
        }
      }
    }
    for (const point of system.points) {
      if (point.kind !== 'entry' || !point.tracksContext) continue;
      for (const [context, valuations] of this.allowed[point.index]!) {
        if (valuations.size !== 1 || !valuations.has(context))
          return `a context of ${point.fn.name} does not begin with itself`;
      }
    }
    return edgeBehindNoCutpoint(system);
  }

  /** The client's first state. */
  async begin(): Promise<CertifyResult | undefined> {
    const { client, options, program, vocabulary } = this.system;
    if (!client || options.init) return undefined;
    const machine = new Machine(program);
    const view = new ConcreteView(vocabulary, {
      globals: machine.globals,
      memory: machine.memory,
      activation: undefined,
      activations: [],
    });
    const { predicates, invariants } = this.certificate[client.index]!;
    const truths = [];
    for (const term of [...invariants, ...predicates]) {
      const truth = await this.truthIn(view, term);
      if (truth === undefined)
        return { kind: 'unknown', why: 'what is claimed of the initial state could not be computed' };
      truths.push(truth);
    }
    if (truths.slice(0, invariants.length).includes(false))
      return { kind: 'refuted', why: 'the initial state contradicts the invariant' };
    const initial = truths
      .slice(invariants.length)
      .map((truth) => (truth ? '1' : '0'))
      .join('');
    return this.allowed[client.index]!.get('')?.has(initial)
      ? undefined
      : { kind: 'refuted', why: 'the initial state is not allowed' };
  }

  /**
   * Asks the solver if a quantifier ranges over too much to be tried out. An array that cannot list its elements, as
   * reachability, stays a symbol: what follows for all its values follows for the one it has.
   */
  private async truthIn(view: ConcreteView, term: Term): Promise<boolean | undefined> {
    try {
      return compile(term)(view.value) === true;
    } catch (error) {
      if (!(error instanceof NotComputable)) throw error;
    }
    const state = new Map<Term, Term>();
    for (const symbol of symbolsOf(term)) {
      const value = literal(view.value(symbol), symbol.sort);
      if (value) state.set(symbol, value);
    }
    const [here] = substituteAll([term], state);
    if ((await this.unsatisfiable([L.not(here!)])) === 'yes') return true;
    return (await this.unsatisfiable([here!])) === 'yes' ? false : undefined;
  }

  /** A client's initial state is allowed, whatever objects it made before the first call. */
  async checkStart(): Promise<CertifyResult | undefined> {
    const { client, options, program, vocabulary } = this.system;
    if (
      !client ||
      options.init ||
      !options.entries.some((fn) => fn.parameters.some(({ type }) => type.kind === 'pointer'))
    )
      return undefined;
    const state = { ...initialStateOfClient(program, vocabulary, new FreshSymbols('start')), locals: [], objects: [] };
    const binding = vocabulary.binding(client.fn, state);
    const known = substituteAll(vocabulary.wellFormed(client.fn, client.location), binding);
    const result = await this.unsatisfiable([
      ...known,
      L.not(this.cubes(client, this.allowed[client.index]!.get('') ?? new Set(), binding)),
    ]);
    if (result === 'yes') return undefined;
    return {
      kind: result === 'no' ? 'refuted' : 'unknown',
      why: result === 'no' ? 'the objects that a client has made before are not allowed for' : result,
    };
  }

  /** Whatever holds between calls holds at every exit that returns to the client. */
  async handedOver(): Promise<CertifyResult | undefined> {
    const { client } = this.system;
    if (!client) return undefined;
    for (const point of this.exitsToClient()) {
      const here = this.certificate[point.index]!.invariants;
      const missing = this.certificate[client.index]!.invariants.filter((invariant) => !here.includes(invariant));
      if (missing.length === 0) continue;
      const result = await this.unsatisfiable([
        ...this.system.vocabulary.wellFormed(point.fn, point.location),
        ...here,
        L.not(L.and(...missing)),
      ]);
      if (result !== 'yes')
        return {
          kind: result === 'no' ? 'refuted' : 'unknown',
          why: `the exit of ${point.fn.name} does not keep the invariant`,
        };
    }
    return undefined;
  }

  async checkClosed(transition: Transition): Promise<CertifyResult | undefined> {
    for (const { known, claims } of this.closure(transition)) {
      const result = await this.checkImplied(known, claims);
      if (result !== 'yes')
        return {
          kind: result === 'no' ? 'refuted' : 'unknown',
          why:
            `${this.describe(transition)}: ` +
            `${result === 'no' ? 'a state beyond the invariant can be reached' : result}`,
        };
    }
    return undefined;
  }

  /** The implications, one for each context, by which no step of the transition leaves what is allowed. */
  private closure(transition: Transition): readonly ClosureQuery[] {
    const enters = transition.kind === 'call' || transition.kind === 'client' || transition.kind === 'start';
    const { from } = transition;
    const contexts: readonly Valuation[] = from ? [...this.allowed[from.index]!.keys()] : [''];
    return contexts.map((context) => {
      const sources = from ? this.cubes(from, this.allowed[from.index]!.get(context)!, new Map()) : L.TRUE;
      const parts: Term[] = [...transition.axioms, sources, ...this.passedCubes(transition)];
      if (transition.summary) {
        const { entry, entryState, exit, exitState } = transition.summary;
        const pairs: Term[] = [];
        for (const [callee, leaving] of this.allowed[exit.index]!) {
          pairs.push(
            L.and(
              exit.tracksContext
                ? this.cubes(entry, new Set([callee]), this.system.vocabulary.binding(entry.fn, entryState))
                : L.TRUE,
              this.cubes(exit, leaving, this.system.vocabulary.binding(exit.fn, exitState)),
            ),
          );
        }
        parts.push(L.or(...pairs));
      }
      const claims = transition.ends.flatMap(({ point, guard, state }) => {
        const table = this.allowed[point.index]!;
        const target =
          enters && point.tracksContext
            ? new Set(table.keys())
            : (table.get(point.tracksContext ? context : '') ?? new Set<Valuation>());
        const binding = this.system.vocabulary.binding(point.fn, state);
        return this.claims(point, target, binding).map((claim) => ({ guard, claim }));
      });
      // A claim that is allowed before a step and is not about what it changes is the same formula behind it.
      const given = new Set(parts.flatMap(conjuncts));
      return { known: parts, claims: claims.filter(({ claim }) => !given.has(claim)) };
    });
  }

  private exitsToClient(): readonly Cutpoint[] {
    const { points, options } = this.system;
    return points.filter(({ kind, fn }) => kind === 'exit' && (options.entries.includes(fn) || fn === options.init));
  }

  async safe(transition: Transition): Promise<CertifyResult | undefined> {
    const { segment, from } = transition;
    if (!segment || !from) return undefined;
    const { obligations } = segment;
    const known = this.knownIn(transition);
    for (let i = 0; i < obligations.length; i += limits.checksOfQuestion) {
      const failure = await this.holding(obligations.slice(i, i + limits.checksOfQuestion), known);
      if (failure) return failure;
    }
    return undefined;
  }

  /**
   * The checks of a transition that cannot be certified: they may fail, or there was no time to prove them. `open`:
   * those that are not asked.
   */
  async failing(transition: Transition, open: ReadonlySet<Check>, isTime: () => boolean): Promise<readonly Check[]> {
    const { segment, from } = transition;
    if (!segment || !from) return [];
    const known = this.knownIn(transition);
    const failing: Check[] = [];
    const work: (readonly Obligation[])[] = [segment.obligations.filter(({ check }) => !open.has(check))];
    for (let group = work.pop(); group; group = work.pop()) {
      if (group.length === 0) continue;
      if (isTime() && (await this.unsatisfiable([...known, anyViolated(group)])) === 'yes') continue;
      if (group.length === 1 || !isTime()) {
        failing.push(...group.map(({ check }) => check));
        continue;
      }
      const middle = Math.ceil(group.length / 2);
      work.push(group.slice(0, middle), group.slice(middle));
    }
    return failing;
  }

  /** In the states from which a segment begins. */
  private knownIn(transition: Transition): readonly Term[] {
    const { from } = transition;
    const every = new Set([...this.allowed[from!.index]!.values()].flatMap((valuations) => [...valuations]));
    return [...transition.axioms, this.cubes(from!, every, new Map()), ...this.passedCubes(transition)];
  }

  /** Splits obligations that are too much for one question. */
  private async holding(
    obligations: readonly Obligation[],
    known: readonly Term[],
  ): Promise<CertifyResult | undefined> {
    const [only, ...others] = obligations;
    const result = await this.unsatisfiable(
      [...known, anyViolated(obligations)],
      others.length === 0 ? this.budget() : this.brief(),
    );
    if (result === 'yes') return undefined;
    if (others.length === 0)
      return {
        kind: result === 'no' ? 'refuted' : 'unknown',
        why: `${only!.check.text}: ${result === 'no' ? 'the check can fail' : result}`,
      };
    const part = Math.ceil(obligations.length / limits.partsOfQuestion);
    for (let i = 0; i < obligations.length; i += part) {
      const failure = await this.holding(obligations.slice(i, i + part), known);
      if (failure) return failure;
    }
    return undefined;
  }

  /**
   * With k-induction: what is allowed at the heads of loops that the transition passes. It is shown of them by the
   * transitions that end there.
   */
  private passedCubes({ through }: Transition): Term[] {
    return through.map(({ point, state }) =>
      this.cubes(
        point,
        this.allowed[point.index]!.get('') ?? new Set(),
        this.system.vocabulary.binding(point.fn, state),
      ),
    );
  }

  /** Each claim where its guard holds: those without quantifiers at once, the others a few at a time. */
  private async checkImplied(known: readonly Term[], claims: readonly GuardedClaim[]): Promise<string> {
    const quantified = claims.filter(({ claim }) => hasQuantifier(claim));
    const groups = [claims.filter(({ claim }) => !hasQuantifier(claim))];
    for (let i = 0; i < quantified.length; i += limits.quantifiedOfQuestion)
      groups.push(quantified.slice(i, i + limits.quantifiedOfQuestion));
    for (const group of groups) {
      const result = await this.checkGroup(known, group);
      if (result !== 'yes') return result;
    }
    return 'yes';
  }

  /** All at once first; where that is too much for the solver, halves of them. */
  private async checkGroup(known: readonly Term[], claims: readonly GuardedClaim[]): Promise<string> {
    if (claims.length === 0) return 'yes';
    const guards = [...new Set(claims.map(({ guard }) => guard))];
    const escapes = guards.map((guard) =>
      L.and(guard, L.not(withOneWitness(claims.filter((one) => one.guard === guard).map(({ claim }) => claim)))),
    );
    const isSingle = claims.length === 1;
    const result = await this.unsatisfiable([...known, L.or(...escapes)], isSingle ? this.budget() : this.brief());
    if (result === 'yes' || result === 'no' || isSingle) return result;
    const middle = Math.ceil(claims.length / 2);
    const first = await this.checkGroup(known, claims.slice(0, middle));
    return first === 'yes' ? this.checkGroup(known, claims.slice(middle)) : first;
  }

  /** For a question that can be asked in parts. */
  private brief(): QueryBudget {
    const budget = this.budget();
    return { ...budget, timeoutMs: Math.min(budget.timeoutMs, limits.questionMs) };
  }

  private async unsatisfiable(terms: readonly Term[], budget = this.budget()): Promise<string> {
    const formula = L.and(...terms);
    if (formula === L.FALSE) return 'yes';
    this.queries++;
    const answer = await this.solver.check([...terms, ...this.system.vocabulary.readAxioms(terms, new Set())], budget);
    if (answer.kind === 'sat' && answer.model.partial)
      return 'a model of quantified formulas that could not be evaluated contradicts it';
    return answer.kind === 'unsat'
      ? 'yes'
      : answer.kind === 'sat'
        ? 'no'
        : `the solver gave up (${answer.cause}: ${answer.detail})`;
  }

  private cubes(point: Cutpoint, valuations: ReadonlySet<Valuation>, binding: ReadonlyMap<Term, Term>): Term {
    return L.and(...this.claims(point, valuations, binding));
  }

  /** Their conjunction is claimed of the states at a point. */
  private claims(point: Cutpoint, valuations: ReadonlySet<Valuation>, binding: ReadonlyMap<Term, Term>): Term[] {
    const { predicates, invariants } = this.certificate[point.index]!;
    const literals = substituteAll(predicates, binding);
    const cubes = [...valuations].map((valuation) =>
      L.and(...literals.map((term, i) => (valuation[i] === '1' ? term : L.not(term)))),
    );
    return [...substituteAll(invariants, binding), L.or(...cubes)];
  }

  private describe({ kind, from, ends }: Transition): string {
    const place = (point: Cutpoint | undefined): string => (point ? `${point.fn.name}:${point.kind}` : 'start');
    return `${kind} ${place(from)} -> ${ends.map(({ point }) => place(point)).join(', ')}`;
  }
}
