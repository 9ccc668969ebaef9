/**
 * Candidates about all elements of an array up to a variable, or beyond it: what loops that scan arrays keep (the
 * range predicates of Gulwani, McCloskey, Tiwari, "Lifting abstract interpreters to quantified logical domains", POPL
 * 2008, guessed from states as in Daikon). The places of elements are those the segments compute, with the loop's
 * variable replaced by a bound one; what is said of an element is fitted to the first elements of the states seen.
 * Houdini is the judge.
 */
import * as L from '../../../logic/build';
import { substitute } from '../../../logic/substitute';
import type { SymbolTerm, Term } from '../../../logic/term';
import type { ConcreteView } from '../../transitionSystem/concreteView';
import type { Cutpoint } from '../../transitionSystem/cutpoint';
import type { Observable } from '../samples';
import type { TransitionSystem } from '../../transitionSystem/transitionSystem';
import { type Pattern, isTruth, patternsOf, isNamedAt, lengthConstantsOf } from './elementPatterns';

const limits = {
  /** Elements at the beginning of an array that are looked at in any case. */
  firstElements: 12,
  /** The largest index that is looked at. */
  furthestIndex: 1_000_000,
  /** States kept per cutpoint, the latest. */
  states: 40,
  /** States recorded of one run: those of one run have much in common by chance. */
  statesPerRun: 8,
  /** States recorded of all runs. */
  recordedStates: 160,
  /** States recorded of one run whose variables were seen before, perhaps with other elements. */
  revisitsPerRun: 3,
  /** Such states that are looked at in all. */
  revisitLooks: 400,
  /** Index patterns per array. */
  patterns: 5,
  /** Ranks that the range of a whole array is preferred by: it is the only range. */
  wholeArrayRank: 4,
  /** Variables that elements are compared with. */
  variables: 6,
  /** Candidates per cutpoint. */
  candidates: 30,
  /** Ranges of one relation on the elements of one array, the likeliest first. */
  ranges: 4,
  /** Fewer elements have something in common by chance. */
  leastElements: 4,
} as const;

/** Offsets around the values of variables and the constants, of elements that are looked at as well. */
const nearOffsets = [-2, -1, 0, 1, 2];

interface State {
  readonly values: readonly bigint[];
  readonly numbers: readonly number[];
  /** By pattern, then by number. */ readonly elements: readonly ReadonlyMap<number, bigint>[];
}

/** From `low` (inclusive) to below `high`. */
interface Range {
  readonly low: Bound;
  readonly high: Bound;
  readonly term: (bound: SymbolTerm) => Term;
}

type Bound =
  | { readonly kind: 'constant'; readonly value: number }
  | { readonly kind: 'variable'; readonly at: number; readonly plus: number };

export class ArrayCandidates {
  private readonly patterns = new Map<Cutpoint, readonly Pattern[]>();
  private readonly states = new Map<Cutpoint, State[]>();
  private readonly recorded = new Map<Cutpoint, number>();
  private readonly inThisRun = new Map<Cutpoint, number>();
  private readonly looks = new Map<Cutpoint, number>();
  private readonly contents = new Map<Cutpoint, Set<string>>();
  private readonly lengthConstants: readonly number[];

  /** `constants`: ascending, what elements may be bounded by. */
  constructor(
    system: TransitionSystem,
    private readonly observables: ReadonlyMap<Cutpoint, readonly Observable[]>,
    private readonly constants: readonly bigint[],
  ) {
    this.lengthConstants = lengthConstantsOf(system);
    const all = patternsOf(system);
    for (const point of system.points) {
      const named = all.filter(({ locals }) => [...locals].every((symbol) => isNamedAt(point, symbol, system)));
      const usable = (['contents', 'writing', 'condition'] as const).flatMap((what) =>
        named.filter((pattern) => pattern.of === what).slice(0, limits.patterns),
      );
      if (usable.length > 0) this.patterns.set(point, usable);
    }
  }

