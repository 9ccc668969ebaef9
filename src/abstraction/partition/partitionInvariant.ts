/**
 * What a partition without a path to the error proves, as facts and abstract states of the control points, in the form
 * in which it is discharged again. In a function whose activations begin in several regions, the regions are told apart
 * by the one in which the activation began: its summary, pair by pair.
 */
import * as L from '../../logic/build';
import type { ControlPoint, Predicate } from '../transitionSystem/controlPoint';
import { reachableNodes, type PathNode } from './matchedPaths';
import type { Partition } from './partition';
import type { Region } from './region';
import type { System } from '../transitionSystem/transitionSystem';

export function takeInvariant(system: System, partition: Partition): void {
  const nodesAt = new Map<ControlPoint, PathNode[]>(system.points.map((point) => [point, []]));
  for (const node of reachableNodes(partition))
    if (node.region.place.point) nodesAt.get(node.region.place.point)!.push(node);
  const regionsAt = (point: ControlPoint): Region[] => [...new Set(nodesAt.get(point)!.map(({ region }) => region))];
  for (const point of system.points) {
    const regions = regionsAt(point);
    const invariant = L.or(...regions.map(({ formula }) => formula));
    const entries = point.tracksContext ? regionsAt(system.at(point.fn.entry)!) : [];
    const told = entries.length > 1 ? regions : [];
    point.reset(told.map(({ formula }): Predicate => ({ term: formula, name: undefined })));
    if (invariant !== L.TRUE) point.facts = [...point.facts, invariant];
    const one = (among: readonly Region[], region: Region | undefined): string =>
      among.map((other) => (other === region ? '1' : '0')).join('');
    for (const { context, region } of nodesAt.get(point)!) {
      point.add({
        context: entries.length > 1 ? one(entries, context) : '',
        valuation: one(told, region),
        source: region.isReached ? 'test' : 'abstract',
        sample: [],
      });
    }
  }
}
