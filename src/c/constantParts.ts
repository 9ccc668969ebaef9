/**
 * The parts of an object that no valid program changes while the object lives, because the object or the member around
 * them is defined `const` (C11 6.7.3p6). Hardware may change what is `volatile`.
 */
import { sizeOf } from './layout';
import { type CType, type DataModel, hasVolatilePart } from './types';

/** True if `bytes` bytes at `offsetBytes` of an object of this type lie in one part that is `const`. */
export function isConstantAt(type: CType, offsetBytes: number, bytes: number, model: DataModel): boolean {
  const size = sizeOf(type, model);
  if (type.volatile === true || offsetBytes < 0 || size === undefined || offsetBytes + bytes > size) return false;
  if (type.const === true && !hasVolatilePart(type)) return true;
  switch (type.kind) {
    case 'array': {
      const element = sizeOf(type.of, model);
      return element !== undefined && element > 0 && isConstantAt(type.of, offsetBytes % element, bytes, model);
    }
    case 'record':
      // Another member of a union may be written instead, and a unit of bit-fields as a whole.
      return (
        type.record.keyword === 'struct' &&
        type.record.fields.some(
          (field) =>
            !field.bits && isConstantAt(partOf(type, field.type), offsetBytes - field.offsetBytes, bytes, model),
        )
      );
    default:
      return false;
  }
}

/** A member of a `const` structure is `const`. */
export const partOf = (whole: CType, part: CType): CType => {
  if (whole.const !== true) return part;
  return part.kind === 'array' ? { ...part, of: partOf(whole, part.of) } : { ...part, const: true };
};
