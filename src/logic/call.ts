/** Uninterpreted functions. */
import { application } from './intern';
import { internSort } from './sort';
import type { Sort, Term } from './term';

/** The same name, argument sorts and result sort are the same function. */
export function call(name: string, sort: Sort, ...args: Term[]): Term {
  return application('call', internSort(sort), args, [], name);
}
