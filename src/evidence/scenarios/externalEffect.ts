/**
 * What a function without a body does besides answering: it may write, and free, what it can reach, and call back. A
 * deed names a place by the way somebody outside comes to it, so that it can be done again in another run, where it is
 * checked anew: a way must lead somewhere, the place must be part of a living object and of the type that is written.
 * Memory that the allocator gives out is filled in the same manner, with what it happened to hold.
 */
import type { Scalar } from '../../program/expression';
import type { ConcreteValue } from '../../semantics/concrete/concreteValues';

/** How somebody outside the program comes to a pointer. */
export type Way =
  /** Handed over now, or `ago` calls of functions without a body before this one. */
  | { readonly kind: 'argument'; readonly ago: number; readonly index: number }
  /** The value of a variable, or the address of an object, with a name for other files. */
  | { readonly kind: 'variable'; readonly name: string }
  | { readonly kind: 'object'; readonly name: string }
  /** Stored so far from where another pointer points. */
  | { readonly kind: 'inside'; readonly of: Way; readonly offsetBytes: number }
  /** To the memory that is given out now. */
  | { readonly kind: 'fresh' };

export type Deed =
  | {
      readonly kind: 'write';
      readonly to: Way;
      readonly offsetBytes: number;
      readonly type: Scalar;
      readonly value: ConcreteValue | Way;
    }
  | { readonly kind: 'set'; readonly variable: string; readonly value: ConcreteValue | Way }
  | { readonly kind: 'free'; readonly what: Way }
  | { readonly kind: 'call'; readonly function: string; readonly arguments: readonly ConcreteValue[] };

export const isWay = (value: ConcreteValue | Way): value is Way => typeof value === 'object';
