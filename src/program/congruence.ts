/**
 * Sets of byte distances: { residue + k * modulus } for all integers k (Granger 1989). Modulus 0 is the single number
 * `residue`, modulus 1 is every integer. Offsets are tracked in this domain, flow-insensitively, to distinguish members
 * and elements.
 *
 * Beyond congruences, an index that was compared with the length of its array stays within it. A run adds any of
 * `count` multiples of `step` to each number.
 */
import type { Expression } from './expression';

export interface Stride {
  readonly step: number;
  readonly count: number;
}
export interface Congruence {
  readonly residue: number;
  readonly modulus: number;
  /** In order of decreasing step. Absent: no runs. */
  readonly strides?: readonly Stride[];
}

export const anyInteger: Congruence = { residue: 0, modulus: 1 };

/** Limit on the numbers distinguished in one set, per period. Above it only the congruence is kept. */
const mostCells = 4096;

export function exactly(value: number): Congruence {
  return { residue: value, modulus: 0 };
}

/** 0, step, ..., (count - 1) * step. */
export function upTo(count: number, step: number): Congruence {
  return count <= 1 || step === 0 ? exactly(0) : make(0, 0, [{ step, count }]);
}

export function gcd(a: number, b: number): number {
  while (b !== 0) [a, b] = [b, a % b];
  return Math.abs(a);
}

/** Residue in [0, modulus), or the number itself when the modulus is 0. */
export function residueOf(value: number, modulus: number): number {
  return modulus === 0 ? value : ((value % modulus) + modulus) % modulus;
}

function make(residue: number, modulus: number, strides: readonly Stride[] = []): Congruence {
  if (!Number.isSafeInteger(residue) || !Number.isSafeInteger(modulus)) return anyInteger;
  const merged = merge(strides);
  if (merged.reduce((cells, { count }) => cells * count, 1) > mostCells)
    return flat({ residue, modulus, strides: merged });
  return { residue: residueOf(residue, modulus), modulus, ...(merged.length > 0 && { strides: merged }) };
}

/** An array of arrays is one array if nothing lies between its elements. */
function merge(strides: readonly Stride[]): readonly Stride[] {
  const merged: Stride[] = [];
  for (const run of [...strides].sort((a, b) => b.step - a.step || b.count - a.count)) {
    const outer = merged.pop();
    if (!outer) merged.push(run);
    else if (outer.step === run.step) merged.push({ step: run.step, count: outer.count + run.count - 1 });
    else if (outer.step === run.step * run.count) merged.push({ step: run.step, count: outer.count * run.count });
    else merged.push(outer, run);
  }
  return merged;
}

/** The least congruence without runs that contains the set. */
export function flat({ residue, modulus, strides = [] }: Congruence): Congruence {
  return make(
    residue,
    strides.reduce((all, { step }) => gcd(all, step), modulus),
  );
}

const known = new WeakMap<Congruence, readonly number[]>();

/** One representative of each class of numbers that differ by a multiple of the modulus: the residue. Ascending. */
export function cellsOf(set: Congruence): readonly number[] {
  if (!set.strides) return [set.residue];
  let cells = known.get(set);
  if (!cells) {
    let all = [set.residue];
    for (const { step, count } of set.strides)
      all = all.flatMap((start) => Array.from({ length: count }, (_, i) => start + i * step));
    known.set(set, (cells = [...new Set(all.map((cell) => residueOf(cell, set.modulus)))].sort((a, b) => a - b)));
  }
  return cells;
}

/** A set that contains both sets, as small as can be expressed. */
export function join(a: Congruence, b: Congruence): Congruence {
  if (contains(a, b)) return a;
  // Increments inside a loop would build ever longer runs.
  if (contains(b, a) && !a.strides) return b;
  const [c, d] = [flat(a), flat(b)];
  const modulus = gcd(gcd(c.modulus, d.modulus), Math.abs(c.residue - d.residue));
  return make(c.residue, modulus);
}

export function plus(a: Congruence, b: Congruence): Congruence {
  return make(a.residue + b.residue, gcd(a.modulus, b.modulus), [...(a.strides ?? []), ...(b.strides ?? [])]);
}

export function negate({ residue, modulus, strides = [] }: Congruence): Congruence {
  return make(-strides.reduce((last, { step, count }) => last + step * (count - 1), residue), modulus, strides);
}

export function times(a: Congruence, factor: number): Congruence {
  const { residue, modulus } = a.strides ? flat(a) : a;
  return make(residue * factor, Math.abs(modulus * factor));
}

