/**
 * Constant expressions, C11 6.6, computed on the typed tree: integers exactly as their types say (results wrap), floats
 * as IEEE doubles (rounded to single precision where the type says so), addresses as symbol plus bytes. Undefined means
 * "not a constant": also for division by zero and shifts by too much. Nothing is assumed about variables unless their
 * values are handed in.
 */
import { sizeOf } from './layout';
import { integerOf, isInteger, wrap } from './target';
import type { ArithmeticOperator, TypedExpression, FunctionSymbol, RelationalOperator, VariableSymbol } from './tree';
import type { CType, DataModel } from './types';
import { pointerBytes } from './types';

export type AddressBase = VariableSymbol | FunctionSymbol | Extract<TypedExpression, { kind: 'string' }>;
export type Constant =
  | { readonly kind: 'integer'; readonly value: bigint }
  | { readonly kind: 'float'; readonly value: number }
  /** Without a base: an absolute address; the null pointer is offset 0. */
  | { readonly kind: 'address'; readonly base: AddressBase | undefined; readonly offset: bigint };

export interface ConstantOptions {
  readonly model: DataModel;
  /** Values of constant variables. */
  readonly variables?: ReadonlyMap<VariableSymbol, Constant>;
  /** Told when a signed operation left its type's range. */
  readonly onOverflow?: (expression: TypedExpression) => void;
}

const integer = (value: bigint): Constant => ({ kind: 'integer', value });
const truth = (value: boolean): Constant => integer(value ? 1n : 0n);

export function evaluateConstant(e: TypedExpression, options: ConstantOptions): Constant | undefined {
  const evaluate = (operand: TypedExpression): Constant | undefined => evaluateConstant(operand, options);
  switch (e.kind) {
    case 'integer':
      return integer(e.value);
    case 'float':
      return { kind: 'float', value: e.value };
    case 'load':
      return e.lvalue.kind === 'variable' ? options.variables?.get(e.lvalue.symbol) : undefined;
    case 'decay':
    case 'address-of':
      return addressOf(e.lvalue, options);
    case 'function-pointer':
      return e.designator.kind === 'function' ? { kind: 'address', base: e.designator.symbol, offset: 0n } : undefined;
    case 'convert': {
      const operand = evaluate(e.operand);
      return operand && convertConstant(operand, e.operand.type, e.type, options.model);
    }
    case 'unary': {
      const operand = evaluate(e.operand);
      if (operand?.kind === 'integer') return fits(e, e.operator === '-' ? -operand.value : ~operand.value, options);
      if (operand?.kind === 'float') return { kind: 'float', value: -operand.value };
      return undefined;
    }
    case 'not': {
      const operand = evaluate(e.operand);
      const is = operand && truthOf(operand);
      return is === undefined ? undefined : truth(!is);
    }
    case 'arithmetic': {
      const left = evaluate(e.left);
      const right = evaluate(e.right);
      if (left?.kind === 'integer' && right?.kind === 'integer')
        return integerArithmetic(e, left.value, right.value, options);
      if (left?.kind === 'float' && right?.kind === 'float')
        return floatArithmetic(e.operator, left.value, right.value, e.type);
      return undefined;
    }
    case 'relational': {
      const left = evaluate(e.left);
      const right = evaluate(e.right);
      return left && right && relation(e.operator, left, right);
    }
    case 'logical': {
      const left = evaluate(e.left);
      const first = left && truthOf(left);
      if (first === undefined) return undefined;
      if (first === (e.operator === '||')) return truth(first);
      const right = evaluate(e.right);
      const second = right && truthOf(right);
      return second === undefined ? undefined : truth(second);
    }
    case 'conditional': {
      const condition = evaluate(e.condition);
      const holds = condition && truthOf(condition);
      if (holds === undefined) return undefined;
      if (!holds) return evaluate(e.otherwise);
      return e.then ? evaluate(e.then) : convertConstant(condition!, e.condition.type, e.type, options.model);
    }
    case 'pointer-add': {
      const pointer = evaluate(e.pointer);
      const index = evaluate(e.index);
      const size = e.type.kind === 'pointer' ? elementSize(e.type.to, options.model) : undefined;
      if (pointer?.kind !== 'address' || index?.kind !== 'integer' || size === undefined) return undefined;
      const delta = index.value * BigInt(size);
      return { ...pointer, offset: e.subtract ? pointer.offset - delta : pointer.offset + delta };
    }
    case 'pointer-difference': {
      const left = evaluate(e.left);
      const right = evaluate(e.right);
      const size = e.left.type.kind === 'pointer' ? elementSize(e.left.type.to, options.model) : undefined;
      if (left?.kind !== 'address' || right?.kind !== 'address' || left.base !== right.base || !size) return undefined;
      return integer((left.offset - right.offset) / BigInt(size));
    }
    case 'string':
    case 'variable':
    case 'function':
    case 'dereference':
    case 'member':
    case 'compound-literal':
    case 'assign':
    case 'compound-assign':
    case 'pointer-update':
    case 'increment':
    case 'call':
    case 'comma':
    case 'statement-expression':
    case 'va-start':
    case 'va-arg':
    case 'va-copy':
    case 'va-end':
      return undefined;
  }
}

