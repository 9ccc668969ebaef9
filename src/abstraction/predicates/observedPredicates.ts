/**
 * What a machine has to compute at control points for whoever wants valuations: the predicates as conditions of the
 * intermediate form, at the points where all of them can be said so. Elsewhere every arrival is reported. A function
 * whose valuations are kept per entry has such points only if its entry is one.
 */
import type { Expression } from '../../program/expression';
import type { FunctionDefinition, Location } from '../../program/program';
import { mostConditions, type Sight, type Sights } from '../../semantics/concrete/machine';
import { asExpression } from './asExpression';
import type { ControlPoint } from '../transitionSystem/controlPoint';
import type { AbstractPoint, PredicateAbstraction } from './predicateAbstraction';
import type { System } from '../transitionSystem/transitionSystem';

export function sightsOf(abstraction: PredicateAbstraction): Sights {
  const { system } = abstraction;
  const sights = new Map<Location, Sight>();
  const entries = new Set<FunctionDefinition>();
  const add = (point: ControlPoint): boolean => {
    const conditions = conditionsOf(abstraction.at(point), system);
    if (conditions) sights.set(point.location, { conditions, perEntry: point.tracksContext });
    return conditions !== undefined;
  };
  for (const point of system.points) if (point.kind === 'entry' && add(point)) entries.add(point.fn);
  for (const point of system.points)
    if (point.kind !== 'entry' && point !== system.client && (!point.tracksContext || entries.has(point.fn)))
      add(point);
  return sights;
}

function conditionsOf(
  { predicates, point: { fn } }: AbstractPoint,
  { vocabulary }: System,
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
