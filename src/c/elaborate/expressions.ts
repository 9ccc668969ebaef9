/**
 * Expressions, C11 6.5, from syntax to typed tree. Operators are in `operators`, calls in `calls`, names in `names`.
 */
import { aliasType } from '../aliasType';
import { evaluateConstant } from '../constant';
import { alignOf, sizeOf } from '../layout';
import { printType } from '../printType';
import type { Span } from '../source';
import type { Designator, StaticAssertion, SyntaxExpression } from '../syntax';
import { isArithmetic, isInteger, isScalar, pointerTo, qualify, withoutQualifiers, voidType, wrap } from '../target';
import type { TypedExpression, VariableSymbol } from '../tree';
import { compatible, compatibleUnqualified } from '../typeRelations';
import {
  evaluation,
  isVariableArray,
  isVariablyModified,
  isVisible,
  sizeExpression,
  withEvaluations,
} from './variableArrays';
import type { CType, RecordType } from '../types';
import { unreachable } from '../../unreachable';
import { callExpression } from './calls';
import type { ElaborationContext } from './context';
import {
  convert,
  isLvalue,
  promote,
  reduce,
  reducedWidth,
  requireScalar,
  rvalue,
  warnOfWideBitField,
} from './conversions';
import { elaborateInitializer } from './declarations/initializers';
import { labelAddress } from './labelAddresses';
import { characterLiteral, numberLiteral, stringLiteral } from './literals';
import { resolveName } from './names';
import { assignment, binary, conditional, increment, subscript } from './operators';
import { requireField } from './records';
import { statementExpression } from './statements';
import { evaluatedType, evaluatedWith } from './evaluatedTypes';
import { fullExpression, temporary } from './temporaries';
import { typeOfName } from './types';

/** A value, a place or a function designator, as written: no conversion yet. */
export function expression(ctx: ElaborationContext, syntax: SyntaxExpression): TypedExpression {
  switch (syntax.kind) {
    case 'identifier':
      return resolveName(ctx, syntax.name, syntax.span, undefined, syntax.nameSpan);
    case 'number':
      return numberLiteral(ctx, syntax.text, syntax.span);
    case 'character':
      return characterLiteral(ctx, syntax.text, syntax.span);
    case 'string':
      return stringLiteral(ctx, syntax.pieces, syntax.span);
    case 'prefix':
      return prefix(ctx, syntax);
    case 'postfix':
      return increment(ctx, expression(ctx, syntax.operand), syntax.operator === '++' ? 1 : -1, 'old', syntax.span);
    case 'binary':
      return binaryChain(ctx, syntax);
    case 'assignment':
      return assignment(ctx, syntax);
    case 'conditional':
      return conditionalChain(ctx, syntax);
    case 'comma': {
      const left = rvalueOf(ctx, syntax.left);
      const right = rvalueOf(ctx, syntax.right);
      return { kind: 'comma', left, right, type: right.type, span: syntax.span };
    }
    case 'cast':
      return evaluatedWith(ctx, syntax.type, (type) => cast(ctx, type, syntax.operand, syntax.span));
    case 'size-of-type':
      return sizeOfType(ctx, syntax);
    case 'size-of-expression':
      return sizeOfExpression(ctx, syntax.operator, syntax.operand, syntax.span);
    case 'subscript':
      return subscript(ctx, rvalueOf(ctx, syntax.array), rvalueOf(ctx, syntax.index), syntax.span);
    case 'call':
      return callExpression(ctx, syntax);
    case 'member':
      return member(ctx, syntax);
    case 'compound-literal':
      return evaluatedWith(ctx, syntax.type, (type) => compoundLiteral(ctx, syntax, type));
    case 'generic':
      return generic(ctx, syntax);
    case 'label-address':
      return labelAddress(ctx, syntax.label, syntax.labelSpan, syntax.span);
    case 'statement-expression':
      return statementExpression(ctx, syntax.body, syntax.span);
    case 'va-arg':
      return evaluatedWith(ctx, syntax.type, (type) => ({
        kind: 'va-arg',
        list: vaList(ctx, syntax.list),
        type: variadicType(ctx, type, syntax.type.span),
        span: syntax.span,
      }));
    case 'offset-of':
      return offsetOf(ctx, typeOfName(ctx, syntax.type), syntax.path, syntax.span);
    case 'types-compatible': {
      const [left, right] = [typeOfName(ctx, syntax.left), typeOfName(ctx, syntax.right)];
      return {
        kind: 'integer',
        value: compatibleUnqualified(left, right) ? 1n : 0n,
        type: ctx.target.integers.int,
        span: syntax.span,
      };
    }
    default:
      return unreachable(syntax);
  }
}

