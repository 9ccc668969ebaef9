/** The comma operator, and evaluations that C makes in no particular order, such as that of a type name's lengths. */
import type { TypedExpression as Tree } from '../../../c/tree';
import { checkUnsequenced } from './accesses';
import type { FunctionLowering } from '../context';
import { lowerEffect, lowerFirst } from '../value';

/** Evaluates the left operand for its effects. `right` lowers the right one. */
export function lowerComma<T>(f: FunctionLowering, e: Extract<Tree, { kind: 'comma' }>, right: () => T): T {
  if (!e.unsequenced) {
    lowerFirst(f, e.left);
    return right();
  }
  const start = f.moment();
  const first = f.accesses.length;
  lowerEffect(f, e.left);
  const moment = f.moment();
  const second = f.accesses.length;
  const value = right();
  f.noteUnordered(e.span, start, [
    { values: [], end: moment },
    { values: [], end: f.moment() },
  ]);
  checkUnsequenced(f, start, [f.accesses.slice(first, second), f.accesses.slice(second)], e.span);
  return value;
}
