/**
 * Variable-length arrays, C11 6.7.6.2. `T a[n]` becomes a hidden pointer to a block that the declaration makes and the
 * end of the scope frees; `a` means what that pointer points to. Every length that is no constant is computed once,
 * where its declaration stands, into a hidden variable, and the array type keeps the variable. Steps of pointers to
 * such arrays are counted in bytes, so that nothing behind the front end knows of array types without a constant size.
 */
import { sizeOf } from '../layout';
import type { Span } from '../source';
import { pointerTo, withoutQualifiers, voidType } from '../target';
import { lengthPrefix } from '../typeRelations';
import type { TypedExpression, Statement, VariableSymbol } from '../tree';
import type { ArrayType, CType } from '../types';
import type { ElaborationContext } from './context';
import { convert } from './conversions';

/** An array whose size is known only when the program runs, or in a prototype not at all. */
export function isVariableArray(type: CType): boolean {
  return type.kind === 'array' && (type.variable !== undefined || isVariableArray(type.of));
}

/** Somewhere in it is such an array. */
export function isVariablyModified(type: CType): boolean {
  switch (type.kind) {
    case 'array':
      return type.variable !== undefined || isVariablyModified(type.of);
    case 'pointer':
      return isVariablyModified(type.to);
    default:
      return false;
  }
}

const effects: ReadonlySet<string> = new Set<TypedExpression['kind']>([
  'assign',
  'compound-assign',
  'pointer-update',
  'increment',
  'call',
  'statement-expression',
  'va-start',
  'va-arg',
  'va-copy',
  'va-end',
]);

/** Evaluating the operand may change something, or fail a check. Pointers and variables alone do neither. */
export function isVisible(e: TypedExpression): boolean {
  if (effects.has(e.kind)) return true;
  if (e.kind === 'load' && e.lvalue.kind !== 'variable') return !isBlock(e.lvalue);
  if (e.kind === 'arithmetic' && !(e.operator === '*' && isSize(e.right))) return true;
  return Object.entries(e).some(
    ([name, part]: [string, unknown]) =>
      name !== 'type' &&
      typeof part === 'object' &&
      part !== null &&
      'kind' in part &&
      'span' in part &&
      isVisible(part as TypedExpression),
  );
}

/** The array that a hidden pointer leads to. */
const isBlock = (e: TypedExpression): boolean =>
  e.kind === 'dereference' && e.pointer.kind === 'load' && e.pointer.lvalue.kind === 'variable';

/** The right operand of the product that `stepped` makes. */
const isSize = (e: TypedExpression): boolean =>
  e.kind === 'convert' &&
  e.implicit &&
  e.operand.type.kind === 'integer' &&
  !e.operand.type.signed &&
  (e.operand.kind === 'integer' || e.operand.kind === 'arithmetic');

/**
 * Evaluates the operand of `sizeof` or `typeof`, whose type has a variable length (6.5.3.4p2). Nothing is accessed: an
 * lvalue is only found.
 */
export function evaluation(e: TypedExpression): TypedExpression {
  const { span } = e;
  const found: TypedExpression =
    e.type.kind === 'array'
      ? { kind: 'decay', lvalue: e, type: pointerTo(e.type.of), span }
      : e.kind === 'dereference'
        ? { kind: 'address-of', lvalue: e, type: pointerTo(e.type), span }
        : e;
  return { kind: 'convert', operand: found, implicit: false, type: voidType, span };
}

/** The value, and the evaluations that C makes with it, in no particular order. */
export function withEvaluations(evaluations: readonly TypedExpression[], value: TypedExpression): TypedExpression {
  return evaluations.reduceRight<TypedExpression>(
    (right, left) => ({ kind: 'comma', left, right, unsequenced: true, type: right.type, span: value.span }),
    value,
  );
}

/** The type with its lengths in hidden variables, to which the new `evaluations` give their values. */
export function withEvaluatedLengths(
  ctx: ElaborationContext,
  type: CType,
  span: Span,
  evaluations: TypedExpression[],
): CType {
  const statements: Statement[] = [];
  const computed = withComputedLengths(ctx, type, 'the type', span, statements);
  evaluations.push(...statements.map(evaluationOf));
  return computed;
}

function evaluationOf(s: Statement): TypedExpression {
  if (s.kind === 'expression') return s.expression;
  if (s.kind !== 'array-length') throw new Error('lengths alone are computed');
  const { type } = s.symbol;
  const { span } = s.value;
  const target: TypedExpression = { kind: 'variable', symbol: s.symbol, type, span };
  return { kind: 'assign', target, value: s.value, isLength: true, type, span };
}

/** Evaluating the length may change something. */
export const mayChange = (length: Statement): boolean =>
  length.kind === 'array-length' ? isVisible(length.value) : isVisible(evaluationOf(length));

/**
 * The lengths in one declarator, and those of a function's parameters, are evaluated in no particular order: the next
 * sequence point is at its end (6.7.6p3).
 */
export function inNoOrder(lengths: readonly Statement[]): readonly Statement[] {
  const [value, ...others] = lengths.map(evaluationOf).reverse();
  if (!value || others.length === 0) return lengths;
  return [{ kind: 'expression', span: lengths[0]!.span, expression: withEvaluations(others.reverse(), value) }];
}

