/** Objects that tests pass, and clients in scenarios. */
import type { Argument, Call } from '../../evidence/scenarios/scenario';
import type { HostValue } from '../../host/operation';

/** One name for each object; undefined for numbers and null. */
export function placeOf(value: HostValue | undefined): string | undefined {
  if (value === undefined) return undefined;
  if ('allocation' in value) return `allocation ${value.allocation}`;
  return 'object' in value && value.object !== 0 ? `object ${value.object}` : undefined;
}

/** The place in the client where the object was made: a call's argument, or with -1 its result. */
export function origin(calls: readonly Call[], call: number, at: number): string | undefined {
  const argument: Argument | undefined = at === -1 ? undefined : calls[call]!.arguments[at];
  if (at === -1 || argument?.kind === 'object') return `${call}.${at}`;
  return argument?.kind === 'earlier' ? origin(calls, argument.call, argument.argument) : undefined;
}

export const passes = (calls: readonly Call[], call: number, object: string): boolean =>
  calls[call]!.arguments.some((_, at) => origin(calls, call, at) === object);
