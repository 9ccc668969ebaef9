/**
 * Static initialisers: bytes, and pointers as relocations. The values are lowered like all others, in a context that
 * allows no edges. A value that does not become a constant is no constant expression (C11 6.6). A NaN that an operation
 * yields stays symbolic, because its bits are unspecified.
 */
import type { Initializer } from '../../../c/tree';
import type { Field } from '../../../c/types';
import { convert } from '../../build';
import type { Expression } from '../../expression';
import { FunctionLowering, type ProgramContext } from '../context';
import { isAggregate, scalarBytes, scalarOf, sizeOf } from './layout';
import { lowerValue } from '../value';
import type { TypedExpression as Tree } from '../../../c/tree';
import { noScopes } from './scopes';

export interface StaticData {
  readonly bytes: Uint8Array;
  readonly relocations: { readonly offsetBytes: number; readonly value: Expression }[];
}

export function lowerStaticData(program: ProgramContext, initializer: Initializer, data: StaticData, base = 0): void {
  for (const { offsetBytes, bytes } of initializer.strings)
    data.bytes.set(bytes.subarray(0, data.bytes.length - base - offsetBytes), base + offsetBytes);
  for (const { offsetBytes, field, type, value } of initializer.items) {
    const at = base + offsetBytes;
    if (isAggregate(type)) {
      const literal = literalOf(value);
      forget(data, at, sizeOf(type, program.model));
      if (literal) lowerStaticData(program, literal.initializer, data, at);
      else notConstant(program, value);
      continue;
    }
    const constant = lowerConstant(program, value);
    if (constant) write(program, data, at, convert(constant, scalarOf(type)), field);
  }
}

function literalOf(e: Tree): Extract<Tree, { kind: 'compound-literal' }> | undefined {
  if (e.kind === 'compound-literal') return e;
  if (e.kind === 'load') return literalOf(e.lvalue);
  return e.kind === 'convert' ? literalOf(e.operand) : undefined;
}

/** The value of a constant expression; undefined after an error. */
export function lowerConstant(program: ProgramContext, e: Tree): Expression | undefined {
  const f = new FunctionLowering(program, { name: '<static>', suspicious: undefined, scopes: noScopes });
  const value = lowerValue(f, e);
  const drawn = f.draft.current !== f.draft.entry || f.draft.entry.edges.length > 0;
  if (!drawn && isConstantExpression(value)) return value;
  notConstant(program, e);
  return undefined;
}

function notConstant(program: ProgramContext, e: Tree): void {
  program.diagnostics.push({
    severity: 'error',
    message: 'the initializer of static data is not a constant',
    span: e.span,
  });
}

/** The quotient that elaboration leaves in place of a NaN whose bits are unspecified. */
export function isOpenNaN(e: Expression | undefined): boolean {
  return (
    e !== undefined && (e.kind === 'convert' ? isOpenNaN(e.operand) : e.kind === 'binary' && e.type.kind === 'float')
  );
}

function isConstantExpression(e: Expression): boolean {
  switch (e.kind) {
    case 'integer':
    case 'float':
    case 'null':
      return true;
    case 'address':
      return e.of.kind !== 'frame-object';
    case 'offset':
      return isConstantExpression(e.pointer) && isConstantExpression(e.delta);
    case 'convert':
      return isConstantExpression(e.operand);
    case 'binary':
      return isOpenNaN(e);
    default:
      return false;
  }
}

function write(
  program: ProgramContext,
  data: StaticData,
  at: number,
  value: Expression,
  field: Field | undefined,
): void {
  const size = scalarBytes(value.type, program.model);
  if (field?.bits && value.kind === 'integer') return writeBits(data, at, value.value, field.bits);
  forget(data, at, size);
  const view = new DataView(data.bytes.buffer, data.bytes.byteOffset);
  if (value.kind === 'integer') {
    for (let i = 0; i < size; i++) data.bytes[at + i] = Number(BigInt.asUintN(8, value.value >> BigInt(8 * i)));
  } else if (value.kind === 'float') {
    if (size === 4) view.setFloat32(at, value.value, true);
    else view.setFloat64(at, value.value, true);
  } else if (value.kind !== 'null') {
    data.relocations.push({ offsetBytes: at, value });
  }
}

/** A later item of the list replaces the bytes of an earlier one. */
function forget(data: StaticData, at: number, size: number): void {
  data.bytes.fill(0, at, at + size);
  for (let i = data.relocations.length - 1; i >= 0; i--) {
    const { offsetBytes } = data.relocations[i]!;
    if (offsetBytes >= at && offsetBytes < at + size) data.relocations.splice(i, 1);
  }
}

function writeBits(data: StaticData, at: number, value: bigint, bits: NonNullable<Field['bits']>): void {
  for (let i = 0; i < bits.width; i++) {
    const bit = bits.offset + i;
    const byte = at + (bit >> 3);
    const mask = 1 << (bit & 7);
    data.bytes[byte] = (value >> BigInt(i)) & 1n ? data.bytes[byte]! | mask : data.bytes[byte]! & ~mask;
  }
}
