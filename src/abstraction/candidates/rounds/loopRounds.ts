/** Rounds of loops as terms: what one does to variables, which of them count, and where a loop begins. */
import * as L from '../../../logic/build';
import { assertedBounds, type Interval, type WordBounds } from '../../../logic/bounds/assertedBounds';
import { WordIntervals } from '../../../logic/bounds/wordIntervals';
import { max, min, rangeOf as wordRange } from '../../../logic/bounds/wordRanges';
import { linearOf } from '../../../logic/words/linear';
import { substitute, substituteAll, symbolsOf } from '../../../logic/substitute';
import type { SymbolTerm, Term } from '../../../logic/term';
import { postOrder } from '../../../logic/traverse';
import type { FunctionDefinition } from '../../../program/program';
import { conjuncts } from '../../../semantics/symbolic/segment';
import type { Cutpoint } from '../../transitionSystem/cutpoint';
import type { Transition, TransitionSystem, TransitionEnd } from '../../transitionSystem/transitionSystem';

const limits = {
  /** Steps of a round, calls among them. */
  steps: 8,
} as const;

export interface Counter {
  readonly symbol: SymbolTerm;
  /** Some rounds leave it as it is: it counts what is appended. */
  readonly isConditional: boolean;
  readonly signed: boolean;
  readonly step: bigint;
  /** Before the first round, where that is known. */
  readonly start: Term | undefined;
}

export interface LoopRound {
  readonly point: Cutpoint;
  /** Calls that are steps of their own, between two visits of the head. */
  readonly through: readonly Cutpoint[];
  readonly end: TransitionEnd;
  readonly after: ReadonlyMap<Term, Term>;
  readonly counters: readonly Counter[];
  /** That the round reads or writes. */
  readonly places: readonly ElementPlace[];
}

/** An element of an array: where it lies, by offset. */
export interface ElementPlace {
  readonly array: Term;
  readonly offset: Term;
}

/** Loops whose round is one segment, the last one first. */
export function roundsOf(fn: FunctionDefinition, system: TransitionSystem): readonly LoopRound[] {
  return system.transitions
    .flatMap((transition) => {
      const { from, kind, ends } = transition;
      const end = ends.find(({ point }) => point === from);
      if (kind !== 'segment' || from?.fn !== fn || from.kind !== 'loop' || !end) return [];
      const after = system.vocabulary.binding(fn, end.state);
      const counters = countersOf(from, after, system);
      return [
        { point: from, through: [], end, after, counters, places: placesIn([end.guard, ...after.values()], system) },
      ];
    })
    .sort((a, b) => b.point.location.index - a.point.location.index);
}

/** The same, and loops with calls that are steps of their own, if there is one way through a round. */
export function roundsThroughCalls(fn: FunctionDefinition, system: TransitionSystem): readonly LoopRound[] {
  const composed = system.points.flatMap((point) =>
    point.fn === fn && point.kind === 'loop' ? (roundThroughCalls(point, system) ?? []) : [],
  );
  return [...roundsOf(fn, system), ...composed];
}

/** Candidates at the heads of loops, by what `of` reads off a round; each once. */
export function candidatesOfRounds(
  system: TransitionSystem,
  of: (round: LoopRound) => readonly Term[],
): ReadonlyMap<Cutpoint, readonly Term[]> {
  const found = new Map<Cutpoint, readonly Term[]>();
  for (const fn of system.functions)
    for (const round of roundsThroughCalls(fn, system)) {
      const candidates = of(round);
      if (candidates.length > 0) found.set(round.point, [...new Set(candidates)]);
    }
  return found;
}

function roundThroughCalls(head: Cutpoint, system: TransitionSystem): LoopRound | undefined {
  const isOnTheWay = reachesBackTo(head, system);
  let after: ReadonlyMap<Term, Term> = new Map(system.vocabulary.symbolsFor(head.fn).map((symbol) => [symbol, symbol]));
  const guards: Term[] = [];
  const through: Cutpoint[] = [];
  for (let at = head, steps = 0; steps === 0 || at !== head; steps++) {
    const ways = byPoint(system)
      .leaving(at)
      .flatMap(({ ends }) => ends.filter((end) => isOnTheWay.has(end.point)));
    const [end, ...others] = ways;
    if (!end || others.length > 0 || steps === limits.steps) return undefined;
    const made = system.vocabulary.binding(head.fn, end.state);
    const [guard, ...values] = substituteAll([end.guard, ...made.values()], after);
    guards.push(guard!);
    after = new Map([...made.keys()].map((symbol, i) => [symbol, values[i]!]));
    if (end.point === head && steps === 0) return undefined; // a round of one segment
    if (end.point === head) {
      const round = { ...end, guard: L.and(...guards) };
      const counters = countersOf(head, after, system);
      return {
        point: head,
        through,
        end: round,
        after,
        counters,
        places: placesIn([round.guard, ...after.values()], system),
      };
    }
    through.push((at = end.point));
  }
  return undefined;
}

