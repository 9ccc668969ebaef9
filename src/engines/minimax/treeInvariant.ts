/**
 * A closed tree as an invariant by location: at each place some finished node's label holds. Nothing of how the tree
 * was closed is trusted; the certificate's checker discharges the invariant, edge by edge.
 */
import * as L from '../../logic/build';
import type { Term } from '../../logic/term';
import { type InvariantMap, invariantMap } from '../../abstraction/transitionSystem/invariantMap';
import type { GraphNode, TransitionGraph } from '../../abstraction/transitionSystem/transitionGraph';
import { isAlive } from './constraints';
import { dangerousIn } from './minimax';
import type { TreeNode } from './searchTree';

export function treeInvariant(
  graph: TransitionGraph,
  finished: ReadonlyMap<GraphNode, readonly TreeNode[]>,
): InvariantMap {
  const dangerous = dangerousIn(graph);
  return invariantMap(graph.system.points, (point) => {
    // Places that no check follows were not searched: anything may hold there.
    if (!dangerous.has(graph.at(point))) return [];
    const labels = (finished.get(graph.at(point)) ?? []).map(labelOf);
    const invariant = L.or(...withoutStronger(labels));
    return invariant === L.TRUE ? [] : [invariant];
  });
}

function labelOf({ label }: TreeNode): ReadonlySet<Term> {
  return new Set(label!.filter(({ needs }) => isAlive(needs)).map(({ term }) => term));
}

/** A label with the conjuncts of another one, and more, adds nothing. */
function withoutStronger(labels: readonly ReadonlySet<Term>[]): readonly Term[] {
  const weakest: ReadonlySet<Term>[] = [];
  for (const label of [...labels].sort((a, b) => a.size - b.size))
    if (!weakest.some((other) => [...other].every((term) => label.has(term)))) weakest.push(label);
  return weakest.map((label) => L.and(...label));
}
