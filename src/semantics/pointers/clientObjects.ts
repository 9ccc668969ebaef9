/**
 * Keys that tell a client's objects apart: two pointers that a client hands over may be equal when what they point to
 * has the same key. Signedness and qualifiers make no other object; through a `void *` or a pointer to characters any
 * object may be passed, and then types keep nothing apart.
 */
import { sizeOf } from '../../c/layout';
import { printType } from '../../c/printType';
import { withoutQualifiers } from '../../c/target';
import type { CType, DataModel, FunctionType } from '../../c/types';
import { cellsOf, type Congruence, exactly, gcd, plus } from '../../program/congruence';

export const anyObject = 'any';

/** `undefined`: the type is not known. */
export function objectKey(type: CType | undefined): string {
  if (!type) return anyObject;
  const to = withoutQualifiers(type);
  const integer = to.kind === 'enum' ? to.underlying : to;
  switch (integer.kind) {
    case 'void':
      return anyObject;
    case 'integer':
      return integer.widthBits === 8 && integer.name !== 'bool' ? anyObject : `integer of ${integer.widthBits} bits`;
    // Elements and arrays of them may be the same memory.
    case 'array':
      return objectKey(integer.of);
    case 'pointer':
      return `pointer to ${objectKey(integer.to)}`;
    // Without a name, what makes types the same in two files is their members (C11 6.2.7).
    case 'record':
      return integer.record.tag === undefined
        ? `${integer.record.keyword} { ` +
            `${integer.record.fields.map(({ name, type: of }) => `${printType(of, name)};`).join(' ')} }`
        : printType(integer);
    default:
      return printType(integer);
  }
}

/** The distance that a pointer moves by; 1 where the size is not known. */
export const elementBytes = (to: CType | undefined, model: DataModel): number =>
  Math.max(1, (to && sizeOf(to, model)) ?? 1);

/** Places of data pointers in an object, which may be an array of such. */
export function pointersIn(type: CType, model: DataModel): { readonly at: Congruence; readonly to: CType }[] {
  const whole = sizeOf(type, model) ?? 0;
  return within(type, model).map(({ at, to }) => ({
    at: whole > 0 ? plus(at, { residue: 0, modulus: whole }) : at,
    to,
  }));
}

function within(type: CType, model: DataModel): { readonly at: Congruence; readonly to: CType }[] {
  switch (type.kind) {
    case 'pointer':
      return type.to.kind === 'function' ? [] : [{ at: exactly(0), to: type.to }];
    case 'array': {
      const size = sizeOf(type.of, model) ?? 0;
      return within(type.of, model).map(({ at, to }) => ({
        at: { residue: at.residue, modulus: gcd(at.modulus, size) },
        to,
      }));
    }
    case 'record':
      return type.record.fields.flatMap((field) =>
        within(field.type, model).map(({ at, to }) => ({ at: plus(at, exactly(field.offsetBytes)), to })),
      );
    default:
      return [];
  }
}

/**
 * The types of the functions that pointers at these places of an object lead to. Undefined when something else may be
 * at one of them: also behind the object's end, where what it begins may go on (a structure that has it as first
 * member, a flexible array, what its user put there), or where nothing says how far on.
 */
export function functionsAt(type: CType, at: Congruence, model: DataModel): readonly FunctionType[] | undefined {
  const size = sizeOf(type, model) ?? 0;
  if (at.modulus !== 0) return undefined;
  const found: FunctionType[] = [];
  for (const cell of cellsOf(at)) {
    const leaf = cell >= 0 && cell < size ? leafAt(type, cell, model) : undefined;
    if (leaf?.kind !== 'pointer' || leaf.to.kind !== 'function') return undefined;
    found.push(leaf.to);
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
      const field = type.record.fields.find(
        ({ offsetBytes, type: of, bits }) =>
          !bits && offset >= offsetBytes && offset < offsetBytes + (sizeOf(of, model) ?? 0),
      );
      return field && leafAt(field.type, offset - field.offsetBytes, model);
    }
    default:
      return offset === 0 ? type : undefined;
  }
}
