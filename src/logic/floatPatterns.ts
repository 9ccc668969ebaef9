/** Numbers of IEEE 754 and their bits, and what is rounded, of literals. */
import { bits } from './intern';
import type { Term } from './term';

export function floatOf(pattern: bigint, width: number): number {
  const view = new DataView(new ArrayBuffer(8));
  if (width === 32) {
    view.setUint32(0, Number(pattern));
    return view.getFloat32(0);
  }
  view.setBigUint64(0, pattern);
  return view.getFloat64(0);
}

export function floatBits(value: number, width: 32 | 64): bigint {
  const view = new DataView(new ArrayBuffer(8));
  if (width === 32) {
    view.setFloat32(0, value);
    return BigInt(view.getUint32(0));
  }
  view.setFloat64(0, value);
  return view.getBigUint64(0);
}

const rounded: Readonly<Record<string, (a: number, b: number) => number>> = { add: (a, b) => a + b, subtract: (a, b) => a - b, multiply: (a, b) => a * b, divide: (a, b) => a / b };

/**
 * What is rounded, of literals: a sum, difference, product or quotient (in binary32 it is rounded from binary64, which makes no difference: Figueroa, "When is double
 * rounding innocuous?", 1995), and a number made shorter. Undefined for all else, and where a NaN comes out.
 */
export function roundedLiteral(name: string, operands: readonly Term[]): Term | undefined {
  if (!operands.every((operand) => operand.kind === 'bits')) return undefined;
  const operation = /^(?:float-(add|subtract|multiply|divide)-(32|64)|convert-float64-float(32))$/.exec(name);
  if (!operation) return undefined;
  const [a, b] = operands.map((operand) => floatOf(operand.value, operand.sort.width)) as [number, number];
  const result = operation[1] === undefined ? a : rounded[operation[1]]!(a, b);
  const width = (operation[2] ?? operation[3]) === '32' ? 32 : 64;
  return Number.isNaN(result) ? undefined : bits(floatBits(width === 32 ? Math.fround(result) : result, width), width);
}
