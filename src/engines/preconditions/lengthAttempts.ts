/** Experiments with a failing execution: other objects, and other numbers, in one of its calls. */
import type { CType } from '../../c/types';
import type { Argument, Call, Scenario } from '../../evidence/scenarios/scenario';
import { passedStructure } from '../../program/passedStructure';
import type { Scalar } from '../../program/expression';
import type { FunctionDefinition } from '../../program/program';
import { isWide } from '../../semantics/concrete/concreteValues';
import type { Plain } from '../../verdict';

/** So many elements for each that a number counts, and more behind them all. */
export interface LinearLength {
  readonly factor: number;
  readonly more: number;
  /** The number counts in groups: `factor` elements for each of `(n + roundUp) / size`, in whole numbers. */
  readonly groups?: { readonly size: number; readonly roundUp: number };
}

/** Elements for the product of these numbers; only a single one counts in groups. */
export function elementsFor(linear: LinearLength | undefined, numbers: readonly bigint[]): bigint {
  const { factor = 1, more = 0, groups } = linear ?? {};
  const product = numbers.reduce((a, b) => a * b, 1n);
  const counted = groups ? (product + BigInt(groups.roundUp)) / BigInt(groups.size) : product;
  return BigInt(factor) * counted + BigInt(more);
}

/** As a condition says it: `(n + 2) / 3 * 4 + 1`. */
export function lengthText(linear: LinearLength | undefined, names: readonly string[]): string {
  const { factor = 1, more = 0, groups } = linear ?? {};
  const product = names.join(' * ');
  const end = more > 0 ? ` + ${more}` : '';
  if (!groups) return `${factor > 1 ? `${factor} * ` : ''}${product}${end}`;
  const { size, roundUp } = groups;
  return `${roundUp > 0 ? `(${product} + ${roundUp})` : product} / ${size}${factor > 1 ? ` * ${factor}` : ''}${end}`;
}

export const attemptLimits = {
  /** Elements of the longest object that is tried. */
  elements: 4096,
  /** The largest number of elements that a function may take every object to have. */
  constant: 1024,
  /** Elements that are written for each that is read, as by an encoder; and behind them all, as the end of a text. */
  factor: 8,
  furtherElements: 1,
  /** Elements of a group: bits of a byte, or bytes of a group that an encoder takes together. */
  group: 8,
} as const;
/** A number that does not count for a length may be anything. */
const otherNumbers = [1n, 7n, 300n];
/** The second is no end of a text. */
export const fillings = [0, 65];
/** All but the last element are 65. */
export const textFilling = -1;

/**
 * The lengths that a number needs, as a line. One more than the number is none: where a function writes behind what it
 * was told is there, that would be an excuse for every end of a range that is missed by one.
 */
export function linearIn(attempt: Attempt, at: number): LinearLength | undefined {
  const [one, two] = [1n, 2n].map((value) =>
    attempt.leastFor(at, value, 2 * attemptLimits.factor + attemptLimits.furtherElements),
  );
  if (one === undefined || two === undefined) return undefined;
  const factor = two - one;
  const more = one - factor;
  if (factor < 2 || factor > attemptLimits.factor || more < 0 || more > attemptLimits.furtherElements) return undefined;
  const isLine = [3n, 7n].every((value) => attempt.hangsOn(BigInt(factor) * value + BigInt(more), [[at, value]]));
  return isLine && attempt.isHarmless(BigInt(Math.max(1, more)), [[at, 0n]]) ? { factor, more } : undefined;
}

/**
 * The lengths that a number needs, in steps: a bit set of `n` bits has `(n + 7) / 8` bytes, and a text in base 64 four
 * characters for every three bytes that were begun. Each step up to two groups is measured, and a few behind. One
 * element more is none behind groups of single elements: `bits[n / 8]` is missed by one where `n` is a multiple of 8.
 */
