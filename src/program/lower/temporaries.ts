/**
 * Temporaries that carry a value across a cutpoint. Most are dead at the ends of the segments in which they are made. A
 * temporary that holds a call's result, or an operand during a call, is live there and counts as an ordinary variable.
 */
import type { Variable } from '../expression';
import type { Automaton } from '../automata/automaton';
import type { Edge, Location } from '../program';
import { expressionsOf, targetOf, variablesIn } from '../traverse';

/** Temporaries that are live at the entry, at a loop head or at an end of a call. */
export function temporariesAcrossCutpoints({ entry, edges, locations }: Automaton): ReadonlySet<Variable> {
  const incoming = new Map<Location, Edge[]>(locations.map((location) => [location, []]));
  const uses = new Map<Variable, Edge[]>();
  const cutpoints = new Set<Location>([entry, ...locations.filter((location) => location.isLoopHead)]);
  for (const edge of edges) {
    incoming.get(edge.to)!.push(edge);
    const used = new Set<Variable>();
    for (const expression of expressionsOf(edge.command)) variablesIn(expression, used);
    for (const variable of used) if (variable.temporary) uses.set(variable, [...(uses.get(variable) ?? []), edge]);
    if (edge.command.kind === 'call') cutpoints.add(edge.from).add(edge.to);
  }
  const found = new Set<Variable>();
  for (const [variable, edgesUsing] of uses) {
    if (
      isLiveAtSome(
        variable,
        edgesUsing.map((edge) => edge.from),
        incoming,
        cutpoints,
      )
    )
      found.add(variable);
  }
  return found;
}

function isLiveAtSome(
  variable: Variable,
  start: readonly Location[],
  incoming: ReadonlyMap<Location, readonly Edge[]>,
  cutpoints: ReadonlySet<Location>,
): boolean {
  const seen = new Set(start);
  const pending = [...seen];
  for (let location = pending.pop(); location; location = pending.pop()) {
    if (cutpoints.has(location)) return true;
    for (const edge of incoming.get(location)!) {
      if (targetOf(edge.command) === variable || seen.has(edge.from)) continue;
      seen.add(edge.from);
      pending.push(edge.from);
    }
  }
  return false;
}
