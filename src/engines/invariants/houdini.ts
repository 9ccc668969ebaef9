/**
 * The largest inductive set of candidates (Flanagan, Leino, "Houdini, an annotation assistant for ESC/Java", FME
 * 2001), over the same transitions as every engine. All candidates are assumed at once; a model of a step that breaks
 * some drops those, until no step breaks any. What is left is unique, whatever models the solver gives. A candidate
 * that the solver cannot decide is dropped, never kept. Invariants that the points have already are inductive by
 * themselves and are assumed throughout.
 *
 * Candidates are asked about in small groups, in the order given: many together make a question that is harder than all
 * of them one by one.
 *
 * A search that has to come to an end drops what takes long to settle, instead of all: what is left is inductive, but
 * may be less than the largest part.
 *
 * A clause that contains another candidate follows from it: while that one is left, the clause is neither assumed nor
 * asked about.
 *
 * A model that an earlier search found is tried before the solver is asked.
 *
 * Several solvers settle different transitions at the same time. A candidate that one of them drops makes the others
 * look again where they assumed it, so that the set that is left is the same.
 *
 * A model's state satisfies all candidates before the step, hence the final ones too, and so does whatever a run from
 * it meets: it is fabricated and run on, and candidates that fail on the way are dropped without a question.
 */
import type { Budget } from '../../budget';
import * as L from '../../logic/build';
import { compile } from '../../logic/compile';
import { NotComputable } from '../../logic/evaluate';
import { hasQuantifier } from '../../logic/quantifiers/instances';
import { literal } from '../../logic/literal';
import { withOneWitness } from '../../logic/quantifiers/oneWitness';
import { substitute } from '../../logic/substitute';
import { symbolsOf } from '../../logic/symbols';
import { postOrder } from '../../logic/traverse';
import type { Term } from '../../logic/term';
import { ConcreteView } from '../../abstraction/transitionSystem/concreteView';
import { Fabricator } from '../../abstraction/predicates/fabricate';
import type { Cutpoint } from '../../abstraction/transitionSystem/cutpoint';
import { type InvariantMap, invariantsAt } from '../../abstraction/transitionSystem/invariantMap';
import type { TransitionSystem, Transition } from '../../abstraction/transitionSystem/transitionSystem';
import { entriesInAnyState } from '../../abstraction/candidates/clientCalls';
import { type AssertedTransition, assertTransition } from './assertedTransition';
import { impliedClauses } from './impliedClauses';
import type { InterruptedSearch } from './interruptedSearch';
import { rememberModel, satisfies, stepModels } from './stepModels';
import { type Activation, Machine } from '../../semantics/concrete/machine';
import { truthUnder } from '../../solver/model';
import type { Model, QueryBudget, Solver } from '../../solver/solver';

export interface HoudiniOptions {
  readonly query: QueryBudget | (() => QueryBudget);
  /** True: give up (no candidate is proved then). */
  readonly stop: () => boolean;
  /** True: drop candidates that are not settled at once, to keep the others. Default: never. */
  readonly hurry?: () => boolean;
  /** Gets what is left, now and then: a search that begins with it ends with the same invariants. */
  readonly left?: (candidates: InvariantMap) => void;
  /** An earlier search on this system that was cut short: this one goes on from there, with candidates that are new. */
  readonly from?: InterruptedSearch | undefined;
  /** Gets what a search that was cut short, or had to hurry, had left before. */
  readonly interrupted?: (search: InterruptedSearch) => void;
  /** Factor of the clocks behind the effort of a query; default 1. */
  readonly patience?: number;
  /** Solvers that settle further transitions at the same time; default none. */
  readonly further?: () => readonly Solver[];
}

/** Options of a search that keeps what it has settled when its time is up. */
export function withinBudget(budget: Budget): Pick<HoudiniOptions, 'query' | 'stop'> & { hurry: () => boolean } {
  const unhurried = budget.share(limits.unhurriedShare);
  const hurry = (): boolean => unhurried.exhausted !== undefined;
  return {
    query: () => (hurry() ? budget : unhurried).query(),
    hurry,
    stop: () => budget.exhausted !== undefined,
  };
}

