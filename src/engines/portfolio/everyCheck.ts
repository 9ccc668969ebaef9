/**
 * A verdict per check. The first failure does not end the work: an execution that fails a check ends there, so the
 * other checks are verified in a program in which it is assumed, and so on with each failure found. Where not all can
 * be proved, the certifier says which checks follow from the invariants found so far.
 */
import { ProbeError } from '../../abstraction/predicates/probes';
import { PredicateAbstraction } from '../../abstraction/predicates/predicateAbstraction';
import { noInvariants } from '../../abstraction/transitionSystem/invariantMap';
import type { Budget } from '../../budget';
import { askedIn, asProofOf, certificateOf, certifyChecks } from '../../evidence/certificates/certify';
import { faultOf, runScenario } from '../../evidence/scenarios/scenario';
import type { Progress } from '../../progress';
import { type Check, type CheckKey, checkKey } from '../../program/command';
import { recallScenario, storeScenario } from '../../proofCache/storedScenario';
import { failsAlike } from '../../semantics/concrete/fault';
import type { Counterexample, Reason, Verdict } from '../../verdict';
import type { Specification } from '../angelic/specifications';
import { behindFailures, possibleIn } from '../assumptions/vacuity';
import { proofCore } from '../invariants/proofCore';
import type { Problem } from '../problem';
import type { QueryBudget } from '../../solver/solver';
import { answersProofs } from '../registry';
import { AlarmReports } from './alarmReports';
import { Certification } from './certification';
import { CheckTable, type Clients } from './checkTable';
import { Counterexamples, type Evidence } from './counterexamples';
import { Excuses } from './excuses';
import { beyondTheModel, outOfFormulas } from './outOfReach';
import { limitCauses, saysHowFar } from './cutShort';
import { adviceOnSeparateArguments, withAdviceOnOpenChecks } from './openCheckAdvice';
import { PortfolioRun, type Verification } from './portfolioRun';
import { portfolioOf } from './stages';
import { VerificationLog } from './verificationLog';

const limits = {
  /**
   * Fraction of time left for the other checks after a failure, if no more was asked for; at most `briefMs`, or
   * `excusedMs` as long as each failure found is excused, or of a client that resembles none of the tests': the user
   * who learns a precondition asks next what fails with it.
   */
  briefShare: 1 / 2,
  briefMs: 3_000,
  excusedMs: 12_000,
  /** For saying which of the others need no more than was found by then, also after their time. */
  brieflyProvedMs: 6_000,
  /** For judging the failures found, also after the others' time: an error must not pass for excused in haste. */
  judgingMs: 15_000,
  /** Fraction of time left for each search for more; the rest is for saying which checks are proved. */
  portfolioShare: 0.8,
  /**
   * Beside an error, one more search for failures takes as long as all before it, but at least this fraction of the
   * budget.
   */
  newsShare: 1 / 4,
  /** Failures after which no more are looked for. */
  failures: 48,
  /** For saying which checks the invariants of an undecided run prove, and one query for it. */
  provedSoFarMs: 10_000,
  /** Fraction of the end for it; the rest is for what would decide the checks that are open. */
  epilogueShare: 2 / 3,
  /** Fraction of the time for it, to find the invariants that matter; the rest is for certifying them. */
  coreShare: 3 / 5,
  queryMs: 2_000,
} as const;

/** Default reason for an open check. */
const noTimeLeft: Reason = {
  cause: 'time-budget',
  message: 'another check fails, and the time for the others was used up',
};
const nothingNew: Reason = {
  cause: 'time-budget',
  message: 'another check fails, and no further failure came in as long again as it took to find those known',
};
const nothingPasses: Reason = {
  cause: 'vacuous',
  message: 'a check before it fails whenever it is reached, so nothing gets here',
};
const notTried: Reason = { cause: 'not-run', message: 'another check fails, which ended the verification' };

/** Who is told what is known on the way. */
interface Told {
  readonly progress?: ((progress: Progress) => void) | undefined;
  /** The verdict as far as failures are judged by then: it counts if the process is killed. */
  readonly found?: ((bug: Verdict) => void) | undefined;
}

