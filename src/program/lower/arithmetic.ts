/**
 * Arithmetic and the conditions under which it is defined (C11 6.5). The conditions are IR expressions and hence total.
 * Up to 32 bits a result is compared with the range in 64-bit arithmetic. In more bits the operands are compared with
 * the remaining range, or a product is divided again. With one constant operand every condition is a bound on the
 * other.
 *
 * For shifts only the amount is checked. Left shifts of negative numbers, and those that lose bits, have GCC's meaning.
 */
import type { Span } from '../../c/source';
import type { ArithmeticOperator } from '../../c/tree';
import type { CType } from '../../c/types';
import {
  and,
  atMost,
  binary,
  compare,
  conditional,
  convert,
  equal,
  float,
  integer,
  isConstant,
  less,
  maximum,
  minimum,
  not,
  notEqual,
  or,
  truth,
  unary,
  yes,
  zero,
} from '../build';
import type { BinaryOperator, Expression, IntegerScalar } from '../expression';
import { float64, int64 } from '../expression';
import type { FunctionLowering } from './context';
import { isBool, scalarOf } from './objects/layout';

const operators: Readonly<Record<ArithmeticOperator, BinaryOperator>> = {
  '+': 'add',
  '-': 'subtract',
  '*': 'multiply',
  '/': 'divide',
  '%': 'remainder',
  '&': 'and',
  '|': 'or',
  '^': 'xor',
  '<<': 'shift-left',
  '>>': 'shift-right',
};

/** Operands have the operation's type; the right operand of a shift has its own. */
export function arithmetic(
  f: FunctionLowering,
  operator: ArithmeticOperator,
  left: Expression,
  right: Expression,
  span: Span,
): Expression {
  const { type } = left;
  if (type.kind !== 'integer' || !needsCheck(operator, type, right) || isExact(operator, left, right, type))
    return binary(operators[operator], left, right);
  const [l, r] = [f.nameValue(left, 'left', span), f.nameValue(right, 'right', span)];
  checkInteger(f, operator, l, r, type, span);
  return binary(operators[operator], l, r);
}

/**
 * A result of 128 bits that was computed from narrower operands and is in range whatever they are. In 64 bits the
 * solver decides it at once.
 */
function isExact(operator: ArithmeticOperator, left: Expression, right: Expression, type: IntegerScalar): boolean {
  if (type.widthBits !== 128 || (operator !== '+' && operator !== '-' && operator !== '*')) return false;
  const [x, y] = [magnitudeBits(left), magnitudeBits(right)];
  return operator === '*' ? x + y <= 126 : Math.max(x, y) <= 125;
}

/** A number n, at most the width, with |e| <= 2^n. */
function magnitudeBits(e: Expression): number {
  if (e.type.kind !== 'integer') throw new Error('arithmetic has operands of one type');
  if (e.kind === 'integer') return (e.value < 0n ? -e.value : e.value).toString(2).length;
  const from = e.kind === 'convert' && e.operand.type.kind === 'integer' ? e.operand.type : e.type;
  const narrower = from.widthBits < e.type.widthBits ? from : e.type;
  return narrower.signed ? narrower.widthBits - 1 : narrower.widthBits;
}

export function negation(f: FunctionLowering, operand: Expression, span: Span): Expression {
  if (operand.type.kind !== 'integer' || !operand.type.signed) return unary('negate', operand);
  const x = f.nameValue(operand, 'operand', span);
  f.check('signed-overflow', notEqual(x, integer(minimum(operand.type), operand.type)), span, {
    ifUnchecked: 'ignore',
  });
  return unary('negate', x);
}

function needsCheck(operator: ArithmeticOperator, type: IntegerScalar, right: Expression): boolean {
  switch (operator) {
    case '+':
    case '-':
    case '*':
      return type.signed;
    case '/':
    case '%':
      return !isConstant(right) || right.value === 0n || right.value === -1n;
    case '<<':
      return type.signed || !isConstant(right) || right.value >= BigInt(type.widthBits);
    case '>>':
      return !isConstant(right) || right.value < 0n || right.value >= BigInt(type.widthBits);
    case '&':
    case '|':
    case '^':
      return false;
  }
}

