/**
 * Clauses that follow from another one because they have all its disjuncts and more, or parts of its conjunctions.
 * Where lists were short, every covering of the nodes by several variables is a candidate that contains a smaller one;
 * and that a pointer leads to a live object follows from its leading to one of the heap.
 */
import { isApplication } from '../../logic/build';
import { symbolsOf } from '../../logic/symbols';
import type { Term } from '../../logic/term';

interface Clause {
  readonly term: Term;
  readonly disjuncts: ReadonlySet<Term>;
  readonly arrays: ReadonlySet<Term>;
}

/**
 * For each term those others of the list that imply it, where there are any. A clause that reads an array of which the
 * stronger one says nothing is left alone: instances of quantified formulas are made at what they read.
 */
export function impliedClauses(terms: Iterable<Term>): ReadonlyMap<Term, readonly Term[]> {
  const groups = new Map<string, Clause[]>();
  for (const term of terms) {
    const bound = term.kind === 'forall' ? term.bound.map(({ id }) => id).join() : '';
    const body = term.kind === 'forall' ? term.body : term;
    const disjuncts = new Set(body.kind === 'apply' && body.operator === 'or' ? body.args : [body]);
    const arrays = new Set([...symbolsOf(body)].filter(({ sort }) => sort.kind === 'array'));
    const group = groups.get(bound);
    const clause = { term, disjuncts, arrays };
    if (group) group.push(clause);
    else groups.set(bound, [clause]);
  }
  const found = new Map<Term, readonly Term[]>();
  for (const clauses of groups.values())
    for (const [i, weak] of clauses.entries()) {
      // The first of two that imply each other is left.
      const stronger = clauses.filter((strong, j) => implies(strong, weak) && (j < i || !implies(weak, strong)));
      if (stronger.length > 0)
        found.set(
          weak.term,
          stronger.map(({ term }) => term),
        );
    }
  return found;
}

function implies(strong: Clause, weak: Clause): boolean {
  return (
    strong.term !== weak.term &&
    strong.disjuncts.size <= weak.disjuncts.size &&
    [...strong.disjuncts].every((disjunct) => weak.disjuncts.has(disjunct) || hasPartOf(disjunct, weak)) &&
    [...weak.arrays].every((array) => strong.arrays.has(array))
  );
}

/** True if some conjuncts of the disjunct are a disjunct of the clause. */
function hasPartOf(disjunct: Term, { disjuncts }: Clause): boolean {
  if (!isApplication(disjunct, 'and')) return false;
  const parts = new Set(disjunct.args);
  return [...disjuncts].some(
    (weaker) => parts.has(weaker) || (isApplication(weaker, 'and') && weaker.args.every((part) => parts.has(part))),
  );
}