export async function withEveryCheck(
  verdict: Verdict,
  run: PortfolioRun,
  verification: Verification,
  whole: Budget,
  told: Told,
): Promise<Verdict> {
  const { problem } = verification;
  const table = new CheckTable(problem.checks);
  switch (verdict.kind) {
    case 'proved':
      table.recordProved('all', problem.checks, verdict.engine);
      return { ...verdict, checks: table.results(notTried) };
    case 'conditional':
      throw new Error('no engine answers for clients that keep specifications which are not stated');
    case 'bug':
      return afterFailure(verdict, verification, table, whole, told);
    case 'potential-error':
    case 'unknown': {
      const { reason } = verdict;
      const sorted = offersSpecifications(verdict, problem)
        ? await withSpecifications(verdict, verification, table, whole, told)
        : undefined;
      if (sorted) return sorted;
      const epilogue = whole.epilogue();
      let unchecked = 0;
      if (reason.cause !== 'vacuous' && reason.cause !== 'no-entry') {
        const share = verdict.kind === 'unknown' ? epilogue.share(limits.epilogueShare) : epilogue;
        const { checks: proved, by, unchecked: known } = await provedSoFar(run, verification, share);
        table.recordProved(proved, problem.checks, verdict.engine);
        unchecked = known;
        const isCutShort = limitCauses.has(reason.cause) && reason.cause !== 'interrupted';
        const mayProve = isCutShort && answersProofs(problem.task.engine);
        if (areAbout(by, problem) && table.isComplete && verdict.kind === 'unknown' && mayProve) {
          const whatever = await provedAfterAll(verdict, by, verification);
          return { ...whatever, checks: table.results(whatever.kind === 'proved' ? notTried : whatever.reason) };
        }
      }
      const checks = table.results(reason);
      const howFar = saysHowFar(verdict, table, unchecked, checks, whole);
      return { ...(await withAdviceOnOpenChecks(howFar, run, verification, table, epilogue)), checks };
    }
    case 'not-evaluated':
      return verdict;
  }
}

/** The other checks are open for the given reason: formulas do not model the program. */
export function withFailuresAlone(
  verdict: Extract<Verdict, { kind: 'bug' }>,
  { problem, counterexamples }: Verification,
  reason: Reason,
): Verdict {
  const table = new CheckTable(problem.checks);
  const failures = [verdict.counterexample, ...(verdict.further ?? [])];
  for (const one of failures) {
    const evidence = counterexamples.evidenceOf(one);
    if (evidence) table.fails(evidence.fault.command, verdict.engine, one);
  }
  return { ...verdict, checks: table.results(reason, failures) };
}

/** A limit has ended the search, but what was known by then proves all checks: the invariants are judged like any. */
async function provedAfterAll(
  verdict: Extract<Verdict, { kind: 'unknown' }>,
  by: readonly PredicateAbstraction[],
  { certification }: Verification,
): Promise<Extract<Verdict, { kind: 'proved' | 'unknown' }>> {
  const remark = `the search did not end (${verdict.reason.message}), but what was known by then proves all checks`;
  const engine = `${verdict.engine}, known invariants`;
  const [whole] = by.filter(({ system }) => !system.options.weakening);
  const judged = await (whole
    ? certification.invariant(whole, { engine, remark })
    : certification.parts(by, { engine, remark }));
  if (judged.kind === 'proved') return judged;
  const isLimit = judged.kind !== 'unknown' || limitCauses.has(judged.reason.cause);
  if (!isLimit) return judged;
  const message = `${verdict.reason.message}; there was no time to check again what proves all checks`;
  return { ...verdict, reason: { ...verdict.reason, message } };
}

type Sortable = Extract<Verdict, { kind: 'bug' | 'potential-error' | 'unknown' }>;

/** No run has failed, but a proof would have to know what clients' structures hold. */
function offersSpecifications({ reason }: { readonly reason: Reason }, problem: Problem): boolean {
  return (
    problem.task.angelic === true &&
    problem.task.furtherChecks !== undefined &&
    problem.task.furtherChecks !== 'briefly' &&
    reason.cause !== 'vacuous' &&
    reason.cause !== 'no-entry' &&
    !outOfFormulas(problem) &&
    problem.offeredPointers.length > 0
  );
}

/**
 * Sorts the failures into those that a specification of clients excuses and the others, and decides the other checks in
 * the time that was asked for.
 */
async function afterFailure(verdict: Extract<Verdict, { kind: 'bug' }>, ...rest: Rest): Promise<Verdict> {
  return (await withSpecifications(verdict, ...rest)) ?? verdict;
}

type Rest = [verification: Verification, table: CheckTable, whole: Budget, told: Told];

