/** Answers of verification. A verdict carries its evidence; `unknown` is an answer and never becomes another one. */
import type { Explanation, HeapPicture } from './explanation';
import type { CheckKind, Property } from './program/command';

/** A place in C text, for output: 1-based. */
export interface SourceLocation {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly function?: string;
}

/** Plain data for values that cross the border; bigints are for 64-bit integers. */
export type Plain = number | bigint | string | boolean | null | readonly Plain[] | { readonly [name: string]: Plain };

/** One step of a client of the module: what a test author would write. */
export type ClientStep =
  /** A function of the client's; what it answers is told where it is asked, under its type. */
  | { readonly kind: 'function'; readonly name: string; readonly type: string }
  /**
   * `name`: later steps use the pointer it returns, or, with `structure`, an object of this type that holds what it
   * returns.
   */
  | {
      readonly kind: 'call';
      readonly function: string;
      readonly arguments: readonly ClientValue[];
      readonly result?: Plain;
      readonly name?: string;
      readonly structure?: string;
    }
  /** `stack.alloc(type, init)`: makes an object a later step can name. */
  | { readonly kind: 'allocate'; readonly name: string; readonly type: string; readonly value: Plain | undefined }
  | {
      readonly kind: 'input';
      readonly function: string;
      /** Null where nothing is answered. */ readonly value: Plain;
      /** End of the call that asked. */ readonly place?: SourceLocation;
      /** Before it answers. */ readonly does?: ReportedEffects;
      /** No function is asked: others write this value to the variable, member or element of the name. */
      readonly written?: true;
    };

/** Effects of a function without a body in a counterexample, or content of new memory. */
export interface ReportedEffects {
  readonly parameters: readonly string[];
  readonly answers: boolean;
  readonly effects: readonly ReportedEffect[];
}
export interface ReportedEffect {
  /** As C: `p->next->value = 3`. */
  readonly text: string;
  /** Same effect, done by a test's stub; undefined when none can. */
  readonly stub?: StubEffect;
}
export type StubEffect =
  | {
      readonly kind: 'write';
      readonly parameter: number;
      readonly steps: readonly PointerStep[];
      readonly value: Plain;
    }
  | { readonly kind: 'set'; readonly variable: string; readonly value: Plain }
  | { readonly kind: 'call'; readonly function: string; readonly arguments: readonly Plain[] };
/** Step of a stub from a pointer to another place. */
export type PointerStep =
  | { readonly kind: 'at'; readonly index: number }
  | { readonly kind: 'field'; readonly name: string }
  | { readonly kind: 'as'; readonly type: string };
export type ClientValue =
  | { readonly kind: 'value'; readonly value: Plain }
  /** `index`: the element that is pointed to, or the number of elements; default the first. */
  | { readonly kind: 'object'; readonly name: string; readonly index?: number };

export interface Failure {
  readonly check: CheckKind;
  readonly property: Property;
  readonly message: string;
  readonly place: SourceLocation;
  /** The source line with carets. */
  readonly codeFrame: string;
  /** The innermost place in the user's files, of a failure in the bundled C library. */
  readonly caller?: { readonly place: SourceLocation; readonly codeFrame: string };
}

export interface Counterexample {
  readonly failure: Failure;
  /** From the initial state; replayed on the reference evaluator. */
  readonly steps: readonly ClientStep[];
  /** The C call stack at the failure, innermost first. */
  readonly stack: readonly SourceLocation[];
  /** A Jest test that fails at the same C line. */
  readonly test: string;
}

/** A state in C terms: `size` -> `-1`, `elems[2]` -> `7`. */
export type StateInC = readonly { readonly name: string; readonly value: string }[];

export interface PotentialError {
  readonly failure: Failure;
  /** The cutpoint where the fabricated state lives. */
  readonly at: SourceLocation;
  readonly state: StateInC;
  /** Why it could not be shown reachable, in one sentence. */
  readonly explanation: string;
  /** Paste-ready: `stack.probe('…', (s) => …)`. */
  readonly suggestion: string | undefined;
}

export interface InvariantAt {
  readonly place: SourceLocation;
  readonly at: 'entry' | 'exit' | 'loop' | 'call' | 'label' | 'module';
  readonly formula: string;
  /** Lists that it is about, if content of a report is wanted. */
  readonly heap?: HeapPicture;
}

