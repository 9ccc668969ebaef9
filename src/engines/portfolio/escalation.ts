/**
 * Refinement of a partition of the states, alone or after test-based abstraction (Gulavani et al., FSE 2006; see
 * `refine.ts`).
 */
import type { ControlPoint, CutpointKey } from '../../abstraction/transitionSystem/controlPoint';
import {
  type InvariantMap,
  invariantMap,
  invariantsAt,
  noInvariants,
} from '../../abstraction/transitionSystem/invariantMap';
import {
  type AbstractPoint,
  cube,
  type Predicate,
  PredicateAbstraction,
} from '../../abstraction/predicates/predicateAbstraction';
import { computable } from '../../abstraction/predicates/defaultPredicates';
import { System, type SystemOptions } from '../../abstraction/transitionSystem/transitionSystem';
import { faultOf, runScenario } from '../../evidence/scenarios/scenario';
import * as L from '../../logic/build';
import { hasQuantifier } from '../../logic/instances';
import { atomsOf, sizeOf, symbolsOf } from '../../logic/substitute';
import type { Term } from '../../logic/term';
import type { Reason, Verdict } from '../../verdict';
import { isRefining, refine, type Refined, type RefiningEngine } from '../refinement/refine';
import { TestExecution } from '../refinement/testExecution';
import type { Account } from './findings';
import type { Bugs } from './bugs';
import type { Proofs } from './proofs';
import type { Setting } from './context';

/** Edges of the automaton that a test made by refinement may take. */
const REFINING_STEPS = 5_000_000;
/** Of one turn of refinement after test-based abstraction. */
const ESCALATION_ITERATIONS = 60;
/**
 * Atoms of its splits that the next abstraction follows, per control point: those that have a value in every concrete
 * state, so without quantifiers.
 */
const SPLIT_ATOMS = 8;
const SPLIT_ATOM_SIZE = 24;
/** Abstract states of a point beyond which their disjunction is more than queries should carry. */
const HANDED_STATES = 48;
const disagreement: Reason = {
  cause: 'checker-disagrees',
  message: 'a failing test could not be run again as a scenario',
};

export class Escalation {
  constructor(
    private readonly setting: Setting,
    private readonly account: Account,
    private readonly bugs: Bugs,
    private readonly proofs: Proofs,
  ) {}

  /** By refining a partition of the states alone; see `refine.ts`. */
  async refined(systemOptions: SystemOptions): Promise<Verdict> {
    const system = new System(this.setting.program, systemOptions);
    this.account.abstraction = PredicateAbstraction.of(system, noInvariants);
    const engine = isRefining(this.setting.task.engine) ? this.setting.task.engine : 'synergy';
    const result = await this.refine(
      engine,
      system,
      noInvariants,
      () => this.setting.stopReason(),
      this.setting.task.refinement?.iterations ?? 2000,
    );
    return (
      (await this.conclude(result)) ?? this.account.unknown(result.kind === 'unknown' ? result.reason : disagreement)
    );
  }

  /** Formulas that refinement split by, per control point: more to follow for the next, finer abstraction. */
  private readonly splits = new Map<CutpointKey, Set<Term>>();

