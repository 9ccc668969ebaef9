/** Templates over numbers that hold in all sampled states: bounds, orders, distances, linear equations, congruences. */
import * as L from '../../logic/build';
import type { Term } from '../../logic/term';
import { modularNullSpace } from './modularNullSpace';
import { nullSpace } from './nullSpace';
import { linearRatioBounds } from './multiples';
import type { Observable } from './samples';

const limits = {
  equationVariables: 8,
  largestCoefficient: 1n << 20n,
  distanceVariables: 6,
  /** On either side: the nearest need not be the one that executions keep to which were not seen. */
  distanceBounds: 3,
} as const;

/** Bounds, orders, equations and congruences that hold in all of the states. */
export function templatesOf(
  observables: readonly Observable[],
  vectors: readonly (readonly bigint[])[],
  constants: readonly bigint[],
): ReadonlySet<Term> {
  const found = new Set<Term>();
  if (vectors.length > 0) templates(observables, vectors, constants, found);
  return found;
}

export function templates(
  observables: readonly Observable[],
  vectors: readonly (readonly bigint[])[],
  constants: readonly bigint[],
  out: Set<Term>,
  basic = false,
): void {
  equations(observables, vectors, out);
  const plain = withoutSums(observables);
  single(plain, vectors, constants, out, basic);
  pairs(plain, vectors, out, basic);
  if (basic) return;
  distances(plain, vectors, constants, out);
  for (const term of linearRatioBounds(plain, vectors, constants)) out.add(term);
}

/** They come last, so that the others are found in vectors of values by their places. */
export const withoutSums = (observables: readonly Observable[]): readonly Observable[] =>
  observables.filter(({ isSum }) => !isSum);

function single(
  observables: readonly Observable[],
  vectors: readonly (readonly bigint[])[],
  constants: readonly bigint[],
  out: Set<Term>,
  basic: boolean,
): void {
  observables.forEach((v, i) => {
    const values = vectors.map((vector) => vector[i]!);
    const [low, high] = [minimum(values), maximum(values)];
    const literal = (value: bigint): Term => L.bits(BigInt.asUintN(v.widthBits, value), v.widthBits);
    const le = v.signed ? L.sle : L.ule;
    if (low === high) out.add(L.eq(v.term, literal(low)));
    for (const bound of [low, [...constants].reverse().find((c) => c <= low)])
      if (bound !== undefined && fits(bound, v)) out.add(le(literal(bound), v.term));
    for (const bound of [high, constants.find((c) => c >= high)])
      if (bound !== undefined && fits(bound, v)) out.add(le(v.term, literal(bound)));
    for (const bound of constants.filter((c) => c >= high && fits(c, v)).slice(0, 4))
      out.add(le(v.term, literal(bound)));
    for (const bound of constants.filter((c) => c <= low && fits(c, v)).slice(-3)) out.add(le(literal(bound), v.term));
    if (basic || vectors.length < 3 || low === high) return;
    for (const modulus of [2n, 3n, 4n, 8n]) {
      const residue = ((values[0]! % modulus) + modulus) % modulus;
      if (!values.every((value) => ((value % modulus) + modulus) % modulus === residue)) continue;
      if (modulus === 3n) {
        if (low >= 0n) out.add(L.eq(L.urem(v.term, literal(3n)), literal(residue)));
      } else out.add(L.eq(L.bitAnd(v.term, literal(modulus - 1n)), literal(residue)));
    }
  });
}

