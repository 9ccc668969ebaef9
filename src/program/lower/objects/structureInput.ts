/**
 * Inputs of structure type: each scalar in it is an input of its own, in order, named after the member. Members of a
 * union share their bytes, so all bytes of a union are inputs.
 */
import type { Span } from '../../../c/source';
import type { CType } from '../../../c/types';
import { addressOf, convert, integer, notEqual, read } from '../../build';
import { uint8, type Expression } from '../../expression';
import { memoryPlace, moved, objectAddress, type MemoryLvalue } from './address';
import type { FunctionLowering } from '../context';
import { isBool, scalarOf, sizeOf } from './layout';
import { storePlace } from '../value';

/** With more parts, formulas would be too large for the solver. */
const mostParts = 1024;
const manyValues = `more than ${mostParts} values`;
const byteType: CType = { kind: 'integer', name: 'unsigned char', widthBits: 8, signed: false };

interface Part {
  readonly name: string;
  readonly lvalue: MemoryLvalue;
}

/** Gives the object at `lvalue` inputs as its contents, named after `name`. Answers with a reason if it cannot. */
export function inputContents(f: FunctionLowering, lvalue: MemoryLvalue, name: string, span: Span): string | undefined {
  const parts: Part[] = [];
  const refusal = collect(f, lvalue, name, parts) ?? (parts.length > mostParts ? manyValues : undefined);
  if (refusal !== undefined) return refusal;
  for (const { name: partName, lvalue: part } of parts)
    storePlace(f, part, partInput(f, partName, part.type, span), span, span);
  return undefined;
}

/** The address of the structure. */
export function structureInput(f: FunctionLowering, name: string, type: CType, span: Span): Expression {
  const object = f.activationObject(`<result of ${name}>`, type);
  const refusal = inputContents(f, memoryPlace(objectAddress(object), type), `${name}()`, span);
  if (refusal !== undefined)
    f.reportUnsupported(`${name} returns a structure with ${refusal}, and each value is an input`, span);
  return addressOf(object);
}

export function partInput(f: FunctionLowering, name: string, type: CType, span: Span): Expression {
  const target = f.temporary(scalarOf(type), name);
  f.emit({ kind: 'input', target, name }, span);
  return isBool(type) ? convert(notEqual(read(target), integer(0, uint8)), uint8) : read(target);
}

/** The reason why a type cannot be an input, if there is one. */
function collect(f: FunctionLowering, lvalue: MemoryLvalue, name: string, parts: Part[]): string | undefined {
  if (parts.length > mostParts) return undefined;
  const { type, address } = lvalue;
  const at = (offsetBytes: number, part: CType): MemoryLvalue => memoryPlace(moved(address, offsetBytes), part);
  switch (type.kind) {
    case 'array': {
      const step = sizeOf(type.of, f.model);
      for (let i = 0; i < (type.length ?? 0) && parts.length <= mostParts; i++) {
        const refusal = collect(f, at(i * step, type.of), `${name}[${i}]`, parts);
        if (refusal !== undefined) return refusal;
      }
      return undefined;
    }
    case 'record': {
      if (type.record.keyword === 'union')
        return holdsPointer(type)
          ? 'pointers in a union'
          : collect(f, at(0, { kind: 'array', of: byteType, length: sizeOf(type, f.model) }), name, parts);
      for (const field of type.record.fields) {
        const refusal = collect(
          f,
          { ...at(field.offsetBytes, field.type), field },
          field.name === undefined ? name : `${name}.${field.name}`,
          parts,
        );
        if (refusal !== undefined) return refusal;
      }
      return undefined;
    }
    default:
      parts.push({ name, lvalue });
      return undefined;
  }
}

function holdsPointer(type: CType): boolean {
  switch (type.kind) {
    case 'array':
      return holdsPointer(type.of);
    case 'record':
      return type.record.fields.some((field) => holdsPointer(field.type));
    default:
      return type.kind === 'pointer';
  }
}
