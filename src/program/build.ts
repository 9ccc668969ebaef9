/**
 * Constructors of IR expressions. They fold constants and drop operations without effect. Lowering can therefore write
 * every check and conversion without care: a check that always holds vanishes. Each result has the same value as the
 * plain node in every state (expressions are total, so `x * 0` may become `0`).
 */
import { type Congruence, equal as equalSets, plus, valuesOf } from './congruence';
import type {
  BinaryOperator,
  CompareOperator,
  Expression,
  FloatScalar,
  FrameObject,
  IntegerScalar,
  ListQuestion,
  Scalar,
  Variable,
} from './expression';
import { int16, int32, int64, pointer } from './expression';
import type { FunctionDefinition, StaticObject } from './program';

export type IntegerConstant = Extract<Expression, { kind: 'integer' }>;

/** The value of `type` that is congruent to `value` modulo 2^width. */
export function wrap(value: bigint, type: IntegerScalar): bigint {
  return type.signed ? BigInt.asIntN(type.widthBits, value) : BigInt.asUintN(type.widthBits, value);
}
export const minimum = (type: IntegerScalar): bigint => (type.signed ? -(1n << BigInt(type.widthBits - 1)) : 0n);
export const maximum = (type: IntegerScalar): bigint =>
  (1n << BigInt(type.signed ? type.widthBits - 1 : type.widthBits)) - 1n;
export const fits = (value: bigint, type: IntegerScalar): boolean => minimum(type) <= value && value <= maximum(type);
/** Every value of `from` is a value of `to`. */
export const preserves = (from: IntegerScalar, to: IntegerScalar): boolean =>
  minimum(to) <= minimum(from) && maximum(from) <= maximum(to);

export function sameScalar(a: Scalar, b: Scalar): boolean {
  if (a.kind === 'pointer' || b.kind === 'pointer') return a.kind === b.kind;
  if (a.kind === 'float' || b.kind === 'float') return a.kind === b.kind && a.widthBits === b.widthBits;
  return a.widthBits === b.widthBits && a.signed === b.signed;
}

export const integer = (value: bigint | number, type: IntegerScalar): IntegerConstant => ({
  kind: 'integer',
  type,
  value: wrap(BigInt(value), type),
});
export const float = (value: number, type: FloatScalar): Expression => ({
  kind: 'float',
  type,
  value: type.widthBits === 32 ? Math.fround(value) : value,
});
export const nullPointer: Expression = { kind: 'null', type: pointer };
export const yes = integer(1, int32);
export const no = integer(0, int32);
export const read = (variable: Variable): Expression => ({ kind: 'read', type: variable.type, variable });
export const addressOf = (of: StaticObject | FrameObject | FunctionDefinition): Expression => ({
  kind: 'address',
  type: pointer,
  of,
});
/** The beginning of the C variable. */
export const startOf = (object: StaticObject): Expression =>
  object.leadBytes === undefined
    ? addressOf(object)
    : { kind: 'offset', type: pointer, pointer: addressOf(object), delta: integer(object.leadBytes, int64) };
export const load = (type: Scalar, address: Expression): Expression => ({ kind: 'load', type, address });
export function zero(type: Scalar): Expression {
  switch (type.kind) {
    case 'integer':
      return integer(0, type);
    case 'float':
      return float(0, type);
    case 'pointer':
      return nullPointer;
  }
}

export function isConstant(e: Expression, value?: bigint | number): e is IntegerConstant {
  return e.kind === 'integer' && (value === undefined || e.value === BigInt(value));
}

export function unary(operator: 'negate' | 'complement', operand: Expression): Expression {
  const { type } = operand;
  if (operand.kind === 'integer') return integer(operator === 'negate' ? -operand.value : ~operand.value, operand.type);
  if (operand.kind === 'float' && !Number.isNaN(operand.value)) return float(-operand.value, operand.type);
  return { kind: 'unary', type, operator, operand };
}

