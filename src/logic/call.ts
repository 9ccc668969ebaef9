/** Functions of which the term language knows nothing, but the rounded results of floating point on literals. */
import { roundedLiteral } from './floatPatterns';
import { application } from './intern';
import { internSort } from './sort';
import type { Sort, Term } from './term';

/** The same name, argument sorts and result sort are the same function. */
export function call(name: string, sort: Sort, ...args: Term[]): Term {
  return roundedLiteral(name, args) ?? application('call', internSort(sort), args, [], name);
}