/**
 * The invariant of a loop in the annotation languages of other verifiers: conjuncts that mean there exactly what was
 * proved, and how many a language cannot express.
 */
export interface LoopAnnotation {
  readonly place: SourceLocation;
  /** Offset of the loop statement in its file; absent: the loop is made of jumps, or comes out of a macro. */
  readonly start?: number;
  readonly cbmc: LanguageAnnotations;
  readonly acsl: LanguageAnnotations;
  /** The proof goes through so many rounds at once and needs no invariant of single ones. */
  readonly rounds?: number;
}
export interface LanguageAnnotations {
  readonly conjuncts: readonly string[];
  readonly leftOut: number;
}

/** Stable ids; each has a page in docs/causes/. */
export type CauseId =
  | 'not-accepted'
  | 'probe-too-weak'
  | 'solver-budget'
  | 'time-budget'
  | 'state-explosion'
  | 'unsupported-construct'
  | 'no-body'
  | 'nonlinear'
  | 'no-entry'
  | 'solver-died'
  | 'vacuous'
  | 'not-run'
  | 'interrupted'
  | 'checker-disagrees'
  | 'internal-error';
export interface Reason {
  readonly cause: CauseId;
  readonly message: string;
  readonly place?: SourceLocation;
  readonly suggestion?: string;
}

export interface Statistics {
  readonly seconds: number;
  readonly secondsByPhase: Readonly<Record<'front-end' | 'execution' | 'solving' | 'certify', number>>;
  readonly solver: string;
  readonly solverQueries: number;
  readonly testsStates: number;
  readonly abstractStates: number;
  readonly coveredAbstractStates: number;
  readonly fabricatedStates: number;
  readonly predicates: number;
  readonly cutpoints: number;
  readonly segments: number;
  readonly obligations: number;
  /** Stages of the portfolio in their order, the last one with the claim that was accepted, if any was. */
  readonly stages: readonly StageReport[];
  /**
   * Cutpoints whose part of the invariant an earlier run had found; it was checked again. Absent: nothing was taken
   * over.
   */
  readonly reused?: number;
  /**
   * With `reused`: functions that have changed since, or call one that has, or whose part of the invariant is another
   * one now.
   */
  readonly provedAnew?: readonly string[];
}

/**
 * `learned`: later stages know more. `nothing-new`: they do not. `alarms`: the abstraction is closed, and allows
 * failures.
 * `refused`: its proof or failing execution was not confirmed.
 */
export type StageOutcome = 'skipped' | 'nothing-new' | 'learned' | 'alarms' | 'proof' | 'failing-execution' | 'refused';

export interface StageReport {
  readonly stage: string;
  readonly outcome: StageOutcome;
  /** With `skipped`, and with `nothing-new` where the stage says why. */
  readonly why?: string;
  /** Absent with `skipped`. */
  readonly seconds?: number;
  /** Easier problems that a reduction has made; empty where it declined. */
  readonly parts?: readonly ReducedPart[];
}

export interface ReducedPart {
  /** The part of the program that is left: "23 of 96 commands". */
  readonly size: string;
  /** Number of checks that are asked in it. */
  readonly checks: number;
  readonly outcome: 'proved' | 'open' | 'put-off' | 'fails';
}

/** Abstract states the tests reached against those of the final invariant. */
export interface Adequacy {
  readonly covered: number;
  readonly total: number;
  readonly ratio: number;
  readonly missing: readonly MissingState[];
}

/** `test` reaches it, and says what the code does there; without one it was not shown reachable. */
export interface MissingState {
  readonly at: SourceLocation;
  readonly valuation: string;
  readonly state: StateInC;
  readonly test?: string;
}

/** Steps of refinement, in the order in which they were made, and the partition it ended with. */
export interface RefinementReport {
  readonly engine: string;
  readonly iterations: number;
  /** Put to the solver. */
  readonly questions: number;
  /** Executions made on the way, and those it began with. */
  readonly tests: number;
  readonly testsGiven: number;
  readonly steps: readonly RefinementStep[];
  readonly graph: PartitionGraph;
}

