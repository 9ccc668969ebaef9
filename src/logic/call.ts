/** Functions of which the term language knows nothing, but what comes out of floating point on literals. */
import { floatLiteral } from './floatPatterns';
import { application } from './intern';
import { internSort } from './sort';
import type { Sort, Term } from './term';

/** The same name, argument sorts and result sort are the same function. */
export function call(name: string, sort: Sort, ...args: Term[]): Term {
  return floatLiteral(name, args) ?? application('call', internSort(sort), args, [], name);
}
