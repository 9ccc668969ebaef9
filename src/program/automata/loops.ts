/**
 * Natural loops of a function (Aho, Lam, Sethi, Ullman, section 9.6): a head, and the locations that reach it again
 * without passing it. A loop with a second entry (a jump into its body) is not natural and is left out.
 */
import type { FunctionDefinition, Location } from '../program';

export interface Loop {
  readonly head: Location;
  /** Includes the head. */
  readonly body: ReadonlySet<Location>;
}

/** By head, in the order of the locations: outer loops before the loops inside them. */
export function naturalLoops(fn: FunctionDefinition): ReadonlyMap<Location, Loop> {
  const before = new Map<Location, Location[]>();
  for (const { from, to } of fn.edges) {
    const list = before.get(to);
    if (list) list.push(from);
    else before.set(to, [from]);
  }
  const loops = new Map<Location, Loop>();
  for (const head of fn.locations) {
    if (!head.isLoopHead) continue;
    const body = new Set([head]);
    const work = (before.get(head) ?? []).filter((from) => from.index >= head.index);
    for (let location = work.pop(); location; location = work.pop()) {
      if (body.has(location)) continue;
      body.add(location);
      work.push(...(before.get(location) ?? []));
    }
    if (
      [...body].every(
        (location) =>
          location.index >= head.index &&
          (location === head || (before.get(location) ?? []).every((from) => body.has(from))),
      )
    )
      loops.set(head, { head, body });
  }
  return loops;
}