export function rvalueOf(ctx: ElaborationContext, syntax: SyntaxExpression): TypedExpression {
  return rvalue(ctx, expression(ctx, syntax));
}

/**
 * The type an expression has before any conversion, as `typeof` sees it. An operand of variably modified type is
 * evaluated.
 */
export function expressionType(ctx: ElaborationContext, syntax: SyntaxExpression): CType {
  const read = ctx.withoutEvaluation(() => expression(ctx, syntax));
  if (!isVariablyModified(read.type) || !isVisible(read)) return read.type;
  if (!ctx.evaluations)
    return ctx.log.fail(
      "the operand of 'typeof' has a variable length, so that C evaluates it, which is not supported here",
      syntax.span,
    );
  const evaluated = expression(ctx, syntax);
  ctx.evaluations.push(evaluation(evaluated));
  return evaluated.type;
}

/** An expression whose value is not used; it may be void. */
export function discardValue(ctx: ElaborationContext, syntax: SyntaxExpression): TypedExpression {
  return fullExpression(ctx, () => rvalue(ctx, expression(ctx, syntax)));
}

/** A controlling expression: any scalar. */
export function condition(ctx: ElaborationContext, syntax: SyntaxExpression): TypedExpression {
  return fullExpression(ctx, () => requireScalar(ctx, rvalueOf(ctx, syntax), 'a condition'));
}

/** The value of an integer constant expression. */
export function integerConstant(ctx: ElaborationContext, syntax: SyntaxExpression, what: string): bigint {
  const e = rvalueOf(ctx, syntax);
  if (!isInteger(e.type)) return ctx.log.fail(`${what} must be an integer, not '${printType(e.type)}'`, syntax.span);
  const value = evaluateConstant(e, {
    model: ctx.model,
    onOverflow: (at) => ctx.log.warn('overflow in a constant expression', at.span),
  });
  if (value?.kind !== 'integer') return ctx.log.fail(`${what} must be a constant`, syntax.span);
  return value.value;
}

export function checkStaticAssertion(ctx: ElaborationContext, assertion: StaticAssertion): void {
  const e = rvalueOf(ctx, assertion.condition);
  if (!isInteger(e.type))
    ctx.log.fail(`a static assertion must be an integer, not '${printType(e.type)}'`, assertion.condition.span);
  const value = evaluateConstant(e, { model: ctx.model });
  if (value === undefined || value.kind === 'address')
    return ctx.log.fail('a static assertion must be a constant', assertion.condition.span);
  if (value.value !== 0n && value.value !== 0) return;
  const text = assertion.message.map((piece) => piece.text.slice(piece.text.indexOf('"') + 1, -1)).join('');
  ctx.log.fail(`static assertion failed${text === '' ? '' : `: ${text}`}`, assertion.condition.span);
}

