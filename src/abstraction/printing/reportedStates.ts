/**
 * Abstract states as a reader counts them. What lies behind a null pointer is nothing: `p == NULL && p->next != NULL`
 * and `p == NULL && p->next == NULL` are one state, in which there is no `p->next`. In which context a function was
 * called makes no other state either.
 */
import type { Term } from '../../logic/term';
import type { AbstractPoint, AbstractState, Valuation } from '../predicates/predicateAbstraction';

export interface ReportedState {
  readonly abstract: AbstractPoint;
  /** With a `-` for each predicate that says nothing. */
  readonly valuation: string;
  readonly members: readonly AbstractState[];
}

export function reportedStates(abstract: AbstractPoint): readonly ReportedState[] {
  const members = new Map<string, AbstractState[]>();
  for (const state of abstract.all()) {
    const valuation = reportedValuation(abstract, state.valuation);
    members.set(valuation, [...(members.get(valuation) ?? []), state]);
  }
  return [...members].map(([valuation, states]) => ({ abstract, valuation, members: states }));
}

export function reportedValuation({ predicates }: AbstractPoint, valuation: Valuation): string {
  const isNull = new Set<Term>();
  predicates.forEach(({ term }, i) => {
    const pointer = comparedWithNull(term);
    if (pointer && valuation[i] === '1') isNull.add(pointer);
  });
  if (isNull.size === 0) return valuation;
  return predicates
    .map(({ term, name }, i) => (name === undefined && readsBehind(term, isNull) ? '-' : valuation[i]))
    .join('');
}

/** The object of a pointer; null is object 0. */
function comparedWithNull(term: Term): Term | undefined {
  if (term.kind !== 'apply' || term.operator !== 'eq') return undefined;
  const [a, b] = term.args as [Term, Term];
  if (b.kind === 'bits' && b.value === 0n) return a;
  return a.kind === 'bits' && a.value === 0n ? b : undefined;
}

/** A read whose index is such an object, or is made of what such a read gives. */
function readsBehind(term: Term, isNull: ReadonlySet<Term>): boolean {
  const seen = new Set<Term>([term]);
  for (const t of seen) {
    if (t.kind !== 'apply') continue;
    if (t.operator === 'select' && isNull.has(t.args[1]!)) return true;
    for (const arg of t.args) seen.add(arg);
  }
  return false;
}