/** Undefined when nothing has failed, and nothing is proved for clients that keep specifications. */
async function withSpecifications(
  verdict: Sortable,
  ...[{ problem, counterexamples }, table, whole, { progress, found }]: Rest
): Promise<Verdict | undefined> {
  const { furtherChecks } = problem.task;
  const judging = furtherChecks === 'briefly' ? whole.share(limits.briefShare, limits.judgingMs, noTimeLeft) : whole;
  const excuses = new Excuses(problem, judging);
  const sorting: Sorting = { problem, counterexamples, table, excuses, assumed: new Set(), count: 0 };
  for (const one of failuresOf(verdict)) {
    const evidence = counterexamples.evidenceOf(one);
    if (evidence) await sort(one, evidence, verdict.engine, sorting);
  }
  await reconsider(sorting, verdict.engine);
  const tellSoFar = (): void => {
    const bug = bugSoFar(verdict, sorting, whole, noTimeLeft);
    if (bug) found?.(bug);
  };
  tellSoFar();
  await excuses.takeValidPointers();
  const hasLikely = excuses.errors.some((one) => excuses.unlikely(one) === undefined);
  const atMostMs = hasLikely ? limits.briefMs : limits.excusedMs;
  const share = furtherChecks === 'briefly' ? whole.share(limits.briefShare, atMostMs, noTimeLeft) : whole;
  const { reason, proved, undecided } = furtherChecks ? await others(sorting, share, progress, tellSoFar) : noneTried;
  const mayEnd = furtherChecks === 'briefly' || endsWithoutNews(sorting);
  const epilogue = mayEnd ? whole.share(limits.briefShare, limits.brieflyProvedMs) : whole;
  const partly = undecided && (await provedSoFar(undecided.run, undecided.verification, epilogue));
  await excuses.lookForTexts();
  // A proof assumes the errors, so they stay what they were for it.
  if (!proved) await reconsider(sorting, verdict.engine);
  const { specifications: assumed = [] } = proved ?? undecided ?? {};
  // Specifications may have been taken back since, and proofs rest on all of them.
  const isKept = assumed.every((one) => excuses.specifications.includes(one));
  if (undecided && partly && isKept) {
    const under = undecided.verification.problem;
    table.recordProved(partly.checks, under.checks, verdict.engine, undecided.clients, sorting.assumed);
    const open = new Set(under.checks.flatMap(({ check }) => (partly.checks.has(check) ? [] : [check])));
    // An error comes first.
    if (excuses.errors.length === 0)
      sorting.separate = adviceOnSeparateArguments(under, open, 'beside those', epilogue);
  }
  await excuses.minimise(isKept ? assumed : []);
  const { report } = excuses;
  // A check whose specification only the C can say was assumed, and may fail in other ways.
  const hasConvention = excuses.specifications.some(({ kind }) => kind === 'convention');
  const isAllProved = proved && excuses.errors.length === 0 && sorting.assumed.size === 0 && !hasConvention;
  const isConditional = problem.task.angelic && report && isAllProved && (await excuses.arePermissive());
  if (isConditional) {
    const { suggestion } = excuses;
    // That they are permissive together may be undecided.
    const { report: angelic = report } = excuses;
    const { length } = angelic.specifications;
    const open = angelic.specifications.filter(({ undecided }) => undecided).length;
    const message =
      `clients keep ${length} specification${length === 1 ? '' : 's'}` +
      (open === 0 ? '' : `, of which ${open} ${open === 1 ? 'was' : 'were'} not judged in time`);
    return {
      ...soFar(verdict, sorting, whole, reason).common,
      kind: 'conditional',
      angelic,
      invariants: proved.verdict.invariants,
      assumptions: proved.verdict.assumptions,
      reason: { cause: 'not-accepted', message, ...(suggestion !== undefined && { suggestion }) },
    };
  }
  return bugSoFar(verdict, sorting, whole, reason);
}

/** Undefined when nothing has failed. `reason`: why checks are open. */
function bugSoFar(...given: Parameters<typeof soFar>): Extract<Verdict, { kind: 'bug' }> | undefined {
  const [, { table, excuses, separate }] = given;
  const { first, further, advice, common } = soFar(...given);
  if (!first) return undefined;
  const suggestion =
    [excuses.suggestion, underThem(table, excuses), separate, advice].filter((one) => one !== undefined).join('\n') ||
    undefined;
  return {
    ...common,
    kind: 'bug',
    counterexample: first,
    ...(further.length > 0 && { further }),
    ...(suggestion !== undefined && { suggestion }),
  };
}

