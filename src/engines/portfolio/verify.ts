/**
 * From a task to a verdict: obstacles that no engine overcomes, then the portfolio of the engine that was asked for,
 * then what a report shows beside the verdict.
 */
import { withAdvice } from '../../advice';
import { Budget } from '../../budget';
import { replayClaim } from '../../evidence/certificates/replayClaim';
import type { Progress } from '../../progress';
import type { ProofMemory } from '../../proofCache';
import type { Solver } from '../../solver/solver';
import type { SolverProcess } from '../../solver';
import type { Task } from '../../task';
import type { Counterexample, Verdict } from '../../verdict';
import { placeText } from '../assumptions/assumptions';
import { Problem } from '../problem';
import { AlarmReports } from './alarmReports';
import { Certification } from './certification';
import { verifyClaims } from './claims';
import { answersAs, conclude } from './conclude';
import { Counterexamples } from './counterexamples';
import { withEveryCheck, withFailuresAlone } from './everyCheck';
import { beyondTheModel, jumpBetweenFunctions, outOfExecutions, outOfFormulas, outOfReach } from './outOfReach';
import { PortfolioRun, type Verification } from './portfolioRun';
import { Presentation, type CoveringTest } from './presentation';
import { executionsAlone, portfolioOf } from './stages';
import { VerificationLog } from './verificationLog';

export type { CoveringTest };

export interface VerificationOptions {
  readonly progress?: (progress: Progress) => void;
  /** Told of a bug before its failure is judged and the other checks are tried, for which the time may not suffice. */
  readonly found?: (bug: Verdict) => void;
  readonly signal?: AbortSignal;
  /** Called with one line per event of a refinement engine. */
  readonly trace?: (line: string) => void;
  /** For tests of the solver's failures; default Z3. */
  readonly solver?: Solver;
  /** A solver process that was started early; it is closed at the end. */
  readonly solverProcess?: SolverProcess | undefined;
  /** Results of earlier runs; default none. */
  readonly memory?: ProofMemory;
}

/**
 * Portfolio's share of the budget: the tests may be measured afterwards, and checks certified one by one. No proof can
 * come without specifications of what clients' structures hold, so there the time is for what comes with them.
 */
const proofShares = { alone: 0.9, withAdequacy: 0.6, withoutSpecifications: 0.3 } as const;
/** At most for the latter, in milliseconds. */
const withoutSpecificationsMs = 6_000;

/** Of the time, for a proof of a stricter program, in which memory is divided into members. */
const withoutEndsShare = 2 / 3;

/** Throws `CError` when the C text cannot be accepted, `ProbeError` for a probe that cannot be read. */
export async function verify(task: Task, options: VerificationOptions = {}): Promise<Verdict> {
  const session = new Session(task, options, 'with suggestions');
  try {
    return withAdvice(await session.verdict(), task);
  } finally {
    await session.close();
  }
}

/** Clients that reach abstract states, for tests to be made of them. */
export async function cover(task: Task, options: VerificationOptions = {}): Promise<readonly CoveringTest[]> {
  const session = new Session(task, options, 'with suggestions');
  try {
    return session.presentation.cover();
  } finally {
    await session.close();
  }
}

class Session {
  readonly presentation: Presentation;
  private readonly problem: Problem;
  private readonly log: VerificationLog;
  private readonly verification: Verification;
  private readonly run: PortfolioRun;
  private readonly whole: Budget;
  private readonly progress: VerificationOptions['progress'];
  private readonly found: VerificationOptions['found'];

  /**
   * `answer alone`: to try a change of the task on the side; `proof alone`: no other answer is shown. `examined`: the
   * problem, if it is made already.
   */
  constructor(
    private readonly task: Task,
    private readonly options: VerificationOptions,
    private readonly what: 'with suggestions' | 'answer alone' | 'proof alone',
    whole = Budget.start({ ...task.budget, signal: options.signal }),
    examined?: Problem,
  ) {
    this.whole = whole;
    this.progress = options.progress;
    this.found = options.found;
    whole.upTo(task.adequacy ? proofShares.withAdequacy : proofShares.alone).limitSolver();
    const problem = examined ?? Problem.examine(task, whole, options);
    const budget = whole.upTo(
      task.adequacy
        ? proofShares.withAdequacy
        : task.angelic && !outOfReach(problem) && problem.offeredPointers.length > 0
          ? Math.min(proofShares.withoutSpecifications, withoutSpecificationsMs / task.budget.milliseconds)
          : proofShares.alone,
    );
    const log = new VerificationLog(problem, whole, options);
    const attempt = async (other: Task): Promise<Verdict> => {
      const { signal } = options;
      const session = new Session(other, { solver: problem.solvers.exact, ...(signal && { signal }) }, 'answer alone');
      try {
        return withAdvice(await session.verdict(), other);
      } finally {
        await session.close();
      }
    };
    this.problem = problem;
    this.log = log;
    this.verification = {
      problem,
      budget,
      log,
      certification: new Certification(problem, budget, log),
      counterexamples: new Counterexamples(problem, budget, log),
      alarmReports: new AlarmReports(problem, budget, log, what === 'with suggestions' ? attempt : undefined),
    };
    this.run = new PortfolioRun(portfolioOf(problem.task), this.verification);
    this.presentation = new Presentation(problem, whole, log);
    this.remarkOnTask();
  }

