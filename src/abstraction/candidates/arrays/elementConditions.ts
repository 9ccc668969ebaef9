/**
 * Conditions that a program asks of an element of an array, carried backward through the loops before: candidates for
 * invariants about all elements, read off the program. They cost no execution, so they are the same for an array of
 * ten elements and of a hundred million (full-program induction, Chakraborty, Gupta, Unadkat, "Verifying array
 * programs by transforming verification conditions", VMCAI 2014, uses the same range at each loop; here Houdini
 * judges).
 *
 * A check that reads an element by a number k is a claim p(k). At the head of a loop before it whose round with the
 * counter at j = s(k) writes or reads that element:
 *
 *   for all k whose round is over: p(k)
 *   for all k whose round is to come: q(k), which is p(k) after that round
 *
 * and q is what the loops before that one have to establish.
 */
import * as L from '../../../logic/build';
import { assertedBounds } from '../../../logic/bounds/assertedBounds';
import { withinBounds } from '../../../logic/bounds/withinBounds';
import { WordIntervals } from '../../../logic/bounds/wordIntervals';
import { linearOf } from '../../../logic/words/linear';
import { substitute, substituteAll, symbolsOf, sizeOf } from '../../../logic/substitute';
import type { SymbolTerm, Term } from '../../../logic/term';
import { postOrder } from '../../../logic/traverse';
import type { FunctionDefinition } from '../../../program/program';
import { conjuncts } from '../../../semantics/symbolic/segment';
import type { Cutpoint } from '../../transitionSystem/cutpoint';
import type { TransitionSystem } from '../../transitionSystem/transitionSystem';
import { positionsOf } from './elementsInVariables';
import { type Counter, type ElementPlace, type LoopRound, placesIn, roundsOf } from '../rounds/loopRounds';

const limits = {
  /** Claims of a function, and candidates at one of its points. */
  claims: 12,
  candidates: 24,
  /** Nodes of a claim; larger ones make every question harder. */
  size: 60,
  /** Numbers by which one claim is read as one of an element, and rounds that one may be of. */
  numbers: 3,
  rounds: 3,
} as const;

/** A condition of any element: `body` mentions `bound`, at least `from` and as far from it as rounds are apart. */
export interface Claim {
  readonly bound: SymbolTerm;
  readonly signed: boolean;
  readonly from: Term | undefined;
  readonly step: bigint;
  readonly body: Term;
}

/**
 * `of`: claims about an element may be of the round that writes it last, or of any round that accesses it. The first
 * are few, and suffice for most loops.
 */
export function elementConditions(
  system: TransitionSystem,
  of: 'last rounds' | 'all rounds' = 'all rounds',
): Map<Cutpoint, readonly Term[]> {
  const found = new Map<Cutpoint, Set<Term>>(system.points.map((point) => [point, new Set()]));
  for (const fn of system.functions) {
    const rounds = roundsOf(fn, system);
    for (const { point, counters } of rounds) {
      for (const { symbol, start, step } of counters)
        for (const candidate of start ? multipleOf(L.sub(symbol, start), step) : []) found.get(point)!.add(candidate);
    }
    const claims = claimsOf(fn, system, rounds);
    for (const { claim, at } of claims.slice(0, limits.claims)) carry(claim, at, rounds, system, found, of);
    for (const { claim, after } of storesOf(rounds, system)) keep(claim, after, rounds, system, found);
  }
  return new Map([...found].map(([point, terms]) => [point, [...terms].slice(0, limits.candidates)]));
}

