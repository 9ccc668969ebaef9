/**
 * Variable-length arrays, C11 6.7.6.2. `T a[n]` becomes a hidden pointer to a block that the declaration makes and the
 * end of the scope frees; `a` means what that pointer points to. Every length that is no constant is computed once,
 * where its declaration stands, into a hidden variable, and the array type keeps the variable. Steps of pointers to
 * such arrays are counted in bytes, so that nothing behind the front end knows of array types without a constant size.
 */
import { sizeOf } from '../layout';
import type { Span } from '../source';
import { pointerTo, unqualified } from '../target';
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

/** Evaluating it may change something. */
export function hasSideEffects(e: TypedExpression): boolean {
  if (effects.has(e.kind)) return true;
  return Object.entries(e).some(
    ([name, part]: [string, unknown]) =>
      name !== 'type' &&
      typeof part === 'object' &&
      part !== null &&
      'kind' in part &&
      'span' in part &&
      hasSideEffects(part as TypedExpression),
  );
}

/**
 * The operand of `sizeof` or `typeof` is evaluated if its type has a variable length (6.5.3.4p2), which is not modelled:
 * an operand that changes something is refused.
 */
export function refuseEvaluated(ctx: ElaborationContext, operator: string, operand: TypedExpression, span: Span): void {
  if (!hasSideEffects(operand)) return;
  ctx.log.fail(
    `the operand of '${operator}' has a variable length, so that C evaluates it: operands that change something are not supported`,
    span,
    { hint: 'Evaluate it in a statement of its own before.' },
  );
}

/** Lengths in a type name, such as that of a cast, are evaluated with it: the same for them. */
export function refuseEvaluatedLengths(ctx: ElaborationContext, type: CType, span: Span): void {
  if (type.kind === 'pointer') return refuseEvaluatedLengths(ctx, type.to, span);
  if (type.kind !== 'array') return;
  if (typeof type.variable === 'object' && hasSideEffects(type.variable))
    ctx.log.fail('a length in a type name that changes something when it is evaluated is not supported', span, {
      hint: 'Evaluate it in a statement of its own before.',
    });
  refuseEvaluatedLengths(ctx, type.of, span);
}

/** As `size_t`, when the program runs. Of an array in a prototype there is none. */
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

/** The pointer, `index` arrays further on (or back); it points to variable-length arrays. */
export function stepped(
  ctx: ElaborationContext,
  pointer: TypedExpression,
  index: TypedExpression,
  subtract: boolean,
  element: CType,
  span: Span,
): TypedExpression {
  const { char } = ctx.target.integers;
  const { pointerDifference } = ctx.target;
  const bytes = pointerTo(char);
  const distance: TypedExpression = {
    kind: 'arithmetic',
    operator: '*',
    left: convert(index, pointerDifference),
    right: convert(sizeExpression(ctx, element, span), pointerDifference),
    type: pointerDifference,
    span,
  };
  const moved: TypedExpression = {
    kind: 'pointer-add',
    pointer: convert(pointer, bytes),
    index: distance,
    subtract,
    subscript: false,
    type: bytes,
    span,
  };
  return convert(moved, unqualified(pointer.type));
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
      name: `<length of ${name}>`,
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
    length.kind === 'load' && length.lvalue.kind === 'variable' && length.lvalue.symbol.name.startsWith('<length of ')
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
