/**
 * States seen at cutpoints while the program runs on its tests and on inputs of our own: the data from which
 * invariants are guessed. Only values of scalar variables are kept, a bounded number of distinct vectors per point,
 * early and late ones alike.
 */
import type { Term, SymbolTerm, Value } from '../../logic/term';
import { compileAll } from '../../logic/compile';
import { setUpBy } from '../../semantics/pointers/initialisers';
import type { Machine } from '../../semantics/concrete/machine';
import type { ArrayCandidates } from './arrays/arrayInvariants';
import { ConcreteView } from '../transitionSystem/concreteView';
import type { Cutpoint } from '../transitionSystem/cutpoint';
import type { PointerBoundCandidates } from './pointerExtents';
import type { ReachabilityCandidates } from './lists/reachabilityCandidates';
import type { HeapCandidates } from './heapInvariants';
import type { TransitionSystem } from '../transitionSystem/transitionSystem';

/**
 * An integer of the state with how C reads it. A sum of others is looked for in equations alone: bounds of it follow
 * from theirs, and cost a solver much.
 */
export interface Observable {
  readonly term: Term;
  readonly name: string;
  readonly signed: boolean;
  readonly widthBits: number;
  readonly isSum?: boolean;
}
/** A variable, or a part of memory that is one. */
export interface ObservableVariable extends Observable {
  readonly term: SymbolTerm;
}

const limits = {
  /** States kept per cutpoint. */
  states: 120,
  /** States kept of those in which the same watched formulas hold: rare states distinguish cases. */
  alikeStates: 3,
  /** Visits per cutpoint after which only a part of the visits is looked at. */
  visits: 4000,
} as const;

/** One state seen: the observables' values, and which of the watched formulas held. */
export interface Sample {
  readonly values: readonly bigint[];
  readonly truths: readonly boolean[];
}
/** `kind`: the truth values as text, which costs more to make than all else that is done with a state. */
interface KeptSample extends Sample {
  readonly kind: string;
}

const kindOf = (truths: readonly boolean[]): string => {
  let kind = '';
  for (const truth of truths) kind += truth ? '1' : '0';
  return kind;
};

const isSampled = (visit: number): boolean =>
  visit <= 200 || (visit & (visit - 1)) === 0 || visit % (visit < 10_000 ? 97 : 9_973) === 0;

export class Samples {
  private readonly vectors = new Map<Cutpoint, KeptSample[]>();
  /** Number of the vectors, by the formulas that hold in them. */
  private readonly alike = new Map<Cutpoint, Map<string, number>>();
  private readonly seen = new Map<Cutpoint, Set<string>>();
  private readonly visits = new Map<Cutpoint, number>();
  private recorded = 0;
  private readonly truths = new Map<
    Cutpoint,
    { readonly terms: readonly Term[]; readonly everTrue: boolean[]; readonly everFalse: boolean[] }
  >();

  /**
   * `predicates`: formulas whose truth values are watched beside the variables. `arrays` is shown every state that is
   * kept, `objects`, `extents` and `chains` every state.
   */
  constructor(
    private readonly system: TransitionSystem,
    private readonly observables: ReadonlyMap<Cutpoint, readonly Observable[]>,
    predicates: ReadonlyMap<Cutpoint, readonly Term[]>,
    readonly arrays: ArrayCandidates | undefined = undefined,
    readonly objects: HeapCandidates | undefined = undefined,
    readonly extents: PointerBoundCandidates | undefined = undefined,
    readonly chains: ReachabilityCandidates | undefined = undefined,
  ) {
    for (const [point, terms] of predicates) {
      this.truths.set(point, { terms, everTrue: terms.map(() => false), everFalse: terms.map(() => false) });
    }
  }

  private readonly abstract = new Map<Cutpoint, Set<string>>();
  /** Combinations of the watched formulas' truth values seen at a point. */
  abstractStatesAt(point: Cutpoint): number {
    return this.abstract.get(point)?.size ?? 0;
  }

  /** A new run begins. `all`: it has few arrivals, and each is looked at, however many others there were before. */
  begin(arrivals: 'some' | 'all' = 'some'): void {
    this.visits.clear();
    if (arrivals === 'all') this.recorded = 0;
    this.arrays?.begin();
  }

  watch(machine: Machine): void {
    const { system } = this;
    machine.observer = {
      locations: system.watched,
      visit: (location, activation) => {
        const point = system.at(location);
        if (point?.kind === 'entry' && machine.activations.length === 1)
          setUpBy(system.initialisers, point.fn, activation.locals, machine.memory);
        if (point) this.record(point, machine, activation);
      },
      skip: (location) => {
        const point = system.at(location);
        return point && !(point.kind === 'entry' && system.initialisers.size > 0) ? this.pass(point) : 0;
      },
    };
  }

