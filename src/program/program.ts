/**
 * A program: control-flow automata, one per function, over shared static data. Locations and edges are numbered densely
 * and in a fixed order, so everything derived from them is deterministic.
 */
import type { Diagnostic } from '../c/diagnostics/diagnostic';
import type { Span } from '../c/source';
import { isUnchanging, type CType, type DataModel, type RecordLayout } from '../c/types';
import type { Command, SuppressedCheck } from './command';
import type { Expression, FrameObject, Scalar, Variable } from './expression';

/** Limit on the total size of the objects that a run makes. */
export const memoryBytes = 256 * 2 ** 20;
/** Limit on the total size of static objects, of which only what is touched takes memory. */
export const staticBytes = 8 * 2 ** 30;

/** From here on all bytes are zero. */
export const initialisedBytes = ({ bytes, relocations }: Pick<StaticObject, 'bytes' | 'relocations'>): number =>
  relocations.reduce((end, { offsetBytes }) => Math.max(end, offsetBytes + 8), bytes.length);

/** Size of all static objects together. */
export const totalStaticBytes = ({ objects }: Pick<Program, 'objects'>): number =>
  objects.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);

/** A global, static local or string literal that lives in memory. Its object number is fixed: 1, 2, … in order. */
export interface StaticObject {
  readonly kind: 'static-object';
  readonly number: number;
  readonly name: string;
  readonly ctype: CType;
  readonly sizeBytes: number;
  readonly writable: boolean;
  /**
   * Little-endian bytes, and zeros behind them. Pointers, and NaNs whose bits C leaves open, are listed in
   * `relocations` and are zero here.
   */
  readonly bytes: Uint8Array;
  readonly relocations: readonly { readonly offsetBytes: number; readonly value: Expression }[];
  /** A client of the module can name it (external linkage). */
  readonly visible: boolean;
  readonly span: Span | undefined;
  /** Alignment that the declaration asks for. Absent: that of the type. */
  readonly alignBytes?: number;
  /** Bytes of the object in front of the C variable, see `lower/objects/alignedHeads.ts`. Absent: none. */
  readonly leadBytes?: number;
  /** No file defines it. */
  readonly elsewhere?: true;
}

export interface Location {
  readonly index: number;
  readonly span: Span;
  /** The C label here, if any. */
  label: string | undefined;
  /** Target of a retreating edge (depth-first order); every cycle passes one. */
  isLoopHead: boolean;
  /** The `for`, `while` or `do` statement of which this is the head. */
  readonly loop?: Span;
  readonly edges: Edge[];
}

export interface Edge {
  readonly index: number;
  readonly from: Location;
  readonly to: Location;
  readonly command: Command;
  readonly span: Span;
}

/** Operands of one operator, arguments of one call, items of one list: the commands of each, and its values. */
export interface UnorderedOperands {
  readonly span: Span;
  readonly operands: readonly {
    readonly commands: readonly Command[];
    readonly values: readonly Expression[];
    /** Addresses of structures that are read as wholes; default none. */
    readonly wholes?: readonly Expression[];
    /** Commands that belong to a called body, with which no other operand is interleaved: the body's number. */
    readonly called: ReadonlyMap<Command, number>;
    /** Every access in C outside called bodies. Known where the operands are evaluated in either order. */
    readonly accesses?: readonly Command[];
  }[];
  /** Both orders are executions of the program, see `eitherOrder.ts`. Otherwise from left to right. */
  readonly inEitherOrder?: true;
  /** The operands are two accesses whose conflict has a check `unsequenced`. */
  readonly checked?: true;
}

/** An access of a scalar through an lvalue whose type matters: no character, no member of a union (C11 6.5p7). */
export interface TypedAccess {
  /** Equal for types of which one may access an object of the other. */
  readonly type: string;
  readonly address: Expression;
  readonly bytes: number;
  readonly span: Span;
}

export interface StructureBehindVoid {
  readonly record: RecordLayout;
  readonly variable: Variable | undefined;
}

export interface FunctionDefinition {
  readonly kind: 'function';
  readonly name: string;
  /** Its object number as a pointer target; follows the static objects'. */
  readonly number: number;
  readonly span: Span;
  readonly ctype: CType;
  readonly parameters: readonly Variable[];
  readonly result: Scalar | undefined;
  /** Holds the result at `exit`; undefined for void. */
  readonly resultVariable: Variable | undefined;
  /** All local variables, parameters first; index = slot. */
  readonly variables: readonly Variable[];
  /** Automatic objects; index = slot. */
  readonly objects: readonly FrameObject[];
  /** Reverse post-order; `locations[0]` is the entry. */
  readonly locations: readonly Location[];
  readonly edges: readonly Edge[];
  readonly entry: Location;
  readonly exit: Location;
  readonly linkage: 'internal' | 'external';
  /**
   * Operands that C evaluates in unspecified order and lowering from left to right. Listed only if an operand does more
   * than compute a value.
   */
  readonly unordered?: readonly UnorderedOperands[];
  /** See `effectiveTypes.ts`. Absent: none. */
  readonly typedAccesses?: readonly TypedAccess[];
  /** The program has them as two variables each, see `lower/separatedPointers.ts`. Absent: none. */
  readonly hasSeparatedPointers?: true;
  /** Calls were replaced by copies of the called functions, see `lower/inlinedHelpers.ts`. Absent: none. */
  readonly hasInlinedHelpers?: true;
  /** Calls of `longjmp` return to that of `setjmp`, see `lower/returningJumps.ts`. Absent: none. */
  readonly hasReturningJumps?: true;
  /** Structures that `void *` is converted to, of which variable if it is one; or from. Absent: none. */
  readonly structuresBehindVoid?: readonly StructureBehindVoid[];
  /** A pointer is converted to another type, or leads to a member of a union. */
  readonly puns?: boolean;
  /** Commands that compute the conditions of contracts, which compilers omit. */
  readonly contracts?: readonly { readonly command: Command; readonly span: Span }[];
  /** True for functions of the bundled C library, false for those of the user's files. */
  readonly library: boolean;
  /** The function of which this is a copy for one call, see `lower/copiedCallees.ts`. Absent: it is none. */
  readonly copyOf?: FunctionDefinition;
  /** It stands for others that write this variable, which no file defines. Absent: it is a function in C. */
  readonly writes?: string;
}

