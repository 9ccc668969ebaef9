/**
 * Candidates about the lengths of lists: that a number is the length of a list, or differs from it by a constant; that
 * a number and what is left of a list add up to the whole, or to another number, as where nodes are counted; that two
 * lists together have as many nodes as a number says; bounds of lengths by constants and numbers. So a cache with room
 * for four nodes has some when it is full.
 */
import * as L from '../../../logic/build';
import { compile, type Compiled } from '../../../logic/compile';
import { symbolsOf } from '../../../logic/symbols';
import type { SymbolTerm, Term } from '../../../logic/term';
import type { LinkVariables } from '../../../semantics/symbolic/memoryModel';
import type { TransitionSystem } from '../../transitionSystem/transitionSystem';
import type { Observable } from '../samples';
import type { Heap, Name } from './linkedHeap';
import { SeenNumbers } from './nodeNumbers';

const limits = {
  /** Lists at one control point. */
  lists: 5,
  /** Numbers in scope. */
  numbers: 5,
  /** States of one control point, no two alike. */
  states: 200,
  /** Fewer states have something in common by chance. */
  leastStates: 3,
  /** A bound is this near to the number that is compared: one may be counted before the other. */
  slack: 2n,
  /** Upper bounds of one number. */
  bounds: 3,
  /** Candidates of one control point. */
  candidates: 80,
} as const;

/** Sums of lengths and 32-bit numbers are exact; of 64-bit numbers they are in the wider sort. */
const widths = { narrow: 64, wide: 72 } as const;

interface Quantity {
  /** The value in so many bits, signed. */
  readonly term: (width: number) => Term;
  readonly isWide: boolean;
  /** A number that counts modulo 2 to this many bits, fewer than lengths have. */
  readonly wrapsAt?: number;
}

export class ListLengths {
  private readonly lists: readonly { readonly name: Name; readonly index: number; readonly quantity: Quantity }[];
  private readonly numbers: readonly (Observable & {
    readonly reader: Compiled;
    readonly range: SeenNumbers;
    readonly quantity: Quantity;
    /** It keeps its value between calls. */
    readonly isStatic: boolean;
  })[];
  private readonly vectors = new Map<string, { readonly lists: readonly bigint[]; readonly numbers: bigint[] }>();

  /** `numbers`: in scope. `constants` ascend. */
  constructor(
    link: LinkVariables,
    names: readonly Name[],
    numbers: readonly Observable[],
    private readonly constants: readonly bigint[],
    system: TransitionSystem,
  ) {
    this.lists = names
      .map((name, index) => ({ name, index, quantity: { term: lengthOf(link, name, system), isWide: false } }))
      .slice(0, link.count ? limits.lists : 0);
    this.numbers = numbers
      .filter(({ name, widthBits }) => name !== system.program.liveBlocks?.name && widthBits <= 64)
      .slice(0, limits.numbers)
      .map((number) => ({
        ...number,
        reader: compile(number.term),
        range: new SeenNumbers(),
        isStatic: [...symbolsOf(number.term)].every((symbol) => isBetweenCalls(symbol, system)),
        quantity: {
          term: (width) => (number.signed ? L.signExtend : L.zeroExtend)(number.term, width),
          isWide: number.widthBits > 32,
          ...(!number.signed && number.widthBits <= 32 && { wrapsAt: number.widthBits }),
        },
      }));
  }

  /** A state seen. */
  record(heap: Heap): void {
    if (this.lists.length === 0 || this.vectors.size >= limits.states) return;
    const lists = this.lists.map(({ name, index }) => lengthIn(heap, name, index));
    const numbers = this.numbers.map(({ reader, signed, widthBits }) => {
      const value = reader(heap.value) as bigint;
      return signed ? BigInt.asIntN(widthBits, value) : BigInt.asUintN(widthBits, value);
    });
    const key = [...lists, ...numbers].join();
    if (this.vectors.has(key)) return;
    this.numbers.forEach(({ range }, j) => range.see(numbers[j]!));
    this.vectors.set(key, { lists, numbers });
  }

  candidates(): readonly Term[] {
    const { lists, numbers, constants } = this;
    const vectors = [...this.vectors.values()];
    if (vectors.length < limits.leastStates) return [];
    const found = new Set<Term>();
    // One that is never longer than a node is the end of another.
    const long = lists.flatMap(({ quantity, name: { isStatic } }, i) =>
      vectors.some((v) => v.lists[i]! > 1n) ? [{ quantity, isStatic, i }] : [],
    );
    // Bounds by constants are those of the numbers that lengths are compared with.
    const compared = new Set<number>();
    for (const { quantity: list, isStatic, i } of long) {
      let isBounded = false;
      numbers.forEach(({ quantity: number, isStatic: isKept }, j) => {
        const before = found.size;
        const differences = vectors.map((v) => v.lists[i]! - v.numbers[j]!);
        const isEqual = this.equation([list], [number], differences, found);
        // A list that a function walks along or builds is told of by its own numbers, or by equations.
        if (isStatic || !isKept) this.bounds(list, number, differences, found, isEqual ? 'in case' : 'alone');
        numbers.forEach(({ quantity: all }, k) => {
          if (k === j) return;
          const rest = vectors.map((v) => v.lists[i]! + v.numbers[j]! - v.numbers[k]!);
          if (vectors.some((v) => v.numbers[j] !== 0n)) this.equation([list, number], [all], rest, found);
        });
        if (found.size > before) isBounded = true;
        for (const { quantity: other, i: k } of long) {
          if (k === i) continue;
          const parts = vectors.map((v) => v.lists[i]! + v.numbers[j]! - v.lists[k]!);
          this.equation([list, number], [other], parts, found);
          // Some nodes may not be counted, which need not have been seen.
          this.upperBound([list, number], other, parts, found);
          if (i > k) continue;
          const both = vectors.map((v) => v.lists[i]! + v.lists[k]! - v.numbers[j]!);
          this.equation([list, other], [number], both, found);
        }
        if (found.size > before) compared.add(j);
      });
      for (const { quantity: other, i: k } of long)
        if (i < k) {
          const differences = vectors.map((v) => v.lists[i]! - v.lists[k]!);
          this.equation([list], [other], differences, found);
        }
      const longest = vectors.reduce((most, { lists: seen }) => (seen[i]! > most ? seen[i]! : most), 0n);
      const bound = isBounded ? undefined : constants.find((c) => c >= longest);
      if (bound !== undefined) found.add(L.sle(list.term(widths.narrow), L.bits(bound, widths.narrow)));
    }
    if (found.size > 0)
      for (const { term, range, signed, widthBits } of numbers.filter((_, j) => compared.has(j)))
        for (const body of range.candidates(term, { signed, widthBits }, constants, limits.bounds)) found.add(body);
    return [...found].filter((term) => term.kind !== 'boolean').slice(0, limits.candidates);
  }

