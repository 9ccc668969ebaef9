/** A partition as plain data, for reports: regions, the edges between them, and which of these tests have taken. */
import { sourceLocationOf } from '../../sourceLocation';
import type { PartitionGraph, SourceLocation as TextPlace } from '../../verdict';
import type { Forest } from './forest';
import { reachableNodes } from './matchedPaths';
import type { AbstractEdge, Partition } from './partition';
import { printTerm } from '../printing/printTerm';
import type { Region } from './region';
import type { GraphNode } from '../transitionSystem/transitionGraph';

const limits = {
  regions: 300,
  /** Regions up to which unreachable ones are left out. */
  regionsForReachability: 100,
  edges: 3000,
  /** States of the forest whose steps are looked at. */
  states: 50_000,
  formulaCharacters: 400,
} as const;

export function partitionGraph(
  partition: Partition,
  forest: Forest,
  frontiers: readonly AbstractEdge[],
): PartitionGraph {
  const { graph } = partition;
  // Cubic in the regions where functions call each other; of many, only some are shown anyway.
  const isLarge = partition.regions.length > limits.regionsForReachability;
  const reachable = new Set(isLarge ? partition.regions : reachableNodes(partition).map(({ region }) => region));
  const connected = partition.regions.filter(
    (region) => reachable.has(region) || region.isReached || partition.edgesTo(region).length > 0,
  );
  const shown = new Set(connected.slice(0, limits.regions));
  const taken = new Set<string>();
  for (let state = 0; state < Math.min(forest.size, limits.states); state++) {
    const parent = forest.parentOf(state);
    taken.add(
      `${parent === undefined ? partition.start.id : partition.regionOf(parent).id}>${partition.regionOf(state).id}`,
    );
  }
  const stopped = new Set(frontiers.map(({ from, to }) => `${from.id}>${to.id}`));
  const edges = new Map<string, PartitionGraph['edges'][number]>();
  for (const step of graph.steps) {
    for (const from of partition.at(step.from)) {
      for (const to of partition.at(step.to)) {
        if (!shown.has(from) || !shown.has(to)) continue;
        const key = `${from.id}>${to.id}`;
        const kind = taken.has(key) ? 'taken' : partition.has({ from, step, to }) ? 'possible' : 'removed';
        const known = edges.get(key);
        if (!known || rank[kind] < rank[known.kind])
          edges.set(key, { from: from.id, to: to.id, kind, frontier: stopped.has(key) });
      }
    }
  }
  return {
    complete: shown.size === connected.length && edges.size <= limits.edges,
    regions: [...shown].map((region) => {
      const at = textPlace(region.node);
      return {
        id: region.id,
        kind: region.node.kind,
        ...(at && { at }),
        formula: formulaOf(region, partition),
        states: region.states.length,
        reachable: reachable.has(region),
      };
    }),
    edges: [...edges.values()].slice(0, limits.edges),
    runs: forest.runs.length,
    states: forest.size,
  };
}

const rank = { taken: 0, possible: 1, removed: 2 } as const;

/** The location of a node in the C text. */
export function textPlace({ point }: GraphNode): TextPlace | undefined {
  return point && sourceLocationOf(point.location.span, point.fn.name.startsWith('<') ? undefined : point.fn.name);
}

function formulaOf(region: Region, { graph }: Partition): string {
  const text = printTerm(region.formula, graph.system.vocabulary);
  return text.length > limits.formulaCharacters ? `${text.slice(0, limits.formulaCharacters)}…` : text;
}