/** Parts of a verdict by what is known at this time. */
function soFar(verdict: Sortable, { problem, table, excuses }: Sorting, whole: Budget, reason: Reason) {
  const shown = [...excuses.errors, ...excuses.examples];
  const [first, ...further] = shown.length > 0 || verdict.kind !== 'bug' ? shown : [verdict.counterexample];
  const { advice, ...rest } = withoutAnswer(verdict);
  const { report } = excuses;
  const unlikely = first && excuses.unlikely(first);
  const common = {
    ...rest,
    remarks: [
      ...verdict.remarks,
      ...(unlikely === undefined ? [] : [`no call of a test is like those that lead to the failure: ${unlikely}`]),
      ...(excuses.unjudged > 0 ? [unjudgedText(excuses.unjudged)] : []),
    ],
    ...(report && { angelic: report }),
    checks: table.results(reason, first ? [first, ...further] : []),
    ...(problem.task.furtherChecks && {
      statistics: {
        ...verdict.statistics,
        seconds: whole.elapsedSeconds,
        solverQueries: problem.solvers.statistics.queries,
      },
    }),
  };
  return { first, further, advice, common };
}

/** Parts that verdicts have in common; `advice`: of a bug. */
function withoutAnswer(verdict: Sortable) {
  switch (verdict.kind) {
    case 'bug': {
      const { kind: _, counterexample: _first, further: _others, suggestion: advice, ...rest } = verdict;
      return { ...rest, advice };
    }
    case 'potential-error': {
      const { kind: _, errors: _errors, reason: _reason, ...rest } = verdict;
      return { ...rest, advice: undefined };
    }
    case 'unknown': {
      const { kind: _, reason: _reason, ...rest } = verdict;
      return { ...rest, advice: undefined };
    }
  }
}

/** Failures that a verdict is about. */
const failuresOf = (verdict: Sortable): readonly Counterexample[] =>
  verdict.kind === 'bug' ? [verdict.counterexample, ...(verdict.further ?? [])] : [];

const unjudgedText = (failures: number): string =>
  `the time ended before ${failures === 1 ? 'a failure was' : `${failures} failures were`} judged: specifications of ` +
  'clients may excuse more of the errors';

/** Progress of the proof for clients that keep the specifications. */
function underThem(table: CheckTable, { specifications, errors }: Excuses): string | undefined {
  const { proved, failing, total } = table.countsUnder;
  if (specifications.length === 0 || total === 0) return undefined;
  const open = total - proved - failing;
  const rest = [
    ...(errors.length > 0 ? [`${failing} ${failing === 1 ? 'fails' : 'fail'} all the same`] : []),
    ...(open > 0 ? [`${open} ${open === 1 ? 'is' : 'are'} open`] : []),
  ];
  return rest.length === 0
    ? `with them all ${total} checks are proved`
    : [`with them ${proved} of ${total} checks are proved`, ...rest].join(', ');
}

/**
 * `proved`: of what is left, for clients that keep the specifications. `undecided`: the last try, which has not proved
 * it all.
 */
interface Others {
  readonly reason: Reason;
  readonly proved?: ProvedUnder;
  readonly undecided?: Attempt;
}

interface ProvedUnder {
  readonly verdict: Extract<Verdict, { kind: 'proved' }>;
  readonly specifications: readonly Specification[];
}

interface Attempt {
  readonly specifications: readonly Specification[];
  readonly run: PortfolioRun;
  readonly verification: Verification;
  readonly clients: Clients;
}
const noneTried: Others = { reason: notTried };

/** A specification that the restricted program cannot be asked about ends the search for more, and nothing else. */
async function others(...given: Parameters<typeof decideOthers>): Promise<Others> {
  try {
    return await decideOthers(...given);
  } catch (error) {
    if (error instanceof ProbeError) return noneTried;
    throw error;
  }
}

interface Sorting {
  readonly problem: Problem;
  readonly counterexamples: Counterexamples;
  readonly table: CheckTable;
  readonly excuses: Excuses;
  /** Failing checks that are assumed from here on, beside those of the table. */
  readonly assumed: Set<CheckKey>;
  count: number;
  /** Advice for checks that are open under the specifications. */
  separate?: string | undefined;
}

