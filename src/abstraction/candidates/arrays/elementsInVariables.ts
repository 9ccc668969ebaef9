/**
 * Relations of variables with elements that loops go over, read off their rounds as candidates:
 *
 *   a position, `if (a[i] > a[m]) m = i`: it is the number of a round that is over, or was never set
 *   the condition for that, `if (a[i] == x) m = i`: it holds at the position
 *   a value taken with it, `best = b[i]`: it is the element at the position
 *   a value that is stored, `v = v + d; a[i] = v`: it is the element of the last round
 */
import * as L from '../../../logic/build';
import { sizeOf, substitute, symbolsOf } from '../../../logic/substitute';
import type { SymbolTerm, Term } from '../../../logic/term';
import { linearOf } from '../../../logic/words/linear';
import { conjuncts } from '../../../semantics/symbolic/segment';
import type { FunctionDefinition } from '../../../program/program';
import type { Cutpoint } from '../../transitionSystem/cutpoint';
import type { TransitionSystem } from '../../transitionSystem/transitionSystem';
import { boundIn } from './sweptElements';
import { type Counter, type LoopRound, roundsOf, startOf } from '../rounds/loopRounds';

const limits = {
  /** Positions of a loop, and candidates at one control point. */
  positions: 4,
  candidates: 24,
  /** Nodes of a value that is taken or stored. */
  size: 30,
  /** Loops that are looked through for the value before. */
  loops: 5,
} as const;

/** A variable that rounds leave as it is, or set to the counter plus a number. */
export interface ElementPosition {
  readonly variable: SymbolTerm;
  readonly counter: Counter;
  readonly plus: Term;
  /** The condition under which it is set, and its opposite: as the round's values have it. */
  readonly when: Term;
}

export function elementsInVariables(system: TransitionSystem): ReadonlyMap<Cutpoint, readonly Term[]> {
  const found = new Map<Cutpoint, Set<Term>>();
  for (const fn of system.functions) {
    const rounds = roundsOf(fn, system);
    const read = readIn(fn, system);
    for (const round of rounds) {
      const positions = positionsOf(round, system).slice(0, limits.positions);
      const own = [
        ...positions.flatMap((position) => [...boundsOf(position, round, system), ...takenAt(position, round, system)]),
        ...lastStored(round, read),
      ];
      const earlier = positions.flatMap(({ variable }) => {
        const unset = setBefore(variable, round.point, system);
        return unset?.kind === 'bits' ? [L.eq(variable, unset)] : [];
      });
      // Loops behind this one leave its variables alone, mostly, and those before it have not set them yet.
      for (const { point, after } of rounds) {
        const candidates = found.get(point) ?? new Set();
        for (const term of point.location.index < round.point.location.index ? earlier : own)
          if (candidates.size < limits.candidates && [...symbolsOf(term)].every((symbol) => after.has(symbol)))
            candidates.add(term);
        if (candidates.size > 0) found.set(point, candidates);
      }
    }
  }
  return new Map([...found].map(([point, terms]) => [point, [...terms].filter(({ kind }) => kind !== 'boolean')]));
}

/** Variables whose values at a control point matter behind it. */
function readIn(fn: FunctionDefinition, system: TransitionSystem): ReadonlySet<Term> {
  const terms = system.transitions.flatMap(({ from, segment, ends }) =>
    from?.fn !== fn
      ? []
      : [
          ...(segment?.obligations ?? []).flatMap(({ guard, condition }) => [guard, condition]),
          ...ends.flatMap(({ point, guard, state }) => [
            guard,
            ...[...system.vocabulary.binding(point.fn, state)].flatMap(([symbol, value]) =>
              symbol === value ? [] : [value],
            ),
          ]),
        ],
  );
  return new Set<Term>(terms.flatMap((term) => [...symbolsOf(term)]));
}

export function positionsOf({ after, counters }: LoopRound, system: TransitionSystem): readonly ElementPosition[] {
  const steady = counters.filter(({ isConditional }) => !isConditional);
  return [...after].flatMap(([variable, value]): readonly ElementPosition[] => {
    const meaning = variable.kind === 'symbol' ? system.vocabulary.meaning(variable) : undefined;
    if (meaning?.kind !== 'variable' || meaning.variable.type.kind !== 'integer') return [];
    if (!L.isApplication(value, 'ite')) return [];
    const [condition, then, otherwise] = value.args as readonly [Term, Term, Term];
    const set = then === variable ? otherwise : otherwise === variable ? then : undefined;
    if (!set) return [];
    return steady.flatMap((counter): readonly ElementPosition[] => {
      if (counter.symbol === variable || counter.symbol.sort !== variable.sort) return [];
      const { monomials } = linearOf(L.sub(set, counter.symbol));
      if (monomials.length > 0) return [];
      const when = set === then ? condition : L.not(condition);
      return [{ variable: variable as SymbolTerm, counter, plus: L.sub(set, counter.symbol), when }];
    });
  });
}

