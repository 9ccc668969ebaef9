/**
 * Invariants guessed from the states of runs and proved by induction.
 */
import { ArrayFacts } from '../../abstraction/candidates/arrayInvariants';
import {
  candidatesFrom,
  constantsOf,
  observablesOf,
  pointerFormulas,
  type CandidateKind,
} from '../../abstraction/candidates/candidates';
import { PredicateAbstraction } from '../../abstraction/predicates/predicateAbstraction';
import {
  conjoin,
  type InvariantMap,
  invariantMap,
  invariantsAt,
  isSameSize,
  noInvariants,
} from '../../abstraction/transitionSystem/invariantMap';
import type { ControlPoint } from '../../abstraction/transitionSystem/controlPoint';
import {
  defaultPredicates,
  predicateLevels as levels,
  type PredicateLimits,
} from '../../abstraction/predicates/defaultPredicates';
import { elementFormulas, withSums } from '../../abstraction/candidates/tableInvariants';
import { Extents } from '../../abstraction/candidates/pointerExtents';
import { withFields } from '../../abstraction/candidates/memberObservables';
import { guardsAtLoops } from '../../abstraction/candidates/branchConditions';
import { ObjectFacts } from '../../abstraction/candidates/heapInvariants';
import { Samples } from '../../abstraction/candidates/samples';

import { System, type SystemOptions } from '../../abstraction/transitionSystem/transitionSystem';
import { printType } from '../../c/printType';
import { claimedInvariants } from '../../evidence/certificates/claimedInvariants';
import { leavesTheClient } from '../../evidence/scenarios/operations';
import type { Scenario } from '../../evidence/scenarios/scenario';
import * as L from '../../logic/build';
import { symbolsOf } from '../../logic/substitute';
import type { Term } from '../../logic/term';
import type { Location } from '../../program/program';
import { edgeCount } from '../../program/traverse';
import type { Machine } from '../../semantics/concrete/machine';
import type { Task } from '../../task';
import type { Reason } from '../../verdict';
import { houdini } from '../invariants/houdini';
import { inductionDepths } from '../invariants/inductionDepths';
import { discharged, dischargesAll } from '../invariants/openObligations';
import { intervalInvariant } from '../testBasedAbstraction/intervalAbstraction';
import type { Unfinished } from './proofReuse';
import { spacer, type SpacerResult } from '../invariants/hornClauses';
import { probesAt } from './userFormulas';
import { LoopRounds } from '../invariants/loopBounds';
import type { Account } from './findings';
import type { Bugs } from './bugs';
import type { Setting } from './context';

/** A transition system with longer transitions, and its invariants. */
interface Longer {
  readonly options: SystemOptions;
  readonly invariants: InvariantMap;
}

/** What runs taught, to be made into proved facts: per control point, in their order. */
interface Learner {
  readonly bug: Scenario | undefined;
  /** `stagesDone`: an earlier run had them, and what they found is known. */
  invariants(level: number, known: InvariantMap, stagesDone: number): Promise<InvariantMap>;
  /**
   * With longer transitions: loops taken into segments, or with what held at the heads of loops before (k-induction).
   */
  longer(how: 'unrolled' | 'induction', known: InvariantMap): Promise<Longer | undefined>;
  /**
   * More and more facts with those that somebody claims of loops: what a witness has no words for, at calls, where
   * functions begin and end, and of what they began with.
   */
  beside(
    claims: NonNullable<Task['claims']>,
  ): AsyncIterable<{ readonly system: System; readonly invariants: InvariantMap }>;
  /** How often runs came to the head of a loop; undefined when they went on and on. */
  arrivals(head: Location): number | undefined;
  /** After which facts it is tried to follow all executions: what objects of a loop have in common is found sooner. */
  readonly followAfter: CandidateKind;
}

export class Facts {
  constructor(
    private readonly setting: Setting,
    private readonly account: Account,
    private readonly bugs: Bugs,
  ) {}

