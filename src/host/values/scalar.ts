/** Single C values between the machine, the host and the log. */
import type { CType } from '../../c/types';
import type { Scalar } from '../../program/expression';
import {
  objectNumber,
  offsetBytes,
  pointerTo,
  wrapInteger,
  type ConcreteValue,
} from '../../semantics/concrete/concreteValues';
import { unreachable } from '../../unreachable';
import { hostInteger, hostValue, type DecodePointer } from './decode';
import { enumValue, toFloat, toInteger, type EncodeContext } from './encode';
import { nullAddress, type HostAddress } from '../layout';
import type { HostValue } from '../operation';
import { formatType } from '../typeText';

/** A host value as a machine value of a scalar C type; see `encode` for what is accepted. */
export function concreteOf(value: unknown, type: CType, place: string, context: EncodeContext): ConcreteValue {
  switch (type.kind) {
    case 'integer':
      return wrapInteger(toInteger(value, type, place), {
        kind: 'integer',
        widthBits: type.widthBits,
        signed: type.signed,
      });
    case 'enum':
      return wrapInteger(enumValue(value, type, place), {
        kind: 'integer',
        widthBits: type.underlying.widthBits,
        signed: type.underlying.signed,
      });
    case 'float':
      return toFloat(value, type, place);
    case 'pointer': {
      const address = value === null ? nullAddress : context.addressOf(value, type, place);
      return pointerTo(address.object, address.offset);
    }
    case 'array':
    case 'record':
    case 'void':
    case 'function':
      throw new TypeError(`${place}: '${formatType(type)}' is no single value`);
    default:
      return unreachable(type);
  }
}

/** A machine value as a host value. */
export function hostOf(value: ConcreteValue, type: CType, onPointer: DecodePointer): unknown {
  switch (type.kind) {
    case 'integer':
      return hostValue(BigInt(value), type);
    case 'enum':
      return hostInteger(BigInt(value), type.underlying);
    case 'float':
      return value;
    case 'pointer': {
      const address = addressOf(value);
      return address.object === 0 && address.offset === 0 ? null : onPointer(address, type.to);
    }
    case 'void':
      return undefined;
    case 'array':
    case 'record':
    case 'function':
      throw new Error(`a value of type ${formatType(type)} is no single value`);
    default:
      return unreachable(type);
  }
}

export function addressOf(pointer: ConcreteValue): HostAddress {
  return { object: objectNumber(pointer), offset: offsetBytes(pointer) };
}

/** For the log. `allocations`: which objects the host made, object number to id. */
export function toLog(value: ConcreteValue, type: Scalar, allocations: ReadonlyMap<number, number>): HostValue {
  switch (type.kind) {
    case 'integer':
      return { integer: String(value) };
    case 'float':
      return { float: floatText(Number(value)) };
    case 'pointer': {
      const { object, offset } = addressOf(value);
      const allocation = allocations.get(object);
      return allocation === undefined ? { object, offset } : { allocation, offset };
    }
    default:
      return unreachable(type);
  }
}

/** From the log. `objects`: the numbers of the host's objects, by id. */
export function fromLog(value: HostValue, type: Scalar, objects: readonly number[]): ConcreteValue {
  if ('integer' in value) {
    if (type.kind !== 'integer') throw new Error(`the log has an integer where a ${type.kind} is wanted`);
    return wrapInteger(BigInt(value.integer), type);
  }
  if ('float' in value) return Number(value.float);
  const object = 'allocation' in value ? objects[value.allocation] : value.object;
  if (object === undefined) throw new Error('the log names an object that it did not make');
  return pointerTo(object, value.offset);
}

function floatText(value: number): number | 'NaN' | 'Infinity' | '-Infinity' | '-0' {
  if (Object.is(value, -0)) return '-0';
  return Number.isFinite(value) ? value : (String(value) as 'NaN' | 'Infinity' | '-Infinity');
}

export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

export function fromHex(text: string): Uint8Array {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}