export function groupedIn(attempt: Attempt, at: number): LinearLength | undefined {
  const { factor: mostFactor, furtherElements, group: largest } = attemptLimits;
  const far = 2 * largest + 1;
  const most = (mostFactor * (far + 1)) / 2 + furtherElements;
  const measured: number[] = [];
  const measure = (value: number): number | undefined =>
    (measured[value] ??= attempt.leastFor(at, BigInt(value), most) ?? NaN);
  const kept = (linear: LinearLength, values: readonly number[]): boolean =>
    // No element at all is as good as one: null may be as harmless.
    values.every((value) => measure(value) === Math.max(1, Number(elementsFor(linear, [BigInt(value)]))));
  const [first, last] = [measure(1)!, measure(far)!];
  // It does not count here, or in single elements.
  if (Number.isNaN(first + last) || first === last || last - first === far - 1) return undefined;
  for (let size = 2; size <= largest; size++) {
    // Groups that are begun count, or only those that are complete.
    for (const roundUp of [size - 1, 0]) {
      const [before, behind] = roundUp > 0 ? [measure(size), measure(size + 1)] : [measure(size), measure(2 * size)];
      const factor = behind! - before!;
      if (!(factor >= 1 && factor <= mostFactor)) continue;
      // The number of elements itself, rounded up: the rest of the last group lies beyond what is counted.
      if (roundUp > 0 && factor === size) continue;
      const linear: LinearLength = { factor, more: Math.max(0, before! - factor), groups: { size, roundUp } };
      if (linear.more > (factor > 1 ? furtherElements : 0)) continue;
      const steps = Array.from({ length: 2 * size + 1 }, (_, value) => value).slice(1);
      const behindThem = [3 * size, 3 * size + 1, 5 * size - 1, 7 * size].map((value) => BigInt(value));
      if (
        kept(linear, steps) &&
        behindThem.every((value) => attempt.hangsOn(elementsFor(linear, [value]), [[at, value]])) &&
        attempt.isHarmless(BigInt(Math.max(1, linear.more)), [[at, 0n]])
      )
        return linear;
    }
  }
  return undefined;
}

/** The failing clients once more, with other objects and numbers in one call. */
export class Attempt {
  constructor(
    private readonly scenario: Scenario,
    private readonly index: number,
    private readonly pointer: number,
    /** Undefined when a client may not do it. */
    private readonly failsAs: (scenario: Scenario) => boolean | undefined,
    private readonly object: (elements: number, filling: number) => Argument | undefined,
  ) {}

  /** One element fewer fails, as many do not. */
  hangsOn(elements: bigint, numbers: readonly (readonly [number, bigint])[], filling = 0): boolean {
    return (
      elements > 0n &&
      elements <= attemptLimits.elements &&
      this.fails(elements - 1n, numbers, filling) === true &&
      this.isHarmless(elements, numbers)
    );
  }

  /** The number of elements that ends the failure, whatever the numbers are. */
  leastConstant(length: number, numbers: readonly number[]): number | undefined {
    let [enough, short]: [number, number] = [attemptLimits.constant, length];
    if (length >= enough || this.fails(BigInt(length), []) !== true || !this.isHarmless(BigInt(enough), []))
      return undefined;
    while (enough - short > 1) {
      const between = (enough + short) >> 1;
      if (this.isHarmless(BigInt(between), [])) enough = between;
      else short = between;
    }
    return this.isEnough(BigInt(enough), numbers) ? enough : undefined;
  }

  /** As many elements end the failure, with the numbers as they are and with others. */
  isEnough(elements: bigint, numbers: readonly number[]): boolean {
    const { arguments: given } = this.scenario.calls[this.index]!;
    return (
      this.isHarmless(elements, []) &&
      numbers.every((at) =>
        otherNumbers.every((more) => this.isHarmless(elements, [[at, BigInt(scalarOf(given[at]!)) + more]])),
      ) &&
      // Nor may it count what a parameter leads to.
      given.every((argument, at) => {
        const counter = at === this.pointer || numbers.includes(at) ? undefined : this.counterBehind(argument, at);
        return counter === undefined || otherNumbers.every((more) => this.isHarmless(elements, [[at, counter + more]]));
      })
    );
  }

