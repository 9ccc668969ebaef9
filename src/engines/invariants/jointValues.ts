/**
 * The combinations of values that variables with few values have at each place: those that runs have reached, and those
 * that a step leads to from these, until no step leads to others. It is the reachability of an abstract program whose
 * states are the combinations (S. Graf, H. Saïdi, "Construction of abstract state graphs with PVS", CAV 1997; E.
 * Clarke, O. Grumberg, D. Long, "Model checking and abstraction", TOPLAS 1994), begun with what was seen, so that few
 * queries are left. A word that turns out to have many values is left out of its place.
 */
import {
  areCorrelated,
  type Combination,
  isValue,
  jointValuesAt,
  oneOf,
} from '../../abstraction/candidates/jointValues';
import type { Cutpoint } from '../../abstraction/transitionSystem/cutpoint';
import {
  conjoin,
  invariantMap,
  type InvariantMap,
  invariantsAt,
} from '../../abstraction/transitionSystem/invariantMap';
import { invariantsOnTheWay, pointsOnTheWay } from '../../abstraction/predicates/transitionQuery';
import type { Transition, TransitionSystem } from '../../abstraction/transitionSystem/transitionSystem';
import type { Budget } from '../../budget';
import * as L from '../../logic/build';
import { substituteAll } from '../../logic/substitute';
import type { Term } from '../../logic/term';
import type { Solver } from '../../solver/solver';
import type { Engine } from '../engine';

const limits = {
  /** Values of a word at a place, and combinations; with more, a word is left out. */
  values: 10,
  combinations: 400,
  /** Values of a difference of two words that have more. */
  differenceValues: 6,
  /** Queries that find a new combination, of all places. */
  found: 1_500,
  /** Effort of a query, in the solver's units. */
  resources: 3_000_000,
} as const;

export const jointValues: Engine = {
  name: 'joint-values',
  applies({ task }, { samples: sampled }) {
    if (task.mode !== 'program') return 'clients call in any state';
    if (!sampled) return 'no states were sampled';
    const { system, samples } = sampled;
    const isWorthIt = system.points.some((point) => {
      const seen = point.kind === 'loop' ? jointValuesAt(point, samples) : undefined;
      return seen !== undefined && areCorrelated(seen);
    });
    return isWorthIt ? undefined : 'no loop has variables whose few values depend on one another';
  },
  async run(problem, known, budget) {
    const { system, samples } = known.samples!;
    const places = new Map<Cutpoint, Place>();
    for (const point of system.points) {
      const seen = jointValuesAt(point, samples);
      if (seen) places.set(point, new Place(seen.words, seen.combinations));
    }
    const reached = new Reachability(system, known.invariants, places, problem.solvers.instances, budget);
    const closed = await reached.close();
    if (!closed) return { kind: 'unknown', reason: undefined, learned: known };
    const invariants = conjoin(
      known.invariants,
      invariantMap(system.points, (point) => places.get(point)?.formulas() ?? []),
    );
    const strengthened = { by: 'joint-values', system, invariants } as const;
    return { kind: 'unknown', reason: undefined, learned: { ...known, invariants, strengthened } };
  },
};

class Place {
  private readonly found = new Map<string, Combination>();

  constructor(
    public words: readonly Term[],
    combinations: Iterable<Combination>,
  ) {
    for (const one of combinations) this.found.set(one.join(), one);
  }

  /** Said of other words than its own. */
  holdsOf(words: readonly Term[]): Term {
    return oneOf(words, [...this.found.values()]);
  }

  has(combination: Combination): boolean {
    return this.found.has(combination.join());
  }

  /** Nothing where no word is left. */
  formulas(): readonly Term[] {
    return this.words.length === 0 ? [] : [this.holdsOf(this.words)];
  }

  /** True if a word had to be left out, so that more is possible than was asked about. */
  add(combination: Combination): boolean {
    this.found.set(combination.join(), combination);
    const counts = this.words.map((_, i) => this.valuesAt((one) => one[i]!).size);
    const most = Math.max(...counts);
    if (most <= limits.values && this.found.size <= limits.combinations) return false;
    this.leaveOut(counts.indexOf(most));
    return true;
  }

  private valuesAt(value: (one: Combination) => bigint): ReadonlySet<bigint> {
    return new Set([...this.found.values()].map(value));
  }

