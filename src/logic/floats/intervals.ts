/**
 * Bounds of rounded operations, by interval arithmetic. Rounding to nearest is monotone, so the rounded results at the
 * ends of the operands' intervals bound all others. The operands' intervals come from the comparisons among the given
 * conditions, and inside conditionals from what they test. Integers that are converted have the bounds of words.
 */
import { select } from '../arrays/arrays';
import { bits, isApplication, widthOf } from '../intern';
import type { Application, Term } from '../term';
import { boundsBy, boundsOf, ordersOf, type WordBounds } from '../bounds/assertedBounds';
import { WordIntervals } from '../bounds/wordIntervals';
import { not } from '../propositional';
import { postOrder } from '../traverse';
import { toSigned } from '../words/words';
import { definitionsIn, disjunctionsIn, type Holding, spelledOut } from './namedConditions';
import type { FloatRange } from './floats';
import {
  anything,
  both,
  compute,
  convert,
  hull,
  largest,
  type Because,
  type FloatInterval,
  meet,
  neighbour,
  none,
  nothing,
} from './intervalArithmetic';
import { type PartialStep, stepOf, widened } from './partialSteps';
import { floatOf } from './patterns';

/** The result of a call lies within the range if all the conditions hold. */
export interface FloatBound extends FloatRange {
  readonly call: Application;
  readonly because: readonly Term[];
}

/**
 * The result of a call lies on the side of `from` that `to` lies on. It is at most `from` or at most `high`, and at
 * least `from` or at least `low`.
 */
export interface FloatStep {
  readonly call: Application;
  readonly from: Term;
  readonly to: Term;
  readonly low: number;
  readonly high: number;
  readonly because: readonly Term[];
}

export interface FloatFacts {
  readonly bounds: readonly FloatBound[];
  readonly steps: readonly FloatStep[];
  /** Conditions that cannot hold together. */
  readonly contradictions: readonly (readonly Term[])[];
}

type Known = ReadonlyMap<Term, FloatInterval>;

/** Bounds of words, and the conditions that they follow from. */
interface WordFacts {
  readonly bounds: ReadonlyMap<Term, WordBounds>;
  readonly because: readonly Term[];
}

interface Surroundings {
  readonly known: Known;
  readonly depth: number;
  /** True if the arm may know more of the term. */
  readonly knowsMore: Map<Term, boolean>;
}

/** A comparison that holds, or does not. */
interface Fact {
  readonly comparison: Application;
  readonly holds: boolean;
  /** A comparison that a conditional tests holds in its branch, without conditions. */
  readonly where: 'asserted' | 'tested';
}

/** Passes over the comparisons: each carries bounds over one more of them. */
const rounds = 3;
/** Conditionals within conditionals whose tests are used, where an inner one depends on what the outer one tests. */
const deepest = 5;
/** Sides of disjunctions that are looked at by themselves. */
const mostCases = 24;
/** Sides of a disjunction that a conditional tests, each looked at by itself. */
const mostSides = 4;
/** Disjunctions within sides of disjunctions whose sides are refuted one by one. */
const deepestCases = 3;
/** Elements of an array that are looked at in the place of one whose index is bounded. */
const mostElements = 16;
/** Visits of terms for one set of conditions. */
const mostVisits = 4000;

/**
 * Bounds of the rounded operations in the conditions that follow from comparisons in them: from all that hold, and from
 * those of one side of a disjunction.
 */
