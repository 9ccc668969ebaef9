/** The tree of symbolic states, and why each leaf is one: what the certificate, the trace and the statistics share. */
import type { StackFrame, GraphNode, Step } from '../../abstraction/transitionSystem/transitionGraph';
import type { TransitionSystem } from '../../abstraction/transitionSystem/transitionSystem';
import type { Term } from '../../logic/term';
import type { StateConstraint, Head, Needs } from './constraints';
import type { SymbolicPath } from './symbolicPath';
import type { WitnessState } from './witness';

/** Places and steps: with calls by summaries, or with call stacks. */
export interface SearchGraph {
  readonly system: TransitionSystem;
  readonly nodes: readonly GraphNode[];
  readonly start: GraphNode;
  readonly error: GraphNode;
  /** The innermost first; none at the start and at the error. */
  framesAt(place: GraphNode): readonly StackFrame[];
}

/**
 * Part of a label: it holds in the node's state, and from every state in which all parts hold the subtree is closed, as
 * long as what the heads keep is kept.
 */
export interface Literal {
  /** Over the symbols of the node's place. */
  readonly term: Term;
  readonly needs: Needs;
  /** Constraints of the node's head from which it follows in the node's state. */
  readonly core: readonly StateConstraint[];
}

export type LeafKind = 'end' | 'covered' | 'closed';

export interface TreeNode {
  readonly id: number;
  readonly parent: TreeNode | undefined;
  /** Undefined: the start. */
  readonly step: Step | undefined;
  readonly place: GraphNode;
  /** The head above, and the path from there. */
  readonly above: Head;
  readonly arrival: SymbolicPath;
  /** A state at the begin of the arrival. */
  readonly arrived: WitnessState | undefined;
  /** The head from which the node goes on, and the path from there: others than above where the node is a head. */
  head: Head;
  path: SymbolicPath;
  /** A state at the begin of the path. */
  witness: WitnessState | undefined;
  leaf: LeafKind | undefined;
  /** The node that covers or closes a leaf. */
  by: TreeNode | undefined;
  /** Targets of its steps: a child, or the node that covers or closes it. */
  readonly next: Map<Step, TreeNode>;
  /** Undefined while the subtree is being searched. */
  label: readonly Literal[] | undefined;
}

/** S is `nodes`: all that were made, restarts included, infeasible successors included. */
export interface MinimaxStatistics {
  nodes: number;
  infeasible: number;
  covered: number;
  closed: number;
  restarts: number;
  /** Nodes of the tree that is the proof. */
  final: number;
  questions: number;
  /** Questions that folding constants or a witness answered. */
  avoided: number;
}
