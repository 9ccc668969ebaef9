/**
 * The two lists of angelic verification (figure 3 of Das, Lahiri, Lal, Li, CAV 2015): failures that no acceptable
 * specification of clients excuses, and the specifications that excuse the others. A specification is acceptable when
 * the failing execution is none of a client's that keeps it, no test breaks it, and it makes no branch impossible.
 */
import type { Budget } from '../../budget';
import { faultOf, runScenario, type Scenario } from '../../evidence/scenarios/scenario';
import { recallScenario, storeScenario } from '../../proofCache/storedScenario';
import { type CheckKey, checkKey } from '../../program/command';
import { failsAlike, type Fault } from '../../semantics/concrete/fault';
import type { QueryBudget } from '../../solver/solver';
import type { AngelicConfiguration, Task } from '../../task';
import type {
  AngelicReport,
  BranchOutcome,
  Counterexample,
  ExcusingSpecification,
  RefusedSpecification,
} from '../../verdict';
import { hasAngelicAssertions, isInVocabulary } from '../angelic/configuration';
import { curesOf, type CureVocabulary } from '../angelic/cures';
import { isExcluded } from '../angelic/exclusion';
import { isAboutSetUp } from '../angelic/membersOfSetUp';
import { impliedSpecifications } from '../angelic/minimal';
import { type Permission, Permissiveness } from '../angelic/permissiveness';
import { inOrder } from '../angelic/unusualCalls';
import { precondition, type Specification, specificationText } from '../angelic/specifications';
import { LikelyPreconditions } from '../preconditions/likelyPreconditions';
import { UnterminatedStrings } from '../preconditions/unterminatedStrings';
import { isKeptByAnswers, isKeptByTests } from '../angelic/testVeto';
import { dependsOn, type OfferedGuarantee, guaranteeCures } from '../angelic/guaranteeCures';
import type { Problem } from '../problem';
import type { Evidence } from './counterexamples';
import { excusesSuggestion, pasteable } from './preconditionSuggestion';
import { canState } from './userFormulas';

const limits = {
  /** Solver resource units of one question: a cure is the same on a busy machine. */
  queryResources: 500_000,
  /** The clock behind them. Some formulas take seconds without using resources up. */
  cureMs: 5_000,
  /** One question whether a branch stays possible, and the same question once more without an answer. */
  branchMs: 1_000,
  branchAgainMs: 5_000,
  branchAgainResources: 2_500_000,
  /** Questions of one verification that are asked once more. */
  branchesAgain: 8,
  /** Part of the time left for all branches of one specification: of a large function each may take seconds. */
  judgementShare: 0.12,
  /** Specifications of one entry for one check; what fails there still is an error (algorithm 1 need not end). */
  cures: 4,
} as const;

/** A failure that nothing excuses. */
interface ReportedError {
  readonly counterexample: Counterexample;
  /** Undefined where no execution of clients can be repeated. */
  readonly scenario: Scenario | undefined;
  readonly fault: Fault;
  /** Number of checks that were known to fail whatever clients do, when it was judged. */
  readonly known: number;
  /** Specifications that were taken by then, none of which excuses it. */
  readonly taken: readonly Specification[];
  /** There was time for all that was asked. */
  readonly isJudged: boolean;
  /** A condition that all calls of the tests keep, and its client does not. */
  readonly unlikely: string | undefined;
}

type Judgement = 'excused' | 'excused in C' | 'error';

/** A failure that was judged once more. */
export interface Reconsidered {
  readonly counterexample: Counterexample;
  readonly fault: Fault;
  readonly how: Judgement;
}

export class Excuses {
  private taken: readonly Specification[] = [];
  /** Specifications that a proof cannot rest on, because no formula mentions what they say. */
  private readonly inC = new Set<Specification>();
  private readonly excused = new Map<Specification, Counterexample[]>();
  private readonly evidence = new Map<Counterexample, { readonly scenario: Scenario; readonly fault: Fault }>();
  /** In the order in which they were found. */
  private readonly reported: ReportedError[] = [];
  /** Questions for which there was no time. */
  private unasked = 0;
  /** The error that is judged once more. */
  private reconsidered: ReportedError | undefined;
  private readonly refused = new Map<Counterexample, RefusedSpecification>();
  private readonly permissiveness: Permissiveness;
  private readonly problems = new Map<Specification, Problem>();
  /** Guarantees that no run can try. */
  private readonly byFormula = new Set<Specification>();
  /** Taken before it was known who sets the structures up that they are about, and judged once more since. */
  private readonly revised = new Set<string>();
  /** Number of specifications taken, by entry and check. */
  private readonly cured = new Map<string, number>();
  /** Specifications that may make this branch impossible for all that is known. */
  private readonly undecided = new Map<Specification, BranchOutcome>();
  private askedAgain = 0;
  /** The time for the specification that is judged now. */
  private judgement: Budget | undefined;
  private readonly guarantees = new Map<Scenario, readonly OfferedGuarantee[]>();

