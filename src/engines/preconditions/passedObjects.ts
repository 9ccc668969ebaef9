/** Objects that tests pass. */
import type { HostValue } from '../../host/operation';

/** One name for each object; undefined for numbers and null. */
export function placeOf(value: HostValue | undefined): string | undefined {
  if (value === undefined) return undefined;
  if ('allocation' in value) return `allocation ${value.allocation}`;
  return 'object' in value && value.object !== 0 ? `object ${value.object}` : undefined;
}
