/** C modules as tests see them. Calls are typed by index unless declarations were generated (`provest types`). */
import type { Thresholds } from '../../src/report/thresholds';
import type { CheckKind, Leavable, Property } from '../../src/program/command';
import type { CutpointSelection } from '../../src/abstraction/transitionSystem/cutpointSelection';
import type { DataModel, Standard } from '../../src/c/types';
import type { AngelicConfiguration, RefinementTask } from '../../src/task';
import type { Pointer } from '../../src/host/pointer';

/**
 * C return value: a number, bigint, boolean, Pointer, plain struct, null or undefined. Which one, the C type says;
 * TypeScript cannot.
 */
export type Dynamic = ReturnType<typeof JSON.parse>;
export type CFunction = (...args: readonly unknown[]) => Dynamic;
export type TypedArray =
  | Int8Array
  | Uint8Array
  | Uint8ClampedArray
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array
  | Float32Array
  | Float64Array
  | BigInt64Array
  | BigUint64Array;
/**
 * For `...`: what C would make of such a constant, or, where it is to be something else, its type and value: `{ double:
 * 3 }`.
 */
export type VariableArgument =
  number | bigint | boolean | string | null | Pointer | TypedArray | { readonly [type: string]: unknown };
export type State = Readonly<Record<string, Dynamic>>;
/** A TypeScript predicate over the C variables, or a C expression. */
export type Predicate = ((state: Dynamic) => unknown) | string;

/**
 * A probe's view of the variables: pointers are followed by member and index; 64-bit numbers and booleans compare with
 * plain numbers.
 */
export type ProbeState<T> = {
  readonly [K in keyof T]: [Extract<T[K], Pointer | bigint | boolean>] extends [never]
    ? T[K] extends object
      ? ProbeState<T[K]>
      : T[K]
    : Dynamic;
};

export interface ProbeOptions {
  /** A function whose locals and parameters the probe may use. */
  readonly in?: string;
  /** Values of captured constants, for runtimes whose closures cannot be read. */
  readonly constants?: Readonly<Record<string, unknown>>;
}

/**
 * The handle's own members. Each is also there with a `$` before its name, for modules with a C function of that name.
 */
export interface ModuleApi {
  /** C's variables: read, and written as plain values. */
  readonly global: Record<string, Dynamic>;
  /** Enum constants. */
  readonly constants: Readonly<Record<string, Dynamic>>;
  probe(name: string, predicate: Predicate, options?: ProbeOptions): void;
  /**
   * A new object with these contents, zero where nothing is given; without contents it is uninitialised, as after
   * `malloc`.
   */
  alloc(type: string, contents?: unknown): Pointer;
  /** A new struct (by tag or typedef), zero where nothing is given. */
  readonly new: (type: string, members?: Readonly<Record<string, unknown>>) => Pointer;
  /**
   * The pointee as plain data: structs, arrays, strings; pointers inside are followed. With a count, an array of that
   * many elements.
   */
  read(pointer: unknown, count?: number | bigint): Dynamic;
  /** Output of C since the initial state. */
  readonly stdout: string;
  readonly stderr: string;
  /** The content of a file as C sees it now; undefined when there is none. */
  file(name: string): string | undefined;
  /** Back to the initial state. */
  reset(): void;
  /** The next answers of an undefined function or input; of 'malloc', null makes it fail. */
  answer(name: string, ...values: readonly unknown[]): void;
}
/** The same members by the names that no C function hides. */
export type DollarApi = { [K in keyof ModuleApi as `$${K}`]: ModuleApi[K] };
/**
 * A module without generated declarations. Its functions are `Dynamic`: any other type would be possibly undefined
 * under `noUncheckedIndexedAccess`, which `tsc --init` sets.
 */
export type AnyModule = ModuleApi & DollarApi & { readonly [name: string]: Dynamic };

