/**
 * A verification algorithm behind one interface. It claims; `conclude` checks: a certificate is discharged again, a
 * failing execution replayed, before a verdict is reported.
 */
import type { CandidateKind } from '../abstraction/candidates/candidates';
import type { Samples } from '../abstraction/candidates/samples';
import type { PredicateAbstraction } from '../abstraction/predicates/predicateAbstraction';
import type { CutpointKey } from '../abstraction/transitionSystem/cutpoint';
import { type InvariantMap, noInvariants } from '../abstraction/transitionSystem/invariantMap';
import type { TransitionSystem } from '../abstraction/transitionSystem/transitionSystem';
import type { Budget } from '../budget';
import type { CallStackCertificate } from '../evidence/certificates/callStackCertificate';
import type { UnwindingCertificate } from '../evidence/certificates/unwindingCertificate';
import type { HarmlessRun } from '../evidence/scenarios/onlyExecution';
import type { Scenario, ScenarioRun } from '../evidence/scenarios/scenario';
import type { Operation } from '../host/operation';
import type { Term } from '../logic/term';
import type { Progress } from '../progress';
import type { Location } from '../program/program';
import type { Weakening } from '../program/automata/weakening';
import type { Reason, ReducedPart, RefinementReport, SearchTreeReport } from '../verdict';
import type { LoopRounds } from './invariants/loopBounds';
import type { Problem } from './problem';
import type { ProofReuse } from './portfolio/proofReuse';
import type { StageName } from './registry';
import type { SearchOptions } from './search/fuzzing';
import type { Alarm } from './testBasedAbstraction/testBasedAbstraction';

export interface Engine {
  readonly name: StageName;
  /** Why the engine cannot contribute now; undefined when it can. Cheap: no solver, no executions. */
  applies(problem: Problem, known: Knowledge): string | undefined;
  /**
   * An `unknown` outcome whose `learned` is `known` itself: the engine had nothing new to try.
   *
   * Law: what the outcome's `learned` holds is inductive relative to `known` and contains it; `known` is inductive for
   * the problem. Every claim is checked by `conclude`, so an engine that breaks the law costs time, never a verdict.
   */
  run(problem: Problem, known: Knowledge, budget: Budget, events: Events): Promise<Outcome>;
}

export type Outcome =
  /** `ifRefused`: what to go on with when the proof is not accepted; default what was known. */
  | { readonly kind: 'safe'; readonly proof: Proof; readonly ifRefused?: Knowledge }
  | { readonly kind: 'unsafe'; readonly failure: FailingExecution }
  /** The abstraction is closed; it allows states in which these checks fail. */
  | { readonly kind: 'alarms'; readonly alarms: readonly Alarm[]; readonly learned: Knowledge }
  | {
      readonly kind: 'unknown';
      readonly reason: Reason | undefined;
      readonly learned: Knowledge;
      readonly gaveUp?: true;
      /** More could be learned in more time, though some of the share may be left. */
      readonly cutShort?: boolean;
    };

export type Proof =
  | { readonly kind: 'invariant'; readonly abstraction: PredicateAbstraction; readonly reused?: Reused }
  /** Each of a weaker program, in which only some checks are asked; together they ask for all. */
  | { readonly kind: 'parts'; readonly parts: readonly PredicateAbstraction[]; readonly remark?: string }
  /**
   * An invariant by location and the calls that wait; the abstraction is what follows from it by location alone, which
   * need not be inductive.
   */
  | {
      readonly kind: 'call-stacks';
      readonly certificate: CallStackCertificate;
      readonly abstraction: PredicateAbstraction;
    }
  /** No execution is longer than those unwound, and none fails. */
  | { readonly kind: 'unwinding'; readonly certificate: UnwindingCertificate; readonly system: TransitionSystem }
  /** The program reads no input, and its only execution ended. */
  | { readonly kind: 'execution'; readonly run: HarmlessRun };

/** Parts of an invariant found by an earlier run. */
export interface Reused {
  /** Cutpoints whose part of the invariant is an earlier one. */
  readonly points: number;
  /** Functions whose part is not. */
  readonly provedAnew: readonly string[];
  /** The proof that was stored for this very problem. */
  readonly exact: boolean;
}

