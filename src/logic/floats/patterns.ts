/** IEEE 754 numbers and their bit patterns, and rounded operations on literals. */
import { bits } from '../intern';
import type { Term } from '../term';

export function floatOf(pattern: bigint, width: number): number {
  const view = new DataView(new ArrayBuffer(8));
  if (width === 32) {
    view.setUint32(0, Number(pattern));
    return view.getFloat32(0);
  }
  view.setBigUint64(0, pattern);
  return view.getFloat64(0);
}

/** NaN always has the same pattern, because the bits that the JavaScript engine gives a NaN differ from run to run. */
export function floatBits(value: number, width: 32 | 64): bigint {
  if (Number.isNaN(value)) return width === 32 ? 0x7fc00000n : 0x7ff8000000000000n;
  const view = new DataView(new ArrayBuffer(8));
  if (width === 32) {
    view.setFloat32(0, value);
    return BigInt(view.getUint32(0));
  }
  view.setFloat64(0, value);
  return view.getBigUint64(0);
}

/** The number as C prints it. */
export function floatText(pattern: bigint, width: number): string {
  const value = floatOf(pattern, width);
  return Number.isNaN(value)
    ? 'NAN'
    : !Number.isFinite(value)
      ? `${value < 0 ? '-' : ''}INFINITY`
      : Object.is(value, -0)
        ? '-0.0'
        : Number.isInteger(value) && Math.abs(value) < 1e21
          ? value.toFixed(1)
          : String(value);
}

/** Remainders (`fmod`) are exact, and square roots are rounded once (IEEE 754, 5.4.1). */
const rounded: Readonly<Record<string, (a: number, b: number) => number>> = {
  sqrt: (a) => Math.sqrt(a),
  fmod: (a, b) => a % b,
  add: (a, b) => a + b,
  subtract: (a, b) => a - b,
  multiply: (a, b) => a * b,
  divide: (a, b) => a / b,
};

const operationOnLiterals = new RegExp(
  '^(?:float-(add|subtract|multiply|divide|sqrt|fmod|negate)|convert-float(?:32|64)-float|' +
    'convert-(u?)integer(?:8|16|32|64)-float)-?(32|64)$',
);

/**
 * The result of an operation on literals: a sum, difference, product, quotient, remainder or square root, a conversion
 * between formats, or a conversion from an integer. Binary32 results are rounded from binary64, which makes no
 * difference (Figueroa, "When is double rounding innocuous?", 1995). Undefined for all other operations, for NaN
 * results and for integers that would be rounded twice.
 */
export function floatLiteral(name: string, operands: readonly Term[]): Term | undefined {
  if (!operands.every((operand) => operand.kind === 'bits')) return undefined;
  const operation = operationOnLiterals.exec(name);
  if (!operation) return undefined;
  const width = operation[3] === '32' ? 32 : 64;
  const [first, second] = operands;
  const { value, sort } = first!;
  let result: number;
  if (operation[2] === undefined) {
    const of = floatOf(value, sort.width);
    result =
      operation[1] === undefined
        ? of
        : operation[1] === 'negate'
          ? -of
          : rounded[operation[1]]!(of, second ? floatOf(second.value, second.sort.width) : NaN);
  } else {
    const integer = operation[2] === '' ? BigInt.asIntN(sort.width, value) : value;
    if (width === 32 && !Number.isSafeInteger(Number(integer))) return undefined;
    result = Number(integer);
  }
  return Number.isNaN(result) ? undefined : bits(floatBits(width === 32 ? Math.fround(result) : result, width), width);
}

/**
 * The result that a machine computes if the definition leaves it open or none exists: one NaN for invalid sums and the
 * like, and subnormal numbers.
 */
export function computedFloat(name: string, values: readonly bigint[]): bigint | undefined {
  const [, operation = '', bitsOfResult = ''] = /^(?:float-(\w+)|convert-\w+-float)-?(32|64)/.exec(name) ?? [];
  const width = bitsOfResult === '32' ? 32 : 64;
  if (name.endsWith(' nan')) return floatBits(NaN, width);
  const [a, b] = values as [bigint, bigint];
  if (name === 'convert-float32-float64 subnormal') return floatBits(floatOf(a, 32), 64);
  if (/^float-(multiply|divide)-(32|64) subnormal$/.test(name))
    return floatBits(floatOf(a, width) * 2 ** Number(BigInt.asIntN(width, b)), width);
  if (name === 'convert-float64-float32') return floatBits(Math.fround(floatOf(a, 64)), 32);
  const compute = name === `float-${operation}-${width}` ? rounded[operation] : undefined;
  if (!compute) return undefined;
  const result = compute(floatOf(a, width), values.length > 1 ? floatOf(b, width) : NaN);
  return floatBits(width === 32 ? Math.fround(result) : result, width);
}
