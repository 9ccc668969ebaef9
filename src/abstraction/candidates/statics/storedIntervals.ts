/**
 * The interval of what the program's steps store in the elements of an array: of each stored word, under the conditions
 * on the way and under what is known where the step begins. So a number that a caller has tested counts where a helper
 * stores it, and so does a digit `n % 10`. A word that an element already has is no new one; a word that is computed
 * from an element is one for elements that have what all other stores leave.
 */
import * as L from '../../../logic/build';
import { type Interval, ordersOf, type WordBounds } from '../../../logic/bounds/assertedBounds';
import { max, min, rangeOf, sum } from '../../../logic/bounds/wordRanges';
import type { SymbolTerm, Term } from '../../../logic/term';
import { postOrder } from '../../../logic/traverse';
import type { Cutpoint } from '../../transitionSystem/cutpoint';
import type { TransitionSystem } from '../../transitionSystem/transitionSystem';
import { baseOf, intervalsUnder } from '../rounds/loopRounds';

const limits = {
  /** Words that are stored in one array. */
  stores: 40,
  /** Nodes of the array after a step. */
  nodes: 500,
  /** Turns of leaving out cases. */
  turns: 4,
} as const;

interface Stored {
  readonly word: Term;
  readonly conditions: readonly Term[];
}

/**
 * `first`: the value that elements have before anything is stored. `conditionsAt`: of states where a step begins.
 * Undefined if nothing is known.
 */
export function storedInterval(
  array: SymbolTerm,
  signedness: L.Signedness,
  first: bigint,
  system: TransitionSystem,
  conditionsAt: (point: Cutpoint) => readonly Term[],
): Interval | undefined {
  const stored = storedIn(array, system, conditionsAt);
  if (stored.length === 0 || stored.length > limits.stores) return undefined;
  const isElement = (term: Term): boolean => L.isApplication(term, 'select') && baseOf(term.args[0]!) === array;
  const elementsIn = (word: Term): readonly Term[] => postOrder([word]).filter(isElement);
  const start: Interval = { low: first, high: first };
  const plain = stored.filter(({ word }) => elementsIn(word).length === 0).map((one) => intervalOf(one, signedness));
  const before = plain.reduce(hullOf, start);
  const computed = stored.filter(({ word }) => elementsIn(word).length > 0);
  /** All that is stored, if elements are within the interval. */
  const next = (within: Interval): Interval =>
    computed
      .map((one) => {
        const bounds = asBounds(within, signedness, L.widthOf(one.word));
        return intervalOf(one, signedness, new Map(elementsIn(one.word).map((element) => [element, bounds])));
      })
      .reduce(hullOf, before);
  // An end that moves on does not hold.
  const once = next(before);
  const twice = next(once);
  const all = rangeOf(signedness, L.widthOf(stored[0]!.word));
  return {
    low: twice.low < once.low ? all.low : once.low,
    high: twice.high > once.high ? all.high : once.high,
  };
}

function storedIn(
  array: SymbolTerm,
  { transitions, vocabulary }: TransitionSystem,
  conditionsAt: (point: Cutpoint) => readonly Term[],
): Stored[] {
  const found: Stored[] = [];
  for (const { from, kind, axioms, ends } of transitions) {
    if (!from || kind !== 'segment') continue;
    for (const { point, state, guard } of ends) {
      const after = vocabulary.binding(point.fn, state).get(array);
      if (!after || after === array) continue;
      const conditions = [...axioms, ...conditionsAt(from), guard];
      for (const { word, conditions: chosen } of wordsIn(after, array))
        found.push({ word, conditions: consequences([...conditions, ...chosen]) });
    }
  }
  return found;
}

