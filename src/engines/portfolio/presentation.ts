/** Parts of a report beside the verdict: abstract states, covering tests, explanations. */
import { defaultPredicates, predicateLevels } from '../../abstraction/predicates/defaultPredicates';
import { measuredPredicates } from '../../abstraction/predicates/measuredPredicates';
import { PredicateAbstraction, type PredicateMap } from '../../abstraction/predicates/predicateAbstraction';
import { type InvariantMap, noInvariants } from '../../abstraction/transitionSystem/invariantMap';
import { type TransitionSystem } from '../../abstraction/transitionSystem/transitionSystem';
import { clientSteps } from '../../evidence/scenarios/clientSteps';
import { sourceLocationOf } from '../../sourceLocation';
import type { ClientStep, SourceLocation, Statistics, Verdict } from '../../verdict';
import { coveringScenarios, stateKey } from '../search/coveringTests';
import { explain } from '../explanation/explanation';
import { withTests } from '../search/missingStates';
import { onlyProbesAt, probesAt } from './userFormulas';
import type { Budget } from '../../budget';
import { nothingKnown } from '../engine';
import type { Rerun } from '../explanation/explanation';
import { houdiniOf } from '../invariants/houdiniEngine';
import { sampling } from '../invariants/sampling';
import type { Problem } from '../problem';
import { seededByTests } from '../testBasedAbstraction/seededByTests';
import type { Alarm, TestBasedAbstraction } from '../testBasedAbstraction/testBasedAbstraction';
import type { VerificationLog } from './verificationLog';

const limits = {
  /** For an explanation. */
  explanationMs: 4_000,
  explainedStates: 400,
  /** For the measure of the tests: abstract states, and the share of each search for invariants. */
  measuredStates: 4000,
  invariantsShare: 1 / 2,
  /** CFA edges of the search for covering tests. */
  coveringSteps: 2_000_000,
} as const;

const noTimeForStates = { cause: 'time-budget', message: 'no time is left for the abstract states' } as const;

export interface CoveringTest {
  readonly steps: readonly ClientStep[];
  /** The abstract states that no earlier test reaches. */ readonly states: readonly {
    readonly at: SourceLocation;
    readonly valuation: string;
  }[];
}

export class Presentation {
  constructor(
    private readonly problem: Problem,
    private readonly budget: Budget,
    private readonly log: VerificationLog,
  ) {}

  cover(): readonly CoveringTest[] {
    const system = this.problem.system;
    const abstraction = PredicateAbstraction.of(system, noInvariants, this.shownPredicates(system));
    this.log.working(abstraction);
    const found = coveringScenarios(this.problem.program, {
      abstraction,
      known: this.reachedByTests(abstraction),
      entries: this.problem.entries,
      scenario: this.problem.scenarioOptions(),
      seed: this.problem.task.seed,
      edges: limits.coveringSteps,
      stop: () => this.budget.exhausted !== undefined,
    });
    return found.map(({ scenario, run, states }) => ({
      steps: clientSteps(scenario, run, this.problem.program),
      states: states.map(({ point, valuation }) => ({
        at: sourceLocationOf(point.location.span, point === system.client ? undefined : point.fn.name),
        valuation: this.log.valuationText(abstraction.at(point), valuation),
      })),
    }));
  }

  /** States that need no client any more. */
  private reachedByTests(abstraction: PredicateAbstraction): ReadonlySet<string> {
    if (this.problem.task.runs.length === 0) return new Set();
    this.seedAbstraction(abstraction, this.budget, Infinity).dispose();
    return new Set(
      abstraction.points.flatMap((abstract) =>
        abstract.all().map(({ valuation }) => stateKey(abstract.point, valuation)),
      ),
    );
  }

  async explain(verdict: Verdict, alarms: readonly Alarm[], rerun: Rerun | undefined): Promise<Verdict> {
    const share = this.budget.share(1, limits.explanationMs, noTimeForStates);
    const closed = await this.drawable(verdict.kind, share);
    const explanation = await explain({
      program: this.problem.program,
      task: this.problem.task,
      checkedProperties: this.problem.checkedProperties,
      kind: verdict.kind,
      abstraction: this.log.abstraction,
      wholeSystem: () => this.problem.system,
      closed,
      alarms,
      probes: (system) => probesAt(this.problem.task, system),
      instance: () => this.problem.instance(),
      rerun,
      solver: this.problem.solvers.instances,
      query: () => this.budget.query(),
      stop: () => share.exhausted !== undefined,
    });
    return { ...verdict, adequacy: verdict.adequacy ?? (closed ? this.log.adequacy() : undefined), explanation };
  }