/** The size of the type, as a `size_t` that is computed when the program runs. An array in a prototype has none. */
export function sizeExpression(ctx: ElaborationContext, type: CType, span: Span): TypedExpression {
  const { size } = ctx.target;
  if (type.kind === 'array' && isVariableArray(type)) {
    if (type.variable === 'unspecified') return ctx.log.fail('the length of this array is not known here', span);
    const count: TypedExpression = type.variable ?? {
      kind: 'integer',
      value: BigInt(type.length ?? 0),
      type: size,
      span,
    };
    return {
      kind: 'arithmetic',
      operator: '*',
      left: convert(count, size),
      right: sizeExpression(ctx, type.of, span),
      type: size,
      span,
    };
  }
  const bytes = sizeOf(type, ctx.model);
  if (bytes === undefined) return ctx.log.fail('the size of this type is not known here', span);
  return { kind: 'integer', value: BigInt(bytes), type: size, span };
}

/** The size of `index` variable-length arrays in bytes. */
export function bytesOf(ctx: ElaborationContext, index: TypedExpression, element: CType, span: Span): TypedExpression {
  const { pointerDifference } = ctx.target;
  return {
    kind: 'arithmetic',
    operator: '*',
    left: convert(index, pointerDifference),
    right: convert(sizeExpression(ctx, element, span), pointerDifference),
    type: pointerDifference,
    span,
  };
}

/** The difference of pointers to variable-length arrays, counted in arrays. */
export function arraysBetween(
  ctx: ElaborationContext,
  left: TypedExpression,
  right: TypedExpression,
  element: CType,
  span: Span,
): TypedExpression {
  const { pointerDifference } = ctx.target;
  const bytes = pointerTo(ctx.target.integers.char);
  return {
    kind: 'arithmetic',
    operator: '/',
    left: {
      kind: 'pointer-difference',
      left: convert(left, bytes),
      right: convert(right, bytes),
      type: pointerDifference,
      span,
    },
    right: convert(sizeExpression(ctx, element, span), pointerDifference),
    type: pointerDifference,
    span,
  };
}

/** The pointer, `index` arrays further on or back. It points to variable-length arrays. */
export function stepPointer(
  ctx: ElaborationContext,
  pointer: TypedExpression,
  index: TypedExpression,
  direction: 'forward' | 'back',
  element: CType,
  span: Span,
): TypedExpression {
  const { char } = ctx.target.integers;
  const bytes = pointerTo(char);
  const moved: TypedExpression = {
    kind: 'pointer-add',
    pointer: convert(pointer, bytes),
    index: bytesOf(ctx, index, element, span),
    subtract: direction === 'back',
    subscript: false,
    type: bytes,
    span,
  };
  return convert(moved, withoutQualifiers(pointer.type));
}

/** Computes the lengths in a type, in order, and gives the type that remembers them. */
export function withComputedLengths(
  ctx: ElaborationContext,
  type: CType,
  name: string,
  span: Span,
  statements: Statement[],
): CType {
  if (!isVariablyModified(type)) return type;
  if (type.kind === 'pointer') return { ...type, to: withComputedLengths(ctx, type.to, name, span, statements) };
  if (type.kind !== 'array') return type;
  let { variable } = type;
  if (variable !== undefined && variable !== 'unspecified' && !isHidden(variable)) {
    const symbol: VariableSymbol = {
      kind: 'variable',
      name: `${lengthPrefix}${name}>`,
      type: variable.type,
      span,
      storage: 'automatic',
      initializer: undefined,
      owner: ctx.function?.symbol.name,
      addressTaken: false,
    };
    statements.push({ kind: 'array-length', span, symbol, value: variable });
    variable = { kind: 'load', lvalue: { kind: 'variable', symbol, type: symbol.type, span }, type: symbol.type, span };
  }
  return {
    ...type,
    ...(variable === undefined ? {} : { variable }),
    of: withComputedLengths(ctx, type.of, name, span, statements),
  };
}

function isHidden(length: TypedExpression): boolean {
  return (
    length.kind === 'load' && length.lvalue.kind === 'variable' && length.lvalue.symbol.name.startsWith(lengthPrefix)
  );
}

/**
 * `T a[n];`: the pointer's symbol, for the scope, and the statements that make the block. `type` has its lengths
 * computed.
 */
export function declareVariableArray(
  ctx: ElaborationContext,
  name: string,
  type: ArrayType,
  span: Span,
  statements: Statement[],
): VariableSymbol {
  const symbol: VariableSymbol = {
    kind: 'variable',
    name,
    type: pointerTo(type),
    span,
    storage: 'automatic',
    initializer: undefined,
    owner: ctx.function?.symbol.name,
    addressTaken: false,
  };
  const lengths: TypedExpression[] = [];
  let element: CType = type;
  for (; element.kind === 'array' && isVariableArray(element); element = element.of) {
    lengths.push(
      typeof element.variable === 'object'
        ? element.variable
        : convert(
            { kind: 'integer', value: BigInt(element.length ?? 0), type: ctx.target.pointerDifference, span },
            ctx.target.pointerDifference,
          ),
    );
  }
  statements.push({ kind: 'declare-array', span, symbol, lengths, elementBytes: sizeOf(element, ctx.model) ?? 0 });
  ctx.variableArrays.add(symbol);
  return symbol;
}