/** The head, and the calls between two visits of it; behind the loop, none leads back without another head. */
function reachesBackTo(head: Cutpoint, ways: Ways): ReadonlySet<Cutpoint> {
  const { leaving, arriving } = byPoint(ways);
  const found = new Set([head]);
  // A set is gone through with what is added on the way.
  for (const at of found)
    for (const { from } of arriving(at))
      if (from && from.fn === head.fn && from.kind !== 'loop' && from.kind !== 'entry') found.add(from);
  const reached = new Set([head]);
  for (const at of reached)
    for (const { ends } of leaving(at)) for (const { point } of ends) if (found.has(point)) reached.add(point);
  return reached;
}

interface ByPoint {
  readonly leaving: (point: Cutpoint) => readonly Transition[];
  readonly arriving: (point: Cutpoint) => readonly Transition[];
}

const indices = new WeakMap<readonly Transition[], ByPoint>();

/** The transitions from and to a point, of which a large program has few. */
function byPoint({ transitions }: Pick<Ways, 'transitions'>): ByPoint {
  const known = indices.get(transitions);
  if (known) return known;
  const [leaving, arriving] = [new Map<Cutpoint, Transition[]>(), new Map<Cutpoint, Transition[]>()];
  const add = (map: Map<Cutpoint, Transition[]>, point: Cutpoint, transition: Transition): void => {
    const others = map.get(point);
    if (others) others.push(transition);
    else map.set(point, [transition]);
  };
  for (const transition of transitions) {
    if (transition.from) add(leaving, transition.from, transition);
    for (const point of new Set(transition.ends.map((end) => end.point))) add(arriving, point, transition);
  }
  const made = {
    leaving: (point: Cutpoint) => leaving.get(point) ?? [],
    arriving: (point: Cutpoint) => arriving.get(point) ?? [],
  };
  indices.set(transitions, made);
  return made;
}

function countersOf(point: Cutpoint, after: ReadonlyMap<Term, Term>, system: TransitionSystem): readonly Counter[] {
  return [...after].flatMap(([symbol, value]): readonly Counter[] => {
    if (symbol.kind !== 'symbol' || symbol.sort.kind !== 'bits' || value === symbol) return [];
    const step = stepOf(symbol, value, symbol.sort.width);
    const isConditional = L.isApplication(value, 'ite');
    const meaning = system.vocabulary.meaning(symbol);
    if (step === undefined || meaning?.kind !== 'variable') return [];
    const { type } = meaning.variable;
    const signed = type.kind !== 'integer' || type.signed;
    return [{ symbol, signed, step, isConditional, start: startOf(symbol, point, system) }];
  });
}

/** The number that a round adds: always, or in the rounds in which it adds anything. */
function stepOf(symbol: Term, value: Term, width: number): bigint | undefined {
  if (L.isApplication(value, 'ite')) {
    const [, then, otherwise] = value.args as readonly [Term, Term, Term];
    if (then === symbol) return stepOf(symbol, otherwise, width);
    if (otherwise === symbol) return stepOf(symbol, then, width);
    const [a, b] = [stepOf(symbol, then, width), stepOf(symbol, otherwise, width)];
    return a === b ? a : undefined;
  }
  const { monomials, constant } = linearOf(L.sub(value, symbol));
  return monomials.length === 0 && constant !== 0n ? BigInt.asIntN(width, constant) : undefined;
}

type Ways = Pick<TransitionSystem, 'vocabulary' | 'transitions'>;

/**
 * The value with which the loop is entered, if it is one, and one that the loop's states can mention. A number that was
 * set before an earlier loop or call counts.
 */
