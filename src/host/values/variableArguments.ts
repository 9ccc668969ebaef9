/**
 * The C types of what JavaScript gives for `...`, where no parameter says them: those that C gives its own constants of
 * that form, after the default argument promotions (C11 6.5.2.2p6). `{ double: 3 }` says the type.
 */
import { doubleType, pointerTo, targetOf, voidType } from '../../c/target';
import type { CType, DataModel } from '../../c/types';
import type { Program } from '../../program/program';
import { isTypedArray, show, toFloat, toInteger } from './encode';
import { isPointer } from '../pointer';
import { elementOf, parseType } from '../typeText';

export interface TypedArgument {
  readonly type: CType;
  readonly value: unknown;
}

/** Throws a TypeError, which names `place`, for values that have no such type. */
export function variableArgument(value: unknown, place: string, program: Program): TypedArgument {
  const { dataModel } = program;
  const typed = namedType(value, program);
  if (typed) return promote(typed, place, dataModel);
  const { int, long, 'long long': longLong, char } = targetOf(dataModel).integers;
  if (typeof value === 'number')
    return {
      type: !Number.isInteger(value)
        ? doubleType
        : value === (value | 0)
          ? int
          : long.widthBits === 64
            ? long
            : longLong,
      value,
    };
  if (typeof value === 'bigint') return { type: longLong, value };
  if (typeof value === 'boolean') return { type: int, value: value ? 1 : 0 };
  if (typeof value === 'string') return { type: pointerTo(char), value };
  if (value === null) return { type: pointerTo(voidType), value };
  // An array becomes a pointer to its first element, as in C.
  if (isPointer(value)) return { type: pointerTo(value.ctype.kind === 'array' ? value.ctype.of : value.ctype), value };
  if (isTypedArray(value)) return { type: pointerTo(elementOf(value)), value };
  throw new TypeError(
    `${place}: nothing says the C type of ${show(value)}; write it in front, as in { double: 3 }, { 'unsigned ` +
      "long': 3 } or { 'struct point': { x: 1, y: 2 } }",
  );
}

/** `{ double: 3 }`, if the one name in it is a type. */
function namedType(value: unknown, program: Program): TypedArgument | undefined {
  if (
    typeof value !== 'object' ||
    value === null ||
    isPointer(value) ||
    ArrayBuffer.isView(value) ||
    Array.isArray(value)
  )
    return undefined;
  const [entry, ...more] = Object.entries(value);
  return entry && more.length === 0 ? { type: parseType(entry[0], program), value: entry[1] } : undefined;
}

function promote(argument: TypedArgument, place: string, model: DataModel): TypedArgument {
  const { type, value } = argument;
  if (type.kind === 'integer' && type.widthBits < 32)
    return { type: targetOf(model).integers.int, value: toInteger(value, type, place) };
  if (type.kind === 'float') return { type: doubleType, value: toFloat(value, type, place) };
  return type.kind === 'array' ? { type: pointerTo(type.of), value } : argument;
}