  constructor(
    private readonly problem: Problem,
    private readonly budget: Budget,
  ) {
    this.permissiveness = new Permissiveness(
      problem,
      problem.solvers.instances,
      (attempt) => this.branchQuery(attempt),
      budget,
    );
  }

  private query(atMostMs: number = limits.cureMs, atMost: number = limits.queryResources): QueryBudget | undefined {
    if (this.budget.exhausted) {
      this.unasked++;
      return undefined;
    }
    const { timeoutMs, resources = Infinity } = this.budget.query(atMostMs);
    return { timeoutMs, resources: Math.min(resources, atMost) };
  }

  /** There is no time to judge the failure; of a large module each cure takes seconds. */
  private isOver(): boolean {
    if (!this.budget.exhausted) return false;
    this.unasked++;
    return true;
  }

  private branchQuery(attempt: 'first' | 'again'): QueryBudget | undefined {
    if (this.judgement?.exhausted && !this.budget.exhausted) return undefined;
    if (attempt === 'first') return this.query(limits.branchMs);
    if (this.budget.exhausted || this.askedAgain === limits.branchesAgain) return undefined;
    this.askedAgain++;
    const leftMs = Math.max(0, this.judgement?.leftMs ?? Infinity);
    return this.query(Math.min(limits.branchAgainMs, leftMs), limits.branchAgainResources);
  }

  /** Judges one more beside those that are taken. */
  private async permission(cure: Specification): Promise<Permission> {
    this.judgement = this.budget.share(limits.judgementShare);
    const permission = await this.permissiveness.judge(this.taken, cure);
    this.judgement = undefined;
    return permission;
  }

  private get configuration(): AngelicConfiguration {
    return this.problem.task.angelicConfiguration ?? 'default';
  }

  private get vocabulary(): CureVocabulary {
    return this.problem.task.angelic ? 'with bounds of numbers' : 'default';
  }

  /** Specifications that clients would have to keep. */
  get specifications(): readonly Specification[] {
    return this.taken;
  }

  /**
   * Not excused: first those of clients that resemble the tests', then those for which there was time. Among them what
   * takes nothing unusual comes first, and then what was found first.
   */
  get errors(): readonly Counterexample[] {
    return inOrder(this.reported).map(({ counterexample }) => counterexample);
  }

  /** A condition that all calls of the tests keep, and this client does not; undefined: it keeps all. */
  unlikely = (error: Counterexample): string | undefined =>
    this.reported.find(({ counterexample }) => counterexample === error)?.unlikely;

  /** Number of errors that a specification may excuse for all that is known: the time ended before they were judged. */
  get unjudged(): number {
    return this.reported.filter(({ isJudged }) => !isJudged).length;
  }

  /**
   * One for each specification. Those come first whose specification was not judged to the end: they may be errors.
   * A failure through null is no news, and comes last.
   */
  get examples(): readonly Counterexample[] {
    const rank = (one: Specification): number =>
      this.undecided.has(one) ? 0 : one.kind === 'requires' && one.text.endsWith(' != NULL') ? 2 : 1;
    const inOrder = [...this.excused].sort(([a], [b]) => rank(a) - rank(b));
    return inOrder.flatMap(([, all]) => all.find((one) => !this.failsAnyway(one)) ?? []);
  }

  private failsAnyway(excused: Counterexample): boolean {
    return this.reported.some(({ counterexample }) => isSameFailure(counterexample, excused));
  }

  /** The function fails so all the same: its clients gain nothing by keeping the specification. */
  private failsAnywayIn(one: Specification, excused: Counterexample): boolean {
    return this.reported.some(
      ({ counterexample, fault }) =>
        isSameFailure(counterexample, excused) &&
        (one.kind !== 'requires' || fault.stack.at(-1)?.function.name === one.function),
    );
  }