export type FailingExecution =
  | { readonly kind: 'scenario'; readonly scenario: Scenario; readonly remark?: string }
  /** A run of the user's tests. */
  | { readonly kind: 'test'; readonly run: readonly Operation[] }
  /** There is nothing to shrink, or it would take too long. `steps`: how far it may be run again. */
  | { readonly kind: 'execution'; readonly scenario: Scenario; readonly steps: number }
  /** Too long for the reference evaluator alone, as compiled code ran it: see `evidence/scenarios/longRun.ts`. */
  | { readonly kind: 'long-execution'; readonly scenario: Scenario; readonly compiled: ScenarioRun };

/** Knowledge handed from engine to engine. Values only grow: an engine returns an extended copy. */
export interface Knowledge {
  readonly invariants: InvariantMap;
  /** Predicates that refinement split by, beside those read off the program. */
  readonly predicates: ReadonlyMap<CutpointKey, ReadonlySet<Term>>;
  readonly samples: SampledStates | undefined;
  /** Alarms of the latest closed abstraction. */
  readonly alarms: readonly Alarm[];
  /** The abstraction that the latest stage worked on. */
  readonly abstraction: PredicateAbstraction | undefined;
  /** Proofs of weaker programs, each of the checks that are asked there. */
  readonly parts: readonly PredicateAbstraction[];
  /** A weaker program, in which all checks are asked that the parts are not about; default the program as it is. */
  readonly rest: Weakening | undefined;
  /** The only execution of a program without inputs is longer than it was run. */
  readonly isLong: boolean;
  /** Engines that ran without an answer. */
  readonly tried: ReadonlySet<StageName>;
  /** Invariants were taken from an earlier run. */
  readonly resumed: boolean;
  /** Invariants that a stage proved, to discharge checks with; they may hold only with that system's transitions. */
  readonly strengthened: Strengthened | undefined;
  /** Results of earlier runs, and the store for those of this one. */
  readonly reuse: ProofReuse | undefined;
}

export interface Strengthened {
  readonly by: StageName;
  readonly system: TransitionSystem;
  readonly invariants: InvariantMap;
}

export const nothingKnown: Knowledge = {
  invariants: noInvariants,
  predicates: new Map(),
  samples: undefined,
  alarms: [],
  abstraction: undefined,
  parts: [],
  rest: undefined,
  isLong: false,
  tried: new Set(),
  resumed: false,
  strengthened: undefined,
  reuse: undefined,
};

/** Concrete states that runs reached: of the tests, and of a random search. They grow while later searches run. */
export interface SampledStates {
  readonly system: TransitionSystem;
  readonly samples: Samples;
  readonly rounds: LoopRounds;
  /** Lets later searches add to the samples. */
  readonly watching: Pick<SearchOptions, 'observe' | 'between' | 'seen'>;
  /** The candidates after which complete unwinding is tried: objects that a loop makes are understood before. */
  readonly unwindAfter: CandidateKind;
}

/** Most arrivals of one run at a loop head; undefined when a run went on and on, or nothing was sampled. */
export const arrivalsAt = (known: Knowledge, head: Location): number | undefined =>
  known.samples?.rounds.arrivals(head);

/** Events that engines report while they run. Engines write; only the report and `conclude` read. */
export interface Events {
  progress(phase: Progress['phase'], done: number, total: number): void;
  /** Printed with every verdict. */
  remark(text: string): void;
  /** A difficulty on the way: printed if there is no proof and no bug. */
  difficulty(text: string): void;
  onTime(phase: 'execution' | 'certify', seconds: number): void;
  /** The abstraction that a verdict would show if the budget ended now. */
  working(abstraction: PredicateAbstraction): void;
  /** The invariants of the abstraction are proved: they count when the budget ends. */
  onProof(abstraction: PredicateAbstraction): void;
  testStates(count: number): void;
  onFabricated(count: number): void;
  refinement(report: RefinementReport): void;
  searchTree(report: SearchTreeReport): void;
  /** The problems that the stage's reduction has made, or why it made none. */
  onReduction(parts: readonly ReducedPart[], why?: string): void;
  /** One line per event of a refinement engine; undefined: not wanted. */
  readonly trace: ((line: string) => void) | undefined;
}
