/**
 * Assertions made shorter by what they say of single words: where `x <= 100` is asserted, `x + 1` does not overflow, and where `x = 7` is, x is 7. What says so stays as it
 * is; all other comparisons that intervals decide become true or false, all other words with one value that value.
 */
import { assertedBounds, conjunctsOf, isPlace, ordersOf, type WordBounds } from './assertedBounds';
import { bits, bool, TRUE } from './intern';
import { substituteAll } from './substitute';
import { postOrder } from './traverse';
import type { Term } from './term';
import { WordIntervals } from './wordIntervals';

export type KnownBounds = ReadonlyMap<Term, WordBounds>;

/** What is simpler may say more of single words. */
const ROUNDS = 3;

/** Together with what made the bounds `known`, the terms mean what the assertions did; their symbols are among those of both. */
export function withinBounds(assertions: readonly Term[], known: KnownBounds): { readonly terms: readonly Term[]; readonly known: KnownBounds } {
  let terms = conjunctsOf(assertions);
  let bounds = known;
  for (let round = 0; round < ROUNDS; round++) {
    bounds = assertedBounds(terms, bounds);
    const rewritten = conjunctsOf(simplified(terms, bounds)).filter((term) => term !== TRUE);
    if (rewritten.length === terms.length && rewritten.every((term, i) => term === terms[i])) break;
    terms = rewritten;
  }
  return { terms, known: bounds };
}

function simplified(terms: readonly Term[], bounds: KnownBounds): readonly Term[] {
  const open = terms.filter((term) => !saysABound(term));
  const intervals = new WordIntervals(bounds);
  const found = new Map<Term, Term>();
  for (const t of postOrder(open, undefined, (s) => s.kind === 'forall' || s.kind === 'exists')) {
    if (t.sort.kind === 'bits' && t.kind !== 'bits') {
      const { low, high } = intervals.of(t).unsigned;
      if (low === high) found.set(t, bits(low, t.sort.width));
    } else if (t.kind === 'apply') {
      const truth = intervals.truth(t);
      if (truth !== undefined) found.set(t, bool(truth));
    }
  }
  if (found.size === 0) return terms;
  const replaced = substituteAll(open, found);
  const shorter = new Map(open.map((term, i) => [term, replaced[i]!]));
  return terms.map((term) => shorter.get(term) ?? term);
}

/** Something is known because it is asserted, so that it is not to be said less. */
const saysABound = (term: Term): boolean => ordersOf(term).some(({ lower, upper }) => isPlace(lower) && isPlace(upper));
