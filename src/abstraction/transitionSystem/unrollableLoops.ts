/** Loops that may become part of segments. */
import { type Loop, naturalLoops } from '../../program/automata/loops';
import type { FunctionDefinition, Location } from '../../program/program';

/**
 * The loops wanted that are natural and have no other cutpoints in their bodies than heads of such loops, inner ones
 * first.
 */
export function unrollable(
  functions: readonly FunctionDefinition[],
  cutpoints: ReadonlySet<Location>,
  wanted: ReadonlyMap<Location, number>,
): Map<Location, { loop: Loop; rounds: number }> {
  const found = new Map<Location, { loop: Loop; rounds: number }>();
  if (wanted.size === 0) return found;
  for (const fn of functions) {
    for (const loop of [...naturalLoops(fn).values()].reverse()) {
      const rounds = wanted.get(loop.head);
      if (
        rounds === undefined ||
        [...loop.body].some((location) => location !== loop.head && cutpoints.has(location) && !found.has(location))
      )
        continue;
      found.set(loop.head, { loop, rounds });
    }
  }
  return found;
}
