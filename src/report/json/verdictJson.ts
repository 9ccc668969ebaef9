/* Generated from verdict.schema.json by scripts/build-schema.js; change the schema and run `npm run schema`. */

/**
 * The last line that `provest verify --json` writes to standard output. Any change of its shape raises schemaVersion.
 */
export type VerdictJson = {
  /**
   * Version of this schema.
   */
  schemaVersion: 1;
  tool: {
    name: 'provest';
    version: string;
  };
  /**
   * proved: no check can fail, relative to `assumptions`. conditional: no check can fail for clients that keep
   * `angelic.specifications`, which the user has not accepted yet. bug: a check fails on the replayed `counterexample`.
   * potential-error: a check fails from a state that could not be shown reachable, see `errors`. unknown and
   * not-evaluated: see `reason`. error: the call or the input is wrong, or provest itself failed.
   */
  verdict: 'proved' | 'conditional' | 'bug' | 'potential-error' | 'unknown' | 'not-evaluated' | 'error';
  /**
   * The C files, relative to the working directory where they lie below it.
   */
  files: string[];
  /**
   * module: any sequence of calls of the entry functions. program: one run from the entry function. null when it was
   * not found out.
   */
  mode: 'module' | 'program' | null;
  /**
   * `properties`, separated by commas, as on the command line.
   */
  property: string;
  properties: PropertyJson[];
  engine: string;
  seconds: number;
  /**
   * Why there is no definite answer; null for proved and bug.
   */
  reason: ReasonJson | null;
  /**
   * Present with verdict bug.
   */
  counterexample: CounterexampleJson | null;
  /**
   * With verdict bug: other checks that fail, as far as a short search met them.
   */
  further: CounterexampleJson[];
  /**
   * With verdict bug: what to say if clients never do what fails, such as passing null; absent when a test does it, or
   * when there is nothing to say.
   */
  suggestion?: string;
  /**
   * Present with verdict potential-error, simplest first.
   */
  errors: PotentialErrorJson[];
  /**
   * Present with verdict proved or conditional: what holds at each cutpoint, as C.
   */
  invariants: InvariantJson[];
  /**
   * Assumptions that the verdict is relative to, in words.
   */
  assumptions: string[];
  /**
   * Checks that comments in the C have taken out of the proof.
   */
  suppressed: {
    check: CheckKindJson;
    property: PropertyJson;
    place: PlaceJson;
    text: string;
    reason: string;
  }[];
  /**
   * All checks in force, by file, line and column; empty where verification did not begin. Only with verdict proved are
   * all of them proved without an assumption.
   */
  checks: CheckResultJson[];
  statistics: StatisticsJson | null;
  angelic?: AngelicJson;
  /**
   * Number of the abstract states that the tests reached; null when it was not measured.
   */
  adequacy: AdequacyJson | null;
  /**
   * Steps of an engine that refines a partition of the states, and the partition it ended with; null when none did.
   */
  refinement: RefinementJson | null;
  searchTree?: SearchTreeJson;
  remarks: string[];
  /**
   * Errors in the C text; only with verdict error.
   */
  diagnostics: DiagnosticJson[];
};
export type PropertyJson = 'reach' | 'memsafety' | 'overflow' | 'div-by-zero' | 'uninitialised' | 'leak' | 'aliasing';
/**
 * Stable; each has a page in docs/causes, except bad-input. The last two go with verdict error.
 */
export type CauseJson =
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
  | 'bad-input'
  | 'internal-error';
export type CheckKindJson =
  | 'assertion'
  | 'unreachable'
  | 'null-dereference'
  | 'dereference'
  | 'array-bounds'
  | 'read-only'
  | 'invalid-free'
  | 'leak'
  | 'pointer-arithmetic'
  | 'pointer-comparison'
  | 'invalid-call'
  | 'signed-overflow'
  | 'shift'
  | 'shift-overflow'
  | 'division-by-zero'
  | 'conversion'
  | 'uninitialised-read'
  | 'missing-return'
  | 'array-length'
  | 'overlapping-copy'
  | 'overlapping-assignment'
  | 'array-argument'
  | 'variable-argument'
  | 'unsequenced'
  | 'noreturn'
  | 'effective-type'
  | 'object-size'
  | 'precondition'
  | 'postcondition';