/** The conditions that checks ask of one element, said of any. */
export function claimsOf(
  fn: FunctionDefinition,
  system: TransitionSystem,
  rounds: readonly LoopRound[],
): readonly { readonly claim: Claim; readonly at: Cutpoint }[] {
  const known = new Set<Term>(system.vocabulary.symbolsFor(fn));
  const positions = new Set<Term>(
    rounds.flatMap((round) => positionsOf(round, system)).map(({ variable }) => variable),
  );
  return system.transitions.flatMap((transition) => {
    const { from, segment } = transition;
    if (!segment || from?.fn !== fn) return [];
    return segment.obligations.flatMap(({ guard, condition }) => {
      const asked = L.implies(L.and(...conjuncts(guard).filter((part) => !asksOfObjects(part, system))), condition);
      const places = placesIn([asked], system);
      if (guard === L.FALSE || sizeOf(asked) > limits.size || places.length === 0) return [];
      const round = rounds.find(({ point }) => point === from);
      if (!tellsOfElements(asked, condition, round, system)) return [];
      const counters = round?.counters ?? [];
      const numbers = [...new Set(places.flatMap(({ offset }) => [...symbolsOf(offset)]))];
      if (numbers.length === 0)
        return places.flatMap((place) => atFixedPlace(asked, place, rounds).map((claim) => ({ claim, at: from })));
      // A loop has chosen its position: what is asked of the element there is not asked of others.
      const free = numbers.filter((symbol) => !positions.has(symbol));
      return (free.length > 0 ? free : numbers)
        .filter((symbol) => symbol.sort.kind === 'bits')
        .slice(0, limits.numbers)
        .flatMap((symbol) => {
          const counter = counters.find((one) => one.symbol === symbol);
          const claim = claimOf(asked, symbol, counter ?? unknownNumber);
          return symbolsIn(claim).every((one) => known.has(one)) ? [{ claim, at: from }] : [];
        });
    });
  });
}

/**
 * False of what holds whatever the element is, and of conditions that only a test of the element leads to, if they are
 * about objects or about a variable that the loop moves: of all elements they say nothing that a proof could use.
 */
function tellsOfElements(
  asked: Term,
  condition: Term,
  round: LoopRound | undefined,
  system: TransitionSystem,
): boolean {
  // A call that must not be reached: its test is what is asked.
  if (condition === L.FALSE) return true;
  if (isDecidedByBounds(asked)) return false;
  const isCounter = (symbol: Term): boolean => round?.counters.some((one) => one.symbol === symbol) === true;
  const others = [...symbolsOf(condition)].filter((symbol) => symbol.sort.kind !== 'array' && !isCounter(symbol));
  if (others.some((symbol) => (round?.after.get(symbol) ?? symbol) !== symbol)) return false;
  return placesIn([condition], system).length > 0 || (others.length > 0 && !asksOfObjects(condition, system));
}

/** True of an implication whose conclusion follows from bounds that its premises give, or that its words have. */
export function isDecidedByBounds(asked: Term): boolean {
  if (withinBounds([L.not(asked)], new Map()).terms.includes(L.FALSE)) return true;
  if (!L.isApplication(asked, 'or')) return false;
  return asked.args.some((part) => {
    const premises = asked.args.filter((other) => other !== part).map(L.not);
    const bounds = new WordIntervals(assertedBounds(premises, new Map()));
    return conjuncts(part).every((one) => one.kind === 'apply' && bounds.truth(one) === true);
  });
}

/** True of conditions on lifetimes and sizes of the objects accessed, which other checks are about. */
export function asksOfObjects(condition: Term, { vocabulary }: TransitionSystem): boolean {
  return [...symbolsOf(condition)].some((symbol) => {
    const meaning = vocabulary.meaning(symbol);
    return meaning?.kind === 'memory' && meaning.memory.role.kind !== 'slot';
  });
}

/** The cases of a claim that read elements. */
function ofElementsAlone(body: Term, system: TransitionSystem): Term {
  if (!L.isApplication(body, 'or')) return body;
  return L.or(...body.args.filter((part) => placesIn([part], system).length > 0));
}

/** The condition of an element at a place that is a number, as one of any element that has this number. */
function atFixedPlace(asked: Term, { array, offset }: ElementPlace, rounds: readonly LoopRound[]): readonly Claim[] {
  if (offset.kind !== 'bits' || array.sort.kind !== 'array' || array.sort.element.kind !== 'bits') return [];
  const bytes = BigInt(array.sort.element.width >> 3);
  const written = rounds.find(({ after }) => after.get(array) !== array);
  const [counter] = written?.counters ?? [];
  if (!counter || bytes === 0n || offset.value % bytes !== 0n) return [];
  const { symbol, signed } = counter;
  const number = L.bits(offset.value / bytes, L.widthOf(symbol));
  const bound = L.symbol('?k', symbol.sort);
  const width = L.widthOf(offset);
  const place = L.mul(L.bits(bytes, width), L.resize(bound, width, L.signednessOf({ signed })));
  const body = L.implies(L.eq(bound, number), substitute(asked, new Map([[offset, place]])));
  return [{ bound, signed, from: undefined, step: 1n, body }];
}