  get isEmpty(): boolean {
    return this.patterns.size === 0;
  }

  /** A new run begins. */
  begin(): void {
    this.inThisRun.clear();
  }

  /** A state seen; `values`: of the point's observables; `isNew`: for the first time with these. */
  record(point: Cutpoint, view: Pick<ConcreteView, 'value'>, values: readonly bigint[], isNew: boolean): void {
    const patterns = this.patterns.get(point);
    if (!patterns) return;
    let states = this.states.get(point);
    if (!states) this.states.set(point, (states = []));
    const [recorded, inThisRun, looks] = [this.recorded, this.inThisRun, this.looks].map(
      (counts) => counts.get(point) ?? 0,
    ) as [number, number, number];
    if (
      inThisRun >= (isNew ? limits.statesPerRun : limits.revisitsPerRun) ||
      recorded >= limits.recordedStates ||
      (!isNew && looks >= limits.revisitLooks)
    )
      return;
    if (!isNew) this.looks.set(point, looks + 1);
    const near = [
      ...values.filter((value) => value >= 0n && value <= limits.furthestIndex).map(Number),
      ...this.lengthConstants,
    ].flatMap((value) => nearOffsets.map((d) => value + d));
    const numbers = [...new Set([...Array(limits.firstElements).keys(), ...near.filter((k) => k >= 0)])].sort(
      (a, b) => a - b,
    );
    const elements = patterns.map((pattern) => elementsOf(pattern, numbers, view));
    const contents = elements.map((of) => [...of.values()].join()).join(';');
    let known = this.contents.get(point);
    if (!known) this.contents.set(point, (known = new Set()));
    if (!isNew && known.has(contents)) return;
    known.add(contents);
    this.recorded.set(point, recorded + 1);
    this.inThisRun.set(point, inThisRun + 1);
    states[recorded % limits.states] = { values, numbers, elements };
  }

  candidates(point: Cutpoint): readonly Term[] {
    return terms(this.guessesAt(point));
  }

  /**
   * At a loop that no run came to: what holds at another of its function up to a variable, up to all that elements may
   * go to here.
   */
  carry(from: Cutpoint, to: Cutpoint): readonly Term[] {
    const observables = this.observables.get(to) ?? [];
    return terms(
      this.guessesAt(from).flatMap((guess) => {
        if (guess.range.low.kind !== 'constant' || guess.range.high.kind !== 'variable') return [];
        return rangesOf(guess.pattern, observables, this.lengthConstants)
          .filter(({ low }) => low.kind === 'constant')
          .map((range) => ({ ...guess, range }));
      }),
    );
  }

  private guessesAt(point: Cutpoint): Guess[] {
    const [states, patterns, observables] = [
      this.states.get(point) ?? [],
      this.patterns.get(point) ?? [],
      this.observables.get(point) ?? [],
    ];
    const found: Guess[] = [];
    patterns.forEach((pattern, p) => {
      for (const range of rangesOf(pattern, observables, this.lengthConstants)) {
        const seen = states.flatMap((state, s) =>
          within(range, state).map((k) => ({ k, s, x: state.elements[p]!.get(k)! })),
        );
        if (seen.length < limits.leastElements || new Set(seen.map(({ k }) => k)).size < 2) continue;
        this.fit({ pattern, p, seen, states, patterns, range, observables }, (rank, property) =>
          found.push({
            rank: pattern.count === undefined ? rank : rank - limits.wholeArrayRank,
            pattern,
            range,
            property,
          }),
        );
      }
    });
    return found;
  }

