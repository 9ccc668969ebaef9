/**
 * Cutpoints: the locations of a transition system at which states are described. Immutable, and comparable between
 * transition systems of the same program by their keys.
 */
import type { FunctionDefinition, Location } from '../../program/program';

export type CutpointKind = 'entry' | 'exit' | 'loop' | 'call' | 'return' | 'label' | 'check' | 'module';

/** Function and location: the same in every transition system of a program, whatever its options. */
export type CutpointKey = string & { readonly brand?: 'CutpointKey' };

export class Cutpoint {
  readonly key: CutpointKey;

  constructor(
    readonly index: number,
    readonly fn: FunctionDefinition,
    readonly location: Location,
    readonly kind: CutpointKind,
    /** Abstract states are kept per abstract state at the function's entry. */
    readonly tracksContext: boolean,
  ) {
    this.key = `${fn.name}@${location.index}`;
  }
}
