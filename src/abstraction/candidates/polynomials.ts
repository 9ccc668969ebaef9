/**
 * Polynomial equations of low degree that all states seen satisfy: the null space over monomials instead of variables
 * (T. Nguyen et al., "Using dynamic analysis to discover polynomial and array invariants", ICSE 2012). An equation over
 * the integers holds modulo any power of two, so what wraps does not hurt. Variables that a linear equation already
 * determines are left out.
 */
import * as L from '../../logic/build';
import type { Term } from '../../logic/term';
import { nullSpace } from './nullSpace';
import type { Observable } from './samples';

const limits = {
  monomials: 21,
  /** States with larger values may have wrapped, and then lie on no curve over the integers. */
  largestValue: 30_000n,
  largestCoefficient: 1n << 12n,
} as const;

export function polynomialEquations(
  observables: readonly Observable[],
  vectors: readonly (readonly bigint[])[],
): Term[] {
  return [32, 64].flatMap((width) => {
    const of = observables.flatMap((v, i) => (v.widthBits === width ? [i] : []));
    const seen = distinct(
      vectors
        .map((vector) => of.map((i) => vector[i]!))
        .filter((vector) => vector.every((value) => value <= limits.largestValue && value >= -limits.largestValue)),
    );
    const free = withoutDetermined(
      of.map((_, k) => k),
      seen,
    );
    if (free.length === 0) return [];
    const degree = [3, 2].find((d) => monomials(free.length, d).length <= limits.monomials);
    if (degree === undefined) return [];
    const powers = monomials(free.length, degree);
    if (seen.length < powers.length + 2) return [];
    const rows = seen.map((vector) =>
      powers.map((exponents) => exponents.reduce((product, e, k) => product * vector[free[k]!]! ** BigInt(e), 1n)),
    );
    const term = (exponents: readonly number[]): Term[] =>
      exponents.flatMap((e, k) => Array.from({ length: e }, () => observables[of[free[k]!]!]!.term));
    return nullSpace(rows).flatMap((solution) => {
      if (solution.some((c) => c > limits.largestCoefficient || c < -limits.largestCoefficient)) return [];
      if (powers.every((exponents, k) => solution[k] === 0n || sum(exponents) <= 1)) return [];
      const parts = powers.map((exponents, k) =>
        term(exponents).reduce((a, b) => L.mul(a, b), L.bits(BigInt.asUintN(width, solution[k]!), width)),
      );
      return [
        L.eq(
          parts.reduce((a, b) => L.add(a, b)),
          L.bits(0n, width),
        ),
      ];
    });
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
