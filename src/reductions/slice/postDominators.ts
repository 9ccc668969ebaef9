/**
 * Post-dominators by Cooper, Harvey, Kennedy ("A simple, fast dominance algorithm", 2001) on the reversed automaton:
 * what every way from a location to an end passes.
 */
import type { FunctionDefinition, Location } from '../../program/program';

export interface PostDominators {
  /** True if some way from here leads to an end. */
  reachesEnd(location: Location): boolean;
  /** The first location that every way to an end passes; undefined where the ways meet at the end only. */
  immediate(location: Location): Location | undefined;
}

/** `ends`: ways are followed up to these; what lies behind them is the way to the next one. */
export function postDominators(fn: FunctionDefinition, ends: ReadonlySet<Location>): PostDominators {
  const before = new Map<Location, Location[]>(fn.locations.map((location) => [location, []]));
  for (const { from, to } of fn.edges) if (!ends.has(from)) before.get(to)!.push(from);
  const order = reversePostOrder(ends, before);
  const position = new Map(order.map((location, i) => [location, i]));
  // Position of each one's immediate post-dominator; -1 is the virtual end behind all ends.
  const immediate = new Map<Location, number>();
  for (const end of ends) immediate.set(end, -1);
  const meet = (a: number, b: number): number => {
    while (a !== b) {
      if (a > b) a = immediate.get(order[a]!)!;
      else b = immediate.get(order[b]!)!;
    }
    return a;
  };
  for (let changed = true; changed;) {
    changed = false;
    for (const location of order) {
      if (ends.has(location)) continue;
      const next = location.edges
        .map(({ to }) => to)
        .filter((to) => immediate.has(to))
        .map((to) => position.get(to)!);
      if (next.length === 0) continue;
      const found = next.reduce(meet);
      if (immediate.get(location) === found) continue;
      immediate.set(location, found);
      changed = true;
    }
  }
  return {
    reachesEnd: (location) => immediate.has(location),
    immediate: (location) => {
      const at = immediate.get(location) ?? -1;
      return at < 0 ? undefined : order[at];
    },
  };
}

/** Locations in reverse post-order of the reversed automaton, from all ends. */
function reversePostOrder(
  ends: ReadonlySet<Location>,
  before: ReadonlyMap<Location, readonly Location[]>,
): readonly Location[] {
  const seen = new Set<Location>();
  const order: Location[] = [];
  for (const end of ends) {
    if (seen.has(end)) continue;
    seen.add(end);
    const stack: { readonly location: Location; next: number }[] = [{ location: end, next: 0 }];
    for (let top = stack.at(-1); top; top = stack.at(-1)) {
      const from = before.get(top.location)![top.next++];
      if (from === undefined) {
        order.push(top.location);
        stack.pop();
      } else if (!seen.has(from)) {
        seen.add(from);
        stack.push({ location: from, next: 0 });
      }
    }
  }
  return order.reverse();
}
