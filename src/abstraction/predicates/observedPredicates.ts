/**
 * Predicates that the interpreter evaluates itself. At a cutpoint whose predicates are all expressible in the
 * intermediate form, compiled code computes the valuation and reports only new ones. At other cutpoints every visit is
 * reported. If a function's valuations are kept per entry, it has such cutpoints only if its entry is one.
 */
import type { Expression } from '../../program/expression';
import type { FunctionDefinition, Location } from '../../program/program';
import { mostConditions, type ObservedPredicates, type ObservedPredicateMap } from '../../semantics/concrete/machine';
import { asExpression } from './asExpression';
import type { Cutpoint } from '../transitionSystem/cutpoint';
import type { AbstractPoint, PredicateAbstraction } from './predicateAbstraction';
import type { TransitionSystem } from '../transitionSystem/transitionSystem';

export function observedPredicatesOf(abstraction: PredicateAbstraction): ObservedPredicateMap {
  const { system } = abstraction;
  const observedPredicates = new Map<Location, ObservedPredicates>();
  const entries = new Set<FunctionDefinition>();
  const add = (point: Cutpoint): boolean => {
    const conditions = conditionsOf(abstraction.at(point), system);
    if (conditions) observedPredicates.set(point.location, { conditions, perEntry: point.tracksContext });
    return conditions !== undefined;
  };
  for (const point of system.points) if (point.kind === 'entry' && add(point)) entries.add(point.fn);
  for (const point of system.points)
    if (point.kind !== 'entry' && point !== system.client && (!point.tracksContext || entries.has(point.fn)))
      add(point);
  return observedPredicates;
}

function conditionsOf(
  { predicates, point: { fn } }: AbstractPoint,
  { vocabulary }: TransitionSystem,
): readonly Expression[] | undefined {
  if (predicates.length > mostConditions) return undefined;
  const conditions: Expression[] = [];
  for (const { term } of predicates) {
    const condition = asExpression(term, vocabulary, fn);
    if (!condition) return undefined;
    conditions.push(condition);
  }
  return conditions;
}
