/**
 * External effects: side effects of a function without a body. It may write and free what it can reach, and call back.
 * An effect names memory by an access path from the external environment, so that another run can repeat it. The other
 * run checks it anew: the path must lead somewhere, to part of a live object of the type that is written. The arbitrary
 * contents of new memory from the allocator are written in the same manner.
 */
import type { Scalar } from '../../program/expression';
import type { ConcreteValue } from '../../semantics/concrete/concreteValues';

/** The external environment's path to a pointer. */
export type AccessPath =
  /** Handed over now, or `ago` calls of functions without a body before this one. */
  | { readonly kind: 'argument'; readonly ago: number; readonly index: number }
  /** The value of a variable, or the address of an object, with a name for other files. */
  | { readonly kind: 'variable'; readonly name: string }
  | { readonly kind: 'object'; readonly name: string }
  /** Stored so far from where another pointer points. */
  | { readonly kind: 'inside'; readonly of: AccessPath; readonly offsetBytes: number }
  /** To the memory that is given out now. */
  | { readonly kind: 'fresh' };

export type ExternalEffect =
  | {
      readonly kind: 'write';
      readonly to: AccessPath;
      readonly offsetBytes: number;
      readonly type: Scalar;
      readonly value: ConcreteValue | AccessPath;
    }
  | { readonly kind: 'set'; readonly variable: string; readonly value: ConcreteValue | AccessPath }
  | { readonly kind: 'free'; readonly what: AccessPath }
  | { readonly kind: 'call'; readonly function: string; readonly arguments: readonly ConcreteValue[] };

export const isAccessPath = (value: ConcreteValue | AccessPath): value is AccessPath => typeof value === 'object';
