/** Applies an operator again, through its constructor, to other operands of the same sorts. */
import { constArray, select, store } from './arrays/arrays';
import { bitAnd, bitOr, bitXor, ashr, lshr, shl } from './words/bitwise';
import { call } from './call';
import { eq, sle, slt, ule, ult } from './comparison';
import { ite } from './conditional';
import { sdiv, srem, udiv, urem } from './words/division';
import { widthOf } from './intern';
import { add, complement, mul, neg, sub } from './words/linear';
import { and, not, or } from './propositional';
import { identityRelation, linkCounted, linkWritten } from './links/reachability';
import { concatenate, extract, signExtend, zeroExtend } from './words/shape';
import type { Application, ArraySort, Term } from './term';
import { unreachable } from '../unreachable';

export function rebuild(term: Application, args: readonly Term[]): Term {
  if (args.every((a, i) => a === term.args[i])) return term;
  const [a, b, c] = args as readonly [Term, Term, Term];
  switch (term.operator) {
    case 'not':
      return not(a);
    case 'and':
      return and(...args);
    case 'or':
      return or(...args);
    case 'eq':
      return eq(a, b);
    case 'ite':
      return ite(a, b, c);
    case 'negate':
      return neg(a);
    case 'complement':
      return complement(a);
    case 'add':
      return add(...args);
    case 'subtract':
      return sub(a, b);
    case 'multiply':
      return mul(...args);
    case 'unsigned-divide':
      return udiv(a, b);
    case 'unsigned-remainder':
      return urem(a, b);
    case 'signed-divide':
      return sdiv(a, b);
    case 'signed-remainder':
      return srem(a, b);
    case 'bit-and':
      return bitAnd(...args);
    case 'bit-or':
      return bitOr(...args);
    case 'bit-xor':
      return bitXor(...args);
    case 'shift-left':
      return shl(a, b);
    case 'logical-shift-right':
      return lshr(a, b);
    case 'arithmetic-shift-right':
      return ashr(a, b);
    case 'unsigned-less':
      return ult(a, b);
    case 'unsigned-less-equal':
      return ule(a, b);
    case 'signed-less':
      return slt(a, b);
    case 'signed-less-equal':
      return sle(a, b);
    case 'concat':
      return concatenate(args);
    case 'extract':
      return extract(term.parameters[0]!, term.parameters[1]!, a);
    case 'zero-extend':
      return zeroExtend(a, widthOf(term));
    case 'sign-extend':
      return signExtend(a, widthOf(term));
    case 'select':
      return select(a, b);
    case 'store':
      return store(a, b, c);
    case 'constant-array':
      return constArray(term.sort as ArraySort, a);
    case 'identity-relation':
      return identityRelation(term.sort);
    case 'link-written':
      return linkWritten(a, b, c, args[3]!);
    case 'link-counted':
      return linkCounted(a, b, c, args[3]!, args[4]!);
    case 'call':
      return call(term.name!, term.sort, ...args);
    default:
      return unreachable(term.operator);
  }
}
