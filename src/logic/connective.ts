/** Propositional structure, as against atoms. */
import type { Application, Term } from './term';

/** Connectives take and give booleans: not, and, or, equality and conditional of booleans. */
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