const unknownNumber = { signed: true, start: undefined, step: 1n } as const;

function claimOf(
  asked: Term,
  symbol: SymbolTerm,
  { signed, start, step }: Pick<Counter, 'signed' | 'start' | 'step'>,
): Claim {
  const bound = L.symbol('?k', symbol.sort);
  const from = start === undefined || symbolsOf(start).has(symbol) ? undefined : start;
  return { bound, signed, from, step, body: substitute(asked, new Map([[symbol, bound]])) };
}

const symbolsIn = ({ body, bound, from }: Claim): readonly Term[] =>
  [body, ...(from ? [from] : [])].flatMap((term) => [...symbolsOf(term)]).filter((symbol) => symbol !== bound);

/** Through the loops before the place where it is asked, the last one first. */
export function carry(
  first: Claim,
  at: Cutpoint,
  rounds: readonly LoopRound[],
  system: TransitionSystem,
  found: Map<Cutpoint, Set<Term>>,
  of: 'last rounds' | 'all rounds' = 'all rounds',
): void {
  const accessing = (claim: Claim, round: LoopRound): readonly RoundOfElement[] =>
    of === 'last rounds' ? lastRounds(claim, round, system) : roundsFor(claim, round, system).slice(0, limits.rounds);
  const say = (point: Cutpoint, claim: Claim, ...when: readonly Term[]): void => {
    const body = L.implies(L.and(...rangeOf(claim), ...when), claim.body);
    const candidate = L.forall([claim.bound], body);
    if (candidate.kind === 'forall' && sizeOf(candidate) <= 2 * limits.size) found.get(point)!.add(candidate);
  };
  let claims: readonly Claim[] = [first];
  let next = at;
  for (const round of rounds) {
    if (round.point.location.index > at.location.index) continue;
    const { point, after } = round;
    const earlier: Claim[] = [];
    const positions = positionsOf(round, system);
    const asked = rounds.find((one) => one.point === next);
    const conditions = next === point ? [] : entering(round, next, asked, system);
    for (const condition of conditions) found.get(next)!.add(condition);
    claims = claims.flatMap((claim) => beforeCode(claim, round, next, system));
    // A flag that the loop sets: what it tells of the rounds that are over.
    for (const condition of conditions.filter((one) => [...symbolsOf(one)].some((flag) => after.get(flag) !== flag)))
      for (const claim of claims.flatMap((one) => under(condition, one)))
        for (const { counter, term, where } of accessing(claim, round))
          say(point, claim, ...where, split(counter, term).over);
    next = point;
    for (const claim of claims) {
      const isKept = symbolsIn(claim).every((symbol) => (after.get(symbol) ?? symbol) === symbol);
      if (isKept) {
        say(point, claim);
        earlier.push(claim);
      }
      for (const { counter, term, where } of accessing(claim, round)) {
        const { over, toCome } = split(counter, term);
        // Elements before the first round may have been written by hand.
        say(point, claim, ...where, over);
        // A search that has found nothing yet has looked at all elements that it passed, whatever it will find.
        const passed = { ...claim, body: ofElementsAlone(claim.body, system) };
        if (passed.body !== claim.body && counter.start !== undefined)
          say(point, passed, ...where, isFrom(counter, term), over);
        if (counter.start !== undefined) say(point, claim, ...where, isFrom(counter, term), over);
        if (counter.isConditional) continue;
        if (isKept) {
          say(point, claim, ...where, toCome);
          continue;
        }
        const upNext = ofNextRound(claim, round, counter, term);
        if (upNext && sizeOf(upNext) <= 2 * limits.size) found.get(point)!.add(upNext);
        // The element at a position that this round may set is no element by number.
        if (positions.some(({ variable }) => symbolsOf(claim.body).has(variable))) continue;
        const before = atRound(claim, round, counter, term);
        // A variable that other rounds change has another value in that one.
        const isOfThatRound = symbolsIn(before).some((one) => one.sort.kind !== 'array' && after.get(one) !== one);
        if (isOfThatRound) continue;
        if (sizeOf(before.body) > limits.size || symbolsIn(before).some((symbol) => !after.has(symbol))) continue;
        say(point, before, ...where, toCome);
        say(point, before);
        earlier.push(before);
      }
    }
    claims = earlier.slice(0, limits.rounds);
  }
  // Whatever is asked of all elements before any loop is for the entry to establish.
  for (const point of system.points)
    if (point.fn === at.fn && point.kind === 'return') for (const claim of claims) say(point, claim);
}

