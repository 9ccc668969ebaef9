/**
 * Runs a portfolio: each stage in its turn, with its share of the time, until a claim is accepted.
 */
import type { Budget } from '../../budget';
import type { Reason, StageOutcome, Verdict } from '../../verdict';
import { type Engine, type Knowledge, nothingKnown, type Outcome } from '../engine';
import { missingBody } from '../explanation/potentialErrors';
import type { Problem } from '../problem';
import type { AlarmReports } from './alarmReports';
import { isAt } from '../registry';
import { answersAs, conclude, type Checkers, type EngineClaim } from './conclude';
import type { Portfolio, Stage } from './stages';
import type { VerificationLog } from './verificationLog';

/** Context of a run. */
export interface Verification extends Checkers {
  readonly problem: Problem;
  readonly budget: Budget;
  readonly log: VerificationLog;
  readonly alarmReports: AlarmReports;
}

function outcomeOf(outcome: Outcome, before: Knowledge): StageOutcome {
  switch (outcome.kind) {
    case 'safe':
      return 'proof';
    case 'unsafe':
      return 'failing-execution';
    case 'alarms':
      return 'alarms';
    case 'unknown':
      return outcome.learned === before ? 'nothing-new' : 'learned';
  }
}

const notReproduced: Reason = {
  cause: 'checker-disagrees',
  message: 'a failing test could not be run again as a scenario',
};

export class PortfolioRun {
  private current: Knowledge = nothingKnown;
  /** Why checks of the latest closed abstraction could not be decided. */
  private undecided: Reason | undefined;
  /** The solver could not decide a query though there was time: more telling than that the time is up. */
  private beyondSolver: Reason | undefined;
  private speakersReason: Reason | undefined;
  /** The certifier refuted a proof, which is a fault of ours. It is said if no other engine finds one. */
  private disagreement: Reason | undefined;
  /** Engines whose share of the time was too small the last time. */
  private readonly cutShort = new Set<Engine['name']>();
  /** Number of stages that learned something when they ran again, by now and by the last run of each engine. */
  private gains = 0;
  private readonly gainsSeen = new Map<Engine['name'], number>();
  /** Rest of the given problem, still to be proved. */
  private left: Problem;

  constructor(
    private readonly portfolio: Portfolio,
    private readonly verification: Verification,
  ) {
    this.left = verification.problem;
  }

  /** Knowledge gained by the stages. */
  get known(): Knowledge {
    return this.current;
  }

  async verdict(): Promise<Verdict> {
    const { log } = this.verification;
    const { stages } = this.portfolio;
    for (const [i, stage] of stages.entries()) {
      if (i < this.resumedAt(i)) continue;
      log.openChecks(this.verification.problem.checks, this.left.openChecks);
      if (stage.then) log.progress('execution', i, stages.length);
      const verdict = await this.run(stage);
      if (verdict) return verdict;
    }
    return this.giveUp();
  }

  /** An earlier run was cut short: the stages that learn before the one it had come to had not been enough. */
  private resumedAt(i: number): number {
    const { reuse, resumed } = this.current;
    const { unfinished } = reuse ?? {};
    const { stages } = this.portfolio;
    if (!unfinished || !resumed || !stages[i]!.then) return i;
    return stages.findIndex(({ engine }) => isAt(engine.name, unfinished.stage));
  }

  /** Undefined: go on with the next one. */
  private async run(stage: Stage): Promise<Verdict | undefined> {
    const { budget } = this.verification;
    const { engine } = stage;
    const before = this.current;
    const problem = this.left;
    const { log } = this.verification;
    const why =
      stage.again && !this.cutShort.has(engine.name) && (this.gainsSeen.get(engine.name) ?? 0) === this.gains
        ? 'it had the time that it needed before'
        : engine.applies(problem, before);
    if (why !== undefined) {
      log.onSkipped(engine.name, why);
      return undefined;
    }
    const { share: fraction, atMostMs, atLeastMs = 0, ended } = stage;
    const least = Math.min(atLeastMs, Math.max(0, budget.leftMs));
    const share = fraction === undefined ? budget : budget.share(fraction, atMostMs, ended, least);
    const beganSeconds = budget.elapsedSeconds;
    const outcome = await engine.run(problem, before, share, log);
    log.onEnd(engine.name, outcomeOf(outcome, before), budget.elapsedSeconds - beganSeconds);
    const isCutShort = share.exhausted !== undefined || (outcome.kind === 'unknown' && outcome.cutShort === true);
    if (isCutShort) this.cutShort.add(engine.name);
    else this.cutShort.delete(engine.name);
    if (stage.again && outcome.kind === 'unknown' && outcome.learned !== before) this.gains++;
    this.gainsSeen.set(engine.name, this.gains);
    const verdict = await this.take(outcome, stage, share);
    this.current = { ...this.current, tried: new Set([...this.current.tried, engine.name]) };
    const { rest } = this.current;
    if (rest && rest !== before.rest) this.left = this.verification.problem.weaken(rest, budget);
    if (verdict || outcome.kind === 'safe' || outcome.kind === 'unsafe') return verdict;
    if (outcome.learned === before || !stage.then) return undefined;
    for (const next of stage.then) {
      const followed = await this.run(next);
      if (followed) return followed;
    }
    return budget.exhausted ? this.giveUp() : undefined;
  }

