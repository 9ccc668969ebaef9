/**
 * A question that the solver left open, as a reason for the reader: what was asked, why there is no answer, and what
 * may help.
 */
import { printTerm } from '../../abstraction/printing/printTerm';
import { nonlinearPart } from '../../logic/nonlinear';
import type { Term } from '../../logic/term';
import type { Vocabulary } from '../../semantics/symbolic/vocabulary';
import { noTimeLeft } from '../../solver';
import type { Answer } from '../../solver/solver';
import type { SourceLocation, Reason } from '../../verdict';

export interface OpenQuestion {
  /** In words: `check elems[i]`. */
  readonly what: string;
  readonly place: SourceLocation | undefined;
  readonly terms: readonly Term[];
  readonly vocabulary: Vocabulary;
  /** Why the whole proof has to end, if it has. */
  readonly stopped: Reason | undefined;
}

const limits = {
  shownColumns: 60,
} as const;

export function undecidedReason(
  answer: Pick<Extract<Answer, { kind: 'unknown' }>, 'cause' | 'detail'>,
  { what, place, terms, vocabulary, stopped }: OpenQuestion,
): Reason {
  const at = place && { place };
  if (answer.cause === 'died')
    return {
      cause: 'solver-died',
      message: `the solver's process ended while it worked on ${what} (${answer.detail})`,
      ...at,
    };
  if (stopped?.cause === 'interrupted') return stopped;
  const product = nonlinearPart(terms);
  if (product) {
    const text = printTerm(product, vocabulary);
    return {
      cause: 'nonlinear',
      ...at,
      message:
        `the solver could not decide ${what}, which multiplies or divides unknown ` +
        `values${text.length <= limits.shownColumns ? `: ${text}` : ''}`,
    };
  }
  if (answer.detail === noTimeLeft && !stopped)
    return { cause: 'time-budget', ...at, message: `the budget is used up, and the solver had not decided ${what}` };
  return (
    stopped ?? {
      cause: 'solver-budget',
      message: `the solver could not decide ${what} (${answer.cause}: ${answer.detail})`,
      ...at,
    }
  );
}
