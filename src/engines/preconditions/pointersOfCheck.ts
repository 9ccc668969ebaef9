/** Pointer parameters that the condition of a check is computed from. */
import type { Expression, Variable } from '../../program/expression';
import type { FunctionDefinition } from '../../program/program';
import { expressionsOf, targetOf, variablesIn, walk } from '../../program/traverse';

/**
 * Flow-insensitive, so that it has at least all of them. Undefined where the condition depends on contents of memory,
 * or on results of calls: these may be any pointer. The size and life of an object are no contents.
 */
export function pointersOfCheck(fn: FunctionDefinition, condition: Expression): ReadonlySet<Variable> | undefined {
  const found = new Set<Variable>();
  const open: Expression[] = [condition];
  for (let next = open.pop(); next; next = open.pop()) {
    let readsContents = false;
    walk(next, (inner) => {
      if (inner.kind === 'load' && inner.type.kind === 'pointer') readsContents = true;
    });
    if (readsContents) return undefined;
    for (const variable of variablesIn(next)) {
      if (found.has(variable) || variable.type.kind !== 'pointer') continue;
      if (variable.scope === 'global') return undefined;
      found.add(variable);
      for (const { command } of fn.edges) {
        if (targetOf(command) !== variable) continue;
        if (command.kind !== 'assign' && command.kind !== 'havoc') return undefined;
        open.push(...expressionsOf(command));
      }
    }
  }
  return new Set(fn.parameters.filter((parameter) => found.has(parameter)));
}