/** Operands of one type, which is also the result's. For shifts it is the type of the left operand. */
export function binary(operator: BinaryOperator, left: Expression, right: Expression): Expression {
  const { type } = left;
  if (type.kind === 'pointer') throw new Error('arithmetic on a pointer: lowering must use offset');
  if (type.kind === 'float') {
    // C leaves open which NaN an operation yields.
    const result =
      left.kind === 'float' && right.kind === 'float' ? floatResult(operator, left.value, right.value) : NaN;
    return Number.isNaN(result) ? { kind: 'binary', type, operator, left, right } : float(result, type);
  }
  if (left.kind === 'integer' && right.kind === 'integer')
    return integer(integerResult(operator, left.value, right.value, type), type);
  if (left.kind === 'integer' && isCommutative(operator)) return binary(operator, right, left);
  return simplify(operator, left, right, type) ?? { kind: 'binary', type, operator, left, right };
}

function isCommutative(operator: BinaryOperator): boolean {
  return operator === 'add' || operator === 'multiply' || operator === 'and' || operator === 'or' || operator === 'xor';
}

/** The simpler equivalent of an integer operation with at most one constant, if there is one. */
function simplify(
  operator: BinaryOperator,
  left: Expression,
  right: Expression,
  type: IntegerScalar,
): Expression | undefined {
  if (right.kind === 'integer') {
    const c = right.value;
    switch (operator) {
      case 'add':
        if (c === 0n) return left;
        if (left.kind === 'binary' && left.operator === 'add' && left.right.kind === 'integer')
          return binary('add', left.left, integer(left.right.value + c, type));
        return undefined;
      case 'subtract':
      case 'or':
      case 'xor':
      case 'shift-left':
      case 'shift-right':
        if (c === 0n) return left;
        if (operator === 'or' && c === 1n && isBoolean(left)) return integer(1, type);
        return undefined;
      case 'multiply':
        return c === 1n ? left : c === 0n ? right : undefined;
      case 'divide':
        return c === 1n ? left : c === 0n ? right : undefined;
      case 'remainder':
        return c === 1n ? integer(0, type) : undefined;
      case 'and':
        return c === 0n ? right : c === 1n && isBoolean(left) ? left : wrap(-1n, type) === c ? left : undefined;
    }
  }
  if (
    left.kind === 'integer' &&
    left.value === 0n &&
    (operator === 'divide' || operator === 'remainder' || operator === 'shift-left' || operator === 'shift-right')
  )
    return left;
  return undefined;
}

/** The documented total meaning, before the result wraps. */
export function integerResult(operator: BinaryOperator, left: bigint, right: bigint, type: IntegerScalar): bigint {
  const amount = BigInt.asUintN(Math.log2(type.widthBits), right);
  switch (operator) {
    case 'add':
      return left + right;
    case 'subtract':
      return left - right;
    case 'multiply':
      return left * right;
    case 'divide':
      return right === 0n ? 0n : left / right;
    case 'remainder':
      return right === 0n ? left : left % right;
    case 'and':
      return left & right;
    case 'or':
      return left | right;
    case 'xor':
      return left ^ right;
    case 'shift-left':
      return left << amount;
    case 'shift-right':
      return left >> amount;
  }
}

function floatResult(operator: BinaryOperator, left: number, right: number): number {
  switch (operator) {
    case 'add':
      return left + right;
    case 'subtract':
      return left - right;
    case 'multiply':
      return left * right;
    case 'divide':
      return left / right;
    default:
      throw new Error(`no operator ${operator} on floats: the front end rejects it`);
  }
}

/** Certainly 0 or 1. */
export function isBoolean(e: Expression): boolean {
  switch (e.kind) {
    case 'compare':
    case 'is-live':
    case 'is-writable':
    case 'is-heap':
    case 'is-initialised':
    case 'all-reached':
      return true;
    case 'list':
      return e.is !== 'length';
    case 'integer':
      return e.value === 0n || e.value === 1n;
    case 'binary':
      return (
        e.type.kind === 'integer' &&
        (e.operator === 'and' || e.operator === 'or') &&
        isBoolean(e.left) &&
        isBoolean(e.right)
      );
    case 'convert':
      return e.type.kind === 'integer' && isBoolean(e.operand);
    case 'conditional':
      return isBoolean(e.then) && isBoolean(e.otherwise);
    default:
      return false;
  }
}