/** A part of the candidates that is inductive relative to `known`; undefined when stopped before the end. */
export async function houdini(
  system: TransitionSystem,
  known: InvariantMap,
  candidates: ReadonlyMap<Cutpoint, readonly Term[]>,
  solver: Solver,
  options: HoudiniOptions,
): Promise<InvariantMap | undefined> {
  const run = new Houdini(system, known, candidates, solver, options);
  try {
    return await run.fixpoint();
  } finally {
    run.close();
    if (run.interrupted) options.interrupted?.(run.interrupted);
  }
}

const limits = {
  /** CFA edges of a run from a fabricated state. */
  runSteps: 3000,
  /** Candidates in one query. */
  groupCandidates: 24,
  /**
   * The same of candidates with quantifiers: each that may fail brings an element of its own, and all that are assumed
   * are instantiated for the elements of all.
   */
  groupQuantified: 4,
  /** Effort of a query about a group, in the solver's units. */
  groupResources: 3_000_000,
  /** The same for a group with quantifiers: what is not settled so is rather settled in halves. */
  quantifiedResources: 500_000,
  /** The clock behind that effort. */
  groupMs: 20_000,
  /** The same for a query about one candidate. */
  singleResources: 1_000_000,
  /** The clock behind that effort. */
  singleMs: 15_000,
  /** In a hurry: for one query, for models of one group, and candidates of a group that are dropped together. */
  hurriedMs: 150,
  hurriedModels: 4,
  hurriedCandidates: 6,
  /**
   * Part of the time of a stage after which its search hurries: what is settled by then is worth more than the rest.
   */
  unhurriedShare: 0.8,
} as const;

interface Target {
  readonly end: number;
  readonly term: Term;
  readonly literal: Term;
  readonly meaning: Term;
}

class Houdini {
  private readonly machine: Machine;
  private readonly fabricator: Fabricator;
  private readonly kept = new Map<Cutpoint, Set<Term>>();
  /** By candidate: those that it follows from. */
  private readonly implying = new Map<Cutpoint, ReadonlyMap<Term, readonly Term[]>>();
  private readonly asserted = new Map<Transition, { readonly by: Solver; readonly as: AssertedTransition }>();
  private readonly pending = new Set<Transition>();
  /** Transitions that are being settled. */
  private readonly current = new Set<Transition>();
  /** Solvers without a pending transition, which may come. */
  private waiting: (() => void)[] = [];
  private readonly calledByClients: readonly Cutpoint[];
  /** Models of earlier searches that have been used in this one. */
  private readonly learnt = new Set<Model>();
  /** Per point: the candidates that the search began with, and those of the one that it goes on from. */
  private readonly tried = new Map<Cutpoint, ReadonlySet<Term>>();
  /** As the search was when it began to hurry. */
  private beforeHurry: InterruptedSearch | undefined;
  /** There was no time for a transition, or a group of candidates. That none is pending says nothing then. */
  private isCutShort = false;

  constructor(
    private readonly system: TransitionSystem,
    private readonly known: InvariantMap,
    candidates: ReadonlyMap<Cutpoint, readonly Term[]>,
    private readonly solver: Solver,
    private readonly options: HoudiniOptions,
  ) {
    this.machine = new Machine(system.program, { properties: system.options.checkedProperties, output: () => {} });
    this.fabricator = new Fabricator(system, this.machine);
    this.machine.observer = {
      locations: system.watched,
      visit: (location, activation) => this.refute(system.at(location)!, activation),
    };
    const { from } = options;
    const begun = new Set<Cutpoint>();
    for (const point of system.points) {
      const before = from?.tried.get(point) ?? new Set();
      const added = (candidates.get(point) ?? []).filter((term) => !before.has(term));
      const terms = new Set([...(from?.left.get(point) ?? []), ...added]);
      if (added.length > 0) begun.add(point);
      this.tried.set(point, new Set([...before, ...added]));
      this.kept.set(point, terms);
      this.implying.set(point, impliedClauses([...terms]));
    }
    for (const transition of from?.pending ?? []) this.pending.add(transition);
    for (const transition of system.transitions)
      if (!from || transition.ends.some(({ point }) => begun.has(point))) this.pending.add(transition);
    this.calledByClients = entriesInAnyState(system);
    this.startAtInitialState();
    const { client } = system;
    if (client) for (const point of this.handingBack()) this.keepOnly(client, point);
  }

