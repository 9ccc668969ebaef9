/** The symbols and atoms of a term. */
import { childrenOf, postOrder } from './traverse';
import type { SymbolTerm, Term } from './term';
import { isConnective } from './connective';

const cache = new WeakMap<Term, ReadonlySet<SymbolTerm>>();

/** The free symbols. */
export function symbolsOf(term: Term): ReadonlySet<SymbolTerm> {
  let found = cache.get(term);
  if (!found) cache.set(term, (found = freeSymbols(term)));
  return found;
}

function freeSymbols(term: Term): ReadonlySet<SymbolTerm> {
  if (term.kind === 'forall' || term.kind === 'exists') {
    return new Set([...symbolsOf(term.body)].filter((s) => !term.bound.includes(s)));
  }
  const found = new Set<SymbolTerm>();
  const seen = new Set<Term>([term]);
  for (const t of seen) {
    // grows as it is read
    if (t.kind === 'symbol') found.add(t);
    else if (t.kind === 'forall' || t.kind === 'exists' || (t !== term && cache.has(t)))
      for (const s of symbolsOf(t)) found.add(s);
    else for (const child of childrenOf(t)) seen.add(child);
  }
  return found;
}

/** Distinct subterms. */
export function sizeOf(term: Term): number {
  return postOrder([term]).length;
}

/** The maximal boolean subterms that are no connective and no literal, by id. */
export function atomsOf(term: Term): readonly Term[] {
  const atoms: Term[] = [];
  const seen = new Set<Term>([term]);
  for (const t of seen) {
    if (isConnective(t)) for (const child of t.args) seen.add(child);
    else if (t.kind !== 'boolean') atoms.push(t);
  }
  return atoms.sort((a, b) => a.id - b.id);
}
