/**
 * Invariants by function and location, not by position in one transition system: they can be compared between
 * systems of a program, stored, and lifted through a reduction.
 *
 * Law: the conjunction of all entries is inductive for the program; an engine that is given a map may assume it.
 */
import type { Term } from '../../logic/term';
import type { Cutpoint, CutpointKey } from './cutpoint';

export type InvariantMap = ReadonlyMap<CutpointKey, readonly Term[]>;

export const noInvariants: InvariantMap = new Map();

export function invariantsAt(invariants: InvariantMap, point: Cutpoint): readonly Term[] {
  return invariants.get(point.key) ?? [];
}

/** The map from what is known of each cutpoint; points without invariants have no entry. */
export function invariantMap(points: readonly Cutpoint[], at: (point: Cutpoint) => readonly Term[]): InvariantMap {
  return new Map(points.flatMap((point) => (at(point).length === 0 ? [] : [[point.key, at(point)] as const])));
}

/** Both maps together, without repetitions; in each entry those of `first` come first. */
export function conjoin(first: InvariantMap, second: InvariantMap): InvariantMap {
  const joined = new Map(first);
  for (const [key, terms] of second) joined.set(key, [...new Set([...(joined.get(key) ?? []), ...terms])]);
  return joined;
}

/** True if both hold the same number of invariants at every cutpoint: a larger map has gained some. */
export function isSameSize(a: InvariantMap, b: InvariantMap): boolean {
  const keys = new Set([...a.keys(), ...b.keys()]);
  return [...keys].every((key) => (a.get(key)?.length ?? 0) === (b.get(key)?.length ?? 0));
}
