/**
 * Division and remainder of SMT-LIB (total; see `words.ts`). Powers of two become extracts, and known signs disappear.
 */
import { ite } from '../conditional';
import { slt } from '../comparison';
import { application, bits, commonWidth, isApplication, widthOf, wordSort } from '../intern';
import { neg } from './linear';
import { unsignedRange } from '../bounds/range';
import { extract, zeroExtend } from './shape';
import type { Term } from '../term';
import { allOnes, exponentOf, signedDivide, signedRemainder, unsignedDivide, unsignedRemainder } from './words';

export function udiv(a: Term, b: Term): Term {
  const width = commonWidth(a, b);
  if (b.kind === 'bits') {
    if (a.kind === 'bits') return bits(unsignedDivide(a.value, b.value, width), width);
    if (b.value === 0n) return bits(allOnes(width), width);
    const power = exponentOf(b.value);
    if (power !== undefined) return zeroExtend(extract(width - 1, power, a), width);
    const inner = narrowDividend(a, b.value);
    if (inner) return zeroExtend(udiv(inner, bits(b.value, widthOf(inner))), width);
    if (unsignedRange(a).high < b.value) return bits(0, width);
  }
  return application('unsigned-divide', wordSort(a), [a, b]);
}

export function urem(a: Term, b: Term): Term {
  const width = commonWidth(a, b);
  if (b.kind === 'bits') {
    if (a.kind === 'bits') return bits(unsignedRemainder(a.value, b.value), width);
    if (b.value === 0n) return a;
    const power = exponentOf(b.value);
    if (power === 0) return bits(0, width);
    if (power !== undefined) return zeroExtend(extract(power - 1, 0, a), width);
    const inner = narrowDividend(a, b.value);
    if (inner) return zeroExtend(urem(inner, bits(b.value, widthOf(inner))), width);
    if (unsignedRange(a).high < b.value) return a;
  }
  return application('unsigned-remainder', wordSort(a), [a, b]);
}

/** The operand of a zero-extension, if the divisor fits into its width. */
function narrowDividend(a: Term, divisor: bigint): Term | undefined {
  if (!isApplication(a, 'zero-extend')) return undefined;
  const inner = a.args[0]!;
  return divisor <= allOnes(widthOf(inner)) ? inner : undefined;
}

export function sdiv(a: Term, b: Term): Term {
  const width = commonWidth(a, b);
  if (b.kind === 'bits') {
    if (a.kind === 'bits') return bits(signedDivide(a.value, b.value, width), width);
    if (b.value === 0n) return ite(slt(a, bits(0, width)), bits(1, width), bits(-1, width));
    if (b.value === 1n) return a;
    if (b.value === allOnes(width)) return neg(a);
  }
  return nonNegative(a) && nonNegative(b) ? udiv(a, b) : application('signed-divide', wordSort(a), [a, b]);
}

export function srem(a: Term, b: Term): Term {
  const width = commonWidth(a, b);
  if (b.kind === 'bits') {
    if (a.kind === 'bits') return bits(signedRemainder(a.value, b.value, width), width);
    if (b.value === 0n) return a;
    if (b.value === 1n || b.value === allOnes(width)) return bits(0, width);
  }
  return nonNegative(a) && nonNegative(b) ? urem(a, b) : application('signed-remainder', wordSort(a), [a, b]);
}

function nonNegative(a: Term): boolean {
  return unsignedRange(a).high <= allOnes(widthOf(a)) >> 1n;
}