export function compare(operator: CompareOperator, left: Expression, right: Expression): Expression {
  if (left.kind === 'integer' && right.kind === 'integer') return truthValue(decide(operator, left.value, right.value));
  if (left.kind === 'float' && right.kind === 'float') return truthValue(decide(operator, left.value, right.value));
  if (left.kind === 'integer' && (operator === 'eq' || operator === 'ne')) return compare(operator, right, left);
  if (left.type.kind === 'pointer') {
    const known = samePlace(left, right);
    if (known !== undefined && (operator === 'eq' || operator === 'ne'))
      return truthValue(known === (operator === 'eq'));
  }
  if (left.type.kind !== 'float' && left.kind === 'read' && right.kind === 'read' && left.variable === right.variable) {
    return truthValue(operator === 'eq' || operator === 'le');
  }
  return (
    foldBounded(operator, left, right) ??
    narrowBound(operator, left, right) ?? { kind: 'compare', type: int32, operator, left, right }
  );
}

function decide<T extends bigint | number>(operator: CompareOperator, left: T, right: T): boolean {
  switch (operator) {
    case 'eq':
      return left === right;
    case 'ne':
      return left !== right;
    case 'lt':
      return left < right;
    case 'le':
      return left <= right;
  }
}

/** Comparisons with the ends of the type's range. */
function foldBounded(operator: CompareOperator, left: Expression, right: Expression): Expression | undefined {
  if (left.type.kind !== 'integer') return undefined;
  const [low, high] = [minimum(left.type), maximum(left.type)];
  if (operator === 'le' && (isConstant(left, low) || isConstant(right, high))) return yes;
  if (operator === 'lt' && (isConstant(left, high) || isConstant(right, low))) return no;
  return undefined;
}

/**
 * `(int) c == 65` for a char is `c == 65` on chars. A constant that the narrow type cannot hold decides the comparison.
 */
function narrowBound(operator: CompareOperator, left: Expression, right: Expression): Expression | undefined {
  const inner = right.kind === 'integer' ? widenedFrom(left) : left.kind === 'integer' ? widenedFrom(right) : undefined;
  const constant = right.kind === 'integer' ? right : left.kind === 'integer' ? left : undefined;
  if (!inner || !constant || inner.type.kind !== 'integer') return undefined;
  const narrow = inner.type;
  if (fits(constant.value, narrow)) {
    const c = integer(constant.value, narrow);
    return constant === right ? compare(operator, inner, c) : compare(operator, c, inner);
  }
  if (operator === 'eq' || operator === 'ne') return truthValue(operator === 'ne');
  const tooLarge = constant.value > maximum(narrow);
  return truthValue(constant === right ? tooLarge : !tooLarge);
}

function widenedFrom(e: Expression): Expression | undefined {
  if (e.kind !== 'convert' || e.type.kind !== 'integer' || e.operand.type.kind !== 'integer') return undefined;
  return preserves(e.operand.type, e.type) ? e.operand : undefined;
}

/**
 * True if two pointers are certainly equal, false if they certainly differ. Distinct objects have distinct numbers,
 * none of them 0. But one object may end where another begins (C11 6.5.9p6).
 */
function samePlace(left: Expression, right: Expression): boolean | undefined {
  const [a, b] = [staticPlace(left), staticPlace(right)];
  if (a === undefined || b === undefined) return undefined;
  if (a.object !== b.object) return mayMeet(a, b) || mayMeet(b, a) ? undefined : false;
  if (a.delta === undefined || b.delta === undefined || !fits(a.delta, int16) || !fits(b.delta, int16))
    return undefined;
  return a.delta === b.delta;
}

interface StaticPlace {
  readonly object: StaticObject | FrameObject | FunctionDefinition | undefined;
  readonly delta: bigint | undefined;
}

/** The first may be the end of its object, and the second the beginning of its own. */
function mayMeet(end: StaticPlace, begin: StaticPlace): boolean {
  if (!end.object || !begin.object || end.object.kind === 'function') return false;
  return (
    (end.delta === undefined || end.delta === BigInt(end.object.sizeBytes)) &&
    (begin.delta === undefined || begin.delta === 0n)
  );
}

function staticPlace(e: Expression): StaticPlace | undefined {
  if (e.kind === 'null') return { object: undefined, delta: 0n };
  if (e.kind === 'address') return { object: e.of, delta: 0n };
  if (e.kind === 'offset' && e.pointer.kind === 'address')
    return { object: e.pointer.of, delta: e.delta.kind === 'integer' ? e.delta.value : undefined };
  return undefined;
}

