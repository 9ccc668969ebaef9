/**
 * The law of products with a common factor: `a * c + c <= b * c` if `a < b`, for words that are small enough for no
 * product to wrap. An index `row * columns + column` lies in `rows * columns` elements by it. Linear in the products,
 * so that a solver need not reason about multiplication.
 */
import { sle, slt } from '../comparison';
import { bits, isApplication, widthOf } from '../intern';
import { and, not, or } from '../propositional';
import { add, mul } from './linear';
import type { Term } from '../term';

const limits = {
  /** Products that are compared: each with each. */
  products: 6,
} as const;

/** Those of each two of the products, that are of two unknown words and perhaps a constant. */
export function productLaws(products: Iterable<Term>): readonly Term[] {
  const pairs = new Map<string, readonly [Term, Term]>();
  for (const product of products) {
    const factors = factorsOf(product);
    if (factors) pairs.set(factors.map(({ id }) => id).join(' '), factors);
    if (pairs.size === limits.products) break;
  }
  const all = [...pairs.values()];
  return all.flatMap((one) =>
    all.flatMap((other) => {
      const common = one.filter((factor) => other.includes(factor));
      if (one === other || common.length !== 1 || widthOf(one[0]) !== widthOf(other[0])) return [];
      const [c] = common as [Term];
      return [law(without(one, c), without(other, c), c)];
    }),
  );
}

/** Two unknown factors, in the order of the term; undefined for anything else. */
export function factorsOf(product: Term): readonly [Term, Term] | undefined {
  if (!isApplication(product, 'multiply')) return undefined;
  const [a, b, ...others] = product.args.filter(({ kind }) => kind !== 'bits');
  return a && b && others.length === 0 ? [a, b] : undefined;
}

const without = ([a, b]: readonly [Term, Term], factor: Term): Term => (a === factor ? b : a);

function law(a: Term, b: Term, c: Term): Term {
  const width = widthOf(c);
  const none = bits(0n, width);
  // A product of two has at most twice these bits, and one is left for the sign.
  const most = bits(1n << BigInt(Math.floor(width / 2) - 1), width);
  const isSmall = and(sle(none, a), slt(a, b), sle(b, most), sle(none, c), sle(c, most));
  return or(not(isSmall), and(sle(none, mul(a, c)), sle(add(mul(a, c), c), mul(b, c))));
}
