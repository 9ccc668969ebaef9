/**
 * Failures that specifications exclude, judged by formula: under them the failing check holds in every call of the
 * entry, whatever the state of the module. That is more than ExplainError asks (A. Das, S. K. Lahiri, A. Lal, Y. Li,
 * CAV 2015, algorithm 2), which excludes one trace: no other path to the check is left to fail. It needs no run, so it
 * also judges what no run can show, such as a pointer inside an object that a function without a body returns.
 */
import { TransitionSystem } from '../../abstraction/transitionSystem/transitionSystem';
import * as L from '../../logic/build';
import { reachableFunctions } from '../../program/automata/reachableFunctions';
import { checkKey } from '../../program/command';
import type { Fault } from '../../semantics/concrete/fault';
import type { QueryBudget, Solver } from '../../solver/solver';
import type { Problem } from '../problem';
import { preconditionTerms } from './permissiveness';

/**
 * True if the check cannot fail in calls of the failing entry by clients of `under`. False if that is unknown, also
 * where a loop, or a call that is not part of the same segment, lies before the check.
 */
export async function isExcluded(
  under: Problem,
  { command, stack }: Fault,
  solver: Solver,
  query: () => QueryBudget | undefined,
): Promise<boolean> {
  const name = stack.at(-1)?.function.name;
  const fn = under.callable.find((one) => one.name === name);
  if (!fn) return false;
  const system = new TransitionSystem(under.program, under.systemOptions());
  const key = checkKey(command);
  const own = reachableFunctions([fn]);
  const transitions = system.transitions.filter(
    ({ from, segment }) =>
      from && own.has(from.fn) && segment?.obligations.some(({ check }) => checkKey(check) === key),
  );
  if (transitions.length === 0 || transitions.some(({ from }) => from!.kind !== 'entry' || from!.fn !== fn))
    return false;
  const required = preconditionTerms(under.task, fn, system);
  if (!required) return false;
  for (const { axioms, segment } of transitions) {
    for (const { check, guard, condition } of segment!.obligations) {
      if (checkKey(check) !== key) continue;
      const budget = query();
      if (!budget) return false;
      const terms = [...axioms, ...system.clientAssumptions(fn), ...required, guard, L.not(condition)];
      const answer = await solver.check([...terms, ...system.vocabulary.readAxioms(terms, new Set())], budget);
      if (answer.kind !== 'unsat') return false;
    }
  }
  return true;
}
