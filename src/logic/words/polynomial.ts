/**
 * Multiplies out equations between polynomials. Words are a ring, so this is exact. If a transition preserves an
 * equation because its terms cancel, the result is the equation itself, and the solver need not reason about products.
 * Equations whose polynomials grow too long are unchanged.
 */
import { eq } from '../comparison';
import { bits, isApplication, widthOf } from '../intern';
import { add, type Linear, linearOf, mul, sub } from './linear';
import { rebuild } from '../rebuild';
import type { Term } from '../term';
import { postOrder } from '../traverse';

const lengthLimit = 40;
const degreeLimit = 8;

const done = new WeakMap<Term, Term>();

/** The term with its equations between polynomials multiplied out. */
export function multipliedOut(term: Term): Term {
  for (const t of postOrder(
    [term],
    (s) => done.has(s),
    (s) => s.kind === 'forall' || s.kind === 'exists',
  )) {
    if (t.kind !== 'apply') {
      done.set(t, t);
      continue;
    }
    const args = t.args.map((a) => done.get(a)!);
    const same = args.every((a, i) => a === t.args[i]);
    const rebuilt = same ? t : rebuild(t, args);
    done.set(
      t,
      isApplication(rebuilt, 'eq') && rebuilt.args[0]!.sort.kind === 'bits'
        ? equation(rebuilt.args[0]!, rebuilt.args[1]!, rebuilt)
        : rebuilt,
    );
  }
  return done.get(term)!;
}

function equation(a: Term, b: Term, otherwise: Term): Term {
  if (!multiplies(a) && !multiplies(b)) return otherwise;
  const difference = sub(a, b);
  const expanded = sumOf(difference, widthOf(a));
  return expanded ? eq(expanded, bits(0n, widthOf(a))) : otherwise;
}

/** A sum that contains a product. */
function multiplies(term: Term): boolean {
  return linearOf(term).monomials.some(({ atom }) => isApplication(atom, 'multiply'));
}

function sumOf(term: Term, width: number): Term | undefined {
  const sum = polynomial(linearOf(term), width);
  return sum && add(bits(0n, width), ...sum);
}

/** The monomials of the product. Undefined if there are too many. */
function polynomial({ constant, monomials }: Linear, width: number): Term[] | undefined {
  const parts: Term[] = [bits(constant, width)];
  for (const { coefficient, atom } of monomials) {
    const factors = isApplication(atom, 'multiply') && atom.args[0]!.kind !== 'bits' ? atom.args : undefined;
    if (!factors) {
      parts.push(mul(bits(coefficient, width), atom));
      continue;
    }
    if (factors.length > degreeLimit) return undefined;
    let product: Term[] = [bits(coefficient, width)];
    for (const factor of factors) {
      const terms = polynomial(linearOf(factor), width);
      if (!terms || terms.length * product.length > lengthLimit) return undefined;
      product = product.flatMap((p) => terms.map((t) => mul(p, t)));
    }
    parts.push(...product);
    if (parts.length > lengthLimit) return undefined;
  }
  return parts;
}
