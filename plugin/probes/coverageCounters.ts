/** Statements and expressions that coverage tools add to a function. */
import type { Expression, Node, Statement } from '@babel/types';

/** Istanbul's `cov_x().s[0]++`. */
export function isCoverageCounter(statement: Statement): boolean {
  return statement.type === 'ExpressionStatement' && isCounterExpression(statement.expression);
}

export function isCounterExpression(e: Expression): boolean {
  if (e.type === 'SequenceExpression') return e.expressions.every(isCounterExpression);
  if (e.type !== 'UpdateExpression') return false;
  let place: Node = e.argument;
  while (place.type === 'MemberExpression') place = place.object;
  return place.type === 'CallExpression' && place.callee.type === 'Identifier' && place.callee.name.startsWith('cov_');
}