  async fixpoint(): Promise<InvariantMap | undefined> {
    const solvers = [this.solver, ...(this.pending.size > 1 ? (this.options.further?.() ?? []) : [])];
    await Promise.all(solvers.map((solver) => this.settleWith(solver)));
    if (this.isCutShort) return undefined;
    // Invariants that clients rely on are at both ends of their calls in the same words.
    const others = [...this.kept].filter(([{ kind }]) => kind !== 'loop');
    const isNeeded = new Set(
      others.flatMap(([point, terms]) => [...terms].filter((term) => !this.isImplied(point, term))),
    );
    return new Map(
      [...this.kept].map(([point, terms]) => [
        point.key,
        [...terms].filter((term) => (point.kind === 'loop' ? !this.isImplied(point, term) : isNeeded.has(term))),
      ]),
    );
  }

  /** Settles one transition after the other, until there is none that is pending or may become so. */
  private async settleWith(solver: Solver): Promise<void> {
    while (!this.isCutShort && (this.pending.size > 0 || this.current.size > 0)) {
      const transition = this.nextFor(solver);
      if (!transition) {
        await new Promise<void>((resolve) => this.waiting.push(resolve));
        continue;
      }
      this.isCutShort ||= this.options.stop();
      if (this.isCutShort) break;
      this.pending.delete(transition);
      this.current.add(transition);
      await this.settle(transition, this.open(transition, solver));
      // The search that goes on from here begins with it.
      if (this.isCutShort) break;
      this.current.delete(transition);
      this.wake();
      // A search that goes on from here has time for what is dropped in a hurry.
      if (this.isHurried) continue;
      this.options.left?.(new Map([...this.kept].map(([point, terms]) => [point.key, [...terms]])));
    }
    this.wake();
  }

  /** A pending transition that no other solver knows: to tell it to a second one takes longer than to wait. */
  private nextFor(solver: Solver): Transition | undefined {
    for (const transition of this.pending) {
      const known = this.asserted.get(transition);
      if (!known || known.by === solver) return transition;
    }
    return undefined;
  }

  private wake(): void {
    for (const resolve of this.waiting.splice(0)) resolve();
  }

  private get isHurried(): boolean {
    const isHurried = this.options.hurry?.() === true;
    if (isHurried) this.beforeHurry ??= this.now();
    return isHurried;
  }

  /** Undefined: the search came to its end, and had the time that it needed. */
  get interrupted(): InterruptedSearch | undefined {
    return this.beforeHurry ?? (this.current.size > 0 || this.pending.size > 0 ? this.now() : undefined);
  }

  private now(): InterruptedSearch {
    const { system, known, tried, kept, pending, current } = this;
    return {
      system,
      known,
      tried,
      left: new Map([...kept].map(([point, terms]) => [point, new Set(terms)])),
      pending: new Set([...pending, ...current]),
    };
  }

  /** True if a candidate that is left implies this one. */
  private isImplied(point: Cutpoint, term: Term): boolean {
    const kept = this.kept.get(point)!;
    return (
      this.implying
        .get(point)!
        .get(term)
        ?.some((stronger) => kept.has(stronger)) === true
    );
  }

  /** True if a step leaves what it is about alone: one that is left at its beginning says the same. */
  private isFramed({ beginsWith }: AssertedTransition, meaning: Term): boolean {
    return beginsWith.get(meaning)?.some(({ point, term }) => this.kept.get(point)!.has(term)) === true;
  }

  close(): void {
    this.isCutShort = true;
    for (const { as } of this.asserted.values()) as.session.close();
  }

