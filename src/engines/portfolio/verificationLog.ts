/** Log of engines while they run, and what verdicts say of it. Engines only write; `conclude` and the report read. */
import type { AbstractPoint, PredicateAbstraction } from '../../abstraction/predicates/predicateAbstraction';
import { printTerm } from '../../abstraction/printing/printTerm';
import { reportedStates, type ReportedState } from '../../abstraction/printing/reportedStates';
import type { TransitionSystem } from '../../abstraction/transitionSystem/transitionSystem';
import type { Budget } from '../../budget';
import { sourceLocationOf } from '../../sourceLocation';
import * as L from '../../logic/build';
import type { Progress } from '../../progress';
import { allProperties, type Check, checkKey, propertyOf } from '../../program/command';
import type {
  Adequacy,
  Reason,
  ReducedPart,
  RefinementReport,
  SearchTreeReport,
  StageOutcome,
  StageReport,
  Statistics,
  Verdict,
} from '../../verdict';
import { assumptionsOf } from '../assumptions/assumptions';
import type { Events, Reused } from '../engine';
import type { LocatedCheck, Problem } from '../problem';
import type { Alarm } from '../testBasedAbstraction/testBasedAbstraction';
import type { StageName } from '../registry';

const isReached = ({ members }: ReportedState): boolean => members.some(({ source }) => source === 'test');

export interface LogOptions {
  readonly progress?: ((progress: Progress) => void) | undefined;
  readonly trace?: ((line: string) => void) | undefined;
}

/** For attempts on the side, of which the verdict says nothing. */
export const silent: Events = {
  progress() {},
  remark() {},
  difficulty() {},
  onTime() {},
  working() {},
  onProof() {},
  testStates() {},
  onFabricated() {},
  refinement() {},
  searchTree() {},
  onReduction() {},
  trace: undefined,
};

export class VerificationLog implements Events {
  readonly trace: ((line: string) => void) | undefined;
  private readonly seconds = { 'front-end': 0, execution: 0, solving: 0, certify: 0 };
  private readonly remarks = new Set<string>();
  private readonly difficulties = new Set<string>();
  private refinementReport: RefinementReport | undefined;
  private searchTreeReport: SearchTreeReport | undefined;
  private fabricatedStates = 0;
  private statesOfTests = 0;
  private solverName = 'z3';
  private readonly stages: StageReport[] = [];
  /** Parts that the reduction of the current stage has made. */
  private reduction: Pick<StageReport, 'why' | 'parts'> = {};
  private checks: Progress['checks'];
  private current: PredicateAbstraction | undefined;
  private readonly settledAbstractions: PredicateAbstraction[] = [];
  /** Checks that may fail under the invariants of such an abstraction, where its states were closed. */
  private readonly alarmsUnder = new Map<PredicateAbstraction, ReadonlySet<Check>>();

  constructor(
    private readonly problem: Problem,
    private readonly budget: Budget,
    private readonly options: LogOptions,
  ) {
    this.trace = options.trace;
    this.seconds['front-end'] = problem.frontEndSeconds;
    void problem.solvers.instances.name.then((name) => {
      this.solverName = name;
    });
  }

  // Written by engines

  progress(phase: Progress['phase'], done: number, total: number): void {
    this.options.progress?.({ phase, done, total, ...(this.checks && { checks: this.checks }) });
  }

  /**
   * `all` in force, and those of them that are `open`. Several checks at one place in the text count once. Where more
   * was known before, that stands: what one stage has proved, another one with fewer invariants does not undo.
   */
  openChecks(all: readonly LocatedCheck[], open: readonly LocatedCheck[]): void {
    const count = (checks: readonly LocatedCheck[]): number => new Set(checks.map(({ check }) => checkKey(check))).size;
    const [of, left] = [count(all), count(open)];
    if (this.checks && this.checks.proved > of - left) return;
    const name = open[0]?.function;
    this.checks = { proved: of - left, of, ...(name && !name.library && { function: name.name }) };
  }

  remark(text: string): void {
    this.remarks.add(text);
  }

  difficulty(text: string): void {
    this.difficulties.add(text);
  }

  onTime(phase: 'execution' | 'certify', seconds: number): void {
    this.seconds[phase] += seconds;
  }

