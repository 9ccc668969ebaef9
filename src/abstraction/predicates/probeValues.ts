/** The values that parts of a probe have: truths, exact integers whose width grows, floating point, pointers. */
import * as L from '../../logic/build';
import { floatBits } from '../../logic/floats/patterns';
import type { BitsSort, Term } from '../../logic/term';
import type { SymbolicPointer } from '../../semantics/symbolic/symbolicValues';
import { ProbeError } from './probeError';

export type Meant =
  | { readonly kind: 'boolean'; readonly term: Term }
  /** Two's complement, wide enough. */
  | { readonly kind: 'integer'; readonly term: Term }
  /** In binary64. */
  | { readonly kind: 'float'; readonly term: Term }
  | { readonly kind: 'pointer'; readonly value: SymbolicPointer };

const limits = {
  widthBits: 512,
} as const;

export const double = (value: number): Term => L.bits(floatBits(value, 64), 64);

export function arithmetic(
  operator: '+' | '-' | '*' | '/' | '%' | '&' | '|' | '^' | '<<' | '>>',
  left: Term,
  right: Term,
): Term {
  const width = operator === '*' ? widthOf(left) + widthOf(right) : Math.max(widthOf(left), widthOf(right)) + 1;
  if (width > limits.widthBits) throw new ProbeError('its numbers grow beyond 512 bits');
  const [a, b] = [widen(left, width), widen(right, width)];
  switch (operator) {
    case '+':
      return L.add(a, b);
    case '-':
      return L.sub(a, b);
    case '*':
      return L.mul(a, b);
    case '/':
      return L.sdiv(a, b);
    case '%':
      return L.srem(a, b);
    case '&':
      return L.bitAnd(a, b);
    case '|':
      return L.bitOr(a, b);
    case '^':
      return L.bitXor(a, b);
    case '<<': {
      if (right.kind !== 'bits') throw new ProbeError('it shifts by an amount that is no constant');
      const by = Number(BigInt.asIntN(widthOf(right), right.value));
      if (by < 0 || widthOf(left) + by > limits.widthBits) throw new ProbeError('it shifts too far');
      return L.shl(widen(left, widthOf(left) + by), L.bits(BigInt(by), widthOf(left) + by));
    }
    case '>>':
      return L.ashr(a, b);
  }
}

export function number(m: Meant): Term {
  switch (m.kind) {
    case 'integer':
      return m.term;
    case 'boolean':
      return L.ite(m.term, L.bits(1n, 2), L.bits(0n, 2));
    case 'float':
      throw new ProbeError('it computes with floating point, which probes only compare');
    case 'pointer':
      throw new ProbeError('it uses a pointer as a number');
  }
}

/** A number that is compared with floating point. */
export function asDouble(m: Meant): Term {
  switch (m.kind) {
    case 'float':
      return m.term;
    case 'integer': {
      if (m.term.kind === 'bits') return double(Number(BigInt.asIntN(widthOf(m.term), m.term.value)));
      if (widthOf(m.term) > 53) throw new ProbeError('it compares floating point with an integer of more than 53 bits');
      return L.call('convert-integer64-float64', L.bitsSort(64), widen(m.term, 64));
    }
    case 'boolean':
    case 'pointer':
      throw new ProbeError(`it compares floating point with a ${m.kind}`);
  }
}

export function equal(a: Meant, b: Meant): Term {
  if (a.kind === 'pointer' && b.kind === 'pointer')
    return L.and(L.eq(a.value.object, b.value.object), L.eq(a.value.offset, b.value.offset));
  if (a.kind === 'pointer' || b.kind === 'pointer') throw new ProbeError('it compares a pointer with a number');
  if (a.kind === 'float' || b.kind === 'float') return L.call('float-eq-64', L.boolSort, asDouble(a), asDouble(b));
  if (a.kind === 'boolean' && b.kind === 'boolean') return L.iff(a.term, b.term);
  const [x, y] = sameWidth(number(a), number(b));
  return L.eq(x, y);
}

export const integerOf = (term: Term): Meant => ({ kind: 'integer', term });
export function integer(value: bigint): Meant {
  const width = value.toString(2).replace('-', '').length + 1;
  return { kind: 'integer', term: L.bits(BigInt.asUintN(width, value), width) };
}
export function widthOf(term: Term): number {
  return (term.sort as BitsSort).width;
}
export function widen(term: Term, width: number): Term {
  return widthOf(term) >= width ? term : L.signExtend(term, width);
}
export function sameWidth(a: Term, b: Term): [Term, Term] {
  const width = Math.max(widthOf(a), widthOf(b));
  return [widen(a, width), widen(b, width)];
}

type Order = '<' | '<=' | '>' | '>=';
export const orderOf = (order: Order, a: Term, b: Term): Term =>
  order === '<' ? L.slt(a, b) : order === '<=' ? L.sle(a, b) : order === '>' ? L.slt(b, a) : L.sle(b, a);

/** The condition that two pointers lead into one object and their offsets satisfy it; undefined for other values. */
export function inOneObject(a: Meant, b: Meant, holds: (p: Term, q: Term) => Term): Term | undefined {
  if (a.kind !== 'pointer' || b.kind !== 'pointer') return undefined;
  const [p, q] = [a.value, b.value];
  return L.and(
    L.not(L.eq(p.object, L.bits(0n, widthOf(p.object)))),
    L.eq(p.object, q.object),
    holds(p.offset, q.offset),
  );
}
