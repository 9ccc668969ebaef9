/** Sizes of C types in bytes, and places in memory. */
import { pointerBytes, type CType, type DataModel } from '../c/types';
import { unreachable } from '../unreachable';
import { formatType } from './typeText';

/** A place in memory: an object and a signed byte offset in it. Null is object 0, offset 0. */
export interface HostAddress {
  readonly object: number;
  readonly offset: number;
}
export const nullAddress: HostAddress = { object: 0, offset: 0 };

/** Throws for types without a size (`void`, functions, incomplete ones). */
export function sizeOf(type: CType, model: DataModel): number {
  switch (type.kind) {
    case 'integer':
    case 'float':
      return type.widthBits / 8;
    case 'enum':
      return type.underlying.widthBits / 8;
    case 'pointer':
      return pointerBytes(model);
    case 'array':
      if (type.length === undefined) throw new TypeError('an array without a length has no size');
      return type.length * sizeOf(type.of, model);
    case 'record':
      if (!type.record.complete) throw new TypeError(`${formatType(type)} is declared but never defined in the module`);
      return type.record.sizeBytes;
    case 'void':
    case 'function':
      throw new TypeError(`a ${type.kind} has no size`);
    default:
      return unreachable(type);
  }
}