/** GNU: `void` and functions count as one byte. */
export function elementSize(type: CType, model: DataModel): number | undefined {
  return type.kind === 'void' || type.kind === 'function' ? 1 : sizeOf(type, model);
}

function addressOf(lvalue: TypedExpression, options: ConstantOptions): Constant | undefined {
  switch (lvalue.kind) {
    case 'variable':
      return lvalue.symbol.storage === 'automatic' || lvalue.symbol.storage === 'parameter'
        ? undefined
        : { kind: 'address', base: lvalue.symbol, offset: 0n };
    case 'string':
      return { kind: 'address', base: lvalue, offset: 0n };
    case 'function':
      return { kind: 'address', base: lvalue.symbol, offset: 0n };
    case 'dereference': {
      const pointer = evaluateConstant(lvalue.pointer, options);
      return pointer?.kind === 'address' ? pointer : undefined;
    }
    case 'member': {
      const object = addressOf(lvalue.object, options);
      return object?.kind === 'address' && !lvalue.field.bits
        ? { ...object, offset: object.offset + BigInt(lvalue.field.offsetBytes) }
        : undefined;
    }
    default:
      return undefined;
  }
}

/** Undefined where C defines no value: a float out of the integer's range. */
export function convertConstant(c: Constant, from: CType, to: CType, model: DataModel): Constant | undefined {
  if (isInteger(to)) {
    const { widthBits, signed, name } = integerOf(to);
    if (name === 'bool') {
      const is = truthOf(c);
      return is === undefined ? undefined : truth(is);
    }
    if (c.kind === 'integer') return integer(wrap(c.value, to));
    if (c.kind === 'address') {
      if (c.base === undefined) return integer(wrap(c.offset, to));
      return widthBits >= pointerBytes(model) * 8 ? c : undefined;
    }
    const truncated = Math.trunc(c.value);
    if (!Number.isFinite(truncated)) return undefined;
    const value = BigInt(truncated);
    const [low, high] = signed
      ? [-(1n << BigInt(widthBits - 1)), (1n << BigInt(widthBits - 1)) - 1n]
      : [0n, (1n << BigInt(widthBits)) - 1n];
    return value < low || value > high ? undefined : integer(value);
  }
  if (to.kind === 'float') {
    if (c.kind === 'address') return undefined;
    if (c.kind === 'integer')
      return { kind: 'float', value: to.widthBits === 32 ? singleFromInteger(c.value) : Number(c.value) };
    return { kind: 'float', value: to.widthBits === 32 ? Math.fround(c.value) : c.value };
  }
  if (to.kind === 'pointer') {
    if (c.kind === 'address') return c;
    if (c.kind === 'integer')
      return {
        kind: 'address',
        base: undefined,
        offset: BigInt.asUintN(pointerBytes(model) * 8, isInteger(from) ? c.value : 0n),
      };
  }
  return undefined;
}

