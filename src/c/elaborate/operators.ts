/**
 * Binary operators, assignment, increment, subscript and `?:` on operands that are already elaborated (C11 6.5.2.1,
 * 6.5.2.4, 6.5.5-6.5.16).
 */
import { elementSize } from '../constant';
import { printType } from '../printType';
import type { Span } from '../source';
import type { BinaryOperatorToken, SyntaxExpression } from '../syntax';
import { isArithmetic, integerOf, isInteger, isScalar, withoutQualifiers, voidType } from '../target';
import type { ArithmeticOperator, TypedExpression } from '../tree';
import { compatibleUnqualified } from '../typeRelations';
import type { CType, PointerType } from '../types';
import { unreachable } from '../../unreachable';
import type { ElaborationContext } from './context';
import {
  assignable,
  commonPointer,
  commonType,
  convert,
  isLvalue,
  isNullConstant,
  promote,
  reduce,
  reducedWidth,
  requireScalar,
  warnOfWideBitField,
} from './conversions';
import { expression, rvalueOf } from './expressions';
import { isLabelAddress } from './labelAddresses';
import { arraysBetween, bytesOf, isVariableArray, stepPointer } from './variableArrays';

/** Operands are rvalues. */
export function binary(
  ctx: ElaborationContext,
  operator: BinaryOperatorToken,
  left: TypedExpression,
  right: TypedExpression,
  span: Span,
): TypedExpression {
  for (const operand of [left, right])
    if (operand.type.kind === 'void') ctx.log.fail('this expression has no value: its type is void', operand.span);
  switch (operator) {
    case '&&':
    case '||':
      requireScalar(ctx, left, `an operand of '${operator}'`);
      requireScalar(ctx, right, `an operand of '${operator}'`);
      return { kind: 'logical', operator, left, right, type: ctx.target.integers.int, span };
    case '==':
    case '!=':
    case '<':
    case '<=':
    case '>':
    case '>=':
      return comparison(ctx, operator, left, right, span);
    case '+':
    case '-':
      if (left.type.kind === 'pointer' || right.type.kind === 'pointer')
        return pointerArithmetic(ctx, operator, left, right, span);
      return arithmetic(ctx, operator, left, right, span);
    case '*':
    case '/':
    case '%':
    case '&':
    case '|':
    case '^':
    case '<<':
    case '>>':
      return arithmetic(ctx, operator, left, right, span);
    default:
      return unreachable(operator);
  }
}

function invalidOperands(
  ctx: ElaborationContext,
  operator: string,
  left: TypedExpression,
  right: TypedExpression,
  span: Span,
  hint?: string,
): never {
  return ctx.log.fail(
    `invalid operands of '${operator}': '${printType(left.type)}' and '${printType(right.type)}'`,
    span,
    hint === undefined ? {} : { hint },
  );
}

const onIntegersOnly: ReadonlySet<string> = new Set(['%', '&', '|', '^', '<<', '>>']);

function arithmetic(
  ctx: ElaborationContext,
  operator: ArithmeticOperator,
  left: TypedExpression,
  right: TypedExpression,
  span: Span,
): TypedExpression {
  const suits = onIntegersOnly.has(operator) ? isInteger : isArithmetic;
  if (!suits(left.type) || !suits(right.type)) return invalidOperands(ctx, operator, left, right, span);
  if (operator === '<<' || operator === '>>') {
    warnOfWideBitField(ctx, left);
    const shifted = promote(ctx, left);
    return reduce(
      { kind: 'arithmetic', operator, left: shifted, right: promote(ctx, right), type: shifted.type, span },
      reducedWidth(ctx, shifted.type, [left]),
    );
  }
  const type = commonType(ctx, left, right);
  const width = reducedWidth(ctx, type, [left, right]);
  return reduce(
    {
      kind: 'arithmetic',
      operator,
      left: reduce(convert(left, type), width),
      right: reduce(convert(right, type), width),
      type,
      span,
    },
    width,
  );
}