export const truthValue = (value: boolean): Expression => (value ? yes : no);
export const equal = (left: Expression, right: Expression): Expression => compare('eq', left, right);
export const notEqual = (left: Expression, right: Expression): Expression => compare('ne', left, right);
export const less = (left: Expression, right: Expression): Expression => compare('lt', left, right);
export const atMost = (left: Expression, right: Expression): Expression => compare('le', left, right);

/** As a condition: int32, 0 or 1. */
export function truth(e: Expression): Expression {
  if (e.type.kind === 'integer' && isBoolean(e)) {
    if (e.kind === 'convert') return truth(e.operand);
    return sameScalar(e.type, int32) ? e : convert(e, int32);
  }
  if (
    e.kind === 'convert' &&
    e.type.kind === 'integer' &&
    e.operand.type.kind === 'integer' &&
    preserves(e.operand.type, e.type)
  )
    return truth(e.operand);
  return notEqual(e, zero(e.type));
}

/** The opposite condition. */
export function not(e: Expression): Expression {
  const condition = truth(e);
  if (condition.kind === 'compare') {
    const { left, right } = condition;
    switch (condition.operator) {
      case 'eq':
        return compare('ne', left, right);
      case 'ne':
        return compare('eq', left, right);
      case 'lt':
        if (left.type.kind !== 'float') return compare('le', right, left);
        break;
      case 'le':
        if (left.type.kind !== 'float') return compare('lt', right, left);
        break;
    }
  }
  return equal(condition, no);
}

/** Conjunction of conditions. */
export function and(...conditions: readonly Expression[]): Expression {
  return conditions.map(truth).reduce((a, b) => (isConstant(a, 1) ? b : binary('and', a, b)), yes);
}
/** Disjunction of conditions. */
export function or(...conditions: readonly Expression[]): Expression {
  return conditions.map(truth).reduce((a, b) => (isConstant(a, 0) ? b : isConstant(a, 1) ? a : binary('or', a, b)), no);
}

export function convert(operand: Expression, type: Scalar): Expression {
  const from = operand.type;
  if (sameScalar(from, type)) return operand;
  if (operand.kind === 'integer' && type.kind === 'integer') return integer(operand.value, type);
  if (
    operand.kind === 'integer' &&
    type.kind === 'float' &&
    (type.widthBits === 64 || Number.isSafeInteger(Number(operand.value)))
  )
    return float(Number(operand.value), type);
  if (operand.kind === 'integer' && type.kind === 'pointer' && operand.value === 0n) return nullPointer;
  if (operand.kind === 'null' && type.kind === 'integer') return integer(0, type);
  if (operand.kind === 'float' && type.kind === 'float') return float(operand.value, type);
  if (operand.kind === 'float' && type.kind === 'integer' && Number.isFinite(operand.value)) {
    const truncated = BigInt(Math.trunc(operand.value));
    if (fits(truncated, type)) return integer(truncated, type);
  }
  if (operand.kind === 'convert') {
    const inner = operand.operand;
    if (type.kind === 'integer' && from.kind === 'integer' && inner.type.kind === 'integer') {
      if (from.widthBits >= type.widthBits || preserves(inner.type, from)) return convert(inner, type);
    }
    if (type.kind === 'pointer' && from.kind === 'integer' && from.widthBits === 64 && inner.type.kind === 'pointer')
      return inner;
  }
  return { kind: 'convert', type, operand };
}

export function conditional(condition: Expression, then: Expression, otherwise: Expression): Expression {
  const c = truth(condition);
  if (c.kind === 'integer') return c.value === 0n ? otherwise : then;
  if (then.kind === 'integer' && otherwise.kind === 'integer') {
    if (then.value === otherwise.value) return then;
    if (then.value === 1n && otherwise.value === 0n) return convert(c, then.type);
    if (then.value === 0n && otherwise.value === 1n) return convert(not(c), then.type);
  }
  return { kind: 'conditional', type: then.type, condition: c, then, otherwise };
}