export function floatFacts(conditions: readonly Term[]): FloatFacts {
  const calls = [...new Set(conditions.flatMap(roundedIn))];
  const operations = calls.filter((call) => !isOfInteger(call));
  if (operations.length === 0) return { bounds: [], steps: [], contradictions: [] };
  const analysis = new Analysis(calls);
  const definitions = definitionsIn(conditions);
  const bounds: FloatBound[] = [];
  const steps: FloatStep[] = [];
  const seen = new Map<Application, FloatRange[]>();
  const add = (facts: readonly Fact[], before: Known): Known => {
    const known = analysis.learn(facts, before, 0);
    for (const call of operations) {
      const step = analysis.step(call, known, 0);
      if (step && !steps.some((one) => one.call === call && one.low === step.low && one.high === step.high))
        steps.push({ call, ...step, because: [...step.because] });
      const { low, high, mayBeNaN, because } = analysis.interval(call, known, 0);
      const others = seen.get(call) ?? [];
      if (low === -Infinity && high === Infinity && mayBeNaN) continue;
      if (others.some((one) => one.low === low && one.high === high && one.mayBeNaN === mayBeNaN)) continue;
      seen.set(call, [...others, { low, high, mayBeNaN }]);
      bounds.push({ call, low, high, mayBeNaN, because: [...because] });
    }
    return known;
  };
  let cases = 0;
  const explore = (terms: readonly Holding[], before: Known): void => {
    const known = add(
      terms.flatMap(({ term, holds }) => factsOf(term, holds, 'asserted')),
      before,
    );
    for (const alternatives of terms.flatMap(({ term, holds }) => disjunctionsIn(term, holds)))
      for (const alternative of alternatives)
        if (cases++ < mostCases) explore(spelledOut([alternative], definitions), known);
  };
  explore(
    spelledOut(
      conditions.map((term) => ({ term, holds: true })),
      definitions,
    ),
    new Map(),
  );
  return { bounds, steps, contradictions: analysis.contradictions.map((because) => [...because]) };
}

/**
 * True if intervals show that the conditions cannot hold together, in each side of a disjunction if not at once. False
 * says nothing.
 */
export function intervalsRefute(conditions: readonly Term[]): boolean {
  const calls = [...new Set(conditions.flatMap(roundedIn))];
  if (calls.length === 0) return false;
  const analysis = new Analysis(calls);
  const definitions = definitionsIn(conditions);
  let cases = 0;
  /** `depth`: disjunctions within sides of disjunctions that are still looked at. */
  const refuted = (all: readonly Holding[], before: Known, depth: number): boolean => {
    const terms = spelledOut(all, definitions);
    const known = analysis.learn(
      terms.flatMap(({ term, holds }) => factsOf(term, holds, 'asserted')),
      before,
      0,
    );
    if (analysis.isImpossible(known)) return true;
    if (depth === 0) return false;
    return terms
      .flatMap(({ term, holds }) => disjunctionsIn(term, holds))
      .some((sides) => sides.every((side) => cases++ < mostCases && refuted([side], known, depth - 1)));
  };
  const all = conditions.map((term) => ({ term, holds: true }));
  // Each disjunction alone comes before any within another.
  return Array.from({ length: deepestCases }, (_, i) => i + 1).some((depth) => {
    cases = 0;
    return refuted(all, new Map(), depth);
  });
}

/**
 * A range of each term under the conditions, from those that hold in every case. Undefined if intervals show that the
 * conditions cannot hold together.
 */
export function floatRanges(terms: readonly Term[], conditions: readonly Term[]): readonly FloatRange[] | undefined {
  const analysis = new Analysis([...new Set([...conditions, ...terms].flatMap(roundedIn))]);
  const facts = conditions.flatMap((term) => factsOf(term, true, 'asserted'));
  const known = analysis.learn(facts, new Map(), 0);
  if (analysis.contradictions.length > 0) return undefined;
  return terms.map((term) => {
    const { low, high, mayBeNaN } = analysis.interval(term, known, 0);
    return { low, high, mayBeNaN };
  });
}

const rounded = new WeakMap<Term, readonly Application[]>();
const roundedOperation =
  /^(?:float-(?:add|subtract|multiply|divide|sqrt|fmod)|convert-float64-float32|convert-u?integer\d+-float)/;

