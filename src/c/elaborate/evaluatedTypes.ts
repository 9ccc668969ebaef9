/** Type names in expressions. C evaluates their lengths, and operands of `typeof` in them, with the expression. */
import { pointerTo } from '../target';
import type { TypeName } from '../syntax';
import type { TypedExpression } from '../tree';
import type { CType } from '../types';
import type { ElaborationContext } from './context';
import { isLvalue } from './conversions';
import { typeOfName } from './types';
import { withEvaluatedLengths, withEvaluations } from './variableArrays';

/** A value, or an lvalue, together with what C evaluates in its type name. */
export function evaluatedWith(
  ctx: ElaborationContext,
  name: TypeName,
  read: (type: CType) => TypedExpression,
): TypedExpression {
  const evaluations: TypedExpression[] = [];
  const type = evaluatedType(ctx, name, evaluations);
  const e = read(type);
  if (evaluations.length === 0) return e;
  const { span } = e;
  if (!isLvalue(e)) return withEvaluations(evaluations, e);
  const place: TypedExpression = { kind: 'address-of', lvalue: e, type: pointerTo(e.type), span };
  return { kind: 'dereference', pointer: withEvaluations(evaluations, place), type: e.type, span };
}

/** Adds to `evaluations` what C evaluates with the type. */
export function evaluatedType(ctx: ElaborationContext, name: TypeName, evaluations: TypedExpression[]): CType {
  const type = ctx.evaluating(evaluations, () => typeOfName(ctx, name));
  return ctx.function ? withEvaluatedLengths(ctx, type, name.span, evaluations) : type;
}