function pointerArithmetic(
  ctx: ElaborationContext,
  operator: '+' | '-',
  left: TypedExpression,
  right: TypedExpression,
  span: Span,
): TypedExpression {
  if (left.type.kind === 'pointer' && right.type.kind === 'pointer') {
    if (operator === '+') return invalidOperands(ctx, '+', left, right, span);
    if (!compatibleUnqualified(withoutQualifiers(left.type.to), withoutQualifiers(right.type.to)))
      return invalidOperands(ctx, '-', left, right, span, 'Only pointers to the same type can be subtracted.');
    if (isVariableArray(left.type.to)) return arraysBetween(ctx, left, right, left.type.to, span);
    if (requireElement(ctx, left, span) === 0) ctx.log.fail('subtraction of pointers to elements of size 0', span);
    if (isLabelAddress(left) || isLabelAddress(right))
      return ctx.log.fail('differences of labels are not supported', span, {
        hint: "A table may have the labels themselves, as in 'static void *t[] = {&&a, &&b};'.",
      });
    return { kind: 'pointer-difference', left, right, type: ctx.target.pointerDifference, span };
  }
  const [pointer, index] = left.type.kind === 'pointer' ? [left, right] : [right, left];
  refuseLongIndex(ctx, index);
  if (!isInteger(index.type) || (operator === '-' && pointer === right))
    return invalidOperands(ctx, operator, left, right, span);
  if (pointer.type.kind === 'pointer' && isVariableArray(pointer.type.to))
    return stepPointer(ctx, pointer, index, operator === '-' ? 'back' : 'forward', pointer.type.to, span);
  requireElement(ctx, pointer, span);
  return {
    kind: 'pointer-add',
    pointer,
    index: promote(ctx, index),
    subtract: operator === '-',
    subscript: false,
    type: pointer.type,
    span,
  };
}

/** The distance by which `target` moves. */
function step(
  ctx: ElaborationContext,
  target: TypedExpression,
  index: TypedExpression,
  element: CType,
  span: Span,
): { readonly index: TypedExpression; readonly inBytes?: true } {
  refuseLongIndex(ctx, index);
  if (isVariableArray(element)) return { index: bytesOf(ctx, index, element, span), inBytes: true };
  requireElement(ctx, target, span);
  return { index };
}

/** No object has so many elements, and compilers cut off the upper bits. */
function refuseLongIndex(ctx: ElaborationContext, index: TypedExpression): void {
  if (isInteger(index.type) && integerOf(index.type).widthBits === 128)
    ctx.log.failUnsupported(`indices of type '${printType(index.type)}' are not supported: cast it`, index.span);
}

function requireElement(ctx: ElaborationContext, pointer: TypedExpression, span: Span): number {
  const { to } = pointer.type as PointerType;
  const size = elementSize(to, ctx.model);
  if (size === undefined)
    return ctx.log.fail(`arithmetic on a pointer to the incomplete type '${printType(to)}'`, span);
  return size;
}

export function subscript(
  ctx: ElaborationContext,
  array: TypedExpression,
  index: TypedExpression,
  span: Span,
): TypedExpression {
  const [pointer, position] = array.type.kind === 'pointer' ? [array, index] : [index, array];
  if (pointer.type.kind !== 'pointer')
    return ctx.log.fail(`'[…]' needs an array or a pointer, not '${printType(array.type)}'`, span);
  if (!isInteger(position.type))
    return ctx.log.fail(`an index must be an integer, not '${printType(position.type)}'`, position.span);
  refuseLongIndex(ctx, position);
  if (pointer.type.to.kind === 'function' || pointer.type.to.kind === 'void')
    return ctx.log.fail(`'[…]' needs an array or a pointer to objects, not '${printType(pointer.type)}'`, span);
  if (isVariableArray(pointer.type.to))
    return {
      kind: 'dereference',
      pointer: stepPointer(ctx, pointer, position, 'forward', pointer.type.to, span),
      type: pointer.type.to,
      span,
    };
  requireElement(ctx, pointer, span);
  const address: TypedExpression = {
    kind: 'pointer-add',
    pointer,
    index: promote(ctx, position),
    subtract: false,
    subscript: true,
    type: pointer.type,
    span,
  };
  return { kind: 'dereference', pointer: address, type: pointer.type.to, span };
}