/** Calls that may round. */
export function roundedIn(term: Term): readonly Application[] {
  let found = rounded.get(term);
  if (!found) {
    const isQuantified = (t: Term): boolean => t.kind === 'forall' || t.kind === 'exists';
    found = postOrder([term], undefined, isQuantified).filter(
      (t): t is Application => isApplication(t, 'call') && roundedOperation.test(t.name!),
    );
    rounded.set(term, found);
  }
  return found;
}

function factsOf(term: Term, holds: boolean, where: Fact['where']): readonly Fact[] {
  if (term.kind !== 'apply') return [];
  if (term.operator === 'not') return factsOf(term.args[0]!, !holds, where);
  if (term.operator === (holds ? 'and' : 'or')) return term.args.flatMap((arg) => factsOf(arg, holds, where));
  return isComparison(term) ? [{ comparison: term, holds, where }] : [];
}

const isComparison = (t: Application): boolean =>
  t.operator === 'call'
    ? /^float-(eq|lt|le)-(32|64)$/.test(t.name!)
    : /^(un)?signed-less/.test(t.operator) || (t.operator === 'eq' && t.args[0]!.sort.kind === 'bits');

class Analysis {
  private visits = 0;
  /** Comparisons that leave no value. */
  readonly contradictions: ReadonlySet<Term>[] = [];
  /** Sets of intervals that no values have, and why. */
  private readonly impossible = new Map<Known, ReadonlySet<Term>>();
  private readonly found = new Map<Known, Map<Term, FloatInterval>>();
  private readonly words = new Map<Known, WordFacts>();
  /** For the intervals in an arm of a conditional: those around it. */
  private readonly around = new Map<Known, Surroundings>();
  private readonly wordIntervals = new Map<WordFacts | undefined, WordIntervals>();
  /** Conversions of integers, by the integer. */
  private readonly conversions = new Map<Term, Application[]>();
  private readonly usesWords: boolean;

  constructor(calls: readonly Application[]) {
    this.usesWords = calls.some((call) => isOfInteger(call) || readsElement(call));
    for (const call of calls.filter(isOfInteger)) {
      const word = call.args[0]!;
      this.conversions.set(word, [...(this.conversions.get(word) ?? []), call]);
    }
  }

  /** Intervals of the terms that are compared; `arm`: in an arm of a conditional in the depth before. */
  learn(facts: readonly Fact[], before: Known, depth: number, arm?: 'arm'): Known {
    const words = this.learnWords(facts, before);
    let known = before;
    const surround = (inside: Known): void => {
      if (arm) this.around.set(inside, { known: before, depth: depth - 1, knowsMore: new Map() });
    };
    if (words !== this.words.get(before)) {
      this.words.set((known = new Map(before)), words!);
      surround(known);
    }
    let why = this.impossible.get(before);
    for (let round = 0; round < (depth === 0 ? rounds : 1); round++) {
      const next = new Map(known);
      if (words) this.words.set(next, words);
      surround(next);
      let changed = false;
      const narrow = (t: Term, by: Partial<FloatRange>, because: Iterable<Term>): void => {
        if (t.kind === 'bits') return;
        const old = this.interval(t, next === known ? known : next, depth);
        const met = meet(old, by, because);
        if (met === old) return;
        if (met.low > met.high && !met.mayBeNaN) {
          if (depth === 0) this.contradictions.push(met.because);
          why ??= met.because;
        }
        next.set(t, met);
        surround(next);
        // Intervals found before stay right, if wider; deep inside they are kept, for lack of time.
        if (depth === 0) this.found.delete(next);
        else this.found.get(next)?.set(t, met);
        changed = true;
      };
      for (const fact of facts) this.use(fact, next, depth, narrow);
      if (!changed) break;
      known = next;
    }
    if (why) this.impossible.set(known, why);
    return known;
  }

