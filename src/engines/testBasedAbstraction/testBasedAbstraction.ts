/**
 * Test-based abstraction (Yorsh, Ball, Sagiv, "Testing, Abstraction, Theorem Proving: Better Together!", ISSTA 2006,
 * section 3).
 *
 *   a := the abstract states the tests reach
 *   while some transition leads from a to a state whose abstraction is not in a
 *     fabricate that state, run on from it, add all abstract states on the way to a
 *   a is now an invariant: check every property under it
 *
 * The result is the least fixpoint of the best abstract transformer over the predicates, whichever state the prover
 * picks and however far runs go (theorem 3.2). Departures: procedures by summaries of (entry, exit) valuations rather
 * than inlining; where the prover gives up, the steps of section 5.3: a state outside a without its transition, and
 * after that the answer unknown.
 */
import * as L from '../../logic/build';
import { substituteAll } from '../../logic/substitute';
import type { Term } from '../../logic/term';
import { sourceLocationOf } from '../../sourceLocation';
import type { Answer, Model, QueryBudget, Solver } from '../../solver/solver';
import type { Cutpoint } from '../../abstraction/transitionSystem/cutpoint';
import type {
  AbstractState,
  PredicateAbstraction,
  DiscoveredBy,
  Valuation,
} from '../../abstraction/predicates/predicateAbstraction';
import { cube } from '../../abstraction/predicates/predicateAbstraction';
import { Fabricator } from '../../abstraction/predicates/fabricate';
import { Recorder } from '../../abstraction/predicates/recorder';
import type { TransitionSystem, Transition } from '../../abstraction/transitionSystem/transitionSystem';
import { invariantsOnTheWay, TransitionQuery, type NewState } from '../../abstraction/predicates/transitionQuery';
import type { Activation, Machine } from '../../semantics/concrete/machine';
import { anyViolated } from '../../semantics/symbolic/violations';
import type { Obligation } from '../../semantics/symbolic/segment';
import type { Reason } from '../../verdict';
import { undecidedReason, type OpenQuestion } from './solverReason';

export interface Alarm {
  readonly abstraction: PredicateAbstraction;
  readonly transition: Transition;
  readonly obligation: Obligation;
  /** A state that the abstraction allows and that fails the check. */
  readonly model: Model;
}

export interface EngineStatistics {
  fabricated: number;
  fallbacks: number;
  queries: number;
  runs: number;
}

export interface Limits {
  readonly query: QueryBudget;
  readonly abstractStates: number;
  /** Edges a run may take from a fabricated state; 0 never runs on. */
  readonly runSteps: number;
  /** Edges after which a run that met no new abstract state is stopped (hybrid, section 5.3). */
  readonly idleSteps: number;
  /** True when the engine should stop now; says why. */
  readonly stop: () => Reason | undefined;
  readonly progress?: (done: number, total: number) => void;
}

export type Closure = { readonly kind: 'closed' } | { readonly kind: 'gave-up'; readonly reason: Reason };

export class TestBasedAbstraction {
  readonly statistics: EngineStatistics = { fabricated: 0, fallbacks: 0, queries: 0, runs: 0 };
  readonly recorder: Recorder;
  readonly remarks = new Set<string>();
  private readonly system: TransitionSystem;
  private readonly fabricator: Fabricator;
  private readonly queries: readonly TransitionQuery[];
  private readonly leaving = new Map<Cutpoint, Transition[]>();
  /** Start valuations a transition was not asked about yet, by context. */
  private readonly pending = new Map<Transition, Map<Valuation, Set<Valuation>>>();
  private total = 0;

  constructor(
    readonly abstraction: PredicateAbstraction,
    private readonly solver: Solver,
    readonly machine: Machine,
    private readonly limits: Limits,
  ) {
    const { system } = abstraction;
    this.system = system;
    this.queries = system.transitions.map((transition) => new TransitionQuery(abstraction, transition, solver));
    this.fabricator = new Fabricator(system, machine);
    this.recorder = new Recorder(abstraction, machine, (point, context, valuation) =>
      this.onLearned(point, context, valuation),
    );
    for (const transition of system.transitions) {
      for (const from of new Set([transition.from, transition.summary?.exit])) {
        if (from) this.leaving.set(from, [...(this.leaving.get(from) ?? []), transition]);
      }
      if (transition.kind === 'start') this.pending.set(transition, new Map([['', new Set([''])]]));
    }
  }

