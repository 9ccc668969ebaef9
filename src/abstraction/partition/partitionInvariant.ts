/**
 * What a partition without a path to the error proves, as facts and abstract states of the control points, in the form
 * in which it is discharged again. In a function whose activations begin in several regions, the regions are told apart
 * by the one in which the activation began: its summary, pair by pair.
 */
import * as L from '../../logic/build';
import type { ControlPoint } from '../transitionSystem/controlPoint';
import { type Predicate, PredicateAbstraction } from '../predicates/predicateAbstraction';
import { reachableNodes, type PathNode } from './matchedPaths';
import type { Partition } from './partition';
import type { Region } from './region';
import { type InvariantMap, invariantMap, invariantsAt } from '../transitionSystem/invariantMap';
import type { System } from '../transitionSystem/transitionSystem';

export function partitionInvariant(
  system: System,
  invariants: InvariantMap,
  partition: Partition,
): PredicateAbstraction {
  const nodesAt = new Map<ControlPoint, PathNode[]>(system.points.map((point) => [point, []]));
  for (const node of reachableNodes(partition))
    if (node.region.place.point) nodesAt.get(node.region.place.point)!.push(node);
  const regionsAt = (point: ControlPoint): Region[] => [...new Set(nodesAt.get(point)!.map(({ region }) => region))];
  const contextsAt = (point: ControlPoint): readonly Region[] => {
    const entries = point.tracksContext ? regionsAt(system.at(point.fn.entry)!) : [];
    return entries.length > 1 ? entries : [];
  };
  /** Regions that are distinguished at the point: none where one context is enough. */
  const distinguished = (point: ControlPoint): readonly Region[] =>
    contextsAt(point).length > 0 ? regionsAt(point) : [];
  const proved = invariantMap(system.points, (point) => {
    const invariant = L.or(...regionsAt(point).map(({ formula }) => formula));
    return [...invariantsAt(invariants, point), ...(invariant === L.TRUE ? [] : [invariant])];
  });
  const abstraction = new PredicateAbstraction(system, proved, (point) =>
    distinguished(point).map(({ formula }): Predicate => ({ term: formula, name: undefined })),
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
