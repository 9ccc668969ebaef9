/**
 * One object passed through a `restrict` pointer and another one: if the function changes the object, the call is
 * undefined (C11 6.7.3.1), and its failures say nothing. That a client does so is no evidence. Functions that only read
 * mostly say so: two pointers to `const` may lead to one object.
 */
import type { Variable } from '../../program/expression';
import type { FunctionDefinition } from '../../program/program';
import type { Machine } from '../../semantics/concrete/machine';
import type { ConcreteValue } from '../../semantics/concrete/concreteValues';

/** Both parameters may lead to the same object, as far as `restrict` says. */
export const mayShareObject = (a: Variable, b: Variable): boolean =>
  !(a.isRestrict || b.isRestrict) || [a, b].every(({ ctype }) => ctype?.kind === 'pointer' && ctype.to.const === true);

export function sharesRestrictObject(
  { parameters }: FunctionDefinition,
  args: readonly ConcreteValue[],
  { memory }: Machine,
): boolean {
  if (!parameters.some(({ isRestrict }) => isRestrict)) return false;
  const blocks = parameters.map(({ type }, i) =>
    type.kind === 'pointer' && args[i] !== 0 ? memory.block(args[i]!) : undefined,
  );
  return blocks.some((block, i) =>
    blocks.some((other, j) => j < i && block && block === other && !mayShareObject(parameters[i]!, parameters[j]!)),
  );
}
