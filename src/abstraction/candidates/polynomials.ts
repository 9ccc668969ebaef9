/**
 * Polynomial equations of low degree that all states seen satisfy: the null space over monomials instead of variables
 * (T. Nguyen et al., "Using dynamic analysis to discover polynomial and array invariants", ICSE 2012). An equation over
 * the integers holds modulo any power of two, so what wraps does not hurt. Variables that a linear equation already
 * determines are left out.
 */
import * as L from '../../logic/build';
import type { Term } from '../../logic/term';
import { nullSpace } from './nullSpace';
import { widened, widenedTo } from './numberTemplates';
import type { Observable } from './samples';

const limits = {
  monomials: 21,
  /** States with larger values may have wrapped, and then lie on no curve over the integers. Others come first. */
  largestValue: 30_000n,
  largestCoefficient: 1n << 12n,
  /** Of a monomial of degree 3: what few states happen to satisfy has large ones. */
  largestOfDegree3: 1n << 6n,
} as const;

/**
 * Of words of 64 bits also those in which narrower ones are widened. An equation of 32 bits in which a variable has
 * even factors alone leaves that variable's highest bit open: it is said in 64 bits, too.
 */
export function polynomialEquations(
  observables: readonly Observable[],
  vectors: readonly (readonly bigint[])[],
): Term[] {
  return [32, 64].flatMap((width) => {
    const of = widenedTo(width, observables);
    const all = distinct(vectors.map((vector) => of.map(({ at }) => vector[at]!)));
    const small = all.filter((vector) =>
      vector.every((value) => value <= limits.largestValue && value >= -limits.largestValue),
    );
    return equationsOver(of, width, small) ?? (small.length < all.length ? equationsOver(of, width, all) : []) ?? [];
  });
}

interface Word {
  readonly term: Term;
  readonly signed: boolean;
  /** The width of a narrower word is another one's business. */
  readonly isWidened: boolean;
}

/** Undefined: too few states. Those of degree 2 come first, without multiples of them among those of degree 3. */
function equationsOver(
  of: readonly Word[],
  width: number,
  seen: readonly (readonly bigint[])[],
): readonly Term[] | undefined {
  const free = withoutDetermined(
    of.map((_, k) => k),
    seen,
  );
  if (!free.some((k) => !of[k]!.isWidened)) return [];
  const degrees = [3, 2].filter((d) => monomials(free.length, d).length <= limits.monomials);
  if (degrees.length === 0) return [];
  const degree = degrees.find((d) => seen.length >= monomials(free.length, d).length + 2);
  if (degree === undefined) return undefined;
  const powers = monomials(free.length, degree);
  const rows = seen.map((vector) =>
    powers.map((exponents) => exponents.reduce((product, e, k) => product * vector[free[k]!]! ** BigInt(e), 1n)),
  );
  const words = free.map((k) => of[k]!);
  const wide = words.map(({ term, signed }) => widened(term, signed, 64));
  return byDegree(powers, rows, degree).flatMap((solution) => {
    const used = powers.filter((_, k) => solution[k] !== 0n);
    if (solution.some((c, k) => isLarge(c, sum(powers[k]!)))) return [];
    if (used.every((exponents) => sum(exponents) <= 1)) return [];
    if (used.every((exponents) => exponents.every((e, k) => e === 0 || words[k]!.isWidened))) return [];
    const isLeftOpen = (variable: number): boolean =>
      used.some((exponents) => exponents[variable]! > 0) &&
      powers.every((exponents, k) => exponents[variable] === 0 || solution[k]! % 2n === 0n);
    return [
      equation(
        words.map(({ term }) => term),
        powers,
        solution,
        width,
      ),
      ...(width < 64 && words.some((_, k) => isLeftOpen(k)) ? [equation(wide, powers, solution, 64)] : []),
    ];
  });
}

function isLarge(coefficient: bigint, degree: number): boolean {
  const largest = degree === 3 ? limits.largestOfDegree3 : limits.largestCoefficient;
  return coefficient > largest || coefficient < -largest;
}

function equation(
  variables: readonly Term[],
  powers: readonly (readonly number[])[],
  solution: readonly bigint[],
  width: number,
): Term {
  const parts = powers.map((exponents, k) =>
    exponents
      .flatMap((e, v) => Array.from({ length: e }, () => variables[v]!))
      .reduce((a, b) => L.mul(a, b), L.bits(BigInt.asUintN(width, solution[k]!), width)),
  );
  return L.eq(
    parts.reduce((a, b) => L.add(a, b)),
    L.bits(0n, width),
  );
}

/** A basis of the null space, without multiples of equations of a lower degree, which come first. */
function byDegree(
  powers: readonly (readonly number[])[],
  rows: readonly (readonly bigint[])[],
  degree: number,
): readonly (readonly bigint[])[] {
  const found: (readonly bigint[])[] = [];
  const implied: bigint[][] = [];
  for (let d = 2; d <= degree; d++) {
    const within = powers.flatMap((exponents, k) => (sum(exponents) <= d ? [k] : []));
    for (const part of nullSpace(rows.map((row) => within.map((k) => row[k]!)))) {
      const solution = powers.map((_, k) => (within.includes(k) ? part[within.indexOf(k)]! : 0n));
      if (rank([...implied, solution]) === rank(implied)) continue;
      found.push(solution);
      implied.push(...multiples(solution, powers, degree));
    }
  }
  return found;
}

const rank = (rows: readonly (readonly bigint[])[]): number =>
  rows.length === 0 ? 0 : rows[0]!.length - nullSpace(rows).length;

/** The equation times each monomial that keeps it within the degree. */
function multiples(
  solution: readonly bigint[],
  powers: readonly (readonly number[])[],
  degree: number,
): readonly bigint[][] {
  const own = Math.max(...powers.map((exponents, k) => (solution[k] === 0n ? 0 : sum(exponents))));
  const places = new Map(powers.map((exponents, k) => [exponents.join(), k]));
  return powers
    .filter((factor) => sum(factor) + own <= degree)
    .map((factor) => {
      const product = powers.map(() => 0n);
      for (const [k, exponents] of powers.entries())
        if (solution[k] !== 0n) product[places.get(exponents.map((e, v) => e + factor[v]!).join())!] = solution[k]!;
      return product;
    });
}

/** Variables that no linear equation gives in terms of those before. */
function withoutDetermined(variables: readonly number[], vectors: readonly (readonly bigint[])[]): number[] {
  const free: number[] = [];
  for (const variable of variables) {
    const solutions = nullSpace(vectors.map((vector) => [...free.map((i) => vector[i]!), 1n, vector[variable]!]));
    if (!solutions.some((solution) => solution[solution.length - 1] !== 0n)) free.push(variable);
  }
  return free;
}

/** Exponents of all monomials of at most this degree. */
function monomials(variables: number, degree: number): number[][] {
  if (variables === 0) return [[]];
  return Array.from({ length: degree + 1 }, (_, e) =>
    monomials(variables - 1, degree - e).map((rest) => [e, ...rest]),
  ).flat();
}

function distinct(vectors: readonly (readonly bigint[])[]): (readonly bigint[])[] {
  return [...new Map(vectors.map((vector) => [vector.join(), vector])).values()];
}
const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);
