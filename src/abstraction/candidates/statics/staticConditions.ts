/**
 * Conditions that checks ask of a module's static data, as candidates for what holds between its calls: the part of a
 * check's condition, and of the branches on the way to it, that mentions nothing else. `if (n != NONE) slots[n].prev =
 * p` with n read from an element asks of every element that its number is none or within bounds.
 */
import * as L from '../../../logic/build';
import { compile } from '../../../logic/compile';
import { sizeOf, substitute, symbolsOf } from '../../../logic/substitute';
import type { SymbolTerm, Term } from '../../../logic/term';
import { postOrder } from '../../../logic/traverse';
import { rangeOf } from '../../../logic/bounds/wordRanges';
import { toSigned } from '../../../logic/words/words';
import { conjuncts, type Obligation } from '../../../semantics/symbolic/segment';
import type { Cutpoint } from '../../transitionSystem/cutpoint';
import type { TransitionSystem } from '../../transitionSystem/transitionSystem';
import { isDecidedByBounds } from '../arrays/elementConditions';
import { placesIn } from '../rounds/loopRounds';
import { carriedElements } from './carriedElements';
import { startValues } from './startStates';

const limits = {
  /** Candidates, the smallest first. */
  candidates: 12,
  /** Nodes of one. */
  size: 60,
  /** Ways through the choices in one condition. */
  ways: 16,
  /** Branches of one condition that are followed. */
  leaves: 1000,
} as const;