  /** Drops candidates at the ends of a transition until it breaks none. */
  private async settle(transition: Transition, asserted: AssertedTransition): Promise<void> {
    this.learnAgain(transition, asserted);
    const targets = asserted.ends.flatMap(({ point, after }, end) =>
      [...this.kept.get(point)!].map((term): Target => ({ end, term, ...after.get(term)! })),
    );
    const isAsked = ({ end, term }: Target): boolean => !this.isImplied(asserted.ends[end]!.point, term);
    const asked = targets.filter(isAsked);
    // A witness is sought for each by itself: for one of many, all combinations would be.
    const single = asked.filter(({ term }) => hasExistential(term));
    const grouped = asked.filter(({ term }) => !hasExistential(term));
    const quantified = grouped.filter(({ term }) => hasQuantifier(term));
    const plain = grouped.filter(({ term }) => !hasQuantifier(term));
    const ofElements = plain.filter(({ term }) => readsElements(term));
    const others = plain.filter(({ term }) => !readsElements(term));
    for (const group of [
      ...inGroups(others, limits.groupCandidates),
      ...inGroups(quantified, limits.groupQuantified),
      ...inGroups(ofElements, limits.groupQuantified),
    ])
      await this.settleGroup(transition, asserted, group);
    for (const one of single) await this.settleGroup(transition, asserted, [one]);
  }

  private async settleGroup(
    transition: Transition,
    asserted: AssertedTransition,
    group: readonly Target[],
  ): Promise<void> {
    const { session, ends } = asserted;
    let models = 0;
    for (;;) {
      this.isCutShort ||= this.options.stop();
      if (this.isCutShort) return;
      const open = group.filter(({ end, term, literal, meaning }) => {
        const { point } = ends[end]!;
        if (literal === L.TRUE) return false;
        return this.kept.get(point)!.has(term) && !this.isImplied(point, term) && !this.isFramed(asserted, meaning);
      });
      const broken = L.or(
        ...ends.map(({ guard }, i) =>
          L.and(guard, L.not(withOneWitness(open.filter(({ end }) => end === i).map(({ literal }) => literal)))),
        ),
      );
      if (open.length === 0 || broken === L.FALSE) return;
      session.push();
      for (const { literal } of this.assumedIn(asserted)) session.assert(literal);
      session.assert(broken);
      const answer = await session.check([], this.effort(open));
      session.pop();
      switch (answer.kind) {
        case 'unsat':
          return;
        case 'sat':
          if (this.isHurried && ++models > limits.hurriedModels) return this.dropAll(asserted, open);
          if (this.learnFrom(transition, asserted, answer.model, open)) break;
          // Another solver has dropped what this model breaks.
          if (open.some(({ end, term }) => !this.kept.get(ends[end]!.point)!.has(term))) break;
          return this.settleApart(transition, asserted, open);
        case 'unknown':
          return this.settleApart(transition, asserted, open);
      }
    }
  }

  /** A group that the solver does not decide: each half by itself. One candidate alone is dropped. */
  private async settleApart(
    transition: Transition,
    asserted: AssertedTransition,
    group: readonly Target[],
  ): Promise<void> {
    const isDropped = group.length === 1 || (this.isHurried && group.length <= limits.hurriedCandidates);
    if (isDropped) return this.dropAll(asserted, group);
    await this.settleGroup(transition, asserted, group.slice(0, group.length / 2));
    return this.settleGroup(transition, asserted, group.slice(group.length / 2));
  }

  private dropAll({ ends }: AssertedTransition, group: readonly Target[]): void {
    ends.forEach(({ point }, i) =>
      this.drop(
        point,
        group.filter(({ end }) => end === i).map(({ term }) => term),
      ),
    );
  }

  private effort(asked: readonly Target[]): QueryBudget {
    const { query, patience = 1 } = this.options;
    const { timeoutMs, resources = Infinity } = typeof query === 'function' ? query() : query;
    if (this.isHurried) return { timeoutMs: Math.min(timeoutMs, limits.hurriedMs) };
    const [units, ms] =
      asked.length === 1
        ? [limits.singleResources, limits.singleMs]
        : asked.some(({ term }) => hasQuantifier(term))
          ? [limits.quantifiedResources, limits.groupMs]
          : [limits.groupResources, limits.groupMs];
    return { timeoutMs: Math.min(timeoutMs, ms * patience), resources: Math.min(resources, units) };
  }