/** Left-associative chains are read in a loop: generated code has long ones. */
function binaryChain(ctx: ElaborationContext, syntax: Extract<SyntaxExpression, { kind: 'binary' }>): TypedExpression {
  const links: Extract<SyntaxExpression, { kind: 'binary' }>[] = [];
  let first: SyntaxExpression = syntax;
  while (first.kind === 'binary') {
    links.push(first);
    first = first.left;
  }
  // Each operand is looked at, whatever is wrong with the others.
  let left = ctx.log.attempt(() => expression(ctx, first));
  for (let i = links.length - 1; i >= 0; i--) {
    const { operator, right, span } = links[i]!;
    const before = left;
    const [one, other] = [
      before && ctx.log.attempt(() => rvalue(ctx, before)),
      ctx.log.attempt(() => rvalueOf(ctx, right)),
    ];
    left = one && other && ctx.log.attempt(() => binary(ctx, operator, one, other, span));
  }
  return left ?? ctx.log.abandon();
}

function conditionalChain(
  ctx: ElaborationContext,
  syntax: Extract<SyntaxExpression, { kind: 'conditional' }>,
): TypedExpression {
  const links: {
    readonly condition: TypedExpression;
    readonly then: TypedExpression | undefined;
    readonly span: Span;
  }[] = [];
  let last: SyntaxExpression = syntax;
  while (last.kind === 'conditional') {
    const test = requireScalar(ctx, rvalueOf(ctx, last.condition), 'a condition');
    links.push({ condition: test, then: last.then && rvalueOf(ctx, last.then), span: last.span });
    last = last.otherwise;
  }
  let otherwise = rvalueOf(ctx, last);
  for (let i = links.length - 1; i >= 0; i--)
    otherwise = conditional(ctx, links[i]!.condition, links[i]!.then, otherwise, links[i]!.span);
  return otherwise;
}

function prefix(ctx: ElaborationContext, syntax: Extract<SyntaxExpression, { kind: 'prefix' }>): TypedExpression {
  const { operator, span } = syntax;
  switch (operator) {
    case '++':
      return increment(ctx, expression(ctx, syntax.operand), 1, 'new', span);
    case '--':
      return increment(ctx, expression(ctx, syntax.operand), -1, 'new', span);
    case '&':
      return addressOf(ctx, syntax.operand, span);
    case '*':
      return dereference(ctx, rvalueOf(ctx, syntax.operand), span);
    case '!': {
      const operand = requireScalar(ctx, rvalueOf(ctx, syntax.operand), "the operand of '!'");
      return { kind: 'not', operand, type: ctx.target.integers.int, span };
    }
    case '+':
    case '-':
    case '~': {
      const operand = rvalueOf(ctx, syntax.operand);
      if (!(operator === '~' ? isInteger(operand.type) : isArithmetic(operand.type)))
        return ctx.log.fail(
          `the operand of '${operator}' is '${printType(operand.type)}', not ` +
            `${operator === '~' ? 'an integer' : 'a number'}`,
          span,
        );
      if (operator !== '+') warnOfWideBitField(ctx, operand);
      const promoted = promote(ctx, operand);
      return operator === '+'
        ? { ...promoted, span }
        : reduce(
            { kind: 'unary', operator, operand: promoted, type: promoted.type, span },
            reducedWidth(ctx, promoted.type, [operand]),
          );
    }
    default:
      return unreachable(operator);
  }
}

export function dereference(ctx: ElaborationContext, pointer: TypedExpression, span: Span): TypedExpression {
  if (pointer.type.kind !== 'pointer')
    return ctx.log.fail(`'*' needs a pointer, not '${printType(pointer.type)}'`, span);
  const { to } = pointer.type;
  if (to.kind === 'function' && pointer.kind === 'function-pointer') return { ...pointer.designator, span };
  if (pointer.kind === 'address-of') return { ...pointer.lvalue, span };
  return { kind: 'dereference', pointer, type: to, span };
}