/** The value with which the loop is entered, perhaps since before other loops. */
function setBefore(variable: SymbolTerm, point: Cutpoint, system: TransitionSystem): Term | undefined {
  let at: Cutpoint | undefined = point;
  for (let loops = 0; at && loops < limits.loops; loops++) {
    const value: Term | undefined = startOf(variable, at, system);
    if (value !== variable) return value;
    const here: Cutpoint = at;
    at = system.transitions.find(({ from, ends }) => from !== here && ends.some((end) => end.point === here))?.from;
  }
  return undefined;
}

/** Between the first round and the one before this; at most behind the last round, once the loop is over. */
function boundsOf(
  { variable, counter, plus }: ElementPosition,
  { point, end }: LoopRound,
  system: TransitionSystem,
): readonly Term[] {
  const { symbol, start, step, signed } = counter;
  if (start === undefined || step < 0n) return [];
  const [atMost, below] = signed ? [L.sle, L.slt] : [L.ule, L.ult];
  const first = L.add(start, plus);
  const unset = setBefore(variable, point, system);
  const isSet = L.and(atMost(first, variable), below(variable, L.add(symbol, plus)));
  const ends = conjuncts(end.guard).flatMap((condition) => boundIn(condition, symbol) ?? []);
  return [
    atMost(first, variable),
    ...(unset === undefined ? [] : [atMost(unset, variable), L.or(L.eq(variable, unset), isSet)]),
    below(variable, L.add(symbol, plus)),
    atMost(variable, L.add(symbol, plus)),
    ...ends.map((last) => below(variable, L.add(last, plus))),
  ];
}

/** The condition under which the position is set, and values that are taken then: both as they are at the position. */
function takenAt(
  { variable, counter, plus, when }: ElementPosition,
  { after, point }: LoopRound,
  system: TransitionSystem,
): readonly Term[] {
  const unset = setBefore(variable, point, system);
  const there = new Map<Term, Term>([[counter.symbol, L.sub(variable, plus)]]);
  const isSteady = (term: Term): boolean =>
    [...symbolsOf(term)].every((one) => one === counter.symbol || after.get(one) === one) &&
    sizeOf(term) <= limits.size &&
    symbolsOf(term).has(counter.symbol);
  const held = isSteady(when) ? [substitute(when, there)] : [];
  const taken = [...after].flatMap(([other, next]): readonly Term[] => {
    if (other === variable || !L.isApplication(next, 'ite') || next.sort.kind !== 'bits') return [];
    const [condition, then, otherwise] = next.args as readonly [Term, Term, Term];
    const isSame = condition === when && otherwise === other;
    const isOpposite = L.not(condition) === when && then === other;
    if (!isSame && !isOpposite) return [];
    const value = isSame ? then : otherwise;
    return isSteady(value) ? [L.eq(other, substitute(value, there))] : [];
  });
  return [...taken, ...held].flatMap((relation) =>
    unset === undefined ? [relation] : [relation, L.or(L.eq(variable, unset), relation)],
  );
}

/** Variables with the value that the round stores. */
function lastStored({ after, counters }: LoopRound, read: ReadonlySet<Term>): readonly Term[] {
  return counters.flatMap(({ symbol, step, start, isConditional }) => {
    if (isConditional) return [];
    const width = L.widthOf(symbol);
    const before = new Map<Term, Term>([[symbol, L.sub(symbol, L.bits(BigInt.asUintN(width, step), width))]]);
    return [...after].flatMap(([array, value]) => {
      if (!L.isApplication(value, 'store') || value.args[0] !== array) return [];
      const [, place, element] = value.args as readonly [Term, Term, Term];
      if (!symbolsOf(place).has(symbol) || sizeOf(place) > limits.size) return [];
      return [...after].flatMap(([variable, last]) => {
        if (last !== element || variable === symbol || !read.has(variable)) return [];
        const equation = L.eq(variable, L.select(array, substitute(place, before)));
        return start === undefined ? [equation] : [L.or(L.eq(symbol, start), equation)];
      });
    });
  });
}
