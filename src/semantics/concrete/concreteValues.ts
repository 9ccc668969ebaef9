/**
 * The concrete reading of the IR's values, exact to the bit. Integers up to 32 bits are canonical numbers (in the range
 * of their type), wider integers canonical bigints, floats numbers (float32 rounded by `Math.fround`).
 *
 * A pointer is the number `object * 2^32 + (offset mod 2^32)` in both data models, so that arithmetic on addresses
 * costs what arithmetic on numbers costs. An integer turned into a pointer may name an object beyond 2^21, where a
 * number is no longer exact: such pointers, which name nothing, are bigints of the same value. `addressOf` and
 * `pointerAt` go to and from memory and C's integers.
 */
import { singleFromInteger } from '../../c/constant';
import type { CType, DataModel } from '../../c/types';
import type { BinaryOperator, CompareOperator, FloatScalar, IntegerScalar, Scalar } from '../../program/expression';
import type { FunctionDefinition, StaticObject } from '../../program/program';
import { unreachable } from '../../unreachable';
import type { Random } from './random';
import type { Values } from '../values';

export type ConcreteValue = number | bigint;

type Unary = (operand: ConcreteValue) => ConcreteValue;
type Binary = (left: ConcreteValue, right: ConcreteValue) => ConcreteValue;

const half = 0x1_0000_0000;

/** A pointer from an object's number (unsigned, up to 32 bits) and a byte offset (taken modulo 2^32). */
export function pointerTo(object: number, offsetBytes = 0): ConcreteValue {
  if (object < 0x20_0000) return object * half + (offsetBytes >>> 0);
  return (BigInt(object) << 32n) | BigInt(offsetBytes >>> 0);
}

/** The number of the object a pointer points into; 0 for null. */
export function objectNumber(pointer: ConcreteValue): number {
  return typeof pointer === 'number' ? Math.floor(pointer / half) : Number(pointer >> 32n);
}

/** Signed byte offset. */
export function offsetBytes(pointer: ConcreteValue): number {
  return typeof pointer === 'number' ? pointer | 0 : Number(BigInt.asIntN(32, pointer));
}

/**
 * The address of a pointer, as C makes numbers of pointers and as their bytes are in memory: where the object lies,
 * plus the offset. So what numbers are added to an address and taken from it again is the same pointer, also before
 * the object's beginning, and a number copied over a pointer is its address.
 */
export function addressOf(pointer: ConcreteValue, model: DataModel): bigint {
  const halfBits = model === 'lp64' ? 32 : 16;
  return BigInt.asUintN(
    2 * halfBits,
    (BigInt(objectNumber(pointer)) << BigInt(halfBits)) + BigInt(offsetBytes(pointer)),
  );
}

/** The pointer whose address is this number. */
export function pointerAt(address: bigint, model: DataModel): ConcreteValue {
  const halfBits = model === 'lp64' ? 32 : 16;
  const offset = BigInt.asIntN(halfBits, address);
  return pointerTo(Number(BigInt.asUintN(2 * halfBits, address - offset) >> BigInt(halfBits)), Number(offset));
}

/** Non-zero. */
export const holds = (value: ConcreteValue): boolean => (typeof value === 'number' ? value !== 0 : value !== 0n);

/** Zero, or the null pointer. */
export const zero = (type: Scalar): ConcreteValue => (type.kind === 'integer' && isWide(type) ? 0n : 0);

/** Integers of more than 32 bits are bigints, all others numbers. */
export const isWide = ({ widthBits }: IntegerScalar): boolean => widthBits > 32;

/** The canonical value of a type congruent to any integer. */
export function wrapInteger(value: bigint, type: IntegerScalar): ConcreteValue {
  const wrapped = type.signed ? BigInt.asIntN(type.widthBits, value) : BigInt.asUintN(type.widthBits, value);
  return isWide(type) ? wrapped : Number(wrapped);
}

