/**
 * The law of proportions: in `p * a / b`, if `a` is between 0 and `b`, the quotient is between 0 and `p`. An
 * interpolation between two points of a table stays between their values by it. Linear, so that a solver need not
 * reason about the product. It is said only where intervals show that the product does not wrap.
 */
import { eq, sle, slt, ule, ult } from '../comparison';
import { bits, isApplication, widthOf } from '../intern';
import { and, or } from '../propositional';
import type { Term } from '../term';
import { sub } from '../words/linear';
import type { Signedness } from '../words/words';
import { productOf, WordIntervals } from './wordIntervals';
import { fits } from './wordRanges';

/** One for each factor that may be the smaller part; none for other terms, or where the divisor is a constant. */
export function proportionLaws(quotient: Term): readonly Term[] {
  const isSigned = isApplication(quotient, 'signed-divide');
  if (!isSigned && !isApplication(quotient, 'unsigned-divide')) return [];
  const [product, whole] = quotient.args as readonly [Term, Term];
  if (whole.kind === 'bits' || !isApplication(product, 'multiply') || product.args.length !== 2) return [];
  const [x, y] = product.args as readonly [Term, Term];
  const intervals = new WordIntervals(new Map());
  const as: Signedness = isSigned ? 'signed' : 'unsigned';
  if (!fits(productOf(intervals.of(x)[as], intervals.of(y)[as]), as, widthOf(product))) return [];
  const law = isSigned ? signedLaw : unsignedLaw;
  return [law(quotient, x, y, whole), law(quotient, y, x, whole)];
}

/**
 * That the quotient is not negative is said of its distance to the other factor. Simplification by bounds would find
 * that of the quotient itself in the operands, and leave it out, though over integers nothing else says so.
 */
function signedLaw(quotient: Term, times: Term, part: Term, whole: Term): Term {
  const none = bits(0n, widthOf(whole));
  const rest = sub(times, quotient);
  const isUpTo = and(sle(rest, times), sle(quotient, times));
  const isDownTo = and(sle(times, quotient), sle(times, rest));
  return or(
    slt(part, none),
    slt(whole, part),
    sle(whole, none),
    and(or(slt(times, none), isUpTo), or(slt(none, times), isDownTo)),
  );
}

const unsignedLaw = (quotient: Term, times: Term, part: Term, whole: Term): Term =>
  or(ult(whole, part), eq(whole, bits(0n, widthOf(whole))), ule(quotient, times));