  private learnWords(facts: readonly Fact[], before: Known): WordFacts | undefined {
    const old = this.words.get(before);
    if (!this.usesWords) return old;
    const orders = facts.flatMap(({ comparison, holds }) => ordersOf(comparison, holds));
    const known = old?.bounds ?? new Map<Term, WordBounds>();
    const bounds = boundsBy(orders, known, boundsOf);
    if (bounds === known) return old;
    const asserted = facts
      .filter(({ comparison, where }) => where === 'asserted' && comparison.operator !== 'call')
      .map(({ comparison, holds }) => (holds ? comparison : not(comparison)));
    return { bounds, because: [...(old?.because ?? []), ...asserted] };
  }

  /** Any number that a conversion of a word within its bounds may give. */
  private ofInteger({ name, args: [word], sort }: Application, known: Known): FloatInterval {
    const reading = name!.startsWith('convert-u') ? 'unsigned' : 'signed';
    const under = (facts: WordFacts | undefined) => this.wordsUnder(facts).of(word!)[reading];
    const [always, here] = [under(undefined), under(this.words.get(known))];
    const width = sort.kind === 'bits' ? sort.width : 64;
    const isNarrower = here.low > always.low || here.high < always.high;
    return {
      low: convert(here.low, width),
      high: convert(here.high, width),
      mayBeNaN: false,
      because: isNarrower ? new Set(this.words.get(known)!.because) : nothing,
    };
  }

  private use(
    { comparison, holds, where }: Fact,
    known: Known,
    depth: number,
    narrow: (t: Term, by: Partial<FloatRange>, because: Iterable<Term>) => void,
  ): void {
    const [a, b] = comparison.args as [Term, Term];
    const own = where === 'tested' ? [] : [holds ? comparison : not(comparison)];
    if (comparison.operator !== 'call') return this.useWords(comparison, holds, own, narrow);
    const [x, y] = [this.interval(a, known, depth), this.interval(b, known, depth)];
    const because = [...x.because, ...y.because, ...own];
    const width = widthOf(a);
    const operator = comparison.name!.slice(6, 8);
    if (operator === 'eq') {
      if (!holds) return;
      narrow(a, { low: y.low, high: y.high, mayBeNaN: false }, because);
      return narrow(b, { low: x.low, high: x.high, mayBeNaN: false }, because);
    }
    const isStrict = (operator === 'lt') === holds;
    const below = (value: number): number => (isStrict ? neighbour(value, width, -1) : value);
    const above = (value: number): number => (isStrict ? neighbour(value, width, 1) : value);
    if (holds) {
      narrow(a, { high: below(y.high), mayBeNaN: false }, because);
      return narrow(b, { low: above(x.low), mayBeNaN: false }, because);
    }
    // A comparison with a NaN fails, too: then nothing is known of the other number.
    if (!y.mayBeNaN) narrow(a, { low: above(y.low) }, because);
    if (!x.mayBeNaN) narrow(b, { high: below(x.high) }, because);
  }

  /** Bounds of an integer are bounds of the number that it becomes. */
  private useWords(
    { operator, args: [a, b] }: Application,
    holds: boolean,
    because: readonly Term[],
    narrow: (t: Term, by: Partial<FloatRange>, because: Iterable<Term>) => void,
  ): void {
    const [lower, upper] = holds ? [a!, b!] : [b!, a!];
    const literal = lower.kind === 'bits' ? lower : upper;
    if (literal.kind !== 'bits') return;
    if (operator === 'eq') {
      if (!holds) return;
      for (const conversion of this.conversions.get(literal === lower ? upper : lower) ?? []) {
        const isUnsigned = conversion.name!.startsWith('convert-u');
        const word = isUnsigned ? literal.value : toSigned(literal.value, widthOf(literal));
        const number = convert(word, widthOf(conversion));
        narrow(conversion, { low: number, high: number }, because);
      }
      return;
    }
    const isSigned = operator.startsWith('signed');
    const width = widthOf(literal);
    const value = isSigned ? toSigned(literal.value, width) : literal.value;
    const isStrict = !operator.endsWith('equal') === holds;
    const other = literal === lower ? upper : lower;
    for (const conversion of this.conversions.get(other) ?? []) {
      if (conversion.name!.startsWith('convert-u') === isSigned) continue;
      const to = (bound: bigint): number => convert(bound, widthOf(conversion));
      if (literal === lower) narrow(conversion, { low: to(value + (isStrict ? 1n : 0n)) }, because);
      else narrow(conversion, { high: to(value - (isStrict ? 1n : 0n)) }, because);
    }
  }