/** Any value of the type. Pointers and floats get any pattern too, except that floats are finite. */
export function randomValue(type: Scalar, random: Random, model: DataModel): ConcreteValue {
  switch (type.kind) {
    case 'integer':
      return wrapInteger(
        type.widthBits === 128
          ? (random.uint64() << 64n) | random.uint64()
          : type.widthBits === 64
            ? random.uint64()
            : BigInt(random.uint32()),
        type,
      );
    case 'float': {
      const value = (random.uint32() - 0x8000_0000) / (1 + random.below(0x10000));
      return type.widthBits === 32 ? Math.fround(value) : value;
    }
    case 'pointer':
      return pointerAt(random.uint64(), model);
    default:
      return unreachable(type);
  }
}

/**
 * A value such as people choose: often 0, 1 or another small one, sometimes at the end of the range, sometimes
 * anything.
 */
export function randomInput(type: Scalar, random: Random, model: DataModel, ctype?: CType): ConcreteValue {
  if (type.kind === 'pointer') return 0;
  const choice = random.below(16);
  if (type.kind === 'float') return choice < 10 ? random.below(21) - 10 : randomValue(type, random, model);
  if (ctype?.kind === 'integer' && ctype.name === 'bool') return choice & 1;
  if (choice < 5) return wrapInteger(BigInt(choice & 1), type);
  if (choice < 11) return wrapInteger(BigInt(random.below(type.signed ? 33 : 17) - (type.signed ? 16 : 0)), type);
  if (choice < 12) return wrapInteger(1n << BigInt(type.widthBits - 1), type);
  if (choice < 13) return wrapInteger((1n << BigInt(type.widthBits - (type.signed ? 1 : 0))) - 1n, type);
  return randomValue(type, random, model);
}

export class ConcreteValues implements Values<ConcreteValue> {
  readonly null: ConcreteValue = 0;
  constructor(private readonly model: DataModel) {}

  integer(value: bigint, type: IntegerScalar): ConcreteValue {
    return wrapInteger(value, type);
  }
  float(value: number, type: FloatScalar): ConcreteValue {
    return type.widthBits === 32 ? Math.fround(value) : value;
  }
  address(of: StaticObject | FunctionDefinition): ConcreteValue {
    return of.number * half;
  }

  unary(operator: 'negate' | 'complement', type: IntegerScalar | FloatScalar): Unary {
    if (type.kind === 'float') {
      if (operator === 'complement') throw new Error('C has no complement of a float, the front end refuses it');
      return (a) => -(a as number);
    }
    if (isWide(type)) {
      const canonical = canonicalWide(type);
      return operator === 'negate' ? (a) => canonical(-(a as bigint)) : (a) => canonical(~(a as bigint));
    }
    const canonical = canonical32(type);
    return operator === 'negate' ? (a) => canonical(-(a as number)) : (a) => canonical(~(a as number));
  }

  binary(operator: BinaryOperator, type: IntegerScalar | FloatScalar, rightType: IntegerScalar | FloatScalar): Binary {
    if (type.kind === 'float') return floatBinary(operator, type);
    if (operator === 'shift-left' || operator === 'shift-right') return shift(operator, type, rightType);
    return isWide(type) ? binaryWide(operator, canonicalWide(type)) : binary32(operator, type);
  }

  compare(operator: CompareOperator, type: Scalar): Binary {
    switch (operator) {
      case 'eq':
        return (a, b) => (a === b ? 1 : 0);
      case 'ne':
        return (a, b) => (a !== b ? 1 : 0);
      case 'lt':
        return type.kind === 'pointer' ? (a, b) => (position(a) < position(b) ? 1 : 0) : (a, b) => (a < b ? 1 : 0);
      case 'le':
        return type.kind === 'pointer' ? (a, b) => (position(a) <= position(b) ? 1 : 0) : (a, b) => (a <= b ? 1 : 0);
      default:
        return unreachable(operator);
    }
  }

  convert(from: Scalar, to: Scalar): Unary {
    const { model } = this;
    if (from.kind === 'pointer') {
      if (to.kind === 'pointer') return (p) => p;
      const further = this.convert(address(model), to);
      return model === 'lp64' ? (p) => further(addressOf(p, model)) : (p) => further(Number(addressOf(p, model)));
    }
    if (to.kind === 'pointer') {
      const first = this.convert(from, address(model));
      return (a) => pointerAt(BigInt(first(a)), model);
    }
    if (from.kind === 'float') return to.kind === 'float' ? floatToFloat(to) : floatToInteger(to);
    return to.kind === 'float' ? integerToFloat(from, to) : integerToInteger(from, to);
  }

