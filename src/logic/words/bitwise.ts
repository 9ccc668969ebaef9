/**
 * Bitwise operators (n-ary, sorted, the literal last) and shifts. Shifts by literals become products, extensions and
 * extracts.
 */
import { application, bits, commonWidth, isApplication, widthOf, wordSort } from '../intern';
import { complement, mul } from './linear';
import { concatenate, extract, signExtend, zeroExtend } from './shape';
import type { Term } from '../term';
import { allOnes, arithmeticShiftRight, exponentOf, logicalShiftRight, shiftLeft } from './words';

export function bitAnd(...as: Term[]): Term {
  return bitwise('bit-and', as);
}
export function bitOr(...as: Term[]): Term {
  return bitwise('bit-or', as);
}
export function bitXor(...as: Term[]): Term {
  return bitwise('bit-xor', as);
}

const flatLimit = 16;

export function bitwise(operator: 'bit-and' | 'bit-or' | 'bit-xor', as: readonly Term[]): Term {
  const width = widthOf(as[0]!);
  const ones = allOnes(width);
  for (const a of as) commonWidth(as[0]!, a);
  let literal = operator === 'bit-and' ? ones : 0n;
  const members = new Set<Term>();
  for (const a of as.flatMap((x) => (isApplication(x, operator) && x.args.length <= flatLimit ? x.args : [x]))) {
    if (a.kind === 'bits') {
      if (operator === 'bit-and') literal &= a.value;
      else if (operator === 'bit-or') literal |= a.value;
      else literal ^= a.value;
    } else if (operator === 'bit-xor' && members.has(a)) members.delete(a);
    else members.add(a);
  }
  for (const member of [...members]) {
    if (!isApplication(member, 'complement') || !members.has(member.args[0]!)) continue;
    if (operator === 'bit-and') return bits(0, width);
    if (operator === 'bit-or') return bits(ones, width);
    members.delete(member);
    members.delete(member.args[0]!);
    literal ^= ones;
  }
  if (operator === 'bit-and' && literal === 0n) return bits(0, width);
  if (operator === 'bit-or' && literal === ones) return bits(ones, width);
  if (members.size === 0) return bits(literal, width);

  const sorted = [...members].sort((a, b) => a.id - b.id);
  const neutral = operator === 'bit-and' ? ones : 0n;
  const plain = sorted.length === 1 ? sorted[0]! : application(operator, wordSort(as[0]!), sorted);
  if (literal === neutral) return plain;
  if (operator === 'bit-xor' && literal === ones) return complement(plain);
  const masked = operator === 'bit-and' ? exponentOf(literal + 1n) : undefined; // literal = 2^k - 1
  if (masked !== undefined) return zeroExtend(extract(masked - 1, 0, plain), width);
  return application(operator, wordSort(as[0]!), [...sorted, bits(literal, width)]);
}

export function shl(a: Term, amount: Term): Term {
  const width = commonWidth(a, amount);
  if (amount.kind === 'bits') return mul(a, bits(shiftLeft(1n, amount.value, width), width));
  return a.kind === 'bits' && a.value === 0n ? a : application('shift-left', wordSort(a), [a, amount]);
}

export function lshr(a: Term, amount: Term): Term {
  const width = commonWidth(a, amount);
  if (amount.kind === 'bits') {
    if (a.kind === 'bits') return bits(logicalShiftRight(a.value, amount.value, width), width);
    if (amount.value >= BigInt(width)) return bits(0, width);
    return zeroExtend(extract(width - 1, Number(amount.value), a), width);
  }
  return a.kind === 'bits' && a.value === 0n ? a : application('logical-shift-right', wordSort(a), [a, amount]);
}

export function ashr(a: Term, amount: Term): Term {
  const width = commonWidth(a, amount);
  if (amount.kind === 'bits') {
    if (a.kind === 'bits') return bits(arithmeticShiftRight(a.value, amount.value, width), width);
    const by = amount.value >= BigInt(width) ? width - 1 : Number(amount.value);
    return signExtend(extract(width - 1, by, a), width);
  }
  const fixed = a.kind === 'bits' && (a.value === 0n || a.value === allOnes(width));
  return fixed ? a : application('arithmetic-shift-right', wordSort(a), [a, amount]);
}

/** `a * 2^k` as a concatenation, for callers that need the bits. */
export function shiftedLeft(a: Term, by: number): Term {
  const width = widthOf(a);
  return by === 0 ? a : concatenate([extract(width - 1 - by, 0, a), bits(0, by)]);
}
