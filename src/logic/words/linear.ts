/**
 * Sums in normal form: constant + coefficient * atom + …, modulo 2^width, atoms sorted by id. `add` is n-ary with the
 * constant last. A monomial is the atom itself or `multiply(literal, atom)`. Subtraction and negation are coefficients;
 * -x-1 is the complement of x.
 */
import { application, bits, commonWidth, isApplication, widthOf, wordSort } from '../intern';
import { quotientTimesDivisor } from './quotients';
import type { Term } from '../term';
import { allOnes, wrap } from './words';

export interface Monomial {
  readonly coefficient: bigint;
  readonly atom: Term;
}
export interface Linear {
  readonly width: number;
  readonly constant: bigint;
  readonly monomials: readonly Monomial[];
}

/** Longer sums are atoms, so that repeated addition stays linear. */
const lengthLimit = 64;
/**
 * Longer sums are not multiplied out. When the digits of a number are read one by one, every digit would repeat all
 * earlier ones.
 */
const multipliedLimit = 4;

export function add(...as: Term[]): Term {
  if (as.length === 0) throw new RangeError('an empty sum has no width');
  return fromLinear(as.map(linearOf).reduce((a, b) => plus(a, b, 1n)));
}

export function sub(a: Term, b: Term): Term {
  commonWidth(a, b);
  return fromLinear(difference(a, b));
}

export function neg(a: Term): Term {
  return fromLinear(scale(linearOf(a), -1n));
}

export function complement(a: Term): Term {
  const l = scale(linearOf(a), -1n);
  return fromLinear({ ...l, constant: wrap(l.constant - 1n, l.width) });
}

export function mul(...as: Term[]): Term {
  if (as.length === 0) throw new RangeError('an empty product has no width');
  return as.reduce(product);
}

function product(a: Term, b: Term): Term {
  const width = commonWidth(a, b);
  const [x, y] = [linearOf(a), linearOf(b)];
  if (x.monomials.length === 0) return multiple(x.constant, b, y);
  if (y.monomials.length === 0) return multiple(y.constant, a, x);
  const whole = quotientTimesDivisor(a, b);
  if (whole) return whole;
  const [p, q] = [asMonomial(a, x), asMonomial(b, y)];
  const factors = [...factorsOf(p.atom), ...factorsOf(q.atom)].sort((f, g) => f.id - g.id);
  const atom = application('multiply', wordSort(a), factors);
  return fromLinear({ width, constant: 0n, monomials: nonZero(wrap(p.coefficient * q.coefficient, width), atom) });
}

function multiple(factor: bigint, term: Term, l: Linear): Term {
  const isUnit = factor <= 1n || factor === allOnes(l.width);
  return fromLinear(
    isUnit || l.monomials.length <= multipliedLimit
      ? scale(l, factor)
      : { width: l.width, constant: 0n, monomials: [{ coefficient: factor, atom: term }] },
  );
}

function factorsOf(atom: Term): readonly Term[] {
  return isApplication(atom, 'multiply') && atom.args[0]!.kind !== 'bits' && atom.args.length <= 8 ? atom.args : [atom];
}

function asMonomial(term: Term, l: Linear): Monomial {
  return l.constant === 0n && l.monomials.length === 1 ? l.monomials[0]! : { coefficient: 1n, atom: term };
}

function nonZero(coefficient: bigint, atom: Term): Monomial[] {
  return coefficient === 0n ? [] : [{ coefficient, atom }];
}

export function linearOf(term: Term): Linear {
  const width = widthOf(term);
  if (term.kind === 'bits') return { width, constant: term.value, monomials: [] };
  if (isApplication(term, 'complement')) {
    const l = scale(linearOf(term.args[0]!), -1n);
    return { ...l, constant: wrap(l.constant - 1n, width) };
  }
  if (!isApplication(term, 'add')) return { width, constant: 0n, monomials: [monomialOf(term)] };
  if (term.args.length > lengthLimit) return { width, constant: 0n, monomials: [{ coefficient: 1n, atom: term }] };
  const last = term.args[term.args.length - 1]!;
  return last.kind === 'bits'
    ? { width, constant: last.value, monomials: term.args.slice(0, -1).map(monomialOf) }
    : { width, constant: 0n, monomials: term.args.map(monomialOf) };
}

