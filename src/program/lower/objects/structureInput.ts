/**
 * Inputs of structure type: each scalar in it is an input of its own, in order, named after the member. Members of a
 * union share their bytes, so all bytes of a union are inputs.
 */
import type { Span } from '../../../c/source';
import type { CType, Qualifiers } from '../../../c/types';
import { addressOf, convert, integer, notEqual, read } from '../../build';
import { uint8, type Expression } from '../../expression';
import { memoryPlace, moved, objectAddress, type MemoryLvalue } from './address';
import type { FunctionLowering } from '../context';
import { holdsPointer, mostInputParts } from './inputType';
import { isBool, scalarOf, sizeOf } from './layout';
import { storePlace } from '../value';

const manyValues = `more than ${mostInputParts} values`;
const byteType: CType = { kind: 'integer', name: 'unsigned char', widthBits: 8, signed: false };

interface Part {
  readonly name: string;
  readonly lvalue: MemoryLvalue;
  /** It or what it is a part of is `const`, and neither is `volatile`. */
  readonly isConstant: boolean;
}

/**
 * Gives the object at `lvalue` inputs as its contents, named after `name`. Answers with a reason if it cannot.
 * `constants`: called with what gives the constant parts their contents.
 */
export function inputContents(
  f: FunctionLowering,
  lvalue: MemoryLvalue,
  name: string,
  span: Span,
  constants: (give: () => void) => void = (give) => give(),
): string | undefined {
  const parts: Part[] = [];
  const refusal = collect(f, lvalue, name, parts, {}) ?? (parts.length > mostInputParts ? manyValues : undefined);
  if (refusal !== undefined) return refusal;
  const give = (some: readonly Part[]): void => {
    for (const { name: partName, lvalue: part } of some)
      storePlace(f, part, partInput(f, partName, part.type, span), span, span);
  };
  const constant = parts.filter(({ isConstant }) => isConstant);
  if (constant.length > 0) constants(() => give(constant));
  give(parts.filter(({ isConstant }) => !isConstant));
  return undefined;
}

/** The address of the structure. */
export function structureInput(f: FunctionLowering, name: string, type: CType, span: Span): Expression {
  const object = f.resultObject(name, type);
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
function collect(
  f: FunctionLowering,
  lvalue: MemoryLvalue,
  name: string,
  parts: Part[],
  around: Qualifiers,
): string | undefined {
  if (parts.length > mostInputParts) return undefined;
  const { type, address } = lvalue;
  const qualifiers: Qualifiers = {
    const: around.const === true || type.const === true,
    volatile: around.volatile === true || type.volatile === true,
  };
  const at = (offsetBytes: number, part: CType): MemoryLvalue => memoryPlace(moved(address, offsetBytes), part);
  switch (type.kind) {
    case 'array': {
      const step = sizeOf(type.of, f.model);
      for (let i = 0; i < (type.length ?? 0) && parts.length <= mostInputParts; i++) {
        const refusal = collect(f, at(i * step, type.of), `${name}[${i}]`, parts, qualifiers);
        if (refusal !== undefined) return refusal;
      }
      return undefined;
    }
    case 'record': {
      if (type.record.keyword === 'union')
        return holdsPointer(type)
          ? 'pointers in a union'
          : collect(f, at(0, { kind: 'array', of: byteType, length: sizeOf(type, f.model) }), name, parts, qualifiers);
      for (const field of type.record.fields) {
        const refusal = collect(
          f,
          { ...at(field.offsetBytes, field.type), field },
          field.name === undefined ? name : `${name}.${field.name}`,
          parts,
          qualifiers,
        );
        if (refusal !== undefined) return refusal;
      }
      return undefined;
    }
    default:
      parts.push({ name, lvalue, isConstant: qualifiers.const === true && qualifiers.volatile !== true });
      return undefined;
  }
}