/** The set after its values were taken modulo 2^widthBits. Only the power of two in the modulus survives. */
export function wrap(set: Congruence, widthBits: number): Congruence {
  const a = flat(set);
  if (a.modulus === 0) return a;
  let power = 1;
  while (power < 2 ** Math.min(widthBits, 30) && a.modulus % (power * 2) === 0) power *= 2;
  return make(a.residue, power);
}

export function equal(a: Congruence, b: Congruence): boolean {
  return a === b || keyOf(a) === keyOf(b);
}

/** Equal for equal sets. */
export function keyOf({ residue, modulus, strides }: Congruence): string {
  return `${residue}/${modulus}${strides ? strides.map(({ step, count }) => `+${step}*${count}`).join('') : ''}`;
}

/** True if every number of `b` is in `a`. */
export function contains(a: Congruence, b: Congruence): boolean {
  if (!a.strides && !b.strides)
    return a.modulus === 0
      ? equal(a, b)
      : b.modulus % a.modulus === 0 && residueOf(b.residue - a.residue, a.modulus) === 0;
  if (equal(a, b)) return true;
  if (a.modulus === 0 ? b.modulus !== 0 : b.modulus % a.modulus !== 0) return false;
  const all = new Set(cellsOf(a));
  return cellsOf(b).every((cell) => all.has(residueOf(cell, a.modulus)));
}

/** True if the sets have a number in common. */
export function overlap(a: Congruence, b: Congruence): boolean {
  const modulus = gcd(a.modulus, b.modulus);
  if (!a.strides && !b.strides)
    return modulus === 0 ? a.residue === b.residue : residueOf(a.residue - b.residue, modulus) === 0;
  const all = new Set(cellsOf(a).map((cell) => residueOf(cell, modulus)));
  return cellsOf(b).some((cell) => all.has(residueOf(cell, modulus)));
}

/** The values that an integer expression can have, as far as its form shows. */
export function valuesOf(e: Expression): Congruence {
  switch (e.kind) {
    case 'integer':
      return Number.isSafeInteger(Number(e.value)) ? exactly(Number(e.value)) : anyInteger;
    case 'convert': {
      const inner = valuesOf(e.operand);
      if (e.type.kind !== 'integer' || e.operand.type.kind !== 'integer') return anyInteger;
      const widens =
        e.type.widthBits > e.operand.type.widthBits ||
        (e.type.widthBits === e.operand.type.widthBits && e.type.signed === e.operand.type.signed);
      const keepsSign = e.type.signed || !e.operand.type.signed;
      if (widens && keepsSign) return inner;
      return inner.modulus === 0
        ? widens || (inner.residue >= 0 && inner.residue < 2 ** (e.type.widthBits - 1))
          ? inner
          : anyInteger
        : wrap(inner, e.type.widthBits);
    }
    case 'unary':
      return e.operator === 'negate' && e.type.kind === 'integer'
        ? exactWidth(negate(valuesOf(e.operand)), e)
        : anyInteger;
    case 'binary': {
      if (e.type.kind !== 'integer') return anyInteger;
      const left = valuesOf(e.left);
      const right = valuesOf(e.right);
      switch (e.operator) {
        case 'add':
          return exactWidth(plus(left, right), e);
        case 'subtract':
          return exactWidth(plus(left, negate(right)), e);
        case 'multiply':
          if (right.modulus === 0) return exactWidth(times(left, right.residue), e);
          if (left.modulus === 0) return exactWidth(times(right, left.residue), e);
          return anyInteger;
        case 'shift-left':
          return right.modulus === 0 && right.residue >= 0 && right.residue < 31
            ? exactWidth(times(left, 2 ** right.residue), e)
            : anyInteger;
        default:
          return anyInteger;
      }
    }
    default:
      return anyInteger;
  }
}

/** A 64-bit operation on operands widened from 32 bits cannot wrap for the strides that occur. Any other may. */
function exactWidth(result: Congruence, e: Expression): Congruence {
  if (e.type.kind !== 'integer') return anyInteger;
  return e.type.widthBits === 64 && isNarrow(e) ? result : wrap(result, e.type.widthBits);
}

/** Every leaf of a 64-bit sum is a constant or a value of at most 32 bits. */
function isNarrow(e: Expression): boolean {
  switch (e.kind) {
    case 'integer':
      return e.value > -(1n << 31n) && e.value < 1n << 31n;
    case 'convert':
      return e.operand.type.kind === 'integer' && (e.operand.type.widthBits < 64 || isNarrow(e.operand));
    case 'binary':
      return isNarrow(e.left) && isNarrow(e.right);
    case 'unary':
      return isNarrow(e.operand);
    default:
      return false;
  }
}
