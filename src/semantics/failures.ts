/** That some check of a segment fails, as a formula that does not grow with the square of their number. */
import * as L from '../logic/build';
import type { Term } from '../logic/term';
import { conjuncts, type Obligation } from './segment';

/** How far back the check is looked for that a check comes after. */
const REACH = 16;

/**
 * Equivalent to the disjunction of `guard and not condition` over all that are given. What passed a check goes on where its condition holds, so the guard of a later
 * one holds all that was checked before it; since the earlier one is among what is asked, it need not be said again: `g and not c, or g and c and d and not e` is
 * `g and (not c or d and not e)`.
 */
export function someFails(obligations: readonly Pick<Obligation, 'guard' | 'condition'>[]): Term {
  const passed: ReadonlySet<Term>[] = [];
  const roots: number[] = [];
  const following: number[][] = obligations.map(() => []);
  /** What the guard says beyond the check it comes after. */
  const beyond: Term[] = [];
  for (const [i, { guard, condition }] of obligations.entries()) {
    const known = conjuncts(guard).filter((term) => term !== L.TRUE);
    const all = new Set(known);
    let before = i - 1;
    while (before >= Math.max(0, i - REACH) && !isSubset(passed[before]!, all)) before--;
    if (before < Math.max(0, i - REACH)) {
      roots.push(i);
      beyond.push(guard);
    } else {
      following[before]!.push(i);
      beyond.push(L.and(...known.filter((term) => !passed[before]!.has(term))));
    }
    passed.push(new Set([...known, ...conjuncts(condition)]));
  }
  const fails: Term[] = [];
  for (let i = obligations.length - 1; i >= 0; i--) {
    fails[i] = L.and(beyond[i]!, L.or(L.not(obligations[i]!.condition), ...following[i]!.map((next) => fails[next]!)));
  }
  return L.or(...roots.map((root) => fails[root]!));
}

function isSubset(part: ReadonlySet<Term>, whole: ReadonlySet<Term>): boolean {
  if (part.size > whole.size) return false;
  for (const term of part) if (!whole.has(term)) return false;
  return true;
}
