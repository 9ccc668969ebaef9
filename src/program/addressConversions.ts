import type { Program } from './program';
import { walkOwn } from './traverse';

const known = new WeakMap<Program, boolean>();

/**
 * True if the bytes of pointers in memory are their addresses, an object's number times 2^32 plus the signed offset:
 * where the program makes numbers of pointers, or pointers of numbers, and could see a difference. Elsewhere a negative
 * offset is not taken from the object's number, which is faster.
 */
export function storesAddresses(program: Program): boolean {
  let found = known.get(program);
  if (found === undefined) {
    found = program.dataModel === 'ilp32';
    walkOwn(program, (e) => {
      if (e.kind === 'convert' && (e.type.kind === 'pointer') !== (e.operand.type.kind === 'pointer')) found = true;
    });
    known.set(program, found);
  }
  return found;
}
