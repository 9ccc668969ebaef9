/**
 * Structures are passed and returned by hidden pointers: the address of a copy for an argument, the address of the
 * target for a result.
 */
import type { RecordType } from '../c/types';
import type { Variable } from './expression';
import type { FunctionDefinition } from './program';

export interface PassedStructure {
  readonly as: 'argument' | 'result';
  readonly type: RecordType;
}

/** The name of the parameter that points to the structure of this name. */
export const hiddenName = (name: string): string => `<${name}>`;

/** The structure that a hidden pointer leads to. Undefined for ordinary parameters. */
export function passedStructure(fn: FunctionDefinition, parameter: Variable): PassedStructure | undefined {
  if (parameter.ctype || parameter.type.kind !== 'pointer' || fn.ctype.kind !== 'function') return undefined;
  const { result, parameters } = fn.ctype;
  const hidden = result.kind === 'record' ? 1 : 0;
  if (result.kind === 'record' && parameter.slot === 0) return { as: 'result', type: result };
  const type = parameters[parameter.slot - hidden]?.type;
  return type?.kind === 'record' ? { as: 'argument', type } : undefined;
}