  /**
   * The facts alone first, then those split by cases, then with more than one state before, then with short loops
   * unrolled; then with predicates, ever more. Where only the probes are wanted, facts are not.
   */
  levels(): readonly (PredicateLimits | CandidateKind | 'induction' | 'unrolled' | 'spacer')[] {
    if (this.setting.task.predicates === 'probes') return [levels[0]!];
    switch (this.setting.task.engine) {
      case 'intervals':
        return ['basic'];
      case 'spacer':
        return ['spacer'];
      case 'k-induction':
        return ['induction'];
      default:
        return [
          'basic',
          'extents',
          'objects',
          'modes',
          'plain',
          'elements',
          'curves',
          'split',
          ...(this.setting.task.engine === 'auto' ? ['spacer' as const, 'induction' as const] : []),
          'unrolled',
          ...levels,
        ];
    }
  }

  saving(system: System, known: InvariantMap, at: Unfinished): (left: InvariantMap) => void {
    return (left) => this.account.memory?.keepCandidates(system, conjoin(known, left), at);
  }

  /**
   * Invariants guessed from states and proved by induction, per control point of the system; on the way, a first search
   * for bugs.
   */
  learner(options: SystemOptions): Learner {
    const withoutFacts = (bug: Scenario | undefined): Learner => ({
      bug,
      invariants: async (_, known) => known,
      longer: async () => undefined,
      beside: async function* () {},
      arrivals: () => undefined,
      followAfter: 'basic',
    });
    if (this.setting.task.predicates === 'probes') return withoutFacts(this.bugs.search(300_000));
    // What is easily found does not wait for formulas about the whole program.
    const easy = this.bugs.easy();
    if (easy) return withoutFacts(easy);
    const started = performance.now();
    const system = new System(this.setting.program, options);
    this.account.abstraction = this.account.settled = PredicateAbstraction.of(system, noInvariants);
    for (const record of this.setting.initialisers.keys()) {
      if (!system.initialisers.has(record))
        this.account.remarks.add(
          `what initialisedBy says of ${printType({ kind: 'record', record })} helps no proof: one is passed by value, or objects that clients write may be one or lead to one`,
        );
    }
    const watched = defaultPredicates(system, probesAt(this.setting.task, system), {
      depth: 3,
      perPoint: 40,
      size: 16,
      contents: true,
      shifts: true,
    });
    const observables = observablesOf(system);
    const pointers = pointerFormulas(system, observables);
    const guards = guardsAtLoops(system);
    const constants = constantsOf(system);
    const elements = elementFormulas(system, constants, system.client ? (observables.get(system.client) ?? []) : []);
    const samples = new Samples(
      system,
      withSums(system, withFields(system, observables)),
      new Map(
        [...watched].map(([point, list]) => [
          point,
          [
            ...new Set([
              ...list.map(({ term }) => term),
              ...(pointers.get(point) ?? []),
              ...(guards.get(point) ?? []),
              ...elements,
            ]),
          ],
        ]),
      ),
      new ArrayFacts(system, observables, constants),
      new ObjectFacts(system),
      new Extents(system, observables),
    );
    const rounds = new LoopRounds(this.setting.program);
    const observe = (machine: Machine): void => {
      samples.watch(machine);
      rounds.watch(machine);
    };
    const between = (machine: Machine, done: number): void => {
      if (done === 0) samples.begin();
      if (system.client) samples.record(system.client, machine, undefined);
    };
    for (const run of this.setting.task.runs) {
      const instance = this.setting.instance();
      observe(instance.machine);
      for (const [done, operation] of run.entries()) {
        between(instance.machine, done);
        if (leavesTheClient(operation, this.setting.program)) break;
        const outcome = instance.redo(operation);
        if (outcome && outcome.kind !== 'returned') break;
      }
    }
    this.bugs.watching = {
      observe,
      between,
      ...(system.client && { seen: () => samples.abstractStatesAt(system.client!) }),
    };
    let bug = this.bugs.search(
      Math.min(SEARCH_EDGES.most, Math.max(SEARCH_EDGES.least, SEARCH_EDGES.perEdge * edgeCount(this.setting.program))),
    );
    if (!bug && system.points.some((point) => point.kind === 'loop' && samples.of(point).length === 0))
      bug = this.bugs.far(observe);
    this.account.seconds.execution += (performance.now() - started) / 1000;
    return {
      bug,
      invariants: (level, known, stagesDone) => this.learn(system, samples, level, known, stagesDone),
      longer: (how, known) =>
        how === 'unrolled'
          ? this.learnUnrolled(options, system, samples, rounds, known)
          : this.learnByLookingBack(options, system, samples, known),
      beside: (claims) => this.learnBeside(claims, system, samples),
      arrivals: (head) => rounds.arrivals(head),
      followAfter: samples.objects?.isEmpty === false ? 'objects' : 'basic',
    };
  }

