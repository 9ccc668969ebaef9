/**
 * Semantics of C, once, over an interface of values. `evaluate.ts` and `execute.ts` say how IR expressions and commands
 * act; `concrete.ts`, and `symbolicValues.ts` with `symbolic.ts`, supply the values. A domain gives each operation as a
 * function specialised by operator and type, so that reading an expression is done once and running it is a chain of
 * closures.
 */
import type {
  BinaryOperator,
  CompareOperator,
  Expression,
  FloatScalar,
  FrameObject,
  IntegerScalar,
  ListQuestion,
  Scalar,
} from '../program/expression';
import type { Command } from '../program/command';
import type { FunctionDefinition, StaticObject } from '../program/program';

/** Operations on values. All are total; their meaning is documented at `Expression`. */
export interface Values<V> {
  integer(value: bigint, type: IntegerScalar): V;
  float(value: number, type: FloatScalar): V;
  readonly null: V;
  /** Base pointer of a static object or function. */
  address(of: StaticObject | FunctionDefinition): V;
  unary(operator: 'negate' | 'complement', type: IntegerScalar | FloatScalar): (operand: V) => V;
  binary(
    operator: BinaryOperator,
    type: IntegerScalar | FloatScalar,
    rightType: IntegerScalar | FloatScalar,
  ): (left: V, right: V) => V;
  compare(operator: CompareOperator, type: Scalar): (left: V, right: V) => V;
  convert(from: Scalar, to: Scalar): (operand: V) => V;
  offset(pointer: V, delta: V): V;
  objectOf(pointer: V): V;
  offsetOf(pointer: V): V;
  /** `condition` is an integer value of `conditionType`; picks the second value when it is non-zero. */
  conditional(condition: V, conditionType: Scalar, then: V, otherwise: V, type: Scalar): V;
}

/**
 * Memory, seen by the code at one place (`site` is the load, store or other node that asks; a domain may keep data per
 * site).
 */
export interface Memory<V> {
  load(address: V, type: Scalar, site: Expression): V;
  store(address: V, type: Scalar, value: V, site: Command): void;
  copy(target: V, source: V, size: V, site: Command): void;
  fill(target: V, byte: V, size: V, site: Command): void;
  objectSize(pointer: V, site: Expression): V;
  isLive(pointer: V, site: Expression): V;
  isWritable(pointer: V, site: Expression): V;
  isHeap(pointer: V, site: Expression): V;
  isInitialised(pointer: V, sizeBytes: number, site: Expression): V;
  /** See the expression `all-reached`. */
  areAllReached(from: readonly V[], site: Extract<Expression, { kind: 'all-reached' }>): V;
  /** See `ListQuestion`. `isMet`: its condition, of a node. */
  ofList(list: V, node: V, site: ListQuestion, isMet: (node: V) => V): V;
  /**
   * Value of `left == right`, or `!=`, where the pointers alone do not decide it: one may be the end of an object, the
   * other the beginning of another (C11 6.5.9p6).
   */
  comparePointers?(left: V, right: V, site: Extract<Expression, { kind: 'compare' }>): V | undefined;
  /** A pointer as an integer of the type, where that is a question of memory; otherwise values convert. */
  addressOf?(pointer: V, type: IntegerScalar): V;
  /** The pointer that an integer of the type means. */
  pointerAt?(address: V, type: IntegerScalar): V;
  /** A fresh heap object; null when `size` (uint64) is beyond what an address space half can hold. */
  allocate(size: V, zeroed: boolean, site: Command): V;
  free(pointer: V, site: Command): void;
  declare(object: FrameObject): V;
  end(pointer: V, object: FrameObject): void;
}

/**
 * State for evaluating expressions: one activation of a function, the globals, memory. Slots as in `Variable` and
 * `FrameObject`.
 */
export interface ProgramState<V> {
  readonly globals: V[];
  readonly locals: V[];
  /** Base pointers of the activation's automatic objects. */
  readonly objects: V[];
  readonly memory: Memory<V>;
}
