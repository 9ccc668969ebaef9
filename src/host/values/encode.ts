/**
 * Host values to C bytes, with the range checks C itself would not make: a value that does not fit is an error that
 * names the place, its C type and what to write instead. Initialisers follow C: what an array or struct literal leaves
 * out is zero.
 */
import type { CType, DataModel, EnumType, Field, FloatType, IntegerType, PointerType, RecordType } from '../../c/types';
import { addressOf, pointerTo } from '../../semantics/concrete/concreteValues';
import { unreachable } from '../../unreachable';
import { formatType } from '../typeText';
import { nullAddress, sizeOf, type HostAddress } from '../layout';
import { closest } from '../suggest';
import { TextEncoder } from '../../textCoding';

export interface EncodeContext {
  readonly model: DataModel;
  /** Target of a pointer that is not null: handles, functions, and fresh objects for strings and literals. */
  addressOf(value: unknown, type: PointerType, place: string): HostAddress;
  /**
   * Target of the pointer that `value` was read through, as this member of the structure; undefined where it was not.
   */
  readThrough?(value: unknown, of: object, name: string): HostAddress | undefined;
}

/** The bytes of `value` as a `type`. `place` names it in messages: "push(k)", "global.size". */
export function encode(value: unknown, type: CType, place: string, context: EncodeContext): Uint8Array {
  const bytes = new Uint8Array(sizeOf(type, context.model));
  encodeInto(bytes, 0, value, type, place, context);
  return bytes;
}

function encodeInto(
  bytes: Uint8Array,
  at: number,
  value: unknown,
  type: CType,
  place: string,
  context: EncodeContext,
): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  switch (type.kind) {
    case 'integer':
      return writeInteger(view, at, type.widthBits, toInteger(value, type, place));
    case 'enum':
      return writeInteger(view, at, type.underlying.widthBits, enumValue(value, type, place));
    case 'float': {
      const number = toFloat(value, type, place);
      if (type.widthBits === 32) view.setFloat32(at, number, true);
      else view.setFloat64(at, number, true);
      return;
    }
    case 'pointer': {
      return writePointer(
        bytes,
        at,
        value === null ? nullAddress : context.addressOf(value, type, place),
        context.model,
      );
    }
    case 'array':
      return encodeArray(bytes, at, value, type, place, context);
    case 'record':
      return encodeRecord(bytes, at, value, type, place, context);
    case 'void':
    case 'function':
      throw new TypeError(`${place}: a value of type '${formatType(type)}' cannot be written`);
    default:
      return unreachable(type);
  }
}

function encodeArray(
  bytes: Uint8Array,
  at: number,
  value: unknown,
  type: CType & { kind: 'array' },
  place: string,
  context: EncodeContext,
): void {
  const length = type.length ?? 0;
  const text =
    typeof value === 'string' && isCharacter(type.of)
      ? new TextEncoder().encode(value)
      : isTypedArray(value) && isBytes(value) && isCharacter(type.of)
        ? (value as Uint8Array)
        : undefined;
  const items: ArrayLike<unknown> | undefined =
    text ?? (Array.isArray(value) || isTypedArray(value) ? (value as ArrayLike<unknown>) : undefined);
  if (!items)
    throw new TypeError(
      `${place}: ${show(value)} is not an array; '${formatType(type)}' wants an array of at most ${length} ` +
        `values${isCharacter(type.of) ? ', or a string' : ''}`,
    );
  if (items.length > length) {
    throw new TypeError(
      `${place}: ${items.length} values do not fit in '${formatType(type)}'; give at most ` +
        `${length}${typeof value === 'string' ? ' characters' : ''}`,
    );
  }
  // Bytes are what they are, whether C's characters have signs or not.
  if (text) return bytes.set(text, at);
  const size = sizeOf(type.of, context.model);
  const plain = type.of.kind === 'integer' && type.of.widthBits < 64 ? numbersOf(type.of, bytes) : undefined;
  for (let index = 0; index < items.length; index++) {
    const item = items[index];
    if (plain && typeof item === 'number' && Number.isInteger(item) && item >= plain.low && item <= plain.high)
      plain.write(at + index * size, item);
    else encodeInto(bytes, at + index * size, item, type.of, `${place}[${index}]`, context);
  }
}

/**
 * JavaScript's numbers that fit an integer type narrower than 64 bits, and how one is written. Arrays are long, and
 * most of what they are given fits.
 */
function numbersOf(
  type: IntegerType,
  bytes: Uint8Array,
): { readonly low: number; readonly high: number; write(at: number, value: number): void } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const { low, high } = integerRange(type);
  return {
    low: Number(low),
    high: Number(high),
    write:
      type.widthBits === 8
        ? (at, value) => view.setUint8(at, value)
        : type.widthBits === 16
          ? (at, value) => view.setUint16(at, value, true)
          : (at, value) => view.setUint32(at, value, true),
  };
}