  /** `evidence`: of any problem with the same files. */
  async take(counterexample: Counterexample, { scenario, fault: found }: Evidence): Promise<Judgement> {
    const { program, task } = this.problem;
    const own =
      scenario && task.mode === 'module' && !task.replay ? recallScenario(storeScenario(scenario), program) : undefined;
    const fault = own ? this.inOwnProgram(own, found) : found;
    if (own) this.evidence.set(counterexample, { scenario: own, fault });
    return this.judge(counterexample, own, fault);
  }

  private async judge(
    counterexample: Counterexample,
    scenario: Scenario | undefined,
    fault: Fault,
  ): Promise<Judgement> {
    const before = this.unasked;
    const excuse = scenario && (await this.excuse(counterexample, scenario, fault));
    if (!excuse) {
      const known = this.errorKeys.size;
      const isJudged = this.unasked === before;
      const unlikely = scenario && LikelyPreconditions.of(this.problem).broken(scenario);
      this.reported.push({ counterexample, scenario, fault, known, taken: this.taken, isJudged, unlikely });
      return 'error';
    }
    this.remember(excuse, counterexample);
    return this.inC.has(excuse) ? 'excused in C' : 'excused';
  }

  /** The same fault, with the functions of this problem's program: other problems have read the files again. */
  private inOwnProgram(scenario: Scenario, fault: Fault): Fault {
    const own = faultOf(runScenario(this.problem.program, scenario, this.problem.scenarioOptions()));
    return own && failsAlike(own, fault) ? own : fault;
  }

  /**
   * Judges errors again that were judged before others were known: an experiment that ends in a failure of the module's
   * own says nothing. So are those judged before specifications were taken, which may exclude them. Answers those that
   * are excused now, with their failures.
   */
  async reconsider(): Promise<readonly Reconsidered[]> {
    const excused: Reconsidered[] = [];
    for (const one of [...this.reported]) {
      const { counterexample, scenario, fault } = one;
      const areOthersKnown = this.errorKeys.size > one.known + 1;
      const since = this.taken.filter((other) => !one.taken.includes(other));
      if (!scenario || !(areOthersKnown || since.length > 0)) continue;
      this.reconsidered = one;
      const excuse = areOthersKnown
        ? await this.excuse(counterexample, scenario, fault)
        : await this.excuseAmong(since, scenario, fault);
      this.reconsidered = undefined;
      const at = this.reported.indexOf(one);
      if (!excuse) {
        this.reported[at] = { ...one, known: this.errorKeys.size - 1, taken: this.taken };
        continue;
      }
      this.reported.splice(at, 1);
      this.remember(excuse, counterexample);
      excused.push({ counterexample, fault, how: this.inC.has(excuse) ? 'excused in C' : 'excused' });
    }
    return excused;
  }

  private remember(excuse: Specification, counterexample: Counterexample): void {
    this.excused.set(excuse, [...(this.excused.get(excuse) ?? []), counterexample]);
  }

  private get errorKeys(): ReadonlySet<CheckKey> {
    return new Set(this.reported.map(({ fault }) => checkKey(fault)));
  }

  /**
   * Pointers in clients' structures that clients keep valid. No run fails without them, so they are taken before a
   * proof fails for want of them: if no test breaks them, and they are known to be harmless.
   */
  async takeValidPointers(): Promise<void> {
    if (!this.problem.task.angelic) return;
    for (const validPointers of this.problem.offeredPointers) {
      const one: Specification = { kind: 'valid-pointers', validPointers };
      if (!isInVocabulary(one, this.configuration, this.problem.program)) continue;
      if (hasAngelicAssertions(this.configuration)) {
        const under = this.under(one);
        if (!this.problem.callable.every(({ name }) => isKeptByTests(this.problem, under, name))) continue;
        const { kind } = await this.permission(one);
        if (kind !== 'permissive') continue;
      }
      this.taken = [...this.taken, one];
    }
  }

