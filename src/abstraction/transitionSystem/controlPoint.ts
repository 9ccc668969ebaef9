/**
 * Control points and their abstract states. At a point, a state is abstracted to the truth values of the point's
 * predicates (a valuation), written as a string of 0 and 1 in their order. In a function that is analysed by summaries,
 * a valuation belongs to the valuation that the activation had at its entry (its context): the pairs are the path edges
 * of 0-CFL reachability.
 */
import { compileAll } from '../../logic/compile';
import { and, not } from '../../logic/build';
import type { SymbolTerm, Term, Value } from '../../logic/term';
import type { FunctionDefinition, Location } from '../../program/program';
import type { StateInC } from '../../verdict';

export interface Predicate {
  readonly term: Term;
  /** The probe's name; undefined for those found by the tool. */
  readonly name: string | undefined;
}

/** One character per predicate. */
export type Valuation = string;

/** How an abstract state became known. */
export type Source = 'test' | 'fabricated' | 'run' | 'abstract';

export interface AbstractState {
  readonly valuation: Valuation;
  readonly context: Valuation;
  readonly source: Source;
  readonly sample: StateInC;
}

export type PointKind = 'entry' | 'exit' | 'loop' | 'call' | 'return' | 'label' | 'check' | 'module';

export class ControlPoint {
  predicates: readonly Predicate[] = [];
  /** Formulas proved to hold in every state here; assumed beside the valuations. */
  facts: readonly Term[] = [];
  private truths: ReturnType<typeof compileAll> = () => [];
  /** By context, then by valuation. */
  readonly states = new Map<Valuation, Map<Valuation, AbstractState>>();

  constructor(
    readonly index: number,
    readonly fn: FunctionDefinition,
    readonly location: Location,
    readonly kind: PointKind,
    /** Valuations are kept per valuation at the function's entry. */
    readonly tracksContext: boolean,
  ) {}

  /** Starts over with other predicates. */
  reset(predicates: readonly Predicate[]): void {
    this.predicates = predicates;
    this.truths = compileAll(predicates.map(({ term }) => term));
    this.states.clear();
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

/** The conjunction a valuation stands for, over given readings of the predicates. */
export function cube(valuation: Valuation, literals: readonly Term[]): Term {
  return and(...literals.map((literal, i) => (valuation[i] === '1' ? literal : not(literal))));
}
