/**
 * IR expressions: pure and total. Evaluation never fails, branches or changes a state. A `check` edge before it covers
 * everything that C leaves undefined, which has some fixed value here. Conditions are int32 values: comparisons yield 0
 * or 1, and a use compares with zero.
 *
 * A pointer is (object, offset): the number of a memory object and a signed byte offset. As an integer it is `object <<
 * half | offset mod 2^half`, with half = 32 bits in LP64 and 16 in ILP32. The null pointer is 0. Objects begin at
 * multiples of 2^half, so the low bits of that integer are right.
 */
import type { Congruence } from './congruence';
import type { FunctionDefinition, StaticObject } from './program';
import type { Span } from '../c/source';
import type { CType } from '../c/types';

export type IntegerScalar = {
  readonly kind: 'integer';
  readonly widthBits: 8 | 16 | 32 | 64 | 128;
  readonly signed: boolean;
};
export type FloatScalar = { readonly kind: 'float'; readonly widthBits: 32 | 64 };
export type PointerScalar = { readonly kind: 'pointer' };
export type Scalar = IntegerScalar | FloatScalar | PointerScalar;

export const int8: IntegerScalar = { kind: 'integer', widthBits: 8, signed: true };
export const uint8: IntegerScalar = { kind: 'integer', widthBits: 8, signed: false };
export const int16: IntegerScalar = { kind: 'integer', widthBits: 16, signed: true };
export const uint16: IntegerScalar = { kind: 'integer', widthBits: 16, signed: false };
export const int32: IntegerScalar = { kind: 'integer', widthBits: 32, signed: true };
export const uint32: IntegerScalar = { kind: 'integer', widthBits: 32, signed: false };
export const int64: IntegerScalar = { kind: 'integer', widthBits: 64, signed: true };
export const uint64: IntegerScalar = { kind: 'integer', widthBits: 64, signed: false };
export const float32: FloatScalar = { kind: 'float', widthBits: 32 };
export const float64: FloatScalar = { kind: 'float', widthBits: 64 };
export const pointer: PointerScalar = { kind: 'pointer' };

/**
 * A scalar outside memory: a global or local whose address is never taken, a parameter, a temporary. `slot` indexes the
 * globals (scope 'global') or the frame (scope 'local').
 */
export interface Variable {
  readonly kind: 'variable';
  readonly scope: 'global' | 'local';
  readonly slot: number;
  /** The C name, or a description in angle brackets for temporaries. */
  readonly name: string;
  readonly type: Scalar;
  /** The C type, for printing values (enum constants, bool, char). Absent for temporaries. */
  readonly ctype?: CType;
  /** True for temporaries of lowering: dead at every cutpoint unless lowering says otherwise. */
  readonly temporary: boolean;
  /** The scope of its name, from the declaration to the end of the block. Absent if that is the whole function. */
  readonly visible?: Span;
  /** A parameter that is a `restrict` pointer. */
  readonly isRestrict?: true;
  /** The global or parameter whose value at the start of the activation this variable holds; see `entryValues.ts`. */
  readonly entryValueOf?: Variable;
  /** The pointer that is null where this flag is not 0, since it leads elsewhere; see `separatedPointers.ts`. */
  readonly selects?: Variable;
}

/**
 * An automatic object: an address-taken or aggregate local. Each activation declares its own block; `slot` indexes the
 * frame's objects.
 */
export interface FrameObject {
  readonly kind: 'frame-object';
  readonly slot: number;
  readonly name: string;
  readonly sizeBytes: number;
  readonly ctype: CType;
  /** As in `Variable`. */
  readonly visible?: Span;
  /** Alignment that the declaration asks for. Absent: that of the type. */
  readonly alignBytes?: number;
  /** Calls put the structure that they return here: members of its type that are `const` are written again. */
  readonly holdsResult?: true;
}

export type BinaryOperator =
  'add' | 'subtract' | 'multiply' | 'divide' | 'remainder' | 'and' | 'or' | 'xor' | 'shift-left' | 'shift-right';
export type CompareOperator = 'eq' | 'ne' | 'lt' | 'le';

/**
 * A question about the list that `list` leads to: null, or a live object with room for a node from there on, whose link
 * leads to a list in turn. `acyclic`: it is one; `through`: it is one, and `node` leads to one of its nodes; `every`:
 * it is one, and `condition` holds of each node, which is meanwhile the value of the local variable that `node` reads;
 * `length` (int64): the number of nodes, of what is a list. The others are int32, 0 or 1.
 */
