/**
 * A quotient times its divisor is the dividend without the remainder: (x / y) * y = x - x % y, for every x and y, with
 * division by zero as in SMT-LIB. One unknown operation replaces two, and the sum with `x % y` is x.
 */
import { eq, slt, ule, ult } from '../comparison';
import { ite } from '../conditional';
import { application, bits, isApplication, widthOf, wordSort } from '../intern';
import { udiv } from './division';
import { sub } from './linear';
import { and, or } from '../propositional';
import { signExtend, zeroExtend } from './shape';
import type { Application, Term } from '../term';
import type { Signedness } from './words';

/** The product without a quotient. Undefined if neither operand is a quotient by the other, or by its narrower word. */
export function quotientTimesDivisor(a: Term, b: Term): Term | undefined {
  return inOrder(a, b) ?? inOrder(b, a);
}

function inOrder(quotient: Term, divisor: Term): Term | undefined {
  if (isDivision(quotient) && quotient.args[1] === divisor) return sub(quotient.args[0]!, remainderOf(quotient));
  if (quotient.kind !== 'apply' || divisor.kind !== 'apply' || quotient.operator !== divisor.operator) return undefined;
  const inner = quotient.args[0]!;
  if (!isDivision(inner) || inner.args[1] !== divisor.args[0]) return undefined;
  const width = widthOf(quotient);
  const [x, y] = inner.args as [Term, Term];
  if (quotient.operator === 'zero-extend' && inner.operator === 'unsigned-divide')
    // By zero the quotient is all ones, and the product 0.
    return sub(zeroExtend(x, width), zeroExtend(remainderOf(inner), width));
  if (quotient.operator !== 'sign-extend' || inner.operator !== 'signed-divide') return undefined;
  const least = 1n << BigInt(widthOf(x) - 1);
  // The one quotient that wraps.
  return ite(
    and(eq(x, bits(least, widthOf(x))), eq(y, bits(-1, widthOf(x)))),
    bits(least, width),
    sub(signExtend(x, width), signExtend(remainderOf(inner), width)),
  );
}

/**
 * The product without the factor that it is divided by, which is not 0. Undefined if that is no factor of it, or if the
 * operators of both factors do not show that the product fits into the word.
 */
export function productOverFactor(product: Term, factor: Term, signedness: Signedness): Term | undefined {
  if (!isApplication(product, 'multiply')) return undefined;
  const at = product.args.indexOf(factor);
  if (at === -1 || product.args.length !== 2) return undefined;
  const other = product.args[1 - at]!;
  const bitsNeeded = neededBits(other, signedness) + neededBits(factor, signedness);
  return bitsNeeded <= widthOf(product) ? other : undefined;
}

/** Bits, with that of the sign, that hold every value of the word. */
function neededBits(t: Term, signedness: Signedness): number {
  if (isApplication(t, 'zero-extend')) return widthOf(t.args[0]!) + (signedness === 'signed' ? 1 : 0);
  return signedness === 'signed' && isApplication(t, 'sign-extend') ? widthOf(t.args[0]!) : widthOf(t);
}

/**
 * The law of a quotient by an unknown word that is at least 2: it is at most half of the dividend. Linear, so that a
 * solver need not reason about the product. Of signed words it is said where the dividend is not negative. None for
 * other terms.
 */
export function quotientLaws(term: Term): readonly Term[] {
  if (!isDivision(term) || term.args[1]!.kind === 'bits' || term.args[0]!.kind === 'bits') return [];
  const [dividend, divisor] = term.args as [Term, Term];
  const width = widthOf(term);
  const [none, two] = [bits(0n, width), bits(2n, width)];
  const isAtMostHalf = ule(term, udiv(dividend, two));
  if (term.operator === 'unsigned-divide') return [or(ult(divisor, two), isAtMostHalf)];
  return [or(slt(dividend, none), slt(divisor, two), isAtMostHalf)];
}

const isDivision = (t: Term): t is Application =>
  isApplication(t, 'signed-divide') || isApplication(t, 'unsigned-divide');

function remainderOf({ operator, args }: Application): Term {
  return application(operator === 'signed-divide' ? 'signed-remainder' : 'unsigned-remainder', wordSort(args[0]!), [
    ...args,
  ]);
}
