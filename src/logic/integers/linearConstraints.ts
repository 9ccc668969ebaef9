/**
 * Comparisons as linear constraints over the integers, for guessing predicates. Widths are ignored, so every result is
 * a candidate.
 */
import * as L from '../build';
import type { BitsSort, Term } from '../term';
import { signednessOf, type Signedness } from '../words/words';

/** A variable and its reading. */
interface SignedVariable {
  readonly term: Term;
  readonly signed: boolean;
}
export interface LinearForm {
  readonly coefficients: ReadonlyMap<string, { readonly variable: SignedVariable; readonly factor: bigint }>;
  readonly constant: bigint;
}

const key = ({ term, signed }: SignedVariable): string => `${term.id}${signed ? 's' : 'u'}`;

/** `form <= 0`. */
export type Constraint = LinearForm;

function scale(form: LinearForm, factor: bigint): LinearForm {
  return {
    coefficients: new Map([...form.coefficients].map(([k, v]) => [k, { ...v, factor: v.factor * factor }])),
    constant: form.constant * factor,
  };
}

export function sum(a: LinearForm, b: LinearForm): LinearForm {
  const coefficients = new Map(a.coefficients);
  for (const [k, { variable, factor }] of b.coefficients) {
    const total = (coefficients.get(k)?.factor ?? 0n) + factor;
    if (total === 0n) coefficients.delete(k);
    else coefficients.set(k, { variable, factor: total });
  }
  return { coefficients, constant: a.constant + b.constant };
}

function constantForm(constant: bigint): LinearForm {
  return { coefficients: new Map(), constant };
}

export function linearForm(term: Term, signedness: Signedness): LinearForm | undefined {
  const width = (term.sort as BitsSort).width;
  switch (term.kind) {
    case 'bits':
      return constantForm(signedness === 'signed' ? BigInt.asIntN(width, term.value) : term.value);
    case 'symbol':
      return variable(term, signedness);
    case 'apply':
      break;
    default:
      return undefined;
  }
  const parts = (): (LinearForm | undefined)[] => term.args.map((arg) => linearForm(arg, signedness));
  switch (term.operator) {
    case 'add':
      return parts().reduce((a, b) => a && b && sum(a, b));
    case 'subtract':
      return parts().reduce((a, b) => a && b && sum(a, scale(b, -1n)));
    case 'negate': {
      const [a] = parts();
      return a && scale(a, -1n);
    }
    case 'multiply': {
      const [a, b] = parts();
      if (!a || !b || term.args.length !== 2) return undefined;
      if (a.coefficients.size === 0) return scale(b, a.constant);
      return b.coefficients.size === 0 ? scale(a, b.constant) : undefined;
    }
    case 'sign-extend':
      return linearForm(term.args[0]!, 'signed');
    case 'zero-extend':
      return linearForm(term.args[0]!, 'unsigned');
    case 'select':
      return variable(term, signedness);
    default:
      return undefined;
  }
}

function variable(term: Term, signedness: Signedness): LinearForm {
  const reading = { term, signed: signedness === 'signed' };
  return { coefficients: new Map([[key(reading), { variable: reading, factor: 1n }]]), constant: 0n };
}

/** The constraints that a literal (an atom or its negation) stands for. An equation gives two, a disequation none. */
export function constraintsOf(literal: Term): readonly Constraint[] {
  const negated = literal.kind === 'apply' && literal.operator === 'not';
  const atom = negated ? literal.args[0]! : literal;
  if (atom.kind !== 'apply') return [];
  const signed = atom.operator.startsWith('signed');
  const [x, y] = atom.args;
  switch (atom.operator) {
    case 'signed-less':
    case 'unsigned-less':
    case 'signed-less-equal':
    case 'unsigned-less-equal': {
      const [a, b] = [linearForm(x!, signednessOf({ signed })), linearForm(y!, signednessOf({ signed }))];
      if (!a || !b) return [];
      const strict = atom.operator.endsWith('less');
      const difference = negated ? sum(b, scale(a, -1n)) : sum(a, scale(b, -1n));
      // a < b is a - b + 1 <= 0; not (a < b) is b - a <= 0.
      return [strict !== negated ? sum(difference, constantForm(1n)) : difference];
    }
    case 'eq': {
      if (negated || x!.sort.kind !== 'bits') return [];
      const [a, b] = [linearForm(x!, 'signed'), linearForm(y!, 'signed')];
      if (!a || !b) return [];
      const difference = sum(a, scale(b, -1n));
      return [difference, scale(difference, -1n)];
    }
    default:
      return [];
  }
}

