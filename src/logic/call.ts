/** Uninterpreted functions. Floating-point operations on literals are computed, those on whole numbers as words. */
import { exactCall } from './floats/exact';
import { floatLiteral } from './floats/patterns';
import { application } from './intern';
import { internSort } from './sort';
import type { Sort, Term } from './term';

/** Calls with the same name, argument sorts and result sort are calls of the same function. */
export function call(name: string, sort: Sort, ...args: Term[]): Term {
  return (
    floatLiteral(name, args) ?? exactCall(name, sort, args) ?? application('call', internSort(sort), args, [], name)
  );
}
