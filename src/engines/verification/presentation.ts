/**
 * What a report shows beside the verdict: abstract states, covering tests, explanations.
 */
import { defaultPredicates, predicateLevels as levels } from '../../abstraction/defaultPredicates';
import { System } from '../../abstraction/system';
import { clientSteps } from '../../evidence/scenario';
import { placeOf } from '../../host/fault';
import type { ClientStep, Place, Verdict } from '../../verdict';
import { coveringScenarios } from '../cover';
import { explain } from '../explain';
import { withTests } from '../missingStates';
import { onlyProbesAt, probesAt } from '../stated';
import type { Account } from './account';
import { setPredicates } from './setPredicates';
import type { Setting } from './setting';
import type { TestRuns } from './testRuns';

/** For what a report shows beside the verdict, at most. */
const reportMs = 4_000;

export interface CoveringTest { readonly steps: readonly ClientStep[]; /** The abstract states that no earlier test reaches. */ readonly states: readonly { readonly at: Place; readonly valuation: string }[] }

export class Presentation {
  constructor(private readonly setting: Setting, private readonly account: Account, private readonly tests: TestRuns) {}

  cover(): readonly CoveringTest[] {
    const system = new System(this.setting.program, this.setting.systemOptions());
    this.account.system = system;
    setPredicates(system, this.setting.task.predicates === 'probes' ? onlyProbesAt(this.setting.task, system) : defaultPredicates(system, probesAt(this.setting.task, system), levels[0]!));
    const found = coveringScenarios(this.setting.program, { system, entries: this.setting.entries, scenario: this.setting.scenarioOptions(), seed: this.setting.task.seed, edges: 2_000_000, stop: () => this.setting.stopReason() !== undefined });
    return found.map(({ scenario, run, states }) => ({
      steps: clientSteps(scenario, run),
      states: states.map(({ point, valuation }) => ({ at: placeOf(point.location.span, point === system.client ? undefined : point.fn.name), valuation: this.account.valuationText(point, valuation) })),
    }));
  }

  async explained(verdict: Verdict): Promise<Verdict> {
    const until = Math.min(this.setting.deadline, performance.now() + reportMs);
    const closed = await this.drawable(verdict.kind, until);
    const explanation = await explain({
      program: this.setting.program, task: this.setting.task, inForce: this.setting.inForce, kind: verdict.kind, system: this.account.system, closed, alarms: this.account.alarms,
      probes: (system) => probesAt(this.setting.task, system), instance: () => this.setting.instance(), rerun: this.account.rerun,
      solver: this.setting.solver, query: () => this.setting.queryBudget(), stop: () => performance.now() > until || this.setting.interrupted,
    });
    return { ...verdict, adequacy: verdict.adequacy ?? (closed ? this.account.adequacy() : undefined), explanation };
  }

  /**
   * Sees to it that the system has abstract states to show; answers whether they are closed. Where facts alone were enough there are none: those of the
   * default predicates are closed then. For a bug those are enough that the tests and the failing run come by.
   */
  private async drawable(kind: Verdict['kind'], until: number): Promise<boolean> {
    const system = this.account.system ?? (kind === 'bug' ? new System(this.setting.program, this.setting.systemOptions()) : undefined);
    const decided = kind === 'proved' || kind === 'potential-error';
    if (!system || (!decided && kind !== 'bug')) return false;
    if (this.account.system && this.account.counted().some(({ predicates }) => predicates.length > 0)) return decided;
    const shown = new System(this.setting.program, system.options);
    if (decided) shown.points.forEach((point, i) => { point.facts = system.points[i]?.facts ?? []; });
    setPredicates(shown, defaultPredicates(shown, probesAt(this.setting.task, shown), levels[0]!));
    if (kind === 'bug') {
      this.account.system = shown;
      return false;
    }
    const engine = this.tests.abstraction(shown, {
      query: this.setting.queryBudget(), abstractStates: 400, stop: () => (performance.now() > until ? { cause: 'time-budget', message: 'no time is left for the report' } : undefined),
    });
    try {
      if ((await engine.close()).kind !== 'closed') return false;
      this.account.system = shown;
      return true;
    } finally {
      engine.dispose();
    }
  }

  /** Where the measure of the tests was asked for, the tests that are missing come with it. */
  withMissingTests(verdict: Verdict): Verdict {
    const { adequacy } = verdict;
    if (!this.setting.task.adequacy || !adequacy || !this.account.system || this.setting.task.mode === 'program' || verdict.kind === 'unknown' || verdict.kind === 'not-evaluated') return verdict;
    return { ...verdict, adequacy: withTests(adequacy, this.account.unreached(), this.setting.program, {
      system: this.account.system, entries: this.setting.entries, callable: this.setting.callable, tested: this.setting.tested, variable: this.setting.variable, scenario: this.setting.scenarioOptions(), seed: this.setting.task.seed, stop: () => this.setting.stopReason() !== undefined,
    }) };
  }
}
