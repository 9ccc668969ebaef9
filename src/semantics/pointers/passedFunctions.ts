/**
 * Values a client may pass for a pointer to a function: null, a function of its own, or one of the program's that the
 * program makes pointers to.
 */
import type { CType } from '../../c/types';
import { callable, compatible } from '../../program/lower/compatible';
import type { FunctionDefinition, Program } from '../../program/program';
import { addressTaken } from './callbacks';

export interface PassedFunctions {
  /** Stands for all of the client's own, distinguished by offsets. */
  readonly ofClients: FunctionDefinition;
  /**
   * Also of types that a call through the pointer reaches by a cast: a client may have the pointer from the program.
   */
  readonly own: readonly FunctionDefinition[];
}

/** Stand-in for all clients' functions of the type; undefined where there are several, as for `int (*)()`. */
export function clientFunctionFor(type: CType, program: Program): FunctionDefinition | undefined {
  const found = type.kind === 'function' ? program.clientFunctions.filter(({ ctype }) => compatible(ctype, type)) : [];
  return found.length === 1 ? found[0] : undefined;
}

const known = new WeakMap<Program, ReadonlySet<number>>();

/**
 * For a pointer of this type. Undefined for other types, and for functions that cannot be stood in for. A client's
 * function that only calls one of the program's is one of the client's own.
 */
export function passedFunctions(ctype: CType | undefined, program: Program): PassedFunctions | undefined {
  if (ctype?.kind !== 'pointer' || ctype.to.kind !== 'function') return undefined;
  const { to } = ctype;
  const ofClients = clientFunctionFor(to, program);
  if (!ofClients) return undefined;
  let taken = known.get(program);
  if (!taken) known.set(program, (taken = addressTaken(program)));
  return {
    ofClients,
    own: program.functions.filter(
      (fn) => taken!.has(fn.number) && fn !== ofClients && fn.ctype.kind === 'function' && callable(to, fn.ctype),
    ),
  };
}