export function startOf(symbol: SymbolTerm, point: Cutpoint, system: Ways): Term | undefined {
  const inside = reachesBackTo(point, system);
  const values = new Set(
    byPoint(system)
      .arriving(point)
      .flatMap(({ from, ends }) =>
        from && inside.has(from)
          ? []
          : ends.flatMap((end) =>
              end.point === point ? [system.vocabulary.valueIn(symbol, point.fn, end.state)!] : [],
            ),
      ),
  );
  const [value, ...others] = values;
  if (value === undefined || others.length > 0) return undefined;
  if (value === symbol) return numberBefore(symbol, point, system) ?? value;
  const known = new Set<Term>(system.vocabulary.symbolsFor(point.fn));
  return [...symbolsOf(value)].every((one) => known.has(one)) ? value : undefined;
}

function numberBefore(symbol: SymbolTerm, point: Cutpoint, system: Ways): Term | undefined {
  if (symbol.sort.kind !== 'bits') return undefined;
  const { low, high } = startsBetween(symbol, point, system, 'signed');
  return low !== undefined && low === high
    ? L.bits(BigInt.asUintN(symbol.sort.width, low), symbol.sort.width)
    : undefined;
}

/**
 * Numeric bounds of the loop's first value of a variable, or of a number in memory, as far as the conditions on the way
 * tell: the way from the last assignment before it, perhaps past other loops and calls, which leave it as it is.
 */
export function startsBetween(
  number: Term,
  point: Cutpoint,
  { vocabulary, transitions }: Ways,
  signedness: L.Signedness,
): { readonly low?: bigint; readonly high?: bigint } {
  const all = wordRange(signedness, L.widthOf(number));
  const inside = reachesBackTo(point, { vocabulary, transitions });
  const known = new Map<Cutpoint, Interval | undefined>();
  /** Undefined: only points lead there that are being looked at. */
  const at = (place: Cutpoint): Interval | undefined => {
    if (known.has(place)) return known.get(place);
    known.set(place, undefined);
    let bounds: Interval | undefined;
    for (const { from, axioms, ends } of byPoint({ transitions }).arriving(place)) {
      if (place === point && from && inside.has(from)) continue;
      for (const end of ends) {
        if (end.point !== place) continue;
        const value = substitute(number, vocabulary.binding(place.fn, end.state));
        const values = valuesRead(value);
        const intervals = intervalsUnder([...axioms, end.guard], values);
        let found = values.map((one) => intervals.of(one)[signedness]).reduce(intervalHull);
        if (value === number && from?.fn === place.fn) {
          const before = at(from);
          if (!before) continue;
          found = { low: max(found.low, before.low), high: min(found.high, before.high) };
        }
        bounds = bounds ? intervalHull(bounds, found) : found;
      }
    }
    known.set(place, bounds);
    return bounds;
  };
  const { low, high } = at(point) ?? all;
  return { ...(low > all.low && { low }), ...(high < all.high && { high }) };
}

const intervalHull = (a: Interval, b: Interval): Interval => ({ low: min(a.low, b.low), high: max(a.high, b.high) });

/** The word, or if it is read behind writes that may be elsewhere, each that it may be. */
function valuesRead(word: Term): readonly Term[] {
  if (!L.isApplication(word, 'select')) return [word];
  const [array, index] = word.args as readonly [Term, Term];
  if (!L.isApplication(array, 'store')) return [word];
  const [rest, , element] = array.args as readonly [Term, Term, Term];
  return [element, ...valuesRead(L.select(rest, index))];
}

/** Intervals of words where the conditions hold; what tables of constants hold is known, and what is `given`. */
export function intervalsUnder(
  conditions: readonly Term[],
  words: readonly Term[],
  given: ReadonlyMap<Term, WordBounds> = new Map(),
): WordIntervals {
  const known = new Map(given);
  for (const term of postOrder([...words, ...conditions])) {
    const bounds = L.isApplication(term, 'select') && term.sort.kind === 'bits' && elementsOf(term.args[0]!);
    if (bounds) known.set(term, bounds);
  }
  return new WordIntervals(assertedBounds(conditions.flatMap(impliedConjuncts), known));
}

/** Conjuncts, and what all cases of a disjunction have in common. */
function impliedConjuncts(condition: Term): readonly Term[] {
  return conjuncts(condition).flatMap((one) => {
    if (!L.isApplication(one, 'or')) return [one];
    const [first, ...others] = one.args.map((arg) => new Set(conjuncts(arg)));
    return [one, ...[...first!].filter((term) => others.every((other) => other.has(term)))];
  });
}

