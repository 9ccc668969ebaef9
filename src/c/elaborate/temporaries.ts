/** Temporary objects (6.2.4p8): places of structures that are no lvalues, for as long as the full expression lasts. */
import { sizeOf } from '../layout';
import type { Statement, TypedExpression, VariableSymbol } from '../tree';
import type { ElaborationContext } from './context';

/** A full expression (6.8p4). Its temporary objects end with it: they are those of a block around it. */
export function fullExpression(ctx: ElaborationContext, elaborate: () => TypedExpression): TypedExpression {
  const outside = ctx.temporaries;
  ctx.temporaries = [];
  try {
    return endingTemporaries(ctx, elaborate());
  } finally {
    ctx.temporaries = outside;
  }
}

/** The expression, with the temporary objects since the last full expression declared in a block of its own. */
export function endingTemporaries(ctx: ElaborationContext, e: TypedExpression): TypedExpression {
  const { temporaries } = ctx;
  if (temporaries.length === 0) return e;
  ctx.temporaries = [];
  const { span, type } = e;
  const declarations = temporaries.map((symbol): Statement => ({
    kind: 'declare',
    span,
    symbol,
    initializer: undefined,
    value: undefined,
  }));
  const items: readonly Statement[] =
    type.kind === 'void' ? [...declarations, { kind: 'expression', span, expression: e }] : declarations;
  const result = type.kind === 'void' ? undefined : e;
  return { kind: 'statement-expression', body: { kind: 'block', span, items }, result, type, span };
}

/**
 * An array inside a struct value (`f().a[0]`) needs a place for the value: an object of temporary lifetime (6.2.4p8).
 */
export function temporary(ctx: ElaborationContext, value: TypedExpression): TypedExpression {
  const symbol: VariableSymbol = {
    kind: 'variable',
    name: '<temporary>',
    type: value.type,
    span: value.span,
    storage: 'automatic',
    initializer: undefined,
    owner: ctx.function?.symbol.name,
    addressTaken: true,
    isTemporary: true,
  };
  ctx.temporaries.push(symbol);
  const initializer = {
    items: [{ offsetBytes: 0, type: value.type, value }],
    strings: [],
    sizeBytes: sizeOf(value.type, ctx.model)!,
  };
  return { kind: 'compound-literal', symbol, initializer, type: value.type, span: value.span };
}