async function sort(
  counterexample: Counterexample,
  evidence: Evidence,
  engine: string,
  sorting: Sorting,
): Promise<void> {
  const { command } = evidence.fault;
  sorting.counterexamples.adopt(counterexample, evidence);
  const how = await sorting.excuses.take(counterexample, evidence);
  if (how === 'excused in C') sorting.assumed.add(checkKey(command));
  sorting.table.fails(command, engine, counterexample, how === 'error' ? 'error' : 'excused');
  sorting.count++;
}

async function reconsider({ excuses, assumed, table }: Sorting, engine: string): Promise<void> {
  const revise = async (): Promise<void> => {
    for (const { counterexample, fault, how } of await excuses.reviseBesideSetUps()) {
      if (how === 'excused in C') assumed.add(checkKey(fault.command));
      if (how === 'error') table.fails(fault.command, engine, counterexample);
    }
  };
  await revise();
  for (const { fault, how } of await excuses.reconsider()) {
    if (how === 'excused in C') assumed.add(checkKey(fault.command));
    if (!excuses.isError(fault)) table.excuse(fault.command);
  }
  // Errors that were judged once more may have told which function sets a structure up.
  await revise();
}

/**
 * Looks for further failures, in the program in which those found are assumed, or excused. Answers why checks are open.
 */
async function decideOthers(
  sorting: Sorting,
  budget: Budget,
  progress: ((progress: Progress) => void) | undefined,
  tellSoFar: () => void,
): Promise<Others> {
  const { problem, table, excuses } = sorting;
  let undecided: Attempt | undefined;
  while (sorting.count < limits.failures) {
    const { exhausted } = budget;
    if (exhausted && undecided) return { reason: exhausted, undecided };
    const failing = new Set([...table.failing, ...sorting.assumed]);
    const { specifications } = excuses;
    const clients: Clients = specifications.length > 0 ? 'clients that keep the specifications' : 'all clients';
    if (table.isComplete && specifications.length === 0 && sorting.assumed.size === 0) break;
    const restricted = problem.assuming(failing, budget, specifications);
    const faults = excuses.setAside(restricted);
    for (const { command } of faults) sorting.assumed.add(checkKey(command));
    if (excuses.specifications !== specifications) continue;
    const log = new VerificationLog(restricted, budget, { progress });
    const endsSoon = endsWithoutNews(sorting);
    const share = endsSoon
      ? budget.share(limits.portfolioShare, newsMs(budget, problem), nothingNew)
      : budget.share(limits.portfolioShare, undefined, noTimeLeft);
    const verification: Verification = {
      problem: restricted,
      budget: share,
      log,
      certification: new Certification(restricted, share, log),
      counterexamples: new Counterexamples(restricted, share, log),
      alarmReports: new AlarmReports(restricted, share, log, undefined),
    };
    const run = new PortfolioRun(portfolioOf(problem.task), verification);
    undecided = { specifications, run, verification, clients };
    if (exhausted) return { reason: exhausted, undecided };
    const verdict = await run.verdict();
    switch (verdict.kind) {
      case 'proved': {
        const beyond = beyondTheModel(restricted, verdict);
        if (beyond) return { reason: beyond };
        const { unreached } = verification.certification;
        const reached = restricted.checks.filter(({ check }) => !unreached.has(checkKey(check)));
        table.recordProved('all', reached, verdict.engine, clients, sorting.assumed);
        return { reason: unreached.size > 0 ? nothingPasses : notTried, proved: { verdict, specifications } };
      }
      case 'bug': {
        const before = sorting.count;
        for (const one of [verdict.counterexample, ...(verdict.further ?? [])]) {
          const evidence = verification.counterexamples.evidenceOf(one);
          if (!evidence) continue;
          if (failsInOriginal(evidence, problem)) await sort(one, evidence, verdict.engine, sorting);
          // Open, and no reason to leave the others open.
          else sorting.assumed.add(checkKey(evidence.fault.command));
        }
        await reconsider(sorting, verdict.engine);
        tellSoFar();
        // The failing check is no edge of the program: a function of the host's has it.
        const isNew = [...table.failing, ...sorting.assumed].some((key) => !failing.has(key));
        if (!isNew && (sorting.count === before || excuses.specifications === specifications))
          return { ...noneTried, undecided };
        break;
      }
      case 'potential-error':
      case 'unknown':
        if (endsSoon) await reconsider(sorting, verdict.engine);
        // Without an error, a proof is worth the rest of the budget.
        if (endsSoon && !endsWithoutNews(sorting)) break;
        return { reason: verdict.reason, ...(verdict.reason.cause !== 'vacuous' && { undecided }) };
      case 'conditional':
      case 'not-evaluated':
        return { reason: verdict.reason };
    }
  }
  return { ...noneTried, ...(undecided && { undecided }) };
}