  /** Visits of which nothing would be kept need not be made: how many come before the next one that counts. */
  private pass(point: Cutpoint): number {
    const visits = this.visits.get(point) ?? 0;
    let next = visits + 1;
    while (!isSampled(next)) next++;
    this.visits.set(point, next - 1);
    return next - 1 - visits;
  }

  record(
    point: Cutpoint,
    machine: Machine,
    activation: Parameters<NonNullable<Machine['observer']>['visit']>[1] | undefined,
  ): void {
    if (!this.counts(point)) return;
    const view = new ConcreteView(this.system.vocabulary, {
      globals: machine.globals,
      memory: machine.memory,
      activation,
      activations: machine.activations,
    });
    this.look(point, view, { view, machine });
  }

  /** A state of a weaker program, by its symbols, in which only variables and arrays are looked at. */
  recordState(point: Cutpoint, value: (symbol: SymbolTerm) => Value): void {
    if (this.counts(point)) this.look(point, { value }, undefined);
  }

  /** Later visits of a long run are sampled ever more thinly, and those of all runs when there were many. */
  private counts(point: Cutpoint): boolean {
    const visits = (this.visits.get(point) ?? 0) + 1;
    this.visits.set(point, visits);
    return (
      isSampled(visits) &&
      (point === this.system.client || ++this.recorded <= limits.visits || this.recorded % 16 === 0)
    );
  }

  private look(
    point: Cutpoint,
    state: Pick<ConcreteView, 'value'>,
    run: { readonly view: ConcreteView; readonly machine: Machine } | undefined,
  ): void {
    const truths = this.truths.get(point);
    const values = this.reader(point)(state.value);
    const held =
      truths?.terms.map((_, i) => {
        const value = values[i] === true;
        if (value) truths.everTrue[i] = true;
        else truths.everFalse[i] = true;
        return value;
      }) ?? [];
    let abstract = this.abstract.get(point);
    if (!abstract) this.abstract.set(point, (abstract = new Set()));
    const kind = kindOf(held);
    abstract.add(kind);
    const observables = this.observables.get(point);
    if (!observables) return;
    const vector = observables.map(({ signed, widthBits }, i) => {
      const value = values[held.length + i] as bigint;
      return signed ? BigInt.asIntN(widthBits, value) : value;
    });
    const key = `${vector.join(',')};${kind}`;
    if (run) {
      this.objects?.record(point, run.view, run.machine);
      this.extents?.record(point, run.view);
      this.chains?.record(point, run.view, run.machine);
    }
    let seen = this.seen.get(point);
    if (!seen) this.seen.set(point, (seen = new Set()));
    const isNew = !seen.has(key);
    this.arrays?.record(point, state, vector, isNew);
    if (!isNew) return;
    seen.add(key);
    this.keep(point, { values: vector, truths: held, kind }, seen.size);
  }

  /** When there are many, a late one takes the place of an early one, but of none that is among the few of its kind. */
  private keep(point: Cutpoint, sample: KeptSample, count: number): void {
    let [vectors, alike] = [this.vectors.get(point), this.alike.get(point)];
    if (!vectors || !alike) {
      this.vectors.set(point, (vectors = []));
      this.alike.set(point, (alike = new Map()));
    }
    const add = (kind: string, more: number): void => {
      alike.set(kind, (alike.get(kind) ?? 0) + more);
    };
    const kindAt = (place: number): string => vectors[place]!.kind;
    let place = vectors.length;
    if (place === limits.states) {
      place = count % limits.states;
      for (let tries = 1; tries < limits.states && alike.get(kindAt(place))! <= limits.alikeStates; tries++)
        place = (place + 1) % limits.states;
      add(kindAt(place), -1);
    }
    vectors[place] = sample;
    add(sample.kind, 1);
  }

  private readonly readers = new Map<Cutpoint, ReturnType<typeof compileAll>>();
  /** The watched formulas' values at a point, then the observables'. */
  private reader(point: Cutpoint): ReturnType<typeof compileAll> {
    let reader = this.readers.get(point);
    if (!reader)
      this.readers.set(
        point,
        (reader = compileAll([
          ...(this.truths.get(point)?.terms ?? []),
          ...(this.observables.get(point) ?? []).map(({ term }) => term),
        ])),
      );
    return reader;
  }

  of(point: Cutpoint): readonly Sample[] {
    return this.vectors.get(point) ?? [];
  }

  watchedAt(point: Cutpoint): readonly Term[] {
    return this.truths.get(point)?.terms ?? [];
  }

  observablesOf(point: Cutpoint): readonly Observable[] {
    return this.observables.get(point) ?? [];
  }

  /** Watched formulas and their negations that no state seen contradicts. */
  uniformTruths(point: Cutpoint): readonly { readonly term: Term; readonly value: boolean }[] {
    const truths = this.truths.get(point);
    if (!truths) return [];
    return truths.terms.flatMap((term, i) => [
      ...(truths.everFalse[i] ? [] : [{ term, value: true }]),
      ...(truths.everTrue[i] ? [] : [{ term, value: false }]),
    ]);
  }
}