function addressOf(ctx: ElaborationContext, syntax: SyntaxExpression, span: Span): TypedExpression {
  const place = expression(ctx, syntax);
  if (place.type.kind === 'function') return { ...rvalue(ctx, place), span };
  // 6.5.3.2p3: `&*p` is p, `&a[i]` is a + i.
  if (place.kind === 'dereference') {
    const { pointer } = place;
    return pointer.kind === 'pointer-add' && pointer.subscript
      ? { ...pointer, subscript: false, span }
      : { ...pointer, span };
  }
  if (!isLvalue(place))
    return ctx.log.fail(
      `'&' needs a variable or another place in memory, not a value of type '${printType(place.type)}'`,
      span,
    );
  if (place.kind === 'member' && place.field.bits)
    return ctx.log.fail(`'&' cannot be applied to the bit-field '${place.field.name ?? ''}'`, span);
  if (place.kind === 'variable') {
    if (ctx.registers.has(place.symbol))
      return ctx.log.fail(`'&' cannot be applied to '${place.symbol.name}', which is declared 'register'`, span);
    if (ctx.unevaluated === 0) place.symbol.addressTaken = true;
  }
  return { kind: 'address-of', lvalue: place, type: pointerTo(place.type), span };
}

function cast(ctx: ElaborationContext, type: CType, syntax: SyntaxExpression, span: Span): TypedExpression {
  const operand = rvalueOf(ctx, syntax);
  if (type.kind === 'void') return voidCast(ctx, operand, span);
  const from = operand.type;
  const to = withoutQualifiers(type);
  if (to.kind === 'record' && from.kind === 'record' && from.record === to.record) return operand;
  if (from.kind === 'void') return ctx.log.fail('this expression has no value: its type is void', operand.span);
  if (to.kind === 'record' && to.record.keyword === 'union') return castToUnion(ctx, to, operand, span);
  if (!isScalar(to)) return ctx.log.fail(`cast to '${printType(to)}', which is not a number or a pointer`, span);
  if (!isScalar(from)) return ctx.log.fail(`'${printType(from)}' cannot be cast to '${printType(to)}'`, span);
  if ((to.kind === 'pointer' && from.kind === 'float') || (to.kind === 'float' && from.kind === 'pointer'))
    return ctx.log.fail(`'${printType(from)}' cannot be cast to '${printType(to)}'`, span);
  if (to.kind === 'integer' && from.kind === 'pointer') {
    // `(size_t)&((struct s *)0)->m`: offsetof by hand.
    const address = evaluateConstant(operand, { model: ctx.model });
    if (address?.kind === 'address' && address.base === undefined && to.name !== 'bool')
      return { kind: 'integer', value: wrap(address.offset, to), type: to, span };
  }
  warnOfPun(ctx, operand, to, span);
  return { kind: 'convert', operand, implicit: false, type: to, span };
}

/** `*(int *)&f` for a float `f`: compilers assume that the two types are never the same object (6.5p7). */
function warnOfPun(ctx: ElaborationContext, operand: TypedExpression, to: CType, span: Span): void {
  if (to.kind !== 'pointer' || operand.type.kind !== 'pointer') return;
  if (operand.kind !== 'address-of' && operand.kind !== 'decay') return;
  const [own, other] = [aliasType(operand.type.to), aliasType(to.to)];
  if (own === undefined || other === undefined || own === other) return;
  ctx.log.warn(
    `an object of type '${printType(operand.type.to)}' must not be accessed as '${printType(to.to)}': compilers ` +
      'take them for different objects',
    span,
    { hint: 'Copy it with memcpy, or use a union.' },
  );
}

