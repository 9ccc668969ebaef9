/** Products and quotients of unknown values, which make queries hard. */
import type { Application, Term } from './term';
import { postOrder } from './traverse';

/** The first such subterm. Multiplication and division by a constant do not count. */
export function nonlinearPart(terms: readonly Term[]): Application | undefined {
  return postOrder(terms).find((term): term is Application => term.kind === 'apply' && isNonlinear(term));
}

function isNonlinear({ operator, args }: Application): boolean {
  switch (operator) {
    case 'multiply':
      return args.filter((arg) => arg.kind !== 'bits').length > 1;
    case 'unsigned-divide':
    case 'signed-divide':
    case 'unsigned-remainder':
    case 'signed-remainder':
      return args[1]!.kind !== 'bits';
    default:
      return false;
  }
}