function comparison(
  ctx: ElaborationContext,
  operator: '==' | '!=' | '<' | '<=' | '>' | '>=',
  left: TypedExpression,
  right: TypedExpression,
  span: Span,
): TypedExpression {
  const { int } = ctx.target.integers;
  if (isArithmetic(left.type) && isArithmetic(right.type)) {
    const type = commonType(ctx, left, right);
    const width = reducedWidth(ctx, type, [left, right]);
    return {
      kind: 'relational',
      operator,
      left: reduce(convert(left, type), width),
      right: reduce(convert(right, type), width),
      type: int,
      span,
    };
  }
  const type = comparedPointer(ctx, operator, left, right, span);
  return { kind: 'relational', operator, left: convert(left, type), right: convert(right, type), type: int, span };
}

function comparedPointer(
  ctx: ElaborationContext,
  operator: string,
  left: TypedExpression,
  right: TypedExpression,
  span: Span,
): CType {
  if (!isScalar(left.type) || !isScalar(right.type)) {
    const hint = left.type.kind === 'record' ? 'Compare the members one by one.' : undefined;
    return invalidOperands(ctx, operator, left, right, span, hint);
  }
  if (left.type.kind === 'pointer' && right.type.kind === 'pointer') {
    const common = commonPointer(left.type, right.type);
    if (common) return common;
    ctx.log.warn(
      `comparison of different pointer types: '${printType(left.type)}' and '${printType(right.type)}'`,
      span,
    );
    return left.type;
  }
  const [pointer, number] = left.type.kind === 'pointer' ? [left, right] : [right, left];
  if (isNullConstant(ctx, number)) return pointer.type;
  return invalidOperands(ctx, operator, left, right, span, 'A pointer can be compared with a pointer or with 0.');
}

/** C11 6.5.15 on rvalues; `then` is missing in GNU's `a ?: b`. */
export function conditional(
  ctx: ElaborationContext,
  condition: TypedExpression,
  then: TypedExpression | undefined,
  otherwise: TypedExpression,
  span: Span,
): TypedExpression {
  const first = then ?? condition;
  const type = conditionalType(ctx, first, otherwise, span);
  return {
    kind: 'conditional',
    condition,
    then: then && convert(then, type),
    otherwise: convert(otherwise, type),
    type: withoutQualifiers(type),
    span,
  };
}

function conditionalType(ctx: ElaborationContext, a: TypedExpression, b: TypedExpression, span: Span): CType {
  if (isArithmetic(a.type) && isArithmetic(b.type)) return commonType(ctx, a, b);
  if (a.type.kind === 'void' || b.type.kind === 'void') return voidType;
  if (a.type.kind === 'record' && b.type.kind === 'record' && a.type.record === b.type.record) return a.type;
  if (a.type.kind === 'pointer' && isNullConstant(ctx, b)) return a.type;
  if (b.type.kind === 'pointer' && isNullConstant(ctx, a)) return b.type;
  const common = commonPointer(a.type, b.type);
  if (common) return common;
  if (a.type.kind === 'pointer' && b.type.kind === 'pointer') {
    ctx.log.warn(
      `'?:' chooses between different pointer types: '${printType(a.type)}' and '${printType(b.type)}'`,
      span,
    );
    return { kind: 'pointer', to: voidType };
  }
  const pointer = [a.type, b.type].find(({ kind }) => kind === 'pointer');
  if (ctx.standard === 'gnu89' && pointer && (isInteger(a.type) || isInteger(b.type))) {
    ctx.log.warn(
      `'?:' chooses between a pointer and a number: '${printType(a.type)}' and '${printType(b.type)}'`,
      span,
    );
    return pointer;
  }
  return ctx.log.fail(
    `'?:' chooses between '${printType(a.type)}' and '${printType(b.type)}', which do not go together`,
    span,
  );
}

