/**
 * Lengths and texts with an end, where it is known how long the object is: a function that reads behind what a number
 * counts, or `[static n]` declares, does not heed it, and no 0 among the characters or longer object excuses that.
 */
import { isDeepStrictEqual } from 'node:util';
import type { ProbeFormula, ProbePath } from '../../abstraction/predicates/probeFormula';
import type { Program } from '../../program/program';
import type { Requirement } from '../../task';
import { declaredLengths } from '../preconditions/declaredLengths';
import type { Specification } from './specifications';

/** `PROVEST_TERMINATED(s)` beside `PROVEST_LENGTH(s) >= n`, which is stated or taken. */
export function isEndOfCounted(
  one: Specification,
  stated: readonly Requirement[],
  taken: readonly Specification[],
): boolean {
  if (one.kind !== 'requires' || !one.text.includes('PROVEST_TERMINATED(')) return false;
  const pointers = countedIn(one.formula);
  return [...stated, ...taken.filter((other) => other.kind === 'requires')].some(
    (other) =>
      other.function === one.function &&
      conjuncts(other.formula).some((condition) => {
        const counted = countedBy(condition);
        return counted !== undefined && pointers.some((pointer) => isDeepStrictEqual(pointer, counted));
      }),
  );
}

/** Another length than the prototype has, or a text with an end. */
export function isBesideDeclared(one: Specification, { functionByName, dataModel }: Program): boolean {
  const fn = one.kind === 'requires' ? functionByName.get(one.function) : undefined;
  if (one.kind !== 'requires' || !fn) return false;
  const pointers = countedIn(one.formula);
  return declaredLengths(fn, dataModel).some(({ of }) => pointers.some((pointer) => isDeepStrictEqual(pointer, of)));
}

const conjuncts = (formula: ProbeFormula): readonly ProbeFormula[] =>
  formula.kind === 'and' ? [...conjuncts(formula.left), ...conjuncts(formula.right)] : [formula];

/** The pointer of which a condition says that so many elements lie behind it as some variable says. */
function countedBy(condition: ProbeFormula): ProbePath | undefined {
  if (condition.kind === 'or') return countedBy(condition.right) ?? countedBy(condition.left);
  if (condition.kind !== '>=' && condition.kind !== '<=' && condition.kind !== '==') return undefined;
  const { left, right } = condition;
  if (left.kind === 'length' && condition.kind !== '<=') return mentionsVariable(right) ? left.of : undefined;
  if (right.kind === 'length' && condition.kind !== '>=') return mentionsVariable(left) ? right.of : undefined;
  return undefined;
}

function mentionsVariable(formula: ProbeFormula): boolean {
  if (formula.kind === 'path') return true;
  return 'left' in formula && (mentionsVariable(formula.left) || mentionsVariable(formula.right));
}

/** Pointers whose number of elements is in the formula: the last element of a text is at its length less one. */
function countedIn(formula: ProbeFormula): readonly ProbePath[] {
  switch (formula.kind) {
    case 'length':
      return [formula.of];
    case 'path':
      return formula.steps.flatMap((step) => (step.kind === 'index' ? countedIn(step.index) : []));
    default:
      return 'left' in formula ? [...countedIn(formula.left), ...countedIn(formula.right)] : [];
  }
}
