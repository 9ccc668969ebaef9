/** Arithmetic of intervals of floating-point numbers that remember the conditions which their bounds rest on. */
import type { Term } from '../term';
import type { FloatRange } from './floats';
import { floatBits, floatOf } from './patterns';

export interface Because {
  readonly because: ReadonlySet<Term>;
}
export type FloatInterval = FloatRange & Because;

export const nothing: ReadonlySet<Term> = new Set();
export const none = { low: Infinity, high: -Infinity, mayBeNaN: false } as const;
export const anything: FloatInterval = { low: -Infinity, high: Infinity, mayBeNaN: true, because: nothing };

/**
 * The nearest number. An integer of more than 53 bits is rounded once: the bits that do not fit are one sticky bit when
 * it becomes a binary64 number, which decides ties as they would.
 */
export function convert(value: bigint, width: number): number {
  if (width === 64) return Number(value);
  const size = value < 0n ? -value : value;
  const dropped = BigInt(Math.max(0, size.toString(2).length - 53));
  const head = (size >> dropped) | (size % (1n << dropped) === 0n ? 0n : 1n);
  const nearest = Math.fround(Math.fround(Number(head)) * 2 ** Number(dropped));
  return value < 0n ? -nearest : nearest;
}

/** The next number of the format in that direction. */
export function neighbour(value: number, width: number, step: 1 | -1): number {
  if (!Number.isFinite(value)) return value === step * Infinity ? value : step * -largest(width);
  const sign = 1n << BigInt(width - 1);
  const pattern = floatBits(value, width as 32 | 64);
  const position = (pattern >= sign ? sign - pattern : pattern) + BigInt(step);
  return floatOf(position < 0n ? sign - position : position, width);
}
export const largest = (width: number): number => floatOf(floatBits(Infinity, width as 32 | 64) - 1n, width);

export const both = (a: ReadonlySet<Term>, b: Iterable<Term>): ReadonlySet<Term> => new Set([...a, ...b]);

/** `old` itself if nothing is new. */
export function meet(old: FloatInterval, by: Partial<FloatRange>, because: Iterable<Term>): FloatInterval {
  const low = by.low !== undefined && by.low > old.low ? by.low : old.low;
  const high = by.high !== undefined && by.high < old.high ? by.high : old.high;
  const mayBeNaN = old.mayBeNaN && by.mayBeNaN !== false;
  if (low === old.low && high === old.high && mayBeNaN === old.mayBeNaN) return old;
  return { low, high, mayBeNaN, because: both(old.because, because) };
}

/** An interval without numbers is empty, but for the NaN that it may have. */
export function hull(a: FloatInterval, b: FloatInterval): FloatInterval {
  return {
    low: Math.min(a.low, b.low),
    high: Math.max(a.high, b.high),
    mayBeNaN: a.mayBeNaN || b.mayBeNaN,
    because: both(a.because, b.because),
  };
}

/** Results before they are rounded to binary32. Without an operator: of a conversion between the formats. */
export function compute(
  operator: string | undefined,
  x: FloatInterval,
  y: FloatInterval,
  isSquare: boolean,
): FloatInterval {
  if (operator === undefined) return x;
  if (operator === 'negate') return { ...x, low: -x.high, high: -x.low };
  if (operator === 'sqrt') {
    if (x.low > x.high) return x;
    const mayBeNaN = x.mayBeNaN || x.low < 0;
    if (x.high < 0) return { ...none, mayBeNaN, because: x.because };
    return { low: Math.sqrt(Math.max(x.low, 0)), high: Math.sqrt(x.high), mayBeNaN, because: x.because };
  }
  const because = both(x.because, y.because);
  const mayBeNaN = x.mayBeNaN || y.mayBeNaN;
  // Bounds of numbers that are not there mean nothing.
  if (x.low > x.high || y.low > y.high) return { ...anything, because };
  const isInfinite = ({ low, high }: FloatInterval): boolean => low === -Infinity || high === Infinity;
  const hasZero = ({ low, high }: FloatInterval): boolean => low <= 0 && high >= 0;
  const sum = (b: FloatInterval): FloatInterval => ({
    low: x.low === -Infinity || b.low === -Infinity ? -Infinity : x.low + b.low,
    high: x.high === Infinity || b.high === Infinity ? Infinity : x.high + b.high,
    mayBeNaN: mayBeNaN || (x.high === Infinity && b.low === -Infinity) || (x.low === -Infinity && b.high === Infinity),
    because,
  });
  switch (operator) {
    case 'fmod': {
      const size = ({ low, high }: FloatInterval): number => Math.max(Math.abs(low), Math.abs(high));
      const most = Math.min(size(x), size(y));
      return {
        low: x.low >= 0 ? 0 : -most,
        high: x.high <= 0 ? 0 : most,
        mayBeNaN: mayBeNaN || isInfinite(x) || hasZero(y),
        because,
      };
    }
    case 'add':
      return sum(y);
    case 'subtract':
      return sum({ ...y, low: -y.high, high: -y.low });
    case 'multiply': {
      const range = ends(x, y, (a, b) => (a === 0 || b === 0 ? 0 : a * b));
      return {
        low: isSquare ? Math.max(0, range.low) : range.low,
        high: range.high,
        mayBeNaN: mayBeNaN || (!isSquare && ((hasZero(x) && isInfinite(y)) || (hasZero(y) && isInfinite(x)))),
        because,
      };
    }
    default:
      // A zero has two signs.
      if (hasZero(y)) return { ...anything, because };
      return {
        ...ends(x, y, (a, b) => (Number.isFinite(b) ? a / b : 0)),
        mayBeNaN: mayBeNaN || (isInfinite(x) && isInfinite(y)),
        because,
      };
  }
}

function ends(x: FloatInterval, y: FloatInterval, f: (a: number, b: number) => number): { low: number; high: number } {
  const all = [f(x.low, y.low), f(x.low, y.high), f(x.high, y.low), f(x.high, y.high)];
  return { low: Math.min(...all), high: Math.max(...all) };
}
