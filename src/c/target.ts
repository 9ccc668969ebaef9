/** The basic types of a data model, each made once, and the questions about types that every later step asks. */
import type {
  CType,
  DataModel,
  EnumType,
  FloatType,
  IntegerName,
  IntegerType,
  PointerType,
  Qualifiers,
  VoidType,
} from './types';
import { pointerBytes } from './types';

export interface Target {
  readonly dataModel: DataModel;
  readonly integers: Readonly<Record<IntegerName, IntegerType>>;
  readonly size: IntegerType;
  readonly pointerDifference: IntegerType;
  readonly wideCharacter: IntegerType;
}

const widths = (model: DataModel): Readonly<Record<IntegerName, IntegerType['widthBits']>> => {
  const long = model === 'lp64' ? 64 : 32;
  return {
    bool: 8,
    char: 8,
    'signed char': 8,
    'unsigned char': 8,
    short: 16,
    'unsigned short': 16,
    int: 32,
    'unsigned int': 32,
    long: long,
    'unsigned long': long,
    'long long': 64,
    'unsigned long long': 64,
    __int128: 128,
    'unsigned __int128': 128,
  };
};

function makeTarget(dataModel: DataModel): Target {
  const integers = Object.fromEntries(
    Object.entries(widths(dataModel)).map(([name, widthBits]) => [
      name,
      { kind: 'integer', name, widthBits, signed: !name.startsWith('unsigned') && name !== 'bool' },
    ]),
  ) as Record<IntegerName, IntegerType>;
  const [size, pointerDifference] =
    dataModel === 'lp64' ? [integers['unsigned long'], integers.long] : [integers['unsigned int'], integers.int];
  return {
    dataModel,
    integers,
    size,
    pointerDifference,
    wideCharacter: dataModel === 'lp64' ? integers.int : integers.long,
  };
}

const targets: Readonly<Record<DataModel, Target>> = { lp64: makeTarget('lp64'), ilp32: makeTarget('ilp32') };
export const targetOf = (model: DataModel): Target => targets[model];

export const voidType: VoidType = { kind: 'void' };
export const floatType: FloatType = { kind: 'float', name: 'float', widthBits: 32 };
export const doubleType: FloatType = { kind: 'float', name: 'double', widthBits: 64 };
export const longDoubleType: FloatType = { kind: 'float', name: 'long double', widthBits: 64 };
export const pointerTo = (to: CType): PointerType => ({ kind: 'pointer', to });

/** The type with these qualifiers added; on arrays they fall on the elements. */
export function qualify(type: CType, qualifiers: Qualifiers): CType {
  if (!qualifiers.const && !qualifiers.volatile) return type;
  if ((!qualifiers.const || type.const) && (!qualifiers.volatile || type.volatile)) return type;
  const added = { ...(qualifiers.const ? { const: true } : {}), ...(qualifiers.volatile ? { volatile: true } : {}) };
  if (type.kind === 'array') return { ...type, ...added, of: qualify(type.of, qualifiers) };
  return { ...type, ...added };
}

/** The type an rvalue has. */
export function withoutQualifiers(type: CType): CType {
  if (!type.const && !type.volatile) return type;
  if (type.kind === 'integer') return bare(type);
  const { const: _const, volatile: _volatile, ...rest } = type;
  return rest;
}

const bareIntegers = new Map<string, IntegerType>();
function bare(type: IntegerType): IntegerType {
  const key = `${type.name} ${type.widthBits}`;
  let found = bareIntegers.get(key);
  if (!found)
    bareIntegers.set(
      key,
      (found = { kind: 'integer', name: type.name, widthBits: type.widthBits, signed: type.signed }),
    );
  return found;
}

/** The integer type by which an integer or enumeration is represented. */
export function integerOf(type: IntegerType | EnumType): IntegerType {
  return type.kind === 'enum' ? type.underlying : bare(type);
}

export const isInteger = (type: CType): type is IntegerType | EnumType =>
  type.kind === 'integer' || type.kind === 'enum';
export const isArithmetic = (type: CType): type is IntegerType | EnumType | FloatType =>
  isInteger(type) || type.kind === 'float';
export const isScalar = (type: CType): boolean => isArithmetic(type) || type.kind === 'pointer';
export const isAggregate = (type: CType): boolean => type.kind === 'array' || type.kind === 'record';
export const isCharacter = (type: CType): type is IntegerType =>
  type.kind === 'integer' && (type.name === 'char' || type.name === 'signed char' || type.name === 'unsigned char');
export const isObjectType = (type: CType): boolean => type.kind !== 'function' && type.kind !== 'void';

/** The value the type gives to an integer: modulo 2^width; `bool` is "not zero". */
export function wrap(value: bigint, type: IntegerType | EnumType): bigint {
  const { name, widthBits, signed } = integerOf(type);
  if (name === 'bool') return value === 0n ? 0n : 1n;
  return signed ? BigInt.asIntN(widthBits, value) : BigInt.asUintN(widthBits, value);
}

export { pointerBytes };