function checkInteger(
  f: FunctionLowering,
  operator: ArithmeticOperator,
  left: Expression,
  right: Expression,
  type: IntegerScalar,
  span: Span,
): void {
  switch (operator) {
    case '+':
    case '-':
    case '*':
      if (type.signed)
        f.check('signed-overflow', staysInRange(operator, left, right, type), span, { ifUnchecked: 'ignore' });
      return;
    case '/':
    case '%':
      f.check('division-by-zero', notEqual(right, zero(type)), span, { ifUnchecked: 'assume' });
      if (type.signed)
        f.check(
          'signed-overflow',
          or(notEqual(left, integer(minimum(type), type)), notEqual(right, integer(-1, type))),
          span,
          { ifUnchecked: 'ignore' },
        );
      return;
    case '<<':
    case '>>':
      f.check('shift', amountInRange(right, type), span, { ifUnchecked: 'ignore' });
      if (operator === '<<' && type.signed)
        f.check('shift-overflow', staysPositive(left, right, type), span, { ifUnchecked: 'ignore' });
      return;
    case '&':
    case '|':
    case '^':
      return;
  }
}

/**
 * 6.5.7p4: the shifted value must not be negative, and no set bit may be lost or reach the sign. The amount is in
 * range.
 */
function staysPositive(left: Expression, amount: Expression, type: IntegerScalar): Expression {
  const most = binary('shift-right', integer(maximum(type), type), amount);
  return and(atMost(zero(type), left), atMost(left, most));
}

function amountInRange(amount: Expression, shifted: IntegerScalar): Expression {
  const type = amount.type as IntegerScalar;
  return and(atMost(zero(type), amount), atMost(amount, integer(shifted.widthBits - 1, type)));
}

/** The exact result of a signed operation is a value of its type. */
export function staysInRange(
  operator: '+' | '-' | '*',
  left: Expression,
  right: Expression,
  type: IntegerScalar,
): Expression {
  if (isConstant(right)) return withConstant(operator, left, right.value, type);
  if (isConstant(left) && operator !== '-') return withConstant(operator, right, left.value, type);
  if (type.widthBits <= 32) {
    const exact = binary(operators[operator], convert(left, int64), convert(right, int64));
    return within(exact, minimum(type), maximum(type));
  }
  return inWords(operator, left, right, type);
}

export function within(e: Expression, low: bigint, high: bigint): Expression {
  const type = e.type as IntegerScalar;
  return and(atMost(integer(low, type), e), atMost(e, integer(high, type)));
}

function withConstant(operator: '+' | '-' | '*', x: Expression, c: bigint, type: IntegerScalar): Expression {
  const [low, high] = [minimum(type), maximum(type)];
  if (operator === '*') {
    if (c === 0n || c === 1n) return yes;
    if (c === -1n) return notEqual(x, integer(low, type));
    return c > 0n ? within(x, low / c, high / c) : within(x, high / c, low / c);
  }
  const added = operator === '+' ? c : -c;
  return added >= 0n ? atMost(x, integer(high - added, type)) : atMost(integer(low - added, type), x);
}

/** Without a wider type for the computation. */
function inWords(operator: '+' | '-' | '*', x: Expression, y: Expression, type: IntegerScalar): Expression {
  const [low, high, nothing] = [integer(minimum(type), type), integer(maximum(type), type), zero(type)];
  switch (operator) {
    case '+':
      return conditional(
        less(y, nothing),
        atMost(binary('subtract', low, y), x),
        atMost(x, binary('subtract', high, y)),
      );
    // x - y for y < 0: x <= high + y; else low + y <= x.
    case '-':
      return conditional(less(y, nothing), atMost(x, binary('add', high, y)), atMost(binary('add', low, y), x));
    case '*': {
      const product = binary('multiply', x, y);
      const minusOne = integer(-1, type);
      return or(
        equal(y, nothing),
        and(equal(y, minusOne), notEqual(x, low)),
        and(not(equal(y, minusOne)), equal(binary('divide', product, y), x)),
      );
    }
  }
}

/** A scalar conversion. From floating to integer types the value must fit after truncation (C11 6.3.1.4). */
export function castScalar(f: FunctionLowering, value: Expression, to: CType, span: Span): Expression {
  if (isBool(to)) return convert(truth(value), scalarOf(to));
  const type = scalarOf(to);
  if (value.type.kind === 'float' && type.kind === 'integer') {
    const wide = convert(value, float64);
    const [low, high] = [Number(minimum(type)), Number(maximum(type) + 1n)];
    const above =
      type.widthBits >= 64 && type.signed
        ? compare('le', float(low, float64), wide)
        : compare('lt', float(low - 1, float64), wide);
    f.check('conversion', and(above, compare('lt', wide, float(high, float64))), span, { ifUnchecked: 'ignore' });
  }
  return convert(value, type);
}
