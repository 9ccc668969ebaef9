/** Reads what preconditions state, function by function. */
import type { FunctionDefinition, Program } from '../../program/program';
import type { Task } from '../../task';
import type { ProbeFormula } from './probeFormula';

/** All that `read` finds in the preconditions of each function; functions without any are left out. */
export function statedByFunction<T>(
  requires: Task['requires'],
  program: Program,
  read: (formula: ProbeFormula, fn: FunctionDefinition) => readonly T[],
): ReadonlyMap<FunctionDefinition, readonly T[]> {
  const found = new Map<FunctionDefinition, readonly T[]>();
  for (const { function: name, formula } of requires ?? []) {
    const fn = program.functionByName.get(name);
    const stated = fn ? read(formula, fn) : [];
    if (fn && stated.length > 0) found.set(fn, [...(found.get(fn) ?? []), ...stated]);
  }
  return found;
}
