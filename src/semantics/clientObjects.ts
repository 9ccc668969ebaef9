/**
 * What a client's objects are told apart by: two pointers that a client hands over may be equal when what they point to has the same key. Signedness and
 * qualifiers make no other object; through a `void *` or a pointer to characters any object may be passed, and then types keep nothing apart.
 */
import { sizeOf } from '../c/layout';
import { printType } from '../c/printType';
import { unqualified } from '../c/target';
import type { CType, DataModel, FunctionType } from '../c/types';
import { type Congruence, exactly, gcd, plus, residueOf } from '../program/congruence';
import { compatible } from '../program/lower/compatible';

export const anyObject = 'any';

/** `undefined`: the type is not known. */
export function objectKey(type: CType | undefined): string {
  if (!type) return anyObject;
  const to = unqualified(type);
  const integer = to.kind === 'enum' ? to.underlying : to;
  switch (integer.kind) {
    case 'void': return anyObject;
    case 'integer': return integer.widthBits === 8 && integer.name !== 'bool' ? anyObject : `integer of ${integer.widthBits} bits`;
    // Elements and arrays of them may be the same memory.
    case 'array': return objectKey(integer.of);
    case 'pointer': return `pointer to ${objectKey(integer.to)}`;
    // Without a name, what makes types the same in two files is their members (C11 6.2.7).
    case 'record': return integer.record.tag === undefined ? `${integer.record.keyword} { ${integer.record.fields.map(({ name, type: of }) => `${printType(of, name)};`).join(' ')} }` : printType(integer);
    default: return printType(integer);
  }
}

/** Places of data pointers in an object, which may be an array of such. */
export function pointersIn(type: CType, model: DataModel): { readonly at: Congruence; readonly to: CType }[] {
  const whole = sizeOf(type, model) ?? 0;
  return within(type, model).map(({ at, to }) => ({ at: whole > 0 ? plus(at, { residue: 0, modulus: whole }) : at, to }));
}

function within(type: CType, model: DataModel): { readonly at: Congruence; readonly to: CType }[] {
  switch (type.kind) {
    case 'pointer': return type.to.kind === 'function' ? [] : [{ at: exactly(0), to: type.to }];
    case 'array': {
      const size = sizeOf(type.of, model) ?? 0;
      return within(type.of, model).map(({ at, to }) => ({ at: { residue: at.residue, modulus: gcd(at.modulus, size) }, to }));
    }
    case 'record': return type.record.fields.flatMap((field) => within(field.type, model).map(({ at, to }) => ({ at: plus(at, exactly(field.offsetBytes)), to })));
    default: return [];
  }
}

/**
 * The type of the functions that a pointer `cell` bytes after the start of an object leads to, and `stride`, 2 * `stride`... bytes further on. The object may be an array of `type`. Undefined when something else may
 * be at one of these places, or functions of several types.
 */
export function functionAt(type: CType, cell: number, stride: number, model: DataModel): FunctionType | undefined {
  const size = sizeOf(type, model) ?? 0;
  if (size === 0) return undefined;
  let found: FunctionType | undefined;
  for (let turn = 0; turn < (stride === 0 ? 1 : size / gcd(size, stride)); turn++) {
    const leaf = leafAt(type, residueOf(cell + turn * stride, size), model);
    if (leaf?.kind !== 'pointer' || leaf.to.kind !== 'function' || (found && !compatible(found, leaf.to))) return undefined;
    found = leaf.to;
  }
  return found;
}

/** The scalar that begins at the offset in an object of the type; undefined in unions, where it may be another. */
function leafAt(type: CType, offset: number, model: DataModel): CType | undefined {
  switch (type.kind) {
    case 'array': {
      const size = sizeOf(type.of, model) ?? 0;
      return size === 0 ? undefined : leafAt(type.of, offset % size, model);
    }
    case 'record': {
      if (type.record.keyword === 'union') return undefined;
      const field = type.record.fields.find(({ offsetBytes, type: of, bits }) => !bits && offset >= offsetBytes && offset < offsetBytes + (sizeOf(of, model) ?? 0));
      return field && leafAt(field.type, offset - field.offsetBytes, model);
    }
    default: return offset === 0 ? type : undefined;
  }
}
