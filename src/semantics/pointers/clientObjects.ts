/**
 * Keys that tell a client's objects apart: two pointers that a client hands over may be equal when what they point to
 * has the same key. Signedness and qualifiers make no other object; through a `void *` or a pointer to characters any
 * object may be passed, and then types keep nothing apart.
 */
import { sizeOf } from '../../c/layout';
import { printType } from '../../c/printType';
import { withoutQualifiers } from '../../c/target';
import type { CType, DataModel, FunctionType } from '../../c/types';
import { cellsOf, type Congruence, exactly, gcd, plus, residueOf } from '../../program/congruence';
import type { Program } from '../../program/program';

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
 * The types of the functions that pointers at these places of an object lead to, or of an array of such objects.
 * Undefined when something else may be at one of them: also behind the object's end, where what it begins may go on (a
 * structure that has it as first member, a flexible array, what its user put there), or where nothing says how far on.
 * Steps of one element's size are taken to go through an array, unless the program converts pointers to the element to
 * pointers to something else.
 */
export function functionsAt(type: CType, at: Congruence, program: Program): readonly FunctionType[] | undefined {
  const { dataModel: model } = program;
  const size = sizeOf(type, model) ?? 0;
  if (at.modulus !== 0 && (at.modulus !== size || !isElement(type) || isConverted(type, program))) return undefined;
  const found: FunctionType[] = [];
  for (const cell of cellsOf(at)) {
    const place = at.modulus === 0 ? cell : residueOf(cell, size);
    const leaf = place >= 0 && place < size ? leafAt(type, place, model) : undefined;
    if (leaf?.kind !== 'pointer' || leaf.to.kind !== 'function') return undefined;
    found.push(leaf.to);
  }
  return found;
}

/** Neither a structure that ends in an array of no fixed length, nor one as short as what a user may put behind it. */
const isElement = (type: CType): boolean => type.kind !== 'record' || (type.record.fields.length > 1 && !isOpen(type));

/** A pointer to the type, or into its objects, is converted to one to another type; or a pointer to such a pointer. */
function isConverted(type: CType, { convertedPointers }: Program): boolean {
  const converted = new Set(convertedPointers.map(objectKey));
  return [...keysIn(type), objectKey({ kind: 'pointer', to: type })].some((key) => converted.has(key));
}

/** Keys of the type and of what lies in its objects. */
function keysIn(type: CType): readonly string[] {
  if (type.kind === 'array') return keysIn(type.of);
  const own = objectKey(type);
  return type.kind === 'record' ? [own, ...type.record.fields.flatMap((field) => keysIn(field.type))] : [own];
}

/** A last member with at most one element may be longer than it is declared. */
function isOpen(type: CType): boolean {
  if (type.kind === 'array') return (type.length ?? 0) <= 1 || isOpen(type.of);
  if (type.kind !== 'record') return false;
  const { keyword, fields } = type.record;
  return (keyword === 'union' ? fields : fields.slice(-1)).some((field) => isOpen(field.type));
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