/** The verdict is a bug, whatever the other checks are. */
const endsWithoutNews = ({ problem, excuses }: Sorting): boolean =>
  problem.task.furtherChecks === 'while there is news' && excuses.errors.length > 0;

const newsMs = (budget: Budget, { task }: Problem): number =>
  Math.max(budget.elapsedSeconds * 1000, task.budget.milliseconds * limits.newsShare);

/** In the program as it is, the execution passes the checks that were assumed, and fails at the same one. */
function failsInOriginal({ fault, scenario }: Evidence, problem: Problem): boolean {
  // A run of the user's tests is not repeated: they run the program as it is.
  if (!scenario) return true;
  const lifted = recallScenario(storeScenario(scenario), problem.program);
  const again = lifted && faultOf(runScenario(problem.program, lifted, problem.scenarioOptions()));
  return again !== undefined && failsAlike(again, fault);
}

interface ProvedSoFar {
  readonly checks: ReadonlySet<Check>;
  /** Invariants of the program as it is, or of parts of it, that prove all that they are about. */
  readonly by: readonly PredicateAbstraction[];
  /** Number of checks that follow from invariants which there was no time to certify. */
  readonly unchecked: number;
}

/** Each check that is asked of the program is asked in one of them. */
function areAbout(parts: readonly PredicateAbstraction[], problem: Problem): boolean {
  const asked = new Set(parts.flatMap(({ system }) => askedIn(system)));
  return parts.length > 0 && askedIn(problem.system).every((check) => asked.has(check));
}

/** The checks that the invariants of an undecided run prove. */
async function provedSoFar(
  { known }: PortfolioRun,
  { problem, log }: Verification,
  epilogue: Budget,
): Promise<ProvedSoFar> {
  const proved = new Set<Check>();
  if (outOfFormulas(problem)) return { checks: proved, by: [], unchecked: 0 };
  const unreached = new Set<CheckKey>();
  const by: PredicateAbstraction[] = [];
  const inPart: PredicateAbstraction[] = [];
  const { instances, certifier } = problem.solvers;
  const budget = epilogue.share(1, limits.provedSoFarMs);
  problem.solvers.resume();
  const certified = async (one: PredicateAbstraction, share: Budget, open?: ReadonlySet<Check>): Promise<void> => {
    const { system } = one;
    const query = (): QueryBudget | undefined => (share.exhausted ? undefined : share.query(limits.queryMs));
    const result = await certifyChecks(problem.program, system.options, certificateOf(one), certifier, query, open);
    if (result.kind !== 'certified') return;
    for (const check of result.checks) proved.add(check);
    for (const key of await behindFailures(one, possibleIn(system, instances, query))) unreached.add(key);
    if (askedIn(system).every((check) => result.checks.has(check))) by.push(one);
    else if (result.checks.size > 0) inPart.push(asProofOf(result.checks, one));
  };
  for (const one of known.parts) await certified(one, budget);
  const [alarm] = known.alarms;
  const { strongest, settled } = log;
  // Nothing proves more than the first set under which the fewest checks may fail, and it is the smallest that does.
  const best = strongest ?? settled.at(-1) ?? alarm?.abstraction;
  const system = best?.system ?? problem.system;
  const core = await proofCore(
    system,
    best?.invariants ?? noInvariants,
    instances,
    budget.share(limits.coreShare),
    best && log.openUnder(best),
  );
  await certified(PredicateAbstraction.ofInvariants(system, core.invariants), budget, core.open);
  if (alarm && alarm.abstraction !== best && !budget.exhausted) await certified(alarm.abstraction, budget);
  // Nothing is proved of them.
  for (const check of proved) if (unreached.has(checkKey(check))) proved.delete(check);
  // No one of them proves all checks, but together they may: the first to fail would be one that is proved.
  if (!areAbout(by, problem)) by.push(...inPart);
  const open = best && log.openUnder(best);
  const asked = open && budget.exhausted ? new Set(askedIn(system)) : new Set();
  const unchecked = problem.checks.filter(({ check }) => asked.has(check) && !open!.has(check) && !proved.has(check));
  return { checks: proved, by, unchecked: unchecked.length };
}
