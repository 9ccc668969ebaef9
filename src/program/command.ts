/**
 * Commands label the edges of a control-flow automaton. Branches are `assume` edges; undefined behaviour and assertions
 * are `check` edges. So executing a command never forks, and every property is "no check fails".
 */
import type { Span } from '../c/source';
import type { CType } from '../c/types';
import type { Expression, FrameObject, Scalar, Variable } from './expression';
import type { FunctionDefinition } from './program';

/** The kind of violation that a failing check reports. */
export type CheckKind =
  | 'assertion'
  | 'unreachable'
  | 'precondition'
  | 'postcondition'
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
  /** The program is right, but the model has no such object. Always enabled; a run ends here at a limit. */
  | 'object-size';

/** The properties that a user can select, each the absence of some kinds of failing checks. */
export type Property = 'reach' | 'memsafety' | 'overflow' | 'div-by-zero' | 'uninitialised' | 'leak' | 'aliasing';

export const propertyOf: Readonly<Record<CheckKind, Property>> = {
  assertion: 'reach',
  unreachable: 'reach',
  precondition: 'reach',
  postcondition: 'reach',
  'null-dereference': 'memsafety',
  dereference: 'memsafety',
  'array-bounds': 'memsafety',
  'read-only': 'memsafety',
  'invalid-free': 'memsafety',
  leak: 'leak',
  'pointer-arithmetic': 'memsafety',
  'pointer-comparison': 'memsafety',
  'invalid-call': 'memsafety',
  'signed-overflow': 'overflow',
  shift: 'overflow',
  'shift-overflow': 'overflow',
  conversion: 'overflow',
  'division-by-zero': 'div-by-zero',
  'uninitialised-read': 'uninitialised',
  'missing-return': 'uninitialised',
  'array-length': 'memsafety',
  'overlapping-copy': 'memsafety',
  'overlapping-assignment': 'memsafety',
  'array-argument': 'memsafety',
  'variable-argument': 'memsafety',
  unsequenced: 'memsafety',
  noreturn: 'memsafety',
  'effective-type': 'aliasing',
  'object-size': 'memsafety',
};

/** The properties checked by default. */
export const defaultProperties: readonly Property[] = ['reach', 'memsafety', 'overflow', 'div-by-zero'];
export const allProperties: readonly Property[] = [
  'reach',
  'memsafety',
  'overflow',
  'div-by-zero',
  'uninitialised',
  'leak',
  'aliasing',
];

export interface Check {
  readonly kind: 'check';
  readonly check: CheckKind;
  /** Non-zero if the check holds. */
  readonly condition: Expression;
  /** In C terms, for the report: "index 8 is outside elems[8]" has the text "elems[index]". */
  readonly text: string;
  readonly span: Span;
  /**
   * Behaviour at a violation if the property is not checked. `assume` the condition, because the operation has no
   * meaning otherwise (invalid dereference, division by zero), or `ignore` it and use the expression's total meaning
   * (overflow wraps).
   */
  readonly ifUnchecked: 'assume' | 'ignore';
  /**
   * The check belongs to a contract. Compilers omit contracts, so a compiled program would continue here. The check is
   * therefore always enabled.
   */
  readonly ofContract?: true;
}

/** Identifies a check of a program: its kind and the text it is about. Lowering the same files again gives the same. */
export type CheckKey = string;

export const checkKey = ({ check, span: { file, start, end } }: Pick<Check, 'check' | 'span'>): CheckKey =>
  `${file.path}:${start}-${end}:${check}`;

/** A check that a comment in the C excludes from proofs; see `suppressions.ts`. */
export interface SuppressedCheck {
  readonly check: CheckKind;
  readonly text: string;
  readonly span: Span;
  readonly reason: string;
}

