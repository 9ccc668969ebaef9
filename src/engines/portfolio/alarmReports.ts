/**
 * Alarms that no execution confirmed: what they say, and which probes would rule them out.
 */
import { predicateLevels as levels } from '../../abstraction/predicates/defaultPredicates';
import { printElement, printValue } from '../../abstraction/printing/printValue';
import { PredicateAbstraction } from '../../abstraction/predicates/predicateAbstraction';
import { noInvariants } from '../../abstraction/transitionSystem/invariantMap';
import { System } from '../../abstraction/transitionSystem/transitionSystem';
import { placeOf } from '../../host/fault';
import { symbolsOf } from '../../logic/substitute';
import type { Term } from '../../logic/term';
import { postOrder } from '../../logic/traverse';
import type { Task } from '../../task';
import type { PotentialError, Reason, StateInC, Verdict } from '../../verdict';
import { suggestedOfCallBacks } from '../assumptions/callbacks';
import { described, missingBody, needed } from '../explanation/potentialErrors';
import { printPromises, promisesFor } from '../preconditions/preconditions';
import { onlyProbesAt } from './userFormulas';
import { printProbes, probeCandidates, sufficientProbes, type SuggestedProbe } from '../explanation/sufficientProbes';
import type { Alarm } from '../testBasedAbstraction/testBasedAbstraction';
import type { Account } from './findings';
import { failureAt } from './failure';
import type { Setting } from './context';
import type { TestRuns } from './testSeededAbstraction';

/** Of the time that is left, for promises. */
const mostAttemptMs = 10_000;
const leastAttemptMs = 500;

/** A longer condition helps nobody to find a probe. */
const MOST_CHARACTERS = 200;

const timeIsUp: Reason = { cause: 'time-budget', message: 'the time for this attempt is up' };

export class Potentials {
  /** `attempt`: another question, asked on the side. */
  constructor(
    private readonly setting: Setting,
    private readonly account: Account,
    private readonly tests: TestRuns,
    private readonly attempt: (task: Task) => Promise<Verdict>,
  ) {}

  /** Where only the user's probes are followed: those that are missing, to paste. */
  private async probesThatClose(): Promise<string | undefined> {
    if (this.setting.task.predicates !== 'probes' || this.setting.stopReason()) return undefined;
    const began = performance.now();
    const until = began + (this.setting.deadline - began) * 0.7;
    const stop = (): boolean => this.setting.stopReason() !== undefined || performance.now() > until;
    const { testStates } = this.account;
    const candidates = probeCandidates(
      new System(this.setting.program, { ...this.setting.systemOptions(), pointerFacts: true }),
      levels[0]!,
    );
    const found = await sufficientProbes(candidates, (probes) => this.closesWith(probes, stop), stop);
    this.account.testStates = testStates;
    return found && printProbes(found, this.setting.variable);
  }

  /** What the next run would find if these probes were there. */
  private async closesWith(probes: readonly SuggestedProbe[], stop: () => boolean): Promise<boolean> {
    const task = { ...this.setting.task, probes: [...this.setting.task.probes, ...probes] };
    const system = new System(this.setting.program, this.setting.systemOptions());
    const abstraction = PredicateAbstraction.of(system, noInvariants, onlyProbesAt(task, system));
    const engine = this.tests.abstraction(abstraction, {
      query: this.setting.moderately(),
      abstractStates: 1000,
      stop: () => (stop() ? timeIsUp : undefined),
    });
    try {
      if ((await engine.close()).kind !== 'closed') return false;
      const alarms = await engine.alarms();
      return Array.isArray(alarms) && alarms.length === 0;
    } finally {
      engine.dispose();
    }
  }

  async potential(alarms: readonly Alarm[]): Promise<Verdict> {
    const { setting, account } = this;
    const system = account.system!;
    const missing = missingBody(alarms[0]!, setting.program, system);
    const suggestion =
      missing || setting.options.aside
        ? undefined
        : ((await this.probesThatClose()) ??
          suggestedOfCallBacks(setting.callBacks) ??
          (await this.whatIsKnown(alarms, system)));
    const errors = alarms.map((alarm): PotentialError => ({ ...this.potentialError(alarm, system), suggestion }));
    if (missing)
      return {
        kind: 'potential-error',
        ...account.common('open'),
        adequacy: account.adequacy(),
        errors,
        reason: missing,
      };
    const { failure } = errors[0]!;
    return {
      kind: 'potential-error',
      ...account.common('open'),
      adequacy: account.adequacy(),
      errors,
      reason: {
        cause: 'probe-too-weak',
        message: `the predicates are too weak to rule out: ${failure.message}`,
        place: failure.place,
        ...(suggestion !== undefined && { suggestion }),
      },
    };
  }

