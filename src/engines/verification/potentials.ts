/**
 * Alarms that no execution confirmed: what they say, and which probes would rule them out.
 */
import { predicateLevels as levels } from '../../abstraction/defaultPredicates';
import { printValue } from '../../abstraction/printValue';
import { System } from '../../abstraction/system';
import { placeOf } from '../../host/fault';
import { symbolsOf } from '../../logic/substitute';
import type { PotentialError, Reason, StateInC, Verdict } from '../../verdict';
import { suggestedOfCallBacks } from '../callBacks';
import { described, missingBody, suggestion } from '../potentialErrors';
import { onlyProbesAt } from '../stated';
import { printProbes, probeCandidates, sufficientProbes, type SuggestedProbe } from '../sufficientProbes';
import type { Alarm } from '../testBasedAbstraction';
import type { Account } from './account';
import { failureAt } from './failure';
import { setPredicates } from './setPredicates';
import type { Setting } from './setting';
import type { TestRuns } from './testRuns';

const timeIsUp: Reason = { cause: 'time-budget', message: 'the time for this attempt is up' };

export class Potentials {
  constructor(private readonly setting: Setting, private readonly account: Account, private readonly tests: TestRuns) {}

  /** Where only the user's probes are followed: those that are missing, to paste. */
  async probesThatClose(): Promise<string | undefined> {
    if (this.setting.task.predicates !== 'probes' || this.setting.stopReason()) return undefined;
    const began = performance.now();
    const until = began + (this.setting.deadline - began) * 0.7;
    const stop = (): boolean => this.setting.stopReason() !== undefined || performance.now() > until;
    const { testStates } = this.account;
    const candidates = probeCandidates(new System(this.setting.program, { ...this.setting.systemOptions(), pointerFacts: true }), levels[0]!);
    const found = await sufficientProbes(candidates, (probes) => this.closesWith(probes, stop), stop);
    this.account.testStates = testStates;
    return found && printProbes(found, this.setting.variable);
  }

  /** What the next run would find if these probes were there. */
  private async closesWith(probes: readonly SuggestedProbe[], stop: () => boolean): Promise<boolean> {
    const task = { ...this.setting.task, probes: [...this.setting.task.probes, ...probes] };
    const system = new System(this.setting.program, this.setting.systemOptions());
    setPredicates(system, onlyProbesAt(task, system));
    const engine = this.tests.abstraction(system, { query: this.setting.moderately(), abstractStates: 1000, stop: () => (stop() ? timeIsUp : undefined) });
    try {
      if ((await engine.close()).kind !== 'closed') return false;
      const alarms = await engine.alarms();
      return Array.isArray(alarms) && alarms.length === 0;
    } finally {
      engine.dispose();
    }
  }

  potential(alarms: readonly Alarm[], missingProbes: string | undefined): Verdict {
    const system = this.account.system!;
    const errors = alarms.map((alarm) => this.potentialError(alarm, system)).map((error) => (missingProbes === undefined ? error : { ...error, suggestion: missingProbes }));
    const [first] = errors;
    const missing = missingBody(alarms[0]!, this.setting.program, system);
    if (missing) return { kind: 'potential-error', ...this.account.common(), errors, reason: missing };
    const suggested = first!.suggestion ?? suggestedOfCallBacks(this.setting.callBacks);
    return {
      kind: 'potential-error', ...this.account.common(), errors,
      reason: { cause: 'probe-too-weak', message: `the predicates are too weak to rule out: ${first!.failure.message}`, place: first!.failure.place, ...(suggested && { suggestion: suggested }) },
    };
  }

  private potentialError({ transition, obligation, model }: Alarm, system: System): PotentialError {
    const { check } = obligation;
    const from = transition.from!;
    const symbols = new Set([obligation.guard, obligation.condition, ...from.predicates.map(({ term }) => term)].flatMap((term) => [...symbolsOf(term)]));
    const state: StateInC = [...symbols].flatMap((symbol) => {
      const shown = system.vocabulary.meaning(symbol) ? printValue(symbol, model.symbol(symbol), system.vocabulary) : undefined;
      return shown ? [shown] : [];
    });
    return {
      failure: failureAt(check.check, `${check.text}: ${described(check.check)} may fail`, check.span, obligation.function),
      at: placeOf(from.location.span, from.fn.name), state,
      explanation: 'no sequence of calls was found that leads to this state, and the predicates do not exclude it',
      suggestion: suggestion(obligation.condition, from, system, this.setting.variable),
    };
  }
}
