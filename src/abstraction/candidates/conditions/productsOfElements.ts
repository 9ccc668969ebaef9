/** Conditions about products of elements, as checks for overflow ask them. */
import * as L from '../../../logic/build';
import type { Term } from '../../../logic/term';
import { postOrder } from '../../../logic/traverse';

/**
 * A condition of all elements about a product of two of their numbers. It makes every question hard in which it is
 * assumed, and mostly follows from bounds of both.
 */
export const multipliesElements = (term: Term): boolean =>
  term.kind === 'forall' &&
  postOrder([term.body]).some(
    (part) =>
      L.isApplication(part, 'multiply') &&
      part.args.filter((arg) => postOrder([arg]).some((inner) => L.isApplication(inner, 'select'))).length > 1,
  );