  isImpossible(known: Known): boolean {
    return this.impossible.has(known);
  }

  /** A term of which an arm knows nothing new has the interval that it has outside, which is computed once. */
  private knowsMore(t: Term, known: Known, { known: outer, knowsMore }: Surroundings): boolean {
    let found = knowsMore.get(t);
    if (found !== undefined) return found;
    const isNew = (word: Term): boolean => this.words.get(known) !== this.words.get(outer) && word.sort.kind === 'bits';
    found =
      known.get(t) !== outer.get(t) ||
      // Elements that it may be are no parts of the term.
      (isApplication(t, 'select') && (t.args[0]!.kind === 'apply' || t.args[1]!.kind !== 'bits')) ||
      (t.kind === 'apply' &&
        ((t.operator === 'call' && isOfInteger(t) && isNew(t.args[0]!)) ||
          t.args.some((arg) => this.knowsMore(arg, known, { known: outer, depth: 0, knowsMore }))));
    knowsMore.set(t, found);
    return found;
  }

  interval(t: Term, known: Known, depth: number): FloatInterval {
    const around = this.around.get(known);
    if (around && !this.knowsMore(t, known, around)) return this.interval(t, around.known, around.depth);
    let found = this.found.get(known);
    if (!found) this.found.set(known, (found = new Map()));
    let interval = found.get(t);
    if (!interval) {
      const own = this.visits++ > mostVisits ? anything : this.structural(t, known, depth);
      const asserted = known.get(t);
      interval = asserted ? meet(own, asserted, asserted.because) : own;
      found.set(t, interval);
    }
    return interval;
  }

  /**
   * The interval of `from + q`, where q is a part of the rounded difference, rounded. Undefined where q may be
   * something else, or a number or the difference infinite.
   */
  private between(call: Application, known: Known, depth: number): FloatInterval | undefined {
    const step = stepOf(call);
    if (!step) return undefined;
    const found = this.step(call, known, depth);
    if (!found) return undefined;
    const x = this.interval(step.from, known, depth);
    return { ...hull(x, { ...found, mayBeNaN: false }), because: both(x.because, found.because) };
  }

  /**
   * `from + q` where |q| is at most a part of the rounded difference, rounded, and q has its sign. If the part is half,
   * the exact sum lies between the two numbers: the rounded difference is at most twice the exact one, and exact if it
   * is subnormal. If it is the whole, the sum exceeds the other number by no more than the difference was rounded, and
   * never changes its sign. Rounding the sum is monotone.
   */
  step(call: Application, known: Known, depth: number): (Omit<FloatStep, 'call' | 'because'> & Because) | undefined {
    const step = stepOf(call);
    const part = step && this.partOf(step, known, depth);
    if (!step || !part) return undefined;
    const { from, to } = step;
    const [x, y] = [this.interval(from, known, depth), this.interval(to, known, depth)];
    const width = Math.min(widthOf(widened(from)), widthOf(to));
    const range = hull(x, y);
    if (range.mayBeNaN || x.low > x.high || y.low > y.high) return undefined;
    const size = range.high - range.low;
    if (!(size <= largest(width))) return undefined;
    const because = both(range.because, part.because);
    if (part.of === 'half') return { from, to, low: y.low, high: y.high, because };
    const error = size * 2 ** (width === 64 ? -52 : -23);
    const outwards = (value: number, direction: 1 | -1): number => {
      const beyond = neighbour(value + direction * error, 64, direction);
      return widthOf(call) === 64 ? beyond : neighbour(Math.fround(beyond), 32, direction);
    };
    const [low, high] = [outwards(y.low, -1), outwards(y.high, 1)];
    return {
      from,
      to,
      low: y.low >= 0 ? Math.max(0, low) : low,
      high: y.high <= 0 ? Math.min(0, high) : high,
      because,
    };
  }

