/**
 * Minimal specifications: each trace of one check brings its own bound, and the last one often implies the others. Only
 * conditions of numbers and places are compared; lengths and texts are offered together as they are.
 */
import type { TransitionSystem } from '../../abstraction/transitionSystem/transitionSystem';
import * as L from '../../logic/build';
import type { QueryBudget, Solver } from '../../solver/solver';
import type { Problem } from '../problem';
import { preconditionTerms } from './permissiveness';
import { type Specification, under } from './specifications';

type Precondition = Extract<Specification, { kind: 'requires' }>;

/**
 * Preconditions that another one of the same function implies, or the others together, each with one of these, which is
 * itself kept.
 */
export async function impliedSpecifications(
  problem: Problem,
  specifications: readonly Specification[],
  system: () => TransitionSystem,
  solver: Solver,
  query: () => QueryBudget | undefined,
): Promise<ReadonlyMap<Specification, Specification>> {
  const found = new Map<Specification, Specification>();
  const compared = specifications.filter(
    (one): one is Precondition => one.kind === 'requires' && !one.text.includes('PROVEST_'),
  );
  for (const weaker of compared) {
    for (const stronger of compared) {
      if (weaker === stronger || weaker.function !== stronger.function || found.has(stronger)) continue;
      if (!(await implies([stronger], weaker, problem, system(), solver, query))) continue;
      found.set(weaker, stronger);
      for (const [one, by] of found) if (by === weaker) found.set(one, stronger);
      break;
    }
  }
  for (const weaker of compared) {
    if (found.has(weaker)) continue;
    const others = compared.filter(
      (other) => other !== weaker && other.function === weaker.function && !found.has(other),
    );
    if (others.length < 2 || !(await implies(others, weaker, problem, system(), solver, query))) continue;
    found.set(weaker, others[0]!);
    for (const [one, by] of found) if (by === weaker) found.set(one, others[0]!);
  }
  return found;
}

async function implies(
  stronger: readonly Precondition[],
  weaker: Precondition,
  { program, task }: Problem,
  system: TransitionSystem,
  solver: Solver,
  query: () => QueryBudget | undefined,
): Promise<boolean> {
  const fn = program.functionByName.get(weaker.function)!;
  const { requires: _, ...rest } = task;
  const [strong, weak] = [stronger, [weaker]].map((all) => preconditionTerms(under(rest, all), fn, system));
  const budget = query();
  if (!strong || !weak || !budget) return false;
  const terms = [...strong, L.not(L.and(...weak))];
  const answer = await solver.check([...terms, ...system.vocabulary.readAxioms(terms, new Set())], budget);
  return answer.kind === 'unsat';
}