/** The claim at the next point, said of the state in which the loop is left for it. */
function beforeCode(
  claim: Claim,
  { point, after }: LoopRound,
  next: Cutpoint,
  system: TransitionSystem,
): readonly Claim[] {
  if (point === next) return [claim];
  const [end, ...others] = system.transitions
    .filter(({ from }) => from === point)
    .flatMap(({ ends }) => ends.filter((one) => one.point === next));
  if (!end || others.length > 0) return [claim];
  const values = system.vocabulary.binding(next.fn, end.state);
  const isSame = symbolsIn(claim).every((symbol) => values.get(symbol) === symbol);
  if (isSame) return [claim];
  const [body, from] = substituteAll([claim.body, claim.from ?? claim.body], values) as [Term, Term];
  const before = { ...claim, body, from: claim.from && from };
  const isOfState = symbolsIn(before).every((symbol) => after.has(symbol));
  return isOfState && body.kind !== 'boolean' && sizeOf(body) <= limits.size ? [before] : [];
}

/**
 * Conditions that the code between two loops tests before it enters the second, in the words of both: variables that
 * neither that code nor the second loop changes.
 */
function entering(
  { point, counters, after }: LoopRound,
  next: Cutpoint,
  into: LoopRound | undefined,
  system: TransitionSystem,
): readonly Term[] {
  const [end, ...others] = system.transitions
    .filter(({ from }) => from === point)
    .flatMap(({ ends }) => ends.filter((one) => one.point === next));
  if (!end || others.length > 0 || !into) return [];
  const values = system.vocabulary.binding(next.fn, end.state);
  const isSteady = (symbol: Term): boolean =>
    after.has(symbol) && values.get(symbol) === symbol && into.after.get(symbol) === symbol;
  const isOfCounter = (symbol: Term): boolean => counters.some((counter) => counter.symbol === symbol);
  return conjuncts(end.guard)
    .filter((condition) => {
      const symbols = [...symbolsOf(condition)];
      return symbols.every((symbol) => isSteady(symbol) && !isOfCounter(symbol)) && sizeOf(condition) <= limits.size;
    })
    .filter((condition) => condition.kind !== 'boolean' && !asksOfObjects(condition, system))
    .slice(0, limits.numbers);
}

function under(condition: Term, claim: Claim): readonly Claim[] {
  const body = L.implies(condition, claim.body);
  return body.kind === 'boolean' || sizeOf(body) > limits.size ? [] : [{ ...claim, body }];
}

/** The claim about the element that the next round accesses, said of the state before it. */
function ofNextRound(claim: Claim, { after, end }: LoopRound, { symbol }: Counter, term: Term): Term | undefined {
  const { monomials, constant, width } = linearOf(term);
  const [only, ...others] = monomials;
  const isNumber = only?.atom === claim.bound && only.coefficient === 1n && others.length === 0;
  if (!isNumber || claim.bound.sort !== symbol.sort) return undefined;
  const number = L.sub(symbol, L.bits(constant, width));
  const isOfState = (condition: Term): boolean => [...symbolsOf(condition)].every((one) => after.has(one));
  const entered = conjuncts(end.guard).filter(isOfState);
  const range = substituteAll(rangeOf(claim), new Map([[claim.bound, number]]));
  const body = substitute(substitute(claim.body, after), new Map([[claim.bound, number]]));
  const candidate = L.implies(L.and(...entered, ...range), body);
  return candidate.kind !== 'boolean' && isOfState(candidate) ? candidate : undefined;
}

interface Stored {
  readonly claim: Claim;
  readonly after: LoopRound;
}

