import * as L from '../build';
import type { Quantified, Term } from '../term';

/**
 * The conjunction of formulas, in which what is said of all values is said once: where it fails there is one value to
 * name, not one for each formula.
 */
export function withOneWitness(formulas: readonly Term[]): Term {
  const bodies = new Map<string, Quantified[]>();
  const others: Term[] = [];
  for (const formula of formulas) {
    if (formula.kind !== 'forall') {
      others.push(formula);
      continue;
    }
    const key = formula.bound.map(({ id }) => id).join(',');
    bodies.set(key, [...(bodies.get(key) ?? []), formula]);
  }
  return L.and(
    ...others,
    ...[...bodies.values()].map((same) =>
      same.length === 1 ? same[0]! : L.forall(same[0]!.bound, L.and(...same.map(({ body }) => body))),
    ),
  );
}