  /**
   * Sees to it that the system has abstract states to show; answers whether they are closed. Where invariants alone
   * were enough there are none: those of the default predicates are closed then. For a bug those are enough that the
   * tests and the failing run come by.
   */
  private async drawable(kind: Verdict['kind'], share: Budget): Promise<boolean> {
    const known =
      this.log.abstraction ?? (kind === 'bug' ? PredicateAbstraction.of(this.problem.system, noInvariants) : undefined);
    const decided = kind === 'proved' || kind === 'potential-error';
    if (!known || (!decided && kind !== 'bug')) return false;
    if (this.log.abstraction && this.log.countedPoints().some(({ predicates }) => predicates.length > 0))
      return decided;
    const shown = this.withPredicates(known.system, decided ? known.invariants : noInvariants);
    if (kind === 'bug') {
      this.log.working(shown);
      return false;
    }
    return this.closes(shown, share, limits.explainedStates);
  }

  /** Predicates that tell abstract states apart, for readers. */
  private shownPredicates(system: TransitionSystem): PredicateMap {
    return this.problem.task.predicates === 'probes'
      ? onlyProbesAt(this.problem.task, system)
      : measuredPredicates(system, defaultPredicates(system, probesAt(this.problem.task, system), predicateLevels[0]!));
  }

  /** The abstraction by the predicates to be shown. */
  private withPredicates(system: TransitionSystem, invariants: InvariantMap): PredicateAbstraction {
    return PredicateAbstraction.of(system, invariants, this.shownPredicates(system));
  }

  private seedAbstraction(
    abstraction: PredicateAbstraction,
    budget: Budget,
    abstractStates: number,
  ): TestBasedAbstraction {
    const options = { query: this.budget.query(), abstractStates, stop: () => budget.exhausted };
    return seededByTests(this.problem, abstraction, options, this.log);
  }

  /** True if its abstract states are complete; then it is the one counted. */
  private async closes(shown: PredicateAbstraction, budget: Budget, abstractStates: number): Promise<boolean> {
    const engine = this.seedAbstraction(shown, budget, abstractStates);
    try {
      if ((await engine.close()).kind !== 'closed') return false;
      this.log.working(shown);
      return true;
    } finally {
      engine.dispose();
    }
  }

  /**
   * Adequacy of the tests: their states against all those that the module can reach, as far as the conditions of the
   * program and the probes tell them apart. States that invariants exclude are none.
   */
  async withAdequacy(verdict: Verdict): Promise<Verdict> {
    if (
      this.problem.task.mode === 'program' ||
      this.problem.task.runs.length === 0 ||
      (this.log.abstraction === undefined && verdict.kind !== 'bug')
    )
      return { ...verdict, adequacy: undefined };
    this.budget.limitSolver();
    // Progress of the proof when a bug was found depends on what earlier runs left.
    const proved =
      verdict.kind === 'proved' ? this.log.abstraction : verdict.kind === 'bug' ? undefined : this.log.settled.at(-1);
    const known = proved ?? (await this.learnt());
    const shown = this.withPredicates(known.system, known.invariants);
    if (!(await this.closes(shown, this.budget, limits.measuredStates))) {
      return {
        ...verdict,
        adequacy: undefined,
        remarks: [...verdict.remarks, 'the abstract states that can be reached were not found out within the budget'],
      };
    }
    return this.withMissingTests({
      ...verdict,
      statistics: { ...this.log.statistics(), ...proofFigures(verdict.statistics) },
      adequacy: this.log.adequacy(),
    });
  }

  /** If a test has shown the bug, nothing was asked about other runs. */
  private async learnt(): Promise<PredicateAbstraction> {
    let known = nothingKnown;
    for (const engine of [sampling, houdiniOf('basic'), houdiniOf('extents')]) {
      const share = engine === sampling ? this.budget : this.budget.share(limits.invariantsShare);
      const outcome = await engine.run(this.problem, known, share, this.log);
      if (outcome.kind !== 'unknown') break;
      known = outcome.learned;
    }
    return PredicateAbstraction.of(this.problem.system, known.invariants);
  }

  /** The tests that are missing. */
  private withMissingTests(verdict: Verdict): Verdict {
    const { adequacy } = verdict;
    if (!adequacy || !this.log.abstraction) return verdict;
    return {
      ...verdict,
      adequacy: withTests(adequacy, this.log.unreachedStates(), this.problem.program, {
        abstraction: this.log.abstraction,
        entries: this.problem.entries,
        callable: this.problem.callable,
        tested: this.problem.tested,
        variable: this.problem.variable,
        scenario: this.problem.scenarioOptions(),
        seed: this.problem.task.seed,
        stop: () => this.budget.exhausted !== undefined,
      }),
    };
  }
}

const proofFigures = ({ obligations, reused, provedAnew }: Statistics): Partial<Statistics> => ({
  obligations,
  ...(reused !== undefined && { reused }),
  ...(provedAnew && { provedAnew }),
});
