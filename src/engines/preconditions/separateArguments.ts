/**
 * Pointers of one call that may lead to one object for all that is known. C lets a client pass the bytes of anything
 * as text, or through a `void *`, so types keep such an argument and another one apart in no proof: a tokenizer that
 * writes to its table may have overwritten its text. Offered is `!PROVEST_SAME_OBJECT(text, table)`. No failing run
 * stands behind it, since searches pass an object of its own for each argument.
 */
import type { TransitionSystem } from '../../abstraction/transitionSystem/transitionSystem';
import type { CType } from '../../c/types';
import type { Budget } from '../../budget';
import { reachableFunctions } from '../../program/automata/reachableFunctions';
import type { Check } from '../../program/command';
import type { Variable } from '../../program/expression';
import type { FunctionDefinition } from '../../program/program';
import { anyObject, objectKey } from '../../semantics/pointers/clientObjects';
import { precondition, type Specification } from '../angelic/specifications';
import { isKeptByTests } from '../angelic/testVeto';
import type { Problem } from '../problem';

const limits = {
  /** Conditions that are offered: more are no hint. */
  offered: 6,
} as const;

/** For functions that clients call and that come to one of these checks; none that a call of a test breaks. */
export function separateArguments(
  problem: Problem,
  system: TransitionSystem,
  open: ReadonlySet<Check>,
  budget: Budget,
): readonly Specification[] {
  if (problem.task.mode !== 'module') return [];
  const isOpenIn = ({ edges }: FunctionDefinition): boolean =>
    edges.some(({ command }) => command.kind === 'check' && open.has(command));
  return problem.called
    .filter((fn) => [...reachableFunctions([fn])].some(isOpenIn))
    .flatMap((fn) => pairsOf(fn, problem, system))
    .filter((one) => one.kind === 'requires' && isKeptByTests(problem, problem.under([one], budget), one.function))
    .slice(0, limits.offered);
}

function pairsOf(fn: FunctionDefinition, problem: Problem, system: TransitionSystem): readonly Specification[] {
  const pointers = fn.parameters.flatMap((variable) => {
    const to = variable.ctype?.kind === 'pointer' ? variable.ctype.to : undefined;
    return to && to.kind !== 'function' ? [{ variable, to }] : [];
  });
  return pointers.flatMap((one, i) =>
    pointers.slice(i + 1).flatMap((other) => {
      const mayOverwrite = isConst(one.to) !== isConst(other.to) || !isConst(one.to);
      const isOnlyOneUntyped = (objectKey(one.to) === anyObject) !== (objectKey(other.to) === anyObject);
      if (!mayOverwrite || !isOnlyOneUntyped || !isShared(one.variable, other.variable, system)) return [];
      const [a, b] = [one.variable.name, other.variable.name];
      if (isStated(fn, a, b, problem)) return [];
      return precondition(problem.program, fn.name, `!PROVEST_SAME_OBJECT(${a}, ${b})`) ?? [];
    }),
  );
}

const isConst = (type: CType): boolean => type.const === true;

const isStated = ({ name }: FunctionDefinition, a: string, b: string, { task }: Problem): boolean =>
  (task.requires ?? []).some(
    ({ function: of, said }) =>
      of === name &&
      said !== undefined &&
      'c' in said &&
      [`${a}, ${b}`, `${b}, ${a}`].some((pair) => said.c.includes(`!PROVEST_SAME_OBJECT(${pair})`)),
  );

/** Their objects have a region in common. */
function isShared(one: Variable, other: Variable, { memoryModel: { regions } }: TransitionSystem): boolean {
  const [a, b] = [one, other].map((variable) => regions.pointee({ kind: 'read', type: variable.type, variable }));
  return a !== undefined && b !== undefined && regions.find(a.node) === regions.find(b.node);
}