  readonly offset = (pointer: ConcreteValue, delta: ConcreteValue): ConcreteValue => {
    const offset = offsetBytes(pointer) + Number(BigInt.asIntN(32, delta as bigint));
    const truncated = this.model === 'lp64' ? offset : (offset << 16) >> 16;
    if (typeof pointer === 'number') return pointer - (pointer % half) + (truncated >>> 0);
    return pointerTo(objectNumber(pointer), truncated);
  };

  objectOf(pointer: ConcreteValue): ConcreteValue {
    return BigInt(objectNumber(pointer));
  }
  offsetOf(pointer: ConcreteValue): ConcreteValue {
    return BigInt(offsetBytes(pointer));
  }

  conditional(
    condition: ConcreteValue,
    _conditionType: Scalar,
    then: ConcreteValue,
    otherwise: ConcreteValue,
  ): ConcreteValue {
    return holds(condition) ? then : otherwise;
  }
}

/** The unsigned integer type that holds a pointer. */
function address(model: DataModel): IntegerScalar {
  return { kind: 'integer', widthBits: model === 'lp64' ? 64 : 32, signed: false };
}

/** Places pointers in the order of (object, signed offset). */
function position(pointer: ConcreteValue): ConcreteValue {
  if (typeof pointer === 'number') return (pointer | 0) < 0 ? pointer - half : pointer;
  return ((pointer >> 32n) << 32n) + BigInt.asIntN(32, pointer);
}

function canonical32(type: IntegerScalar): (value: number) => number {
  switch (type.widthBits) {
    case 8:
      return type.signed ? (v) => (v << 24) >> 24 : (v) => v & 0xff;
    case 16:
      return type.signed ? (v) => (v << 16) >> 16 : (v) => v & 0xffff;
    case 32:
      return type.signed ? (v) => v | 0 : (v) => v >>> 0;
    default:
      throw new Error('wider integers are bigints');
  }
}

function canonicalWide({ widthBits, signed }: IntegerScalar): (value: bigint) => bigint {
  return signed ? (v) => BigInt.asIntN(widthBits, v) : (v) => BigInt.asUintN(widthBits, v);
}

/**
 * Operands are exact integers below 2^32, so sums, differences and truncated quotients are exact doubles; products go
 * through imul.
 */
function binary32(operator: Exclude<BinaryOperator, 'shift-left' | 'shift-right'>, type: IntegerScalar): Binary {
  const canonical = canonical32(type);
  const int = type.widthBits === 32 && type.signed;
  switch (operator) {
    case 'add':
      return int ? (a, b) => ((a as number) + (b as number)) | 0 : (a, b) => canonical((a as number) + (b as number));
    case 'subtract':
      return int ? (a, b) => ((a as number) - (b as number)) | 0 : (a, b) => canonical((a as number) - (b as number));
    case 'multiply':
      return int
        ? (a, b) => Math.imul(a as number, b as number)
        : (a, b) => canonical(Math.imul(a as number, b as number));
    case 'divide':
      return (a, b) => (b === 0 ? 0 : canonical(Math.trunc((a as number) / (b as number))));
    case 'remainder':
      return (a, b) => (b === 0 ? a : canonical((a as number) % (b as number)));
    case 'and':
      return (a, b) => canonical((a as number) & (b as number));
    case 'or':
      return (a, b) => canonical((a as number) | (b as number));
    case 'xor':
      return (a, b) => canonical((a as number) ^ (b as number));
    default:
      return unreachable(operator);
  }
}

function binaryWide(
  operator: Exclude<BinaryOperator, 'shift-left' | 'shift-right'>,
  canonical: (value: bigint) => bigint,
): Binary {
  switch (operator) {
    case 'add':
      return (a, b) => canonical((a as bigint) + (b as bigint));
    case 'subtract':
      return (a, b) => canonical((a as bigint) - (b as bigint));
    case 'multiply':
      return (a, b) => canonical((a as bigint) * (b as bigint));
    case 'divide':
      return (a, b) => (b === 0n ? 0n : canonical((a as bigint) / (b as bigint)));
    case 'remainder':
      return (a, b) => (b === 0n ? a : (a as bigint) % (b as bigint));
    case 'and':
      return (a, b) => (a as bigint) & (b as bigint);
    case 'or':
      return (a, b) => (a as bigint) | (b as bigint);
    case 'xor':
      return (a, b) => (a as bigint) ^ (b as bigint);
    default:
      return unreachable(operator);
  }
}