/** The same at every control point, for the client's to be kept on the way; none for a program. */
export function staticConditions(system: TransitionSystem): Map<Cutpoint, readonly Term[]> {
  const { client, transitions, points } = system;
  if (!client) return new Map();
  const known = new Set<Term>(system.vocabulary.symbolsFor(client.fn));
  const isStatic = (term: Term, bound?: Term): boolean =>
    [...symbolsOf(term)].every((symbol) => symbol === bound || known.has(symbol));
  const start = startValues(system);
  const found = new Set<Term>();
  const leaves = new Set<Term>();
  for (const { segment } of transitions)
    for (const obligation of segment?.obligations ?? []) {
      if (obligation.guard === L.FALSE) continue;
      const inBounds = (term: Term): readonly Term[] => asBounds(term, system) ?? [term];
      const scalars = ofScalars(obligation, isStatic).flatMap((term) => [
        ...ofOne(term, system, start),
        ...inBounds(term),
      ]);
      const elements = ofElements(obligation, isStatic, system).flatMap((term) => [...ofOneArray(term), term]);
      for (const condition of [...scalars, ...elements]) found.add(condition);
      for (const condition of ofScalarLeaves(obligation, isStatic).flatMap(inBounds)) leaves.add(condition);
    }
  const smallest = (terms: Iterable<Term>): readonly Term[] =>
    [...terms]
      .filter((term) => sizeOf(term) <= limits.size && !isDecidedByBounds(term.kind === 'forall' ? term.body : term))
      .sort((a, b) => sizeOf(a) - sizeOf(b))
      .slice(0, limits.candidates);
  // With others these would make every question harder, and add little.
  const chosen = smallest(found.size > 0 ? found : leaves);
  const candidates = [...chosen, ...carriedElements(system, chosen)];
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

/** For a check that asks nothing of static data alone. */
function ofScalarLeaves(obligation: Obligation, isStatic: IsStatic): readonly Term[] {
  const { asked } = partsOf(obligation);
  if (asked.some((part) => isStatic(part))) return [];
  return asked.flatMap((part) => conjuncts(part)).flatMap((part) => ofLeaves(part, isStatic));
}

/**
 * A condition on what branches compute, as a state machine does of its next state, asked of each value that a branch
 * may leave: `0 <= state` of a variable that some branch leaves as it is.
 */
function ofLeaves(condition: Term, isStatic: IsStatic): readonly Term[] {
  const bounds = leavesOf(condition).flatMap((part) => disjuncts(part));
  return [...new Set(bounds.filter((bound) => isOrder(bound) && isStatic(bound)))];
}

/** The condition with each choice in it decided either way, whatever is tested for it. */
function leavesOf(condition: Term): readonly Term[] {
  const found: Term[] = [];
  const work = [condition];
  for (let steps = 0; work.length > 0 && steps < limits.leaves; steps++) {
    const part = work.pop()!;
    // The outermost choice: of the inner ones most are gone then.
    const choice = [...postOrder([part])].findLast((term) => L.isApplication(term, 'ite'));
    if (choice?.kind === 'apply')
      work.push(...choice.args.slice(1).map((leaf) => substitute(part, new Map([[choice, leaf]]))));
    else found.push(part);
  }
  return found;
}

const isOrder = (term: Term): boolean =>
  term.kind === 'apply' && /less/.test(term.operator) && symbolsOf(term).size > 0;

/** `n == 8 || 0 <= n && n <= 7` as `0 <= n` and `n <= 8`; undefined where it is no interval of one number. */
function asBounds(condition: Term, system: TransitionSystem, ...more: readonly bigint[]): readonly Term[] | undefined {
  const [symbol, ...others] = symbolsOf(condition);
  const type = symbol && integerTypeOf(symbol, system);
  if (!type || others.length > 0) return undefined;
  const all = [...postOrder([condition])];
  const isPlain = ({ kind, sort }: Term): boolean => kind !== 'apply' || sort.kind === 'boolean';
  if (!all.every(isPlain)) return undefined;
  const { signed } = type;
  const width = L.widthOf(symbol);
  const { low, high } = rangeOf(signed ? 'signed' : 'unsigned', width);
  const read = (n: bigint): bigint => (signed ? toSigned(n, width) : n);
  // The truth changes next to a constant only.
  const numbers = all.flatMap((term) => (term.kind === 'bits' ? [read(term.value)] : []));
  const ends = [...new Set([low, high, ...numbers.flatMap((n) => [n - 1n, n, n + 1n])])]
    .filter((n) => n >= low && n <= high)
    .sort((a, b) => (a < b ? -1 : 1));
  const holds = compile(condition);
  const truths = ends.map((n) => holds(() => BigInt.asUintN(width, n)) === true);
  const [from, to] = [truths.indexOf(true), truths.lastIndexOf(true)];
  if (from < 0 || truths.slice(from, to + 1).includes(false)) return undefined;
  const least = more.map(read).reduce((a, b) => (a < b ? a : b), ends[from]!);
  const most = more.map(read).reduce((a, b) => (a > b ? a : b), ends[to]!);
  const atMost = signed ? L.sle : L.ule;
  const literal = (n: bigint): Term => L.bits(BigInt.asUintN(width, n), width);
  return [
    ...(least === low ? [] : [atMost(literal(least), symbol)]),
    ...(most === high ? [] : [atMost(symbol, literal(most))]),
  ];
}

/** The type of a static number: a variable, or a place in memory. Undefined for anything else. */
export function integerTypeOf(
  symbol: Term,
  { vocabulary }: TransitionSystem,
): { readonly signed: boolean } | undefined {
  const meaning = vocabulary.meaning(symbol);
  switch (meaning?.kind) {
    case 'variable':
      return meaning.variable.type.kind === 'integer' ? meaning.variable.type : undefined;
    case 'memory': {
      const { role } = meaning.memory;
      const isPlain = role.kind === 'slot' && role.addressing === 'plain' && role.slot !== 'byte';
      return isPlain && role.slot.type.kind === 'integer' ? role.slot.type : undefined;
    }
    default:
      return undefined;
  }
}

/**
 * The bounds that a condition asks of each of its numbers, in all states: of `count < 8 || 0 <= tail && tail <= 7` also
 * `-1 <= tail` and `tail <= 7`, if `tail` is -1 at first. Steps that come near `count == 8` keep the condition only so.
 * A choice, as of `0 <= (count < 8 ? count : tail)`, is one condition for each way.
 */
function ofOne(condition: Term, system: TransitionSystem, start: (symbol: SymbolTerm) => bigint): readonly Term[] {
  return ways(condition).flatMap((way) => {
    if (way === condition && symbolsOf(way).size < 2) return [];
    return [...symbolsOf(way)].flatMap((symbol) => {
      const own = disjuncts(way).filter((part) => symbolsOf(part).size === 1 && symbolsOf(part).has(symbol));
      const isNumber = own.length > 0 && integerTypeOf(symbol, system) !== undefined;
      return isNumber ? (asBounds(L.or(...own), system, start(symbol)) ?? []) : [];
    });
  });
}

/** The condition with each choice in it decided, the outermost first; none where there are too many. */
function ways(condition: Term): readonly Term[] {
  const found: Term[] = [];
  const work = [condition];
  for (let part = work.pop(); part; part = work.pop()) {
    if (found.length + work.length >= limits.ways) return [];
    const choice = [...postOrder([part])].findLast((term) => L.isApplication(term, 'ite'));
    if (choice?.kind !== 'apply') {
      if (part.kind !== 'boolean') found.push(part);
      continue;
    }
    const [test, yes, no] = choice.args as readonly [Term, Term, Term];
    work.push(L.or(test, substitute(part, new Map([[choice, no]]))));
    work.push(L.or(L.not(test), substitute(part, new Map([[choice, yes]]))));
  }
  return found;
}

/** The same of an element, if others are mentioned on the way to where it is asked. */
function ofOneArray(condition: Term): readonly Term[] {
  if (condition.kind !== 'forall') return [];
  const [bound] = condition.bound;
  const parts = disjuncts(condition.body);
  const arrays = [...symbolsOf(condition)].filter(({ sort }) => sort.kind === 'array');
  return arrays.flatMap((array): readonly Term[] => {
    const own = parts.filter((part) => [...symbolsOf(part)].every((symbol) => symbol === array || symbol === bound));
    const isAsked = own.some((part) => symbolsOf(part).has(array));
    return isAsked && own.length < parts.length ? [L.forall(condition.bound, L.or(...own))] : [];
  });
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
    // An element that a choice tests is not what is asked about.
    const readsAny = of!
      .flatMap((part) => leavesOf(part))
      .some((part) => placesIn([part], system).some(({ offset }) => symbolsOf(offset).has(bound)));
    if (!readsAny) return [];
    const condition = L.forall([bound], L.or(...on!, ...of!));
    return condition.kind === 'forall' ? [condition] : [];
  });
}
