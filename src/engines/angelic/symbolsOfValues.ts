/** Symbols of a condition on memory, without those that only say where memory is read. */
import type { SymbolTerm, Term } from '../../logic/term';
import { symbolsOf } from '../../logic/substitute';

/**
 * A condition that mentions a pointer only to read behind it says nothing about the pointer: another pointer, to an
 * object with the same contents, would do.
 */
export function symbolsOfValues(condition: Term): ReadonlySet<SymbolTerm> {
  const found = new Set<SymbolTerm>();
  const seen = new Set<Term>();
  const open = [condition];
  for (let term = open.pop(); term; term = open.pop()) {
    if (seen.has(term)) continue;
    seen.add(term);
    switch (term.kind) {
      case 'symbol':
        found.add(term);
        break;
      case 'apply':
        open.push(
          ...term.args.filter((_, at) => at !== 1 || !(term.operator === 'select' || term.operator === 'store')),
        );
        break;
      case 'forall':
      case 'exists':
        for (const symbol of symbolsOf(term)) found.add(symbol);
        break;
      default:
        break;
    }
  }
  return found;
}
