/**
 * Bounds of elements that the rounds of a loop add to, at whatever place: a histogram. As for a sum in a variable
 * (`accumulators.ts`), after k rounds that each add between `low` and `high` to one element or none, every element lies
 * between its start plus k times either, or the start itself. Which elements, is what checks say of the array.
 *
 *   for all k that checks read: start + low * rounds <= h[k] <= start + high * rounds
 */
import * as L from '../../../logic/build';
import { sizeOf, symbolsOf } from '../../../logic/substitute';
import type { Term } from '../../../logic/term';
import { postOrder } from '../../../logic/traverse';
import type { FunctionDefinition } from '../../../program/program';
import { max, min } from '../../../logic/bounds/wordRanges';
import { type Amount, amountOf, literal, sums, wide } from '../rounds/accumulators';
import { conjuncts } from '../../../semantics/symbolic/segment';
import type { Cutpoint } from '../../transitionSystem/cutpoint';
import type { TransitionSystem } from '../../transitionSystem/transitionSystem';
import { type Claim, claimsOf, rangeOf } from './elementConditions';
import { boundIn } from './sweptElements';
import { intervalsUnder, baseOf, type LoopRound, placesIn, roundsOf } from '../rounds/loopRounds';

const limits = {
  /** Claims of a function that are looked at, and starts of an element. */
  claims: 8,
  starts: 3,
  /** Nodes of a range. */
  size: 40,
} as const;

export function countedElements(system: TransitionSystem): ReadonlyMap<Cutpoint, readonly Term[]> {
  const found = new Map<Cutpoint, readonly Term[]>();
  const say = (point: Cutpoint, terms: readonly Term[]): void => {
    if (terms.length > 0) found.set(point, [...new Set([...(found.get(point) ?? []), ...terms])]);
  };
  for (const fn of system.functions) {
    const rounds = roundsOf(fn, system);
    const counting = rounds.filter((round) => addedIn(round).size > 0);
    if (counting.length === 0) continue;
    const claims = claimsOf(fn, system, rounds).slice(0, limits.claims);
    for (const round of counting) {
      const added = addedIn(round);
      const ofClaims = (array: Term, terms: (claim: Claim, starts: readonly bigint[]) => readonly Term[]) =>
        claims.flatMap(({ claim }) => terms(claim, startsOf(array, fn, system)));
      const bounds = [...added].flatMap(([array, amount]) =>
        ofClaims(array, (claim, starts) => boundsOf(array, amount, claim, round, starts, system)),
      );
      if (bounds.length > 0) say(round.point, [...bounds, ...boundsOfCounters(round)]);
      // The function's start, and loops before this one, may leave the elements as they were.
      for (const array of added.keys()) {
        const untouched = ofClaims(array, (claim, starts) => elementsAre(array, claim, starts, system));
        for (const { point, after } of rounds)
          if (point.location.index < round.point.location.index && after.get(array) === array) say(point, untouched);
        const isOfArray = (term: Term): boolean => [...symbolsOf(term)].every((symbol) => symbol === array);
        for (const point of system.points)
          if (point.fn === fn && point.kind === 'entry') say(point, untouched.filter(isOfArray));
      }
    }
  }
  return found;
}

/** Between the start and the bound of the loop's condition. */
const boundsOfCounters = ({ counters, end }: LoopRound): readonly Term[] =>
  counters.flatMap(({ symbol, start, step, signed }) => {
    if (start === undefined || step < 0n || !signed) return [];
    const bounds = conjuncts(end.guard).flatMap((condition) => boundIn(condition, symbol) ?? []);
    return [L.sle(start, symbol), ...bounds.map((bound) => L.sle(symbol, bound))];
  });

/** Arrays of which a round changes one element at most, by an amount within bounds, with those and 0. */
function addedIn({ after, end }: LoopRound): ReadonlyMap<Term, Amount> {
  const found = new Map<Term, Amount>();
  for (const [array, value] of after) {
    if (value === array || value.sort.kind !== 'array' || value.sort.element.kind !== 'bits') continue;
    const store = L.isApplication(value, 'ite')
      ? value.args.find((side) => side !== array && L.isApplication(side, 'store'))
      : value;
    if (!store || !L.isApplication(store, 'store') || store.args[0] !== array) continue;
    if (L.isApplication(value, 'ite') && !value.args.includes(array)) continue;
    const [, place, element] = store.args as readonly [Term, Term, Term];
    const within = intervalsUnder([end.guard], [element]);
    const amount = amountOf(L.select(array, place), element, within);
    if (amount) found.set(array, { low: min(amount.low, 0n), high: max(amount.high, 0n) });
  }
  return found;
}

/** Zero, and literals that are stored in the array. */
function startsOf(array: Term, fn: FunctionDefinition, system: TransitionSystem): readonly bigint[] {
  const starts = new Set([0n]);
  for (const { from, ends } of system.transitions)
    for (const { point, state } of from?.fn === fn ? ends : []) {
      const value = system.vocabulary.binding(point.fn, state).get(array);
      if (!value || !L.isApplication(value, 'store') || baseOf(value) !== array) continue;
      const element = value.args[2]!;
      if (element.kind === 'bits') starts.add(BigInt.asIntN(L.widthOf(element), element.value));
    }
  return [...starts].slice(0, limits.starts);
}

/** The elements that a claim reads, and their numbers' range. */
function readBy(
  claim: Claim,
  array: Term,
  system: TransitionSystem,
): { readonly read: Term; readonly range: Term } | undefined {
  const { bound, body } = claim;
  const parts = L.isApplication(body, 'or') ? body.args : [body];
  const outside = parts.filter((part) => placesIn([part], system).length === 0);
  const range = L.and(...rangeOf(claim), ...outside.map(L.not));
  const read = postOrder([body]).find(
    (one) => L.isApplication(one, 'select') && one.args[0] === array && symbolsOf(one).has(bound),
  );
  return read && sizeOf(range) <= limits.size ? { read, range } : undefined;
}

function elementsAre(array: Term, claim: Claim, starts: readonly bigint[], system: TransitionSystem): readonly Term[] {
  const of = readBy(claim, array, system);
  if (!of) return [];
  const width = L.widthOf(of.read);
  return starts.map((start) =>
    L.forall([claim.bound], L.implies(of.range, L.eq(of.read, L.bits(BigInt.asUintN(width, start), width)))),
  );
}

function boundsOf(
  array: Term,
  amount: Amount,
  claim: Claim,
  { counters }: LoopRound,
  starts: readonly bigint[],
  system: TransitionSystem,
): readonly Term[] {
  const of = readBy(claim, array, system);
  if (!of) return [];
  return counters
    .filter(({ isConditional, start }) => !isConditional && start !== undefined)
    .flatMap((counter) =>
      ([true, false] as const).flatMap((signed) => {
        const [least, most] = sums(wide(of.read, { signed }), amount, counter);
        return starts.map((start) =>
          L.forall([claim.bound], L.implies(of.range, L.and(least(literal(start)), most(literal(start))))),
        );
      }),
    )
    .filter(({ kind }) => kind === 'forall');
}
