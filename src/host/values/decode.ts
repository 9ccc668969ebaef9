/**
 * C bytes to host values. Integers of up to 32 bits are numbers, 64-bit ones bigints, `_Bool` a boolean; null is
 * `null`. What was never written is `undefined`.
 */
import type { CType, DataModel, Field, IntegerType } from '../../c/types';
import { unreachable } from '../../unreachable';
import { objectNumber, offsetBytes, pointerAt } from '../../semantics/concrete/concreteValues';
import { sizeOf, type HostAddress } from '../layout';
import { bitFieldType, namedFields, readInteger, unitBits } from './encode';

/** A range of memory; `isInitialised` is false of a byte that was never written. */
export interface ByteRange {
  readonly bytes: Uint8Array;
  isInitialised(from: number, size: number): boolean;
}

/** Called with a pointer that is not null; `member` says of which structure it is which. */
export type DecodePointer = (
  address: HostAddress,
  to: CType,
  member?: { readonly of: object; readonly name: string },
) => unknown;

export function decode(
  source: ByteRange,
  at: number,
  type: CType,
  model: DataModel,
  onPointer: DecodePointer,
  member?: { readonly of: object; readonly name: string },
): unknown {
  const { bytes } = source;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  switch (type.kind) {
    case 'array': {
      const size = sizeOf(type.of, model);
      return Array.from({ length: type.length ?? 0 }, (_, index) =>
        decode(source, at + index * size, type.of, model, onPointer),
      );
    }
    case 'record': {
      const value: Record<string, unknown> = {};
      for (const field of namedFields(type)) {
        const fieldAt = at + field.offsetBytes;
        if (field.bits) value[field.name] = decodeBits(source, view, fieldAt, field, field.bits);
        // A flexible array member has no elements of its own.
        else
          value[field.name] = decode(
            source,
            fieldAt,
            field.type.kind === 'array' && field.type.length === undefined ? { ...field.type, length: 0 } : field.type,
            model,
            onPointer,
            { of: value, name: field.name },
          );
      }
      return value;
    }
    case 'void':
    case 'function':
      return undefined;
    case 'integer':
    case 'enum':
    case 'float':
    case 'pointer':
      break;
    default:
      return unreachable(type);
  }
  if (!source.isInitialised(at, sizeOf(type, model))) return undefined;
  switch (type.kind) {
    case 'integer':
      return hostValue(readInteger(view, at, type), type);
    case 'enum':
      return hostInteger(readInteger(view, at, type.underlying), type.underlying);
    case 'float':
      return type.widthBits === 32 ? view.getFloat32(at, true) : view.getFloat64(at, true);
    case 'pointer': {
      const integer = readInteger(view, at, { widthBits: model === 'lp64' ? 64 : 32, signed: false });
      const pointer = pointerAt(integer, model);
      return integer === 0n
        ? null
        : onPointer({ object: objectNumber(pointer), offset: offsetBytes(pointer) }, type.to, member);
    }
    default:
      return unreachable(type);
  }
}

function decodeBits(
  source: ByteRange,
  view: DataView,
  at: number,
  field: Field,
  bits: { offset: number; width: number },
): unknown {
  const integer = bitFieldType(field.type);
  const first = Math.floor(bits.offset / 8);
  if (!source.isInitialised(at + first, Math.ceil((bits.offset + bits.width) / 8) - first)) return undefined;
  const raw =
    (readInteger(view, at, { widthBits: unitBits(field), signed: false }) >> BigInt(bits.offset)) &
    ((1n << BigInt(bits.width)) - 1n);
  return hostValue(integer.signed ? BigInt.asIntN(bits.width, raw) : raw, integer);
}

/** A bigint above 32 bits. */
export const hostInteger = (value: bigint, { widthBits }: IntegerType): number | bigint =>
  widthBits > 32 ? value : Number(value);

/** A boolean for `_Bool`. */
export const hostValue = (value: bigint, type: IntegerType): number | bigint | boolean =>
  type.name === 'bool' ? value !== 0n : hostInteger(value, type);
