/** From C types to IR scalars and sizes. */
import { maximum } from '../../build';
import type { IntegerScalar, Scalar } from '../../expression';
import { pointer, uint8 } from '../../expression';
import type { CType, DataModel, Field } from '../../../c/types';
import { pointerBytes } from '../../../c/types';
import { sizeOf as layoutSize } from '../../../c/layout';
import { unreachable } from '../../../unreachable';

export { isScalar } from '../../../c/target';

/** `_Bool` is a uint8 that holds 0 or 1; an enum its underlying integer; a function designator a pointer. */
export function scalarOf(type: CType): Scalar {
  switch (type.kind) {
    case 'integer':
      return type.name === 'bool' ? uint8 : { kind: 'integer', widthBits: type.widthBits, signed: type.signed };
    case 'enum':
      return scalarOf(type.underlying);
    case 'float':
      return { kind: 'float', widthBits: type.widthBits };
    case 'pointer':
    case 'array':
    case 'function':
      return pointer;
    case 'void':
    case 'record':
      throw new Error(`a ${type.kind} is no scalar: the caller must look first`);
    default:
      return unreachable(type);
  }
}

export const isBool = (type: CType): boolean => type.kind === 'integer' && type.name === 'bool';
/** Reads never need a check for initialisation: C allows reading bytes as unsigned characters. */
export const isByte = (type: CType): boolean => type.kind === 'integer' && type.name === 'unsigned char';

/** In bytes. 1 for `void` and functions, as in GNU C; 0 for incomplete types. */
export function sizeOf(type: CType, model: DataModel): number {
  return layoutSize(type, model) ?? (type.kind === 'void' || type.kind === 'function' ? 1 : 0);
}

export function scalarBytes(type: Scalar, model: DataModel): number {
  return type.kind === 'pointer' ? pointerBytes(model) : type.widthBits / 8;
}

/** The largest object that this model has room for, in bytes. */
export const mostObjectBytes = (model: DataModel): bigint => maximum(offsetType(model));

/** The largest object that a machine may have: the greatest difference of two pointers (C11 6.5.6p9). */
export const mostAddressBytes = (model: DataModel): bigint => (model === 'lp64' ? 1n << 63n : 1n << 31n) - 1n;

/** The type whose range contains all offsets of pointers. */
export const offsetType = (model: DataModel): IntegerScalar => ({
  kind: 'integer',
  widthBits: model === 'lp64' ? 32 : 16,
  signed: true,
});
export const sizeType = (model: DataModel): IntegerScalar => ({
  kind: 'integer',
  widthBits: model === 'lp64' ? 64 : 32,
  signed: false,
});
export function isConst(type: CType): boolean {
  return type.const === true || (type.kind === 'array' && isConst(type.of));
}

/** Results are passed by a hidden first parameter, arguments by a hidden pointer to a copy. */
export const isAggregate = (type: CType): boolean => type.kind === 'record' || type.kind === 'array';

/** An array member at the end of a structure whose length is not meant: `[]`, `[0]` or `[1]`. */
export function mayBeLonger(
  field: Field,
  record: { readonly keyword: string; readonly fields: readonly Field[] },
): boolean {
  return field.type.kind === 'array' && (field.type.length ?? 0) <= 1 && endsRecord(field, record);
}

/** Nothing of the structure follows the member. */
export function endsRecord(
  field: Field,
  record: { readonly keyword: string; readonly fields: readonly Field[] },
): boolean {
  return record.keyword === 'union' || record.fields[record.fields.length - 1] === field;
}
