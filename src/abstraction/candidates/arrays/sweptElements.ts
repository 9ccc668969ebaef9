/**
 * Conditions of all elements that two nested loops have swept over, row after row: a table is one array, and the rounds
 * that are over have written all of it before the place of the next round. With one bound number for the place, the
 * condition of a table of two dimensions is no harder than that of an array (`elementConditions.ts`, whose claims about
 * one counter at a time say nothing of the rows before).
 *
 *   for all places o before 40 i + 4 j, a whole number of elements from the first: p(o)
 */
import * as L from '../../../logic/build';
import { linearOf } from '../../../logic/words/linear';
import { substitute, symbolsOf, sizeOf } from '../../../logic/substitute';
import type { SymbolTerm, Term } from '../../../logic/term';
import type { FunctionDefinition } from '../../../program/program';
import { conjuncts } from '../../../semantics/symbolic/segment';
import type { Cutpoint } from '../../transitionSystem/cutpoint';
import type { Transition, TransitionEnd, TransitionSystem } from '../../transitionSystem/transitionSystem';
import { type ElementPlace, type LoopRound, placesIn, roundsOf, startOf } from '../rounds/loopRounds';

const limits = {
  /** Claims of a function, and nodes of one. */
  claims: 4,
  size: 40,
} as const;

/** A counter of a loop that goes up from its start to a bound. */
interface Range {
  readonly symbol: SymbolTerm;
  readonly start: Term;
  readonly bound: Term;
}

/** A loop in a loop: `row` counts in the outer one, `column` in the inner. */
interface Nest {
  readonly outer: Cutpoint;
  readonly inner: LoopRound;
  readonly row: Range;
  readonly column: Range;
}

/** The condition of an element: `body` mentions the place `bound`. */
interface Claim {
  readonly array: Term;
  readonly bound: SymbolTerm;
  readonly body: Term;
}

export function sweptElements(system: TransitionSystem): ReadonlyMap<Cutpoint, readonly Term[]> {
  const found = new Map<Cutpoint, Set<Term>>();
  for (const fn of system.functions) {
    const nests = nestsOf(fn, system);
    if (nests.length === 0) continue;
    const claims = claimsOf(fn, system).slice(0, limits.claims);
    if (claims.length === 0) continue;
    const points = system.points.filter((point) => point.fn === fn && point.kind === 'loop');
    const say = (point: Cutpoint, candidate: Term): void => {
      if (candidate.kind === 'boolean') return;
      found.set(point, (found.get(point) ?? new Set()).add(candidate));
    };
    for (const { outer, inner, row, column } of nests) {
      for (const candidate of within(row)) say(outer, candidate);
      // Inside, the round of the row has begun.
      for (const candidate of [L.slt(row.symbol, row.bound), L.sle(row.start, row.symbol), ...within(column)])
        say(inner.point, candidate);
    }
    for (const nest of nests)
      for (const claim of claims)
        for (const place of writtenBy(nest.inner, claim, system)) sweep(nest, claim, place, points, say);
  }
  return new Map([...found].map(([point, terms]) => [point, [...terms]]));
}

const within = ({ symbol, start, bound }: Range): readonly Term[] => [L.sle(start, symbol), L.sle(symbol, bound)];

function nestsOf(fn: FunctionDefinition, system: TransitionSystem): readonly Nest[] {
  return roundsOf(fn, system).flatMap((inner) =>
    system.points.flatMap((outer) => {
      if (outer.fn !== fn || outer.kind !== 'loop' || outer === inner.point) return [];
      const entering = endsBetween(outer, inner.point, system);
      const leaving = endsBetween(inner.point, outer, system);
      if (entering.length !== 1 || leaving.length !== 1) return [];
      const after = system.vocabulary.binding(fn, leaving[0]!.state);
      const column = inner.counters
        .filter(({ isConditional, step, signed }) => !isConditional && signed && step === 1n)
        .flatMap((counter) => rangeOf(counter.symbol, counter.start, inner.end.guard, inner.after))[0];
      const row = [...after]
        .filter(([symbol, value]) => inner.after.get(symbol) === symbol && isNext(symbol, value))
        .flatMap(([symbol]) =>
          rangeOf(symbol as SymbolTerm, enteredWith(symbol as SymbolTerm, outer, system), entering[0]!.guard, after),
        )[0];
      return column && row ? [{ outer, inner, row, column }] : [];
    }),
  );
}

function endsBetween(from: Cutpoint, to: Cutpoint, system: TransitionSystem): readonly TransitionEnd[] {
  const isSegment = (transition: Transition): boolean => transition.kind === 'segment' && transition.from === from;
  return system.transitions.filter(isSegment).flatMap(({ ends }) => ends.filter(({ point }) => point === to));
}

function isNext(symbol: Term, value: Term): boolean {
  if (symbol.sort.kind !== 'bits' || value === symbol) return false;
  const { monomials, constant } = linearOf(L.sub(value, symbol));
  return monomials.length === 0 && constant === 1n;
}