  /** Candidates before the step that are left, without those that others imply. */
  private assumedIn({ sources }: AssertedTransition): { readonly literal: Term; readonly meaning: Term }[] {
    return sources.flatMap(({ point, before }) =>
      [...this.kept.get(point)!].filter((term) => !this.isImplied(point, term)).map((term) => before.get(term)!),
    );
  }

  private learnFrom(
    transition: Transition,
    asserted: AssertedTransition,
    model: Model,
    asked: readonly Target[],
  ): boolean {
    const all = new Set([...asserted.known, ...this.assumedIn(asserted).map(({ meaning }) => meaning)]);
    if (!this.learn(transition, asserted, model, asked)) return false;
    rememberModel(transition, { model, asserted: all });
    return true;
  }

  /** From models of earlier searches that satisfy what is left. */
  private learnAgain(transition: Transition, asserted: AssertedTransition): void {
    for (const one of stepModels(transition)) {
      if (this.learnt.has(one.model)) continue;
      const assumed = this.assumedIn(asserted).map(({ meaning }) => meaning);
      if (!satisfies(one, [...asserted.known, ...assumed])) continue;
      this.learnt.add(one.model);
      this.learn(transition, asserted, one.model, []);
    }
  }

  /**
   * Drops what a step's model breaks, and what a run from the state it leads to does. False if that cannot be told: a
   * model of instances may break one candidate and leave open if another has a witness. Such a model refutes conditions
   * of elements only where they were asked about: of others it may show an element that the query knew nothing of, with
   * any contents.
   */
  private learn(transition: Transition, asserted: AssertedTransition, model: Model, asked: readonly Target[]): boolean {
    // By its meaning: a model of an earlier search knows other conditions by the names of this one.
    const isTaken = transition.ends.map(({ guard }) => truthUnder(model, guard) === true);
    const broken = asserted.ends.map(({ point, after }, i) => {
      if (!isTaken[i]) return [];
      const inQuestion = new Set(asked.flatMap(({ end, term }) => (end === i ? [term] : [])));
      return [...this.kept.get(point)!]
        .filter((term) => !model.partial || inQuestion.has(term) || !(hasQuantifier(term) || readsElements(term)))
        .map((term) => ({ term, holds: truthUnder(model, after.get(term)!.meaning) }))
        .filter(({ holds }) => holds !== true);
    });
    // Quantifiers that range over too much to be tried out are dropped if nothing else explains the model.
    const isRefuted = ({ holds }: { readonly holds: boolean | undefined }): boolean => holds === false;
    const known = broken.map((terms) =>
      terms.filter((one) => isRefuted(one) && !(model.partial && hasExistential(one.term))),
    );
    const isAnyIn = (all: readonly (readonly unknown[])[]): boolean => all.some(({ length }) => length > 0);
    const dropped = isAnyIn(known) ? known : broken.flat().some(isRefuted) ? [] : broken;
    if (!isAnyIn(dropped)) return false;
    asserted.ends.forEach(({ point }, i) => {
      if (!isTaken[i]) return;
      this.drop(
        point,
        dropped[i]!.map(({ term }) => term),
      );
      // A model of instances alone may be of a state that the candidates exclude, from which a run says nothing.
      if (point === this.system.client || model.partial) return;
      const activation = this.fabricator.build(point, transition.ends[i]!.state, model);
      if (activation) this.machine.runFrom([activation], { depth: 'function', stepLimit: limits.runSteps });
    });
    return true;
  }

  /** A state that a run met: what does not hold in it is no invariant. */
  private refute(point: Cutpoint, activation: Activation): void {
    const kept = this.kept.get(point)!;
    if (kept.size === 0) return;
    const { machine } = this;
    const view = new ConcreteView(this.system.vocabulary, {
      globals: machine.globals,
      memory: machine.memory,
      activation,
      activations: machine.activations,
    });
    // To try out all elements at every step would take longer than to ask.
    this.drop(
      point,
      [...kept].filter((term) => !hasQuantifier(term) && isFalse(this.holds(term), view)),
    );
  }

