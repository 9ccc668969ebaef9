/**
 * Bounds of one variable by a multiple of another, for multipliers that the program itself knows: a sum of so many
 * summands, each below a limit that the program tests, is at most the limit times their number. Over integers, so
 * nothing is said about what wrapped.
 */
import * as L from '../../logic/build';
import type { Term } from '../../logic/term';
import type { Observable } from './samples';

const limits = {
  variables: 4,
  multipliers: 3,
  product: 1n << 24n,
} as const;

export function linearRatioBounds(
  observables: readonly Observable[],
  vectors: readonly (readonly bigint[])[],
  constants: readonly bigint[],
): Term[] {
  const used = observables
    .slice(0, limits.variables)
    .flatMap((v, at) =>
      v.widthBits <= 32 || v.signed ? [{ v, at, values: vectors.map((vector) => vector[at]!) }] : [],
    );
  const wide = (v: Observable): Term => (v.signed ? L.signExtend(v.term, 64) : L.zeroExtend(v.term, 64));
  const multipliers = [...new Set(constants.map(magnitude))].sort((a, b) => (a < b ? -1 : 1));
  return used.flatMap((x) =>
    used.flatMap((y) => {
      if (x === y || y.v.widthBits > 32 || y.values.some((n) => n < 0n)) return [];
      const times = (c: bigint): Term => L.mul(L.bits(c, 64), wide(y.v));
      return [
        // An order says as much as a multiple of one.
        ...enough(x.values, y.values, multipliers, 2n).map((c) => L.sle(wide(x.v), times(c))),
        ...enough(
          x.values.map((n) => -n),
          y.values,
          multipliers,
          1n,
        ).map((c) => L.sle(L.neg(times(c)), wide(x.v))),
      ];
    }),
  );
}

/**
 * The least multipliers with which `xs` are at most that many `ys`; none where fewer than `least` are enough, or none
 * would be.
 */
function enough(xs: readonly bigint[], ys: readonly bigint[], multipliers: readonly bigint[], least: bigint): bigint[] {
  if (xs.every((x, i) => x <= ys[i]! * (least - 1n)) || xs.some((x, i) => ys[i] === 0n && x > 0n)) return [];
  const needed = xs.reduce(
    (most, x, i) => (ys[i] === 0n || x <= 0n ? most : max(most, (x + ys[i]! - 1n) / ys[i]!)),
    least,
  );
  return multipliers.filter((c) => c >= needed && c <= limits.product).slice(0, limits.multipliers);
}

const max = (a: bigint, b: bigint): bigint => (a > b ? a : b);
const magnitude = (n: bigint): bigint => (n < 0n ? -n : n);
