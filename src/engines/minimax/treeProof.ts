/**
 * A closed tree as an invariant: at each place some finished node's label holds. Nothing of how the tree was closed is
 * trusted; the certificate's checker discharges the invariant, edge by edge.
 */
import { CallStackGraph } from '../../abstraction/transitionSystem/callStackGraph';
import { PredicateAbstraction } from '../../abstraction/predicates/predicateAbstraction';
import { invariantMap } from '../../abstraction/transitionSystem/invariantMap';
import type { GraphNode, TransitionGraph } from '../../abstraction/transitionSystem/transitionGraph';
import { type CallStackCertificate, certifyCallStacks } from '../../evidence/certificates/callStackCertificate';
import { certificateOf, certify, type CertifyResult } from '../../evidence/certificates/certify';
import * as L from '../../logic/build';
import { symbolsOf } from '../../logic/substitute';
import type { Term } from '../../logic/term';
import type { Program } from '../../program/program';
import type { QueryBudget, Solver } from '../../solver/solver';
import type { Proof } from '../engine';
import { neededLiterals } from './literalText';
import { dangerousIn } from './minimax';
import type { TreeNode } from './searchTree';

export type TreeProof = Extract<Proof, { readonly kind: 'invariant' | 'call-stacks' }>;

type Label = ReadonlySet<Term>;

export function treeProof(
  graph: TransitionGraph | CallStackGraph,
  finished: ReadonlyMap<GraphNode, readonly TreeNode[]>,
): TreeProof {
  const { system } = graph;
  const dangerous = dangerousIn(graph);
  // Places that no check follows were not searched: anything may hold there.
  const labelsAt = (place: GraphNode): readonly Label[] =>
    dangerous.has(place) ? (finished.get(place) ?? []).map(({ label }) => new Set(neededLiterals(label))) : [new Set()];
  if (!(graph instanceof CallStackGraph)) {
    const invariants = invariantMap(system.points, (point) => someOf(labelsAt(graph.at(point))));
    return { kind: 'invariant', abstraction: PredicateAbstraction.ofInvariants(system, invariants) };
  }
  const places = graph.nodes.filter(({ kind }) => kind === 'point');
  const certificate: CallStackCertificate = new Map(
    places.map((place) => [graph.keyOf(place), someOf(labelsAt(place))] as const),
  );
  const byLocation = invariantMap(system.points, (point) => {
    const own = new Set<Term>(system.vocabulary.symbolsFor(point.fn));
    const isOwn = (term: Term): boolean => [...symbolsOf(term)].every((symbol) => own.has(symbol));
    return someOf(
      places
        .filter((place) => place.point === point)
        .flatMap(labelsAt)
        .map((label) => new Set([...label].filter(isOwn))),
    );
  });
  return {
    kind: 'call-stacks',
    certificate,
    abstraction: PredicateAbstraction.ofInvariants(system, byLocation),
  };
}

/** Has the checker of its kind discharge the proof. */
export function discharged(
  proof: TreeProof,
  program: Program,
  solver: Solver,
  budget: () => QueryBudget,
): Promise<CertifyResult> {
  const { options } = proof.abstraction.system;
  return proof.kind === 'invariant'
    ? certify(program, options, certificateOf(proof.abstraction), solver, budget)
    : certifyCallStacks(program, options, proof.certificate, solver, budget);
}

/** One of the labels holds; a label with the conjuncts of another one, and more, adds nothing. */
function someOf(labels: readonly Label[]): readonly Term[] {
  const weakest: Label[] = [];
  for (const label of [...labels].sort((a, b) => a.size - b.size))
    if (!weakest.some((other) => [...other].every((term) => label.has(term)))) weakest.push(label);
  const some = L.or(...weakest.map((label) => L.and(...label)));
  return some === L.TRUE ? [] : [some];
}
