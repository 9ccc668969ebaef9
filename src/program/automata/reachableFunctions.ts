import type { FunctionDefinition } from '../program';

/** These functions and the functions that they may call, callers first. */
export function reachableFunctions(from: Iterable<FunctionDefinition>): ReadonlySet<FunctionDefinition> {
  const found = new Set(from);
  for (const fn of found) {
    for (const { command } of fn.edges) {
      if (command.kind !== 'call') continue;
      for (const target of command.callee.kind === 'function' ? [command.callee] : command.targets) found.add(target);
    }
  }
  return found;
}