/** Pointer plus bytes. `delta` is an int64 and lies in `within` if that is given. */
export function offset(base: Expression, delta: Expression, within: Congruence = valuesOf(delta)): Expression {
  if (isConstant(delta, 0)) return base;
  const isKnown = equalSets(within, valuesOf(delta));
  if (base.kind === 'offset')
    return offset(
      base.pointer,
      binary('add', base.delta, delta),
      base.within || !isKnown ? plus(base.within ?? valuesOf(base.delta), within) : undefined,
    );
  return { kind: 'offset', type: pointer, pointer: base, delta, ...(!isKnown && { within }) };
}

export function objectOf(p: Expression): Expression {
  if (p.kind === 'null') return integer(0, int64);
  if (p.kind === 'offset') return objectOf(p.pointer);
  if (p.kind === 'address' && p.of.kind === 'static-object') return integer(p.of.number, int64);
  return { kind: 'object-of', type: int64, pointer: p };
}

/** The test of a C programmer: `p != NULL`. Null plus an offset passes; it lies in no live object. */
export function isNonNull(p: Expression): Expression {
  if (p.kind === 'offset') return isNonNull(p.pointer);
  if (p.kind === 'address') return yes;
  return notEqual(p, nullPointer);
}

export function offsetOf(p: Expression): Expression {
  if (p.kind === 'null' || p.kind === 'address') return integer(0, int64);
  if (p.kind === 'offset' && p.pointer.kind === 'address' && p.delta.kind === 'integer' && fits(p.delta.value, int16))
    return p.delta;
  return { kind: 'offset-of', type: int64, pointer: p };
}

export function objectSize(p: Expression): Expression {
  if (p.kind === 'null') return integer(0, int64);
  if (p.kind === 'offset') return objectSize(p.pointer);
  if (p.kind === 'address' && p.of.kind !== 'function') return integer(p.of.sizeBytes, int64);
  return { kind: 'object-size', type: int64, pointer: p };
}

/** The number of bytes from the pointer to the end of its object; 0 behind the end. */
export function bytesFrom(p: Expression): Expression {
  const bytes = binary('subtract', objectSize(p), offsetOf(p));
  return conditional(atMost(zero(int64), bytes), bytes, zero(int64));
}

/** Both pointers lead into one object, alive or not; behind null there is none. */
export function sameObject(p: Expression, q: Expression): Expression {
  const [one, other] = [objectOf(p), objectOf(q)];
  return and(notEqual(one, zero(int64)), compare('eq', one, other));
}

export function isLive(p: Expression): Expression {
  if (p.kind === 'null') return no;
  if (p.kind === 'offset') return isLive(p.pointer);
  if (p.kind === 'address' && p.of.kind === 'static-object') return yes;
  return { kind: 'is-live', type: int32, pointer: p };
}

export function isWritable(p: Expression): Expression {
  if (p.kind === 'offset') return isWritable(p.pointer);
  if (p.kind === 'address' && p.of.kind === 'static-object') return truthValue(p.of.writable);
  if (p.kind === 'address' && p.of.kind === 'frame-object') return yes;
  return { kind: 'is-writable', type: int32, pointer: p };
}

export function isHeap(p: Expression): Expression {
  if (p.kind === 'null' || p.kind === 'address') return no;
  if (p.kind === 'offset') return isHeap(p.pointer);
  return { kind: 'is-heap', type: int32, pointer: p };
}

export function allReached(from: readonly Expression[]): Expression {
  return { kind: 'all-reached', type: int32, from };
}

/** `linkBytes`: from where a pointer to a node leads to the pointer to the next one. */
export function listQuestion(
  is: ListQuestion['is'],
  list: Expression,
  { linkBytes, nodeBytes }: Pick<ListQuestion, 'linkBytes' | 'nodeBytes'>,
  node: Expression = nullPointer,
  condition: Expression = yes,
): Expression {
  const link = { kind: 'load', type: pointer, address: offset(list, integer(linkBytes, int64)) } as const;
  return { kind: 'list', is, type: is === 'length' ? int64 : int32, list, link, linkBytes, nodeBytes, node, condition };
}

export function isInitialised(p: Expression, sizeBytes: number): Expression {
  const base = p.kind === 'offset' ? p.pointer : p;
  if (base.kind === 'address' && base.of.kind === 'static-object' && !base.of.writable) return yes;
  return { kind: 'is-initialised', type: int32, pointer: p, sizeBytes };
}
