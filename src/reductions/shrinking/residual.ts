/**
 * Residual runs of a loop: some of its rounds, in their order, the others left out (S. Kumar, A. Sanyal, R. Venkatesh,
 * P. Shah, "Property checking array programs using loop shrinking", TACAS 2018). A claim holds of the residual runs of
 * k rounds if any k rounds that are still to come, executed now, lead to a state in which it holds of each element
 * whose round is over or was among them.
 *
 * Departure: the paper asks by itself whether every violating run has a violating residual run of k rounds, and then
 * checks another program, the residual one. Here both are one invariant of the loop: the claim holds of its residual
 * runs of up to k rounds. The loop's entry establishes it exactly if the residual program is safe. A round keeps it
 * exactly if k rounds show what k + 1 do, which is the paper's condition for shrinking. After the last round no round
 * is to come, and it is the claim. So a proof is one of the program as it is, with an ordinary certificate.
 */
import { isFrom, multipleOf, roundsFor, split } from '../../abstraction/candidates/arrays/elementConditions';
import { type ElementPlace, numberAt, placesIn } from '../../abstraction/candidates/rounds/loopRounds';
import type { TransitionSystem } from '../../abstraction/transitionSystem/transitionSystem';
import * as L from '../../logic/build';
import { sizeOf, substituteAll, symbolsOf } from '../../logic/substitute';
import type { SymbolTerm, Term } from '../../logic/term';
import { type BoundNumber, boundSymbol, type LoopClaim, freeSymbols } from './claim';
import type { NumberedLoop } from './numberedLoop';
import { ResidualState } from './residualState';

const limits = {
  /** Nodes of a condition; larger ones make every query harder. */
  size: 500,
  /** Numbers bound in one condition. */
  numbers: 4,
} as const;

/** A claim of the states behind some rounds: a candidate at the loop's head. */
export interface ResidualClaim extends LoopClaim {
  /** Some element's round is over, which none is where the loop is entered. */
  readonly isOfRoundsOver: boolean;
}

/** The round that accesses the element of a bound number. */
interface Owned {
  readonly term: Term;
  readonly where: readonly Term[];
}

/** For each bound number the position of its round, from 1; 0: it is over; undefined: no round is its own. */
type Placement = readonly (number | undefined)[];

/** The claim behind any so many rounds that are to come. */
export function residualClaims(
  claim: LoopClaim,
  loop: NumberedLoop,
  rounds: number,
  system: TransitionSystem,
): readonly ResidualClaim[] {
  const numbers = new Set<Term>([loop.counter, ...loop.companions].map(({ symbol }) => symbol));
  const changed = [...freeSymbols(claim)].filter(
    (symbol) => (loop.after.get(symbol) ?? symbol) !== symbol && !(claim.asking && numbers.has(symbol)),
  );
  if (changed.length === 0 && rounds > 0) return [];
  if (changed.length === 0 && !claim.asking) return [{ ...claim, isOfRoundsOver: false }];
  const owned = [
    ...claim.bound.map((number) => ownedBy(number, claim, loop, system)),
    ...fixedParts(claim, loop, system),
  ];
  const isOfElements = owned.length > 0 && owned.every((own) => own !== undefined);
  const isElementwise = isOfElements && changed.every((symbol) => isArray(symbol, system));
  return placements(owned, rounds).flatMap((placement) => {
    // Rounds that write other elements than the claim's show nothing.
    const own = new Set(placement.filter((at) => at !== undefined && at > 0));
    return isElementwise && own.size < rounds ? [] : behind(claim, loop, owned, placement, rounds, system);
  });
}

function isArray(symbol: Term, { vocabulary }: TransitionSystem): boolean {
  return symbol.kind === 'symbol' && vocabulary.meaning(symbol)?.kind === 'memory';
}

function ownedBy(
  { symbol, signed }: BoundNumber,
  { body, asking }: LoopClaim,
  loop: NumberedLoop,
  system: TransitionSystem,
): Owned | undefined {
  if (asking?.symbol === symbol) return undefined;
  const ofOne = { bound: symbol, signed, from: undefined, step: 1n, body };
  const found = roundsFor(ofOne, loop, system).filter(({ counter }) => counter === loop.counter);
  if (found.length < 2) return found[0];
  // The round that accesses most of what the claim reads: it comes after those that access a part of it.
  const asked = placesIn([body], system).map(keyOf);
  const { length: among } = asked;
  const accessed = ({ term }: Owned): number => {
    const places = placesIn(substituteAll([...loop.after.values()], new Map([[loop.counter.symbol, term]])), system);
    const keys = new Set(places.map(keyOf));
    return among - asked.filter((key) => !keys.has(key)).length;
  };
  return found.reduce((best, one) => (accessed(one) > accessed(best) ? one : best));
}