/** GNU: the union whose member of that very type has the value. */
function castToUnion(ctx: ElaborationContext, type: RecordType, value: TypedExpression, span: Span): TypedExpression {
  const member = type.record.fields.find(
    (field) => field.bits === undefined && compatibleUnqualified(field.type, value.type),
  );
  if (!member)
    return ctx.log.fail(`cast to '${printType(type)}', which has no member of type '${printType(value.type)}'`, span);
  const symbol: VariableSymbol = {
    kind: 'variable',
    name: '<union>',
    type,
    span,
    storage: 'automatic',
    initializer: undefined,
    owner: ctx.function?.symbol.name,
    addressTaken: true,
  };
  if (!ctx.function)
    return ctx.log.fail(`cast to '${printType(type)}' outside functions`, span, { hint: 'Write a list in braces.' });
  const initializer = {
    items: [{ offsetBytes: member.offsetBytes, type: member.type, value }],
    strings: [],
    sizeBytes: sizeOf(type, ctx.model)!,
  };
  return { kind: 'load', lvalue: { kind: 'compound-literal', symbol, initializer, type, span }, type, span };
}

function sizeOfType(
  ctx: ElaborationContext,
  { operator, type: name, span }: Extract<SyntaxExpression, { kind: 'size-of-type' }>,
): TypedExpression {
  const evaluations: TypedExpression[] = [];
  if (operator === '_Alignof')
    return sizeOrAlign(
      ctx,
      operator,
      ctx.evaluating(evaluations, () => typeOfName(ctx, name)),
      span,
    );
  const type = evaluatedType(ctx, name, evaluations);
  const size = sizeOrAlign(ctx, operator, type, span);
  if (isVariableArray(type)) return withEvaluations(evaluations, size);
  // 6.7.6.2p5.
  if (evaluations.some((e) => isVisible(e.kind === 'assign' ? e.value : e)))
    ctx.log.fail('C does not say if the length in this type is evaluated, since the size does not depend on it', span);
  return size;
}

/** `(void)x` silences a compiler; it reads nothing. */
function voidCast(ctx: ElaborationContext, operand: TypedExpression, span: Span): TypedExpression {
  const silenced = operand.kind === 'load' && operand.lvalue.kind === 'variable' && !operand.lvalue.type.volatile;
  const effect: TypedExpression = silenced
    ? { kind: 'integer', value: 0n, type: ctx.target.integers.int, span: operand.span }
    : operand;
  return { kind: 'convert', operand: effect, implicit: false, type: voidType, span };
}

function sizeOfExpression(
  ctx: ElaborationContext,
  operator: 'sizeof' | '_Alignof',
  syntax: SyntaxExpression,
  span: Span,
): TypedExpression {
  const e = ctx.withoutEvaluation(() => expression(ctx, syntax));
  if (e.kind === 'member' && e.field.bits)
    return ctx.log.fail(`'${operator}' cannot be applied to the bit-field '${e.field.name ?? ''}'`, span);
  if (operator === 'sizeof' && isVariableArray(e.type) && isVisible(e)) {
    const evaluated = expression(ctx, syntax);
    return withEvaluations([evaluation(evaluated)], sizeOrAlign(ctx, operator, evaluated.type, span));
  }
  const known = sizeOrAlign(ctx, operator, e.type, span);
  const declared = BigInt(operator === '_Alignof' && e.kind === 'variable' ? (e.symbol.alignBytes ?? 1) : 1);
  return operator === '_Alignof' && known.kind === 'integer' && declared > known.value
    ? { ...known, value: declared }
    : known;
}

function sizeOrAlign(
  ctx: ElaborationContext,
  operator: 'sizeof' | '_Alignof',
  type: CType,
  span: Span,
): TypedExpression {
  if (operator === 'sizeof' && isVariableArray(type)) return { ...sizeExpression(ctx, type, span), span };
  if (operator === '_Alignof' && type.kind === 'function')
    return ctx.log.fail('the alignment of a function is not supported', span);
  if (operator === '_Alignof' && type.kind === 'array' && type.length === undefined && !isVariableArray(type))
    return ctx.log.fail(`'_Alignof' of the incomplete type '${printType(type)}'`, span);
  const gnuOne = type.kind === 'void' || type.kind === 'function';
  const known = gnuOne
    ? 1
    : operator === 'sizeof'
      ? sizeOf(type, ctx.model)
      : type.kind === 'record' && !type.record.complete
        ? undefined
        : alignOf(type, ctx.model);
  if (known === undefined) return ctx.log.fail(`'${operator}' of the incomplete type '${printType(type)}'`, span);
  return { kind: 'integer', value: BigInt(known), type: ctx.target.size, span };
}

