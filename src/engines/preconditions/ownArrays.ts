/**
 * A client that passes an array to several calls, as one that gives the last of them an array of its own: experiments
 * then make that one longer or shorter, and leave the other calls alone.
 */
import { isSameType } from '../../evidence/scenarios/clientObjects';
import type { Argument, Scenario } from '../../evidence/scenarios/scenario';
import type { FunctionDefinition } from '../../program/program';
import { pointee } from './lengthAttempts';

/** The same scenario if the call passes no array of numbers that was passed before. */
export function withOwnArrays(scenario: Scenario, index: number): Scenario {
  const { calls } = scenario;
  const { fn, arguments: given } = calls[index]!;
  const own = given.map((argument, at) => {
    const made = madeAs(argument, scenario);
    return made && isArrayFor(made, fn, at) ? made : argument;
  });
  return own.every((argument, at) => argument === given[at])
    ? scenario
    : { ...scenario, calls: calls.with(index, { fn, arguments: own }) };
}

/** The object that the argument leads to the beginning of, as it was made; undefined for any other pointer. */
function madeAs(argument: Argument, { calls }: Scenario): Argument | undefined {
  let at = argument;
  while (at.kind === 'earlier') {
    if (at.argument < 0 || at.index !== undefined) return undefined;
    at = calls[at.call]!.arguments[at.argument]!;
  }
  return at;
}

/** An array of the numbers that the parameter leads to: `char *` may lead to an array of other numbers, too. */
function isArrayFor(made: Argument, fn: FunctionDefinition, at: number): boolean {
  if (made.kind !== 'object' || made.type.kind !== 'array') return false;
  const { of } = made.type;
  const to = pointee(fn, at);
  return (of.kind === 'integer' || of.kind === 'float') && to !== undefined && isSameType(of, to);
}
