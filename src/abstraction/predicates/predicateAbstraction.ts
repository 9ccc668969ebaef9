/**
 * The abstract states of a transition system (Graf, Saïdi, CAV 1997; as Yorsh, Ball, Sagiv use them, ISSTA 2006). At a
 * cutpoint a state is abstracted to the truth values of the point's predicates (a valuation), written as a string
 * of 0 and 1 in their order. In a function that is analysed by summaries, a valuation belongs to the valuation that the
 * activation had at its entry (its context): the pairs are the path edges of 0-CFL reachability.
 *
 * The transition system, the invariants and the predicates are fixed; the abstract states grow.
 */
import { and, not } from '../../logic/build';
import { compileAll } from '../../logic/compile';
import type { SymbolTerm, Term, Value } from '../../logic/term';
import type { StateInC } from '../../verdict';
import type { Cutpoint } from '../transitionSystem/cutpoint';
import { type InvariantMap, invariantsAt } from '../transitionSystem/invariantMap';
import type { TransitionSystem } from '../transitionSystem/transitionSystem';

export interface StatePredicate {
  readonly term: Term;
  /** The probe's name; undefined for those found by the tool. */
  readonly name: string | undefined;
}

/** One character per predicate. */
export type Valuation = string;

/** Source of an abstract state. */
export type DiscoveredBy = 'test' | 'fabricated' | 'run' | 'abstract';

export interface AbstractState {
  readonly valuation: Valuation;
  readonly context: Valuation;
  readonly source: DiscoveredBy;
  readonly sample: StateInC;
}

export type PredicateMap = ReadonlyMap<Cutpoint, readonly StatePredicate[]>;

/** The abstract states of one cutpoint. */
export class AbstractPoint {
  private readonly truths: ReturnType<typeof compileAll>;
  /** By context, then by valuation. */
  readonly states = new Map<Valuation, Map<Valuation, AbstractState>>();

  constructor(
    readonly point: Cutpoint,
    readonly predicates: readonly StatePredicate[],
    /** Hold in every state here; assumed beside the valuations. */
    readonly invariants: readonly Term[],
  ) {
    this.truths = compileAll(predicates.map(({ term }) => term));
  }

  valuationOf(environment: (symbol: SymbolTerm) => Value): Valuation {
    let valuation = '';
    for (const truth of this.truths(environment)) valuation += truth === true ? '1' : '0';
    return valuation;
  }

  has(context: Valuation, valuation: Valuation): boolean {
    return this.states.get(context)?.has(valuation) ?? false;
  }

  /** False when it was known. */
  add(state: AbstractState): boolean {
    let known = this.states.get(state.context);
    if (!known) this.states.set(state.context, (known = new Map()));
    if (known.has(state.valuation)) return false;
    known.set(state.valuation, state);
    return true;
  }

  contexts(): readonly Valuation[] {
    return [...this.states.keys()];
  }

  /** Valuations in one context, or, without one, in any. */
  valuations(context?: Valuation): readonly Valuation[] {
    if (context !== undefined) return [...(this.states.get(context)?.keys() ?? [])];
    return [...new Set([...this.states.values()].flatMap((known) => [...known.keys()]))];
  }

  all(): readonly AbstractState[] {
    return [...this.states.values()].flatMap((known) => [...known.values()]);
  }
}

export class PredicateAbstraction {
  /** In the order of the system's cutpoints. */
  readonly points: readonly AbstractPoint[];

  /**
   * Predicates whose value an invariant already gives have no place in a valuation. What the client relies on comes
   * first, in one order, at every entry and exit.
   */
  static of(
    system: TransitionSystem,
    invariants: InvariantMap,
    predicates: PredicateMap = new Map(),
  ): PredicateAbstraction {
    const decided = (point: Cutpoint, { term, name }: StatePredicate): boolean => {
      const known = invariantsAt(invariants, point);
      return name === undefined && (known.includes(term) || known.includes(not(term)));
    };
    const { client } = system;
    const shared = client ? (predicates.get(client) ?? []).filter((predicate) => !decided(client, predicate)) : [];
    const isShared = ({ term }: StatePredicate): boolean => shared.some((p) => p.term === term);
    return new PredicateAbstraction(system, invariants, (point) => {
      const list = predicates.get(point) ?? [];
      const handsOver = point.kind === 'entry' || point.kind === 'exit' || point.kind === 'module';
      const first = handsOver ? shared : list.filter((predicate) => isShared(predicate) && !decided(point, predicate));
      return [...first, ...list.filter((predicate) => !isShared(predicate) && !decided(point, predicate))];
    });
  }

  constructor(
    readonly system: TransitionSystem,
    readonly invariants: InvariantMap,
    /** Exactly these, in this order. */
    predicates: (point: Cutpoint) => readonly StatePredicate[],
  ) {
    this.points = system.points.map(
      (point) => new AbstractPoint(point, predicates(point), invariantsAt(invariants, point)),
    );
  }

  /** Invariants alone: one abstract state, without predicates, at every cutpoint. */
  static ofInvariants(system: TransitionSystem, invariants: InvariantMap): PredicateAbstraction {
    const abstraction = PredicateAbstraction.of(system, invariants);
    for (const point of abstraction.points) point.add({ valuation: '', context: '', source: 'abstract', sample: [] });
    return abstraction;
  }

  at(point: Cutpoint): AbstractPoint {
    return this.points[point.index]!;
  }

  /** The same states of a system with the same control points. */
  in(system: TransitionSystem): PredicateAbstraction {
    const copy = new PredicateAbstraction(system, this.invariants, (point) => this.at(point).predicates);
    for (const [i, point] of copy.points.entries()) for (const state of this.points[i]!.all()) point.add(state);
    return copy;
  }
}

/** The conjunction a valuation stands for, over given readings of the predicates. */
export function cube(valuation: Valuation, literals: readonly Term[]): Term {
  return and(...literals.map((literal, i) => (valuation[i] === '1' ? literal : not(literal))));
}
