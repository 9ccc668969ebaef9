/**
 * Conditions on all elements of an array, or on some: `s.slots.every((slot, i) => slot.next < 8)`. They are written out
 * element by element, so that the formula needs no quantifier and means what the function computes.
 */
import type { CallExpression, Expression, NewExpression, OptionalCallExpression } from '@babel/types';
import type { ProbeFormula } from '../../src/abstraction/predicates/probeFormula';
import type { FunctionNode } from './translateProbe';

/** Elements that one condition is written out for, those of arrays in arrays multiplied. */
export const mostElements = 256;

export interface QuantifiedCall {
  readonly method: 'every' | 'some';
  readonly array: Expression;
  /** The condition on an element and its index. */
  readonly condition: FunctionNode;
}

/** Undefined for every other call. */
export function elementwise({
  callee,
  arguments: given,
}: CallExpression | OptionalCallExpression | NewExpression): QuantifiedCall | undefined {
  if (callee.type !== 'MemberExpression' && callee.type !== 'OptionalMemberExpression') return undefined;
  const { object, property, computed } = callee;
  const [condition, ...more] = given;
  if (computed || object.type === 'Super' || property.type !== 'Identifier' || more.length > 0) return undefined;
  const { name } = property;
  if (name !== 'every' && name !== 'some') return undefined;
  return condition?.type === 'ArrowFunctionExpression' || condition?.type === 'FunctionExpression'
    ? { method: name, array: object, condition }
    : undefined;
}

/** All conditions, or one of them: balanced, since formulas are read recursively. */
export function joinConditions(kind: 'and' | 'or', conditions: readonly ProbeFormula[]): ProbeFormula {
  if (conditions.length === 0) return { kind: 'boolean', value: kind === 'and' };
  if (conditions.length === 1) return conditions[0]!;
  const middle = conditions.length >> 1;
  return {
    kind,
    left: joinConditions(kind, conditions.slice(0, middle)),
    right: joinConditions(kind, conditions.slice(middle)),
  };
}
