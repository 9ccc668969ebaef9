/**
 * A system as Horn clauses over integers, and what a fixpoint engine says of them: one predicate per cutpoint, one
 * clause per step, the error implies false. A call is its callee's summary: what holds at the callee's exit of its
 * parameters and its result (Bjørner, Gurfinkel, McMillan, Rybalchenko, "Horn clause solvers for program verification",
 * 2015).
 *
 * The predicates are about the integers that matter at their point; memory is unknown wherever it is read. What comes
 * back are candidates, of which Houdini keeps those that are inductive over words.
 */
import { sizeOf, symbolsOf } from '../../logic/substitute';
import { defaultReading } from '../../logic/integers/unboundedIntegers';
import type { Signedness } from '../../logic/words/words';
import type { SymbolTerm, Term } from '../../logic/term';
import { observablesOf } from '../../abstraction/candidates/observables';
import type { Cutpoint } from '../../abstraction/transitionSystem/cutpoint';
import { type GraphNode, type Step, TransitionGraph } from '../../abstraction/transitionSystem/transitionGraph';
import type { InvariantMap } from '../../abstraction/transitionSystem/invariantMap';
import type { TransitionSystem } from '../../abstraction/transitionSystem/transitionSystem';
import type {
  HornAnswer,
  HornApplication,
  HornClause,
  HornOptions,
  HornPredicate,
  HornProblem,
  HornSolver,
} from '../../solver';

export type SpacerResult =
  /** Per cutpoint, candidate invariants. */
  | { readonly kind: 'candidates'; readonly candidates: ReadonlyMap<Cutpoint, readonly Term[]> }
  | Exclude<HornAnswer, { readonly kind: 'candidates' }>;

const limits = {
  /** Clauses with more distinct parts than this are not worth asking about. */
  clauseNodes: 20_000,
  /** Invariants that a fixpoint starts with: their distinct parts at most, and their number at a cutpoint. */
  invariantNodes: 12,
  invariants: 12,
} as const;

export async function spacer(
  system: TransitionSystem,
  invariants: InvariantMap,
  horn: HornSolver,
  options: HornOptions,
): Promise<SpacerResult> {
  const clauses = new Clauses(system, invariants);
  const { problem } = clauses;
  if (!problem)
    return { kind: 'unknown', cause: 'incomplete', detail: 'no loop over integers, or formulas that are too large' };
  const answer = await horn.solve(problem, options);
  if (answer.kind !== 'candidates') return answer;
  return {
    kind: 'candidates',
    candidates: new Map(system.points.map((point) => [point, answer.formulas.get(clauses.predicateOf(point)) ?? []])),
  };
}

class Clauses {
  readonly problem: HornProblem | undefined;
  private readonly predicates = new Map<Cutpoint, HornPredicate>();
  /** Readings of symbols chosen on the way. */
  private readonly readings = new Map<SymbolTerm, Signedness>();
  private readonly readingOf: (symbol: SymbolTerm) => Signedness;

  constructor(system: TransitionSystem, invariants: InvariantMap) {
    const inState = readingIn(system);
    this.readingOf = (symbol) => this.readings.get(symbol) ?? inState(symbol);
    const observables = observablesOf(system);
    for (const point of system.points) {
      const own = observables.get(point) ?? [];
      this.predicates.set(point, { name: `${point.fn.name}:${point.index}`, parameters: own.map(({ term }) => term) });
    }
    const { steps } = new TransitionGraph(system, invariants);
    for (const step of steps) this.readLike(step);
    const clauses = steps.map((step) => this.clause(step));
    const size = clauses.reduce((total, clause) => total + sizeOfAll(clause), 0);
    const loops = system.points.some(
      ({ kind, fn }) => kind === 'loop' || kind === 'module' || system.memoryModel.regions.isRecursive(fn),
    );
    const numbers = [...this.predicates.values()].some(({ parameters }) => parameters.length > 0);
    this.problem =
      loops && numbers && size <= limits.clauseNodes
        ? { predicates: [...this.predicates.values()], clauses, readingOf: this.readingOf }
        : undefined;
  }

  predicateOf(point: Cutpoint): HornPredicate {
    const predicate = this.predicates.get(point);
    if (!predicate) throw new Error('every cutpoint has its predicate');
    return predicate;
  }

  private clause({ from, to, after, guard, premises, callee }: Step): HornClause {
    const known = from.invariants
      .filter((invariant) => sizeOf(invariant) <= limits.invariantNodes)
      .slice(0, limits.invariants);
    const called = callee ? this.apply(callee.exit, callee.atExit) : [];
    return {
      body: [...this.apply(from, new Map()), ...called],
      condition: [guard, ...[...known, ...premises].filter(isAboutNumbers)],
      head: this.apply(to, after)[0],
    };
  }

  /** The place's predicate, of the state in which its symbols are as given; the start and the error have none. */
  private apply({ point }: GraphNode, values: ReadonlyMap<Term, Term>): HornApplication[] {
    if (!point) return [];
    const predicate = this.predicateOf(point);
    return [{ predicate, arguments: predicate.parameters.map((symbol) => values.get(symbol) ?? symbol) }];
  }

  /** Values given to a variable are read like it. */
  private readLike({ after, callee, fresh }: Step): void {
    for (const [symbol, value] of [...after, ...(callee?.atExit ?? [])]) {
      if (symbol.kind === 'symbol' && value.kind === 'symbol' && fresh.has(value) && !this.readings.has(value))
        this.readings.set(value, this.readingOf(symbol));
    }
  }
}

/** C's reading of each word of a state; nothing is known of what is chosen on the way. */
export function readingIn({ vocabulary }: TransitionSystem): (symbol: SymbolTerm) => Signedness {
  return (symbol) => {
    const meaning = vocabulary.meaning(symbol);
    const type =
      meaning?.kind === 'variable' && meaning.part === 'value'
        ? meaning.variable.type
        : meaning?.kind === 'memory' && meaning.memory.role.kind === 'slot' && meaning.memory.role.slot !== 'byte'
          ? meaning.memory.role.slot.type
          : undefined;
    return type?.kind === 'integer' ? (type.signed ? 'signed' : 'unsigned') : defaultReading(symbol);
  };
}

/** Memory is left to others. */
export function isAboutNumbers(invariant: Term): boolean {
  return [...symbolsOf(invariant)].every(({ sort }) => sort.kind !== 'array');
}

function sizeOfAll({ condition, head }: HornClause): number {
  return [...condition, ...(head?.arguments ?? [])].reduce((total, term) => total + sizeOf(term), 0);
}