  private fit(
    { pattern, p, seen, states, patterns, range, observables }: Fitting,
    say: (rank: number, property: Term) => void,
  ): void {
    const { element, signed, widthBits, bound } = pattern;
    const literal = (value: bigint): Term => L.bits(BigInt.asUintN(widthBits, value), widthBits);
    const le = signed ? L.sle : L.ule;
    const [first] = seen;
    const all = (holds: (one: Seen) => boolean): boolean => seen.every(holds);
    if (isTruth(pattern)) {
      if (all(({ x }) => x === 1n)) say(0, element);
      else if (pattern.of === 'condition' && all(({ x }) => x === 0n)) say(0, L.not(element));
      return;
    }
    if (all(({ x }) => x === first!.x)) return say(0, L.eq(element, literal(first!.x)));

    const other = seen.find(({ k }) => k !== first!.k)!;
    const slope = (other.x - first!.x) / BigInt(other.k - first!.k);
    const start = first!.x - slope * BigInt(first!.k);
    if (slope !== 0n && all(({ k, x }) => x === start + slope * BigInt(k)))
      return say(
        0,
        L.eq(
          element,
          L.add(
            L.mul(literal(slope), L.resize(bound, widthBits, L.signednessOf({ signed: pattern.signedBound }))),
            literal(start),
          ),
        ),
      );

    observables.slice(0, limits.variables).forEach((v, i) => {
      if (v.widthBits < widthBits || (v.widthBits === widthBits && v.signed !== signed)) return;
      const x = L.resize(element, v.widthBits, L.signednessOf({ signed }));
      const value = (s: number): bigint => states[s]!.values[i]!;
      const atMost = v.signed ? L.sle : L.ule;
      const below = v.signed ? L.slt : L.ult;
      if (all((one) => one.x === value(one.s))) say(1, L.eq(x, v.term));
      else if (all((one) => one.x < value(one.s))) say(3, below(x, v.term));
      else if (all((one) => one.x > value(one.s))) say(3, below(v.term, x));
      else if (all((one) => one.x <= value(one.s))) say(2, atMost(x, v.term));
      else if (all((one) => one.x >= value(one.s))) say(2, atMost(v.term, x));
      else if (all((one) => one.x !== value(one.s))) say(3, L.not(L.eq(x, v.term)));
    });

    patterns.forEach((mate, q) => {
      if (q === p || mate.bound !== bound || isTruth(mate) || mate.widthBits !== widthBits || mate.signed !== signed)
        return;
      const y = ({ s, k }: Seen): bigint => states[s]!.elements[q]!.get(k)!;
      const apart = first!.x - y(first!);
      if (all((one) => one.x - y(one) === apart)) {
        if (p < q) say(1, L.eq(element, L.add(mate.element, literal(apart))));
      } else if (all((one) => one.x <= y(one))) say(3, le(element, mate.element));
    });

    const next = (one: Seen): bigint | undefined =>
      within(range, states[one.s]!).includes(one.k + 1) ? states[one.s]!.elements[p]!.get(one.k + 1) : undefined;
    const steps = seen.flatMap((one) => {
      const after = next(one);
      return after === undefined ? [] : [{ x: one.x, after }];
    });
    if (steps.length >= limits.leastElements) {
      const after = substitute(element, new Map([[bound, L.add(bound, L.bits(1n, L.widthOf(bound)))]]));
      const inside = range.term(bound);
      const both = L.and(inside, substitute(inside, new Map([[bound, L.add(bound, L.bits(1n, L.widthOf(bound)))]])));
      if (steps.every((step) => step.x <= step.after)) say(2, L.or(L.not(both), le(element, after)));
      else if (steps.every((step) => step.x >= step.after)) say(2, L.or(L.not(both), le(after, element)));
    }

    const values = seen.map(({ x }) => x);
    const [low, high] = [values.reduce((a, b) => (b < a ? b : a)), values.reduce((a, b) => (b > a ? b : a))];
    const floor = this.constants.findLast((c) => c <= low);
    const ceiling = this.constants.find((c) => c >= high);
    if (floor !== undefined && (signed || floor > 0n)) say(4, le(literal(floor), element));
    if (ceiling !== undefined) say(4, le(element, literal(ceiling)));
  }
}

/** Guess about all elements in the range. */
interface Guess {
  readonly rank: number;
  readonly pattern: Pattern;
  readonly range: Range;
  readonly property: Term;
}

