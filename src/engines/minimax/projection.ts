/**
 * A node's state as constraints over the symbols of its place: the values of variables that are
 * literals or can be computed from other variables, and the conditions passed, where they can be said. Older values of
 * a variable are eliminated by what they are in terms of current ones; what cannot be said so is left out.
 */
import * as L from '../../logic/build';
import { fromLinear, linearOf, scale } from '../../logic/words/linear';
import { substituteAll, symbolsOf } from '../../logic/substitute';
import { isApplication } from '../../logic/intern';
import { postOrder } from '../../logic/traverse';
import type { SymbolTerm, Term } from '../../logic/term';
import type { Relevance } from '../../abstraction/transitionSystem/relevance';
import type { TransitionSystem } from '../../abstraction/transitionSystem/transitionSystem';
import { type GraphNode, symbolsOfFrames } from '../../abstraction/transitionSystem/transitionGraph';
import type { Bound } from './constraints';
import type { SearchGraph } from './searchTree';
import { occurring } from './symbolicPath';
import { type Described, withDefinitions } from './questions';

/** Symbols, and which of them may still matter at a place. */
export interface Vocabularies {
  readonly graph: SearchGraph;
  readonly relevance: Relevance;
}

export interface Said {
  readonly term: Term;
  readonly bound?: Bound;
}

const limits = {
  /** Larger terms are no constraints. */
  projectedNodes: 60,
} as const;

/** `halves`: equations of integers as two inequalities each. */
export function projection(
  { graph, relevance }: Vocabularies,
  place: GraphNode,
  state: Described,
  halves: boolean,
): readonly Said[] {
  const { system } = graph;
  const { vocabulary } = system;
  const frames = graph.framesAt(place);
  const symbols = symbolsOfFrames(frames, system).filter((symbol) => {
    const meaning = vocabulary.meaning(symbol);
    if (meaning?.kind !== 'variable') return true;
    const frame = frames.find(({ fn }) => fn === meaning.function) ?? frames[0]!;
    return relevance.at(frame.location, meaning.variable);
  });
  const values = withDefinitions(state, symbols);
  const own = new Set<Term>(symbols);
  const current = inverseOf(symbols, values);
  const cells = unwrittenCells(state, symbols, values);
  const named = new Map<Term, Term>([...cells].map(([read, { name }]) => [read, name]));
  const back = new Map<Term, Term>([...cells.values()].map(({ name, now }) => [name, now]));
  const now = (terms: readonly Term[]): Term[] =>
    substituteAll(substituteAll(substituteAll(terms, named), current), back);
  const say = (terms: readonly Term[]): Term[] =>
    now(terms).filter((term) => term.kind !== 'boolean' && isSayable(term, own) && !isTrivial(term));
  const said = new Map<Term, Said>();
  const add = (one: Said): void => void (one.term !== L.TRUE && !said.has(one.term) && said.set(one.term, one));
  symbols.forEach((symbol, i) => {
    // The checker computes what is claimed of a client's first state, element by element.
    if (system.client && symbol.sort.kind === 'array') return;
    const [value] = now([values[i]!]);
    if (!isSayable(value!, own) || symbolsOf(value!).has(symbol)) return;
    for (const one of equation(symbol, value!, signOf(symbol, system), halves)) add(one);
  });
  for (const [select, value] of writtenCells(symbols, values)) {
    const [cell] = now([value]);
    if (isSayable(cell!, own)) add({ term: L.eq(select, cell!) });
  }
  const defined = new Map<Term, Term>([...state.head.definitions].map(([symbol, { value }]) => [symbol, value]));
  const conditions = [...state.path.conditions, ...state.head.kept.map(({ term }) => term)];
  for (const term of [...say(conditions), ...say(substituteAll(conditions, occurring(defined, conditions)))]) {
    const kept = state.head.constraints.find((constraint) => constraint.term === term);
    if (kept?.bound) add({ term, bound: kept.bound });
    else for (const one of conditionIn(term, system, halves)) add(one);
  }
  return [...said.values()];
}

/** `symbol == value`, in halves where it is an integer of C. */
export function equation(
  symbol: SymbolTerm,
  value: Term,
  sign: 'signed' | 'unsigned' | undefined,
  halves: boolean,
): readonly Said[] {
  if (!sign || !halves) return [{ term: L.eq(symbol, value), bound: { symbol, value, side: 'both' } }];
  const atMost = sign === 'signed' ? L.sle : L.ule;
  return [
    { term: atMost(symbol, value), bound: { symbol, value, side: 'most' as const } },
    { term: atMost(value, symbol), bound: { symbol, value, side: 'least' as const } },
  ].map((one) => (one.term === L.TRUE ? { term: L.eq(symbol, value), bound: { symbol, value, side: 'both' } } : one));
}

/** A condition passed: an equation of a symbol is one like those of assignments. */
function conditionIn(term: Term, system: TransitionSystem, halves: boolean): readonly Said[] {
  if (halves && isApplication(term, 'eq')) {
    const [a, b] = term.args as readonly [Term, Term];
    for (const [symbol, value] of [
      [a, b],
      [b, a],
    ] as const)
      if (symbol.kind === 'symbol' && signOf(symbol, system) && !symbolsOf(value).has(symbol))
        return equation(symbol, value, signOf(symbol, system), halves);
  }
  return [{ term }];
}