/** Words that are stored on the way from the array to this one, each under the choices that lead to it. */
function wordsIn(after: Term, array: Term): readonly Stored[] {
  const found: Stored[] = [];
  let nodes = 0;
  const look = (
    part: Term,
    conditions: readonly Term[],
    isLeaf: (part: Term, conditions: readonly Term[]) => void,
  ): void => {
    if (++nodes > limits.nodes) return;
    if (!L.isApplication(part, 'ite')) return isLeaf(part, conditions);
    const [test, yes, no] = part.args as readonly [Term, Term, Term];
    look(yes, [...conditions, test], isLeaf);
    look(no, [...conditions, L.not(test)], isLeaf);
  };
  const keep = (word: Term, conditions: readonly Term[]): void => {
    const isAnElement = L.isApplication(word, 'select') && baseOf(word.args[0]!) === array;
    if (!isAnElement) found.push({ word, conditions });
  };
  const store = (part: Term, conditions: readonly Term[]): void => {
    if (!L.isApplication(part, 'store')) return;
    look(part.args[2]!, conditions, keep);
    look(part.args[0]!, conditions, store);
  };
  look(after, [], store);
  return nodes > limits.nodes ? [] : found;
}

/** What the conditions imply by leaving out cases that others of them exclude: unit propagation. */
function consequences(conditions: readonly Term[]): readonly Term[] {
  const facts = new Set(conditions.flatMap(conjunctsOf));
  const isFalse = (term: Term): boolean =>
    facts.has(L.not(term)) || (L.isApplication(term, 'and') && term.args.some((arg) => facts.has(L.not(arg))));
  for (let turn = 0, size = 0; turn < limits.turns && facts.size > size; turn++) {
    size = facts.size;
    for (const fact of [...facts]) {
      const left = casesOf(fact).filter((one) => !isFalse(one));
      if (left.length === 1) for (const one of conjunctsOf(left[0]!)) facts.add(one);
    }
  }
  return [...facts];
}

function conjunctsOf(term: Term): readonly Term[] {
  if (L.isApplication(term, 'and')) return term.args.flatMap(conjunctsOf);
  const [inner] = L.isApplication(term, 'not') ? term.args : [];
  return inner && L.isApplication(inner, 'or') ? inner.args.flatMap((arg) => conjunctsOf(L.not(arg))) : [term];
}

function casesOf(term: Term): readonly Term[] {
  if (L.isApplication(term, 'or')) return term.args;
  const [inner] = L.isApplication(term, 'not') ? term.args : [];
  return inner && L.isApplication(inner, 'and') ? inner.args.map((arg) => L.not(arg)) : [];
}

/** Of the word's parts, and of conditions on the word as a whole, as in `used + n <= 32`. */
function intervalOf(
  { word, conditions }: Stored,
  signedness: L.Signedness,
  given?: ReadonlyMap<Term, WordBounds>,
): Interval {
  const orders = conditions.flatMap((condition) => ordersOf(condition)).filter((one) => one.signedness === signedness);
  const intervals = intervalsUnder(conditions, [word], given);
  let { low, high } = intervals.of(word)[signedness];
  if (L.isApplication(word, 'add') && signedness === 'signed') {
    // Checks on the way exclude that a signed sum wraps.
    const parts = word.args.map((arg) => intervals.of(arg).signed);
    low = max(low, sum(parts.map((part) => part.low)));
    high = min(high, sum(parts.map((part) => part.high)));
  }
  for (const { lower, upper, strict } of orders) {
    const margin = strict ? 1n : 0n;
    if (upper === word) low = max(low, intervals.of(lower)[signedness].low + margin);
    if (lower === word) high = min(high, intervals.of(upper)[signedness].high - margin);
  }
  return low <= high ? { low, high } : intervals.of(word)[signedness];
}

function asBounds({ low, high }: Interval, signedness: L.Signedness, width: number): WordBounds {
  const [signed, unsigned] = [rangeOf('signed', width), rangeOf('unsigned', width)];
  if (signedness === 'unsigned')
    return { unsigned: { low, high }, signed: high <= signed.high ? { low, high } : signed };
  return { signed: { low, high }, unsigned: low >= 0n ? { low, high } : unsigned };
}

const hullOf = (a: Interval, b: Interval): Interval => ({ low: min(a.low, b.low), high: max(a.high, b.high) });
