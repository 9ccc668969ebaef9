/**
 * Which local variables may be read before they are written: what they hold at the start matters, and nothing is known
 * of it.
 */
import type { Variable } from '../../program/expression';
import type { FunctionDefinition, Location } from '../../program/program';
import { expressionsOf, walk } from '../../program/traverse';

const known = new WeakMap<FunctionDefinition, ReadonlySet<Variable>>();
const choosable = new WeakMap<FunctionDefinition, readonly Variable[]>();

/**
 * Locals that are no parameters and live at the entry (backward data flow): a jump past their declaration, most often.
 */
export function unsetWhenRead(fn: FunctionDefinition): ReadonlySet<Variable> {
  const before = known.get(fn);
  if (before) return before;
  const live = new Map<Location, Set<Variable>>(fn.locations.map((location) => [location, new Set<Variable>()]));
  if (fn.resultVariable) live.get(fn.exit)!.add(fn.resultVariable);
  for (let changed = true; changed;) {
    changed = false;
    for (const location of [...fn.locations].reverse()) {
      const here = live.get(location)!;
      const size = here.size;
      for (const { command, to } of location.edges) {
        const written =
          'target' in command && command.target && command.target.kind === 'variable' ? command.target : undefined;
        // The program ends there: nothing is read behind.
        if (command.kind !== 'halt') for (const variable of live.get(to)!) if (variable !== written) here.add(variable);
        for (const e of expressionsOf(command))
          walk(e, (node) => {
            if (node.kind === 'read' && node.variable.scope === 'local') here.add(node.variable);
          });
      }
      if (here.size !== size) changed = true;
    }
  }
  const result = new Set([...live.get(fn.entry)!].filter((variable) => !fn.parameters.includes(variable)));
  known.set(fn, result);
  return result;
}

/** The program's own among them: what they hold is for the environment to choose. */
export function jumpedPast(fn: FunctionDefinition): readonly Variable[] {
  let chosen = choosable.get(fn);
  if (!chosen)
    choosable.set(
      fn,
      (chosen = [...unsetWhenRead(fn)].filter((variable) => variable !== fn.resultVariable && !variable.temporary)),
    );
  return chosen;
}