  /** The part of the difference that a step goes at most. */
  private partOf(
    { operator, by }: PartialStep,
    known: Known,
    depth: number,
  ): ({ of: 'half' | 'whole' } & Because) | undefined {
    const { low, high, mayBeNaN, because } = this.interval(by, known, depth);
    if (mayBeNaN || low > high) return undefined;
    if (operator === 'divide') return low >= 1 ? { of: low >= 2 ? 'half' : 'whole', because } : undefined;
    return low >= 0 && high <= 1 ? { of: high <= 0.5 ? 'half' : 'whole', because } : undefined;
  }

  /** `of`: the interval of an arm. */
  private conditional(
    t: Application,
    known: Known,
    depth: number,
    of: (x: Term, known: Known, depth: number) => FloatInterval,
  ): FloatInterval {
    const [condition, then, otherwise] = t.args as [Term, Term, Term];
    if (depth >= deepest) return hull(of(then, known, depth), of(otherwise, known, depth));
    const under = (facts: readonly Fact[], x: Term): FloatInterval => {
      const inside = this.learn(facts, known, depth + 1, 'arm');
      const why = this.impossible.get(inside);
      return why ? { ...none, because: why } : of(x, inside, depth + 1);
    };
    const side = (holds: boolean, x: Term): FloatInterval =>
      sidesOf(condition, holds, x)
        .map((facts) => under(facts, x))
        .reduce(hull);
    return hull(side(true, then), side(false, otherwise));
  }

  private afterStore({ before, at, value, index }: ReadAfterStore, known: Known, depth: number): FloatInterval {
    const [old, rest] = [select(before, at), select(before, index)];
    // At the same place lies the element from before.
    const stored = (x: Term, inside: Known, level: number): FloatInterval => {
      if (x === old) return this.interval(rest, inside, level);
      if (!isApplication(x, 'ite')) return this.interval(x, inside, level);
      const asserted = inside.get(x);
      const own = this.conditional(x, inside, level, stored);
      return asserted ? meet(own, asserted, asserted.because) : own;
    };
    return hull(stored(value, known, depth), this.interval(rest, known, depth));
  }

  /** An element is the one that was stored last, or one from before; with a bounded index, one of few. */
  private element(t: Application, known: Known, depth: number): FloatInterval {
    const [array, index] = t.args as [Term, Term];
    if (isApplication(array, 'ite')) {
      const [, then, otherwise] = array.args as [Term, Term, Term];
      return hull(
        this.interval(select(then, index), known, depth),
        this.interval(select(otherwise, index), known, depth),
      );
    }
    if (isApplication(array, 'store')) {
      const [before, at, value] = array.args as [Term, Term, Term];
      return this.afterStore({ before, at, value, index }, known, depth);
    }
    if (index.kind === 'bits') return anything;
    const words = this.wordsUnder(this.words.get(known));
    const { low, high } = words.of(index).unsigned;
    const divisor = divisorOf(index, words);
    const step = low % divisor === 0n ? divisor : 1n;
    if ((high - low) / step >= mostElements) return anything;
    const width = widthOf(index);
    const elements = Array.from({ length: Number((high - low) / step) + 1 }, (_, i) =>
      this.interval(select(array, bits(low + BigInt(i) * step, width)), known, depth),
    );
    return elements.reduce(hull, { ...none, because: new Set(this.words.get(known)?.because ?? []) });
  }