  /** The sums of the quantities differ by a constant, if their differences are one; also as far as numbers say. */
  private equation(
    left: readonly Quantity[],
    right: readonly Quantity[],
    differences: readonly bigint[],
    found: Set<Term>,
  ): boolean {
    const [first] = differences;
    if (differences.some((d) => d !== first)) return false;
    const width = commonWidth([...left, ...right]);
    const [one, other] = [sum(left, width), plus(sum(right, width), first!)];
    found.add(L.eq(one, other));
    // A list may be longer than a number that counts its nodes can say.
    const wraps = [...left, ...right].flatMap(({ wrapsAt }) => wrapsAt ?? []);
    if (wraps.length > 0) {
      const bits = Math.min(...wraps);
      found.add(L.eq(L.extract(bits - 1, 0, one), L.extract(bits - 1, 0, other)));
    }
    return true;
  }

  /** The sum is never more than the other quantity and a small constant; said so that it follows from an equation. */
  private upperBound(
    left: readonly Quantity[],
    right: Quantity,
    differences: readonly bigint[],
    found: Set<Term>,
  ): void {
    const most = differences.reduce((a, b) => (b > a ? b : a));
    if (!isNear(most)) return;
    const width = commonWidth([...left, right]);
    const [all, bound] = [sum(left, width), plus(right.term(width), most)];
    found.add(L.or(L.eq(all, bound), L.slt(all, bound)));
  }

  /**
   * A number bounds a list's length, nearly. `in case`: they differ by a constant in what was seen, which may be
   * chance; that the number is not less, or not more, is looked at where it is.
   */
  private bounds(
    list: Quantity,
    number: Quantity,
    differences: readonly bigint[],
    found: Set<Term>,
    when: 'alone' | 'in case',
  ): void {
    const [least, most] = differences.reduce(
      ([low, high], d) => [d < low ? d : low, d > high ? d : high],
      [differences[0]!, differences[0]!],
    );
    const width = number.isWide ? widths.wide : widths.narrow;
    const [length, other] = [list.term(width), number.term(width)];
    const say = (a: Term, b: Term): void => {
      found.add(when === 'alone' ? L.sle(a, b) : L.or(L.eq(length, plus(other, most)), L.slt(a, b)));
    };
    if (isNear(most)) say(length, plus(other, most));
    if (isNear(least) && when === 'in case') say(plus(other, least), length);
  }
}

/** The symbol stands for a part of the state that clients find between calls. */
function isBetweenCalls(symbol: SymbolTerm, { vocabulary }: TransitionSystem): boolean {
  const meaning = vocabulary.meaning(symbol);
  return meaning?.kind !== 'variable' || meaning.variable.scope === 'global';
}

const isNear = (difference: bigint): boolean => difference >= -limits.slack && difference <= limits.slack;

/** In bits: sums of so many are exact. */
const commonWidth = (all: readonly Quantity[]): number =>
  all.some(({ isWide }) => isWide) ? widths.wide : widths.narrow;

const sum = (all: readonly Quantity[], width: number): Term =>
  all.map(({ term }) => term(width)).reduce((a, b) => L.add(a, b));

const plus = (term: Term, value: bigint): Term => {
  const width = L.widthOf(term);
  return L.add(term, L.bits(BigInt.asUintN(width, value), width));
};

/** Number of nodes: none for null, and an object that is a variable is no node. */
function lengthOf(
  { count }: LinkVariables,
  { object, isObject }: Name,
  { memoryModel, vocabulary }: TransitionSystem,
): Quantity['term'] {
  if (!count) return () => L.FALSE;
  const reached = L.select(vocabulary.symbolOf(count), object);
  const bits = L.widthOf(reached);
  const one = L.bits(1n, bits);
  const length = isObject
    ? L.sub(reached, one)
    : L.ite(L.eq(object, L.bits(0n, memoryModel.half)), L.bits(0n, bits), reached);
  return (width) => L.signExtend(length, width);
}

function lengthIn(heap: Heap, { isObject }: Name, index: number): bigint {
  const value = heap.values[index]!;
  const count = BigInt(heap.chains.count(value));
  if (isObject) return count - 1n;
  return value === 0 ? 0n : count;
}