  /**
   * Facts of the system whose short loops are part of its segments; undefined when there are none, or runs may go round
   * more often than segments do.
   */
  private async learnUnrolled(
    options: SystemOptions,
    sampled: System,
    samples: Samples,
    rounds: LoopRounds,
    known: InvariantMap,
  ): Promise<Longer | undefined> {
    for (const slack of [1, 2, 4]) {
      const unroll = rounds.plan(sampled.functions, slack);
      const extended: SystemOptions = { ...options, unroll };
      const system = new System(this.setting.program, extended);
      if (system.unrolled.size === 0) return undefined;
      const isHead = (point: ControlPoint): boolean => system.unrolled.has(point.location);
      const plain = candidatesFrom(sampled, known, samples, constantsOf(sampled), 'plain');
      const candidates = new Map(
        system.points.map((point) => [point, isHead(point) ? [L.FALSE] : (plain.get(sampled.point(point.key)) ?? [])]),
      );
      const until = performance.now() + (this.setting.deadline - performance.now()) / 3;
      const kept = await houdini(system, known, candidates, this.setting.solver, {
        query: this.setting.queryBudget(),
        stop: () => this.setting.stopReason() !== undefined || performance.now() > until,
      });
      if (!kept) return undefined;
      if (system.points.some((point) => isHead(point) && !kept.get(point.key)!.includes(L.FALSE))) continue;
      return { options: extended, invariants: conjoin(known, kept) };
    }
    return undefined;
  }

  /**
   * k-induction, for the first k with which the checks cannot fail: with the facts that are known first, which asks
   * little, so that k may be large; then with those that are inductive only for that k.
   */
  private async learnByLookingBack(
    options: SystemOptions,
    sampled: System,
    samples: Samples,
    known: InvariantMap,
  ): Promise<Longer | undefined> {
    const { setting } = this;
    const end =
      performance.now() +
      (setting.deadline - performance.now()) *
        (setting.task.engine === 'k-induction' ? INDUCTION_ALONE : INDUCTION_SHARE);
    const stop = (): boolean => setting.stopReason() !== undefined || performance.now() > end;
    // What holds of a single state needs no others.
    const { checks } = await discharged(
      sampled,
      known,
      setting.solver,
      performance.now() + (end - performance.now()) / 4,
    );
    const constants = constantsOf(sampled);
    const found = (['plain', 'split'] as const).map((kind) => candidatesFrom(sampled, known, samples, constants, kind));
    const turns = [
      ...(setting.task.engine === 'k-induction'
        ? ([
            [1, 'known'],
            [1, 'guessing'],
          ] as const)
        : []),
      ...inductionDepths.map((k) => [k, 'known'] as const),
      ...inductionDepths.slice(0, 2).map((k) => [k, 'guessing'] as const),
    ];
    for (const [k, what] of turns) {
      if (stop()) return undefined;
      const longer: SystemOptions = { ...options, ...(k > 1 && { induction: k }) };
      const system = new System(setting.program, longer);
      if (k > 1 && system.transitions.every(({ through }) => through.length === 0)) continue;
      let invariants = known;
      if (what === 'guessing') {
        const candidates = new Map(
          system.points.map((point) => [
            point,
            [...new Set(found.flatMap((kind) => kind.get(sampled.point(point.key)) ?? []))],
          ]),
        );
        const kept = await houdini(system, known, candidates, setting.solver, { query: setting.moderately(), stop });
        if (!kept) return undefined;
        invariants = conjoin(known, kept);
      }
      if (
        await dischargesAll(system, invariants, checks, setting.solver, () => ({
          timeoutMs: Math.max(1, Math.min(INDUCTION_QUESTION_MS, end - performance.now())),
        }))
      )
        return { options: longer, invariants };
    }
    return undefined;
  }