  /** A word that goes on with another one is told by their difference. */
  private leaveOut(out: number): void {
    const word = this.words[out]!;
    const width = L.widthOf(word);
    const differenceTo = (other: number) => (one: Combination) => BigInt.asUintN(width, one[out]! - one[other]!);
    const other = this.words.findIndex(
      ({ sort, kind }, i) =>
        i !== out &&
        kind === 'symbol' &&
        sort === word.sort &&
        this.valuesAt((one) => one[i]!).size > limits.differenceValues &&
        this.valuesAt(differenceTo(i)).size <= limits.differenceValues,
    );
    const by = other >= 0 && word.kind === 'symbol' ? differenceTo(other) : undefined;
    const kept = <T>(list: readonly T[], difference: T | undefined): readonly T[] =>
      list.flatMap((one, i) => (i !== out ? [one] : difference === undefined ? [] : [difference]));
    const projected = [...this.found.values()].map((one) => kept(one, by?.(one)));
    this.words = kept(this.words, by && L.sub(word, this.words[other]!));
    this.found.clear();
    for (const one of projected) this.found.set(one.join(), one);
  }
}

class Reachability {
  private readonly pending: Set<Transition>;
  private found = 0;

  constructor(
    private readonly system: TransitionSystem,
    private readonly known: InvariantMap,
    private readonly places: ReadonlyMap<Cutpoint, Place>,
    private readonly solver: Solver,
    private readonly budget: Budget,
  ) {
    this.pending = new Set(system.transitions);
  }

  /** False: it was given up. */
  async close(): Promise<boolean> {
    for (const transition of this.pending) {
      this.pending.delete(transition);
      if (!(await this.settle(transition))) return false;
    }
    return true;
  }

  /** Adds what the transition leads to. */
  private async settle(transition: Transition): Promise<boolean> {
    const { vocabulary } = this.system;
    const sources = [
      ...(transition.from ? [{ point: transition.from, binding: new Map<Term, Term>() }] : []),
      ...pointsOnTheWay(transition, vocabulary),
    ];
    const ends = transition.ends.flatMap(({ point, guard, state }) => {
      const place = this.places.get(point);
      if (!place || place.words.length === 0) return [];
      return [{ point, place, guard, after: substituteAll(place.words, vocabulary.binding(point.fn, state)) }];
    });
    if (ends.length === 0) return true;
    const base = [
      ...transition.axioms,
      ...(transition.from ? invariantsAt(this.known, transition.from) : []),
      ...invariantsOnTheWay(transition, this.known, vocabulary),
      ...sources.flatMap(({ point, binding }) => substituteAll(this.places.get(point)?.formulas() ?? [], binding)),
      L.or(...ends.map(({ place, guard, after }) => L.and(guard, L.not(place.holdsOf(after))))),
    ];
    if (base.includes(L.FALSE)) return true;
    const session = this.solver.session();
    try {
      for (const term of [...base, ...vocabulary.readAxioms(base, new Set())]) session.assert(term);
      for (;;) {
        if (this.budget.exhausted || this.found >= limits.found) return false;
        const { timeoutMs, resources = Infinity } = this.budget.query();
        const answer = await session.check([], { timeoutMs, resources: Math.min(resources, limits.resources) });
        if (answer.kind === 'unknown') return false;
        if (answer.kind === 'unsat') return true;
        const { model } = answer;
        const at = (after: readonly Term[]): Combination => after.map((word) => model.evaluate(word) as bigint);
        const taken = ends.find(({ guard, place, after }) => model.evaluate(guard) === true && !place.has(at(after)));
        if (!taken) return false;
        const combination = at(taken.after);
        this.found++;
        const isLeftOut = taken.place.add(combination);
        this.ask(taken.point);
        if (isLeftOut) {
          // The query was about a word that is no longer there.
          this.pending.add(transition);
          return true;
        }
        session.assert(
          L.or(L.not(taken.guard), L.not(L.and(...taken.after.map((word, i) => isValue(word, combination[i]!))))),
        );
      }
    } finally {
      session.close();
    }
  }

  /** More is possible at the point. */
  private ask(point: Cutpoint): void {
    for (const transition of this.system.transitions)
      if (
        transition.from === point ||
        transition.summary?.entry === point ||
        transition.summary?.exit === point ||
        transition.through.some((head) => head.point === point)
      )
        this.pending.add(transition);
  }
}
