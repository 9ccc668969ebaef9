/**
 * Alarms that no execution confirmed: what they say, and which probes would rule them out.
 */
import { predicateLevels } from '../../abstraction/predicates/defaultPredicates';
import { printElement, printValue } from '../../abstraction/printing/printValue';
import { PredicateAbstraction } from '../../abstraction/predicates/predicateAbstraction';
import { noInvariants } from '../../abstraction/transitionSystem/invariantMap';
import { TransitionSystem } from '../../abstraction/transitionSystem/transitionSystem';
import type { Budget } from '../../budget';
import { sourceLocationOf } from '../../sourceLocation';
import { symbolsOf } from '../../logic/substitute';
import type { Term } from '../../logic/term';
import { postOrder } from '../../logic/traverse';
import type { Task } from '../../task';
import type { PotentialError, Reason, StateInC, Verdict } from '../../verdict';
import { suggestedOfCallBacks } from '../assumptions/callbacks';
import { describeCheck, missingBody, neededCondition } from '../explanation/potentialErrors';
import { printPreconditions, preconditionsFor } from '../preconditions/preconditions';
import { onlyProbesAt } from './userFormulas';
import { printProbes, probeCandidates, sufficientProbes, type SuggestedProbe } from '../explanation/sufficientProbes';
import type { Alarm } from '../testBasedAbstraction/testBasedAbstraction';
import { seededByTests } from '../testBasedAbstraction/seededByTests';
import type { Problem } from '../problem';
import { failureAt } from './failure';
import { silent, type VerificationLog } from './verificationLog';

const limits = {
  /** Trying a suggested precondition: half of the time left, within these. */
  attemptShare: 1 / 2,
  mostAttemptMs: 10_000,
  leastAttemptMs: 500,
  /** Fraction of time left for finding sufficient probes, and the abstract states of one attempt. */
  probesShare: 0.7,
  abstractStates: 1000,
  /** A longer condition does not help a user to find a probe. */
  conditionCharacters: 200,
} as const;

const timeIsUp: Reason = { cause: 'time-budget', message: 'the time for this attempt is up' };

export class AlarmReports {
  /** `attempt`: verifies a changed task, to try a suggestion; undefined: nothing is suggested. */
  constructor(
    private readonly problem: Problem,
    private readonly budget: Budget,
    private readonly log: VerificationLog,
    private readonly attempt: ((task: Task) => Promise<Verdict>) | undefined,
  ) {}

  /** Missing probes, to paste, if only the user's are followed. */
  private async probesThatClose(): Promise<string | undefined> {
    if (this.problem.task.predicates !== 'probes' || this.budget.exhausted) return undefined;
    const share = this.budget.share(limits.probesShare, undefined, timeIsUp);
    const candidates = probeCandidates(
      new TransitionSystem(this.problem.program, { ...this.problem.systemOptions(), pointerAxioms: true }),
      predicateLevels[0]!,
    );
    const stop = (): boolean => share.exhausted !== undefined;
    const found = await sufficientProbes(candidates, (probes) => this.closesWith(probes, share), stop);
    return found && printProbes(found, this.problem.variable);
  }

  /** True if the next run would succeed with these probes. */
  private async closesWith(probes: readonly SuggestedProbe[], budget: Budget): Promise<boolean> {
    const { problem } = this;
    const task = { ...problem.task, probes: [...problem.task.probes, ...probes] };
    const system = problem.system;
    const abstraction = PredicateAbstraction.of(system, noInvariants, onlyProbesAt(task, system));
    const { abstractStates } = limits;
    const options = { query: this.budget.moderateQuery(), abstractStates, stop: () => budget.exhausted };
    const engine = seededByTests(problem, abstraction, options, silent);
    try {
      if ((await engine.close()).kind !== 'closed') return false;
      const alarms = await engine.alarms();
      return Array.isArray(alarms) && alarms.length === 0;
    } finally {
      engine.dispose();
    }
  }

  /** Needs at least one alarm. */
  async potential(alarms: readonly Alarm[], engine: string): Promise<Verdict> {
    const { problem, log } = this;
    const { system } = alarms[0]!.abstraction;
    const missing = missingBody(alarms[0]!, problem.program, system);
    const suggestion =
      missing || !this.attempt
        ? undefined
        : ((await this.probesThatClose()) ??
          suggestedOfCallBacks(problem.callBacks) ??
          (await this.whatIsKnown(alarms, system)));
    const errors = alarms.map((alarm): PotentialError => ({ ...this.potentialError(alarm, system), suggestion }));
    if (missing)
      return {
        kind: 'potential-error',
        ...log.common(engine, 'open'),
        adequacy: log.adequacy(),
        errors,
        reason: missing,
      };
    const { failure } = errors[0]!;
    return {
      kind: 'potential-error',
      ...log.common(engine, 'open'),
      adequacy: log.adequacy(),
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
   * Nothing that closes the proof is known: what the check hangs on, and which preconditions would do, tried
   * while there is time.
   */
  private async whatIsKnown(alarms: readonly Alarm[], system: TransitionSystem): Promise<string> {
    const { problem, budget } = this;
    const { task } = problem;
    const condition = neededCondition(alarms[0]!);
    const byRounding = alarms.some(({ obligation }) => isRounded(obligation.guard) || isRounded(obligation.condition))
      ? '\nor check the number in the C, so that NaN does not pass either: if (!(x >= 0.0)) x = 0.0; in a proof ' +
        'the result of a floating-point operation may be any number'
      : '';
    const because =
      'say as a probe what rules this state out' +
      (condition === undefined || condition.length > limits.conditionCharacters
        ? ''
        : ` (the check needs ${condition})`) +
      `: ${problem.variable}.probe('…', (s) => …), or --probe '…: …' on the command line${byRounding}`;
    const { preconditions, all } = preconditionsFor(alarms, system, problem.program, problem.callable);
    if (preconditions.length === 0) return because;
    const { leftMs } = budget;
    let outcome = 'not tried, for want of time';
    if (!all) outcome = 'which rules out some of these errors';
    else if (leftMs > limits.leastAttemptMs && !budget.exhausted) {
      const before = {
        ...task,
        requires: [...(task.requires ?? []), ...preconditions],
        adequacy: false,
        explain: false,
        budget: { ...task.budget, milliseconds: Math.min(leftMs * limits.attemptShare, limits.mostAttemptMs) },
      };
      const tried = await this.attempt!(before);
      if (tried.kind === 'proved') outcome = 'which was tried: all is proved then';
      else
        outcome =
          tried.kind === 'unknown' && tried.reason.cause === 'time-budget'
            ? 'which was tried, but not to the end, for want of time'
            : 'which was tried, and is not enough to prove all';
    }
    const { code, flags } = printPreconditions(preconditions, task.requires);
    return `${because}\nor, if clients keep to it, say so to loadC: ${code} (${flags}), ${outcome}`;
  }

  private potentialError(
    { abstraction, transition, obligation, model }: Alarm,
    system: TransitionSystem,
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
        `${check.text}: ${describeCheck(check.check)} may fail`,
        check.span,
        obligation.function,
      ),
      at: sourceLocationOf(from.location.span, from.kind === 'module' ? undefined : from.fn.name),
      state,
      explanation: 'no sequence of calls was found that leads to this state, and the predicates do not exclude it',
    };
  }
}

/** True if it is about a floating-point result that proofs leave open. */
const isRounded = (condition: Term): boolean =>
  postOrder([condition]).some(
    (term) =>
      term.kind === 'apply' &&
      term.operator === 'call' &&
      /^float-(add|subtract|multiply|divide)-/.test(term.name ?? ''),
  );