export interface ListQuestion {
  readonly kind: 'list';
  readonly is: 'acyclic' | 'through' | 'every' | 'length';
  readonly type: IntegerScalar;
  readonly list: Expression;
  /** Loads the link of the first node, at `linkBytes` from where `list` leads. Only its place matters. */
  readonly link: Expression & { readonly kind: 'load' };
  readonly linkBytes: number;
  readonly nodeBytes: number;
  /** Null unless it matters. */
  readonly node: Expression;
  /** Reads and computes only. True unless it matters. */
  readonly condition: Expression;
}

export type Expression =
  /** `value` is canonical: within the range of `type`. */
  | { readonly kind: 'integer'; readonly type: IntegerScalar; readonly value: bigint }
  | { readonly kind: 'float'; readonly type: FloatScalar; readonly value: number }
  | { readonly kind: 'null'; readonly type: PointerScalar }
  | { readonly kind: 'read'; readonly type: Scalar; readonly variable: Variable }
  /** Base pointer (offset 0) of a static object, of a function, or of this activation's automatic object. */
  | {
      readonly kind: 'address';
      readonly type: PointerScalar;
      readonly of: StaticObject | FrameObject | FunctionDefinition;
    }
  | { readonly kind: 'load'; readonly type: Scalar; readonly address: Expression }
  /** Negation and complement; on floats only `negate`. */
  | {
      readonly kind: 'unary';
      readonly type: Scalar;
      readonly operator: 'negate' | 'complement';
      readonly operand: Expression;
    }
  /**
   * Both operands have `type` (for shifts the right one may be any integer type). Integers wrap. Division truncates; by
   * zero it is 0, and MIN / -1 wraps (remainder: left operand, and 0). Shift amounts count modulo the width;
   * `shift-right` is arithmetic on signed types.
   */
  | {
      readonly kind: 'binary';
      readonly type: IntegerScalar | FloatScalar;
      readonly operator: BinaryOperator;
      readonly left: Expression;
      readonly right: Expression;
    }
  /**
   * Operands of the same scalar type; result int32, 0 or 1. Pointers: `eq`/`ne` on the pair; `lt`/`le` on the pair in
   * (object, offset) order.
   */
  | {
      readonly kind: 'compare';
      readonly type: IntegerScalar;
      readonly operator: CompareOperator;
      readonly left: Expression;
      readonly right: Expression;
    }
  /**
   * Any scalar to any scalar. Integer to integer: modulo. Float to integer: truncates, out of range wraps. Pointer and
   * integer: as packed, see above.
   */
  | { readonly kind: 'convert'; readonly type: Scalar; readonly operand: Expression }
  /**
   * Pointer plus `delta` bytes (int64); the offset is truncated to its half. `within` contains every value of `delta`
   * for which the checks before it passed.
   */
  | {
      readonly kind: 'offset';
      readonly type: PointerScalar;
      readonly pointer: Expression;
      readonly delta: Expression;
      readonly within?: Congruence;
    }
  /** int64: the object's number, unsigned. */
  | { readonly kind: 'object-of'; readonly type: IntegerScalar; readonly pointer: Expression }
  /** int64: the byte offset, sign-extended from its half. */
  | { readonly kind: 'offset-of'; readonly type: IntegerScalar; readonly pointer: Expression }
  /** int64: size in bytes of the object pointed into; 0 for null and for numbers without an object. */
  | { readonly kind: 'object-size'; readonly type: IntegerScalar; readonly pointer: Expression }
  /** int32, 0 or 1: the object exists and its lifetime has not ended. */
  | { readonly kind: 'is-live'; readonly type: IntegerScalar; readonly pointer: Expression }
  /** int32, 0 or 1: it may be written (not a string literal, const object or function). Constant for a given object. */
  | { readonly kind: 'is-writable'; readonly type: IntegerScalar; readonly pointer: Expression }
  /** int32, 0 or 1: it came from the allocator (so may be freed when at offset 0). */
  | { readonly kind: 'is-heap'; readonly type: IntegerScalar; readonly pointer: Expression }
  /** int32, 0 or 1: every byte of [pointer, pointer+sizeBytes) was written since the object was made. */
  | {
      readonly kind: 'is-initialised';
      readonly type: IntegerScalar;
      readonly pointer: Expression;
      readonly sizeBytes: number;
    }
  /**
   * int32, 0 or 1: each live block of the allocator is reached. Reached is what the pointers `from` lead to, or
   * pointers in static objects, in objects of clients, in blocks that clients hold, or in what is reached itself.
   */
  | { readonly kind: 'all-reached'; readonly type: IntegerScalar; readonly from: readonly Expression[] }
  | ListQuestion
  | {
      readonly kind: 'conditional';
      readonly type: Scalar;
      readonly condition: Expression;
      readonly then: Expression;
      readonly otherwise: Expression;
    };