function member(ctx: ElaborationContext, syntax: Extract<SyntaxExpression, { kind: 'member' }>): TypedExpression {
  const { name, nameSpan, span } = syntax;
  if (syntax.arrow) {
    const pointer = rvalueOf(ctx, syntax.object);
    if (pointer.type.kind !== 'pointer' || pointer.type.to.kind !== 'record') {
      const hint = pointer.type.kind === 'record' ? { hint: `Write '.${name}': the left side is not a pointer.` } : {};
      return ctx.log.fail(`'->' needs a pointer to a struct or union, not '${printType(pointer.type)}'`, span, hint);
    }
    const { to } = pointer.type;
    const field = requireField(ctx, to, name, nameSpan);
    const object: TypedExpression = { kind: 'dereference', pointer, type: to, span: syntax.object.span };
    return { kind: 'member', object, field, type: qualify(field.type, to), span };
  }
  const object = expression(ctx, syntax.object);
  if (object.type.kind !== 'record') {
    const hint =
      object.type.kind === 'pointer' && object.type.to.kind === 'record'
        ? { hint: `Write '->${name}': the left side is a pointer.` }
        : {};
    return ctx.log.fail(`'.' needs a struct or union, not '${printType(object.type)}'`, span, hint);
  }
  const field = requireField(ctx, object.type, name, nameSpan);
  const inPlace = isLvalue(object) || field.type.kind !== 'array' ? object : temporary(ctx, object);
  return { kind: 'member', object: inPlace, field, type: qualify(field.type, inPlace.type), span };
}

function compoundLiteral(
  ctx: ElaborationContext,
  syntax: Extract<SyntaxExpression, { kind: 'compound-literal' }>,
  declared: CType,
): TypedExpression {
  const { span } = syntax;
  const count = ++ctx.compoundLiterals;
  const name = count === 1 ? '<compound literal>' : `<compound literal ${count}>`;
  if (ctx.function === undefined) {
    // At file scope it is a static object without a name (6.5.2.5p5).
    const { type, initializer } = elaborateInitializer(ctx, declared, syntax.initializer, {
      isStatic: true,
      name: undefined,
    });
    const symbol: VariableSymbol = {
      kind: 'variable',
      name,
      type,
      span,
      storage: 'static',
      initializer,
      owner: undefined,
      addressTaken: true,
    };
    ctx.variables.push(symbol);
    return { kind: 'variable', symbol, type, span };
  }
  const { type, initializer } = elaborateInitializer(ctx, declared, syntax.initializer, {
    isStatic: false,
    name: undefined,
  });
  const symbol: VariableSymbol = {
    kind: 'variable',
    name,
    type,
    span,
    storage: 'automatic',
    initializer: undefined,
    owner: ctx.function.symbol.name,
    addressTaken: true,
  };
  return { kind: 'compound-literal', symbol, initializer, type, span };
}

