/**
 * Current step of a proof, for a line on the screen. Sent whenever it changes; the receiver decides how often to show
 * it.
 */
import type { SourceLocation } from './verdict';

export interface Progress {
  readonly phase: 'front-end' | 'execution' | 'solving' | 'certify';
  /**
   * Obligations discharged so far, of those known so far; of executions, the stages that are done, each with more
   * invariants or predicates than the one before.
   */
  readonly done: number;
  readonly total: number;
  /** The C line being worked on. */
  readonly place?: SourceLocation;
}
