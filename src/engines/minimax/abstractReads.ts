/**
 * Reads of memory as unknown values. A read at an address that is not constant, behind hundreds of writes, is what
 * makes a query about a path hard, and seldom what makes the path infeasible. With a fresh symbol in place of each such
 * read, fewer terms contradict each other: `unsat` holds for the terms as they were, `sat` says nothing about them.
 */
import * as L from '../../logic/build';
import { isApplication } from '../../logic/intern';
import { sizeOf, substituteAll } from '../../logic/substitute';
import type { Term } from '../../logic/term';
import { postOrder } from '../../logic/traverse';

/** Distinct writes in terms that are read as they are: the solver splits few cases then. */
const fewWrites = 64;

/** Terms of a condition. Larger ones make every query behind them hard. */
const largeCondition = 200;

export interface AbstractReads {
  /** In the order of those given. */
  readonly terms: readonly Term[];
  /** Distinct writes in those given. */
  readonly writes: number;
}

/** The terms with a symbol for each outermost read; undefined if they write seldom, or read nothing. */
export function abstractReads(terms: readonly Term[]): AbstractReads | undefined {
  const parts = postOrder(terms);
  const writes = parts.filter((part) => isApplication(part, 'store')).length;
  if (writes <= fewWrites) return undefined;
  const symbols = symbolsOfReads(parts);
  return symbols.size === 0 ? undefined : { terms: substituteAll(terms, symbols), writes };
}

/** The terms as they are in the queries without reads, however few writes they have. */
export function withoutReads(terms: readonly Term[]): readonly Term[] {
  return substituteAll(terms, symbolsOfReads(postOrder(terms)));
}

/** True if the term is large even without what memory contains, as that a pointer leads to one of many objects. */
export function isLargeWithoutReads(term: Term): boolean {
  return sizeOf(term) > largeCondition && sizeOf(withoutReads([term])[0]!) > largeCondition;
}

function symbolsOfReads(parts: readonly Term[]): ReadonlyMap<Term, Term> {
  const symbols = new Map<Term, Term>();
  for (const part of parts)
    if (isApplication(part, 'select') && part.sort.kind !== 'array')
      symbols.set(part, L.symbol(`$read~${part.id}`, part.sort));
  return symbols;
}
