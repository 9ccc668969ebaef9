/**
 * C's values as terms; a pointer is a pair of terms (object number, byte offset). Every operation is total and means
 * exactly what the concrete reading computes; floating-point results are uninterpreted functions of their operands.
 */
import * as L from '../../logic/build';
import { floatBits } from '../../logic/floats/patterns';
import { productOverFactor } from '../../logic/words/quotients';
import type { BitsSort, Sort, SymbolTerm, Term } from '../../logic/term';
import type { BinaryOperator, CompareOperator, FloatScalar, IntegerScalar, Scalar } from '../../program/expression';
import type { FunctionDefinition, Program, StaticObject } from '../../program/program';
import type { Values } from '../values';

export interface SymbolicPointer {
  readonly object: Term;
  readonly offset: Term;
}
/** Integers and floats are bit-vectors of their width. */
export type SymbolicValue = Term | SymbolicPointer;

export function isPointer(value: SymbolicValue): value is SymbolicPointer {
  return 'object' in value;
}

/** Makes fresh symbols; `#` keeps them apart from C names. */
export class FreshSymbols {
  private count = 0;
  readonly made: { readonly symbol: SymbolTerm; readonly what: string }[] = [];
  constructor(private readonly prefix: string) {}

  fresh(what: string, sort: Sort): SymbolTerm {
    const symbol = L.symbol(`${this.prefix}!${this.count++}:${what}`, sort);
    this.made.push({ symbol, what });
    return symbol;
  }

  value(what: string, type: Scalar, half: number): SymbolicValue {
    if (type.kind !== 'pointer') return this.fresh(what, L.bitsSort(type.widthBits));
    return {
      object: this.fresh(`${what}.object`, L.bitsSort(half)),
      offset: this.fresh(`${what}.offset`, L.bitsSort(half)),
    };
  }
}

const ONE = L.bits(1n, 32);
const ZERO = L.bits(0n, 32);
export const truth = (condition: Term): Term => L.ite(condition, ONE, ZERO);

/** The condition in `c ? 1 : 0`, so that `&` and `|` of comparisons stay formulas. */
function asTruth(term: Term): Term | undefined {
  if (term.kind === 'bits') return term.value === 0n ? L.FALSE : term.value === 1n ? L.TRUE : undefined;
  if (term.kind !== 'apply' || term.operator !== 'ite') return undefined;
  const [condition, then, otherwise] = term.args;
  if (then!.kind !== 'bits' || otherwise!.kind !== 'bits') return undefined;
  if (then!.value === 1n && otherwise!.value === 0n) return condition;
  return then!.value === 0n && otherwise!.value === 1n ? L.not(condition!) : undefined;
}

export function pointerEqual(a: SymbolicPointer, b: SymbolicPointer): Term {
  return L.and(L.eq(a.object, b.object), L.eq(a.offset, b.offset));
}

/** `value != 0` as C means it. */
export function isTrue(value: SymbolicValue): Term {
  if (isPointer(value))
    return L.not(L.and(L.eq(value.object, zeroLike(value.object)), L.eq(value.offset, zeroLike(value.offset))));
  return L.not(L.eq(value, zeroLike(value)));
}
function zeroLike(term: Term): Term {
  return L.bits(0n, (term.sort as BitsSort).width);
}
export const widthOf = (term: Term): number => (term.sort as BitsSort).width;

export function iteValue(condition: Term, then: SymbolicValue, otherwise: SymbolicValue): SymbolicValue {
  if (isPointer(then) && isPointer(otherwise)) {
    if (then === otherwise) return then;
    return {
      object: L.ite(condition, then.object, otherwise.object),
      offset: L.ite(condition, then.offset, otherwise.offset),
    };
  }
  if (isPointer(then) || isPointer(otherwise))
    throw new Error('a pointer meets a number: lowering keeps the types of a variable apart');
  return L.ite(condition, then, otherwise);
}

export class SymbolicValues implements Values<SymbolicValue> {
  readonly half: number;
  readonly null: SymbolicPointer;
  constructor(dataModel: Program['dataModel']) {
    this.half = dataModel === 'lp64' ? 32 : 16;
    this.null = { object: L.bits(0n, this.half), offset: L.bits(0n, this.half) };
  }

