/**
 * Congruences: sets of integers { residue + k * modulus }. Modulus 0 is the single number `residue`, modulus 1 is every integer. The
 * domain in which byte offsets are tracked, flow-insensitively, to tell fields and elements apart (Granger 1989).
 */
export interface Congruence { readonly residue: number; readonly modulus: number }

export const anyInteger: Congruence = { residue: 0, modulus: 1 };

export function exactly(value: number): Congruence {
  return { residue: value, modulus: 0 };
}

export function gcd(a: number, b: number): number {
  while (b !== 0) [a, b] = [b, a % b];
  return Math.abs(a);
}

/** Residue in [0, modulus), or the number itself when the modulus is 0. */
export function residueOf(value: number, modulus: number): number {
  return modulus === 0 ? value : ((value % modulus) + modulus) % modulus;
}

function make(residue: number, modulus: number): Congruence {
  if (!Number.isSafeInteger(residue) || !Number.isSafeInteger(modulus)) return anyInteger;
  return { residue: residueOf(residue, modulus), modulus };
}

/** Least congruence that holds all numbers of both. */
export function join(a: Congruence, b: Congruence): Congruence {
  const modulus = gcd(gcd(a.modulus, b.modulus), Math.abs(a.residue - b.residue));
  return make(a.residue, modulus);
}

export function plus(a: Congruence, b: Congruence): Congruence {
  return make(a.residue + b.residue, gcd(a.modulus, b.modulus));
}

export function negated(a: Congruence): Congruence {
  return make(-a.residue, a.modulus);
}

export function times(a: Congruence, factor: number): Congruence {
  return make(a.residue * factor, Math.abs(a.modulus * factor));
}

/** What is left after the value was taken modulo 2^widthBits: only the power of two in the modulus survives. */
export function wrapped(a: Congruence, widthBits: number): Congruence {
  if (a.modulus === 0) return a;
  let power = 1;
  while (power < 2 ** Math.min(widthBits, 30) && a.modulus % (power * 2) === 0) power *= 2;
  return make(a.residue, power);
}

export function equal(a: Congruence, b: Congruence): boolean {
  return a.residue === b.residue && a.modulus === b.modulus;
}

/** Every number of `b` is one of `a`. */
export function contains(a: Congruence, b: Congruence): boolean {
  return a.modulus === 0 ? equal(a, b) : b.modulus % a.modulus === 0 && residueOf(b.residue - a.residue, a.modulus) === 0;
}