  private async *learnBeside(
    claims: NonNullable<Task['claims']>,
    system: System,
    samples: Samples,
  ): ReturnType<Learner['beside']> {
    const { setting } = this;
    const claimed = claimedInvariants(system, claims);
    if (typeof claimed === 'string' || system.points.every(({ kind }) => kind === 'loop' || kind === 'entry')) return;
    let invariants = noInvariants;
    for (const stage of ['basic', 'plain', 'split'] as const) {
      const guessed = candidatesFrom(system, invariants, samples, constantsOf(system), stage);
      const candidates = new Map(
        system.points.map((point) => [
          point,
          [
            ...invariantsAt(claimed, point),
            ...(guessed.get(point)?.filter((term) => point.kind !== 'loop' || speaksOfEntry(term, system)) ?? []),
            ...(point.kind !== 'loop' && samples.of(point).length === 0 ? [L.FALSE] : []),
          ],
        ]),
      );
      const kept = await houdini(system, invariants, candidates, setting.solver, {
        query: setting.queryBudget(),
        stop: () => setting.stopReason() !== undefined,
      });
      if (!kept) return;
      invariants = conjoin(invariants, kept);
      // What is claimed and does not hold, or not for these reasons, proves nothing.
      if ([...claimed].every(([key, terms]) => terms.every((term) => invariants.get(key)?.includes(term))))
        yield { system, invariants };
    }
  }

  /** More facts with each level, each stage resting on those before. */
  async learn(
    system: System,
    samples: Samples,
    level: number,
    known: InvariantMap,
    stagesDone: number,
  ): Promise<InvariantMap> {
    if (this.setting.task.engine === 'intervals') {
      const result = await intervalInvariant(system, samples, this.setting.solver, {
        query: this.setting.queryBudget(),
        stop: () => this.setting.stopReason() !== undefined,
        patience: 4,
      });
      if (!result) this.account.difficulties.add('the intervals could not be closed');
      return result ? invariantMap(system.points, (point) => result.facts.get(point) ?? []) : noInvariants;
    }
    const limits = this.levels()[level]!;
    if (limits === 'spacer') return this.fromHornClauses(system, known, level);
    // What is known of elements may carry bounds of what is computed from them.
    const stages: readonly CandidateKind[] =
      limits === 'elements'
        ? ['elements', 'plain']
        : typeof limits === 'string' && limits !== 'unrolled' && limits !== 'induction'
          ? [limits]
          : [];
    let invariants = known;
    for (const [done, stage] of stages.entries()) {
      if (done < stagesDone) continue;
      if (done > 0 && stagesDone === 0 && isSameSize(invariants, known)) break;
      const until = performance.now() + (this.setting.deadline - performance.now()) / 2;
      const candidates = candidatesFrom(system, invariants, samples, constantsOf(system), stage);
      if (
        (stage === 'extents' ||
          stage === 'objects' ||
          stage === 'elements' ||
          stage === 'modes' ||
          stage === 'curves') &&
        [...candidates.values()].every((terms) => terms.length === 0)
      )
        continue;
      const kept = await houdini(system, invariants, candidates, this.setting.solver, {
        query: this.setting.queryBudget(),
        stop: () => this.setting.stopReason() !== undefined || performance.now() > until,
        left: this.saving(system, invariants, { level, stages: done + 1 }),
      });
      if (kept) invariants = conjoin(invariants, kept);
      else this.account.difficulties.add('the search for inductive facts was cut by the budget');
    }
    return invariants;
  }

