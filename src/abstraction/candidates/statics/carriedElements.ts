/**
 * Conditions of elements that a static number takes over: `free = table[free].next` asks of every element that its
 * number is where that of `free` has to be. So a pool whose links are places in an array, with a list of free ones, is
 * known to lead nowhere else. Read off the steps of the program; Houdini is the judge.
 */
import * as L from '../../../logic/build';
import { sizeOf, substitute, symbolsOf } from '../../../logic/substitute';
import type { SymbolTerm, Term } from '../../../logic/term';
import { conjuncts } from '../../../semantics/symbolic/segment';
import type { TransitionSystem } from '../../transitionSystem/transitionSystem';

const limits = {
  /** Candidates in all. */
  candidates: 8,
  /** Nodes of a condition that says where a number is a place of the array. */
  size: 40,
  /** Branches of one new value that are followed. */
  leaves: 32,
} as const;

/** `bounds`: conditions of static numbers. Those of a single number are passed on to what it takes over. */
export function carriedElements(system: TransitionSystem, bounds: Iterable<Term>): readonly Term[] {
  const { client, transitions, vocabulary } = system;
  if (!client) return [];
  const known = new Set<Term>(vocabulary.symbolsFor(client.fn));
  const ofNumber = new Map<SymbolTerm, Term[]>();
  for (const bound of bounds) {
    const number = numberOf(bound);
    if (number && known.has(number)) ofNumber.set(number, [...(ofNumber.get(number) ?? []), bound]);
  }
  const found = new Set<Term>();
  for (const { ends } of transitions)
    for (const { point, state } of ends) {
      const after = vocabulary.binding(point.fn, state);
      for (const [number, conditions] of ofNumber)
        for (const element of elementsIn(after.get(number), known)) {
          const at = placeIn(element);
          if (!at) continue;
          const bound = L.symbol('?k', at.sort);
          const read = substitute(element, new Map([[at, bound]]));
          for (const inside of placesOf(at, system))
            for (const condition of conditions) {
              const isPlace = substitute(inside, new Map([[at, bound]]));
              found.add(L.forall([bound], L.implies(isPlace, substitute(condition, new Map([[number, read]])))));
            }
        }
    }
  return [...found].filter(({ kind }) => kind === 'forall').slice(0, limits.candidates);
}

/** The only symbol of a term, if it is a number. */
function numberOf(term: Term): SymbolTerm | undefined {
  const [symbol, ...others] = symbolsOf(term);
  return others.length === 0 && symbol?.sort.kind === 'bits' ? symbol : undefined;
}

/** Elements of static arrays that branches may leave as they were before the step. */
function elementsIn(value: Term | undefined, known: ReadonlySet<Term>): readonly Term[] {
  const found: Term[] = [];
  const work = value ? [value] : [];
  for (let steps = 0; work.length > 0 && steps < limits.leaves; steps++) {
    const part = work.pop()!;
    if (L.isApplication(part, 'ite')) work.push(...part.args.slice(1));
    else if (L.isApplication(part, 'select') && [...symbolsOf(part)].every((symbol) => known.has(symbol)))
      found.push(part);
  }
  return found;
}

/** The number by which an element is read. */
function placeIn(element: Term): SymbolTerm | undefined {
  const [number, ...others] = [...symbolsOf(element)].filter(({ sort }) => sort.kind === 'bits');
  return others.length === 0 ? number : undefined;
}

/** Conditions under which the program accesses an element with this number, and what it checks then. */
function placesOf(number: SymbolTerm, { transitions }: TransitionSystem): readonly Term[] {
  const found = new Set<Term>();
  const isOfNumber = (term: Term): boolean => numberOf(term) === number && sizeOf(term) <= limits.size;
  for (const { segment } of transitions)
    for (const { check, guard, condition } of segment?.obligations ?? []) {
      const asked = (L.isApplication(condition, 'or') ? condition.args : [condition]).filter(isOfNumber);
      if (check.check !== 'array-bounds' || asked.length === 0) continue;
      found.add(L.and(...conjuncts(guard).filter(isOfNumber), L.or(...asked)));
    }
  return [...found].slice(0, 1);
}
