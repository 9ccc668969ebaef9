/** A formula that some check of a segment is violated. Its size does not grow with the square of their number. */
import * as L from '../../logic/build';
import type { Term } from '../../logic/term';
import { conjuncts, type Obligation } from './segment';

/** Number of earlier checks searched for the one that a check comes after. */
const earlierChecks = 16;

const nothing: ReadonlySet<Term> = new Set();

/**
 * Equivalent to the disjunction of `guard and not condition` over all that are given. What passed a check goes on where
 * its condition holds, so the guard of a later one holds all that was checked before it; since the earlier one is among
 * what is asked, it need not be said again: `g and not c, or g and c and d and not e` is `g and (not c or d and not
 * e)`.
 */
export function anyViolated(obligations: readonly Pick<Obligation, 'guard' | 'condition'>[]): Term {
  /** Terms holding behind each of the last checks. */
  const passed: ReadonlySet<Term>[] = [];
  const roots: number[] = [];
  const following: number[][] = obligations.map(() => []);
  /** Rest of the guard beyond the check it comes after. */
  const beyond: Term[] = [];
  for (const [i, { guard, condition }] of obligations.entries()) {
    const known = conjuncts(guard).filter((term) => term !== L.TRUE);
    const all = new Set(known);
    let before = i - 1;
    while (before >= Math.max(0, i - earlierChecks) && !isSubset(passed[before]!, all)) before--;
    if (before < Math.max(0, i - earlierChecks)) {
      roots.push(i);
      beyond.push(guard);
    } else {
      following[before]!.push(i);
      beyond.push(L.and(...known.filter((term) => !passed[before]!.has(term))));
    }
    passed.push(new Set([...known, ...conjuncts(condition)]));
    if (i >= earlierChecks) passed[i - earlierChecks] = nothing;
  }
  // Parts of a disjunction for each check and those after it, without `beyond`, handed on rather than copied.
  const parts: Term[][] = [];
  const fails = (i: number): readonly Term[] =>
    beyond[i] === L.TRUE ? parts[i]! : [L.and(beyond[i]!, L.or(...parts[i]!))];
  for (let i = obligations.length - 1; i >= 0; i--) {
    const [first, ...others] = following[i]!;
    const own: Term[] = first === undefined ? [] : beyond[first] === L.TRUE ? parts[first]! : [...fails(first)];
    for (const next of others) own.push(...fails(next));
    own.push(L.not(obligations[i]!.condition));
    parts[i] = own;
  }
  return L.or(...roots.flatMap(fails));
}

function isSubset(part: ReadonlySet<Term>, whole: ReadonlySet<Term>): boolean {
  if (part.size > whole.size) return false;
  for (const term of part) if (!whole.has(term)) return false;
  return true;
}