export function assignment(
  ctx: ElaborationContext,
  syntax: Extract<SyntaxExpression, { kind: 'assignment' }>,
): TypedExpression {
  const { span } = syntax;
  const target = expression(ctx, syntax.left);
  const value = rvalueOf(ctx, syntax.right);
  requireModifiable(ctx, target, 'the left side of the assignment', syntax.left);
  const type = withoutQualifiers(target.type);
  if (syntax.operator === '=')
    return {
      kind: 'assign',
      target,
      value: assignable(ctx, value, target.type, { kind: 'assignment' }, span),
      type,
      span,
    };
  const operator = syntax.operator.slice(0, -1) as ArithmeticOperator;
  if (value.type.kind === 'void') ctx.log.fail('this expression has no value: its type is void', value.span);
  if (type.kind === 'pointer' && (operator === '+' || operator === '-') && isInteger(value.type)) {
    return {
      kind: 'pointer-update',
      target,
      ...step(ctx, target, promote(ctx, value), type.to, span),
      subtract: operator === '-',
      result: 'new',
      type,
      span,
    };
  }
  const suits = onIntegersOnly.has(operator) ? isInteger : isArithmetic;
  if (!suits(type) || !suits(value.type)) return invalidOperands(ctx, syntax.operator, target, value, span);
  if (operator === '<<' || operator === '>>') {
    return {
      kind: 'compound-assign',
      target,
      operator,
      operand: promote(ctx, value),
      computationType: promote(ctx, load(target)).type,
      type,
      span,
    };
  }
  const computationType = commonType(ctx, load(target), value, 'update');
  return {
    kind: 'compound-assign',
    target,
    operator,
    operand: convert(value, computationType),
    computationType,
    type,
    span,
  };
}

/** The target read, only to find the type it promotes to. */
function load(target: TypedExpression): TypedExpression {
  return { kind: 'load', lvalue: target, type: withoutQualifiers(target.type), span: target.span };
}

export function increment(
  ctx: ElaborationContext,
  target: TypedExpression,
  delta: 1 | -1,
  result: 'new' | 'old',
  span: Span,
): TypedExpression {
  requireModifiable(ctx, target, `the operand of '${delta === 1 ? '++' : '--'}'`);
  const type = withoutQualifiers(target.type);
  const one: TypedExpression = { kind: 'integer', value: 1n, type: ctx.target.integers.int, span };
  if (type.kind === 'pointer') {
    const by = step(ctx, target, one, type.to, span);
    return { kind: 'pointer-update', target, ...by, subtract: delta === -1, result, type, span };
  }
  if (!isArithmetic(type))
    return ctx.log.fail(`'${delta === 1 ? '++' : '--'}' needs a number or a pointer, not '${printType(type)}'`, span);
  return {
    kind: 'increment',
    target,
    delta,
    result,
    computationType: commonType(ctx, load(target), one, 'update'),
    type,
    span,
  };
}

/** 6.3.2.1p1: an lvalue that is neither an array nor const, and has no const member. */
function requireModifiable(
  ctx: ElaborationContext,
  target: TypedExpression,
  subject: string,
  syntax?: SyntaxExpression,
): void {
  const { type, span } = target;
  if (type.kind === 'function') ctx.log.fail('a function cannot be assigned to', span);
  if (!isLvalue(target)) {
    const comparison = syntax?.kind === 'binary' ? { hint: "Is '==' meant?" } : {};
    ctx.log.fail(`${subject} is a value, not a place that can be assigned to`, span, comparison);
  }
  if (type.kind === 'array')
    ctx.log.fail(`an array cannot be assigned to: '${printType(type)}'`, span, {
      hint: 'Copy its elements in a loop, or with memcpy.',
    });
  if (type.const) {
    const symbol = rootVariable(target);
    const notes = symbol ? { notes: [{ message: `'${symbol.name}' is declared here`, span: symbol.span }] } : {};
    ctx.log.fail(
      `${symbol && target.kind === 'variable' ? `'${symbol.name}'` : subject} is const: '${printType(type)}'`,
      span,
      notes,
    );
  }
  if (type.kind === 'record' && !type.record.complete) ctx.log.fail(`'${printType(type)}' is incomplete here`, span);
  const constant = type.kind === 'record' ? constantMember(type) : undefined;
  if (constant !== undefined) ctx.log.fail(`${subject} has the const member '${constant}'`, span);
}

function rootVariable(e: TypedExpression): Extract<TypedExpression, { kind: 'variable' }>['symbol'] | undefined {
  if (e.kind === 'variable') return e.symbol;
  if (e.kind === 'member') return rootVariable(e.object);
  return undefined;
}

function constantMember(type: CType): string | undefined {
  if (type.kind === 'array') return constantMember(type.of);
  if (type.kind !== 'record') return undefined;
  for (const field of type.record.fields) {
    if (field.type.const) return field.name ?? '<unnamed>';
    const inner = constantMember(field.type);
    if (inner !== undefined) return inner;
  }
  return undefined;
}
