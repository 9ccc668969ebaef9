/**
 * Content of the report beside a verdict, made only for a task that asks for it (`explain`): where the checks are and
 * what became of each, the abstract states and how they lead to one another, and a counterexample's run line by line.
 * It is for reading; no verdict rests on it.
 */
import type { CheckKind } from './program/command';
import type { SourceLocation, StateInC } from './verdict';

export interface Explanation {
  readonly checks: readonly CheckAt[];
  /** Lines that the tests ran, of those that hold code, per file. */
  readonly lines: readonly {
    readonly file: string;
    readonly code: readonly number[];
    readonly ran: readonly number[];
  }[];
  /** For checks, by their index: the lines of code that do not matter to it, per file. */
  readonly slices: readonly {
    readonly check: number;
    readonly aside: readonly { readonly file: string; readonly lines: readonly number[] }[];
  }[];
  readonly states: StateGraph | undefined;
  readonly trace: Trace | undefined;
}

/** Execution counts of a file. */
export interface ExecutedFile {
  readonly file: string;
  /** In order. */
  readonly lines: readonly { readonly line: number; readonly hits: number }[];
  readonly functions: readonly { readonly name: string; readonly line: number; readonly hits: number }[];
}

/**
 * `holds` is certified; `no-alarm` follows from the abstract states, which nothing has checked again; `open` is not
 * decided.
 */
export type CheckStatus = 'holds' | 'no-alarm' | 'fails' | 'may-fail' | 'open';

export interface CheckAt {
  readonly check: CheckKind;
  /** The C expression. */
  readonly text: string;
  readonly place: SourceLocation;
  readonly status: CheckStatus;
}

/**
 * Source of an abstract state: a test was in it, a state was made up for it, a run from such a state came by, or only
 * the formula says so.
 */
export type StateSource = 'test' | 'fabricated' | 'run' | 'abstract';

export interface StateGraph {
  readonly points: readonly {
    readonly name: string;
    readonly place: SourceLocation;
    readonly predicates: readonly { readonly text: string; readonly negated: string; readonly probe: boolean }[];
  }[];
  /** `valuation`: one 0 or 1 per predicate of the point. */
  readonly states: readonly {
    readonly point: number;
    readonly valuation: string;
    readonly source: StateSource;
    readonly example: StateInC;
  }[];
  /** Between states, by index. */
  readonly moves: readonly { readonly from: number; readonly to: number; readonly tested: boolean }[];
  readonly errors: readonly {
    readonly name: string;
    readonly from: readonly number[];
    readonly status: 'reached' | 'possible' | 'unreachable';
    readonly checks: number;
  }[];
  /** All moves that the formulas allow are there, not only those that were seen. */
  readonly complete: boolean;
}

export interface Trace {
  /** Names of the probes, in the order of the steps' letters. */
  readonly probes: readonly string[];
  /** Steps at the beginning that were left out. */
  readonly omitted: number;
  readonly steps: readonly TraceStep[];
  /** Pictures of the heap, each once; steps name them by index. */
  readonly heaps: readonly HeapPicture[];
}

/** The state before a line is executed. */
export interface TraceStep {
  readonly place: SourceLocation;
  /** Nested C calls. */
  readonly depth: number;
  /** The call of the client, by number. */
  readonly call: number;
  /** Values that differ from the step before; undefined for what is out of scope now. `function: name` for a local. */
  readonly changed: readonly { readonly name: string; readonly value?: string }[];
  /** Per probe: `1` true, `0` false, `-` not to be asked here. */
  readonly probes: string;
  /** The failure depends on what the line did. */
  readonly relevant: boolean;
  /** Absent if no structure with pointers is in reach, and far from the end of a long run. */
  readonly heap?: number;
}

/** Structures in reach of variables and the pointers between them; blocks of the allocator that are lost. */
export interface HeapPicture {
  readonly names: readonly HeapPointer[];
  /** In the order in which pointers lead to them. */
  readonly boxes: readonly HeapBox[];
  /** Structures beyond those. */
  readonly omitted: number;
}

/** A variable that holds null or leads to a box, at a member of it if one is given. */
export type HeapPointer =
  | { readonly name: string; readonly value: 'NULL' }
  | { readonly name: string; readonly to: number; readonly member?: string };

export interface HeapBox {
  readonly title: string;
  /** In C. */
  readonly type: string;
  /** `lost`: it lives, and nothing leads to it. `several`: any number of structures, of an invariant. */
  readonly state: 'live' | 'freed' | 'lost' | 'several';
  readonly members: readonly HeapMember[];
}

/** A member's value as text, or the box that it leads to. */
export type HeapMember =
  { readonly name: string; readonly value: string } | { readonly name: string; readonly to: number };