export interface GlobalVariable {
  readonly variable: Variable;
  /**
   * A constant expression (integer, float, null, address, offset, convert, a quotient that is a NaN). Undefined means
   * zero.
   */
  readonly initial: Expression | undefined;
  /** A client of the module can name it (external linkage). */
  readonly visible: boolean;
  readonly span: Span;
  /** No file defines it. */
  readonly elsewhere?: true;
}

/** Code outside of the given files may write the variable by its name. */
export const isWrittenOutside = ({ visible, variable: { ctype } }: GlobalVariable): boolean =>
  visible && !(ctype && isUnchanging(ctype));

/** Behaviour that C leaves open, or that the model does not distinguish, and that a program may meet. */
export type ImplementationChoice =
  | 'realloc'
  | 'bit-fields'
  /** Accesses through pointers that may not be aligned for their type. */
  | 'alignment'
  /** Reads of `_Bool`s whose byte something else may have written. */
  | 'bool-bytes'
  /** Conversions that remove `const` from what a pointer leads to. */
  | 'const-removed'
  | LibraryChoice;

/** Uses of library functions that C leaves undefined or unspecified for some arguments. */
export type LibraryChoice =
  | 'characters'
  | 'wide-characters'
  | 'numbers-in-texts'
  | 'scanned-numbers'
  | 'sort-order'
  | 'search-order'
  | 'block-alignment'
  | 'locale-name'
  | 'environment-strings'
  | 'handlers'
  | 'update-streams'
  | 'stream-buffers'
  | 'one-thread'
  | 'stream-positions'
  | 'exit-functions'
  | 'calendar-time'
  | 'conversion-states';

/** The places of the user's files, in the order of lowering, perhaps repeated. */
export interface ChoiceAt {
  readonly choice: ImplementationChoice;
  readonly spans: readonly Span[];
}

/** A function without a body. */
export interface UnknownFunction {
  readonly name: string;
  readonly ctype: CType;
  readonly span: Span;
  /** Conditions that hold when a call returns, as written; default none. */
  readonly guarantees?: readonly string[];
}

export interface Program {
  readonly dataModel: DataModel;
  readonly files: readonly string[];
  /** Every file that was read, headers included. */
  readonly sources: readonly string[];
  /** Index = slot. */
  readonly globals: readonly GlobalVariable[];
  /** Index + 1 = object number. */
  readonly objects: readonly StaticObject[];
  readonly functions: readonly FunctionDefinition[];
  readonly functionByName: ReadonlyMap<string, FunctionDefinition>;
  /** Behaviour that C leaves open and this program may meet, as it is modelled. */
  readonly choices: readonly ChoiceAt[];
  /** Parameters and local variables of the user's files that are `restrict` pointers. */
  readonly restricted: readonly Span[];
  /** Functions without a body that are assumed to do nothing but return a value. */
  readonly answering: readonly string[];
  /** Called but defined nowhere, with the first call. Native library functions are not included. */
  readonly externals: readonly UnknownFunction[];
  /**
   * One for each function type to which clients pass pointers. It stands for all functions of clients of that type;
   * offsets distinguish them.
   */
  readonly clientFunctions: readonly FunctionDefinition[];
  readonly typedefs: ReadonlyMap<string, CType>;
  readonly tags: ReadonlyMap<string, CType>;
  readonly enumConstants: ReadonlyMap<string, bigint>;
  /** The types of the variable arguments that calls pass. Lists hold each one's index + 1. */
  readonly argumentTypes: readonly CType[];
  /** Targets of pointers that the program converts to pointers to other types, or that lie in unions. No arrays. */
  readonly convertedPointers: readonly CType[];
  /** Bytes of pointers are addresses, as numbers that they are converted to. */
  readonly storesAddresses?: true;
  /** Checks that comments exclude, and comments that exclude none. */
  readonly suppressed?: readonly SuppressedCheck[];
  readonly idleSuppressions?: readonly Span[];
  /** Number of live blocks of the allocator, where the program counts them for `leak`. */
  readonly liveBlocks?: Variable;
  /**
   * Functions that clients call check that each block of the allocator is reached; see `lower/objects/keptBlocks.ts`.
   */
  readonly keepsBlocks?: true;
  /** Warnings of the front end about accepted text, in the order of the files. */
  readonly warnings?: readonly Diagnostic[];
  /** The storage of C names, for the host: `global` scalars are variables, everything else is an object. */
  readonly symbols: ReadonlyMap<string, { readonly ctype: CType; readonly place: Variable | StaticObject }>;
}
