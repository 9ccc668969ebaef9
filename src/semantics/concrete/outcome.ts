/** Options of a machine, what it shows while it runs, and what a run comes to. */
import type { Span } from '../../c/source';
import type { CheckKind, Command, ExternalCommand, Property } from '../../program/command';
import type { Expression, Scalar, Variable } from '../../program/expression';
import type { FunctionDefinition, Location } from '../../program/program';
import type { ConcreteValue, ConcreteValues } from './concreteValues';
import type { MemorySnapshot } from './memoryBlock';
import type { EnvironmentOptions, EnvironmentSnapshot } from './environment/environment';
import type { CallStack, Fault } from './fault';

export interface MachineOptions {
  readonly seed?: number;
  /** Checks of these properties, or of these kinds, fault (default: all). */
  readonly properties?: ReadonlySet<Property | CheckKind>;
  /** Edges per top-level call; default 50 million. */
  readonly stepLimit?: number;
  /** Activations; default 10,000. */
  readonly depthLimit?: number;
  /** All live objects together; default 256 MiB more than the static ones. */
  readonly memoryLimitBytes?: number;
  /** A function without a body: its result (undefined for void), or 'unknown' to have it done without. */
  readonly external?: (
    name: string,
    args: readonly ConcreteValue[],
    call: ExternalCall,
  ) => ConcreteValue | undefined | 'unknown';
  /**
   * The effects of a function without a body and without a stub, before it returns. An outcome ends the run.
   */
  readonly outside?: (command: ExternalCommand, args: readonly ConcreteValue[]) => RunOutcome | undefined;
  /** Memory was given out whose contents are indeterminate. */
  readonly fresh?: (command: Extract<Command, { kind: 'allocate' }>, memory: ConcreteValue) => void;
  /** The environment's answers. Allocations that may fail ask for an int32 named "malloc": 0 means null. */
  readonly input?: (name: string, type: Scalar) => ConcreteValue;
  /**
   * Value of an indeterminate variable; default pseudo-random, and zero when control jumps past its declaration. Asked
   * only in the order of execution.
   */
  readonly havoc?: (target: Variable) => ConcreteValue | undefined;
  readonly output?: (text: string, stream: 'stdout' | 'stderr') => void;
  /** Files, variables: what library functions find around the program. Default: nothing. */
  readonly environment?: EnvironmentOptions;
  /**
   * 'tiered' (default): functions that run often are compiled, the rest and all that is unusual is done by the
   * reference machine. 'reference': all of it, and 'compiled': as little as can be. What is computed, counted and
   * reported is the same.
   */
  readonly execution?: 'tiered' | 'reference' | 'compiled';
  /** Edges, counted from the machine's first, between which compiled code may run; default all. */
  readonly compiledBetween?: { readonly from: number; readonly to: number };
  /**
   * Rounds of loops that compiled code may run are made many at once; default: they are not. `true`: where nobody
   * observes. `observed`: always, in ever shorter leaps, and arrivals between them are reported; limits of steps count
   * the edges taken one by one, and a leap as some thousand.
   */
  readonly leaps?: boolean | 'observed';
  /** Operations on values, with 'reference' execution; default: those of `ConcreteValues`. */
  readonly values?: ConcreteValues;
}

export interface ExternalCall {
  readonly command: ExternalCommand;
  readonly span: Span;
  /** The pointer that was called, to a function of a client's. */
  readonly callee: ConcreteValue | undefined;
  /** Who called, innermost first. */
  stack(): CallStack;
}

/**
 * One activation of a function. Slots as in `Variable` and `FrameObject`; 0 stands for an automatic object that has no
 * block now.
 */
export interface Activation {
  readonly fn: FunctionDefinition;
  /** Location of control; in an outer activation, the location that the pending call leaves. */
  readonly location: Location;
  readonly locals: readonly ConcreteValue[];
  readonly objects: readonly ConcreteValue[];
  /** The valuation of the predicates observed at its function's entry, if it is kept; see `ObservedPredicates`. */
  readonly entered?: bigint | undefined;
}

/** Predicates whose truth values an observer needs at this location, at most `mostConditions`. */
export interface ObservedPredicates {
  /** Over the activation's variables, global variables and memory. Bit i is the truth of the i-th. */
  readonly conditions: readonly Expression[];
  /**
   * Valuations are kept per valuation of the predicates at the function's entry in the same activation. This is the
   * same at all locations of a function.
   */
  readonly perEntry: boolean;
}
export type ObservedPredicateMap = ReadonlyMap<Location, ObservedPredicates>;
export const mostConditions = 63;
export const mostPassed = 0x7fff_ffff;

export interface Observer {
  readonly locations: ReadonlySet<Location>;
  /** Control arrives. The activation is the machine's own and changes as it runs on: copy what is to be kept. */
  visit(location: Location, activation: Activation): void;
  /**
   * Asked after a visit: how many of the next arrivals there need not be reported, at most `mostPassed` at a time.
   * Default: none.
   */
  readonly skip?: (location: Location) => number;
  /** The machine was put back to its beginning, and passes over no arrivals that it was to pass over. */
  readonly onRestart?: () => void;
  /** Locations at which visits are not reported whose valuation was reported there before. */
  readonly observedPredicates?: ObservedPredicateMap;
}

export interface RecordedInput {
  readonly name: string;
  readonly type: Scalar;
  readonly value: ConcreteValue;
  readonly function: FunctionDefinition;
  readonly span: Span;
}

export type RunOutcome =
  | { readonly kind: 'returned'; readonly value: ConcreteValue | undefined }
  | { readonly kind: 'fault'; readonly fault: Fault }
  | { readonly kind: 'halted'; readonly status: number }
  /** An assumption does not hold, or a check failed that is not in force and after which nothing has a meaning. */
  | { readonly kind: 'stopped'; readonly reason: 'assume' | 'check-off' }
  | { readonly kind: 'limit'; readonly limit: 'steps' | 'depth' | 'memory'; readonly stack: CallStack }
  /** C says what comes next, and the machine does not do it. */
  | { readonly kind: 'limit'; readonly limit: 'unsupported'; readonly what: string; readonly stack: CallStack };

/** The input that the library's `rand` asks for. */
export const libraryRandom = '__provest_nondet_rand';

/** All data. Which pseudo-random answers come next is no part of it. */
export interface Snapshot {
  readonly globals: readonly ConcreteValue[];
  readonly memory: MemorySnapshot;
  readonly environment: EnvironmentSnapshot;
}
