/**
 * The meaning of a name at a location of a function. C scopes names in blocks; here a function has all its variables at
 * once.
 */
import type { FrameObject, Variable } from '../expression';
import type { FunctionDefinition, Location } from '../program';

/**
 * The innermost variable that is visible at `location`. If none is, or without a location: the first one of that name.
 */
export function localNamed(
  fn: FunctionDefinition,
  name: string,
  location: Location | undefined,
): Variable | FrameObject | undefined {
  const named = [...fn.objects, ...fn.variables].filter(
    (local) => local.name === name && !(local.kind === 'variable' && local.temporary),
  );
  const width = ({ visible }: Variable | FrameObject): number => (visible ? visible.end - visible.start : Infinity);
  const [innermost] = location
    ? named.filter((local) => isVisible(local, location)).sort((a, b) => width(a) - width(b))
    : [];
  return innermost ?? named[0];
}

/** True if other variables have this name, and the name does not denote `local` at `location`. */
export function isHidden(local: Variable | FrameObject, fn: FunctionDefinition, location: Location): boolean {
  return (
    [...fn.objects, ...fn.variables].some((other) => other !== local && other.name === local.name) &&
    localNamed(fn, local.name, location) !== local
  );
}

/** True if the name stands for `local` at `location`, and is in scope there. */
export function denotes(local: Variable | FrameObject, fn: FunctionDefinition, location: Location): boolean {
  return isVisible(local, location) && !isHidden(local, fn, location);
}

function isVisible({ visible }: Variable | FrameObject, { span }: Location): boolean {
  return !visible || (visible.file === span.file && visible.start <= span.start && span.start < visible.end);
}
