/**
 * Guarantees of functions without a body: every call assumes them when it returns. Arguments are those that were
 * passed, whatever the call does to the variables they came from. A condition without a meaning, such as a member of
 * null, does not hold.
 */
import type { Span } from '../../../c/source';
import type { TypedExpression } from '../../../c/tree';
import { truth } from '../../build';
import type { Expression } from '../../expression';
import type { UndefinedFunction } from '../../linking/link';
import type { FunctionLowering } from '../context';
import { scalarOf } from '../objects/layout';
import { lowerValue } from '../value';

export interface CallGuarantees {
  /** Some condition speaks of the result. */
  readonly needResult: boolean;
  /** Draws the assumptions, behind the call. The literal 0 says that it never returns. */
  assume(result: Expression | undefined): 'returns' | 'never returns';
}

/** To be called before the call is drawn. `values`: the arguments, without a place for a structure as the result. */
export function guaranteesOf(
  f: FunctionLowering,
  { guarantees, type }: UndefinedFunction,
  values: readonly Expression[],
  span: Span,
): CallGuarantees {
  const prepared = guarantees.map((guarantee) => {
    guarantee.parameters.forEach((parameter, i) => {
      const value = values[i];
      const isScalar = parameter.type.kind !== 'record' && parameter.type.kind !== 'array';
      if (!value || !isScalar) return;
      const passed = f.variable(parameter.name, scalarOf(parameter.type), { ctype: parameter.type, temporary: true });
      f.emit({ kind: 'assign', target: passed, value }, span);
      f.homes.set(parameter, passed);
    });
    return guarantee;
  });
  return {
    needResult: guarantees.length > 0 && type.result.kind !== 'void',
    assume: (value) => {
      for (const { condition, result } of prepared) {
        if (result && value) {
          const returned = f.variable('result', value.type, { ctype: result.type, temporary: true });
          f.emit({ kind: 'assign', target: returned, value }, span);
          f.homes.set(result, returned);
        }
        const holds = f.inGuarantee(() => truth(lowerValue(f, condition)));
        if (isLiteralZero(condition)) return 'never returns';
        f.assumeVisibly(holds, condition.span);
      }
      return 'returns';
    },
  };
}

const isLiteralZero = (e: TypedExpression): boolean =>
  (e.kind === 'integer' && e.value === 0n) || (e.kind === 'convert' && isLiteralZero(e.operand));