/** Consequences of two constraints, without one of the variables that both contain (Fourier-Motzkin). */
export function resolvents(a: Constraint, b: Constraint): readonly Constraint[] {
  const found: Constraint[] = [];
  for (const [k, { factor }] of a.coefficients) {
    const other = b.coefficients.get(k)?.factor;
    if (other === undefined || factor > 0n === other > 0n) continue;
    const [p, q] = [factor < 0n ? -factor : factor, other < 0n ? -other : other];
    const resolvent = sum(scale(a, q), scale(b, p));
    if (resolvent.coefficients.size > 0 && resolvent.coefficients.size <= 2) found.push(resolvent);
  }
  return found;
}

/** The constraint as a comparison of 64-bit sums. Undefined if a variable of 64 bits or more might wrap in them. */
export function constraintTerm(constraint: Constraint): Term | undefined {
  const wide = (signedness: SignedVariable): Term => {
    const width = (signedness.term.sort as BitsSort).width;
    return width === 64
      ? signedness.term
      : signedness.signed
        ? L.signExtend(signedness.term, 64)
        : L.zeroExtend(signedness.term, 64);
  };
  const entries = [...constraint.coefficients.values()];
  if (entries.some(({ variable }) => (variable.term.sort as BitsSort).width > 64)) return undefined;
  let divisor = 0n;
  for (const { factor } of entries) divisor = gcd(divisor, factor < 0n ? -factor : factor);
  if (divisor === 0n) return undefined;
  const constant = ceilDiv(constraint.constant, divisor);
  if (constant > 1n << 62n || constant < -(1n << 62n)) return undefined;
  const [negative, positive] = [
    entries.filter(({ factor }) => factor < 0n),
    entries.filter(({ factor }) => factor > 0n),
  ];
  const side = (parts: typeof entries, sign: bigint): Term =>
    parts
      .map(({ variable: v, factor }) => L.mul(wide(v), L.bits(BigInt.asUintN(64, (factor / divisor) * sign), 64)))
      .reduce((x, y) => L.add(x, y), L.bits(0n, 64));
  // positive + constant <= -negative
  const literal = (value: bigint): Term => L.bits(BigInt.asUintN(64, value), 64);
  if (negative.length === 0) return L.sle(side(positive, 1n), literal(-constant));
  if (positive.length === 0) return L.sle(literal(constant), side(negative, -1n));
  if (constant <= 0n) return L.sle(side(positive, 1n), L.add(side(negative, -1n), L.bits(-constant, 64)));
  return L.sle(L.add(side(positive, 1n), L.bits(constant, 64)), side(negative, -1n));
}

function gcd(a: bigint, b: bigint): bigint {
  while (b !== 0n) [a, b] = [b, a % b];
  return a;
}
function ceilDiv(a: bigint, b: bigint): bigint {
  return a >= 0n ? (a + b - 1n) / b : -(-a / b);
}

/**
 * A normal form of a comparison and its negation: sums without widths, first variable positive. Undefined if the atom
 * is no comparison of a sum of at most two variables. The result is a candidate like everything here: it differs if
 * sums wrap.
 */
export function canonicalComparison(atom: Term): Term | undefined {
  const constraints = constraintsOf(atom);
  if (constraints.length !== 1) return undefined;
  const [constraint] = constraints;
  const entries = [...constraint!.coefficients.values()].sort((a, b) => a.variable.term.id - b.variable.term.id);
  if (entries.length === 0 || entries.length > 2) return undefined;
  const positive = entries[0]!.factor > 0n ? constraint! : sum(scale(constraint!, -1n), constantForm(1n));
  return constraintTerm(positive);
}

/** A key shared by comparisons of the same sum with different constants: `x - y <= 3` and `x - y <= 4`. */
export function sumKey(atom: Term): string | undefined {
  const [constraint] = constraintsOf(atom);
  if (!constraint) return undefined;
  const entries = [...constraint.coefficients].sort(([a], [b]) => (a < b ? -1 : 1));
  const sign = entries[0] && entries[0][1].factor < 0n ? -1n : 1n;
  return entries.map(([k, { factor }]) => `${factor * sign}*${k}`).join('+');
}
