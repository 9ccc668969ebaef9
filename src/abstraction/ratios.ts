/**
 * Bounds of one variable by a multiple of another, for multipliers that the program itself knows: a sum of so many summands, each below a limit that the
 * program tests, is at most the limit times their number. Over integers, so nothing is said about what wrapped.
 */
import * as L from '../logic/build';
import type { Term } from '../logic/term';
import type { Observable } from './samples';

const VARIABLES = 4;
const MULTIPLIERS = 3;
const LARGEST = 1n << 24n;

export function ratios(observables: readonly Observable[], vectors: readonly (readonly bigint[])[], constants: readonly bigint[]): Term[] {
  const used = observables.slice(0, VARIABLES).flatMap((v, at) => (v.widthBits <= 32 && vectors.every((vector) => vector[at]! >= 0n) ? [{ v, at }] : []));
  const wide = (v: Observable): Term => (v.signed ? L.signExtend(v.term, 64) : L.zeroExtend(v.term, 64));
  return used.flatMap((x) => used.flatMap((y) => {
    // Where an order says as much, or no multiple is enough, there is nothing to say.
    if (x === y || vectors.every((vector) => vector[x.at]! <= vector[y.at]!) || vectors.some((vector) => vector[y.at] === 0n && vector[x.at]! > 0n)) return [];
    const least = vectors.reduce((most, vector) => (vector[y.at] === 0n ? most : max(most, (vector[x.at]! + vector[y.at]! - 1n) / vector[y.at]!)), 2n);
    return constants.filter((c) => c >= least && c <= LARGEST).slice(0, MULTIPLIERS).map((c) => L.sle(wide(x.v), L.mul(L.bits(c, 64), wide(y.v))));
  }));
}

const max = (a: bigint, b: bigint): bigint => (a > b ? a : b);