export function pairs(
  observables: readonly Observable[],
  vectors: readonly (readonly bigint[])[],
  out: Set<Term>,
  basic: boolean,
): void {
  const wide = ({ term, signed }: Observable): Term => widened(term, signed, 64);
  for (let i = 0; i < observables.length; i++) {
    for (let j = i + 1; j < observables.length; j++) {
      const [a, b] = [observables[i]!, observables[j]!];
      const differences = vectors.map((vector) => vector[i]! - vector[j]!);
      const [low, high] = [minimum(differences), maximum(differences)];
      const same = a.widthBits === b.widthBits && a.signed === b.signed;
      const le = (x: Observable, y: Observable): Term =>
        same ? (a.signed ? L.sle(x.term, y.term) : L.ule(x.term, y.term)) : L.sle(wide(x), wide(y));
      const lt = (x: Observable, y: Observable): Term =>
        same ? (a.signed ? L.slt(x.term, y.term) : L.ult(x.term, y.term)) : L.slt(wide(x), wide(y));
      if (low === high && same)
        out.add(L.eq(a.term, L.add(b.term, L.bits(BigInt.asUintN(a.widthBits, low), a.widthBits))));
      if (low >= 0n) out.add(le(b, a));
      if (low >= 1n) out.add(lt(b, a));
      if (high <= 0n) out.add(le(a, b));
      if (high <= -1n) out.add(lt(a, b));
      if (basic || a.widthBits >= 64 || b.widthBits >= 64) continue;
      const bounded = (x: Observable, y: Observable, limit: bigint): Term =>
        L.sle(wide(x), L.add(wide(y), L.bits(BigInt.asUintN(64, limit), 64)));
      if (high === 1n || high === -2n) out.add(bounded(a, b, high));
      if (low === -1n || low === 2n) out.add(bounded(b, a, -low));
      const sums = vectors.map((vector) => vector[i]! + vector[j]!);
      const [least, most] = [minimum(sums), maximum(sums)];
      const total = L.add(wide(a), wide(b));
      const never = (x: Observable, at: number): boolean => !x.signed || vectors.every((vector) => vector[at]! >= 0n);
      if (least >= 0n && !(never(a, i) && never(b, j))) out.add(L.sle(L.bits(0n, 64), total));
      if (least === most) out.add(L.eq(total, L.bits(BigInt.asUintN(64, least), 64)));
    }
  }
}

/**
 * Bounds on a difference in the arithmetic of the width: what is added to both variables leaves it alone even where it
 * wraps, as no bound over the integers does.
 */
function distances(
  observables: readonly Observable[],
  vectors: readonly (readonly bigint[])[],
  constants: readonly bigint[],
  out: Set<Term>,
): void {
  const used = observables.slice(0, limits.distanceVariables);
  const bounds = [...new Set([...constants, ...constants.map((c) => -c)])].sort((a, b) => (a < b ? -1 : 1));
  for (let i = 0; i < used.length; i++) {
    for (let j = i + 1; j < used.length; j++) {
      const [a, b] = [used[i]!, used[j]!];
      if (a.widthBits !== b.widthBits) continue;
      const width = a.widthBits;
      const values = vectors.map((vector) => BigInt.asIntN(width, vector[i]! - vector[j]!));
      const [low, high] = [minimum(values), maximum(values)];
      const above = bounds.filter((c) => c >= high && c < 1n << BigInt(width - 2)).slice(0, limits.distanceBounds);
      const below = bounds.filter((c) => c <= low && c > -(1n << BigInt(width - 2))).slice(-limits.distanceBounds);
      // With one side open, words wrap across it.
      if (low === high || above.length === 0 || below.length === 0) continue;
      const distance = L.sub(a.term, b.term);
      const literal = (value: bigint): Term => L.bits(BigInt.asUintN(width, value), width);
      for (const bound of above) out.add(L.sle(distance, literal(bound)));
      for (const bound of below) out.add(L.sle(literal(bound), distance));
    }
  }
}

/**
 * Linear equations that all samples satisfy, modulo the width: an equation over the integers holds modulo any power of
 * two.
 */
