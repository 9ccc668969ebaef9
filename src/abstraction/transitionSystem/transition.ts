/** A transition of a system, with its ends. */
import { substituteAll } from '../../logic/substitute';
import type { Term } from '../../logic/term';
import type { Segment } from '../../semantics/symbolic/segment';
import type { SymbolicState } from '../../semantics/symbolic/symbolicMemory';
import type { Vocabulary } from '../../semantics/symbolic/vocabulary';
import type { Cutpoint } from './cutpoint';

/** End of a transition, with the state there as a function of the state it starts from. */
export interface TransitionEnd {
  readonly point: Cutpoint;
  readonly guard: Term;
  readonly state: SymbolicState;
  /** Axioms of the semantics about the state at the end. */
  readonly axioms: readonly Term[];
}

export interface Transition {
  /**
   * `hand-over`: an unknown function is called, which is a client for as long as that lasts; `resume`: it returns.
   * `elsewhere`: a client calls functions of which nothing is executed.
   */
  readonly kind: 'segment' | 'call' | 'return' | 'client' | 'start' | 'hand-over' | 'resume' | 'elsewhere';
  readonly index: number;
  readonly from: Cutpoint | undefined;
  /** Axioms of the semantics about the state it starts from, and about what it passes. */
  readonly axioms: readonly Term[];
  readonly ends: readonly TransitionEnd[];
  /** Segments only. */
  readonly segment: Segment | undefined;
  /**
   * Heads of loops that it passes on its way, with the states there: with k-induction, segments that follow one another
   * are one transition.
   */
  readonly through: readonly { readonly point: Cutpoint; readonly state: SymbolicState }[];
  /** Returns only: the summary that is applied: the callee's entry as the caller sees it, and its exit. */
  readonly summary:
    | {
        readonly entry: Cutpoint;
        readonly entryState: SymbolicState;
        readonly exit: Cutpoint;
        readonly exitState: SymbolicState;
      }
    | undefined;
}

/** A transition that no system has numbered yet. */
export type NewTransition = Omit<Transition, 'index' | 'through'> & { readonly through?: Transition['through'] };

export function endAt(vocabulary: Vocabulary, point: Cutpoint, guard: Term, state: SymbolicState): TransitionEnd {
  const axioms = vocabulary.wellFormed(point.fn, point.location);
  const binding = vocabulary.bindingIn(axioms, point.fn, state);
  return { point, guard, state, axioms: substituteAll(axioms, binding) };
}

/** A transition with one end that is no segment. */
export const leap = (
  kind: Exclude<Transition['kind'], 'segment'>,
  from: Cutpoint | undefined,
  axioms: readonly Term[],
  end: TransitionEnd,
  summary?: Transition['summary'],
): NewTransition => ({ kind, from, axioms, ends: [end], segment: undefined, summary });