  private async excuse(
    counterexample: Counterexample,
    scenario: Scenario,
    fault: Fault,
  ): Promise<Specification | undefined> {
    const known = await this.excuseAmong(this.taken, scenario, fault);
    if (known || this.isOver()) return known;
    const key = `${fault.stack.at(-1)?.function.name} ${checkKey(fault)}`;
    if ((this.cured.get(key) ?? 0) >= limits.cures) return undefined;
    for await (const { specification: cure, judged } of curesOf({
      problem: this.problem,
      scenario,
      fault,
      isKnown: this.isError,
      system: () => this.problem.system,
      vocabulary: this.vocabulary,
      taken: () => this.taken,
      solver: this.problem.solvers.instances,
      query: () => this.query(),
    })) {
      if (this.isOver()) return undefined;
      if (!isInVocabulary(cure, this.configuration, this.problem.program)) continue;
      if (this.taken.some((other) => specificationText(other) === specificationText(cure))) continue;
      if (!this.isUsable(cure)) {
        const said = [...this.inC].find((other) => specificationText(other) === specificationText(cure));
        if (!said) this.inC.add(cure);
        return said ?? cure;
      }
      if (judged === 'by formula') this.byFormula.add(cure);
      if (!(await this.isExcused(scenario, fault, cure)) || !(await this.isTaken(cure, counterexample))) continue;
      this.cured.set(key, (this.cured.get(key) ?? 0) + 1);
      return cure;
    }
    return undefined;
  }

  private async excuseAmong(
    specifications: readonly Specification[],
    scenario: Scenario,
    fault: Fault,
  ): Promise<Specification | undefined> {
    for (const one of specifications) if (await this.isExcused(scenario, fault, one)) return one;
    return undefined;
  }

  /** Takes the cure unless a test breaks it or it makes something impossible. */
  private async isTaken(cure: Specification, counterexample: Counterexample): Promise<boolean> {
    if (hasAngelicAssertions(this.configuration)) {
      if (cure.kind === 'requires' && !isKeptByTests(this.problem, this.under(cure), cure.function)) return false;
      if (cure.kind === 'ensures' && !isKeptByAnswers(this.problem, this.under(cure))) return false;
    }
    const permission = await this.permission(cure);
    switch (permission.kind) {
      case 'kills':
        if (!this.refused.has(counterexample)) this.refused.set(counterexample, refusal(cure, permission.branch));
        return false;
      case 'undecided':
        this.undecided.set(cure, permission.branch);
        break;
      case 'permissive':
    }
    this.taken = [...this.taken, cure];
    return true;
  }

  /** By formula: beside those taken, it excludes the run, and leaves the check no way to fail. */
  private async excludes(scenario: Scenario, fault: Fault, one: Specification): Promise<boolean> {
    if (this.failsUnder(scenario, fault, one)) return false;
    return isExcluded(
      this.problem.under([...this.taken.filter((other) => other !== one), one], this.budget),
      fault,
      this.problem.solvers.instances,
      () => this.query(),
    );
  }

  /** Reported already: whatever clients do, it may come. */
  readonly isError = ({ check, span }: Fault): boolean =>
    this.reported.some((one) => one !== this.reconsidered && checkKey(one.fault) === checkKey({ check, span }));

  /** True if proofs can rest on it: they know nothing of memory that only functions without a formula read. */
  private isUsable(one: Specification, { program, task, system }: Problem = this.problem): boolean {
    // Clients of searches have nothing to hand over.
    if (one.kind === 'convention') return one.convention.kind !== 'handed-over';
    return one.kind !== 'requires' || canState(task, one, program.functionByName.get(one.function)!, system.vocabulary);
  }

  /**
   * Specifications on which a proof of this part of the problem cannot rest are said in C from now on. Answers the
   * failures that they excuse: the proof has to assume their checks.
   */
  setAside(part: Problem): readonly Fault[] {
    const aside = this.taken.filter((one) => !this.isUsable(one, part));
    if (aside.length === 0) return [];
    this.taken = this.taken.filter((one) => !aside.includes(one));
    for (const one of aside) this.inC.add(one);
    return aside.flatMap((one) =>
      (this.excused.get(one) ?? []).flatMap((failure) => this.evidence.get(failure)?.fault ?? []),
    );
  }

  private under(one: Specification): Problem {
    let under = this.problems.get(one);
    if (!under) this.problems.set(one, (under = this.problem.under([one], this.budget)));
    return under;
  }