  /** Closes the abstract states under every transition. */
  async close(): Promise<Closure> {
    for (;;) {
      const transition = this.nextPending();
      if (!transition) return { kind: 'closed' };
      const reason = this.limits.stop();
      if (reason) return { kind: 'gave-up', reason };
      const sources = this.pending.get(transition)!;
      this.pending.delete(transition);
      for (const [context, valuations] of sources) {
        const failure = await this.closeUnder(transition, context, valuations);
        if (failure) return { kind: 'gave-up', reason: failure };
      }
    }
  }

  /** Checks that can fail in a state the abstraction allows, each once. Empty when the invariant implies them all. */
  async alarms(): Promise<Alarm[] | Reason> {
    const alarms: Alarm[] = [];
    for (const transition of this.system.transitions) {
      const { segment, from } = transition;
      if (!segment || !from) continue;
      let open = segment.obligations.filter(({ guard }) => guard !== L.FALSE);
      const abstract = this.abstraction.at(from);
      const valuations = abstract.valuations();
      if (open.length === 0 || valuations.length === 0) continue;
      const session = this.solver.session();
      try {
        const premises = [
          ...transition.axioms,
          ...abstract.invariants,
          ...invariantsOnTheWay(transition, this.abstraction.invariants, this.system.vocabulary),
          L.or(
            ...valuations.map((valuation) =>
              cube(
                valuation,
                abstract.predicates.map(({ term }) => term),
              ),
            ),
          ),
        ];
        const violations = new Map(
          open.map((obligation) => [obligation, L.and(obligation.guard, L.not(obligation.condition))]),
        );
        for (const term of [
          ...premises,
          ...this.system.vocabulary.readAxioms([...premises, ...violations.values()], new Set()),
        ])
          session.assert(term);
        while (open.length > 0) {
          const reason = this.limits.stop();
          if (reason) return reason;
          session.push();
          const fails = anyViolated(open);
          session.assert(fails);
          this.statistics.queries++;
          const answer = await session.check([], this.limits.query);
          session.pop();
          if (answer.kind === 'unsat') break;
          if (answer.kind === 'unknown') {
            const again = await this.solver.check(
              [
                ...premises,
                ...this.system.vocabulary.readAxioms([...premises, ...violations.values()], new Set()),
                fails,
              ],
              this.limits.query,
            );
            if (again.kind === 'unsat') break;
            if (again.kind === 'unknown') return this.openCheck(again, open, [...violations.values()]);
            alarms.push(...this.failing(transition, open, violations, again.model));
          } else {
            alarms.push(...this.failing(transition, open, violations, answer.model));
          }
          open = open.filter((obligation) => !alarms.some((alarm) => alarm.obligation.check === obligation.check));
        }
      } finally {
        session.close();
      }
    }
    return alarms;
  }

  private openCheck(
    answer: Extract<Answer, { kind: 'unknown' }>,
    open: readonly Obligation[],
    violations: readonly Term[],
  ): Reason {
    const [first] = open;
    return undecidedReason(answer, {
      what:
        open.length === 1
          ? `the check of ${first!.check.text}`
          : `${open.length} checks, the first of them ${first!.check.text}`,
      place: first && sourceLocationOf(first.check.span, first.function.name),
      terms: violations,
      vocabulary: this.system.vocabulary,
      stopped: this.limits.stop(),
    });
  }

  private about({ ends }: Transition): Pick<OpenQuestion, 'terms' | 'vocabulary' | 'stopped'> {
    const { vocabulary } = this.system;
    const terms = ends.flatMap(({ point, guard, state }) => [
      guard,
      ...substituteAll(
        this.abstraction.at(point).predicates.map(({ term }) => term),
        vocabulary.binding(point.fn, state),
      ),
    ]);
    return { terms, vocabulary, stopped: this.limits.stop() };
  }