  working(abstraction: PredicateAbstraction | undefined): void {
    this.current = abstraction;
  }

  onProof(abstraction: PredicateAbstraction): void {
    this.current = abstraction;
    this.settledAbstractions.push(abstraction);
  }

  testStates(count: number): void {
    this.statesOfTests = count;
  }

  onFabricated(count: number): void {
    this.fabricatedStates += count;
  }

  refinement(report: RefinementReport): void {
    this.refinementReport = report;
  }

  searchTree(report: SearchTreeReport): void {
    this.searchTreeReport = report;
  }

  onReduction(parts: readonly ReducedPart[], why?: string): void {
    this.reduction = { parts, ...(why !== undefined && { why }) };
  }

  // Written by the portfolio

  onSkipped(stage: StageName, why: string): void {
    this.stages.push({ stage, outcome: 'skipped', why });
  }

  onEnd(stage: StageName, outcome: StageOutcome, seconds: number): void {
    this.stages.push({ stage, outcome, seconds: Math.round(seconds * 1000) / 1000, ...this.reduction });
    this.reduction = {};
  }

  /** Checks that may fail under an abstraction; the others follow from its invariants. */
  onAlarms(alarms: readonly Alarm[]): void {
    const [first] = alarms;
    if (!first) return;
    const failing = new Set(alarms.map(({ obligation }) => obligation.check));
    this.alarmsUnder.set(first.abstraction, failing);
    this.openChecks(
      this.problem.checks,
      this.problem.checks.filter(({ check }) => failing.has(check)),
    );
  }

  /** The claim of the stage that ended last. */
  onRefused(): void {
    this.stages.push({ ...this.stages.pop()!, outcome: 'refused' });
  }

  // Read by verdicts and reports

  get abstraction(): PredicateAbstraction | undefined {
    return this.current;
  }

  /** Abstractions whose invariants are proved, the latest and largest last. */
  get settled(): readonly PredicateAbstraction[] {
    return this.settledAbstractions;
  }

  /** The first of those under which the fewest checks may fail. */
  get strongest(): PredicateAbstraction | undefined {
    return this.settledAbstractions.reduce<PredicateAbstraction | undefined>(
      (best, one) => (this.countUnder(one) < this.countUnder(best) ? one : best),
      undefined,
    );
  }

  /** Checks that may fail under an abstraction; undefined if nobody asked. */
  openUnder(abstraction: PredicateAbstraction): ReadonlySet<Check> | undefined {
    return this.alarmsUnder.get(abstraction);
  }

  private countUnder(abstraction: PredicateAbstraction | undefined): number {
    return (abstraction && this.openUnder(abstraction)?.size) ?? Infinity;
  }

  get system(): TransitionSystem | undefined {
    return this.current?.system;
  }

  /** Without the share of the abstract states that the tests reach, which is known only when these are closed. */
  common(
    engine: string,
    how: 'answered' | 'open' = 'answered',
    figures: ProofFigures = noProof,
  ): Pick<
    Verdict,
    | 'engine'
    | 'properties'
    | 'assumptions'
    | 'statistics'
    | 'adequacy'
    | 'suppressed'
    | 'refinement'
    | 'searchTree'
    | 'remarks'
  > {
    return {
      engine,
      properties: allProperties.filter((property) => this.problem.checkedProperties.has(property)),
      assumptions: assumptionsOf({
        program: this.problem.program,
        task: this.problem.task,
        entries: this.problem.entries,
        init: this.problem.init,
        checkedProperties: this.problem.checkedProperties,
        regions: this.system?.memoryModel.regions,
        clientSlots: this.system?.memoryModel.clientSlots,
        handles: this.system?.handles ?? new Set(),
        initialisers: this.problem.initialisers,
      }),
      statistics: this.statistics(figures),
      adequacy: undefined,
      ...this.suppressions(),
      ...(this.refinementReport && { refinement: this.refinementReport }),
      ...(this.searchTreeReport && { searchTree: this.searchTreeReport }),
      remarks: [...this.remarks, ...(how === 'open' || this.problem.task.adequacy ? this.difficulties : [])],
    };
  }

