/**
 * <math.h>. What IEEE 754 prescribes exactly (square root, rounding, remainders, neighbours) is exact; sines, powers
 * and their like are JavaScript's, which may differ from a C library's in the last digit. The versions for float round
 * the double's result.
 */
import { decompose } from './decimal';
import { UnsupportedByNative, type Native } from './native';
import { divideToEven, roundBinary } from '../../../c/floatingPoint';

/** To the nearest integer, halves to even. */
function rint(x: number): number {
  if (!Number.isFinite(x) || Math.abs(x) >= 2 ** 52) return x;
  const rounded = Math.abs(x) + 2 ** 52 - 2 ** 52;
  return x < 0 || Object.is(x, -0) ? -rounded : rounded;
}

/**
 * x - n*y for the integer n nearest to x/y, halves to even. Exact: every step is a remainder or a subtraction of
 * neighbours.
 */
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

/** JavaScript says NaN for 1^NaN and (-1)^infinity, IEEE 754 and C say 1. */
const pow = (x: number, y: number): number =>
  x === 1 || (x === -1 && !Number.isFinite(y) && !Number.isNaN(y)) ? 1 : x ** y;

const unary: Readonly<Record<string, (x: number) => number>> = {
  sqrt: Math.sqrt,
  rint,
  nearbyint: rint,
  sin: Math.sin,
  cos: Math.cos,
  tan: Math.tan,
  asin: Math.asin,
  acos: Math.acos,
  atan: Math.atan,
  sinh: Math.sinh,
  cosh: Math.cosh,
  tanh: Math.tanh,
  exp: Math.exp,
  exp2: (x) => 2 ** x,
  expm1: Math.expm1,
  log: Math.log,
  log2: Math.log2,
  log10: Math.log10,
  log1p: Math.log1p,
  cbrt: Math.cbrt,
  asinh: Math.asinh,
  acosh: Math.acosh,
  atanh: Math.atanh,
  exp10: (x) => 10 ** x,
  logb,
  erf,
  erfc,
  tgamma: gamma,
  lgamma: logGamma,
};
const binary: Readonly<Record<string, (x: number, y: number) => number>> = {
  pow,
  fmod: (x, y) => x % y,
  fdim: (x, y) => (x > y ? x - y : Number.isNaN(x) || Number.isNaN(y) ? NaN : 0),
  atan2: Math.atan2,
  hypot: Math.hypot,
  remainder,
  nextafter: nextDouble,
};

/** Lanczos' approximation (g = 7, n = 9), as in Numerical Recipes. */
const lanczos = [
  0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
  12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
];

function logGamma(x: number): number {
  if (!Number.isFinite(x)) return Number.isNaN(x) ? x : Infinity;
  if (x <= 0 && Number.isInteger(x)) return Infinity;
  if (x === 1 || x === 2) return 0;
  if (x < 0.5) return Math.log(Math.PI / Math.abs(Math.sin(Math.PI * x))) - logGamma(1 - x);
  const y = x - 1;
  const t = y + 7.5;
  const sum = lanczos.reduce((total, coefficient, i) => (i === 0 ? coefficient : total + coefficient / (y + i)), 0);
  return 0.5 * Math.log(2 * Math.PI) + (y + 0.5) * Math.log(t) - t + Math.log(sum);
}

function gamma(x: number): number {
  if (Number.isNaN(x) || x === -Infinity || (x < 0 && Number.isInteger(x))) return NaN;
  if (x === 0) return 1 / x;
  if (x > 171.7) return Infinity;
  if (Number.isInteger(x)) {
    let product = 1;
    for (let i = 2; i < x; i++) product *= i;
    return product;
  }
  if (x < 0.5) return Math.PI / (Math.sin(Math.PI * x) * gamma(1 - x));
  const y = x - 1;
  const t = y + 7.5;
  const sum = lanczos.reduce((total, coefficient, i) => (i === 0 ? coefficient : total + coefficient / (y + i)), 0);
  const half = t ** ((y + 0.5) / 2); // in two steps, so that nothing overflows on the way
  return Math.sqrt(2 * Math.PI) * half * Math.exp(-t) * half * sum;
}