/** The contents that rounds leave in the elements they write, said of all rounds that are over. */
function storesOf(rounds: readonly LoopRound[], system: TransitionSystem): readonly Stored[] {
  return rounds.flatMap((round) => {
    const [counter] = round.counters.filter(({ isConditional }) => !isConditional);
    if (!counter) return [];
    const { symbol, signed, start, step } = counter;
    return [...round.after].flatMap(([array, value]): readonly Stored[] => {
      if (!L.isApplication(value, 'store')) return [];
      const [before, place, element] = value.args as readonly [Term, Term, Term];
      const isSteady = [...symbolsOf(element)].every((one) => one === symbol || round.after.get(one) === one);
      if (before !== array || !symbolsOf(place).has(symbol)) return [];
      const read = L.select(array, place);
      const conditions = isSteady ? [L.eq(read, element)] : propertiesOf(element, read);
      const width = L.widthOf(symbol);
      const second = start && L.add(start, L.bits(BigInt.asUintN(width, step), width));
      return [
        ...conditions.map((condition) => ({ condition, from: start })),
        // In the first round there may be no neighbour.
        ...ordersOfNeighbours(array, place, element, system).flatMap((condition) =>
          [start, second].map((from) => ({ condition, from })),
        ),
      ].map(({ condition, from }) => ({
        claim: claimOf(condition, symbol, { signed, start: from, step }),
        after: round,
      }));
    });
  });
}

/** Words of which the word is one, depending on conditions. */
const choicesOf = (word: Term): readonly Term[] =>
  L.isApplication(word, 'ite') ? word.args.slice(1).flatMap(choicesOf) : [word];

/** Orders of the element that a round writes and one that it takes instead of it, as far away in every round. */
function ordersOfNeighbours(
  array: Term,
  place: Term,
  element: Term,
  { vocabulary }: TransitionSystem,
): readonly Term[] {
  const meaning = array.kind === 'symbol' ? vocabulary.meaning(array) : undefined;
  if (meaning?.kind !== 'memory' || meaning.memory.role.kind !== 'slot') return [];
  const { slot } = meaning.memory.role;
  if (slot === 'byte' || slot.type.kind !== 'integer') return [];
  const atMost = slot.type.signed ? L.sle : L.ule;
  const isNeighbour = (read: Term): boolean => {
    if (!L.isApplication(read, 'select') || read.args[0] !== array || read.args[1]!.sort !== place.sort) return false;
    const { monomials, constant } = linearOf(L.sub(place, read.args[1]!));
    return monomials.length === 0 && constant !== 0n;
  };
  const own = L.select(array, place);
  return choicesOf(element)
    .filter(isNeighbour)
    .slice(0, 1)
    .flatMap((other) => [atMost(other, own), atMost(own, other)]);
}

/** Bounds of a word that is computed from inputs, and bits that are zero at its end, said of another one. */
function propertiesOf(word: Term, of: Term): readonly Term[] {
  if (word.sort.kind !== 'bits') return [];
  const { width } = word.sort;
  const { low, high } = new WordIntervals(new Map()).of(word).signed;
  const literal = (value: bigint): Term => L.bits(BigInt.asUintN(width, value), width);
  const half = 1n << BigInt(width - 1);
  const zeros = zerosAtEnd(word);
  return [
    ...(low > -half ? [L.sle(literal(low), of)] : []),
    ...(high < half - 1n ? [L.sle(of, literal(high))] : []),
    ...(zeros > 0 && zeros < width ? [L.eq(L.extract(zeros - 1, 0, of), L.bits(0n, zeros))] : []),
  ];
}

/** Number of bits at the end of a word that are zero by the way it is computed. */
function zerosAtEnd(word: Term): number {
  if (L.isApplication(word, 'concat')) {
    const last = word.args.at(-1)!;
    const zeros = zerosAtEnd(last);
    return zeros === L.widthOf(last) ? zeros + zerosAtEnd(word.args.at(-2)!) : zeros;
  }
  if (L.isApplication(word, 'ite')) return Math.min(zerosAtEnd(word.args[1]!), zerosAtEnd(word.args[2]!));
  const { width, constant, monomials } = linearOf(word);
  const twos = (value: bigint): number => {
    let count = 0;
    while (count < width && ((value >> BigInt(count)) & 1n) === 0n) count++;
    return count;
  };
  return monomials.length === 1 && monomials[0]!.atom === word
    ? 0
    : Math.min(width, twos(constant), ...monomials.map(({ coefficient }) => twos(coefficient)));
}