/**
 * Steps of a client, in order. call: a function of the module is called. allocate: an object is made that later
 * arguments name. input: the value a function such as nondet() returned.
 */
export type StepJson = CallStepJson | AllocateStepJson | FunctionStepJson | InputStepJson;
export type ArgumentJson =
  | {
      kind: 'value';
      value: PlainJson;
    }
  | {
      kind: 'object';
      /**
       * As in the allocate step.
       */
      name: string;
      /**
       * Element that the argument points to, or the number of elements for the end of the object; absent: the
       * beginning.
       */
      index?: number;
    };
/**
 * A C value: numbers (as decimal strings when they came as bigints, and "NaN", "Infinity", "-Infinity", "-0"), strings,
 * arrays, structs as objects, null pointers as null.
 */
export type PlainJson =
  | number
  | string
  | boolean
  | null
  | PlainJson[]
  | {
      [k: string]: PlainJson;
    };
export type StateInCJson = {
  name: string;
  value: string;
}[];
export type Count = number;

export interface ReasonJson {
  cause: CauseJson;
  message: string;
  place?: PlaceJson;
  suggestion?: string;
}
/**
 * A place in C text; line and column count from 1.
 */
export interface PlaceJson {
  file: string;
  line: number;
  column: number;
  function?: string;
}
export interface CounterexampleJson {
  failure: FailureJson;
  steps: StepJson[];
  /**
   * The C call stack at the failure, innermost first.
   */
  stack: PlaceJson[];
  /**
   * A Jest test that fails at the same C line.
   */
  test: string;
}
export interface FailureJson {
  check: CheckKindJson;
  property: PropertyJson;
  message: string;
  place: PlaceJson;
  codeFrame: string;
  caller?: CallerJson;
}
/**
 * The innermost place in the user's files, of a failure in the bundled C library.
 */
export interface CallerJson {
  place: PlaceJson;
  codeFrame: string;
}
export interface CallStepJson {
  kind: 'call';
  function: string;
  arguments: ArgumentJson[];
  result?: PlainJson;
  /**
   * Later steps use the pointer it returns.
   */
  name?: string;
}
export interface AllocateStepJson {
  kind: 'allocate';
  name: string;
  type: string;
  value?: PlainJson;
}
export interface FunctionStepJson {
  kind: 'function';
  name: string;
  /**
   * Type of a pointer to it, as C; what functions of this type answer are inputs under this name.
   */
  type: string;
}
export interface InputStepJson {
  kind: 'input';
  function: string;
  value: PlainJson;
  place?: PlaceJson1;
  /**
   * Effects of the function before it answers, as C; or contents of new memory.
   */
  does?: string[];
}
/**
 * A place in C text; line and column count from 1.
 */
