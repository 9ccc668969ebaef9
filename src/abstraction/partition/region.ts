/** A region: a node and a formula over its vocabulary, kept as the literals it was split by. */
import * as L from '../../logic/build';
import type { Term } from '../../logic/term';
import type { StateNumber } from './forest';
import type { GraphNode, Step } from '../transitionSystem/transitionGraph';

/** Why a region was split from its parent. */
export interface Split {
  readonly predicate: Term;
  /** The step whose preimage, or a set around it, was cut off, and into which region it leads. */
  readonly step: Step;
  readonly into: Region;
  readonly how: 'preimage' | 'generalised';
}

export class Region {
  readonly formula: Term;

  /** States of the forest that lie here, in the order in which they were met. */
  states: StateNumber[] = [];
  /** Set when this region was split. */
  halves: { readonly inside: Region; readonly outside: Region } | undefined;

  constructor(
    readonly id: number,
    readonly node: GraphNode,
    readonly literals: readonly Term[],
    readonly parent: Region | undefined,
    readonly split: Split | undefined,
  ) {
    this.formula = L.and(...literals);
  }

  get isReached(): boolean {
    return this.states.length > 0;
  }
}