/** The sign with which C compares the symbol's values; undefined for pointers and memory. */
export function signOf(symbol: SymbolTerm, { vocabulary }: TransitionSystem): 'signed' | 'unsigned' | undefined {
  const meaning = vocabulary.meaning(symbol);
  if (meaning?.kind !== 'variable' || meaning.variable.type.kind !== 'integer') return undefined;
  return meaning.variable.type.signed ? 'signed' : 'unsigned';
}

/**
 * Older symbols by current ones: where the value of s is b + c, or b * -1 + c, b is s - c. A symbol that is unchanged
 * stays.
 */
function inverseOf(symbols: readonly SymbolTerm[], values: readonly Term[]): ReadonlyMap<Term, Term> {
  const inverse = new Map<Term, Term>();
  const unchanged = new Set(symbols.filter((symbol, i) => values[i] === symbol));
  symbols.forEach((symbol, i) => {
    const value = values[i]!;
    if (value === symbol) return;
    if (value.kind === 'symbol') {
      if (!unchanged.has(value) && !inverse.has(value)) inverse.set(value, symbol);
      return;
    }
    if (value.sort.kind !== 'bits' || value.kind !== 'apply') return;
    const { width, constant, monomials } = linearOf(value);
    const [monomial] = monomials;
    if (monomials.length > 1 || (monomials[0] && monomials[0].atom.kind !== 'symbol')) {
      // A value that cannot be said is one by its name.
      if (!inverse.has(value)) inverse.set(value, symbol);
      return;
    }
    if (monomials.length !== 1 || monomial!.atom.kind !== 'symbol' || unchanged.has(monomial!.atom)) return;
    const isUnit = monomial!.coefficient === 1n || monomial!.coefficient === (1n << BigInt(width)) - 1n;
    if (!isUnit || inverse.has(monomial!.atom)) return;
    const difference = L.sub(symbol, L.bits(constant, width));
    inverse.set(monomial!.atom, fromLinear(scale(linearOf(difference), monomial!.coefficient)));
  });
  // A changed symbol that is left stands for its older value.
  symbols.forEach((symbol, i) => {
    if (values[i] !== symbol && !inverse.has(symbol)) inverse.set(symbol, older(symbol));
  });
  return inverse;
}

const older = (symbol: SymbolTerm): SymbolTerm => L.symbol(`${symbol.name}~older`, symbol.sort);

const isSayable = (term: Term, own: ReadonlySet<Term>): boolean => {
  let size = 0;
  for (const symbol of symbolsOf(term)) if (!own.has(symbol)) return false;
  for (const _ of postOrder([term])) if (++size > limits.projectedNodes) return false;
  return true;
};

const isTrivial = (term: Term): boolean => isApplication(term, 'eq') && term.args[0] === term.args[1];

/**
 * Reads of an older memory at literal places that were not written since are reads of the current one: the reads by
 * symbols that stand for them while older symbols are eliminated.
 */
function unwrittenCells(
  state: Described,
  symbols: readonly SymbolTerm[],
  values: readonly Term[],
): ReadonlyMap<Term, { readonly name: SymbolTerm; readonly now: Term }> {
  const cells = new Map<Term, { readonly name: SymbolTerm; readonly now: Term }>();
  const changed = symbols.flatMap((symbol, i) =>
    symbol.sort.kind === 'array' && values[i] !== symbol ? [{ symbol, value: values[i]! }] : [],
  );
  if (changed.length === 0) return cells;
  for (const read of postOrder([...state.head.kept.map(({ term }) => term), ...state.path.conditions, ...values])) {
    if (!isApplication(read, 'select') || read.args[0]!.kind !== 'symbol' || read.args[1]!.kind !== 'bits') continue;
    for (const { symbol, value } of changed)
      if (beforeStores(value) === read.args[0] && L.select(value, read.args[1]) === read)
        cells.set(read, { name: L.symbol(`cell~${read.id}`, read.sort), now: L.select(symbol, read.args[1]) });
  }
  return cells;
}

function beforeStores(array: Term): Term {
  let before = array;
  while (isApplication(before, 'store')) before = before.args[0]!;
  return before;
}

/** Elements at literal places that were written, by their reads. */
function writtenCells(symbols: readonly SymbolTerm[], values: readonly Term[]): readonly (readonly [Term, Term])[] {
  const found: (readonly [Term, Term])[] = [];
  symbols.forEach((symbol, i) => {
    const seen = new Set<Term>();
    for (let array = values[i]!; isApplication(array, 'store'); array = array.args[0]!) {
      const [, index, value] = array.args as readonly [Term, Term, Term];
      if (index.kind !== 'bits') return;
      if (seen.has(index) || value.sort.kind === 'array') continue;
      seen.add(index);
      found.push([L.select(symbol, index), value]);
    }
  });
  return found;
}
