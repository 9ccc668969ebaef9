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
  /** Checks that follow from what is known so far, of all in force, and the function of the first one that is open. */
  readonly checks?: { readonly proved: number; readonly of: number; readonly function?: string };
  /** The C line being worked on. */
  readonly place?: SourceLocation;
}

/**
 * The step in words of somebody who waits: `proving push: 3 of 5 checks`. Stages are ours and are not shown; what a
 * stage does is to look for a proof.
 */
export function stepText({
  phase,
  done,
  total,
  checks,
  place,
}: Omit<Progress, 'place'> & { readonly place?: SourceLocation | undefined }): string {
  const at = place
    ? `, at ${fileName(place.file)}:${place.line}${place.function === undefined ? '' : ` in ${place.function}`}`
    : '';
  const obligations = phase === 'solving' && total > 0 ? `, ${done} of ${total} obligations` : '';
  return `${work(phase, checks)}${obligations}${at}`;
}

function work(phase: Progress['phase'], checks: Progress['checks']): string {
  switch (phase) {
    case 'front-end':
      return 'reading the C';
    case 'certify':
      return 'checking the proof again';
    case 'execution':
    case 'solving':
      if (!checks || checks.of === 0) return 'looking for a proof';
      return (
        `proving${checks.function === undefined ? '' : ` ${checks.function}`}: ${checks.proved} of ${checks.of} ` +
        `check${checks.of === 1 ? '' : 's'}`
      );
  }
}

const fileName = (path: string): string => path.replace(/^.*[\\/]/, '');