  integer(value: bigint, type: IntegerScalar): SymbolicValue {
    return L.bits(BigInt.asUintN(type.widthBits, value), type.widthBits);
  }

  float(value: number, type: FloatScalar): SymbolicValue {
    return L.bits(floatBits(value, type.widthBits), type.widthBits);
  }

  address(of: StaticObject | FunctionDefinition): SymbolicValue {
    return { object: L.bits(BigInt(of.number), this.half), offset: L.bits(0n, this.half) };
  }

  unary(
    operator: 'negate' | 'complement',
    type: IntegerScalar | FloatScalar,
  ): (operand: SymbolicValue) => SymbolicValue {
    if (type.kind === 'float')
      return (a) => L.call(`float-${operator}-${type.widthBits}`, L.bitsSort(type.widthBits), number(a));
    return operator === 'negate' ? (a) => L.neg(number(a)) : (a) => L.complement(number(a));
  }

  binary(
    operator: BinaryOperator,
    type: IntegerScalar | FloatScalar,
    rightType: IntegerScalar | FloatScalar,
  ): (left: SymbolicValue, right: SymbolicValue) => SymbolicValue {
    if (type.kind === 'float')
      return (a, b) => L.call(`float-${operator}-${type.widthBits}`, L.bitsSort(type.widthBits), number(a), number(b));
    const apply = this.integerOperation(operator, type, rightType);
    return (a, b) => apply(number(a), number(b));
  }

  private integerOperation(
    operator: BinaryOperator,
    type: IntegerScalar,
    rightType: IntegerScalar | FloatScalar,
  ): (a: Term, b: Term) => Term {
    const width = type.widthBits;
    const zero = L.bits(0n, width);
    switch (operator) {
      case 'add':
        return (a, b) => L.add(a, b);
      case 'subtract':
        return (a, b) => L.sub(a, b);
      case 'multiply':
        return (a, b) => L.mul(a, b);
      case 'divide':
        return (a, b) => {
          const [signedness, divide] = type.signed ? (['signed', L.sdiv] as const) : (['unsigned', L.udiv] as const);
          return L.ite(L.eq(b, zero), zero, productOverFactor(a, b, signedness) ?? divide(a, b));
        };
      case 'remainder':
        return (a, b) => L.ite(L.eq(b, zero), a, type.signed ? L.srem(a, b) : L.urem(a, b));
      case 'and':
        return (a, b) => {
          const [x, y] = [asTruth(a), asTruth(b)];
          return x && y ? L.ite(L.and(x, y), L.bits(1n, width), zero) : L.bitAnd(a, b);
        };
      case 'or':
        return (a, b) => {
          const [x, y] = [asTruth(a), asTruth(b)];
          return x && y ? L.ite(L.or(x, y), L.bits(1n, width), zero) : L.bitOr(a, b);
        };
      case 'xor':
        return (a, b) => L.bitXor(a, b);
      default: {
        if (rightType.kind !== 'integer') throw new Error('shift amounts are integers');
        const amount = (b: Term): Term => L.bitAnd(L.resize(b, width, 'unsigned'), L.bits(BigInt(width - 1), width));
        if (operator === 'shift-left') return (a, b) => L.shl(a, amount(b));
        return type.signed ? (a, b) => L.ashr(a, amount(b)) : (a, b) => L.lshr(a, amount(b));
      }
    }
  }

  compare(operator: CompareOperator, type: Scalar): (left: SymbolicValue, right: SymbolicValue) => SymbolicValue {
    const holds = this.comparison(operator, type);
    return (a, b) => truth(holds(a, b));
  }