type TypedArray = Exclude<NodeJS.TypedArray, never>;

/** Also one of another realm, as Jest's sandbox has them. */
export function isTypedArray(value: unknown): value is TypedArray {
  return ArrayBuffer.isView(value) && Object.prototype.toString.call(value) !== '[object DataView]';
}

const isBytes = (value: TypedArray): boolean =>
  /\[object Uint8(Clamped)?Array\]/.test(Object.prototype.toString.call(value));

function encodeRecord(
  bytes: Uint8Array,
  at: number,
  value: unknown,
  type: RecordType,
  place: string,
  context: EncodeContext,
): void {
  const fields = namedFields(type);
  const text = formatType({ ...type, const: false });
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new TypeError(
      `${place}: ${show(value)} is not an object; '${text}' wants { ${fields.map((f) => f.name).join(', ')} }`,
    );
  }
  const given = Object.entries(value).filter(([, item]) => item !== undefined);
  if (type.record.keyword === 'union' && given.length > 1) {
    throw new TypeError(
      `${place}: a union holds one member at a time; give only one of ${given.map(([name]) => name).join(', ')}`,
    );
  }
  for (const [name, item] of given) {
    const field = fields.find((f) => f.name === name);
    if (!field)
      throw new TypeError(
        `${place}: '${text}' has no member '${name}'${
          closest(
            name,
            fields.map((f) => f.name),
          ) || `; it has ${fields.map((f) => f.name).join(', ')}`
        }`,
      );
    const inner = `${place}.${name}`;
    if (field.bits) {
      const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      const integer = bitFieldType(field.type);
      const bits = toInteger(item, { ...integer, widthBits: field.bits.width as IntegerType['widthBits'] }, inner);
      writeBits(view, at + field.offsetBytes, unitBits(field), field.bits, bits);
      continue;
    }
    const same = field.type.kind === 'pointer' ? context.readThrough?.(item, value, name) : undefined;
    if (same) writePointer(bytes, at + field.offsetBytes, same, context.model);
    else encodeInto(bytes, at + field.offsetBytes, item, field.type, inner, context);
  }
}

function writePointer(bytes: Uint8Array, at: number, { object, offset }: HostAddress, model: DataModel): void {
  writeInteger(
    new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength),
    at,
    model === 'lp64' ? 64 : 32,
    addressOf(pointerTo(object, offset), model),
  );
}

/** Fields a C programmer can name, those of anonymous members included, at offsets from the whole. */
export function namedFields(type: RecordType): (Field & { readonly name: string })[] {
  return type.record.fields.flatMap((field) => {
    if (field.name !== undefined) return [{ ...field, name: field.name }];
    if (field.type.kind !== 'record') return [];
    return namedFields(field.type).map((inner) => ({ ...inner, offsetBytes: inner.offsetBytes + field.offsetBytes }));
  });
}

/** A whole number in the range of `type`; `_Bool` also takes true and false, character types one character. */
export function toInteger(value: unknown, type: IntegerType, place: string): bigint {
  const { low, high } = integerRange(type);
  if (typeof value === 'bigint' && value >= low && value <= high) return value;
  const text = formatType({ ...type, const: false });
  const range = type.name === 'bool' ? 'true or false' : `a whole number from ${low} to ${high}`;
  if (typeof value === 'boolean') {
    if (type.name === 'bool') return value ? 1n : 0n;
    throw new TypeError(`${place}: ${value} is not a number; '${text}' wants ${range} (write ${value ? 1 : 0})`);
  }
  if (typeof value === 'string') {
    if (type.widthBits === 8 && type.name !== 'bool' && value.length === 1 && value.charCodeAt(0) < 128)
      return BigInt(value.charCodeAt(0));
    throw new TypeError(
      `${place}: ${show(value)} is not a number; '${text}' wants ` +
        `${range}${type.widthBits === 8 && type.name !== 'bool' ? ', or one ASCII character' : ''}`,
    );
  }
  if (typeof value !== 'number' && typeof value !== 'bigint')
    throw new TypeError(`${place}: ${show(value)} is not a number; '${text}' wants ${range}`);
  if (typeof value === 'number' && !Number.isInteger(value)) {
    throw new TypeError(
      `${place}: ${value} is not a whole number; '${text}' wants ` +
        `${range}${Number.isFinite(value) ? ` (round it, for example Math.trunc(${value}))` : ''}`,
    );
  }
  if (typeof value === 'number' && !Number.isSafeInteger(value)) {
    throw new TypeError(
      `${place}: ${value} is beyond the numbers JavaScript holds exactly; write a bigint (${BigInt(value)}n)`,
    );
  }
  const integer = BigInt(value);
  if (integer < low || integer > high) {
    const hint =
      integer < 0n && low === 0n
        ? `; the C type is unsigned, so C would see ${BigInt.asUintN(type.widthBits, integer)}: write that if you ` +
          'mean it'
        : '';
    throw new TypeError(`${place}: ${value} does not fit in '${text}', which wants ${range}${hint}`);
  }
  return integer;
}