export interface PlaceJson1 {
  file: string;
  line: number;
  column: number;
  function?: string;
}
export interface PotentialErrorJson {
  failure: FailureJson;
  at: PlaceJson;
  state: StateInCJson;
  explanation: string;
  suggestion: string | null;
}
export interface InvariantJson {
  place: PlaceJson;
  at: 'entry' | 'exit' | 'loop' | 'call' | 'label' | 'module';
  formula: string;
}
export interface CheckResultJson {
  check: CheckKindJson;
  property: PropertyJson;
  place: PlaceJson;
  /**
   * The C expression that must hold, or whose evaluation must.
   */
  text: string;
  /**
   * In the bundled C library.
   */
  library?: true;
  /**
   * proved: it cannot fail in an execution that passes the checks before it. fails: a replayed counterexample fails it.
   * open: neither is known.
   */
  status: 'proved' | 'fails' | 'open';
  /**
   * The engine that decided it.
   */
  stage?: string;
  /**
   * It fails, but a specification of `angelic` excuses the failure.
   */
  excused?: true;
  /**
   * Proved for executions that pass the failing checks of this table.
   */
  assumesFailing?: true;
  /**
   * Position in [counterexample, ...further].
   */
  counterexample?: number;
  /**
   * Why it is open. not-accepted: it is proved of clients that keep the specifications of `angelic`.
   */
  cause?: string;
  message?: string;
}
export interface StatisticsJson {
  seconds: number;
  secondsByPhase: {
    'front-end': number;
    execution: number;
    solving: number;
    certify: number;
  };
  solver: string;
  solverQueries: Count;
  testsStates: Count;
  abstractStates: Count;
  coveredAbstractStates: Count;
  fabricatedStates: Count;
  predicates: Count;
  cutpoints: Count;
  segments: Count;
  obligations: Count;
  /**
   * Stages of the portfolio in their order, the last one with the claim that was accepted, if any was.
   */
  stages: StageJson[];
  /**
   * Cutpoints whose part of the invariant an earlier run had found; it was checked again. Absent: nothing was taken
   * over.
   */
  reused?: number;
  /**
   * With `reused`: the functions that have changed since, or call one that has, or whose part of the invariant is
   * another one now.
   */
  provedAnew?: string[];
}
export interface StageJson {
  stage: string;
  /**
   * learned: later stages know more. alarms: the abstraction is closed, and allows failures. refused: a proof or a
   * failing execution was not confirmed.
   */
  outcome: 'skipped' | 'nothing-new' | 'learned' | 'alarms' | 'proof' | 'failing-execution' | 'refused';
  /**
   * Why the stage was skipped, or its reduction declined.
   */
  why?: string;
  seconds?: number;
  /**
   * Easier problems that a reduction has made; empty where it declined.
   */
  parts?: {
    size: string;
    checks: Count;
    /**
     * put-off: it is tried at another time.
     */
    outcome: 'proved' | 'open' | 'put-off' | 'fails';
  }[];
}
/**
 * With verdict bug or conditional: specifications of clients that would excuse failures. `counterexample` and `further`
 * are then what none excuses, unless `specifications` excuse everything that was found: `counterexample` is an excused
 * failure then. Absent where no failure is up to clients.
 */
export interface AngelicJson {
  /**
   * The one that excuses most failures first; those that are `undecided` last.
   */
  specifications: SpecificationJson[];
  /**
   * For each of [counterexample, ...further]: a specification that would excuse it, but makes an outcome of a branch,
   * or calls stated as possible, impossible; null where there is none.
   */
  refused: (RefusedSpecificationJson | null)[];
}
export interface SpecificationJson {
  text: string;
  /**
   * The entry whose precondition it is; absent: it is about structures.
   */
  function?: string;
  /**
   * Failures that clients which keep it do not bring about.
   */
  excuses: number;
  example?: CounterexampleJson1;
  /**
   * Calls of the function in tests; all of them keep it.
   */
  keptByCalls: number;
  /**
   * An option of loadC that accepts it. Empty: the C alone can state it, by PROVEST_REQUIRES.
   */
  code: string;
  /**
   * Flags of the command line that accept it. Empty as `code` is.
   */
  flags: string;
  undecided?: BranchOutcomeJson;
}
/**
 * Absent: no run can show one, and `excuses` is 0; or the check fails all the same, for other calls.
 */
export interface CounterexampleJson1 {
  failure: FailureJson;
  steps: StepJson[];
  /**
   * The C call stack at the failure, innermost first.
   */
  stack: PlaceJson[];
  /**
   * A Jest test that fails at the same C line.
   */
  test: string;
}
/**
 * The solver did not decide whether the specification leaves this possible; the failures may be errors. Absent: it
 * leaves all possible.
 */