  private wordsUnder(facts: WordFacts | undefined): WordIntervals {
    let intervals = this.wordIntervals.get(facts);
    if (!intervals) this.wordIntervals.set(facts, (intervals = new WordIntervals(facts?.bounds ?? new Map())));
    return intervals;
  }

  private structural(t: Term, known: Known, depth: number): FloatInterval {
    if (t.kind === 'bits') {
      const value = floatOf(t.value, t.sort.width);
      return Number.isNaN(value) ? anything : { low: value, high: value, mayBeNaN: false, because: nothing };
    }
    const read = readAfterStore(t);
    if (read) return this.afterStore(read, known, depth);
    if (isApplication(t, 'ite'))
      return this.conditional(t, known, depth, (x, inside, at) => this.interval(x, inside, at));
    if (isApplication(t, 'select')) return this.element(t, known, depth);
    if (!isApplication(t, 'call')) return anything;
    if (isOfInteger(t)) return this.ofInteger(t, known);
    const operation =
      /^(?:float-(add|subtract|multiply|divide|sqrt|fmod|negate)|convert-float\d+-float)-?(32|64)$/.exec(t.name!);
    if (!operation) return anything;
    const single = operation[2] === '32';
    const between = this.between(t, known, depth);
    const [x, y] = t.args.map((arg) => this.interval(arg, known, depth)) as [FloatInterval, FloatInterval];
    const exact = compute(operation[1], x, y, t.args[0] === t.args[1]);
    const own = single ? { ...exact, low: Math.fround(exact.low), high: Math.fround(exact.high) } : exact;
    return between ? meet(between, own, own.because) : own;
  }
}

/**
 * The facts under which an arm of a conditional is reached: one set, or one for each side of a disjunction, if the arm
 * makes a difference between them. `if (a) x = 1; else if (b) x = 2;` may be `a || !b ? (a ? 1 : x) : 2`.
 */
function sidesOf(condition: Term, holds: boolean, arm: Term): readonly (readonly Fact[])[] {
  const isDisjunction = isApplication(condition, holds ? 'or' : 'and');
  if (!isDisjunction || !isApplication(arm, 'ite') || condition.args.length > mostSides)
    return [factsOf(condition, holds, 'tested')];
  return condition.args.map((side, i) => [
    ...condition.args.slice(0, i).flatMap((other) => factsOf(other, !holds, 'tested')),
    ...factsOf(side, holds, 'tested'),
  ]);
}

/** `before`, with `value` stored at `at`, read at `index`. */
interface ReadAfterStore {
  readonly before: Term;
  readonly at: Term;
  readonly value: Term;
  readonly index: Term;
}

/** `at = index ? value : before[index]` is what is read there behind a store. */
function readAfterStore(t: Term): ReadAfterStore | undefined {
  if (!isApplication(t, 'ite')) return undefined;
  const [condition, value, rest] = t.args as [Term, Term, Term];
  if (!isApplication(condition, 'eq') || !isApplication(rest, 'select')) return undefined;
  const [before, index] = rest.args as [Term, Term];
  const [a, b] = condition.args as [Term, Term];
  return a === index ? { before, at: b, value, index } : b === index ? { before, at: a, value, index } : undefined;
}

/** A number that divides the word: the literal factor of a product, or the power of two in it where it may wrap. */
function divisorOf(word: Term, words: WordIntervals): bigint {
  const factor = isApplication(word, 'multiply') ? word.args.find((arg) => arg.kind === 'bits') : undefined;
  if (factor?.kind !== 'bits' || factor.value === 0n) return 1n;
  const most = (word as Application).args.reduce((product, arg) => product * words.of(arg).unsigned.high, 1n);
  return most < 1n << BigInt(widthOf(word)) ? factor.value : factor.value & -factor.value;
}

const readsElement = (call: Application): boolean => postOrder([call]).some((t) => isApplication(t, 'select'));

const isOfInteger = ({ name }: Application): boolean => /^convert-u?integer/.test(name!);