  private readonly compiled = new Map<Term, ReturnType<typeof compile>>();
  private holds(term: Term): ReturnType<typeof compile> {
    let holds = this.compiled.get(term);
    if (!holds) this.compiled.set(term, (holds = compile(term)));
    return holds;
  }

  private open(transition: Transition, solver: Solver): AssertedTransition {
    const known = this.asserted.get(transition);
    if (known) return known.as;
    const as = assertTransition(transition, this.system, this.known, this.kept, solver);
    this.asserted.set(transition, { by: solver, as });
    return as;
  }

  private drop(point: Cutpoint, terms: readonly Term[]): void {
    const kept = this.kept.get(point)!;
    const dropped = new Set(terms.filter((term) => kept.delete(term)));
    if (dropped.size === 0) return;
    // Clauses that followed from them have to be shown by themselves now.
    const implying = this.implying.get(point)!;
    const isUncovered = [...kept].some(
      (term) => implying.get(term)?.some((stronger) => dropped.has(stronger)) === true && !this.isImplied(point, term),
    );
    for (const transition of this.system.transitions) {
      if (
        (isUncovered && transition.ends.some((end) => end.point === point)) ||
        transition.from === point ||
        transition.summary?.exit === point ||
        transition.summary?.entry === point ||
        transition.through.some((head) => head.point === point)
      )
        this.pending.add(transition);
    }
    if (this.pending.size > 0) this.wake();
    const { client } = this.system;
    if (client && this.handingBack().includes(point)) this.keepOnly(client, point);
    if (point !== client) return;
    // Clients call from any state between calls: what is not known of these is not known where their calls begin.
    for (const entry of this.calledByClients) this.drop(entry, terms);
  }

  /** Keeps for the client only candidates that hold at this exit, now or by what was known before. */
  private keepOnly(client: Cutpoint, exit: Cutpoint): void {
    const keptAtExit = this.kept.get(exit)!;
    this.drop(
      client,
      [...this.kept.get(client)!].filter(
        (term) => !keptAtExit.has(term) && !invariantsAt(this.known, exit).includes(term),
      ),
    );
  }

  private handingBack(): readonly Cutpoint[] {
    const { entries, init } = this.system.options;
    return this.system.points.filter(
      (point) => point.kind === 'exit' && (entries.includes(point.fn) || point.fn === init),
    );
  }

  private startAtInitialState(): void {
    const { client, options, program, vocabulary } = this.system;
    if (!client || options.init) return;
    const machine = new Machine(program);
    const view = new ConcreteView(vocabulary, {
      globals: machine.globals,
      memory: machine.memory,
      activation: undefined,
      activations: [],
    });
    this.drop(
      client,
      [...this.kept.get(client)!].filter((term) => !isTrue(term, this.holds(term), view)),
    );
  }
}

const readsElements = (term: Term): boolean => [...symbolsOf(term)].some(({ sort }) => sort.kind === 'array');

function inGroups<T>(all: readonly T[], size: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, i) => all.slice(i * size, (i + 1) * size));
}

function hasExistential(term: Term): boolean {
  return (
    hasQuantifier(term) &&
    postOrder([term]).some(
      (part) => part.kind === 'exists' || (L.isApplication(part, 'not') && part.args[0]!.kind === 'forall'),
    )
  );
}

/** Terms with functions without a meaning here, as those of floating point, are left to the solver. */
function isFalse(holds: ReturnType<typeof compile>, view: ConcreteView): boolean {
  try {
    return holds(view.value) !== true;
  } catch (error) {
    if (error instanceof NotComputable) return false;
    throw error;
  }
}

/**
 * Terms over ranges too large to try out are known to hold where the values of variables decide them, as what a null
 * pointer reaches.
 */
function isTrue(term: Term, holds: ReturnType<typeof compile>, view: ConcreteView): boolean {
  try {
    return holds(view.value) === true;
  } catch (error) {
    if (!(error instanceof NotComputable)) throw error;
  }
  const values = new Map<Term, Term>();
  for (const symbol of symbolsOf(term)) {
    const value = symbol.sort.kind === 'array' ? undefined : literal(view.value(symbol), symbol.sort);
    if (value) values.set(symbol, value);
  }
  return substitute(term, values) === L.TRUE;
}
