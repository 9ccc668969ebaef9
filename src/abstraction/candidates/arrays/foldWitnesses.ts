/**
 * Witnesses of folds: a loop that takes an element into a variable, as a search for the least one does, or that sets a
 * flag at one, makes a condition of variables true at some element. A check of variables alone, c, is then a claim
 * about elements, carried backward through the loops before, as the conditions of all elements are
 * (`elementConditions.ts`):
 *
 *   c, or for some k whose round is to come: w(k), which is c after that round has taken its element
 *
 * The other half of what a fold leaves holds of every element: that none is smaller than the least one. If c is an
 * equation, one of its two inequations is such a claim.
 */
import * as L from '../../../logic/build';
import { sizeOf, substitute, symbolsOf } from '../../../logic/substitute';
import type { SymbolTerm, Term } from '../../../logic/term';
import type { FunctionDefinition } from '../../../program/program';
import { conjuncts } from '../../../semantics/symbolic/segment';
import type { Cutpoint } from '../../transitionSystem/cutpoint';
import type { TransitionSystem } from '../../transitionSystem/transitionSystem';
import { carry, roundsFor, split, type Claim } from './elementConditions';
import { type Counter, type ElementPlace, type LoopRound, numberAt, placesIn, roundsOf } from '../rounds/loopRounds';

const limits = {
  /** Claims of a function. */
  claims: 4,
  /** Nodes of one. */
  size: 60,
} as const;

/** `otherwise`, or for some number that is `within` a range: `body`. */
interface Witnessed extends Claim {
  readonly otherwise: Term;
  readonly within: Term;
}

/** A variable that rounds leave, or give a value: under a condition, one that a single round decides. */
interface Fold {
  readonly variable: SymbolTerm;
  readonly taken: Term;
  readonly when: Term;
}

export function foldWitnesses(system: TransitionSystem): ReadonlyMap<Cutpoint, readonly Term[]> {
  const found = new Map<Cutpoint, Set<Term>>(system.points.map((point) => [point, new Set()]));
  for (const fn of system.functions) {
    const rounds = roundsOf(fn, system);
    if (rounds.every((round) => foldsOf(round, system).length === 0)) continue;
    for (const { point, counters } of rounds) {
      for (const { symbol, start, signed, step } of counters) {
        const atMost = signed ? L.sle : L.ule;
        if (start) found.get(point)!.add(step > 0n ? atMost(start, symbol) : atMost(symbol, start));
      }
    }
    for (const { condition, round } of claimsOf(fn, system, rounds).slice(0, limits.claims)) {
      for (const fold of foldsOf(round, system))
        for (const half of halvesOf(condition, fold)) sayOfAll(half, round, fold, rounds, system, found);
      sayOfSome(condition, round, rounds, system, found);
    }
  }
  return new Map([...found].filter(([, { size }]) => size > 0).map(([point, terms]) => [point, [...terms]]));
}

/** Conditions of variables that a loop's end is followed by, with that loop. */
function claimsOf(
  fn: FunctionDefinition,
  system: TransitionSystem,
  rounds: readonly LoopRound[],
): readonly { readonly condition: Term; readonly round: LoopRound }[] {
  const known = new Set<Term>(system.vocabulary.symbolsFor(fn));
  const claims = new Map<Term, LoopRound>();
  for (const { from, segment } of system.transitions) {
    const round = rounds.find(({ point }) => point === from);
    if (!round || !segment) continue;
    const counters = new Set<Term>(round.counters.map(({ symbol }) => symbol));
    for (const { guard, condition } of segment.obligations) {
      const asked = L.implies(L.and(...conjuncts(guard).filter((part) => !mentions(part, counters))), condition);
      const isOfState = [...symbolsOf(asked)].every((symbol) => known.has(symbol));
      if (asked.kind === 'boolean' || !isOfState || sizeOf(asked) > limits.size) continue;
      if (placesIn([asked], system).length === 0) claims.set(asked, round);
    }
  }
  return [...claims].map(([condition, round]) => ({ condition, round }));
}

const mentions = (term: Term, symbols: ReadonlySet<Term>): boolean =>
  [...symbolsOf(term)].some((symbol) => symbols.has(symbol));

/**
 * The inequation, of the two in an equation of words, that must hold whatever the fold takes. A fold that takes smaller
 * numbers makes its variable small by itself; that it stays large enough is a claim about all elements.
 */
function halvesOf(condition: Term, { variable, taken, when }: Fold): readonly Term[] {
  if (!L.isApplication(condition, 'eq') || condition.args[0]!.sort.kind !== 'bits') return [condition];
  const [a, b] = condition.args as readonly [Term, Term];
  const other = a === variable ? b : b === variable ? a : undefined;
  return [L.sle, L.ule].flatMap((atMost) => {
    if (other === undefined) return [atMost(a, b), atMost(b, a)];
    const takesSmaller = when === L.not(atMost(variable, taken)) || when === atMost(taken, variable);
    const takesLarger = when === L.not(atMost(taken, variable)) || when === atMost(variable, taken);
    return [...(takesSmaller ? [atMost(other, variable)] : []), ...(takesLarger ? [atMost(variable, other)] : [])];
  });
}

