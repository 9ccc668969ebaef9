/**
 * Sizes, alignments and member offsets as GCC lays them out for the System V ABI: x86-64 for LP64, i386 for ILP32
 * (where `double` and `long long` need only 4 bytes of alignment as members). `long double` has the size of `double`.
 *
 * Bit-fields (GCC's PCC_BITFIELD_TYPE_MATTERS): a field goes to the next free bit unless it would cross more units of
 * its type's alignment than the type itself has; a named one gives the record its type's alignment; width 0 moves on to
 * the next unit. Under `#pragma pack` fields may cross units, and only width 0 still knows its type's alignment.
 */
import { pointerBytes, type CType, type DataModel, type Field, type RecordLayout } from './types';
import { unreachable } from '../unreachable';

/**
 * In bytes; undefined for incomplete and function types. `void` has size 1 in GNU's pointer arithmetic, which callers
 * ask for themselves.
 */
export function sizeOf(type: CType, model: DataModel): number | undefined {
  switch (type.kind) {
    case 'integer':
    case 'float':
      return type.widthBits / 8;
    case 'enum':
      return type.underlying.widthBits / 8;
    case 'pointer':
      return pointerBytes(model);
    case 'array': {
      const element = type.length === undefined ? undefined : sizeOf(type.of, model);
      return element === undefined ? undefined : element * type.length!;
    }
    case 'record':
      return type.record.complete ? type.record.sizeBytes : undefined;
    case 'void':
    case 'function':
      return undefined;
    default:
      return unreachable(type);
  }
}

/** Size of what a pointer counts; in GNU C, bytes behind `void *`. Undefined where nothing can be counted. */
export function elementSizeOf(pointee: CType, model: DataModel): number | undefined {
  return pointee.kind === 'void' ? 1 : sizeOf(pointee, model) || undefined;
}

/** In bytes, as `_Alignof` says it; 1 for types that have none. */
export function alignOf(type: CType, model: DataModel): number {
  if (type.alignBytes !== undefined) return type.alignBytes;
  switch (type.kind) {
    case 'integer':
    case 'float':
      return Math.min(type.widthBits / 8, model === 'lp64' ? 16 : 4);
    case 'enum':
      return alignOf(type.underlying, model);
    case 'pointer':
      return pointerBytes(model);
    case 'array':
      return alignOf(type.of, model);
    case 'record':
      return type.record.complete ? type.record.alignBytes : 1;
    case 'void':
    case 'function':
      return 1;
    default:
      return unreachable(type);
  }
}

/** A member as declared. */
export interface MemberToPlace<Where> {
  readonly name: string | undefined;
  readonly type: CType;
  /** Bit-field width; 0 only for unnamed ones. */
  readonly width: number | undefined;
  readonly packed: boolean;
  /** `_Alignas` or `aligned`: at least this. */
  readonly minimumAlign: number;
  readonly where: Where;
}

/** Fills in a record. `straddles` is told of packed bit-fields that no load of 8 bytes covers. */
export function layOut<Where>(
  record: RecordLayout,
  members: readonly MemberToPlace<Where>[],
  options: {
    readonly packed: boolean;
    /** `#pragma pack`. */ readonly mostAlign: number;
    readonly minimumAlign: number;
    readonly model: DataModel;
  },
  straddles: (where: Where) => void,
): void {
  const { model } = options;
  const union = record.keyword === 'union';
  const fields: Field[] = [];
  const bitFields: {
    readonly index: number;
    readonly bit: number;
    readonly width: number;
    readonly typeBytes: number;
    readonly where: Where;
  }[] = [];
  let bit = 0;
  let sizeBits = 0;
  let align = options.minimumAlign;
  for (const member of members) {
    if (union) bit = 0;
    const packed = options.packed || member.packed;
    const typeAlign = Math.min(alignOf(member.type, model), options.mostAlign);
    const minimumAlign = Math.min(member.minimumAlign, options.mostAlign);
    if (member.width === undefined) {
      const memberAlign = Math.max(packed ? 1 : typeAlign, minimumAlign);
      align = Math.max(align, memberAlign);
      bit = roundUp(bit, memberAlign * 8);
      fields.push({ name: member.name, type: member.type, offsetBytes: bit / 8 });
      bit += (sizeOf(member.type, model) ?? 0) * 8;
    } else if (member.width === 0) {
      bit = roundUp(bit, alignOf(member.type, model) * 8);
    } else {
      const typeBits = sizeOf(member.type, model)! * 8;
      const unitBits = typeAlign * 8;
      if (minimumAlign > 1) bit = roundUp(bit, minimumAlign * 8);
      if (
        !packed &&
        options.mostAlign === Infinity &&
        Math.ceil(((bit % unitBits) + member.width) / unitBits) > typeBits / unitBits
      )
        bit = roundUp(bit, unitBits);
      if (member.name !== undefined) {
        align = Math.max(align, packed ? 1 : typeAlign, minimumAlign);
        bitFields.push({
          index: fields.length,
          bit,
          width: member.width,
          typeBytes: typeBits / 8,
          where: member.where,
        });
        fields.push({ name: member.name, type: member.type, offsetBytes: 0 });
      }
      bit += member.width;
    }
    sizeBits = Math.max(sizeBits, bit);
  }
  record.alignBytes = align;
  record.sizeBytes = roundUp(Math.ceil(sizeBits / 8), align);
  for (const { index, bit: position, width, typeBytes, where } of bitFields) {
    const unit = storageUnit(position, width, typeBytes, record.sizeBytes);
    if (!unit) {
      straddles(where);
      continue;
    }
    fields[index] = {
      ...fields[index]!,
      offsetBytes: unit.offsetBytes,
      bits: {
        offset: position - unit.offsetBytes * 8,
        width,
        ...(unit.bytes === typeBytes ? {} : { unitBytes: unit.bytes }),
      },
    };
  }
  record.fields = fields;
  record.complete = true;
}

/** Storage unit of a bit-field: that of its type if it lies in the record, else the nearest other one that holds it. */
function storageUnit(
  bit: number,
  width: number,
  typeBytes: number,
  sizeBytes: number,
): { readonly offsetBytes: number; readonly bytes: 1 | 2 | 4 | 8 } | undefined {
  const own = Math.floor(bit / (typeBytes * 8)) * typeBytes;
  const holds = (offset: number, bytes: number): boolean =>
    offset >= 0 && offset * 8 <= bit && bit + width <= (offset + bytes) * 8 && offset + bytes <= sizeBytes;
  const firstByte = Math.floor(bit / 8);
  const sizes = [typeBytes, 1, 2, 4, 8] as readonly (1 | 2 | 4 | 8)[];
  for (const bytes of sizes) {
    if (bytes === typeBytes && holds(own, bytes)) return { offsetBytes: own, bytes };
    for (let offset = firstByte; offset >= 0 && offset > firstByte - bytes; offset--)
      if (holds(offset, bytes)) return { offsetBytes: offset, bytes };
  }
  return undefined;
}

function roundUp(value: number, multiple: number): number {
  return Math.ceil(value / multiple) * multiple;
}
