/**
 * A closed tree as an invariant: at each place some finished node's label holds. Nothing of how the tree was closed is
 * trusted; the certificate's checker discharges the invariant, edge by edge. Where calls wait, or a place has many
 * labels, each label is a case of its own, with the node that each step leads to as a hint.
 */
import { CallStackGraph } from '../../abstraction/transitionSystem/callStackGraph';
import { PredicateAbstraction } from '../../abstraction/predicates/predicateAbstraction';
import { invariantMap } from '../../abstraction/transitionSystem/invariantMap';
import type { GraphNode, Step, TransitionGraph } from '../../abstraction/transitionSystem/transitionGraph';
import {
  type CallStackCertificate,
  certifyCallStacks,
  type CertificateCase,
} from '../../evidence/certificates/callStackCertificate';
import type { CertifyResult } from '../../evidence/certificates/certificateChecker';
import { certificateOf, certify } from '../../evidence/certificates/certify';
import * as L from '../../logic/build';
import { symbolsOf } from '../../logic/substitute';
import type { Term } from '../../logic/term';
import type { Program } from '../../program/program';
import type { QueryBudget, Solver } from '../../solver/solver';
import type { Proof } from '../engine';
import { neededLiterals } from './literalText';
import { dangerousIn } from './minimax';
import type { TreeNode } from './searchTree';

const limits = {
  /** Labels of a place; the disjunction of more is a hard query for the checker. */
  labels: 8,
} as const;

const withoutCalls: ReadonlySet<Step['kind']> = new Set(['start', 'segment', 'error', 'client', 'leave']);

export type TreeProof = Extract<Proof, { readonly kind: 'invariant' | 'call-stacks' }>;

interface Labelled {
  readonly terms: ReadonlySet<Term>;
  /** Undefined: nothing was searched there. */
  readonly node: TreeNode | undefined;
}

export function treeProof(
  graph: TransitionGraph | CallStackGraph,
  finished: ReadonlyMap<GraphNode, readonly TreeNode[]>,
): TreeProof {
  const { system } = graph;
  const dangerous = dangerousIn(graph);
  const labelOf = new Map<TreeNode, number>();
  const labels = new Map<GraphNode, readonly Labelled[]>();
  for (const place of graph.nodes) {
    const nodes = finished.get(place) ?? [];
    if (dangerous.has(place) && place !== graph.start) {
      labels.set(place, weakestLabels(nodes, labelOf));
      continue;
    }
    for (const node of nodes) labelOf.set(node, 0);
    labels.set(place, [{ terms: new Set(), node: nodes[0] }]);
  }
  const labelsAt = (place: GraphNode): readonly Labelled[] => labels.get(place)!;
  const places = [...reachedBy(graph)].filter(({ kind }) => kind === 'point');
  const hasMany = places.some((place) => labelsAt(place).length > limits.labels);
  if (!(graph instanceof CallStackGraph) && !(hasMany && isWithoutCalls(graph))) {
    const invariants = invariantMap(system.points, (point) => someOf(labelsAt(graph.at(point))));
    return { kind: 'invariant', abstraction: PredicateAbstraction.ofInvariants(system, invariants) };
  }
  const keyOf = (place: GraphNode): string =>
    graph instanceof CallStackGraph ? graph.keyOf(place) : (place.point?.key ?? place.kind);
  const caseOf = (place: GraphNode, { terms, node }: Labelled): CertificateCase => ({
    claims: [...terms],
    next: place.leaving.map((step) => {
      const next = node?.next.get(step);
      return next && labelOf.get(next);
    }),
  });
  const certificate: CallStackCertificate = new Map(
    [graph.start, ...places].map((place) => [keyOf(place), labelsAt(place).map((label) => caseOf(place, label))]),
  );
  const byLocation = invariantMap(system.points, (point) => {
    const own = new Set<Term>(system.vocabulary.symbolsFor(point.fn));
    const isOwn = (term: Term): boolean => [...symbolsOf(term)].every((symbol) => own.has(symbol));
    const here = places.filter((place) => place.point === point).flatMap(labelsAt);
    return someOf(here.map(({ terms }) => ({ terms: new Set([...terms].filter(isOwn)) })));
  });
  return {
    kind: 'call-stacks',
    certificate,
    abstraction: PredicateAbstraction.ofInvariants(system, byLocation),
  };
}

/** Has the checker of its kind discharge the proof. */
export function discharge(
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

/** Labels that no other one is part of; `labelOf` is told which of them stands for a node. */
function weakestLabels(nodes: readonly TreeNode[], labelOf: Map<TreeNode, number>): readonly Labelled[] {
  const weakest: Labelled[] = [];
  const labelled = nodes.map((node) => ({ node, terms: new Set(neededLiterals(node.label)) }));
  for (const one of labelled.sort((a, b) => a.terms.size - b.terms.size)) {
    const found = weakest.findIndex((other) => [...other.terms].every((term) => one.terms.has(term)));
    labelOf.set(one.node, found === -1 ? weakest.push(one) - 1 : found);
  }
  return weakest;
}

/** One of the labels holds; a label with the conjuncts of another one, and more, adds nothing. */
function someOf(labels: readonly Pick<Labelled, 'terms'>[]): readonly Term[] {
  const weakest: ReadonlySet<Term>[] = [];
  for (const { terms } of [...labels].sort((a, b) => a.terms.size - b.terms.size))
    if (!weakest.some((other) => [...other].every((term) => terms.has(term)))) weakest.push(terms);
  const some = L.or(...weakest.map((terms) => L.and(...terms)));
  return some === L.TRUE ? [] : [some];
}

/** Places that steps lead to, infeasible ones too. */
function reachedBy({ start }: TransitionGraph | CallStackGraph): ReadonlySet<GraphNode> {
  const found = new Set([start]);
  for (const { leaving } of found) for (const { to } of leaving) found.add(to);
  return found;
}

/** True if its places are those of the graph with stacks, all of which are empty. */
const isWithoutCalls = ({ steps }: TransitionGraph): boolean => steps.every(({ kind }) => withoutCalls.has(kind));