function generic(ctx: ElaborationContext, syntax: Extract<SyntaxExpression, { kind: 'generic' }>): TypedExpression {
  const control = ctx.withoutEvaluation(() => rvalueOf(ctx, syntax.control)).type;
  let chosen: SyntaxExpression | undefined;
  let fallback: SyntaxExpression | undefined;
  const seen: { readonly type: CType; readonly span: Span }[] = [];
  for (const { type: typeName, value, span } of syntax.associations) {
    if (!typeName) {
      if (fallback) ctx.log.fail("two 'default' associations", span);
      fallback = value;
      continue;
    }
    const type = typeOfName(ctx, typeName);
    if (
      type.kind === 'function' ||
      isVariableArray(type) ||
      (type.kind !== 'void' && sizeOf(type, ctx.model) === undefined)
    )
      ctx.log.fail(`an association needs a complete type, not '${printType(type)}'`, span);
    const same = seen.find((other) => compatible(other.type, type));
    if (same)
      ctx.log.fail(`two associations for the type '${printType(type)}'`, span, {
        notes: [{ message: 'the first one is here', span: same.span }],
      });
    seen.push({ type, span });
    if (compatible(type, control)) chosen = value;
  }
  const value =
    chosen ?? fallback ?? ctx.log.fail(`no association for the type '${printType(control)}'`, syntax.control.span);
  // The others are not evaluated, but must be C all the same.
  for (const association of syntax.associations)
    if (association.value !== value) ctx.withoutEvaluation(() => expression(ctx, association.value));
  return expression(ctx, value);
}

/** A `va_list` as a pointer to its record: a local one decays, a parameter is a pointer already. */
export function vaList(ctx: ElaborationContext, syntax: SyntaxExpression): TypedExpression {
  const list = rvalueOf(ctx, syntax);
  const record = ctx.vaListType();
  if (list.type.kind !== 'pointer' || record.kind !== 'array' || !compatibleUnqualified(list.type.to, record.of))
    return ctx.log.fail(`a va_list is needed here, not '${printType(list.type)}'`, syntax.span);
  return list;
}

function variadicType(ctx: ElaborationContext, read: CType, span: Span): CType {
  const type = withoutQualifiers(read);
  const promoted =
    isInteger(type) && sizeOf(type, ctx.model)! < 4
      ? 'int'
      : type.kind === 'float' && type.name === 'float'
        ? 'double'
        : undefined;
  if (promoted !== undefined)
    ctx.log.fail(`arguments of type '${printType(type)}' are passed through '...' as '${promoted}'`, span, {
      hint: `Read it as '${promoted}'.`,
    });
  if (sizeOf(type, ctx.model) === undefined) ctx.log.fail(`'va_arg' of the incomplete type '${printType(type)}'`, span);
  return type;
}

/** An index that is no constant, as GNU C allows, makes a sum. */
function offsetOf(ctx: ElaborationContext, type: CType, path: readonly Designator[], span: Span): TypedExpression {
  let offset = 0n;
  let at: CType = type;
  const { size } = ctx.target;
  const number = (value: bigint): TypedExpression => ({ kind: 'integer', value: wrap(value, size), type: size, span });
  const combined = (operator: '+' | '*', left: TypedExpression, right: TypedExpression): TypedExpression => ({
    kind: 'arithmetic',
    operator,
    left,
    right,
    type: size,
    span,
  });
  const steps: TypedExpression[] = [];
  for (const step of path) {
    if (step.kind === 'field') {
      if (at.kind !== 'record')
        return ctx.log.fail(`'offsetof' needs a struct or union, not '${printType(at)}'`, step.span);
      const field = requireField(ctx, at, step.name, step.span);
      if (field.bits) return ctx.log.fail(`'offsetof' of the bit-field '${step.name}'`, step.span);
      offset += BigInt(field.offsetBytes);
      at = field.type;
    } else {
      if (at.kind !== 'array') return ctx.log.fail(`'[' after '${printType(at)}', which is not an array`, step.span);
      const index = rvalueOf(ctx, step.low);
      const value = evaluateConstant(index, { model: ctx.model });
      const elementBytes = BigInt(sizeOf(at.of, ctx.model)!);
      if (!isInteger(index.type)) return ctx.log.fail("an index in 'offsetof' must be an integer", step.span);
      if (value?.kind === 'integer') offset += value.value * elementBytes;
      else steps.push(combined('*', convert(promote(ctx, index), size), number(elementBytes)));
      at = at.of;
    }
  }
  return steps.reduce((sum, step) => combined('+', sum, step), number(offset));
}