  unknown(engine: string, reason: Reason, figures: ProofFigures = noProof): Verdict {
    return { kind: 'unknown', ...this.common(engine, 'open', figures), reason };
  }

  statistics({ obligations, reused }: ProofFigures = noProof): Statistics {
    const states = this.countedPoints().flatMap(reportedStates);
    const { queries, milliseconds } = this.problem.solvers.statistics;
    const points = this.abstraction?.points ?? [];
    return {
      seconds: this.budget.elapsedSeconds,
      secondsByPhase: { ...this.seconds, solving: milliseconds / 1000 },
      solver: this.solverName,
      solverQueries: queries,
      testsStates: this.statesOfTests,
      abstractStates: states.length,
      coveredAbstractStates: this.problem.task.runs.length === 0 ? 0 : states.filter(isReached).length,
      fabricatedStates: this.fabricatedStates,
      predicates: new Set(points.flatMap((point) => point.predicates.map(({ term }) => term))).size,
      cutpoints: points.length,
      segments: this.system?.transitions.filter(({ kind }) => kind === 'segment').length ?? 0,
      obligations,
      stages: [...this.stages],
      ...(reused && { reused: reused.points, provedAnew: reused.provedAnew }),
    };
  }

  adequacy(): Adequacy | undefined {
    if (!this.abstraction || this.problem.task.runs.length === 0) return undefined;
    // Without predicates every state is the same abstract one, and to reach it says nothing.
    const points = this.countedPoints();
    if (points.every(({ predicates }) => predicates.length === 0)) return undefined;
    const total = points.reduce((sum, abstract) => sum + reportedStates(abstract).length, 0);
    const missing = this.unreachedStates().map(({ abstract, valuation, members }) => ({
      at: sourceLocationOf(abstract.point.location.span, abstract.point.fn.name),
      valuation:
        this.valuationText(abstract, tellingApart(abstract, valuation)) || this.valuationText(abstract, valuation),
      state: (members.find(({ sample }) => sample.length > 0) ?? members[0]!).sample,
    }));
    const covered = total - missing.length;
    return { covered, total, ratio: total === 0 ? 1 : covered / total, missing };
  }

  /** The points whose abstract states are counted: those the user asked for, or all. */
  countedPoints(): readonly AbstractPoint[] {
    const points = this.abstraction?.points ?? [];
    return this.problem.task.cutpoints === 'labels'
      ? points.filter(({ point }) => point.location.label !== undefined)
      : points.filter(({ point }) => point !== this.system?.client);
  }

  unreachedStates(): readonly ReportedState[] {
    return this.countedPoints()
      .flatMap(reportedStates)
      .filter((state) => !isReached(state));
  }

  valuationText({ predicates }: AbstractPoint, valuation: string): string {
    return predicates
      .flatMap(({ name, term }, i) =>
        valuation[i] === '-'
          ? []
          : name !== undefined
            ? `${valuation[i] === '1' ? '' : '!'}${name}`
            : printTerm(valuation[i] === '1' ? term : L.not(term), this.system!.vocabulary),
      )
      .join(' && ');
  }

  private suppressions(): Pick<Verdict, 'suppressed'> {
    const { suppressed = [] } = this.problem.program;
    const wanted = suppressed.filter(
      ({ check }) => this.problem.checkedProperties.has(check) || this.problem.checkedProperties.has(propertyOf[check]),
    );
    return wanted.length === 0
      ? {}
      : {
          suppressed: wanted.map(({ check, text, span, reason }) => ({
            check,
            property: propertyOf[check],
            place: sourceLocationOf(span),
            text,
            reason,
          })),
        };
  }
}

/** Figures of a proof, for its statistics. */
export interface ProofFigures {
  readonly obligations: number;
  readonly reused?: Reused | undefined;
}

const noProof: ProofFigures = { obligations: 0 };

/**
 * Without what holds, or does not, in all shown states of the point: that says nothing about one of them. Probes are
 * what the user asks for.
 */
function tellingApart(abstract: AbstractPoint, valuation: string): string {
  const all = reportedStates(abstract);
  return [...valuation]
    .map((value, i) =>
      abstract.predicates[i]!.name === undefined && all.every((state) => [value, '-'].includes(state.valuation[i]!))
        ? '-'
        : value,
    )
    .join('');
}
