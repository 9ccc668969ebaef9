/**
 * Preconditions without what says nothing: bounds that every number of the type keeps, `16 - n >= -2147483648` for an
 * `int n`, and bounds that follow from what stands beside them or is kept already.
 */
import type { TransitionSystem } from '../../abstraction/transitionSystem/transitionSystem';
import * as L from '../../logic/build';
import type { QueryBudget, Solver } from '../../solver/solver';
import type { FunctionDefinition } from '../../program/program';
import type { Problem } from '../problem';
import { preconditionTerms } from './permissiveness';
import { precondition, type Specification, under } from './specifications';

type Precondition = Extract<Specification, { kind: 'requires' }>;

interface Beside {
  readonly problem: Problem;
  readonly system: () => TransitionSystem;
  /** Specifications that are kept already. */
  readonly taken: () => readonly Specification[];
  readonly solver: Solver;
  readonly query: () => QueryBudget | undefined;
}

/**
 * Law: with what is taken, it is equivalent to the one that is given. Undefined if nothing is left. A part about which
 * the solver does not answer stays.
 */
export async function meaningful(one: Specification, beside: Beside): Promise<Specification | undefined> {
  if (one.kind !== 'requires' || /\|\||\?|PROVEST_/.test(one.text)) return one;
  const { program } = beside.problem;
  const texts = one.text.split(' && ');
  const parts = texts.flatMap((text) => precondition(program, one.function, text) ?? []);
  if (parts.length < texts.length) return one;
  let kept = parts as readonly Precondition[];
  for (const part of kept) {
    if (!isBound(part.text)) continue;
    const others = kept.filter((other) => other !== part);
    if (await follows(part, others, program.functionByName.get(one.function)!, beside)) kept = others;
  }
  if (kept.length === parts.length) return one;
  return kept.length === 0 ? undefined : precondition(program, one.function, kept.map(({ text }) => text).join(' && '));
}

const isBound = (text: string): boolean => / [<>]=? /.test(text);

async function follows(
  part: Precondition,
  others: readonly Precondition[],
  fn: FunctionDefinition,
  { problem, system: systemOf, taken, solver, query }: Beside,
): Promise<boolean> {
  const system = systemOf();
  const { requires: _, ...rest } = problem.task;
  const known = taken().filter((other) => other.kind === 'requires' && other.function === fn.name);
  const claim = preconditionTerms(under(rest, [part]), fn, system);
  const budget = query();
  if (!claim || !budget) return false;
  const terms = [
    ...system.vocabulary.wellFormed(fn, fn.entry),
    ...[...known, ...others].flatMap((other) => preconditionTerms(under(rest, [other]), fn, system) ?? []),
    L.not(L.and(...claim)),
  ];
  const answer = await solver.check([...terms, ...system.vocabulary.readAxioms(terms, new Set())], budget);
  return answer.kind === 'unsat';
}