const keyOf = ({ array, offset }: ElementPlace): string => `${array.id} ${offset.id}`;

/** Rounds that write an element at a known place which the claim reads. */
function fixedParts({ body }: LoopClaim, loop: NumberedLoop, system: TransitionSystem): readonly Owned[] {
  const written = placesIn([...loop.after.values()], system, 'written');
  const rounds = placesIn([body], system).flatMap(({ array, offset }) =>
    offset.kind !== 'bits'
      ? []
      : written.flatMap((place) => {
          const term = place.array === array ? numberAt(place.offset, loop.counter, offset) : undefined;
          return term ? [term] : [];
        }),
  );
  return [...new Set(rounds)].map((term) => ({ term, where: [] }));
}

const placements = (owned: readonly (Owned | undefined)[], rounds: number): readonly Placement[] =>
  owned.reduce<readonly Placement[]>(
    (all, own) =>
      own === undefined
        ? all.map((one) => [...one, undefined])
        : all.flatMap((one) => Array.from({ length: rounds + 1 }, (_, at) => [...one, at])),
    [[]],
  );

function behind(
  claim: LoopClaim,
  loop: NumberedLoop,
  owned: readonly (Owned | undefined)[],
  placement: Placement,
  rounds: number,
  system: TransitionSystem,
): readonly ResidualClaim[] {
  const { counter } = loop;
  const isOver = owned.flatMap((own, i) => (own && placement[i] === 0 ? [own.term] : []));
  const where = owned.flatMap((own, i) => (own && placement[i] !== undefined ? own.where : []));
  const bound = [...claim.bound];
  const order: Term[] = [];
  const state = new ResidualState(loop, system);
  const numbers: Term[] = [];
  let last: Term | undefined;
  const next = (number: Term): void => {
    order.push(
      last === undefined ? split(counter, number).toCome : isAfter(number, last, loop),
      ...multipleOf(L.sub(number, counter.symbol), counter.step),
    );
    last = number;
    numbers.push(number);
  };
  for (let at = 1; at <= rounds; at++) {
    const [own, ...same] = owned.flatMap((one, i) => (one && placement[i] === at ? [one.term] : []));
    order.push(...same.map((term) => L.eq(term, own!)));
    const number = own ?? boundSymbol(bound.length, counter.symbol.sort);
    if (!own) bound.push({ symbol: number as SymbolTerm, signed: counter.signed });
    next(number);
    order.push(...state.enters(number));
    state.execute(number);
  }
  if (bound.length > limits.numbers) return [];
  if (claim.asking) next(claim.asking.symbol);
  const [body, ...range] = state.valuesOf([claim.body, ...claim.range], claim.asking?.symbol);
  const make = (...over: readonly Term[]): ResidualClaim =>
    withoutIdle(
      {
        bound,
        range: [...range, ...where, ...order, ...over],
        body: body!,
        checks: claim.checks,
        isOfRoundsOver: isOver.length > 0,
      },
      numbers,
      loop,
    );
  if (body!.kind === 'boolean' || sizeOf(L.and(body!, ...range, ...order)) > limits.size) return [];
  const over = isOver.map((term) => split(counter, term).over);
  // Elements before the first round may have been seen to otherwise.
  const made = [make(...over)];
  if (isOver.length > 0 && counter.start) made.push(make(...over, ...isOver.map((term) => isFrom(counter, term))));
  return made.filter((one) => [...freeSymbols(one)].every((symbol) => loop.after.has(symbol)));
}

/**
 * A round of which the body says nothing is the one that follows, if there is any: it stands for all that might be
 * there, and no instance would be found for it.
 */
function withoutIdle(claim: ResidualClaim, numbers: readonly Term[], { counter }: NumberedLoop): ResidualClaim {
  const read = symbolsOf(claim.body);
  const width = L.widthOf(counter.symbol);
  const step = L.bits(BigInt.asUintN(width, counter.step), width);
  const values = new Map<Term, Term>();
  numbers.forEach((number, i) => {
    if (!claim.bound.some(({ symbol }) => symbol === number) || read.has(number as SymbolTerm)) return;
    const before = numbers[i - 1];
    values.set(number, before ? L.add(values.get(before) ?? before, step) : counter.symbol);
  });
  if (values.size === 0) return claim;
  return {
    ...claim,
    bound: claim.bound.filter(({ symbol }) => !values.has(symbol)),
    range: substituteAll(claim.range, values),
  };
}

function isAfter(number: Term, last: Term, { counter: { signed, step } }: NumberedLoop): Term {
  const below = signed ? L.slt : L.ult;
  return step > 0n ? below(last, number) : below(number, last);
}