/** The variables of a round that are taken from an element, or set by a test of one. */
function foldsOf({ after, counters }: LoopRound, system: TransitionSystem): readonly Fold[] {
  return [...after].flatMap(([variable, value]): readonly Fold[] => {
    if (variable.kind !== 'symbol' || !L.isApplication(value, 'ite')) return [];
    if (counters.some(({ symbol }) => symbol === variable)) return [];
    const [test, then, otherwise] = value.args as readonly [Term, Term, Term];
    const fold =
      otherwise === variable
        ? { variable, taken: then, when: test }
        : then === variable
          ? { variable, taken: otherwise, when: L.not(test) }
          : undefined;
    return fold && placesIn([fold.taken, fold.when], system).length > 0 ? [fold] : [];
  });
}

/** The counter that every round moves. */
const counterOf = ({ counters }: LoopRound): Counter | undefined =>
  counters.find(({ isConditional, start }) => !isConditional && start !== undefined);

/** The condition with the element that the round of `number` takes. */
function takenAt(condition: Term, { variable, taken, when }: Fold, system: TransitionSystem): Term {
  const after = substitute(condition, new Map([[variable, taken]]));
  return placesIn([taken], system).length > 0 ? after : L.and(when, after);
}

/** That whatever element a fold takes keeps the condition; and the condition itself, at the loops before as well. */
function sayOfAll(
  condition: Term,
  last: LoopRound,
  fold: Fold,
  rounds: readonly LoopRound[],
  system: TransitionSystem,
  found: Map<Cutpoint, Set<Term>>,
): void {
  let [before, later]: [Term, Cutpoint | undefined] = [condition, undefined];
  const known = new Set<Term>(system.vocabulary.symbolsFor(last.point.fn));
  for (const round of rounds.slice(rounds.indexOf(last))) {
    const { point, after } = round;
    const between: ReadonlyMap<Term, Term> | undefined = later ? bindingBetween(point, later, system) : new Map();
    if (!between) continue;
    before = substitute(before, between);
    if (before.kind === 'boolean' || [...symbolsOf(before)].some((symbol) => !known.has(symbol))) break;
    const element = ofOneElement(before, round, placesIn([...after.values()], system, 'written'), system);
    found.get(point)!.add(element?.now ?? before);
    before = element?.before ?? before;
    later = point;
  }
  const counter = counterOf(last);
  const kept = substitute(condition, new Map([[fold.variable, fold.taken]]));
  if (!counter || kept === condition || placesIn([fold.taken], system).length === 0) return;
  const bound = L.symbol('?k', counter.symbol.sort);
  const { signed, start: from, step } = counter;
  const body = substitute(L.implies(enteredIn(last, counter), kept), new Map([[counter.symbol, bound]]));
  carry({ bound, signed, from, step, body }, last.point, rounds, system, found);
}

/** The loop's condition, as far as a round's number decides it. */
function enteredIn({ end, after }: LoopRound, { symbol }: Counter): Term {
  const isSteady = (one: Term): boolean => one === symbol || after.get(one) === one;
  return L.and(...conjuncts(end.guard).filter((part) => [...symbolsOf(part)].every(isSteady)));
}

/** That an element is still to come, or was there, which makes the condition true. */
function sayOfSome(
  condition: Term,
  last: LoopRound,
  rounds: readonly LoopRound[],
  system: TransitionSystem,
  found: Map<Cutpoint, Set<Term>>,
): void {
  let claim: Witnessed | Term = condition;
  let later: Cutpoint | undefined;
  for (const round of rounds.slice(rounds.indexOf(last))) {
    const between = later ? bindingBetween(round.point, later, system) : new Map<Term, Term>();
    if (!between) continue;
    const known = new Set<Term>(system.vocabulary.symbolsFor(round.point.fn));
    const before = substituteClaim(claim, between);
    if (symbolsIn(before).some((symbol) => !known.has(symbol))) return;
    const next: Witnessed | Term | undefined =
      'otherwise' in before
        ? throughRound(before, round, system, say(round))
        : toCome(before, round, system, say(round));
    if (next === undefined) return;
    claim = next;
    later = round.point;
  }
  function say(round: LoopRound): (candidate: Term) => void {
    return (candidate) => {
      if (candidate.kind !== 'boolean' && sizeOf(candidate) <= 4 * limits.size) found.get(round.point)!.add(candidate);
    };
  }
}

const textOf = ({ otherwise, bound, within, body }: Witnessed, ...range: readonly Term[]): Term =>
  L.or(otherwise, L.exists([bound], L.and(within, ...range, body)));

