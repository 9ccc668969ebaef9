/**
 * Fewer invariants that are equivalent, for readers: of comparisons of one sum only the strongest, of all as few as
 * imply the others.
 */
import * as L from '../../logic/build';
import { sizeOf } from '../../logic/substitute';
import type { Term } from '../../logic/term';
import { truthUnder } from '../../solver/model';
import type { QueryBudget, Session, Solver } from '../../solver/solver';
import { constraintsOf } from '../../logic/integers/linearConstraints';

/** Without a solver: `x >= 0` makes `x >= -1` and `x != -7` superfluous, `x == y` both orders. */
export function strongest(invariants: readonly Term[]): Term[] {
  const bounds = new Map<string, { constant: bigint; invariant: Term }>();
  const others: Term[] = [];
  for (const invariant of invariants) {
    const constraints = constraintsOf(invariant);
    if (constraints.length === 0) {
      others.push(invariant);
      continue;
    }
    for (const { coefficients, constant } of constraints) {
      const key = [...coefficients]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([k, { factor }]) => `${factor}*${k}`)
        .join('+');
      const known = bounds.get(key);
      const isEquation = constraints.length === 2;
      // constraint: sum + constant <= 0, so the larger constant is the stronger.
      if (!known || constant > known.constant || (constant === known.constant && isEquation))
        bounds.set(key, { constant, invariant });
    }
  }
  return [...new Set([...bounds.values()].map(({ invariant }) => invariant)), ...others];
}

const limits = {
  /** Up to so many, one question for each costs less than to find those that are enough first. */
  few: 12,
} as const;

/**
 * Some of the invariants, which imply all and not each other. Of many, the solver finds a state in which some one
 * fails; the shortest such is taken, until there is none: as many questions as there are invariants left, not as there
 * were. Stops when told to, or where a question is too hard; what it had no time for stays.
 */
export async function irredundant(
  invariants: readonly Term[],
  given: readonly Term[],
  solver: Solver,
  budget: QueryBudget,
  stop: () => boolean,
): Promise<Term[]> {
  const session = solver.session();
  try {
    for (const term of given) session.assert(term);
    const shortest = strongest(invariants).sort((a, b) => sizeOf(a) - sizeOf(b) || a.id - b.id);
    if (shortest.length <= limits.few) return await withoutImplied(shortest, 0, session, budget, stop);
    session.push();
    const enough = await basis(shortest, session, budget, stop);
    session.pop();
    return await withoutImplied(enough ?? shortest, 1, session, budget, stop);
  } finally {
    session.close();
  }
}

/** In their order, and asserted in the session; undefined when it cannot be said. */
async function basis(
  invariants: readonly Term[],
  session: Session,
  budget: QueryBudget,
  stop: () => boolean,
): Promise<Term[] | undefined> {
  const found = new Set<Term>();
  for (let others = invariants; others.length > 0; others = others.filter((invariant) => !found.has(invariant))) {
    if (stop()) return undefined;
    const answer = await session.check([L.not(L.and(...others))], budget);
    if (answer.kind === 'unsat') break;
    const failing =
      answer.kind === 'sat' ? others.find((invariant) => truthUnder(answer.model, invariant) === false) : undefined;
    if (!failing) return undefined;
    found.add(failing);
    session.assert(failing);
  }
  return invariants.filter((invariant) => found.has(invariant));
}

/** The longest go first; `least` of them are known to stay. */
async function withoutImplied(
  invariants: readonly Term[],
  least: number,
  session: Session,
  budget: QueryBudget,
  stop: () => boolean,
): Promise<Term[]> {
  const kept = new Set(invariants);
  for (const invariant of [...invariants].reverse()) {
    if (kept.size === least || stop()) break;
    kept.delete(invariant);
    const answer = await session.check([...kept, L.not(invariant)], budget);
    if (answer.kind !== 'unsat') kept.add(invariant);
  }
  // Short ones first: they say most.
  return invariants.filter((invariant) => kept.has(invariant));
}