  async verdict(): Promise<Verdict> {
    const { problem, log, presentation, verification } = this;
    const stricter = await this.provedWithoutEnds();
    if (stricter) return stricter;
    const decided = await this.decide();
    const beyond = beyondTheModel(problem, decided);
    const inModel = beyond ? log.unknown(answersAs(problem.task.engine), beyond) : decided;
    if (this.what === 'proof alone' && inModel.kind !== 'proved') return inModel;
    // Adequacy of the tests does not depend on what the proof needed.
    const measured = problem.task.adequacy ? await presentation.withAdequacy(inModel) : inModel;
    const explained = await this.explained(measured);
    const { task } = problem;
    // Checking a witness asks for one answer.
    if (task.claims || task.replay || this.what === 'answer alone') return explained;
    const jump = explained.kind === 'bug' ? jumpBetweenFunctions(problem) : undefined;
    if (explained.kind === 'bug' && jump) return withFailuresAlone(explained, verification, jump);
    if (explained.kind === 'bug') this.found?.(withAdvice(explained, task));
    const complete = await withEveryCheck(explained, this.run, verification, this.whole, {
      progress: this.progress,
      found: (bug) => this.found?.(withAdvice(bug, task)),
    });
    // Another one of several failures may be told now, or none, if specifications excuse all.
    const isOther = failureOf(explained) !== failureOf(complete);
    return isOther ? this.explained(complete, explained) : complete;
  }

  /** `before`: with the parts that do not depend on the failure, which the time may not suffice for again. */
  private async explained(verdict: Verdict, before?: Verdict): Promise<Verdict> {
    const { problem, presentation, verification } = this;
    if (!problem.task.explain) return verdict;
    const failure = failureOf(verdict);
    const rerun = failure && verification.counterexamples.rerunOfCounterexample(failure);
    const explained = await presentation.explain(verdict, this.run.known.alarms, rerun);
    const slices = before?.explanation?.slices;
    return explained.explanation && slices
      ? { ...explained, explanation: { ...explained.explanation, slices } }
      : explained;
  }

  /** A proof of the stricter program, see `Problem.withoutEnds`, if that is another one. */
  private async provedWithoutEnds(): Promise<Verdict | undefined> {
    const { problem, task, whole, what, progress } = this;
    if (what !== 'with suggestions' || task.claims || task.replay || outOfFormulas(problem)) return undefined;
    const { signal, trace } = this.options;
    const milliseconds = Math.max(1, whole.leftMs * withoutEndsShare);
    const budget = Budget.start({ ...task.budget, milliseconds, signal });
    const stricter = problem.withoutEnds(task, budget);
    if (!stricter) return undefined;
    const told = { ...(progress && { progress }), ...(signal && { signal }), ...(trace && { trace }) };
    const verdict = await new Session(task, told, 'proof alone', budget, stricter).verdict();
    return verdict.kind === 'proved' ? verdict : undefined;
  }

  async close(): Promise<void> {
    await this.problem.solvers.close();
  }

  private async decide(): Promise<Verdict> {
    const { problem, log, run, verification } = this;
    const { task } = problem;
    const obstacle = outOfReach(problem);
    if (obstacle) return (await this.failingExecution()) ?? log.unknown(answersAs(task.engine), obstacle);
    if (task.claims) return verifyClaims(task.claims, verification);
    if (task.replay) return this.replay(task.replay);
    return run.verdict();
  }

  /** A bug of a program that only executions model, such as one with jumps between functions. */
  private async failingExecution(): Promise<Verdict | undefined> {
    const { problem, verification } = this;
    const { angelic, claims, replay } = problem.task;
    // Specifications of clients are made of formulas.
    if (angelic || claims || replay || outOfExecutions(problem)) return undefined;
    const verdict = await new PortfolioRun(executionsAlone, verification).verdict();
    return verdict.kind === 'bug' ? verdict : undefined;
  }

  /** The violation that a witness claims. */
  private async replay(claim: NonNullable<Task['replay']>): Promise<Verdict> {
    const { problem, log, run, verification } = this;
    const { engine } = problem.task;
    const disagreement = (message: string): Verdict =>
      log.unknown(answersAs(engine), { cause: 'checker-disagrees', message });
    const replayed = replayClaim(problem.program, problem.entries[0]!, claim, problem.scenarioOptions());
    if (replayed.kind !== 'fails') return disagreement(replayed.why);
    const { scenario } = replayed;
    const failure = { kind: 'scenario', scenario } as const;
    const verdict = await conclude({ kind: 'unsafe', failure }, 'tests', run.known, engine, verification);
    return verdict ?? disagreement('the execution of the witness could not be run again as a scenario');
  }

  private remarkOnTask(): void {
    const { log, problem } = this;
    const { truncatedRuns: count } = problem;
    if (count > 0)
      log.remark(
        `${count === 1 ? 'a test hands' : `${count} tests hand`} over a structure that was not set up, or ` +
          `${count === 1 ? 'writes' : 'write'} one that was, which initialisedBy says clients do not; what ` +
          `${count === 1 ? 'it does' : 'they do'} from there on is not counted`,
      );
    for (const span of problem.program.idleSuppressions ?? [])
      log.remark(`the suppression at ${placeText(span)} is for no check`);
  }
}

const failureOf = (verdict: Verdict): Counterexample | undefined =>
  verdict.kind === 'bug' ? verdict.counterexample : undefined;
