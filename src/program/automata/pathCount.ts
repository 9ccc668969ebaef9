/** Counts the ways through the loop-free parts of a function. */
import { cutpointsOf } from './cutpoints';
import type { FunctionDefinition, Location } from '../program';

/** More paths are not distinguished. */
const most = 1e9;

/** The number of paths from a cutpoint to the next ones, at the cutpoint with most of them. Calls count as one. */
export function pathsThrough(fn: FunctionDefinition): number {
  const cutpoints = cutpointsOf(fn);
  const counted = new Map<Location, number>();
  const after = (location: Location): number =>
    location.edges.reduce((sum, { to }) => Math.min(most, sum + (cutpoints.has(to) ? 1 : (counted.get(to) ?? 0))), 0);
  // Post-order, without recursion: rows of branches are long.
  for (const cutpoint of cutpoints) {
    const work = cutpoint.edges.map(({ to }) => to);
    while (work.length > 0) {
      const location = work[work.length - 1]!;
      const open = location.edges.map(({ to }) => to).filter((to) => !cutpoints.has(to) && !counted.has(to));
      if (!cutpoints.has(location) && !counted.has(location) && open.length > 0) {
        work.push(...open);
        continue;
      }
      work.pop();
      if (!cutpoints.has(location) && !counted.has(location)) counted.set(location, after(location));
    }
  }
  return Math.max(0, ...[...cutpoints].map(after));
}