function monomialOf(term: Term): Monomial {
  if (isApplication(term, 'multiply')) {
    const [first, atom] = term.args;
    if (first!.kind === 'bits') return { coefficient: first.value, atom: atom! };
  }
  return { coefficient: 1n, atom: term };
}

/** a - b. */
export function difference(a: Term, b: Term): Linear {
  return plus(linearOf(a), linearOf(b), -1n);
}

/** a + factor * b; both sorted by atom id, so one merge. */
function plus(a: Linear, b: Linear, factor: bigint): Linear {
  if (a.width !== b.width) throw new TypeError(`operands differ in sort: ${a.width} and ${b.width} bits`);
  const { width } = a;
  const monomials: Monomial[] = [];
  let [i, j] = [0, 0];
  while (i < a.monomials.length || j < b.monomials.length) {
    const [x, y] = [a.monomials[i], b.monomials[j]];
    if (x && (!y || x.atom.id < y.atom.id)) {
      monomials.push(x);
      i++;
      continue;
    }
    const coefficient = wrap((x && x.atom === y!.atom ? x.coefficient : 0n) + factor * y!.coefficient, width);
    if (coefficient !== 0n) monomials.push({ coefficient, atom: y!.atom });
    if (x && x.atom === y!.atom) i++;
    j++;
  }
  return { width, constant: wrap(a.constant + factor * b.constant, width), monomials };
}

export function scale(l: Linear, factor: bigint): Linear {
  const monomials = l.monomials
    .map(({ coefficient, atom }) => ({ coefficient: wrap(coefficient * factor, l.width), atom }))
    .filter(({ coefficient }) => coefficient !== 0n);
  return { width: l.width, constant: wrap(l.constant * factor, l.width), monomials };
}

export function fromLinear({ width, constant, monomials }: Linear): Term {
  if (monomials.length === 0) return bits(constant, width);
  const first = monomials[0]!;
  const sort = first.atom.sort;
  if (
    monomials.length === 1 &&
    constant === allOnes(width) &&
    first.coefficient === constant &&
    !isApplication(first.atom, 'add')
  ) {
    return application('complement', sort, [first.atom]);
  }
  const args = monomials.map(({ coefficient, atom }) => {
    if (coefficient === 1n) return atom;
    return application('multiply', sort, [bits(coefficient, width), atom]);
  });
  if (constant !== 0n) args.push(bits(constant, width));
  return args.length === 1 ? args[0]! : application('add', sort, args);
}

/**
 * Two equal sides of `l = 0`, the same for `l` and `-l`. Signed coefficients are positive, the constant is on the
 * right.
 */
export function balance(l: Linear): { left: Linear; right: Linear } {
  const { width } = l;
  if (width === 1) {
    const [first, ...rest] = l.monomials;
    return {
      left: { width, constant: 0n, monomials: [first!] },
      right: { width, constant: l.constant, monomials: rest },
    };
  }
  const minimum = 1n << BigInt(width - 1); // its own negation, so it can stay on the left
  const pivot = l.monomials.find((m) => m.coefficient !== minimum);
  const oriented = pivot && pivot.coefficient > minimum ? scale(l, -1n) : l;
  const positive = oriented.monomials.filter((m) => m.coefficient <= minimum);
  const negative = oriented.monomials.filter((m) => m.coefficient > minimum);
  return {
    left: { width, constant: 0n, monomials: positive },
    right: scale({ width, constant: oriented.constant, monomials: negative }, -1n),
  };
}