function substituteClaim(claim: Witnessed | Term, values: ReadonlyMap<Term, Term>): Witnessed | Term {
  if (!('otherwise' in claim)) return substitute(claim, values);
  const [otherwise, within, body] = [claim.otherwise, claim.within, claim.body].map((term) => substitute(term, values));
  return { ...claim, otherwise: otherwise!, within: within!, body: body! };
}

function symbolsIn(claim: Witnessed | Term): readonly Term[] {
  if (!('otherwise' in claim)) return [...symbolsOf(claim)];
  return [claim.otherwise, claim.within, claim.body]
    .flatMap((term) => [...symbolsOf(term)])
    .filter((symbol) => symbol !== claim.bound);
}

/** The state in which one loop is left for another, by the values at its head. */
function bindingBetween(from: Cutpoint, to: Cutpoint, system: TransitionSystem): ReadonlyMap<Term, Term> | undefined {
  const ends = system.transitions
    .filter((transition) => transition.kind === 'segment' && transition.from === from)
    .flatMap((transition) => transition.ends.filter(({ point }) => point === to));
  return ends.length === 1 ? system.vocabulary.binding(from.fn, ends[0]!.state) : undefined;
}

/** At a loop that may make the condition true. */
function toCome(
  condition: Term,
  round: LoopRound,
  system: TransitionSystem,
  say: (candidate: Term) => void,
): Witnessed | Term | undefined {
  const changed = [...symbolsOf(condition)].filter((symbol) => round.after.get(symbol) !== symbol);
  if (changed.length === 0) {
    say(condition);
    return condition;
  }
  const fold = foldsOf(round, system).find(({ variable }) => changed.includes(variable));
  const counter = counterOf(round);
  if (!fold || !counter || changed.length > 1) return undefined;
  const bound = L.symbol('?k', counter.symbol.sort);
  const at = (term: Term): Term => substitute(term, new Map<Term, Term>([[counter.symbol, bound]]));
  const claim: Witnessed = {
    otherwise: condition,
    bound,
    signed: counter.signed,
    from: counter.start,
    step: counter.step,
    within: at(enteredIn(round, counter)),
    body: at(takenAt(condition, fold, system)),
  };
  say(textOf(claim, split(counter, bound).toCome));
  const first = substitute(split(counter, bound).toCome, new Map([[counter.symbol, counter.start!]]));
  return { ...claim, within: L.and(claim.within, first) };
}

/** At a loop before that one. */
function throughRound(
  claim: Witnessed,
  round: LoopRound,
  system: TransitionSystem,
  say: (candidate: Term) => void,
): Witnessed | Term | undefined {
  const { after } = round;
  const changed = (term: Term): boolean =>
    [...symbolsOf(term)].some((symbol) => (after.get(symbol) ?? symbol) !== symbol);
  if (![claim.otherwise, claim.within, claim.body].some(changed)) {
    say(textOf(claim));
    return claim;
  }
  if (changed(claim.within)) return undefined;
  const written = placesIn([...after.values()], system, 'written');
  const places = written.length > 0 ? written : round.places;
  const [way] = roundsFor(claim, { ...round, places }, system).filter(({ counter }) => !counter.isConditional);
  if (!way) {
    if (changed(claim.body) || !changed(claim.otherwise)) return undefined;
  }
  if (written.length > 0) {
    const otherwise = ofOneElement(claim.otherwise, round, written, system);
    if (changed(claim.otherwise) && !otherwise) return undefined;
    const body = way
      ? substitute(substitute(claim.body, after), new Map([[way.counter.symbol, way.term]]))
      : claim.body;
    const ways = way && split(way.counter, way.term);
    say(
      textOf({
        ...claim,
        otherwise: otherwise?.now ?? claim.otherwise,
        body: ways ? L.or(L.and(ways.over, claim.body), L.and(ways.toCome, body)) : body,
      }),
    );
    return { ...claim, otherwise: otherwise?.before ?? claim.otherwise, body };
  }
  if (!way) return undefined;
  // A fold that makes what is looked for: the element was there, or is the one that it began with.
  say(textOf(claim, split(way.counter, way.term).over));
  return claim.otherwise;
}

/** A condition of an element at a known place that some round writes: at the head of the loop, and before it. */
function ofOneElement(
  condition: Term,
  round: LoopRound,
  written: readonly ElementPlace[],
  system: TransitionSystem,
): { readonly now: Term; readonly before: Term } | undefined {
  const asked = placesIn([condition], system);
  const counter = counterOf(round);
  if (!counter) return undefined;
  for (const { array, offset } of written) {
    const of = asked.find((place) => place.array === array);
    const number = of && numberAt(offset, counter, of.offset);
    if (number === undefined) continue;
    const before = substitute(substitute(condition, round.after), new Map([[counter.symbol, number]]));
    const { over, toCome: coming } = split(counter, number);
    return { now: L.or(L.and(over, condition), L.and(coming, before)), before };
  }
  return undefined;
}