  /**
   * A potential error is handed on to refinement: the abstract states as what is known of every place, the tests as the
   * forest. It hands back a proof or a bug, or what it split by. The two take turns under one budget.
   */
  async escalate(
    closed: PredicateAbstraction | undefined,
    invariants: InvariantMap,
    options: SystemOptions,
  ): Promise<Verdict | undefined> {
    if (
      this.setting.task.engine !== 'auto' ||
      this.setting.task.refinement?.escalate === false ||
      this.setting.stopReason()
    )
      return undefined;
    const before = this.account.abstraction;
    const handed = closed?.system.points.some(({ tracksContext }) => tracksContext) ? undefined : closed;
    const refiningOptions: SystemOptions = { ...options, pointerFacts: true };
    const system = new System(this.setting.program, refiningOptions);
    const known = invariantMap(system.points, (point) => [
      ...invariantsAt(invariants, point).filter((term) => !hasQuantifier(term)),
      ...(handed ? abstractStates(handed.at(point)) : []),
    ]);
    const until =
      performance.now() +
      (this.setting.deadline - performance.now()) * (this.setting.task.predicates === 'probes' ? 0.8 : 0.35);
    const outOfTime: Reason = { cause: 'time-budget', message: 'refinement used up its share of the time' };
    const result = await this.refine(
      'synergy',
      system,
      known,
      () => this.setting.stopReason() ?? (performance.now() > until ? outOfTime : undefined),
      ESCALATION_ITERATIONS,
    );
    this.account.abstraction = PredicateAbstraction.of(system, known);
    this.account.engineName = 'test-based-abstraction, synergy';
    const verdict = await this.conclude(result);
    // What holds of nothing, more predicates make no better.
    if (
      verdict?.kind === 'proved' ||
      verdict?.kind === 'bug' ||
      (verdict?.kind === 'unknown' && verdict.reason.cause === 'vacuous')
    )
      return verdict;
    this.account.engineName = 'test-based-abstraction';
    this.account.abstraction = before;
    if (result.kind === 'unknown')
      for (const [key, terms] of result.splits)
        this.splits.set(
          key,
          new Set(
            [
              ...(this.splits.get(key) ?? []),
              ...terms.flatMap(atomsOf).filter((atom) => sizeOf(atom) <= SPLIT_ATOM_SIZE && computable(atom)),
            ].slice(0, SPLIT_ATOMS),
          ),
        );
    return undefined;
  }

  /** What refinement split by, as predicates beside the probes. */
  withSplits(system: System, given: Map<ControlPoint, Predicate[]>): Map<ControlPoint, Predicate[]> {
    for (const point of system.points) {
      const terms = [...(this.splits.get(point.key) ?? [])].filter((term) =>
        [...symbolsOf(term)].every((symbol) => system.vocabulary.meaning(symbol)),
      );
      if (point !== system.client && terms.length > 0)
        given.set(point, [...(given.get(point) ?? []), ...terms.map((term): Predicate => ({ term, name: undefined }))]);
    }
    return given;
  }

  async refine(
    engine: RefiningEngine,
    system: System,
    invariants: InvariantMap,
    stop: () => Reason | undefined,
    iterations: number,
  ): Promise<Refined> {
    const scenarios = this.setting.scenarioOptions();
    const { generalize = 'learned', choice = 'nearest', edges = 'checked' } = this.setting.task.refinement ?? {};
    const executions = this.setting.task.runs.map(
      (run) => new TestExecution(run, () => this.setting.instance(), this.setting.entries, scenarios),
    );
    const result = await refine(system, invariants, this.setting.exactSolver, {
      engine,
      seed: this.setting.task.seed,
      runSteps: REFINING_STEPS,
      query: () => this.setting.queryBudget(),
      horn: this.setting.horn,
      scenarios,
      executions,
      trace: this.setting.options.trace,
      generalize,
      choice,
      edges,
      iterations,
      stop,
    });
    this.account.refinement = result.report;
    return result;
  }

  /** A verdict from what refinement found, when the evidence agrees. */
  private async conclude(result: Refined): Promise<Verdict | undefined> {
    switch (result.kind) {
      case 'pass':
        this.account.abstraction = result.abstraction;
        return this.proofs.proved(result.abstraction);
      case 'fail': {
        const { scenario } = result;
        return scenario && faultOf(runScenario(this.setting.program, scenario, this.setting.scenarioOptions()))
          ? this.bugs.bug(scenario)
          : undefined;
      }
      case 'unknown':
        return undefined;
    }
  }
}

/**
 * The abstract states of a closed abstraction as one invariant. Where they are told apart by context, their union need not be
 * inductive by itself.
 */
function abstractStates(point: AbstractPoint): readonly Term[] {
  const valuations = point.valuations();
  if (point.predicates.length === 0 || valuations.length > HANDED_STATES) return [];
  return [
    L.or(
      ...valuations.map((valuation) =>
        cube(
          valuation,
          point.predicates.map(({ term }) => term),
        ),
      ),
    ),
  ];
}