/** The error function by its series, and by the continued fraction of its complement. */
function erf(x: number): number {
  const z = Math.abs(x);
  if (Number.isNaN(x)) return x;
  if (z >= 2.5) return Math.sign(x) * (1 - erfc(z));
  let term = z;
  let sum = z;
  for (let n = 1; Math.abs(term) > Math.abs(sum) * 1e-18 && n < 200; n++) {
    term *= (-z * z) / n;
    sum += term / (2 * n + 1);
  }
  return x === 0 ? x : ((Math.sign(x) * 2) / Math.sqrt(Math.PI)) * sum;
}
function erfc(x: number): number {
  if (x < 2.5) return 1 - erf(x);
  if (x > 27.3) return 0;
  let fraction = 0;
  for (let n = 120; n > 0; n--) fraction = n / 2 / (x + fraction);
  return Math.exp(-x * x) / Math.sqrt(Math.PI) / (x + fraction);
}

/** The exponent as a float: of 1.m * 2^e it is e. */
function logb(x: number): number {
  if (x === 0) return -Infinity;
  if (!Number.isFinite(x)) return x * x;
  const { mantissa, exponent } = decompose(x);
  return mantissa.toString(2).length - 1 + exponent;
}

/** x * 2^n, rounded once. */
function scale(x: number, n: number): number {
  if (x === 0 || !Number.isFinite(x) || n === 0) return x;
  if (n > 2200) return x * Infinity;
  if (n < -2200) return x * 0;
  const { mantissa, exponent } = decompose(x);
  const sign = x < 0 ? -1 : 1;
  const power = exponent + n;
  if (power >= -1074)
    return (
      sign *
      (power > 971 ? Number(mantissa) * 2 ** 971 * 2 ** Math.min(power - 971, 1000) : Number(mantissa) * 2 ** power)
    );
  return sign * Number(divideToEven(mantissa, 1n << BigInt(-1074 - power))) * Number.MIN_VALUE;
}

/** x * y + z, rounded once. */
function fma(x: number, y: number, z: number, widthBits: 32 | 64): number {
  if (![x, y, z].every(Number.isFinite) || x === 0 || y === 0) return x * y + z;
  if (z === 0)
    return x * y === 0 || !Number.isFinite(x * y)
      ? exactSum(x, y, 0, widthBits)
      : widthBits === 64
        ? x * y
        : Math.fround(x * y);
  return exactSum(x, y, z, widthBits);
}

function exactSum(x: number, y: number, z: number, widthBits: 32 | 64): number {
  const [a, b, c] = [decompose(x), decompose(y), decompose(z)];
  const unit = Math.min(a.exponent + b.exponent, c.exponent);
  const product = ((a.mantissa * b.mantissa) << BigInt(a.exponent + b.exponent - unit)) * (x < 0 !== y < 0 ? -1n : 1n);
  const sum = product + (c.mantissa << BigInt(c.exponent - unit)) * (z < 0 ? -1n : 1n);
  if (sum === 0n) return x * y + z;
  const magnitude = roundBinary(sum < 0n ? -sum : sum, unit, widthBits);
  return sum < 0n ? -magnitude : magnitude;
}

export const math: Readonly<Record<string, Native>> = Object.fromEntries([
  ...Object.entries(unary).flatMap(([name, f]) => versions(name, (x) => f(x!))),
  ...Object.entries(binary).flatMap(([name, f]) => versions(name, (x, y) => f(x!, y!))),
  ['nextafterf', native((x, y) => nextFloat(x!, y!))],
  ...['ldexp', 'scalbn', 'scalbln'].flatMap((name) => versions(name, (x, n) => scale(x!, n!))),
  [
    'fetestexcept',
    {
      run: () => {
        throw new UnsupportedByNative(
          'fetestexcept: which exceptions floating-point operations raised is not modelled',
        );
      },
    },
  ],
  ['fma', native((x, y, z) => fma(x!, y!, z!, 64))],
  ['fmal', native((x, y, z) => fma(x!, y!, z!, 64))],
  ['fmaf', native((x, y, z) => fma(x!, y!, z!, 32))],
]);

function versions(name: string, f: (...args: number[]) => number): [string, Native][] {
  return [
    [name, native(f)],
    [`${name}l`, native(f)],
    [`${name}f`, native((...args) => Math.fround(f(...args)))],
  ];
}

function native(f: (...args: number[]) => number): Native {
  return { run: (call) => f(...call.arguments.map(Number)) };
}
