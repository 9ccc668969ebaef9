/** GNU's `({ … })`. */
import type { TypedExpression as Tree } from '../../c/tree';
import { addressOf, read } from '../build';
import type { Expression } from '../expression';
import { objectAddress } from './objects/address';
import { copyAggregate, lowerAggregate } from './objects/aggregate';
import type { FunctionLowering } from './context';
import { scalarOf } from './objects/layout';
import { lowerBlock } from './statement';
import { lowerEffect, lowerInto } from './value';

/** The value; for structures, the address of a copy. Undefined for void and unused values. */
export function lowerStatementExpression(
  f: FunctionLowering,
  e: Extract<Tree, { kind: 'statement-expression' }>,
  want: 'value' | 'nothing' = 'value',
): Expression | undefined {
  const first = f.accesses.length;
  const value = f.asOneCall(() => lowerBody(f, e, want));
  f.accesses.length = first;
  return value;
}

function lowerBody(
  f: FunctionLowering,
  e: Extract<Tree, { kind: 'statement-expression' }>,
  want: 'value' | 'nothing',
): Expression | undefined {
  let value: Expression | undefined;
  lowerBlock(f, e.body, () => {
    if (!e.result) return;
    if (want === 'nothing' || e.result.type.kind === 'void') {
      lowerEffect(f, e.result);
    } else if (e.result.type.kind === 'record') {
      const source = lowerAggregate(f, e.result);
      const copy = f.activationObject('<statement expression>', e.result.type);
      copyAggregate(f, objectAddress(copy), source, copy.sizeBytes, e.span);
      value = addressOf(copy);
    } else {
      const result = f.temporary(scalarOf(e.result.type), 'result');
      lowerInto(f, result, e.result, e.result.span);
      value = read(result);
    }
  });
  return value;
}
