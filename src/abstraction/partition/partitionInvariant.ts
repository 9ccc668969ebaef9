/**
 * Proof by a partition without a path to the error, as invariants and abstract states of the cutpoints, in the form in
 * which it is discharged again. In a function whose activations begin in several regions, the regions are distinguished
 * by the one in which the activation began: its summary, pair by pair.
 */
import * as L from '../../logic/build';
import type { Cutpoint } from '../transitionSystem/cutpoint';
import { type StatePredicate, PredicateAbstraction } from '../predicates/predicateAbstraction';
import { reachableNodes, type PathNode } from './matchedPaths';
import type { Partition } from './partition';
import type { Region } from './region';
import { type InvariantMap, invariantMap, invariantsAt } from '../transitionSystem/invariantMap';
import type { TransitionSystem } from '../transitionSystem/transitionSystem';

export function partitionInvariant(
  system: TransitionSystem,
  invariants: InvariantMap,
  partition: Partition,
): PredicateAbstraction {
  const nodesAt = new Map<Cutpoint, PathNode[]>(system.points.map((point) => [point, []]));
  for (const node of reachableNodes(partition))
    if (node.region.node.point) nodesAt.get(node.region.node.point)!.push(node);
  const regionsAt = (point: Cutpoint): Region[] => [...new Set(nodesAt.get(point)!.map(({ region }) => region))];
  const contextsAt = (point: Cutpoint): readonly Region[] => {
    const entries = point.tracksContext ? regionsAt(system.at(point.fn.entry)!) : [];
    return entries.length > 1 ? entries : [];
  };
  /** Regions that are distinguished at the point: none where one context is enough. */
  const distinguished = (point: Cutpoint): readonly Region[] => (contextsAt(point).length > 0 ? regionsAt(point) : []);
  const proved = invariantMap(system.points, (point) => {
    const invariant = L.or(...regionsAt(point).map(({ formula }) => formula));
    return [...invariantsAt(invariants, point), ...(invariant === L.TRUE ? [] : [invariant])];
  });
  const abstraction = new PredicateAbstraction(system, proved, (point) =>
    distinguished(point).map(({ formula }): StatePredicate => ({ term: formula, name: undefined })),
  );
  const one = (among: readonly Region[], region: Region | undefined): string =>
    among.map((other) => (other === region ? '1' : '0')).join('');
  for (const point of system.points) {
    for (const { context, region } of nodesAt.get(point)!) {
      abstraction.at(point).add({
        context: one(contextsAt(point), context),
        valuation: one(distinguished(point), region),
        source: region.isReached ? 'test' : 'abstract',
        sample: [],
      });
    }
  }
  return abstraction;
}
