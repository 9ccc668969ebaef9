/**
 * Reductions: easier questions made of a hard one. A reduction claims nothing. What is proved of a reduced problem is a
 * certificate for the program as it is, because the reduced program allows all that the program allows; and a failure
 * is one only if the program, run, fails.
 */
import type { TransitionSystem } from '../abstraction/transitionSystem/transitionSystem';
import type { Check } from '../program/command';
import type { Weakening } from '../program/automata/weakening';

export interface Reduction {
  readonly name: string;
  /**
   * `open`: the checks that are left to prove. The problems may ask for some of them only, the easiest first. `stop`:
   * whether the time is up.
   */
  reduce(system: TransitionSystem, open: ReadonlySet<Check>, stop: () => boolean): readonly Reduced[] | Declined;
}

/**
 * A weaker program, in which only some checks are asked. The others are assumed, or passed: an execution's first
 * failing check is asked in one of the problems that together ask for all.
 */
export interface Reduced {
  readonly weakening: Weakening;
  readonly checks: ReadonlySet<Check>;
  /** Something is gone that is hard for every engine: a loop, recursion, products. */
  readonly isMuchEasier: boolean;
  /** The part of the program that is left, for the verdict: "23 of 96 commands". */
  readonly size: string;
}

export interface Declined {
  readonly kind: 'declined';
  readonly why: string;
}

export const isDeclined = (result: readonly Reduced[] | Declined): result is Declined => 'kind' in result;
