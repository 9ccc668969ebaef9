/**
 * Conditions that checks ask of a module's static data, as candidates for what holds between its calls: the part of a
 * check's condition, and of the branches on the way to it, that speaks of nothing else. `if (n != NONE) slots[n].prev =
 * p` with n read from an element asks of every element that its number is none or within bounds.
 */
import * as L from '../../logic/build';
import { sizeOf, substitute, symbolsOf } from '../../logic/substitute';
import type { SymbolTerm, Term } from '../../logic/term';
import { conjuncts, type Obligation } from '../../semantics/symbolic/segment';
import type { Cutpoint } from '../transitionSystem/cutpoint';
import type { TransitionSystem } from '../transitionSystem/transitionSystem';
import { placesIn } from './loopRounds';

const limits = {
  /** Candidates, the smallest first. */
  candidates: 12,
  /** Nodes of one. */
  size: 60,
} as const;

/** The same at every control point, for the client's to be kept on the way; none for a program. */
export function staticConditions(system: TransitionSystem): Map<Cutpoint, readonly Term[]> {
  const { client, transitions, points } = system;
  if (!client) return new Map();
  const known = new Set<Term>(system.vocabulary.symbolsFor(client.fn));
  const isStatic = (term: Term, bound?: Term): boolean =>
    [...symbolsOf(term)].every((symbol) => symbol === bound || known.has(symbol));
  const found = new Set<Term>();
  for (const { segment } of transitions)
    for (const obligation of segment?.obligations ?? []) {
      if (obligation.guard === L.FALSE) continue;
      for (const condition of [...ofScalars(obligation, isStatic), ...ofElements(obligation, isStatic, system)])
        if (sizeOf(condition) <= limits.size) found.add(condition);
    }
  const candidates = [...found].sort((a, b) => sizeOf(a) - sizeOf(b)).slice(0, limits.candidates);
  return new Map(candidates.length === 0 ? [] : points.map((point) => [point, candidates]));
}

type IsStatic = (term: Term, bound?: Term) => boolean;

const disjuncts = (term: Term): readonly Term[] => (L.isApplication(term, 'or') ? term.args : [term]);

/** Ways out of the path to the check, and the check's condition, one by one. */
const partsOf = ({
  guard,
  condition,
}: Obligation): { readonly ways: readonly Term[]; readonly asked: readonly Term[] } => ({
  ways: conjuncts(guard).map((part) => L.not(part)),
  asked: disjuncts(condition),
});

function ofScalars(obligation: Obligation, isStatic: IsStatic): readonly Term[] {
  const { ways, asked } = partsOf(obligation);
  const own = asked.filter((part) => isStatic(part));
  if (own.length === 0) return [];
  const condition = L.or(...ways.filter((part) => isStatic(part)), ...own);
  return condition.kind === 'boolean' || symbolsOf(condition).size === 0 ? [] : [condition];
}

/** For each number by which an element is read: said of all numbers. */
function ofElements(obligation: Obligation, isStatic: IsStatic, system: TransitionSystem): readonly Term[] {
  const { ways, asked } = partsOf(obligation);
  const places = placesIn([...ways, ...asked], system);
  const numbers = new Set(places.flatMap(({ offset }) => [...symbolsOf(offset)]));
  return [...numbers].flatMap((number): Term[] => {
    if (number.sort.kind !== 'bits') return [];
    const bound: SymbolTerm = L.symbol('?k', number.sort);
    const [of, on] = [asked, ways].map((parts) =>
      parts.map((part) => substitute(part, new Map([[number, bound]]))).filter((part) => isStatic(part, bound)),
    );
    const readsAny = of!.some((part) => placesIn([part], system).some(({ offset }) => symbolsOf(offset).has(bound)));
    if (!readsAny) return [];
    const condition = L.forall([bound], L.or(...on!, ...of!));
    return condition.kind === 'forall' ? [condition] : [];
  });
}