  /**
   * Nothing that closes the proof is known: what the check hangs on, and which promises of clients would do, tried
   * while there is time.
   */
  private async whatIsKnown(alarms: readonly Alarm[], system: System): Promise<string> {
    const { setting } = this;
    const condition = needed(alarms[0]!);
    const byRounding = alarms.some(({ obligation }) => isRounded(obligation.guard) || isRounded(obligation.condition))
      ? '\nor check the number in the C, so that NaN does not pass either: if (!(x >= 0.0)) x = 0.0; in a proof the result of a floating-point operation may be any number'
      : '';
    const because = `say as a probe what rules this state out${condition === undefined || condition.length > MOST_CHARACTERS ? '' : ` (the check needs ${condition})`}: ${setting.variable}.probe('…', (s) => …), or --probe '…: …' on the command line${byRounding}`;
    const { promised, all } = promisesFor(alarms, system, setting.program, setting.callable);
    if (promised.length === 0) return because;
    const leftMs = setting.deadline - performance.now();
    let outcome = 'not tried, for want of time';
    if (!all) outcome = 'which rules out some of these errors';
    else if (leftMs > leastAttemptMs && !setting.stopReason()) {
      const before = {
        ...setting.task,
        requires: [...(setting.task.requires ?? []), ...promised],
        adequacy: false,
        explain: false,
        budget: { ...setting.task.budget, milliseconds: Math.min(leftMs / 2, mostAttemptMs) },
      };
      const tried = await this.attempt(before);
      if (tried.kind === 'proved') outcome = 'which was tried: all is proved then';
      else
        outcome =
          tried.kind === 'unknown' && tried.reason.cause === 'time-budget'
            ? 'which was tried, but not to the end, for want of time'
            : 'which was tried, and is not enough to prove all';
    }
    const { code, flags } = printPromises(promised, setting.task.requires);
    return `${because}\nor have clients promise it to loadC: ${code} (${flags}), ${outcome}`;
  }

  private potentialError(
    { abstraction, transition, obligation, model }: Alarm,
    system: System,
  ): Omit<PotentialError, 'suggestion'> {
    const { check } = obligation;
    const from = transition.from!;
    const { vocabulary } = system;
    const why = [obligation.guard, obligation.condition];
    const variables = (terms: readonly Term[]): StateInC =>
      terms
        .flatMap((term) => [...symbolsOf(term)])
        .flatMap((symbol) =>
          vocabulary.meaning(symbol) ? (printValue(symbol, (one) => model.symbol(one), vocabulary) ?? []) : [],
        );
    const elements = postOrder(why).flatMap((term) =>
      term.kind === 'apply' &&
      term.operator === 'select' &&
      [...symbolsOf(term)].every((symbol) => vocabulary.meaning(symbol))
        ? (printElement(term, (one) => model.evaluate(one), vocabulary) ?? [])
        : [],
    );
    // First what the check depends on.
    const named = new Map(
      [...variables(why), ...elements, ...variables(abstraction.at(from).predicates.map(({ term }) => term))].map(
        (one) => [one.name, one],
      ),
    );
    const state: StateInC = [...named.values()];
    return {
      failure: failureAt(
        check.check,
        `${check.text}: ${described(check.check)} may fail`,
        check.span,
        obligation.function,
      ),
      at: placeOf(from.location.span, from.kind === 'module' ? undefined : from.fn.name),
      state,
      explanation: 'no sequence of calls was found that leads to this state, and the predicates do not exclude it',
    };
  }
}

/** Whether it is about a result of floating point that proofs leave open. */
const isRounded = (condition: Term): boolean =>
  postOrder([condition]).some(
    (term) =>
      term.kind === 'apply' &&
      term.operator === 'call' &&
      /^float-(add|subtract|multiply|divide)-/.test(term.name ?? ''),
  );
