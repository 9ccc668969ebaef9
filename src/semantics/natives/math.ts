/**
 * <math.h>. What IEEE 754 prescribes exactly (square root, rounding, remainders, neighbours) is exact; sines, powers and their like are
 * JavaScript's, which may differ from a C library's in the last digit. The versions for float round the double's result.
 */
import type { Native } from './native';

/** To the nearest integer, halves to even. */
function rint(x: number): number {
  if (!Number.isFinite(x) || Math.abs(x) >= 2 ** 52) return x;
  const rounded = Math.abs(x) + 2 ** 52 - 2 ** 52;
  return x < 0 || Object.is(x, -0) ? -rounded : rounded;
}

/** To the nearest integer, halves away from zero. */
function round(x: number): number {
  const whole = Math.trunc(x);
  return Math.abs(x - whole) >= 0.5 ? whole + Math.sign(x) : whole;
}

/** x - n*y for the integer n nearest to x/y, halves to even. Exact: every step is a remainder or a subtraction of neighbours. */
function remainder(x: number, y: number): number {
  if (!Number.isFinite(x) || y === 0 || Number.isNaN(y)) return NaN;
  if (!Number.isFinite(y)) return x;
  const divisor = Math.abs(y);
  const twoRests = 2 * divisor < Infinity ? Math.abs(x) % (2 * divisor) : Math.abs(x);
  const odd = twoRests >= divisor;
  const rest = odd ? twoRests - divisor : twoRests;
  const nearest = rest > divisor - rest || (rest === divisor - rest && odd) ? rest - divisor : rest;
  return x < 0 || Object.is(x, -0) ? -nearest : nearest;
}

const view = new DataView(new ArrayBuffer(8));
/** The next double after x towards y. */
function nextDouble(x: number, y: number): number {
  if (Number.isNaN(x) || Number.isNaN(y)) return NaN;
  if (x === y) return y;
  if (x === 0) return y > 0 ? Number.MIN_VALUE : -Number.MIN_VALUE;
  view.setFloat64(0, x);
  view.setBigInt64(0, view.getBigInt64(0) + (y > x === x > 0 ? 1n : -1n));
  return view.getFloat64(0);
}
function nextFloat(x: number, y: number): number {
  if (Number.isNaN(x) || Number.isNaN(y)) return NaN;
  if (x === y) return y;
  if (x === 0) return y > 0 ? 2 ** -149 : -(2 ** -149);
  view.setFloat32(0, x);
  view.setInt32(0, view.getInt32(0) + (y > x === x > 0 ? 1 : -1));
  return view.getFloat32(0);
}

const numberOr = (x: number, y: number, choose: (x: number, y: number) => number): number => (Number.isNaN(x) ? y : Number.isNaN(y) ? x : choose(x, y));
const withSign = (x: number, sign: number): number => (sign < 0 || Object.is(sign, -0) ? -Math.abs(x) : Math.abs(x));
/** JavaScript says NaN for 1^NaN and (-1)^infinity, IEEE 754 and C say 1. */
const pow = (x: number, y: number): number => (x === 1 || (x === -1 && !Number.isFinite(y) && !Number.isNaN(y)) ? 1 : x ** y);

const unary: Readonly<Record<string, (x: number) => number>> = {
  fabs: Math.abs, sqrt: Math.sqrt, floor: Math.floor, ceil: Math.ceil, trunc: Math.trunc, round, rint, nearbyint: rint,
  sin: Math.sin, cos: Math.cos, tan: Math.tan, asin: Math.asin, acos: Math.acos, atan: Math.atan, sinh: Math.sinh, cosh: Math.cosh, tanh: Math.tanh,
  exp: Math.exp, exp2: (x) => 2 ** x, expm1: Math.expm1, log: Math.log, log2: Math.log2, log10: Math.log10, log1p: Math.log1p, cbrt: Math.cbrt,
};
const binary: Readonly<Record<string, (x: number, y: number) => number>> = {
  pow, fmod: (x, y) => x % y, fmin: (x, y) => numberOr(x, y, Math.min), fmax: (x, y) => numberOr(x, y, Math.max),
  fdim: (x, y) => (x > y ? x - y : Number.isNaN(x) || Number.isNaN(y) ? NaN : 0),
  atan2: Math.atan2, hypot: Math.hypot, copysign: withSign, remainder, nextafter: nextDouble,
};

export const math: Readonly<Record<string, Native>> = Object.fromEntries([
  ...Object.entries(unary).flatMap(([name, f]) => versions(name, (x) => f(x!))),
  ...Object.entries(binary).flatMap(([name, f]) => versions(name, (x, y) => f(x!, y!))),
  ['nextafterf', native((x, y) => nextFloat(x!, y!))],
]);

function versions(name: string, f: (...args: number[]) => number): [string, Native][] {
  return [[name, native(f)], [`${name}l`, native(f)], [`${name}f`, native((...args) => Math.fround(f(...args)))]];
}

function native(f: (...args: number[]) => number): Native {
  return { writesMemory: false, run: (call) => f(...call.arguments.map(Number)) };
}