function integerRange(type: IntegerType): { low: bigint; high: bigint } {
  if (type.name === 'bool') return { low: 0n, high: 1n };
  const width = BigInt(type.widthBits);
  return type.signed
    ? { low: -(1n << (width - 1n)), high: (1n << (width - 1n)) - 1n }
    : { low: 0n, high: (1n << width) - 1n };
}

export function enumValue(value: unknown, type: EnumType, place: string): bigint {
  if (typeof value === 'string') {
    const constant = type.constants.find((c) => c.name === value);
    if (constant) return constant.value;
    const names = type.constants.map((c) => c.name);
    throw new TypeError(
      `${place}: '${formatType(type)}' has no constant ` +
        `'${value}'${closest(value, names) || `; it has ${names.join(', ')}`}`,
    );
  }
  return toInteger(value, type.underlying, place);
}

export function toFloat(value: unknown, type: FloatType, place: string): number {
  if (typeof value !== 'number')
    throw new TypeError(
      `${place}: ${show(value)} is not a number; '${formatType({ ...type, const: false })}' wants a number`,
    );
  return type.widthBits === 32 ? Math.fround(value) : value;
}

export function writeInteger(view: DataView, at: number, widthBits: number, value: bigint): void {
  switch (widthBits) {
    case 8:
      return view.setUint8(at, Number(BigInt.asUintN(8, value)));
    case 16:
      return view.setUint16(at, Number(BigInt.asUintN(16, value)), true);
    case 32:
      return view.setUint32(at, Number(BigInt.asUintN(32, value)), true);
    case 64:
      return view.setBigUint64(at, BigInt.asUintN(64, value), true);
    case 128:
      view.setBigUint64(at, BigInt.asUintN(64, value), true);
      return view.setBigUint64(at + 8, BigInt.asUintN(64, value >> 64n), true);
    default:
      throw new Error(`no C integer has ${widthBits} bits`);
  }
}

export function readInteger(
  view: DataView,
  at: number,
  { widthBits, signed }: { readonly widthBits: number; readonly signed: boolean },
): bigint {
  switch (widthBits) {
    case 8:
      return BigInt(signed ? view.getInt8(at) : view.getUint8(at));
    case 16:
      return BigInt(signed ? view.getInt16(at, true) : view.getUint16(at, true));
    case 32:
      return BigInt(signed ? view.getInt32(at, true) : view.getUint32(at, true));
    case 64:
      return signed ? view.getBigInt64(at, true) : view.getBigUint64(at, true);
    case 128: {
      const high = signed ? view.getBigInt64(at + 8, true) : view.getBigUint64(at + 8, true);
      return (high << 64n) | view.getBigUint64(at, true);
    }
    default:
      throw new Error(`no C integer has ${widthBits} bits`);
  }
}

function writeBits(
  view: DataView,
  at: number,
  unitWidth: number,
  bits: { offset: number; width: number },
  value: bigint,
): void {
  const mask = ((1n << BigInt(bits.width)) - 1n) << BigInt(bits.offset);
  const unit = readInteger(view, at, { widthBits: unitWidth, signed: false });
  writeInteger(view, at, unitWidth, (unit & ~mask) | ((value << BigInt(bits.offset)) & mask));
}

/** Width of the unit a bit-field is read from. */
export function unitBits(field: Field): number {
  return field.bits?.unitBytes === undefined ? bitFieldType(field.type).widthBits : field.bits.unitBytes * 8;
}

export function bitFieldType(type: CType): IntegerType {
  if (type.kind === 'integer') return type;
  if (type.kind === 'enum') return type.underlying;
  throw new Error('a bit-field has an integer type');
}

export function isCharacter(type: CType): boolean {
  return type.kind === 'integer' && type.widthBits === 8 && type.name !== 'bool';
}

/** A host value in a message: short, on one line. */
export function show(value: unknown): string {
  if (typeof value === 'string') return `"${value.length > 40 ? `${value.slice(0, 40)}…` : value}"`;
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'function') return `the function ${value.name || '(anonymous)'}`;
  if (Array.isArray(value)) return 'an array';
  if (ArrayBuffer.isView(value)) return `a ${value.constructor.name}`;
  if (typeof value === 'object' && value !== null)
    return value.toString === Object.prototype.toString ? 'an object' : String(value);
  return String(value);
}