/** The value with which the outer loop is entered. */
function enteredWith(
  symbol: SymbolTerm,
  outer: Cutpoint,
  { vocabulary, transitions }: TransitionSystem,
): Term | undefined {
  const before = transitions.filter(({ from }) => !from || from.location.index < outer.location.index);
  return startOf(symbol, outer, { vocabulary, transitions: before });
}

/** With the bound that the loop's condition has, if rounds leave it as it is. */
function rangeOf(
  symbol: SymbolTerm,
  start: Term | undefined,
  guard: Term,
  after: ReadonlyMap<Term, Term>,
): readonly Range[] {
  if (start === undefined) return [];
  return conjuncts(guard).flatMap((condition) => {
    const bound = boundIn(condition, symbol);
    return bound && [...symbolsOf(bound)].every((one) => after.get(one) === one) ? [{ symbol, start, bound }] : [];
  });
}

/** The least number that the condition says the symbol is below. */
export function boundIn(condition: Term, symbol: SymbolTerm): Term | undefined {
  const one = L.bits(1n, L.widthOf(symbol));
  if (L.isApplication(condition, 'signed-less') && condition.args[0] === symbol) return condition.args[1];
  if (L.isApplication(condition, 'signed-less-equal') && condition.args[0] === symbol)
    return L.add(condition.args[1]!, one);
  if (!L.isApplication(condition, 'not')) return undefined;
  const [less] = condition.args;
  if (L.isApplication(less!, 'signed-less') && less.args[1] === symbol) return L.add(less.args[0]!, one);
  if (L.isApplication(less!, 'signed-less-equal') && less.args[1] === symbol) return less.args[0];
  return undefined;
}

/** Conditions that checks ask of one element of an array, said of the element at any place. */
function claimsOf(fn: FunctionDefinition, system: TransitionSystem): readonly Claim[] {
  const claims = new Map<string, Claim>();
  const known = new Set<Term>(system.vocabulary.symbolsFor(fn));
  for (const { from, segment } of system.transitions) {
    if (!segment || from?.fn !== fn) continue;
    for (const { guard, condition } of segment.obligations) {
      const asked = [...conjuncts(guard).map(L.not), condition].filter((part) => placesIn([part], system).length > 0);
      const body = L.or(...asked);
      const [place, ...others] = placesIn([body], system);
      if (!place || others.length > 0 || sizeOf(body) > limits.size) continue;
      const bound = L.symbol('?o', place.offset.sort);
      const claim = { array: place.array, bound, body: substitute(body, new Map([[place.offset, bound]])) };
      const isOfPlace = [...symbolsOf(place.offset)].some((symbol) => symbolsOf(claim.body).has(symbol));
      const isOfState = [...symbolsOf(claim.body)].every((symbol) => symbol === bound || known.has(symbol));
      if (isOfState && !isOfPlace && claim.body !== body) claims.set(`${claim.array.id} ${claim.body.id}`, claim);
    }
  }
  return [...claims.values()];
}

/** Places that a round of the inner loop writes, and no other round. */
function writtenBy({ after }: LoopRound, { array }: Claim, system: TransitionSystem): readonly ElementPlace[] {
  const value = after.get(array);
  if (value === undefined) return [];
  return placesIn([value], system, 'written').filter((place) => place.array === array);
}

function sweep(
  { outer, inner, row, column }: Nest,
  { bound, body }: Claim,
  { offset }: ElementPlace,
  points: readonly Cutpoint[],
  say: (point: Cutpoint, candidate: Term) => void,
): void {
  const at = (i: Term, j: Term): Term =>
    substitute(
      offset,
      new Map([
        [row.symbol, i],
        [column.symbol, j],
      ]),
    );
  const first = at(row.start, column.start);
  const before = (end: Term): Term =>
    L.forall(
      [bound],
      L.implies(L.and(L.sle(first, bound), L.slt(bound, end), ...wholeElements(L.sub(bound, first), offset)), body),
    );
  say(inner.point, before(offset));
  say(outer, before(at(row.symbol, column.start)));
  const all = before(at(row.bound, column.start));
  for (const point of points) if (point !== outer && point !== inner.point) say(point, all);
}

/** That it is a whole number of elements, where they are as long as a power of two. */
function wholeElements(distance: Term, offset: Term): readonly Term[] {
  const width = L.widthOf(offset);
  const { monomials } = linearOf(offset);
  const gcd = monomials.map(({ coefficient }) => BigInt.asUintN(width, coefficient)).reduce(greatest, 0n);
  const unit = gcd & -gcd;
  return unit <= 1n ? [] : [L.eq(L.bitAnd(distance, L.bits(unit - 1n, width)), L.bits(0n, width))];
}

function greatest(a: bigint, b: bigint): bigint {
  return b === 0n ? a : greatest(b, a % b);
}
