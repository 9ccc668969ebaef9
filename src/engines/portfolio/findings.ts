/**
 * What one verification has found so far, and what every verdict says of it.
 */
import type { AbstractPoint, PredicateAbstraction } from '../../abstraction/predicates/predicateAbstraction';
import { printTerm } from '../../abstraction/printing/printTerm';
import { shownStates, type ShownState } from '../../abstraction/printing/reportedStates';
import type { System } from '../../abstraction/transitionSystem/transitionSystem';
import { placeOf } from '../../host/fault';
import * as L from '../../logic/build';
import { allProperties, propertyOf } from '../../program/command';
import type { Adequacy, Reason, RefinementReport, Statistics, Verdict } from '../../verdict';
import { assumptionsOf } from '../assumptions/assumptions';
import type { Rerun } from '../explanation/explanation';
import type { Recollection } from './proofReuse';
import type { Alarm, TestBasedAbstraction } from '../testBasedAbstraction/testBasedAbstraction';
import type { Setting } from './context';

const isReached = ({ members }: ShownState): boolean => members.some(({ source }) => source === 'test');

export class Account {
  constructor(private readonly setting: Setting) {}

  readonly seconds = { 'front-end': 0, execution: 0, solving: 0, certify: 0 };
  readonly remarks = new Set<string>();
  /**
   * What went wrong on the way: said where there is no answer, or abstract states are counted. A proof and a bug stand
   * without it.
   */
  readonly difficulties = new Set<string>();
  abstraction: PredicateAbstraction | undefined;
  engine: TestBasedAbstraction | undefined;
  fabricated = 0;
  obligations = 0;
  testStates = 0;
  memory: Recollection | undefined;
  /** The last one whose invariants are proved. */
  settled: PredicateAbstraction | undefined;
  /** Control points whose invariant was taken over from an earlier run. */
  reused: number | undefined;
  /** By name; undefined when nothing was taken over. */
  provedAnew: readonly string[] | undefined;
  /** The proof is the one that was kept for this very question. */
  isKept = false;
  /** For the report: what the engine was left with, and the run of a bug. */
  alarms: readonly Alarm[] = [];
  rerun: Rerun | undefined;
  engineName = 'test-based-abstraction';
  refinement: RefinementReport | undefined;

  solverName = 'z3';

  get system(): System | undefined {
    return this.abstraction?.system;
  }

  /** Without the share of the abstract states that the tests reach, which is known only when these are closed. */
  common(
    how: 'answered' | 'open' = 'answered',
  ): Pick<
    Verdict,
    'engine' | 'properties' | 'assumptions' | 'statistics' | 'adequacy' | 'suppressed' | 'refinement' | 'remarks'
  > {
    return {
      engine: this.setting.task.engine === 'intervals' ? 'intervals' : this.engineName,
      properties: allProperties.filter((property) => this.setting.inForce.has(property)),
      assumptions: assumptionsOf({
        program: this.setting.program,
        task: this.setting.task,
        entries: this.setting.entries,
        init: this.setting.init,
        inForce: this.setting.inForce,
        regions: this.system?.shape.regions,
        clientSlots: this.system?.shape.clientSlots,
        handles: this.system?.handles ?? new Set(),
        initialisers: this.setting.initialisers,
      }),
      statistics: this.statistics(),
      adequacy: undefined,
      ...this.suppressed(),
      ...(this.refinement && { refinement: this.refinement }),
      remarks: [...this.remarks, ...(how === 'open' || this.setting.task.adequacy ? this.difficulties : [])],
    };
  }

  unknown(reason: Reason): Verdict {
    return { kind: 'unknown', ...this.common('open'), reason };
  }

  private statistics(): Statistics {
    const states = this.counted().flatMap(shownStates);
    const { queries, milliseconds } = this.setting.solver.statistics;
    const points = this.abstraction?.points ?? [];
    return {
      seconds: (performance.now() - this.setting.began) / 1000,
      secondsByPhase: { ...this.seconds, solving: milliseconds / 1000 },
      solver: this.solverName,
      solverQueries: queries,
      testsStates: this.testStates,
      abstractStates: states.length,
      coveredAbstractStates: this.setting.task.runs.length === 0 ? 0 : states.filter(isReached).length,
      fabricatedStates: this.fabricated,
      predicates: new Set(points.flatMap((point) => point.predicates.map(({ term }) => term))).size,
      cutpoints: points.length,
      segments: this.system?.transitions.filter(({ kind }) => kind === 'segment').length ?? 0,
      obligations: this.obligations,
      ...(this.reused !== undefined && { reused: this.reused, provedAnew: this.provedAnew ?? [] }),
    };
  }

  adequacy(): Adequacy | undefined {
    if (!this.abstraction || this.setting.task.runs.length === 0) return undefined;
    // Without predicates every state is the same abstract one, and to reach it says nothing.
    const points = this.counted();
    if (points.every(({ predicates }) => predicates.length === 0)) return undefined;
    const total = points.reduce((sum, abstract) => sum + shownStates(abstract).length, 0);
    const missing = this.unreached().map(({ abstract, valuation, members }) => ({
      at: placeOf(abstract.point.location.span, abstract.point.fn.name),
      valuation:
        this.valuationText(abstract, tellingApart(abstract, valuation)) || this.valuationText(abstract, valuation),
      state: (members.find(({ sample }) => sample.length > 0) ?? members[0]!).sample,
    }));
    const covered = total - missing.length;
    return { covered, total, ratio: total === 0 ? 1 : covered / total, missing };
  }

  /** The points whose abstract states are counted: those the user asked for, or all. */
  counted(): readonly AbstractPoint[] {
    const points = this.abstraction?.points ?? [];
    return this.setting.task.cutpoints === 'labels'
      ? points.filter(({ point }) => point.location.label !== undefined)
      : points.filter(({ point }) => point !== this.system?.client);
  }

  unreached(): readonly ShownState[] {
    return this.counted()
      .flatMap(shownStates)
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

  private suppressed(): Pick<Verdict, 'suppressed'> {
    const { suppressed = [] } = this.setting.program;
    const wanted = suppressed.filter(
      ({ check }) => this.setting.inForce.has(check) || this.setting.inForce.has(propertyOf[check]),
    );
    return wanted.length === 0
      ? {}
      : {
          suppressed: wanted.map(({ check, text, span, reason }) => ({
            check,
            property: propertyOf[check],
            place: placeOf(span),
            text,
            reason,
          })),
        };
  }
}

/**
 * Without what holds, or does not, in all shown states of the point: that says nothing about one of them. Probes are
 * what the user asks for.
 */
function tellingApart(abstract: AbstractPoint, valuation: string): string {
  const all = shownStates(abstract);
  return [...valuation]
    .map((value, i) =>
      abstract.predicates[i]!.name === undefined && all.every((state) => [value, '-'].includes(state.valuation[i]!))
        ? '-'
        : value,
    )
    .join('');
}