  dispose(): void {
    for (const query of this.queries) query.close();
    this.machine.observer = undefined;
  }

  private failing(
    transition: Transition,
    open: readonly Obligation[],
    violations: ReadonlyMap<Obligation, ReturnType<typeof L.and>>,
    model: Model,
  ): Alarm[] {
    const failing = open.filter((obligation) => model.evaluate(violations.get(obligation)!) === true);
    return failing.slice(0, 1).map((obligation) => ({ abstraction: this.abstraction, transition, obligation, model }));
  }

  /** An abstract state that an earlier run of the same closure had reached. */
  adopt(point: Cutpoint, state: AbstractState): void {
    if (this.abstraction.at(point).add(state)) this.onLearned(point, state.context, state.valuation);
  }

  private onLearned(point: Cutpoint, context: Valuation, valuation: Valuation): void {
    this.total++;
    this.machine.noteProgress();
    for (const transition of this.leaving.get(point) ?? [])
      this.enqueue(transition, transition.summary?.exit === point ? undefined : context, valuation);
    // Between calls only the static data is left: its predicates come first at every exit.
    const { client } = this.system;
    if (client && point.kind === 'exit' && this.reachesClient(point)) {
      const projected = valuation.slice(0, this.abstraction.at(client).predicates.length);
      if (this.abstraction.at(client).add({ valuation: projected, context: '', source: this.source, sample: [] }))
        this.onLearned(client, '', projected);
    }
  }

  private source: DiscoveredBy = 'test';

  /** Sets source and context of records. */
  begin(source: DiscoveredBy, context: Valuation = ''): void {
    this.source = source;
    this.recorder.begin(source, context);
  }

  private reachesClient(exit: Cutpoint): boolean {
    const { entries, init } = this.system.options;
    return entries.includes(exit.fn) || exit.fn === init;
  }

  private enqueue(transition: Transition, context: Valuation | undefined, valuation: Valuation): void {
    let contexts = this.pending.get(transition);
    if (!contexts) this.pending.set(transition, (contexts = new Map()));
    if (context === undefined) {
      // A new summary concerns every state that waits for one.
      for (const [known, states] of this.abstraction.at(transition.from!).states)
        for (const waiting of states.keys()) this.enqueue(transition, known, waiting);
      return;
    }
    let valuations = contexts.get(context);
    if (!valuations) contexts.set(context, (valuations = new Set()));
    valuations.add(valuation);
  }

  private nextPending(): Transition | undefined {
    for (const transition of this.pending.keys()) return transition;
    return undefined;
  }

  private async closeUnder(
    transition: Transition,
    context: Valuation,
    valuations: ReadonlySet<Valuation>,
  ): Promise<Reason | undefined> {
    const query = this.queries[transition.index]!;
    const sources = transition.from ? [query.sourceCubes([...valuations])] : [];
    if (transition.summary) {
      const exit = this.abstraction.at(transition.summary.exit);
      const pairs = exit
        .contexts()
        .flatMap((callee) => exit.valuations(callee).map((leaving) => [callee, leaving] as const));
      if (pairs.length === 0) return undefined;
      sources.push(query.summaryCubes(pairs));
    }
    const enters = transition.kind === 'call' || transition.kind === 'client' || transition.kind === 'start';
    const known = (point: Cutpoint): readonly Valuation[] => {
      const abstract = this.abstraction.at(point);
      return enters && point.tracksContext
        ? abstract.contexts()
        : abstract.valuations(point.tracksContext ? context : '');
    };
    for (;;) {
      const reason =
        this.limits.stop() ??
        (this.total > this.limits.abstractStates
          ? { cause: 'state-explosion' as const, message: `more than ${this.limits.abstractStates} abstract states` }
          : undefined);
      if (reason) return reason;
      this.limits.progress?.(this.total, this.total + this.pending.size);
      this.statistics.queries++;
      const reply = await query.ask(sources.length > 0 ? L.and(...sources) : undefined, known, this.limits.query);
      if (reply.kind === 'closed') return undefined;
      if (reply.kind === 'unknown') {
        const outcome = await this.fallBack(
          transition,
          context,
          known,
          `${reply.answer.cause}: ${reply.answer.detail}`,
        );
        if (outcome === 'closed') return undefined;
        if (outcome !== 'added') return outcome;
        continue;
      }
      this.fabricate(reply.state, enters ? undefined : context);
    }
  }