/** The amount counts modulo the width. */
function shift(
  operator: 'shift-left' | 'shift-right',
  type: IntegerScalar,
  rightType: IntegerScalar | FloatScalar,
): Binary {
  if (rightType.kind === 'float') throw new Error('C has no shift by a float, the front end refuses it');
  if (isWide(type)) {
    const canonical = canonicalWide(type);
    const bits = Math.log2(type.widthBits);
    const amount = (b: ConcreteValue) => BigInt.asUintN(bits, BigInt(b));
    return operator === 'shift-left'
      ? (a, b) => canonical((a as bigint) << amount(b))
      : (a, b) => (a as bigint) >> amount(b);
  }
  const canonical = canonical32(type);
  const mask = type.widthBits - 1;
  const amount = isWide(rightType)
    ? (b: ConcreteValue) => Number(BigInt.asUintN(6, b as bigint)) & mask
    : (b: ConcreteValue) => (b as number) & mask;
  if (operator === 'shift-left') return (a, b) => canonical((a as number) << amount(b));
  return type.signed ? (a, b) => (a as number) >> amount(b) : (a, b) => (a as number) >>> amount(b);
}

/**
 * For float32, rounding the double result once more is exact for these four (a double has more than twice its bits,
 * plus two).
 */
function floatBinary(operator: BinaryOperator, type: FloatScalar): Binary {
  const single = type.widthBits === 32;
  switch (operator) {
    case 'add':
      return single ? (a, b) => Math.fround((a as number) + (b as number)) : (a, b) => (a as number) + (b as number);
    case 'subtract':
      return single ? (a, b) => Math.fround((a as number) - (b as number)) : (a, b) => (a as number) - (b as number);
    case 'multiply':
      return single ? (a, b) => Math.fround((a as number) * (b as number)) : (a, b) => (a as number) * (b as number);
    case 'divide':
      return single ? (a, b) => Math.fround((a as number) / (b as number)) : (a, b) => (a as number) / (b as number);
    case 'remainder':
    case 'and':
    case 'or':
    case 'xor':
    case 'shift-left':
    case 'shift-right':
      throw new Error(`C has no ${operator} of floats, the front end refuses it`);
    default:
      return unreachable(operator);
  }
}

function integerToInteger(from: IntegerScalar, to: IntegerScalar): Unary {
  if (isWide(from)) {
    if (isWide(to)) {
      const holdsAll = from.signed === to.signed && from.widthBits <= to.widthBits;
      return holdsAll ? (a) => a : (canonicalWide(to) as Unary);
    }
    const { widthBits } = to;
    return to.signed
      ? (a) => Number(BigInt.asIntN(widthBits, a as bigint))
      : (a) => Number(BigInt.asUintN(widthBits, a as bigint));
  }
  if (isWide(to)) return to.signed || !from.signed ? (a) => BigInt(a) : (a) => BigInt.asUintN(to.widthBits, BigInt(a));
  return canonical32(to) as Unary;
}

function integerToFloat(from: IntegerScalar, to: FloatScalar): Unary {
  if (to.widthBits === 64) return (a) => Number(a);
  return isWide(from) ? (a) => singleFromInteger(a as bigint) : (a) => Math.fround(a as number);
}

function floatToFloat(to: FloatScalar): Unary {
  return to.widthBits === 32 ? (a) => Math.fround(a as number) : (a) => a;
}

/**
 * Values that are not finite become 0; those out of range wrap. (C leaves both undefined, and a check comes before.)
 */
function floatToInteger(to: IntegerScalar): Unary {
  return (a) => (Number.isFinite(a as number) ? wrapInteger(BigInt(Math.trunc(a as number)), to) : zero(to));
}