/** At the loop itself of the rounds that are over; at later ones of all its rounds. */
function keep(
  { bound, body, ...claim }: Claim,
  round: LoopRound,
  rounds: readonly LoopRound[],
  system: TransitionSystem,
  found: Map<Cutpoint, Set<Term>>,
): void {
  const { point, counters } = round;
  const [counter] = counters.filter(({ isConditional }) => !isConditional);
  const { over } = split(counter!, bound);
  const range = rangeOf({ bound, body, ...claim });
  found.get(point)!.add(L.forall([bound], L.implies(L.and(...range, over), body)));
  // The round of k was entered: the loop's condition held of k.
  const entered = substitute(enteredBy(round, counter!, system), new Map([[counter!.symbol, bound]]));
  for (const later of rounds) {
    if (later.point.location.index <= point.location.index) continue;
    const candidate = L.forall([bound], L.implies(L.and(...range, entered), body));
    if ([...symbolsOf(candidate)].every((symbol) => later.after.has(symbol))) found.get(later.point)!.add(candidate);
  }
}

/**
 * The condition under which a round begins. If it depends on inputs: what its number alone decides of it, which is the
 * opposite of what is known where the loop is left.
 */
function enteredBy({ point, end, after }: LoopRound, { symbol }: Counter, { transitions }: TransitionSystem): Term {
  if ([...symbolsOf(end.guard)].every((one) => after.has(one))) return end.guard;
  const isOfNumber = (part: Term): boolean => {
    const symbols = [...symbolsOf(part)];
    return symbols.includes(symbol) && symbols.every((one) => one === symbol || after.get(one) === one);
  };
  const leaving = transitions
    .filter(({ from, kind }) => from === point && kind === 'segment')
    .flatMap(({ ends }) => ends.filter((other) => other.point !== point).flatMap(({ guard }) => conjuncts(guard)));
  return L.and(...conjuncts(end.guard).filter(isOfNumber), ...leaving.filter(isOfNumber).map(L.not));
}

/** The numbers that it is a claim about. */
export function rangeOf({ bound, from, signed, step }: Claim): readonly Term[] {
  if (from === undefined) return [];
  const atLeast = signed ? L.sle : L.ule;
  const inRange = step < 0n ? atLeast(bound, from) : atLeast(from, bound);
  return [inRange, ...multipleOf(L.sub(bound, from), step)];
}

/** That it is a whole number of steps, where that can be read off its bits. */
export function multipleOf(distance: Term, step: bigint): readonly Term[] {
  const apart = step < 0n ? -step : step;
  if (apart === 1n || (apart & (apart - 1n)) !== 0n) return [];
  const width = L.widthOf(distance);
  return [L.eq(L.bitAnd(distance, L.bits(apart - 1n, width)), L.bits(0n, width))];
}

/** A round as the counter's value there. */
export interface RoundOfElement {
  readonly counter: Counter;
  readonly term: Term;
  readonly where: readonly Term[];
}

/** The rounds of a loop that read or write what the claim reads of element k. */
export function roundsFor(
  claim: Claim,
  { counters, places }: LoopRound,
  system: TransitionSystem,
): readonly RoundOfElement[] {
  const asked = placesIn([claim.body], system).filter(({ offset }) => symbolsOf(offset).has(claim.bound));
  const found = new Map<string, RoundOfElement>();
  for (const counter of counters) {
    for (const place of places) {
      if (!symbolsOf(place.offset).has(counter.symbol)) continue;
      for (const of of asked) {
        const solved = of.array === place.array ? solve(place.offset, counter, of.offset, claim) : undefined;
        if (solved) found.set(`${counter.symbol.id} ${solved.term.id}`, { counter, ...solved });
      }
    }
  }
  return [...found.values()];
}

/**
 * For each counter the round behind which the loop writes no element of the claim any more. If it writes none, the one
 * behind which it reads none.
 */
