/**
 * Linear equations modulo a power of two: vectors x with row . x = 0 (mod 2^width) for all rows. Variables of C wrap
 * around, and a state in which one has satisfies no equation over the integers that the others do. The solutions of the
 * first rows are kept as generators; each further row is made zero on all of them but one, whose product with it is
 * divisible by the fewest powers of two (M. Müller-Olm, H. Seidl, "Analysis of modular arithmetic", ESOP 2005). Only
 * generators with an odd coefficient are handed out, scaled to small numbers: the others are congruences of smaller
 * moduli.
 */
export function modularNullSpace(rows: readonly (readonly bigint[])[], widthBits: number): bigint[][] {
  const size = rows[0]?.length ?? 0;
  const word = (value: bigint): bigint => BigInt.asUintN(widthBits, value);
  let generators: bigint[][] = Array.from({ length: size }, (_, i) =>
    Array.from({ length: size }, (_, k) => (i === k ? 1n : 0n)),
  );
  for (const row of rows) {
    const products = generators.map((generator) =>
      word(generator.reduce((sum, factor, i) => sum + factor * row[i]!, 0n)),
    );
    let chosen = -1;
    products.forEach((product, i) => {
      if (product !== 0n && (chosen < 0 || twos(product) < twos(products[chosen]!))) chosen = i;
    });
    if (chosen < 0) continue;
    const [pivot, shift] = [generators[chosen]!, twos(products[chosen]!)];
    const inverse = inverseOf(products[chosen]! >> shift, widthBits);
    generators = generators
      .map((generator, i) => {
        if (i === chosen) return generator.map((factor) => word(factor << (BigInt(widthBits) - shift)));
        const times = word((products[i]! >> shift) * inverse);
        return times === 0n ? generator : generator.map((factor, k) => word(factor - times * pivot[k]!));
      })
      .filter((generator) => generator.some((factor) => factor !== 0n));
  }
  return generators.filter((generator) => generator.some(isOdd)).map((generator) => smallest(generator, widthBits));
}

/** An odd multiple with small coefficients, if there is one: fractions have been made whole by inverses. */
function smallest(generator: readonly bigint[], widthBits: number): bigint[] {
  let best: bigint[] | undefined;
  for (const scale of [
    ...new Set([1n, 3n, 5n, 7n, 9n, 15n, ...generator.filter(isOdd).map((factor) => inverseOf(factor, widthBits))]),
  ]) {
    const scaled = generator.map((factor) => BigInt.asIntN(widthBits, factor * scale));
    if (best === undefined || largest(scaled) < largest(best)) best = scaled;
  }
  return best!;
}

const isOdd = (value: bigint): boolean => (value & 1n) === 1n;

function largest(row: readonly bigint[]): bigint {
  return row.reduce((most, factor) => {
    const size = factor < 0n ? -factor : factor;
    return size > most ? size : most;
  }, 0n);
}

/** Exponent of two in a number that is not 0. */
function twos(value: bigint): bigint {
  let count = 0n;
  for (let rest = value; (rest & 1n) === 0n; rest >>= 1n) count++;
  return count;
}

/** Inverts an odd number, modulo the power of two (Newton: each step doubles the correct bits). */
function inverseOf(odd: bigint, widthBits: number): bigint {
  let inverse = odd;
  for (let correct = 3; correct < widthBits; correct *= 2)
    inverse = BigInt.asUintN(widthBits, inverse * (2n - odd * inverse));
  return inverse;
}
