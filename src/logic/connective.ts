/** Propositional structure, as opposed to atoms. */
import type { Application, Term } from './term';

/** Connectives map booleans to a boolean: not, and, or, and equality and conditional of booleans. */
export function isConnective(term: Term): term is Application {
  if (term.kind !== 'apply' || term.sort.kind !== 'boolean') return false;
  switch (term.operator) {
    case 'not':
    case 'and':
    case 'or':
      return true;
    case 'eq':
      return term.args[0]!.sort.kind === 'boolean';
    case 'ite':
      return true;
    default:
      return false;
  }
}
