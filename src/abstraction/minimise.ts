/** Fewer facts that say the same, for readers: of comparisons of one sum only the strongest, then none that the others imply. */
import * as L from '../logic/build';
import { sizeOf } from '../logic/substitute';
import type { Term } from '../logic/term';
import type { QueryBudget, Solver } from '../solver/solver';
import { constraintsOf } from './linear';

/** Without a solver: `x >= 0` makes `x >= -1` and `x != -7` superfluous, `x == y` both orders. */
export function strongest(facts: readonly Term[]): Term[] {
  const bounds = new Map<string, { constant: bigint; fact: Term }>();
  const others: Term[] = [];
  for (const fact of facts) {
    const constraints = constraintsOf(fact);
    if (constraints.length === 0) { others.push(fact); continue; }
    for (const { coefficients, constant } of constraints) {
      const key = [...coefficients].sort(([a], [b]) => (a < b ? -1 : 1)).map(([k, { factor }]) => `${factor}*${k}`).join('+');
      const known = bounds.get(key);
      const isEquation = constraints.length === 2;
      // constraint: sum + constant <= 0, so the larger constant is the stronger.
      if (!known || constant > known.constant || (constant === known.constant && isEquation)) bounds.set(key, { constant, fact });
    }
  }
  return [...new Set([...bounds.values()].map(({ fact }) => fact)), ...others];
}

/** Drops what the others imply, the longest first. Stops when told to; what it had no time for stays. */
export async function irredundant(facts: readonly Term[], given: readonly Term[], solver: Solver, budget: QueryBudget, stop: () => boolean): Promise<Term[]> {
  const kept = new Set(strongest(facts));
  const order = [...kept].sort((a, b) => sizeOf(b) - sizeOf(a) || b.id - a.id);
  const session = solver.session();
  try {
    for (const term of given) session.assert(term);
    for (const fact of order) {
      if (stop()) break;
      kept.delete(fact);
      session.push();
      for (const term of kept) session.assert(term);
      session.assert(L.not(fact));
      const answer = await session.check([], budget);
      session.pop();
      if (answer.kind !== 'unsat') kept.add(fact);
    }
  } finally {
    session.close();
  }
  // Short ones first: they say most.
  return facts.filter((fact) => kept.has(fact)).sort((a, b) => sizeOf(a) - sizeOf(b) || a.id - b.id);
}