  private counterBehind(argument: Argument, at: number): bigint | undefined {
    const { fn } = this.scenario.calls[this.index]!;
    const to = pointee(fn, at);
    const isCount = to?.kind === 'integer' && to.name !== 'bool' && to.widthBits > 8;
    return isCount && argument.kind === 'object' ? numberAt(argument, fn.parameters[at]!.type)?.now : undefined;
  }

  /** The number of elements that ends the failure for this value of a number; undefined for more than `most`. */
  leastFor(at: number, value: bigint, most: number): number | undefined {
    const isEnough = (elements: number): boolean => this.isHarmless(BigInt(elements), [[at, value]]);
    let [enough, short] = [most, 0];
    if (!isEnough(enough)) return undefined;
    while (enough - short > 1) {
      const between = (enough + short) >> 1;
      if (isEnough(between)) enough = between;
      else short = between;
    }
    return enough;
  }

  /** If a text will do, clients need not keep to its length. */
  isHarmlessText(): boolean {
    return this.fails(1n, []) === false && this.fails(2n, [], textFilling) === false;
  }

  isHarmless(elements: bigint, numbers: readonly (readonly [number, bigint])[]): boolean {
    return fillings.every((filling) => this.fails(elements, numbers, filling) === false);
  }

  fails(elements: bigint, numbers: readonly (readonly [number, bigint])[], filling = 0): boolean | undefined {
    const { calls } = this.scenario;
    const object = elements <= attemptLimits.elements ? this.object(Number(elements), filling) : undefined;
    if (!object) return undefined;
    const { fn, arguments: given } = calls[this.index]!;
    let changed = given.with(this.pointer, object);
    for (const [at, value] of numbers) {
      const { type } = fn.parameters[at]!;
      const counter = numberAt(changed[at]!, type);
      const counted = type.kind === 'integer' ? type : pointee(fn, at);
      if (
        !counter ||
        (counted?.kind === 'integer' && value >= 1n << BigInt(counted.widthBits - (counted.signed ? 1 : 0)))
      )
        return undefined;
      changed = changed.with(at, counter.with(value));
    }
    const call: Call = { fn, arguments: changed };
    return this.failsAs({ ...this.scenario, calls: calls.with(this.index, call) });
  }
}

/** A number that is passed, or lies in an object of its own, and the argument with another. */
export function numberAt(
  argument: Argument,
  type: Scalar,
): { readonly now: bigint; readonly with: (value: bigint) => Argument } | undefined {
  if (type.kind === 'integer')
    return {
      now: BigInt(scalarOf(argument)),
      with: (value) => ({ kind: 'scalar', value: isWide(type) ? value : Number(value) }),
    };
  if (argument.kind !== 'object') return undefined;
  const { contents } = argument;
  const [first = 0] = Array.isArray(contents) ? (contents as readonly Plain[]) : [contents];
  if (typeof first !== 'number' && typeof first !== 'bigint') return undefined;
  return {
    now: BigInt(first),
    with: (value) => {
      const number = typeof first === 'bigint' ? value : Number(value);
      return { ...argument, contents: Array.isArray(contents) ? [number, ...contents.slice(1)] : number };
    },
  };
}

export function pointee(fn: FunctionDefinition, at: number): CType | undefined {
  const parameter = fn.parameters[at]!;
  return parameter.ctype?.kind === 'pointer' && !passedStructure(fn, parameter) ? parameter.ctype.to : undefined;
}

export const scalarOf = (argument: Argument): number | bigint =>
  argument.kind === 'scalar' ? (argument.value as number | bigint) : 0;