export function equations(
  observables: readonly Observable[],
  vectors: readonly (readonly bigint[])[],
  out: Set<Term>,
): void {
  for (const width of [32, 64]) {
    const all = widenedTo(width, observables);
    const sums = all.filter(({ isSum }) => isSum);
    const used = [...all.filter(({ isSum }) => !isSum).slice(0, limits.equationVariables - sums.length), ...sums];
    if (used.length < 2 || vectors.length < used.length + 1) continue;
    const rows = vectors.map((vector) => [...used.map(({ at }) => vector[at]!), 1n]);
    const exact = nullSpace(rows);
    const modular = modularNullSpace(rows, width);
    // If no sum has wrapped they say the same, and the exact ones say it in smaller numbers.
    for (const solution of modular.length > exact.length ? [...exact, ...modular] : exact) {
      const coefficients = solution.slice(0, -1);
      if (coefficients.filter((c) => c !== 0n).length < 2) continue;
      if (coefficients.some((c) => c > limits.largestCoefficient || c < -limits.largestCoefficient)) continue;
      if (coefficients.every((c, k) => c === 0n || used[k]!.isWidened)) continue;
      const terms = used.map(({ term }) => term);
      out.add(equation(terms, solution, width));
    }
  }
  for (const width of [8, 16]) equationsOfLowBits(withoutSums(observables), vectors, width, out);
}

/** Words of a width, with their places; with some of 64 bits also those of 32 bits, widened, and after them. */
export function widenedTo(
  width: number,
  observables: readonly Observable[],
): readonly {
  readonly at: number;
  readonly term: Term;
  readonly signed: boolean;
  readonly isSum: boolean;
  readonly isWidened: boolean;
}[] {
  const ofWidth = (wanted: number) =>
    observables.flatMap((v, at) =>
      v.widthBits === wanted
        ? [
            {
              at,
              term: widened(v.term, v.signed, width),
              signed: v.signed,
              isSum: v.isSum === true,
              isWidened: wanted < width,
            },
          ]
        : [],
    );
  const own = ofWidth(width);
  return width === 64 && own.length > 0 ? [...own, ...ofWidth(32)] : own;
}

export const widened = (term: Term, signed: boolean, width: number): Term =>
  L.widthOf(term) >= width ? term : signed ? L.signExtend(term, width) : L.zeroExtend(term, width);

/** Linear equations between variables of a small width and the low bits of wider ones: of counters that wrap around. */
function equationsOfLowBits(
  observables: readonly Observable[],
  vectors: readonly (readonly bigint[])[],
  width: number,
  out: Set<Term>,
): void {
  const all = observables.flatMap((v, i) => (v.widthBits >= width ? [{ v, i }] : []));
  const narrow = all.filter(({ v }) => v.widthBits === width);
  const used = [...narrow, ...all.filter(({ v }) => v.widthBits > width)].slice(0, limits.equationVariables);
  if (narrow.length === 0 || used.length < 2 || vectors.length < used.length + 1) return;
  const terms = used.map(({ v }) => (v.widthBits === width ? v.term : L.extract(width - 1, 0, v.term)));
  const rows = vectors.map((vector) => [...used.map(({ i }) => vector[i]!), 1n]);
  for (const solution of modularNullSpace(rows, width)) {
    const countIn = (from: number, to: number): number => solution.slice(from, to).filter((c) => c !== 0n).length;
    if (countIn(0, narrow.length) > 0 && countIn(0, used.length) > 1) out.add(equation(terms, solution, width));
  }
}

/** `solution`: a factor for each term, and a constant at the end. */
function equation(terms: readonly Term[], solution: readonly bigint[], width: number): Term {
  const constant = (c: bigint): Term => L.bits(BigInt.asUintN(width, c), width);
  const sum = terms
    .map((term, k) => L.mul(term, constant(solution[k]!)))
    .reduce((x, y) => L.add(x, y), constant(solution[terms.length]!));
  return L.eq(sum, constant(0n));
}

export function fits(value: bigint, v: Observable): boolean {
  return v.signed
    ? value >= -(1n << BigInt(v.widthBits - 1)) && value < 1n << BigInt(v.widthBits - 1)
    : value >= 0n && value < 1n << BigInt(v.widthBits);
}
export function minimum(values: readonly bigint[]): bigint {
  return values.reduce((a, b) => (b < a ? b : a));
}
export function maximum(values: readonly bigint[]): bigint {
  return values.reduce((a, b) => (b > a ? b : a));
}
