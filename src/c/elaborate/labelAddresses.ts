/**
 * GNU's labels as values: `&&label` is the address of a hidden constant object, one per label of a function, and
 * `goto *p` jumps to the label whose object `p` points to.
 */
import { printType } from '../printType';
import type { Span } from '../source';
import type { SyntaxExpression } from '../syntax';
import { pointerTo, voidType } from '../target';
import type { TypedExpression, VariableSymbol } from '../tree';
import type { ElaborationContext } from './context';
import { convert } from './conversions';
import { rvalueOf } from './expressions';

/** `&&label`, of type `void *`. */
export function labelAddress(ctx: ElaborationContext, label: string, labelSpan: Span, span: Span): TypedExpression {
  if (!ctx.function)
    return ctx.log.fail("'&&' takes the address of a label, and there is none outside functions", span);
  ctx.function.gotos.push({ label, span: labelSpan });
  const { labelAddresses, symbol } = ctx.function;
  const known = labelAddresses.find((one) => one.label === label);
  if (known) return { ...known.address, span };
  const address = convert(addressOf(labelObject(ctx, label, symbol.name, labelSpan), span), pointerTo(voidType));
  // Nothing of an operand that is not evaluated is in the program.
  if (ctx.unevaluated === 0) labelAddresses.push({ label, address });
  return address;
}

/** The object that stands for a label: without bytes, because C says nothing of those at a label. */
function labelObject(ctx: ElaborationContext, label: string, owner: string, span: Span): VariableSymbol {
  const symbol: VariableSymbol = {
    kind: 'variable',
    name: `<label ${label}>`,
    type: { kind: 'array', of: { ...ctx.target.integers['unsigned char'], const: true }, length: 0, const: true },
    span,
    storage: 'static',
    initializer: undefined,
    owner,
    addressTaken: true,
  };
  if (ctx.unevaluated === 0) ctx.variables.push(symbol);
  return symbol;
}

function addressOf(symbol: VariableSymbol, span: Span): TypedExpression {
  const lvalue: TypedExpression = { kind: 'variable', symbol, type: symbol.type, span };
  return { kind: 'address-of', lvalue, type: pointerTo(symbol.type), span };
}

/** True of `&&label`. Distances between labels depend on the compiler. */
export function isLabelAddress(e: TypedExpression): boolean {
  if (e.kind === 'convert') return isLabelAddress(e.operand);
  return e.kind === 'address-of' && e.lvalue.kind === 'variable' && e.lvalue.symbol.name.startsWith('<label ');
}

/** The operand of `goto *`. */
export function jumpTarget(ctx: ElaborationContext, syntax: SyntaxExpression): TypedExpression {
  const target = rvalueOf(ctx, syntax);
  if (target.type.kind !== 'pointer')
    return ctx.log.fail(`'goto *' needs a pointer, not '${printType(target.type)}'`, syntax.span, {
      hint: "Take the address of a label with '&&label'.",
    });
  return convert(target, pointerTo(voidType));
}
