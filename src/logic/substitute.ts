/**
 * Simultaneous substitution of subterms, rebuilding through the constructors. Bound symbols are not replaced, and
 * nothing is captured.
 */
import { freshSymbol } from './intern';
import { exists, forall } from './quantifiers/quantifier';
import { rebuild } from './rebuild';
import { symbolsOf } from './symbols';
import type { Quantified, SymbolTerm, Term } from './term';
import { postOrder } from './traverse';

export { atomsOf, sizeOf, symbolsOf } from './symbols';

export function substitute(term: Term, map: ReadonlyMap<Term, Term>): Term {
  return substituteAll([term], map)[0]!;
}

/** Substitutes in many terms and shares the work between them. */
export function substituteAll(terms: readonly Term[], map: ReadonlyMap<Term, Term>): Term[] {
  if (map.size === 0) return [...terms];
  // A map of all that a state is made of is much larger than most terms: it is looked up, never walked through.
  const done = new Map<Term, Term>();
  const isReplaced = (t: Term): boolean => {
    const to = map.get(t);
    if (to === undefined) return false;
    if (t.sort !== to.sort) throw new TypeError('a term can only be replaced by one of its sort');
    done.set(t, to);
    return true;
  };
  const isQuantified = (t: Term): t is Quantified => t.kind === 'forall' || t.kind === 'exists';
  for (const t of postOrder(terms, isReplaced, isQuantified)) {
    if (t.kind === 'apply')
      done.set(
        t,
        rebuild(
          t,
          t.args.map((a) => done.get(a)!),
        ),
      );
    else done.set(t, isQuantified(t) ? underQuantifier(t, map) : t);
  }
  return terms.map((t) => done.get(t)!);
}

function underQuantifier(term: Quantified, map: ReadonlyMap<Term, Term>): Term {
  const inner = new Map([...map].filter(([from]) => !mentions(from, term.bound)));
  const bound = term.bound.map((s) => {
    const captures = [...inner.values()].some((to) => symbolsOf(to).has(s));
    return captures ? freshSymbol(s.name, s.sort) : s;
  });
  const renamed = new Map<Term, Term>(term.bound.flatMap((s, i) => (bound[i] === s ? [] : [[s, bound[i]!]])));
  const body = substitute(substitute(term.body, renamed), inner);
  return term.kind === 'forall' ? forall(bound, body) : exists(bound, body);
}

function mentions(term: Term, bound: readonly SymbolTerm[]): boolean {
  const free = symbolsOf(term);
  return bound.some((s) => free.has(s));
}
