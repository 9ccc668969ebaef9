/** A function named on the command line; an `InputError` that suggests a neighbour when there is none. */
import { nearest } from '../c/diagnostics/editDistance';
import type { FunctionDefinition } from '../program/program';
import { InputError } from './inputError';

export function definedFunction<F extends Pick<FunctionDefinition, 'name'>>(name: string, functions: readonly F[]): F {
  const found = functions.find((fn) => fn.name === name);
  if (found) return found;
  const names = functions.map((fn) => fn.name);
  const near = nearest(name, names);
  throw new InputError(
    `no function '${name}' is defined`,
    near !== undefined
      ? `did you mean '${near}'?`
      : names.length === 0
        ? 'the files define no function'
        : `defined are ${names.slice(0, 12).join(', ')}${names.length > 12 ? ', …' : ''}`,
  );
}