  private async take(outcome: Outcome, stage: Stage, share: Budget): Promise<Verdict | undefined> {
    const { budget } = this.verification;
    switch (outcome.kind) {
      case 'safe':
      case 'unsafe':
        return this.conclude(outcome, stage);
      case 'alarms':
        this.verification.log.onAlarms(outcome.alarms);
        this.current = outcome.learned;
        return undefined;
      case 'unknown': {
        this.current = outcome.learned;
        const { reason } = outcome;
        // Its share of the time did not suffice: others may decide.
        const isCut = share.exhausted !== undefined && !budget.exhausted && !stage.isDecisive;
        if (outcome.gaveUp && reason && !isCut) return this.lastResort(reason);
        if (!reason) return undefined;
        if (stage.engine.name === this.portfolio.speaker) this.speakersReason = reason;
        const isAboutAll = stage.engine.name === 'loop-free' && reason.cause === 'solver-budget';
        if (reason.cause === 'nonlinear' || isAboutAll) this.beyondSolver ??= reason;
        if (stage.engine.name === 'discharge' || stage.isDecisive) this.undecided = reason;
        // Other invariants, or predicates, may decide what these do not in a while.
        const isLast = stage.isDecisive === true || (stage.engine.name === 'discharge' && budget.exhausted);
        return isLast ? this.endEarly(reason) : undefined;
      }
    }
  }

  private async conclude(claim: EngineClaim & Outcome, stage: Stage): Promise<Verdict | undefined> {
    const { problem, log } = this.verification;
    const before = log.abstraction;
    const { engine } = problem.task;
    const verdict = await conclude(claim, stage.engine.name, this.current, engine, this.verification);
    if (verdict?.kind === 'proved' || verdict?.kind === 'bug') return verdict;
    log.onRefused();
    if (claim.kind === 'unsafe') return stage.isDecisive ? log.unknown(answersAs(engine), notReproduced) : undefined;
    if (claim.kind === 'safe' && claim.ifRefused) this.current = claim.ifRefused;
    const reason = verdict?.kind === 'unknown' ? verdict.reason : undefined;
    const cause = reason?.cause;
    const isRefuted = cause === 'checker-disagrees';
    const goesOn =
      stage.continueIf === 'after any refusal' ||
      (stage.continueIf === 'not certified' && (isRefuted || cause === 'solver-budget')) ||
      (stage.continueIf === 'unless vacuous' && cause !== 'vacuous');
    if (!goesOn) return verdict;
    if (before) log.working(before);
    if (isRefuted && stage.continueIf === 'not certified') this.distrust(reason!);
    return undefined;
  }

  /** Some invariant that was learned does not hold, and it is not known which. States that were reached remain. */
  private distrust(disagreement: Reason): void {
    const { samples, isLong, tried, reuse } = this.current;
    this.disagreement ??= disagreement;
    this.current = { ...nothingKnown, samples, isLong, tried, reuse };
    this.left = this.verification.problem;
  }

  /** The abstraction could not be closed. */
  private async lastResort(reason: Reason): Promise<Verdict> {
    for (const next of this.portfolio.lastResort) {
      const verdict = await this.run(next);
      if (verdict) return verdict;
    }
    return this.endEarly(reason);
  }

  /**
   * If a check depends on what a function without a body returned, finer predicates may not have helped either: that is
   * said, not that there was no time for them.
   */
  private async endEarly(reason: Reason): Promise<Verdict> {
    const { problem, budget, log, alarmReports } = this.verification;
    const engine = answersAs(problem.task.engine);
    const { alarms } = this.current;
    const [alarm] = alarms;
    const isLimit = reason.cause === 'time-budget' || reason.cause === 'solver-budget';
    if (this.disagreement) return log.unknown(engine, this.disagreement);
    if (!alarm || budget.interrupted || !isLimit || !missingBody(alarm, problem.program, alarm.abstraction.system)) {
      const isTimeUp = reason.cause === 'time-budget' && !budget.interrupted;
      return log.unknown(engine, isTimeUp ? (this.beyondSolver ?? reason) : reason);
    }
    log.working(alarm.abstraction);
    log.remark('finer predicates were tried until the budget was used up');
    return alarmReports.potential(alarms, engine);
  }

  /** No stage has an answer. */
  private async giveUp(): Promise<Verdict> {
    const { problem, budget, log, alarmReports } = this.verification;
    const engine = answersAs(problem.task.engine);
    const { alarms } = this.current;
    if (this.speakersReason) return log.unknown(engine, this.speakersReason);
    if (this.disagreement) return log.unknown(engine, this.disagreement);
    if (alarms.length > 0) return alarmReports.potential(alarms, engine);
    const reason = this.undecided ?? budget.exhausted ?? nothingLeft;
    const isTimeUp = reason.cause === 'time-budget' && !budget.interrupted;
    return log.unknown(engine, isTimeUp ? (this.beyondSolver ?? reason) : reason);
  }
}

const nothingLeft: Reason = { cause: 'probe-too-weak', message: 'no engine could decide all checks' };
