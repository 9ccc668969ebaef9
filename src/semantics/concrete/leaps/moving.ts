/**
 * Integers that move evenly with rounds of loops: value + sum of growth * round, modulo the width, where each loop that
 * is gone round in counts its rounds from 0. And the room that is left until one of them is read otherwise.
 */
import { maximum, minimum, wrap } from '../../../program/build';
import type { IntegerScalar } from '../../../program/expression';

/** By loop, outermost 0: what each of its rounds adds. Signed, and never 0. */
export type Growths = ReadonlyMap<number, bigint>;

export interface Moving {
  /** In round 0 of every loop; within the range of its type. */
  readonly value: bigint;
  readonly growths: Growths;
}

/** A linear integer, without a width, that is not negative in any round that is made. */
export type Room = Moving;

const none: Growths = new Map();

export const still = (value: bigint): Moving => ({ value, growths: none });
export const isStill = ({ growths }: Moving): boolean => growths.size === 0;

/** Growths that are combined loop by loop, as words of a width; without one as integers. */
function combined(
  a: Growths,
  b: Growths,
  operate: (a: bigint, b: bigint) => bigint,
  widthBits: number | undefined,
): Growths {
  const found = new Map<number, bigint>();
  for (const loop of new Set([...a.keys(), ...b.keys()])) {
    const sum = operate(a.get(loop) ?? 0n, b.get(loop) ?? 0n);
    const growth = widthBits === undefined ? sum : BigInt.asIntN(widthBits, sum);
    if (growth !== 0n) found.set(loop, growth);
  }
  return found;
}

export const added = (a: Growths, b: Growths, widthBits?: number): Growths =>
  combined(a, b, (x, y) => x + y, widthBits);
export const subtracted = (a: Growths, b: Growths, widthBits?: number): Growths =>
  combined(a, b, (x, y) => x - y, widthBits);
export const scaled = (a: Growths, factor: bigint, widthBits?: number): Growths =>
  combined(a, none, (x) => x * factor, widthBits);

export const isSame = (a: Growths, b: Growths): boolean => subtracted(a, b).size === 0;

export const isMultiple = (a: Growths, of: bigint): boolean => [...a.values()].every((growth) => growth % of === 0n);

/** Room until the integer, read as a number, wraps around. */
export function roomInRange({ value, growths }: Moving, type: IntegerScalar): readonly Room[] {
  return [
    { value: value - minimum(type), growths },
    { value: maximum(type) - value, growths: scaled(growths, -1n) },
  ];
}

/** Rounds of a loop, beginning with round 0, in which the room lasts; undefined if there is no end. */
export function roundsWithin({ value, growths }: Room, loop: number): bigint | undefined {
  const growth = growths.get(loop) ?? 0n;
  return growth < 0n ? value / -growth + 1n : undefined;
}

/** The least room in so many rounds of a loop, for the loops around it. */
export function leastOver({ value, growths }: Room, loop: number, rounds: bigint): Room {
  const growth = growths.get(loop) ?? 0n;
  return { value: growth < 0n ? value + growth * (rounds - 1n) : value, growths: without(growths, loop) };
}

/** The integer behind so many rounds of a loop. */
export function after({ value, growths }: Moving, loop: number, rounds: bigint, type: IntegerScalar): Moving {
  return { value: wrap(value + (growths.get(loop) ?? 0n) * rounds, type), growths: without(growths, loop) };
}

/** The integer with another growth in a loop. */
export function withGrowth({ value, growths }: Moving, loop: number, growth: bigint): Moving {
  const others = new Map(growths);
  if (growth === 0n) others.delete(loop);
  else others.set(loop, growth);
  return { value, growths: others };
}

const without = (growths: Growths, loop: number): Growths => new Map([...growths].filter(([other]) => other !== loop));
