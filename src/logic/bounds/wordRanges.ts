/** Integers that stand for words: their ranges, and texts about them in SMT-LIB. */
import { allOnes, exponentOf, type Signedness } from '../words/words';

export function rangeOf(signedness: Signedness, width: number): { low: bigint; high: bigint } {
  const low = signedness === 'signed' ? -(1n << BigInt(width - 1)) : 0n;
  return { low, high: low + allOnes(width) };
}

export function fits(e: { low: bigint; high: bigint }, signedness: Signedness, width: number): boolean {
  const { low, high } = rangeOf(signedness, width);
  return e.low >= low && e.high <= high;
}

export function inRange(text: string, low: bigint, high: bigint): string {
  return `(and (<= ${numeral(low)} ${text}) (<= ${text} ${numeral(high)}))`;
}

/** The bits of a literal mask, one run of ones at a time, of any integer congruent to the word. */
export function maskText(x: string, mask: bigint): string {
  const parts: string[] = [];
  for (let low = 0; mask >> BigInt(low) !== 0n;) {
    if (((mask >> BigInt(low)) & 1n) === 0n) {
      low++;
      continue;
    }
    const run = exponentOf(~(mask >> BigInt(low)) & ((mask >> BigInt(low)) + 1n))!; // the lowest zero
    const shifted = low === 0 ? x : `(div ${x} ${1n << BigInt(low)})`;
    const field = `(mod ${shifted} ${1n << BigInt(run)})`;
    parts.push(low === 0 ? field : `(* ${1n << BigInt(low)} ${field})`);
    low += run;
  }
  return parts.length === 0 ? '0' : parts.length === 1 ? parts[0]! : `(+ ${parts.join(' ')})`;
}

export function numeral(value: bigint): string {
  return value < 0n ? `(- ${-value})` : String(value);
}

export function floorDivide(a: bigint, b: bigint): bigint {
  const quotient = a / b;
  return a % b !== 0n && a < 0n !== b < 0n ? quotient - 1n : quotient;
}

export function min(...values: bigint[]): bigint {
  return values.reduce((a, b) => (a < b ? a : b));
}

export function max(...values: bigint[]): bigint {
  return values.reduce((a, b) => (a > b ? a : b));
}

export function sum(values: readonly bigint[]): bigint {
  return values.reduce((a, b) => a + b, 0n);
}
