/** What a client may pass for a pointer to a function: null, a function of its own, or one of the program's that the program makes pointers to. */
import { compatible } from '../program/lower/compatible';
import type { Variable } from '../program/expression';
import type { FunctionDefinition, Program } from '../program/program';
import { addressTaken } from './callBacks';

export interface PassedFunctions {
  /** Stands for all of the client's own, told apart by offsets. */
  readonly ofClients: FunctionDefinition;
  readonly own: readonly FunctionDefinition[];
}

/** Undefined for other parameters, and for functions that cannot be stood in for. A client's function that only calls one of the program's is one of the client's own. */
export function passedFunctions({ ctype }: Variable, program: Program): PassedFunctions | undefined {
  if (ctype?.kind !== 'pointer' || ctype.to.kind !== 'function') return undefined;
  const isAlike = ({ ctype: type }: FunctionDefinition): boolean => compatible(type, ctype.to);
  const ofClients = program.clientFunctions.find(isAlike);
  if (!ofClients) return undefined;
  const taken = addressTaken(program);
  return { ofClients, own: program.functions.filter((fn) => taken.has(fn.number) && fn !== ofClients && isAlike(fn)) };
}