  private comparison(operator: CompareOperator, type: Scalar): (a: SymbolicValue, b: SymbolicValue) => Term {
    switch (type.kind) {
      case 'integer':
        switch (operator) {
          case 'eq':
            return (a, b) => L.eq(number(a), number(b));
          case 'ne':
            return (a, b) => L.not(L.eq(number(a), number(b)));
          case 'lt':
            return (a, b) => (type.signed ? L.slt(number(a), number(b)) : L.ult(number(a), number(b)));
          case 'le':
            return (a, b) => (type.signed ? L.sle(number(a), number(b)) : L.ule(number(a), number(b)));
        }
        break;
      case 'float':
        return (a, b) => {
          const compared = (name: string): Term =>
            L.call(`float-${name}-${type.widthBits}`, L.boolSort, number(a), number(b));
          return operator === 'ne' ? L.not(compared('eq')) : compared(operator);
        };
      case 'pointer':
        return (a, b) => {
          const [p, q] = [asPointer(a), asPointer(b)];
          const equal = pointerEqual(p, q);
          if (operator === 'eq') return equal;
          if (operator === 'ne') return L.not(equal);
          const less = L.or(
            L.ult(p.object, q.object),
            L.and(L.eq(p.object, q.object), operator === 'lt' ? L.slt(p.offset, q.offset) : L.sle(p.offset, q.offset)),
          );
          return less;
        };
    }
    throw new Error('no such comparison');
  }

  convert(from: Scalar, to: Scalar): (operand: SymbolicValue) => SymbolicValue {
    if (from.kind === 'pointer' && to.kind === 'pointer') return (a) => a;
    if (from.kind === 'pointer' && to.kind === 'integer')
      return () => {
        throw new Error('an address is a number in a state of memory');
      };
    if (from.kind === 'integer' && to.kind === 'pointer')
      return () => {
        throw new Error('a number is an address in a state of memory');
      };
    if (from.kind === 'integer' && to.kind === 'integer')
      return (a) => L.resize(number(a), to.widthBits, L.signednessOf(from));
    if (from.kind === 'pointer' || to.kind === 'pointer') throw new Error('no conversion between pointers and floats');
    const sign = (t: IntegerScalar | FloatScalar): string => (t.kind === 'integer' && !t.signed ? 'u' : '');
    const name = `convert-${sign(from)}${from.kind}${from.widthBits}-${sign(to)}${to.kind}${to.widthBits}`;
    if (from.kind === 'float' && to.kind === 'float' && from.widthBits === to.widthBits) return (a) => a;
    return (a) => L.call(name, L.bitsSort(to.widthBits), number(a));
  }

  offset(p: SymbolicValue, delta: SymbolicValue): SymbolicValue {
    const { object, offset } = asPointer(p);
    return { object, offset: L.add(offset, L.resize(number(delta), this.half, 'signed')) };
  }

  objectOf(p: SymbolicValue): SymbolicValue {
    return L.zeroExtend(asPointer(p).object, 64);
  }

  offsetOf(p: SymbolicValue): SymbolicValue {
    return L.signExtend(asPointer(p).offset, 64);
  }

  conditional(condition: SymbolicValue, _type: Scalar, then: SymbolicValue, otherwise: SymbolicValue): SymbolicValue {
    return iteValue(isTrue(condition), then, otherwise);
  }
}

/** The bytes of a pointer in memory, as `addressOf` of the concrete reading; see `lower/objects/storedAddresses.ts`. */
export const bytesOfPointer = ({ object, offset }: SymbolicPointer, asAddress: boolean): Term =>
  L.concat(asAddress ? L.sub(object, isNegative(offset)) : object, offset);

/** The pointer that bytes in memory stand for. */
export function pointerOfBytes(bytes: Term, asAddress: boolean): SymbolicPointer {
  const half = widthOf(bytes) / 2;
  const offset = L.extract(half - 1, 0, bytes);
  const object = L.extract(2 * half - 1, half, bytes);
  return { object: asAddress ? L.add(object, isNegative(offset)) : object, offset };
}

/** 1 or 0, as wide as the offset. */
function isNegative(offset: Term): Term {
  const width = widthOf(offset);
  return L.zeroExtend(L.extract(width - 1, width - 1, offset), width);
}

export function number(value: SymbolicValue): Term {
  if (isPointer(value)) throw new Error('a pointer where a number was expected: lowering converts explicitly');
  return value;
}
export function asPointer(value: SymbolicValue): SymbolicPointer {
  if (!isPointer(value)) throw new Error('a number where a pointer was expected: lowering converts explicitly');
  return value;
}