  /** Clients that keep it do not bring the failure about. */
  private async isExcused(scenario: Scenario, fault: Fault, one: Specification): Promise<boolean> {
    if (this.byFormula.has(one)) return this.excludes(scenario, fault, one);
    if (this.failsUnder(scenario, fault, one)) return false;
    return one.kind !== 'ensures' || dependsOn(this.guaranteesFor(scenario, fault), one);
  }

  private failsUnder(scenario: Scenario, fault: Fault, one: Specification): boolean {
    const under = this.under(one);
    const lifted =
      under.program === this.problem.program ? scenario : recallScenario(storeScenario(scenario), under.program);
    const again = lifted && faultOf(runScenario(under.program, lifted, under.scenarioOptions()));
    return again !== undefined && failsAlike(again, fault);
  }

  private guaranteesFor(scenario: Scenario, fault: Fault): readonly OfferedGuarantee[] {
    let cures = this.guarantees.get(scenario);
    if (!cures) {
      cures = guaranteeCures(this.problem, scenario, fault, this.vocabulary === 'with bounds of numbers');
      this.guarantees.set(scenario, cures);
    }
    return cures;
  }

  /**
   * A module that takes one string mostly takes more, and the same clients pass them. Their preconditions are offered
   * together, before each fails.
   */
  async lookForTexts(): Promise<void> {
    const { problem } = this;
    const isText = (one: Specification): boolean => one.kind === 'requires' && one.text.includes('PROVEST_TERMINATED');
    const isPlace = (one: Specification): boolean => one.kind === 'requires' && one.text.endsWith(' != NULL');
    if (![...this.taken, ...this.inC].some((one) => isText(one) || isPlace(one))) return;
    const texts = new UnterminatedStrings(problem.program, problem.callable, problem.scenarioOptions());
    texts.lookAround({ calls: [], answers: [] });
    for (const { function: fn, text } of texts.preconditions) {
      const one = precondition(problem.program, fn, text);
      if (!one || !isInVocabulary(one, this.configuration, problem.program)) continue;
      if (this.taken.some((other) => isText(other) && specificationText(other) === specificationText(one))) continue;
      if (!this.isUsable(one)) {
        if (![...this.inC].some((other) => specificationText(other) === specificationText(one))) this.inC.add(one);
        continue;
      }
      // Nothing fails without it yet, so it has to be known to be harmless.
      const { kind } = await this.permission(one);
      if (kind === 'permissive') this.taken = [...this.taken, one];
    }
  }

  /**
   * Takes back preconditions about members of structures that were taken before it was known which function sets these
   * up: they may rule out states that the module itself brings about. Their failures are judged again. Answers those
   * that nothing excuses now.
   */
  async reviseBesideSetUps(): Promise<readonly Reconsidered[]> {
    const setUps = this.taken.flatMap((one) => (one.kind === 'initialised-by' ? [one.initialisedBy] : []));
    const about = this.taken.filter(
      (one) =>
        one.kind === 'requires' &&
        !this.revised.has(specificationText(one)) &&
        setUps.some((setUp) => isAboutSetUp(one, setUp, this.problem.program)),
    );
    if (about.length === 0) return [];
    for (const one of about) this.revised.add(specificationText(one));
    this.taken = this.taken.filter((one) => !about.includes(one));
    const judged: Reconsidered[] = [];
    for (const one of about) {
      const failures = this.excused.get(one) ?? [];
      this.excused.delete(one);
      for (const counterexample of failures) {
        const evidence = this.evidence.get(counterexample)!;
        const how = await this.judge(counterexample, evidence.scenario, evidence.fault);
        judged.push({ counterexample, fault: evidence.fault, how });
      }
    }
    return judged;
  }

  /**
   * Leaves out what is said about a structure by other specifications whose failures are none either where clients have
   * it set up: another function that sets it up, or something about its members that no proof assumes.
   */
  private async minimiseBesideSetUp(assumed: readonly Specification[]): Promise<void> {
    const setUps = this.taken.flatMap((one) => (one.kind === 'initialised-by' ? [one] : [])).reverse();
    for (const setUp of setUps) {
      if (!this.taken.includes(setUp)) continue;
      for (const other of this.taken) {
        if (other.kind === 'requires' && assumed.includes(other)) continue;
        if (other === setUp || !isAboutSetUp(other, setUp.initialisedBy, this.problem.program)) continue;
        const failures = this.excused.get(other) ?? [];
        let areExcused = failures.length > 0;
        for (const failure of failures) {
          const evidence = this.evidence.get(failure);
          areExcused &&= evidence !== undefined && (await this.isExcused(evidence.scenario, evidence.fault, setUp));
        }
        if (areExcused) this.leaveOut(other, setUp);
      }
    }
  }