/** The nearest binary32 number, rounded once: the bits that do not fit in 53 are folded into a sticky last one. */
export function singleFromInteger(value: bigint): number {
  const magnitude = value < 0n ? -value : value;
  const length = magnitude.toString(2).length;
  if (length <= 53) return Math.fround(Number(value));
  const shift = BigInt(length - 40);
  const kept = ((magnitude >> shift) << 1n) | ((magnitude & ((1n << shift) - 1n)) === 0n ? 0n : 1n);
  const rounded = Math.fround(Number(kept) * 2 ** Number(shift - 1n));
  return value < 0n ? -rounded : rounded;
}

function truthOf(c: Constant): boolean | undefined {
  switch (c.kind) {
    case 'integer':
      return c.value !== 0n;
    case 'float':
      return c.value !== 0;
    case 'address':
      return c.base === undefined ? c.offset !== 0n : c.offset === 0n ? true : undefined;
  }
}

function fits(e: TypedExpression, value: bigint, options: ConstantOptions): Constant | undefined {
  if (!isInteger(e.type)) return undefined;
  const wrapped = wrap(value, e.type);
  if (wrapped !== value && integerOf(e.type).signed) options.onOverflow?.(e);
  return integer(wrapped);
}

function integerArithmetic(
  e: Extract<TypedExpression, { kind: 'arithmetic' }>,
  a: bigint,
  b: bigint,
  options: ConstantOptions,
): Constant | undefined {
  switch (e.operator) {
    case '+':
      return fits(e, a + b, options);
    case '-':
      return fits(e, a - b, options);
    case '*':
      return fits(e, a * b, options);
    case '/':
      return b === 0n ? undefined : fits(e, a / b, options);
    case '%':
      return b === 0n ? undefined : fits(e, a % b, options);
    case '&':
      return fits(e, a & b, options);
    case '|':
      return fits(e, a | b, options);
    case '^':
      return fits(e, a ^ b, options);
    case '<<':
    case '>>': {
      if (!isInteger(e.type) || b < 0n || b >= BigInt(integerOf(e.type).widthBits)) return undefined;
      return fits(e, e.operator === '<<' ? a << b : a >> b, options);
    }
  }
}

function floatArithmetic(operator: ArithmeticOperator, a: number, b: number, type: CType): Constant | undefined {
  const round = (value: number): Constant => ({
    kind: 'float',
    value: type.kind === 'float' && type.widthBits === 32 ? Math.fround(value) : value,
  });
  switch (operator) {
    case '+':
      return round(a + b);
    case '-':
      return round(a - b);
    case '*':
      return round(a * b);
    case '/':
      return round(a / b);
    default:
      return undefined;
  }
}

function relation(operator: RelationalOperator, a: Constant, b: Constant): Constant | undefined {
  if (a.kind === 'integer' && b.kind === 'integer') return truth(compare(operator, a.value, b.value));
  if (a.kind === 'float' && b.kind === 'float') return truth(compare(operator, a.value, b.value));
  if (a.kind === 'address' && b.kind === 'address') {
    if (a.base === b.base) return truth(compare(operator, a.offset, b.offset));
    const againstNull =
      (a.base === undefined && a.offset === 0n && b.offset === 0n) ||
      (b.base === undefined && b.offset === 0n && a.offset === 0n);
    if (againstNull && (operator === '==' || operator === '!=')) return truth(operator === '!=');
  }
  return undefined;
}

function compare<T extends bigint | number>(operator: RelationalOperator, a: T, b: T): boolean {
  switch (operator) {
    case '==':
      return a === b;
    case '!=':
      return a !== b;
    case '<':
      return a < b;
    case '<=':
      return a <= b;
    case '>':
      return a > b;
    case '>=':
      return a >= b;
  }
}
