/**
 * What a report shows beside the verdict: abstract states, covering tests, explanations.
 */
import { defaultPredicates, predicateLevels as levels } from '../../abstraction/predicates/defaultPredicates';
import { measuredPredicates } from '../../abstraction/predicates/measuredPredicates';
import { PredicateAbstraction, type PredicateMap } from '../../abstraction/predicates/predicateAbstraction';
import { type InvariantMap, noInvariants } from '../../abstraction/transitionSystem/invariantMap';
import { System } from '../../abstraction/transitionSystem/transitionSystem';
import { clientSteps } from '../../evidence/scenarios/clientSteps';
import { placeOf } from '../../host/fault';
import type { ClientStep, Place, Verdict } from '../../verdict';
import { coveringScenarios, stateKey } from '../search/coveringTests';
import { explain } from '../explanation/explanation';
import { withTests } from '../search/missingStates';
import { onlyProbesAt, probesAt } from './userFormulas';
import type { Account } from './findings';
import type { Facts } from './invariantGenerator';
import type { Setting } from './context';
import type { TestRuns } from './testSeededAbstraction';

/** For what a report shows beside the verdict, at most. */
const reportMs = 4_000;

export interface CoveringTest {
  readonly steps: readonly ClientStep[];
  /** The abstract states that no earlier test reaches. */ readonly states: readonly {
    readonly at: Place;
    readonly valuation: string;
  }[];
}

export class Presentation {
  constructor(
    private readonly setting: Setting,
    private readonly account: Account,
    private readonly tests: TestRuns,
    private readonly facts: Facts,
  ) {}

  cover(): readonly CoveringTest[] {
    const system = new System(this.setting.program, this.setting.systemOptions());
    const abstraction = PredicateAbstraction.of(system, noInvariants, this.shown(system));
    this.account.abstraction = abstraction;
    const found = coveringScenarios(this.setting.program, {
      abstraction,
      known: this.reachedByTests(abstraction),
      entries: this.setting.entries,
      scenario: this.setting.scenarioOptions(),
      seed: this.setting.task.seed,
      edges: 2_000_000,
      stop: () => this.setting.stopReason() !== undefined,
    });
    return found.map(({ scenario, run, states }) => ({
      steps: clientSteps(scenario, run),
      states: states.map(({ point, valuation }) => ({
        at: placeOf(point.location.span, point === system.client ? undefined : point.fn.name),
        valuation: this.account.valuationText(abstraction.at(point), valuation),
      })),
    }));
  }

  /** States that need no client any more. */
  private reachedByTests(abstraction: PredicateAbstraction): ReadonlySet<string> {
    if (this.setting.task.runs.length === 0) return new Set();
    const engine = this.tests.abstraction(abstraction, {
      query: this.setting.queryBudget(),
      abstractStates: Infinity,
      stop: () => this.setting.stopReason(),
    });
    engine.dispose();
    return new Set(
      abstraction.points.flatMap((abstract) =>
        abstract.all().map(({ valuation }) => stateKey(abstract.point, valuation)),
      ),
    );
  }

  async explained(verdict: Verdict): Promise<Verdict> {
    const until = Math.min(this.setting.deadline, performance.now() + reportMs);
    const closed = await this.drawable(verdict.kind, until);
    const explanation = await explain({
      program: this.setting.program,
      task: this.setting.task,
      inForce: this.setting.inForce,
      kind: verdict.kind,
      abstraction: this.account.abstraction,
      closed,
      alarms: this.account.alarms,
      probes: (system) => probesAt(this.setting.task, system),
      instance: () => this.setting.instance(),
      rerun: this.account.rerun,
      solver: this.setting.solver,
      query: () => this.setting.queryBudget(),
      stop: () => performance.now() > until || this.setting.interrupted,
    });
    return { ...verdict, adequacy: verdict.adequacy ?? (closed ? this.account.adequacy() : undefined), explanation };
  }

