/**
 * Advice where only overflow is open: a counter that each call increments does overflow at last, so no budget is
 * enough.
 */
import { type Check, propertyOf } from '../../program/command';
import type { Task } from '../../task';

/** Undefined where other checks are open, or none is proved. */
export function adviceOnGrowth(
  open: readonly Check[],
  provedChecks: number,
  { properties, askedIn: asked, mode }: Pick<Task, 'properties' | 'askedIn' | 'mode'>,
): string | undefined {
  const [first] = open;
  const others = properties.filter((property) => property !== 'overflow');
  if (!first || mode !== 'module' || provedChecks === 0 || others.length === 0) return undefined;
  if (!open.every(({ check }) => propertyOf[check] === 'overflow')) return undefined;
  const command = `--property ${others.join(',')}`;
  const test = `toBeVerified({ properties: [${others.map((property) => `'${property}'`).join(', ')}] })`;
  const forms = { command, test };
  const without = asked ? forms[asked] : `${command} on the command line, ${test} in a test`;
  return (
    `all but overflow is proved: if ${first.text} goes further with each call, limit how often clients call by a ` +
    `precondition (requires), or leave overflow out: ${without}`
  );
}