  /** Adds the abstract state the model found, builds a state for it and runs on. */
  private fabricate({ end, valuation, model }: NewState, context: Valuation | undefined): void {
    const { point } = end;
    const own = point.tracksContext ? (context ?? valuation) : '';
    const activation = this.fabricator.build(point, end.state, model);
    this.begin('fabricated', own);
    this.statistics.fabricated++;
    if (activation) {
      // Seen through the machine when the state can be built, so that its sample is a real one.
      const seen = this.recorder.visit(point, activation);
      if (seen !== valuation)
        this.remarks.add('a fabricated state could not be built exactly; its abstract state was kept');
    }
    if (this.abstraction.at(point).add({ valuation, context: own, source: 'abstract', sample: [] }))
      this.onLearned(point, own, valuation);
    if (!activation || this.limits.runSteps === 0 || point === this.system.client) return;
    this.begin('run', own);
    this.statistics.runs++;
    this.runOn(activation, own);
  }

  /** Runs on until the function returns, unless nothing new has turned up for a while. */
  private runOn(activation: Activation, context: Valuation): void {
    const { runSteps, idleSteps } = this.limits;
    this.machine.runFrom([this.recorder.withContext(activation, context)], {
      depth: 'function',
      stepLimit: runSteps,
      stepsWithoutProgress: idleSteps,
    });
  }

  /**
   * The prover gave up on a transition. Any superset stays sound: take a state outside the known ones at its ends,
   * without asking how it is reached; when there is none, the transition is closed whatever it does.
   */
  private async fallBack(
    transition: Transition,
    context: Valuation,
    known: (point: Cutpoint) => readonly Valuation[],
    detail: string,
  ): Promise<'added' | 'closed' | Reason> {
    this.statistics.fallbacks++;
    this.remarks.add(`the solver gave up on a step (${detail}); the step was over-approximated`);
    for (const end of transition.ends) {
      const { point } = end;
      const literals = this.abstraction.at(point).predicates.map(({ term }) => term);
      const axioms = this.system.vocabulary.wellFormed(point.fn, point.location);
      const answer = await this.solver.check(
        [...axioms, ...known(point).map((valuation) => L.not(cube(valuation, literals)))],
        this.limits.query,
      );
      this.statistics.queries++;
      if (answer.kind === 'unsat') continue;
      if (answer.kind === 'unknown')
        return undecidedReason(answer, { ...this.about(transition), ...stepInC(transition) });
      const valuation = literals.map((literal) => (answer.model.evaluate(literal) === true ? '1' : '0')).join('');
      const own = point.tracksContext
        ? transition.kind === 'segment' || transition.kind === 'return' || transition.kind === 'resume'
          ? context
          : valuation
        : '';
      if (this.abstraction.at(point).add({ valuation, context: own, source: 'abstract', sample: [] }))
        this.onLearned(point, own, valuation);
      return 'added';
    }
    return 'closed';
  }
}

/** Between calls there is no C to point at; the function that is called is. */
function stepInC({ kind, from, ends }: Transition): Pick<OpenQuestion, 'what' | 'place'> {
  const called = ends[0]?.point;
  if (kind === 'client' && called)
    return {
      what: `what a call of ${called.fn.name} begins with`,
      place: sourceLocationOf(called.location.span, called.fn.name),
    };
  return {
    what: 'a step of the program',
    place: from && sourceLocationOf(from.location.span, from.kind === 'module' ? undefined : from.fn.name),
  };
}