/**
 * `split`: states at a place were separated by a formula, because of what it leads to. `invariants`: invariants were
 * learned from the states seen.
 */
export interface RefinementStep {
  readonly iteration: number;
  readonly kind: 'test' | 'split' | 'invariants' | 'removed';
  readonly at?: SourceLocation;
  readonly formula?: string;
  readonly why: string;
}

/** The partition as a graph. Large ones are cut: `complete` says so. */
export interface PartitionGraph {
  readonly complete: boolean;
  readonly regions: readonly {
    readonly id: number;
    readonly kind: 'start' | 'point' | 'error';
    readonly at?: SourceLocation;
    readonly formula: string;
    /** States of the forest that lie here. */
    readonly states: number;
    /** Some abstract path leads here. */
    readonly reachable: boolean;
  }[];
  /**
   * `taken`: by states of the forest, so many times; `possible`: not ruled out; `removed`: no state takes it.
   * `frontier`: where the latest tests stopped.
   */
  readonly edges: readonly {
    readonly from: number;
    readonly to: number;
    readonly kind: 'taken' | 'possible' | 'removed';
    readonly frontier: boolean;
  }[];
  readonly runs: number;
  readonly states: number;
}

/**
 * A search by following paths: its figures, and the tree with what was forgotten at restarts. Large ones are cut:
 * `complete` says so.
 */
export interface SearchTreeReport {
  /** S of the paper: all nodes made, those of earlier passes and infeasible successors included. */
  readonly nodes: number;
  /** Nodes of the closed tree; 0 where none was closed. */
  readonly final: number;
  readonly infeasible: number;
  readonly covered: number;
  readonly closed: number;
  /** Queries to the solver, and those that constants or a known state answered. */
  readonly questions: number;
  readonly avoided: number;
  /** T of the paper: seconds of the search. */
  readonly seconds: number;
  readonly complete: boolean;
  /** Parents come before their children. */
  readonly tree: readonly SearchNode[];
  /** In order; the first one ends pass 0. */
  readonly restarts: readonly { readonly at: number; readonly locked: readonly string[] }[];
}

/** A symbolic state, or an infeasible successor of one. */
export interface SearchNode {
  readonly id: number;
  /** Absent: the start. */
  readonly parent?: number;
  readonly at?: SourceLocation;
  /** Restarts before it was made. */
  readonly pass: number;
  /** A restart has forgotten it. */
  readonly forgotten?: true;
  /**
   * `step`: it has successors. `end`: no check follows. `spurious`: a path to the error that cannot be taken. `fails`:
   * one that can. `open`: the search ended before it was done.
   */
  readonly kind: 'step' | 'end' | 'covered' | 'closed' | 'infeasible' | 'spurious' | 'fails' | 'open';
  /** The node that covers or closes it. */
  readonly by?: number;
  /** Conjuncts of its label; for an infeasible successor those that exclude it. */
  readonly label?: readonly string[];
  /** Heads of loops: the constraints of the state, and if they are kept for good (max), dropped (min), or neither. */
  readonly vector?: readonly { readonly constraint: string; readonly annotation: 'max' | 'min' | 'neutral' }[];
}

export interface Suppressed {
  readonly check: CheckKind;
  readonly property: Property;
  readonly place: SourceLocation;
  /** The C expression. */ readonly text: string;
  readonly reason: string;
}

/**
 * The answer for one check in force. A check is one `check` edge of the program: a C expression that must hold, once
 * per place in the text, whatever the number of calls that lead to it.
 */
export type CheckResult = {
  readonly check: CheckKind;
  readonly property: Property;
  /** Start of the checked expression; `place.function` is the C function that contains it. */
  readonly place: SourceLocation;
  /** The C expression. */
  readonly text: string;
  /** In the bundled C library: reported at the user's call when it fails. Absent: the user's own code. */
  readonly library?: true;
} & (
  | {
      readonly status: 'proved';
      /** The stage of the portfolio that decided it, as printed: `houdini`, `k-induction`. */
      readonly stage: string;
      /** The proof assumes that the failing checks of the table hold. */
      readonly assumesFailing?: true;
    }
  | {
      readonly status: 'fails';
      readonly stage: string;
      /** Position in `[counterexample, ...further]` of the verdict; absent: the same failure is reported elsewhere. */
      readonly counterexample?: number;
      /** A specification of `angelic` excuses the failure. */
      readonly excused?: true;
    }
  | { readonly status: 'open'; readonly reason: Reason }
);