export interface LoadCOptions {
  /** Directories searched by `#include`, relative to the test file. */
  readonly include?: readonly string[];
  readonly define?: Readonly<Record<string, string | number | true>>;
  readonly dataModel?: DataModel;
  /** `gnu89` for old code: implicit `int`, undeclared functions, definitions with an identifier list. */
  readonly standard?: Standard;
  /**
   * Read the headers of the installed C compiler instead of those that come with provest; a text is the compiler's
   * command.
   */
  readonly systemHeaders?: boolean | string;
  /** Functions a client may call; default: every one that is not static. */
  readonly entry?: readonly string[];
  /** The module's header, or headers: clients may call the functions that it declares. In place of `entry`. */
  readonly header?: string | readonly string[];
  /** Clients call this first, once. */
  readonly init?: string;
  /**
   * Structures that a function of the module sets up before clients do anything else with them, and that only the
   * module writes from then on: `{ ring_t: 'ring_init' }`.
   */
  readonly initialisedBy?: Readonly<Record<string, string | readonly string[]>>;
  /**
   * Pointers in clients' structures that are null or lead to the start of a live object whenever the module runs:
   * `{ 'struct mail': ['reply_to', 'subject'] }`. No pointer to another type leads to such a structure.
   */
  readonly validPointers?: Readonly<Record<string, string | readonly string[]>>;
  /** Preconditions: over the arguments, by name, and the variables. */
  readonly requires?: Readonly<Record<string, Predicate | readonly Predicate[]>>;
  /**
   * Calls that clients make: `{ move: 'to == from' }`. A specification that excludes all of them excuses no failure.
   */
  readonly possible?: Readonly<Record<string, Predicate | readonly Predicate[]>>;
  /** Stand-ins for undefined functions. In the proof they return any value. */
  readonly stubs?: Readonly<Record<string, ((...args: Dynamic[]) => unknown) | 'any'>>;
  /** Files that C finds, by name: text, or bytes. They live in memory; what C writes is seen by `file(name)`. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  /** Lends C the files below this directory, relative to the test file: it may read, write and remove them. */
  readonly hostFiles?: string;
  /** Input of C from `stdin`. */
  readonly stdin?: string | Uint8Array;
  /** Variables for `getenv`. */
  readonly env?: Readonly<Record<string, string>>;
  /**
   * Guarantees of undefined functions, in C over the arguments and `result`: `{ uart_read: 'result <= size' }`. One
   * that never returns has `'0'`.
   */
  readonly ensures?: Readonly<Record<string, string | readonly string[]>>;
  /** Effect of other undefined functions. */
  readonly externals?: 'error' | 'any' | 'angelic';
  /** Checks that are made neither in tests nor in proofs: `['shift-overflow']` for `byte << 24`. */
  readonly unchecked?: readonly Leavable[];
  /** `false`: what is odd in C text that is accepted is not told at the end of the run. */
  readonly warnings?: boolean;
  /** Milliseconds for a proof. */
  readonly budget?: number;
  /** Steps of a call in a test, after which it counts as endless. */
  readonly stepLimit?: number;
}

export interface VerifyOptions {
  /** Milliseconds; the process that proves is killed a little later. */
  readonly budget?: number;
  /** Limit of one question to the solver, in its own units: the same on every machine. */
  readonly effort?: number;
  readonly properties?: readonly (Property | CheckKind)[];
  readonly engine?: string;
  /** Engines that refine: the treatment of splits that diverge. */
  readonly generalize?: NonNullable<RefinementTask['generalize']>;
  /**
   * After a bug, go on for all of the budget for clients that keep what excuses it. `'accept'`: pass if the module is
   * proved for such clients.
   */
  readonly angelic?: boolean | 'accept';
  /** Specifications that may excuse a failure: all (default), or fewer, to compare. */
  readonly angelicConfiguration?: AngelicConfiguration;
  /** False: a potential error is left as it is and not handed on to refinement; default true. */
  readonly escalate?: boolean;
  readonly seed?: number;
  /** Solvers that work on the proof at the same time; default: one, and one more for each idle core, up to four. */
  readonly jobs?: number;
  readonly cutpoints?: CutpointSelection;
  /** `probes`: only the given ones; default: also those read off the program. */
  readonly predicates?: 'default' | 'probes';
  /** False: prove anew, take nothing over from earlier runs and leave nothing to later ones. */
  readonly cache?: boolean;
  /**
   * False: no undefined function calls the module back. Default: those without a stub may, and stubs that did so in a
   * test.
   */
  readonly callBacks?: boolean;
  /** Prove also when no test has called the module. */
  readonly allowNoTests?: boolean;
}

export interface AdequacyOptions extends VerifyOptions {
  /** Share of the abstract states that the tests must reach; default 1, or what `thresholds` say. */
  readonly atLeast?: number;
  /** The same in percent, with words: below `break` the test fails. */
  readonly thresholds?: Thresholds;
}

/** Filled in by generated declarations: file name as written in `loadC` to type of the module. */
export interface CModules {
  readonly [noModule]?: never;
}
declare const noModule: unique symbol;
export type ModuleFor<Path extends string> = Path extends keyof CModules ? CModules[Path] : AnyModule;