/** Bounds of a table never written; undefined for any other array. */
function elementsOf(array: Term): WordBounds | undefined {
  const found: bigint[] = [];
  let left = array;
  let width = 0;
  while (L.isApplication(left, 'store')) {
    const [rest, , element] = left.args as readonly [Term, Term, Term];
    if (element.kind !== 'bits') return undefined;
    width = L.widthOf(element);
    found.push(element.value);
    left = rest;
  }
  if (left.kind === 'symbol' || found.length === 0) return undefined;
  const signed = found.map((value) => BigInt.asIntN(width, value));
  return {
    signed: { low: min(...signed), high: max(...signed) },
    unsigned: { low: min(...found), high: max(...found) },
  };
}

/**
 * Bounds of the elements that a round reads, if all that earlier loops store in the array lies within bounds, or
 * `inMemory` knows the array.
 */
export function boundsOfElements(
  { point, after, end }: LoopRound,
  rounds: readonly LoopRound[],
  inMemory: (array: Term) => WordBounds | undefined,
): ReadonlyMap<Term, WordBounds> {
  const found = new Map<Term, WordBounds>();
  for (const read of postOrder([end.guard, ...after.values()])) {
    if (!L.isApplication(read, 'select') || read.sort.kind !== 'bits') continue;
    const [array] = read.args as readonly [Term];
    if (after.get(array) !== array) continue;
    const stored = rounds.flatMap((earlier) => {
      const value = earlier.after.get(array);
      if (earlier.point.location.index >= point.location.index || !value || value === array) return [];
      return storesIn(value).map((element) => intervalsUnder([earlier.end.guard], [element]).of(element));
    });
    const bounds = stored.length > 0 ? stored.reduce(hull) : inMemory(array);
    if (bounds) found.set(read, bounds);
  }
  return found;
}

function storesIn(array: Term): readonly Term[] {
  if (L.isApplication(array, 'store')) return [array.args[2]!, ...storesIn(array.args[0]!)];
  return L.isApplication(array, 'ite') ? array.args.slice(1).flatMap(storesIn) : [];
}

export const hull = (a: WordBounds, b: WordBounds): WordBounds => ({
  signed: intervalHull(a.signed, b.signed),
  unsigned: intervalHull(a.unsigned, b.unsigned),
});

/** Elements of the program's arrays that are read or written, or written alone. */
export function placesIn(
  terms: readonly Term[],
  { vocabulary }: TransitionSystem,
  how: 'accessed' | 'written' = 'accessed',
): readonly ElementPlace[] {
  const places = new Map<string, ElementPlace>();
  for (const term of postOrder([...terms])) {
    if (!L.isApplication(term, 'store') && !(how === 'accessed' && L.isApplication(term, 'select'))) continue;
    const array = baseOf(term.args[0]!);
    const meaning = array.kind === 'symbol' ? vocabulary.meaning(array) : undefined;
    if (meaning?.kind !== 'memory' || meaning.memory.role.kind !== 'slot') continue;
    const index = term.args[1]!;
    // A pointer that is known, or one of two, is no object's number beside an offset any more.
    const hasObject = meaning.memory.role.addressing === 'by-object-and-offset';
    const offset = hasObject ? L.extract(L.widthOf(index) / 2 - 1, 0, index) : index;
    places.set(`${array.id} ${offset.id}`, { array, offset });
  }
  return [...places.values()];
}

/** The array before it was written; one of them where that depends. */
export function baseOf(array: Term): Term {
  if (L.isApplication(array, 'store')) return baseOf(array.args[0]!);
  return L.isApplication(array, 'ite') ? baseOf(array.args[1]!) : array;
}

/** The counter's value in the round that accesses the place, if that is a number. */
export function numberAt(place: Term, { symbol }: Counter, offset: Term): Term | undefined {
  // One of them may be an object's number with a place in it, where both are known.
  if (L.widthOf(place) !== L.widthOf(offset)) return undefined;
  const { monomials, constant, width } = linearOf(L.sub(place, offset));
  const [only, ...others] = monomials;
  if (!only || others.length > 0 || !symbolsOf(only.atom).has(symbol)) return undefined;
  const [rest, coefficient] = [-BigInt.asIntN(width, constant), BigInt.asIntN(width, only.coefficient)];
  if (coefficient === 0n || rest % coefficient !== 0n) return undefined;
  const counterWidth = L.widthOf(symbol);
  return L.bits(BigInt.asUintN(counterWidth, rest / coefficient), counterWidth);
}