  /** Why `fromHornClauses` found no proof. */
  hornReason: Reason = { cause: 'solver-budget', message: 'Spacer was not asked' };

  /**
   * The largest inductive part of what a fixpoint over integers proposes: without wrapping first, which is fast, then
   * with it.
   */
  private async fromHornClauses(system: System, known: InvariantMap, level: number): Promise<InvariantMap> {
    const { setting } = this;
    if (!setting.horn) return known;
    let invariants = known;
    const end =
      performance.now() +
      (setting.deadline - performance.now()) * (setting.task.engine === 'spacer' ? SPACER_ALONE : SPACER_SHARE);
    for (const [arithmetic, share] of SPACER_TURNS) {
      const left = Math.min((end - performance.now()) * share, SPACER_MS);
      if (left < SPACER_LEAST_MS || setting.stopReason()) break;
      const answer = await spacer(system, invariants, setting.horn, { arithmetic, timeoutMs: left });
      if (answer.kind !== 'candidates') {
        this.hornReason = reasonOf(answer);
        if (answer.kind === 'unknown' && answer.cause !== 'timeout' && answer.cause !== 'resources') break;
        continue;
      }
      const kept = await houdini(system, invariants, answer.candidates, setting.solver, {
        query: setting.queryBudget(),
        stop: () => setting.stopReason() !== undefined || performance.now() > end,
        left: this.saving(system, invariants, { level, stages: 0 }),
      });
      if (!kept) break;
      if ([...kept.values()].some((terms) => terms.length > 0)) invariants = conjoin(invariants, kept);
      this.hornReason = {
        cause: 'probe-too-weak',
        message: 'Spacer has an invariant over integers, but of words that wrap it is not inductive, or not enough',
      };
      const { proved, total } = await discharged(system, invariants, setting.solver, end);
      if (proved === total) break;
    }
    return invariants;
  }
}

/** Of runs whose states are looked at: the more, the more there is to see. */
const SEARCH_EDGES = { perEdge: 500, least: 40_000, most: 80_000 };

/** Of the time that is left, for fixpoints over integers: as one engine among others, and alone. */
const SPACER_SHARE = 0.15;
const SPACER_ALONE = 0.9;
/** What they find they mostly find in a second. */
const SPACER_MS = 6000;
const SPACER_LEAST_MS = 200;
/** With what part of the time. */
const SPACER_TURNS = [
  ['unbounded', 0.5],
  ['wrapping', 1],
] as const;

/** Of the time that is left, for k-induction: as one engine among others, and alone. */
const INDUCTION_SHARE = 0.15;
const INDUCTION_ALONE = 0.9;
const INDUCTION_QUESTION_MS = 2000;

function reasonOf(answer: Exclude<SpacerResult, { kind: 'candidates' }>): Reason {
  switch (answer.kind) {
    case 'refuted':
      return {
        cause: 'probe-too-weak',
        message: 'Spacer finds that over integers the check can fail, but no execution was found that does it',
      };
    case 'unknown':
      return {
        cause: answer.cause === 'interrupted' ? 'interrupted' : 'solver-budget',
        message: `Spacer found no invariant (${answer.cause}: ${answer.detail})`,
      };
  }
}

/** Of what a variable was when its function began. */
function speaksOfEntry(term: Term, { vocabulary }: System): boolean {
  return [...symbolsOf(term)].some((symbol) => {
    const meaning = vocabulary.meaning(symbol);
    return meaning?.kind === 'variable' && meaning.variable.entryValueOf !== undefined;
  });
}