  /**
   * Sees to it that the system has abstract states to show; answers whether they are closed. Where facts alone were
   * enough there are none: those of the default predicates are closed then. For a bug those are enough that the tests
   * and the failing run come by.
   */
  private async drawable(kind: Verdict['kind'], until: number): Promise<boolean> {
    const known =
      this.account.abstraction ??
      (kind === 'bug'
        ? PredicateAbstraction.of(new System(this.setting.program, this.setting.systemOptions()), noInvariants)
        : undefined);
    const decided = kind === 'proved' || kind === 'potential-error';
    if (!known || (!decided && kind !== 'bug')) return false;
    if (this.account.abstraction && this.account.counted().some(({ predicates }) => predicates.length > 0))
      return decided;
    const shown = this.withPredicates(known.system, decided ? known.invariants : noInvariants);
    if (kind === 'bug') {
      this.account.abstraction = shown;
      return false;
    }
    return this.closes(shown, until, 400);
  }

  /** What abstract states are told apart by, for readers. */
  private shown(system: System): PredicateMap {
    return this.setting.task.predicates === 'probes'
      ? onlyProbesAt(this.setting.task, system)
      : measuredPredicates(system, defaultPredicates(system, probesAt(this.setting.task, system), levels[0]!));
  }

  /** The abstraction by the predicates to be shown. */
  private withPredicates(system: System, invariants: InvariantMap): PredicateAbstraction {
    return PredicateAbstraction.of(system, invariants, this.shown(system));
  }

  /** Whether its abstract states are all there; then it is the one to be counted. */
  private async closes(shown: PredicateAbstraction, until: number, abstractStates: number): Promise<boolean> {
    const engine = this.tests.abstraction(shown, {
      query: this.setting.queryBudget(),
      abstractStates,
      stop: () =>
        this.setting.stopReason() ??
        (performance.now() > until
          ? { cause: 'time-budget', message: 'no time is left for the abstract states' }
          : undefined),
    });
    try {
      if ((await engine.close()).kind !== 'closed') return false;
      this.account.abstraction = shown;
      return true;
    } finally {
      engine.dispose();
    }
  }

  /**
   * How well the tests test: their states against all those that the module can reach, as far as the conditions of the
   * program and the probes tell them apart. States that the proved facts exclude are none.
   */
  async measured(verdict: Verdict): Promise<Verdict> {
    if (
      this.setting.task.mode === 'program' ||
      this.setting.task.runs.length === 0 ||
      (this.account.abstraction === undefined && verdict.kind !== 'bug')
    )
      return { ...verdict, adequacy: undefined };
    this.setting.afterProof();
    // How far the proof had come when a bug was found depends on what earlier runs left.
    const proved =
      verdict.kind === 'proved' ? this.account.abstraction : verdict.kind === 'bug' ? undefined : this.account.settled;
    const known = proved ?? (await this.learnt());
    const shown = this.withPredicates(known.system, known.invariants);
    if (!(await this.closes(shown, this.setting.deadline, 4000))) {
      return {
        ...verdict,
        adequacy: undefined,
        remarks: [...verdict.remarks, 'the abstract states that can be reached were not found out within the budget'],
      };
    }
    return this.withMissingTests({
      ...verdict,
      statistics: this.account.common().statistics,
      adequacy: this.account.adequacy(),
    });
  }

  /** Where a test has shown the bug, nothing was asked about other runs. */
  private async learnt(): Promise<PredicateAbstraction> {
    const options = this.setting.systemOptions();
    const learner = this.facts.learner(options);
    const invariants = await learner.invariants(1, await learner.invariants(0, noInvariants, 0), 0);
    return PredicateAbstraction.of(new System(this.setting.program, options), invariants);
  }

  /** The tests that are missing. */
  private withMissingTests(verdict: Verdict): Verdict {
    const { adequacy } = verdict;
    if (!adequacy || !this.account.abstraction) return verdict;
    return {
      ...verdict,
      adequacy: withTests(adequacy, this.account.unreached(), this.setting.program, {
        abstraction: this.account.abstraction,
        entries: this.setting.entries,
        callable: this.setting.callable,
        tested: this.setting.tested,
        variable: this.setting.variable,
        scenario: this.setting.scenarioOptions(),
        seed: this.setting.task.seed,
        stop: () => this.setting.stopReason() !== undefined,
      }),
    };
  }
}