interface Common {
  readonly engine: string;
  readonly properties: readonly Property[];
  /** Assumptions of the verdict: integer model, stubs, contracts, ignored functions, bounds. */
  readonly assumptions: readonly string[];
  readonly statistics: Statistics;
  readonly adequacy: Adequacy | undefined;
  /** Checks that comments in the C have taken out of the proof; absent: none. */
  readonly suppressed?: readonly Suppressed[];
  /** All checks in force, by file, line and column; absent where verification did not begin. */
  readonly checks?: readonly CheckResult[];
  /** Refining engines only; absent where nothing was refined. */
  readonly refinement?: RefinementReport;
  /** `minimax` only; absent where it decided nothing, or did not run. */
  readonly searchTree?: SearchTreeReport;
  /**
   * Specifications of clients that would excuse some failures of a module, if these were sorted. Absent where none was
   * found and none refused.
   */
  readonly angelic?: AngelicReport;
  /** Remarks on the engine's work, for readers: fallbacks taken, checks that never ran. */
  readonly remarks: readonly string[];
  /** For the report; only where the task asks for it. */
  readonly explanation?: Explanation;
}

/** See `engines/portfolio/excuses.ts`. */
export interface AngelicReport {
  /** The one that excuses most failures first; those that are `undecided` last. */
  readonly specifications: readonly ExcusingSpecification[];
  /** For each of `[counterexample, ...further]` of a bug: a specification that would excuse it, but is none to keep. */
  readonly refused: readonly (RefusedSpecification | null)[];
}
export interface ExcusingSpecification {
  /** `queue_push: q != NULL`. */
  readonly text: string;
  /** The entry whose precondition it is; absent: it is about structures. */
  readonly function?: string;
  /** Failures that clients which keep it do not bring about. */
  readonly excuses: number;
  /** Absent: no run can show one, or the check fails all the same, for other calls. */
  readonly example?: Counterexample;
  /** Calls of the function in tests; all of them keep it. */
  readonly keptByCalls: number;
  /** To accept it: an option of `loadC`, and flags of the command line. Empty: the C alone can state it. */
  readonly code: string;
  readonly flags: string;
  /** It is not known to leave this possible: the failures may be errors. Absent: it is known to leave all possible. */
  readonly undecided?: BranchOutcome;
}
/** An outcome of a branch, or calls that the user has stated as possible. */
export interface BranchOutcome {
  /** The branch, or the function that is called. */
  readonly place: SourceLocation;
  readonly condition: string;
  readonly outcome: boolean;
  /** The condition is the user's, of the function's calls. */
  readonly stated?: true;
}
/** It would make this impossible. */
export interface RefusedSpecification extends BranchOutcome {
  readonly text: string;
}

export type Verdict =
  | (Common & {
      readonly kind: 'proved';
      readonly invariants: readonly InvariantAt[];
      /** Only where the task asks for them. */
      readonly annotations?: readonly LoopAnnotation[];
    })
  /** Proved of clients that keep the specifications of `angelic`, which the user has not accepted yet. */
  | (Common & {
      readonly kind: 'conditional';
      readonly invariants: readonly InvariantAt[];
      readonly angelic: AngelicReport;
      /** The specifications, and how to accept them. */
      readonly reason: Reason;
    })
  /**
   * `further`: other checks that fail; absent: none was met. `suggestion`: what to say if clients never do this;
   * absent: there is nothing that tests allow.
   */
  | (Common & {
      readonly kind: 'bug';
      readonly counterexample: Counterexample;
      readonly further?: readonly Counterexample[];
      readonly suggestion?: string;
    })
  | (Common & { readonly kind: 'potential-error'; readonly errors: readonly PotentialError[]; readonly reason: Reason })
  | (Common & { readonly kind: 'unknown'; readonly reason: Reason })
  | (Common & { readonly kind: 'not-evaluated'; readonly reason: Reason });
