/** Candidates about the numbers of any one object, fitted to the objects that were seen. */
import * as L from '../../../logic/build';
import type { Term } from '../../../logic/term';
import { withoutSums } from '../numberTemplates';
import type { Observable } from '../samples';

const limits = {
  /** Fewer objects have something in common by chance. */
  leastObjects: 2,
  /** Constants that bound one number from one side. */
  boundsPerNumber: 6,
} as const;

/** Orders and equality of two numbers of an object, and bounds that are constants of the program. */
export function numberRelations(
  fields: readonly Observable[],
  vectors: readonly (readonly bigint[])[],
  constants: readonly bigint[],
): ReadonlySet<Term> {
  const found = new Set<Term>();
  if (vectors.length < limits.leastObjects) return found;
  const all = (holds: (vector: readonly bigint[]) => boolean): boolean => vectors.every(holds);
  const numbers = withoutSums(fields);
  for (const [i, sum] of fields.entries())
    for (const [j, { term, widthBits }] of sum.isSum ? numbers.entries() : [])
      if (widthBits === sum.widthBits && all((v) => v[i] === v[j])) found.add(L.eq(sum.term, term));
  numbers.forEach((a, i) => {
    const literal = (value: bigint): Term => L.bits(BigInt.asUintN(a.widthBits, value), a.widthBits);
    const fits = (value: bigint): boolean =>
      value >= (a.signed ? -(1n << BigInt(a.widthBits - 1)) : 0n) &&
      value < 1n << BigInt(a.signed ? a.widthBits - 1 : a.widthBits);
    const [le, lt] = a.signed ? [L.sle, L.slt] : [L.ule, L.ult];
    for (const c of constants.filter(fits)) if (all((v) => v[i] === c)) found.add(L.eq(a.term, literal(c)));
    for (const c of constants
      .filter((value) => fits(value) && all((v) => v[i]! <= value))
      .slice(0, limits.boundsPerNumber))
      found.add(le(a.term, literal(c)));
    for (const c of [0n, 1n, ...constants.filter((value) => fits(value) && all((v) => v[i]! >= value)).slice(-2)])
      if (all((v) => v[i]! >= c)) found.add(le(literal(c), a.term));
    numbers.forEach((b, j) => {
      if (i === j || a.widthBits !== b.widthBits || a.signed !== b.signed) return;
      if (all((v) => v[i] === v[j])) {
        if (i < j) found.add(L.eq(a.term, b.term));
        // No object was seen that one of the functions had changed alone.
        found.add(le(a.term, b.term));
      } else if (all((v) => v[i]! < v[j]!)) found.add(lt(a.term, b.term)).add(le(a.term, b.term));
      else if (all((v) => v[i]! <= v[j]!)) {
        found.add(le(a.term, b.term));
        // As a length in a buffer that may have no room at all.
        if (all((v) => v[i] !== v[j] || v[j] === 0n) && vectors.some((v) => v[j]! !== 0n))
          found.add(L.or(L.eq(b.term, literal(0n)), lt(a.term, b.term)));
      }
    });
  });
  for (const term of indicesUnlessEmpty(numbers, vectors)) found.add(term);
  return new Set([...found].filter((term) => term.kind !== 'boolean'));
}

/** `count == 0 || 0 <= best && best < count`, where an empty object's index may be anything, as it is not set up. */
function indicesUnlessEmpty(numbers: readonly Observable[], vectors: readonly (readonly bigint[])[]): readonly Term[] {
  return numbers.flatMap((count, j) => {
    const filled = vectors.filter((v) => v[j] !== 0n);
    if (filled.length === 0 || filled.length === vectors.length) return [];
    return numbers.flatMap((index, i) => {
      if (i === j || index.widthBits !== count.widthBits || index.signed !== count.signed) return [];
      if (!filled.every((v) => v[i]! >= 0n && v[i]! < v[j]!)) return [];
      const zero = L.bits(0n, count.widthBits);
      const isEmpty = L.eq(count.term, zero);
      if (!count.signed) return [L.or(isEmpty, L.ult(index.term, count.term))];
      return [L.or(isEmpty, L.slt(index.term, count.term)), L.or(isEmpty, L.sle(zero, index.term))];
    });
  });
}