function terms(guesses: readonly Guess[]): readonly Term[] {
  const ranges = new Map<Term, number>();
  const all = [...guesses]
    .sort((a, b) => a.rank - b.rank)
    .flatMap(({ pattern: { bound }, range, property }) => {
      const said = (ranges.get(property) ?? 0) + 1;
      ranges.set(property, said);
      return said > limits.ranges ? [] : [L.forall([bound], L.or(L.not(range.term(bound)), property))];
    });
  return [...new Set(all)].filter((term) => term.kind === 'forall').slice(0, limits.candidates);
}

interface Seen {
  readonly k: number;
  readonly s: number;
  readonly x: bigint;
}

interface Fitting {
  readonly pattern: Pattern;
  readonly p: number;
  readonly seen: readonly Seen[];
  readonly states: readonly State[];
  readonly patterns: readonly Pattern[];
  readonly range: Range;
  readonly observables: readonly Observable[];
}

function elementsOf(
  { bound, value: valueAt, signed, widthBits }: Pattern,
  numbers: readonly number[],
  view: Pick<ConcreteView, 'value'>,
): ReadonlyMap<number, bigint> {
  return new Map(
    numbers.map((k) => {
      const value = valueAt((symbol) => (symbol === bound ? BigInt(k) : view.value(symbol)));
      return [
        k,
        typeof value === 'bigint' && signed ? BigInt.asIntN(widthBits, value) : BigInt(value as bigint | boolean),
      ];
    }),
  );
}

/**
 * Prefixes up to a variable or a constant, and what lies beyond a variable; those first whose variable names elements
 * of the array.
 */
function rangesOf(
  { bound, signedBound, counters, count }: Pattern,
  observables: readonly Observable[],
  lengthConstants: readonly number[],
): Range[] {
  const width = L.widthOf(bound);
  if (count !== undefined)
    return [
      {
        low: { kind: 'constant', value: 0 },
        high: { kind: 'constant', value: count },
        term: (k) => L.ult(k, L.bits(BigInt(count), width)),
      },
    ];
  const [le, lt] = signedBound ? [L.sle, L.slt] : [L.ule, L.ult];
  const literal = (value: number): Term => L.bits(BigInt(value), width);
  const variables = observables
    .flatMap((v, at) => (v.widthBits === width && v.signed === signedBound ? [{ v, at }] : []))
    .slice(0, limits.variables)
    .sort((a, b) => Number(counters.has(b.v.term)) - Number(counters.has(a.v.term)));
  const upTo = variables.map(({ v, at }) => ({ end: { kind: 'variable', at, plus: 0 } as const, term: v.term }));
  const counting = variables.filter(({ v }) => counters.has(v.term)).length;
  const highs = [
    ...upTo.slice(0, counting),
    ...lengthConstants.map((value) => ({ end: { kind: 'constant', value } as const, term: literal(value) })),
    ...upTo.slice(counting),
  ];
  const zero: Bound = { kind: 'constant', value: 0 };
  return [
    ...highs.map(({ end, term }): Range => ({
      low: zero,
      high: end,
      term: (k) => L.and(le(literal(0), k), lt(k, term)),
    })),
    ...variables.flatMap(({ v, at }) =>
      highs
        .filter(({ end }) => end.kind === 'constant' || end.at !== at)
        .map(({ end, term }): Range => ({
          low: { kind: 'variable', at, plus: 1 },
          high: end,
          term: (k) => L.and(lt(v.term, k), le(literal(0), k), lt(k, term)),
        })),
    ),
  ];
}

function within({ low, high }: Range, { values, numbers }: State): number[] {
  const at = (bound: Bound): bigint =>
    bound.kind === 'constant' ? BigInt(bound.value) : values[bound.at]! + BigInt(bound.plus);
  const [from, to] = [at(low), at(high)];
  return numbers.filter((k) => BigInt(k) >= from && BigInt(k) < to);
}
