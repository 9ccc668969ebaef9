/**
 * Assumptions about pointers to functions that clients pass. Such a pointer reaches no object; only the function it
 * names matters.
 */
import * as L from '../../logic/build';
import type { Term } from '../../logic/term';
import type { PassedFunctions } from '../pointers/passedFunctions';
import type { SymbolicPointer } from './symbolicValues';

/** The pointer is null or names a function. `half`: bits of an object's number. */
export function isCallableOrNull(functions: PassedFunctions, pointer: SymbolicPointer, half: number): Term {
  return L.or(...kindsOfFunction(functions, pointer, half));
}

/** The cases: null, a function of the client's, each of the program's. */
export function kindsOfFunction(
  { ofClients, own }: PassedFunctions,
  { object, offset }: SymbolicPointer,
  half: number,
): Term[] {
  const is = (number: number): Term => L.eq(object, L.bits(BigInt(number), half));
  const begins = L.eq(offset, L.bits(0n, half));
  return [L.and(is(0), begins), is(ofClients.number), ...own.map(({ number }) => L.and(is(number), begins))];
}