export interface BranchOutcomeJson {
  place: PlaceJson;
  /**
   * The condition of the branch, as written.
   */
  condition: string;
  /**
   * The outcome that may be impossible.
   */
  outcome: boolean;
  /**
   * The condition is the user's, stated as possible in calls of the function at `place`.
   */
  stated?: true;
}
export interface RefusedSpecificationJson {
  text: string;
  place: PlaceJson;
  /**
   * The condition of the branch, as written.
   */
  condition: string;
  /**
   * The outcome that would be impossible.
   */
  outcome: boolean;
  /**
   * The condition is the user's, stated as possible in calls of the function at `place`.
   */
  stated?: true;
}
export interface AdequacyJson {
  covered: Count;
  total: Count;
  ratio: number;
  missing: {
    at: PlaceJson;
    valuation: string;
    state: StateInCJson;
    /**
     * A Jest test that reaches it and says what the code does; null: it was not shown reachable.
     */
    test: string | null;
  }[];
}
export interface RefinementJson {
  engine: string;
  iterations: Count;
  /**
   * Put to the solver.
   */
  questions: number;
  /**
   * Executions made on the way.
   */
  tests: number;
  /**
   * Executions it began with.
   */
  testsGiven: number;
  steps: RefinementStepJson[];
  graph: PartitionGraphJson;
}
/**
 * test: an execution that goes on beyond the frontier. split: states at a place were separated by a formula.
 * invariants: inductive invariants were added. removed: a step that no state takes.
 */
export interface RefinementStepJson {
  iteration: Count;
  kind: 'test' | 'split' | 'invariants' | 'removed';
  at?: PlaceJson;
  formula?: string;
  why: string;
}
export interface PartitionGraphJson {
  /**
   * False: the graph was cut.
   */
  complete: boolean;
  regions: RegionJson[];
  edges: RegionEdgeJson[];
  runs: Count;
  /**
   * States of the forest.
   */
  states: number;
}
export interface RegionJson {
  id: Count;
  kind: 'start' | 'point' | 'error';
  at?: PlaceJson;
  formula: string;
  /**
   * States of the forest that lie here.
   */
  states: number;
  /**
   * Some abstract path leads here.
   */
  reachable: boolean;
}
/**
 * taken: by a state of the forest. possible: not ruled out. removed: no state takes it. frontier: one of the latest
 * tests stopped here.
 */
export interface RegionEdgeJson {
  from: Count;
  to: Count;
  kind: 'taken' | 'possible' | 'removed';
  frontier: boolean;
}
/**
 * The search of `minimax`: figures and tree. Absent where it decided nothing, or did not run.
 */
export interface SearchTreeJson {
  /**
   * S of the paper: all that were made, those of earlier passes and infeasible successors included.
   */
  nodes: number;
  /**
   * Nodes of the closed tree; 0 where none was closed.
   */
  final: number;
  infeasible: Count;
  covered: Count;
  closed: Count;
  /**
   * Put to the solver.
   */
  questions: number;
  /**
   * Answered by constants or a known state.
   */
  avoided: number;
  /**
   * T of the paper.
   */
  seconds: number;
  /**
   * False: the tree was cut.
   */
  complete: boolean;
  /**
   * Parents before their children.
   */
  tree: SearchNodeJson[];
  /**
   * In order; the first one ends pass 0.
   */
  restarts: RestartJson[];
}
/**
 * step: it has successors. end: no check follows. covered: a finished node implies all that is to be learned. closed:
 * an ancestor at the head of the loop describes it. infeasible: no state takes the step. spurious: a path to the error
 * that cannot be taken. fails: one that can. open: the search ended before it was done.
 */
export interface SearchNodeJson {
  id: Count;
  /**
   * Absent: the start.
   */
  parent?: number;
  at?: PlaceJson;
  /**
   * Restarts before it was made.
   */
  pass: number;
  /**
   * A restart has forgotten it.
   */
  forgotten?: true;
  kind: 'step' | 'end' | 'covered' | 'closed' | 'infeasible' | 'spurious' | 'fails' | 'open';
  /**
   * The node that covers or closes it.
   */
  by?: number;
  /**
   * Conjuncts; for an infeasible successor those that exclude it.
   */
  label?: string[];
  /**
   * Heads of loops: the constraints of the state.
   */
  vector?: AnnotatedConstraintJson[];
}
export interface AnnotatedConstraintJson {
  constraint: string;
  /**
   * max: kept for good. min: dropped.
   */
  annotation: 'max' | 'min' | 'neutral';
}
export interface RestartJson {
  at: Count;
  locked: string[];
}
export interface DiagnosticJson {
  severity: 'error' | 'warning';
  message: string;
  place?: PlaceJson;
  hint?: string;
}