/** True if a violation of this check is an error for the given properties. Otherwise see `Check.ifUnchecked`. */
export function isChecked(
  { check, ofContract }: Pick<Check, 'check' | 'ofContract'>,
  checkedProperties: ReadonlySet<Property | CheckKind>,
): boolean {
  return (
    ofContract === true ||
    check === 'object-size' ||
    checkedProperties.has(check) ||
    checkedProperties.has(propertyOf[check])
  );
}

/** Behaviour that C leaves open and compilers agree on. A user may omit these checks in tests and proofs. */
export const leavable = ['shift-overflow'] as const satisfies readonly CheckKind[];
export type Leavable = (typeof leavable)[number];

export type Command =
  | { readonly kind: 'skip' }
  /**
   * A branch. With `cuts`: the end of the executions in which the condition does not hold; `ofFailure`: of a check that
   * is known to fail.
   */
  | { readonly kind: 'assume'; readonly condition: Expression; readonly cuts?: true; readonly ofFailure?: true }
  | Check
  | { readonly kind: 'assign'; readonly target: Variable; readonly value: Expression }
  /** Any value of the type: an uninitialised declaration, or the result of an unknown function. */
  | { readonly kind: 'havoc'; readonly target: Variable }
  /** A value chosen by the environment: `nondet()` and the like. Recorded, in order, in the input vector. */
  | { readonly kind: 'input'; readonly target: Variable; readonly name: string }
  | { readonly kind: 'store'; readonly address: Expression; readonly type: Scalar; readonly value: Expression }
  /** `memmove` of `size` bytes (int64). Both ranges were checked. Initialisedness is copied, too. */
  | { readonly kind: 'copy'; readonly target: Expression; readonly source: Expression; readonly size: Expression }
  /** `memset`: `byte` is a uint8. */
  | { readonly kind: 'fill'; readonly target: Expression; readonly byte: Expression; readonly size: Expression }
  /**
   * A fresh heap object of `size` bytes (uint64), with contents zero or indeterminate. With `mayFail` the environment
   * may answer null (an input named "malloc"). Sizes that the address space cannot hold always give null.
   */
  | {
      readonly kind: 'allocate';
      readonly target: Variable;
      readonly size: Expression;
      readonly zeroed: boolean;
      readonly mayFail: boolean;
      /** A block of `alloca` or a variable-length array. It is not from the allocator and must not be freed. */
      readonly automatic?: true;
    }
  /** Ends the object's lifetime. Null is allowed and has no effect; all other values were checked. */
  | { readonly kind: 'free'; readonly pointer: Expression }
  /**
   * Begins the lifetime of an automatic object: a new block with indeterminate contents. A previous block of the same
   * slot ends.
   */
  | { readonly kind: 'declare'; readonly object: FrameObject }
  | { readonly kind: 'end'; readonly object: FrameObject }
  /**
   * Arguments match the parameters in number and type. `callee` is a function, or a pointer value that was checked to
   * be one of `targets`.
   */
  | {
      readonly kind: 'call';
      readonly target: Variable | undefined;
      readonly callee: FunctionDefinition | Expression;
      readonly targets: readonly FunctionDefinition[];
      readonly arguments: readonly Expression[];
    }
  /**
   * Calls a function without a body in the program: a stub of the host, a native library function, or an unknown one
   * ("any"). The first argument says where a structure result goes.
   */
  | {
      readonly kind: 'external';
      readonly target: Variable | undefined;
      readonly name: string;
      readonly arguments: readonly Expression[];
      /** The called pointer, if it leads to a function of a client. */
      readonly callee?: Expression;
      readonly resultType: Scalar | undefined;
      /** Size of a structure result. */
      readonly resultBytes?: number;
      /** Types of the variable arguments, which the last argument holds in slots. */
      readonly rest?: readonly CType[];
      /** The call itself shows that all memory which a native function reaches through its arguments is valid. */
      readonly reachesChecked?: true;
    }
  /** `exit`, `abort`: the execution ends here, without failing. */
  | { readonly kind: 'halt'; readonly status: Expression | undefined };

export type ExternalCommand = Extract<Command, { kind: 'external' }>;
