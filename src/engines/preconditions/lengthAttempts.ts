/** Experiments with a failing execution: other objects, and other numbers, in one of its calls. */
import type { CType } from '../../c/types';
import type { Argument, Call, Scenario } from '../../evidence/scenarios/scenario';
import { passedStructure } from '../../program/passedStructure';
import type { Scalar } from '../../program/expression';
import type { FunctionDefinition } from '../../program/program';
import { isWide } from '../../semantics/concrete/concreteValues';
import type { Plain } from '../../verdict';

export interface LinearLength {
  readonly factor: number;
  readonly more: number;
}

export const attemptLimits = {
  /** Elements of the longest object that is tried. */
  elements: 4096,
  /** The largest number of elements that a function may take every object to have. */
  constant: 1024,
  /** Elements that are written for each that is read, as by an encoder; and behind them all, as the end of a text. */
  factor: 8,
  furtherElements: 1,
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
