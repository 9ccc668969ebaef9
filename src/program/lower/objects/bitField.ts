/**
 * Bit-fields: loads and stores of the surrounding storage unit, with shifts and masks. A unit that ordinary members
 * share is narrowed to the bytes of the bit-field, so a store never marks its neighbours as initialised. Reads are not
 * checked for initialisation: a store to one field cannot be distinguished from a store to the whole unit.
 */
import type { Span } from '../../../c/source';
import type { RecordLayout } from '../../../c/types';
import { binary, convert, integer, isInitialised, load, unary } from '../../build';
import type { Expression, IntegerScalar } from '../../expression';
import { checkAccess, mayBeUninitialised, moved, pointerOf, type LvalueAddress, type MemoryLvalue } from './address';
import type { FunctionLowering } from '../context';
import { scalarOf, sizeOf } from './layout';

interface Unit {
  readonly address: LvalueAddress;
  readonly bytes: 1 | 2 | 4 | 8;
  readonly shift: number;
  readonly width: number;
}

/** The bytes to load and store for a bit-field, and the position of its lowest bit in them. */
export function unitOf(f: FunctionLowering, lvalue: MemoryLvalue): Unit {
  const { field, record, address } = lvalue;
  const { offset, width, unitBytes } = field!.bits!;
  const whole = unitBytes ?? (sizeOf(field!.type, f.model) as 1 | 2 | 4 | 8);
  const windows = [{ start: 0, bytes: whole }];
  for (const bytes of [1, 2, 4] as const) {
    for (let start = 0; start + bytes <= whole; start++) windows.push({ start, bytes });
  }
  const fitting = windows.filter(({ start, bytes }) => start * 8 <= offset && offset + width <= (start + bytes) * 8);
  const chosen =
    fitting.find(({ start, bytes }) => !record || !touchesOthers(f, record, field!.offsetBytes + start, bytes)) ??
    fitting[0]!;
  return {
    address: moved(address, chosen.start),
    bytes: chosen.bytes,
    shift: offset - chosen.start * 8,
    width,
  };
}

function touchesOthers(f: FunctionLowering, record: RecordLayout, start: number, bytes: number): boolean {
  if (record.keyword === 'union') return false;
  return record.fields.some(
    (other) =>
      !other.bits && other.offsetBytes < start + bytes && start < other.offsetBytes + sizeOf(other.type, f.model),
  );
}

const unsignedOf = (bytes: number): IntegerScalar => ({ kind: 'integer', widthBits: (bytes * 8) as 8, signed: false });
const maskOf = (width: number, type: IntegerScalar): Expression => integer((1n << BigInt(width)) - 1n, type);
const shifted = (operator: 'shift-left' | 'shift-right', e: Expression, amount: number): Expression =>
  binary(operator, e, integer(amount, e.type as IntegerScalar));

export function loadBits(f: FunctionLowering, lvalue: MemoryLvalue, span: Span): Expression {
  const unit = unitOf(f, lvalue);
  const address = checkAccess(f, unit.address, unit.bytes, 'read', span);
  const type = unsignedOf(unit.bytes);
  if (mayBeUninitialised(f, address, lvalue.type)) {
    // A write of one field marks the fields beside it as initialised.
    f.program.choose('bit-fields', span);
    f.check('uninitialised-read', isInitialised(pointerOf(address), unit.bytes), span, { ifUnchecked: 'ignore' });
  }
  return extract(load(type, pointerOf(address)), unit, scalarOf(lvalue.type) as IntegerScalar);
}

function extract(
  bits: Expression,
  { shift, width }: { readonly shift: number; readonly width: number },
  type: IntegerScalar,
): Expression {
  const unit = bits.type as IntegerScalar;
  if (!type.signed) return convert(binary('and', shifted('shift-right', bits, shift), maskOf(width, unit)), type);
  const signed = convert(bits, { ...unit, signed: true });
  return convert(
    shifted('shift-right', shifted('shift-left', signed, unit.widthBits - width - shift), unit.widthBits - width),
    type,
  );
}

/** Returns the value that the field now holds. */
export function storeBits(
  f: FunctionLowering,
  lvalue: MemoryLvalue,
  value: Expression,
  span: Span,
  placeSpan: Span,
): Expression {
  const unit = unitOf(f, lvalue);
  const address = checkAccess(f, unit.address, unit.bytes, 'write', placeSpan);
  const type = unsignedOf(unit.bytes);
  const pointer = pointerOf(address);
  const kept = binary(
    'and',
    load(type, pointer),
    unary('complement', shifted('shift-left', maskOf(unit.width, type), unit.shift)),
  );
  const added = shifted('shift-left', binary('and', convert(value, type), maskOf(unit.width, type)), unit.shift);
  f.emit({ kind: 'store', address: pointer, type, value: binary('or', kept, added) }, span);
  const own = value.type as IntegerScalar;
  return extract(value, { shift: 0, width: Math.min(unit.width, own.widthBits) }, own);
}