  private leaveOut(weaker: Specification, stronger: Specification): void {
    this.taken = this.taken.filter((one) => one !== weaker);
    const failures = [...(this.excused.get(stronger) ?? []), ...(this.excused.get(weaker) ?? [])];
    this.excused.delete(weaker);
    if (failures.length > 0) this.excused.set(stronger, failures);
  }

  /** Leaves out what other specifications imply; these excuse its failures, too. `assumed`: by proofs. */
  async minimise(assumed: readonly Specification[]): Promise<void> {
    await this.minimiseBesideSetUp(assumed);
    const implied = await impliedSpecifications(
      this.problem,
      this.taken,
      () => this.problem.system,
      this.problem.solvers.instances,
      () => this.query(),
    );
    for (const [weaker, stronger] of implied) this.leaveOut(weaker, stronger);
  }

  /**
   * False if all together make a branch impossible; asked anew, without what was known of each. Without an answer about
   * a branch, none of them counts as judged.
   */
  async arePermissive(): Promise<boolean> {
    const permission = await this.permissiveness.judgeAll(this.taken);
    if (permission.kind === 'undecided')
      for (const one of this.taken) if (!this.undecided.has(one)) this.undecided.set(one, permission.branch);
    return permission.kind !== 'kills';
  }

  get suggestion(): string | undefined {
    const { functions } = this.problem.program;
    const position = (one: Specification): number =>
      one.kind === 'requires' ? functions.findIndex(({ name }) => name === one.function) : -1;
    const inOrder = [...this.taken].sort((a, b) => position(a) - position(b));
    return excusesSuggestion(this.problem.task, inOrder, [...this.inC]);
  }

  /** Undefined when nothing was excused, and no excuse refused. */
  get report(): AngelicReport | undefined {
    const pointers = this.taken.filter((one) => one.kind === 'valid-pointers' && !this.excused.has(one));
    if (this.excused.size === 0 && this.refused.size === 0 && pointers.length === 0) return undefined;
    const order = new Map([...this.taken, ...this.inC].map((one, i) => [one, i]));
    // Last come specifications that excuse only failures of checks that fail all the same, for other functions.
    const isNews = (failures: readonly Counterexample[]): boolean => failures.some((one) => !this.failsAnyway(one));
    const excusing = [...this.excused]
      .filter(([one, failures]) => failures.some((failure) => !this.failsAnywayIn(one, failure)))
      .sort(
        ([a, some], [b, others]) =>
          Number(isNews(others)) - Number(isNews(some)) ||
          Number(this.undecided.has(a)) - Number(this.undecided.has(b)) ||
          others.length - some.length ||
          order.get(a)! - order.get(b)!,
      );
    return {
      specifications: [...excusing, ...pointers.map((one) => [one, []] as const)].map(
        ([one, failures]): ExcusingSpecification => {
          // No option states it.
          const { code, flags } = this.inC.has(one) ? { code: '', flags: '' } : pasteable(this.problem.task, [one]);
          const undecided = this.undecided.get(one);
          const example = failures.find((one) => !this.failsAnyway(one));
          return {
            text: specificationText(one),
            ...('function' in one && { function: one.function }),
            excuses: failures.length,
            ...(example && { example }),
            keptByCalls: one.kind === 'requires' ? callsInTests(this.problem.task, one.function) : 0,
            ...(undecided && { undecided }),
            code,
            flags,
          };
        },
      ),
      refused: [...this.errors, ...this.examples].map((one) => this.refused.get(one) ?? null),
    };
  }
}

const isSameFailure = ({ failure: a }: Counterexample, { failure: b }: Counterexample): boolean =>
  a.check === b.check &&
  a.message === b.message &&
  a.place.file === b.place.file &&
  a.place.line === b.place.line &&
  a.place.column === b.place.column;

const refusal = (cure: Specification, killed: BranchOutcome): RefusedSpecification => ({
  text: specificationText(cure),
  ...killed,
});

const callsInTests = ({ runs }: Task, fn: string): number =>
  runs.flat().filter((operation) => operation.kind === 'call' && operation.function === fn).length;
