/**
 * Advice where only overflow is open: a counter that each call increments does overflow at last, so no budget is
 * enough.
 */
import { type Check, propertyOf } from '../../program/command';
import { dependsOnMemory, variablesIn } from '../../program/traverse';
import type { Task } from '../../task';

/** Maybe computed from something that is still there when the call has returned: what was read of it is a temporary. */
const isOfState = ({ condition }: Check): boolean =>
  dependsOnMemory(condition) ||
  [...variablesIn(condition)].some(({ scope, temporary }) => scope === 'global' || temporary);

/** Undefined where checks of something else are open, or none is proved. */
export function adviceOnGrowth(
  open: readonly Check[],
  provedChecks: number,
  { properties, askedIn: asked, mode }: Pick<Task, 'properties' | 'askedIn' | 'mode'>,
): string | undefined {
  const [first] = open;
  const others = properties.filter((property) => property !== 'overflow');
  if (!first || mode !== 'module' || provedChecks === 0 || others.length === 0) return undefined;
  if (!open.every((one) => propertyOf[one.check] === 'overflow' && isOfState(one))) return undefined;
  const command = `--property ${others.join(',')}`;
  const test = `toBeVerified({ properties: [${others.map((property) => `'${property}'`).join(', ')}] })`;
  const forms = { command, test };
  const without = asked ? forms[asked] : `${command} on the command line, ${test} in a test`;
  return (
    `all but overflow is proved: if ${first.text} goes further with each call, limit how often clients call by a ` +
    `precondition (requires), or leave overflow out: ${without}`
  );
}