function lastRounds(claim: Claim, round: LoopRound, system: TransitionSystem): readonly RoundOfElement[] {
  const written = round.places.filter(({ array, offset }) =>
    postOrder([round.after.get(array) ?? array]).some(
      (part) => L.isApplication(part, 'store') && part.args[1] === offset,
    ),
  );
  const writing = roundsFor(claim, { ...round, places: written }, system);
  const last = new Map<Counter, RoundOfElement>();
  for (const one of writing.length > 0 ? writing : roundsFor(claim, round, system)) {
    const { counter, term } = one;
    const other = last.get(counter);
    const { monomials, constant, width } = linearOf(L.sub(term, other?.term ?? term));
    const isLater = monomials.length === 0 && BigInt.asIntN(width, constant) * counter.step > 0n;
    if (!other || isLater) last.set(counter, one);
  }
  return [...last.values()];
}

interface Solution {
  readonly term: Term;
  readonly where: readonly Term[];
}

/** The counter's value for which the one place is the other: a j + b = c k + d with constants, and a that divides. */
function solve(place: Term, counter: Counter, of: Term, claim: Claim): Solution | undefined {
  const [own, other] = [monomialOf(place, counter.symbol), monomialOf(of, claim.bound)];
  if (!own || !other) return undefined;
  const width = L.widthOf(place);
  const [a, c] = [own, other].map(({ coefficient }) => BigInt.asIntN(width, coefficient)) as [bigint, bigint];
  const rest = linearOf(L.sub(other.rest, own.rest));
  if (rest.monomials.length > 0) return undefined;
  const d = BigInt.asIntN(width, rest.constant);
  const counterWidth = L.widthOf(counter.symbol);
  const number = L.resize(claim.bound, counterWidth, L.signednessOf(claim));
  const literal = (value: bigint): Term => L.bits(BigInt.asUintN(counterWidth, value), counterWidth);
  if (c % a === 0n && d % a === 0n) {
    const term = L.add(L.mul(literal(c / a), number), literal(d / a));
    return { term, where: counter.start ? multipleOf(L.sub(term, counter.start), counter.step) : [] };
  }
  // A pointer walks over what is read by index: the element begins where a whole one does.
  const ratio = a / c;
  const isPower = ratio > 0n && (ratio & (ratio - 1n)) === 0n;
  if (a % c !== 0n || d !== 0n || !isPower) return undefined;
  const term = L.ashr(number, literal(BigInt(ratio.toString(2).length - 1)));
  return { term, where: multipleOf(number, ratio) };
}

/** The place as coefficient * (the number, in whatever width) + rest. */
function monomialOf(place: Term, number: Term): { readonly coefficient: bigint; readonly rest: Term } | undefined {
  const { width, monomials } = linearOf(place);
  const [own, ...others] = monomials.filter(({ atom }) => symbolsOf(atom).has(number as SymbolTerm));
  if (!own || others.length > 0 || !isResized(own.atom, number)) return undefined;
  const rest = L.sub(place, L.mul(L.bits(own.coefficient, width), own.atom));
  return { coefficient: own.coefficient, rest };
}

function isResized(atom: Term, number: Term): boolean {
  if (atom === number) return true;
  return (
    (L.isApplication(atom, 'extract') || L.isApplication(atom, 'sign-extend') || L.isApplication(atom, 'concat')) &&
    atom.args.at(-1) === number
  );
}

/** The conditions that the round with the counter at `term` is over, and that it is to come. */
export function split({ symbol, signed, step }: Counter, term: Term): { readonly over: Term; readonly toCome: Term } {
  const [atMost, below] = signed ? [L.sle, L.slt] : [L.ule, L.ult];
  return step > 0n
    ? { over: below(term, symbol), toCome: atMost(symbol, term) }
    : { over: below(symbol, term), toCome: atMost(term, symbol) };
}

/** That the round with the counter at `term` is no earlier than the first. */
export function isFrom({ start, signed, step }: Counter, term: Term): Term {
  const atMost = signed ? L.sle : L.ule;
  return step > 0n ? atMost(start!, term) : atMost(term, start!);
}

/** The claim after the round with the counter at `term`, said of the state before it. */
function atRound(claim: Claim, { after }: LoopRound, { symbol }: Counter, term: Term): Claim {
  const body = substitute(substitute(claim.body, after), new Map([[symbol, term]]));
  return { ...claim, body };
}
