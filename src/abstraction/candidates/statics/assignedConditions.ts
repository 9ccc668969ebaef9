/**
 * Conditions under which a function sets numbers of static data, said of what it sets them to: `if (r * c > CELLS)
 * return 0; rows = r; cols = c;` suggests `rows * cols <= CELLS` between calls. Read off the steps of the program;
 * Houdini is the judge.
 */
import * as L from '../../../logic/build';
import { sizeOf, substitute, symbolsOf } from '../../../logic/substitute';
import type { SymbolTerm, Term } from '../../../logic/term';
import { postOrder } from '../../../logic/traverse';
import { conjuncts } from '../../../semantics/symbolic/segment';
import type { Cutpoint } from '../../transitionSystem/cutpoint';
import type { TransitionSystem } from '../../transitionSystem/transitionSystem';
import { isTrueAtStart } from './startStates';
import { integerTypeOf } from './staticConditions';

const limits = {
  /** Candidates in all, and nodes of one. */
  candidates: 12,
  size: 20,
} as const;

/** The same at every control point, for the client's to be kept on the way; none for a program. */
export function assignedConditions(system: TransitionSystem): ReadonlyMap<Cutpoint, readonly Term[]> {
  const { client, points, transitions, vocabulary } = system;
  if (!client) return new Map();
  const numbers = vocabulary
    .symbolsFor(client.fn)
    .filter((symbol) => symbol.sort.kind === 'bits' && integerTypeOf(symbol, system) !== undefined);
  const holds = isTrueAtStart(system);
  const found = new Set<Term>();
  for (const { from, kind, ends } of transitions) {
    if (!from || kind !== 'segment') continue;
    for (const { point, state, guard } of ends) {
      const after = vocabulary.binding(point.fn, state);
      for (const term of saidOf(assignedIn(numbers, after), guard)) if (holds(term)) found.add(term);
    }
  }
  const candidates = [...found].slice(0, limits.candidates);
  return new Map(candidates.length === 0 ? [] : points.map((point) => [point, candidates]));
}

/** By what is assigned: the static number. Of several the first. */
function assignedIn(numbers: readonly SymbolTerm[], after: ReadonlyMap<Term, Term>): ReadonlyMap<SymbolTerm, Term> {
  const found = new Map<SymbolTerm, Term>();
  for (const number of numbers)
    for (const value of valuesOf(after.get(number) ?? number))
      if (value.kind === 'symbol' && value !== number && !numbers.includes(value) && !found.has(value))
        found.set(value, number);
  return found;
}

const valuesOf = (value: Term): readonly Term[] =>
  L.isApplication(value, 'ite') ? value.args.slice(1).flatMap(valuesOf) : [value];

/** Conditions about two numbers at least that were assigned, and nothing else. */
function saidOf(assigned: ReadonlyMap<SymbolTerm, Term>, guard: Term): readonly Term[] {
  if (assigned.size < 2) return [];
  const parts = [guard, ...(L.isApplication(guard, 'or') ? guard.args : [])].flatMap(conjuncts);
  return parts.flatMap((part) => {
    const symbols = [...symbolsOf(part)];
    const isAssigned = symbols.length > 1 && symbols.every((symbol) => assigned.has(symbol));
    // In wider words checks ask that nothing overflows, which bounds of the numbers imply.
    const isWide = postOrder([part]).some((inner) => L.isApplication(inner, 'sign-extend'));
    return isAssigned && !isWide && sizeOf(part) <= limits.size ? [substitute(part, assigned)] : [];
  });
}
