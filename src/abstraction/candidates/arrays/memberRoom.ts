/**
 * Relations of the size of a buffer that a member of an object leads to with a number in the object: so many elements
 * have room in it, or just so many, or so many bits.
 */
import * as L from '../../../logic/build';
import type { Term } from '../../../logic/term';
import type { Observable } from '../samples';

/** Products of numbers of 64 bits with sizes of elements are exact: without a remainder by 2^64 they are easier. */
const widthBits = 80;

/** `sizeBytes`: of the buffer; `isNull`: there is none; `units`: bytes that an element may have. */
export function roomOf(sizeBytes: Term, isNull: Term, number: Observable, units: readonly number[]): readonly Term[] {
  const literal = (value: number): Term => L.bits(BigInt(value), widthBits);
  const room = L.zeroExtend(sizeBytes, widthBits);
  const count = (number.signed ? L.signExtend : L.zeroExtend)(number.term, widthBits);
  const enough: Term[] = [];
  return [
    // A buffer that is not there has length 0.
    L.or(L.not(isNull), L.eq(number.term, L.bits(0n, number.widthBits))),
    ...[...units]
      .sort((a, b) => b - a)
      .flatMap((unit) => {
        const bytes = L.mul(count, literal(unit));
        const words = L.udiv(L.add(count, literal(8 * unit - 1)), literal(8 * unit));
        const isEnough = L.sle(bytes, room);
        // Room for larger elements is room for smaller ones: as a clause that follows from the other, it costs nothing.
        enough.push(isEnough);
        return [
          L.or(isNull, ...enough),
          L.or(isNull, L.and(L.eq(room, bytes), isEnough)),
          L.or(isNull, L.eq(room, L.mul(words, literal(unit)))),
        ];
      }),
  ];
}
