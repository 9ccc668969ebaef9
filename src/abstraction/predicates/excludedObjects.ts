/**
 * Static objects into which an argument does not lead, since a precondition says so: `!PROVEST_SAME_OBJECT(text,
 * table)`, alone or as one of several conditions that all hold.
 */
import type { CType } from '../../c/types';
import type { Variable } from '../../program/expression';
import type { Program, StaticObject } from '../../program/program';
import type { Task } from '../../task';
import { argumentAt } from './joinedArguments';
import type { ProbeFormula, ProbePath } from './probeFormula';
import { statedByFunction } from './statedByFunction';

export function excludedObjects(
  requires: Task['requires'],
  program: Program,
): ReadonlyMap<Variable, ReadonlySet<StaticObject>> {
  const found = new Map<Variable, Set<StaticObject>>();
  const stated = statedByFunction(requires, program, (formula, fn) =>
    conditionsOf(formula).flatMap((one) => {
      if (one.kind !== 'not' || one.operand.kind !== 'same-object') return [];
      const { left, right } = one.operand;
      return [
        [left, right],
        [right, left],
      ].flatMap(([argument, place]) => {
        const parameter = argumentAt(argument!, fn);
        const isHidden = fn.parameters.some(({ name }) => name === place!.variable);
        const object = isHidden ? undefined : objectAt(place!, program);
        return parameter && object ? [{ parameter, object }] : [];
      });
    }),
  );
  for (const { parameter, object } of [...stated.values()].flat())
    found.set(parameter, (found.get(parameter) ?? new Set()).add(object));
  return found;
}

/** Conditions that all hold if the formula does. */
function conditionsOf(formula: ProbeFormula): readonly ProbeFormula[] {
  return formula.kind === 'and' ? [...conditionsOf(formula.left), ...conditionsOf(formula.right)] : [formula];
}

/** The static object in which an array lies that the path names; undefined for a place behind a pointer. */
function objectAt({ variable, steps }: ProbePath, program: Program): StaticObject | undefined {
  const known = program.symbols.get(variable);
  if (!known || known.place.kind === 'variable') return undefined;
  let type: CType | undefined = known.ctype;
  for (const step of steps) {
    if (step.kind === 'field' && type?.kind === 'record')
      type = type.record.fields.find(({ name }) => name === step.name)?.type;
    else if (step.kind === 'index' && type?.kind === 'array') type = type.of;
    else return undefined;
  }
  return type?.kind === 'array' ? known.place : undefined;
}
