/**
 * Handles: structures that a module alone makes and looks into, as `FILE` is to its users. A client of C that sees no members cannot make one up, so a failure
 * that needs such an object is none that a client can cause. Proofs rely on it where the module allocates every such object, and say so.
 */
import type { CType, RecordLayout } from '../c/types';
import type { Operation } from '../host/operation';
import { parseType } from '../host/typeText';
import type { FunctionDefinition, Program } from '../program/program';

const recordBehind = (type: CType | undefined): RecordLayout | undefined => (type?.kind === 'pointer' && type.to.kind === 'record' ? type.to.record : undefined);

/**
 * Structures whose members no header says, that one of the functions makes: it returns a pointer to one and needs none. Where a test makes one by itself,
 * clients can.
 */
export function handlesOf(program: Program, callable: readonly FunctionDefinition[], runs: readonly (readonly Operation[])[]): ReadonlySet<RecordLayout> {
  const handles = new Set<RecordLayout>();
  for (const { ctype } of callable) {
    if (ctype.kind !== 'function') continue;
    const made = recordBehind(ctype.result);
    if (made && made.complete && made.inHeader === false && !ctype.parameters.some(({ type }) => recordBehind(type) === made)) handles.add(made);
  }
  if (handles.size === 0) return handles;
  for (const operation of runs.flat()) {
    if (operation.kind !== 'allocate') continue;
    for (let type: CType = parseType(operation.type, program); ; type = type.of) {
      if (type.kind === 'record') handles.delete(type.record);
      if (type.kind !== 'array') break;
    }
  }
  return handles;
}
