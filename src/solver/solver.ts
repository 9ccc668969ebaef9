/**
 * The one door to satisfiability. A solver is handed terms and answers with a model, `unsat` or `unknown`; unknown is a
 * value, never an exception, and stays unknown. Wrappers (cached, recorded, validated) implement the same interface.
 */
import type { SymbolTerm, Term, Value } from '../logic/term';

export interface QueryBudget {
  /** Wall clock; a backstop behind `resources`. */
  readonly timeoutMs: number;
  /** Z3 resource units (`rlimit`): deterministic effort. */
  readonly resources?: number;
}

export interface Model {
  /** Value of a symbol; symbols the formula does not mention get a default (false, 0, all-zero array). */
  symbol(symbol: SymbolTerm): Value;
  /**
   * True when some assertion was beyond our evaluator (a quantifier over many words), so that the solver is believed
   * there.
   */
  readonly partial?: boolean;
  /** Value of any term, by our own evaluator over the symbols' values. */
  evaluate(term: Term): Value;
}

export type UnknownCause = 'timeout' | 'resources' | 'memory' | 'incomplete' | 'died' | 'interrupted' | 'error';

export type Answer =
  | { readonly kind: 'sat'; readonly model: Model }
  /** `core`: the assumptions used, when there were any. */
  | { readonly kind: 'unsat'; readonly core: readonly Term[] }
  | { readonly kind: 'unknown'; readonly cause: UnknownCause; readonly detail: string };

/**
 * Incremental solving. Assertions made between `push` and `pop` are dropped by `pop`. A session whose process died
 * answers `unknown` for ever.
 */
export interface Session {
  assert(term: Term): void;
  push(): void;
  pop(): void;
  /** Assumptions are boolean terms that hold for this check only. */
  check(assumptions: readonly Term[], budget: QueryBudget): Promise<Answer>;
  close(): void;
}

export interface SolverStatistics {
  readonly queries: number;
  readonly sat: number;
  readonly unsat: number;
  readonly unknown: number;
  readonly milliseconds: number;
  /** Answered without asking the process: constant after simplification, cached, or true under an earlier model. */
  readonly avoided: number;
}

/**
 * `bits`: fixed-size bit-vectors. `integers`: the same meaning over mathematical integers with explicit wrapping, but
 * for bitwise operators on two wide words, which give some word within bounds: `unsat` means the same, and a model is
 * believed once it is evaluated, as always.
 */
export type Encoding = 'bits' | 'integers';

export interface SessionOptions {
  /** Default: whichever reading answers. */
  readonly encoding?: Encoding;
  /** Sessions about the same object begin with the reading that answered the last of them. */
  readonly about?: object;
}

export interface Solver {
  /** Name and version, for results and cache keys: "z3 5.1.0 (wasm)". */
  readonly name: Promise<string>;
  session(options?: SessionOptions): Session;
  /** One query in a fresh context. */
  check(assertions: readonly Term[], budget: QueryBudget, options?: { readonly encoding?: Encoding }): Promise<Answer>;
  readonly statistics: SolverStatistics;
  /** Ends the process. Running checks answer `unknown` with cause `interrupted`. */
  close(): Promise<void>;
}
