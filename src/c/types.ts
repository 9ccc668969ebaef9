/**
 * C's types after elaboration, with their layout. Sizes and alignments are in bytes, widths in bits.
 * Structure types are compared by identity (one object per declaration), all others by shape.
 */
import type { TypedExpression } from './tree';

export type CType = VoidType | IntegerType | FloatType | PointerType | ArrayType | RecordType | EnumType | FunctionType;

export interface Qualifiers {
  readonly const?: boolean;
  readonly volatile?: boolean;
  /** GNU: of a `typedef` that says `aligned`, where that differs from what the type has by itself. */
  readonly alignBytes?: number;
}
export interface VoidType extends Qualifiers {
  readonly kind: 'void';
}

export type IntegerName =
  | 'bool'
  | 'char'
  | 'signed char'
  | 'unsigned char'
  | 'short'
  | 'unsigned short'
  | 'int'
  | 'unsigned int'
  | 'long'
  | 'unsigned long'
  | 'long long'
  | 'unsigned long long'
  /** GNU: 128 bits, where pointers have 64. */
  | '__int128'
  | 'unsigned __int128';
export interface IntegerType extends Qualifiers {
  readonly kind: 'integer';
  readonly name: IntegerName;
  readonly widthBits: 8 | 16 | 32 | 64 | 128;
  readonly signed: boolean;
}
/** `long double` has the format of `double`, and the manual says so. */
export interface FloatType extends Qualifiers {
  readonly kind: 'float';
  readonly name: 'float' | 'double' | 'long double';
  readonly widthBits: 32 | 64;
}
export interface PointerType extends Qualifiers {
  readonly kind: 'pointer';
  readonly to: CType;
}
/** `length` is undefined for an incomplete (or flexible) array. */
export interface ArrayType extends Qualifiers {
  readonly kind: 'array';
  readonly of: CType;
  readonly length: number | undefined;
  /**
   * Number of elements of a variable-length array, whose `length` is undefined; of type ptrdiff_t. In a prototype
   * nobody can say.
   */
  readonly variable?: TypedExpression | 'unspecified';
}
export interface FunctionType extends Qualifiers {
  readonly kind: 'function';
  readonly result: CType;
  readonly parameters: readonly {
    readonly name: string | undefined;
    readonly type: CType;
    /** Old style: the type it is declared with, where promotion changes that. */ readonly narrow?: CType;
    /** `[static n]`: each call passes an array of at least so many elements (C11 6.7.6.3p7). */
    readonly leastLength?: TypedExpression;
    /** `[n]`: C ignores it, but its author expects as many elements. */
    readonly declaredLength?: bigint;
    /** If the elements are variable-length arrays: their lengths, innermost first. */
    readonly elementLengths?: readonly TypedExpression[];
    /** Names of the parameters in front of it in the declaration that has these lengths: they may mention them. */
    readonly namesBefore?: readonly (string | undefined)[];
  }[];
  readonly variadic: boolean;
  /** Declared `f()`: the parameters are unknown. */
  readonly unprototyped: boolean;
  /**
   * Defined `f(a, b) int a; char b; {…}`: the parameters are those of the promoted types, and calls convert nothing to
   * them.
   */
  readonly oldStyle?: true;
}
/** An enum is its underlying integer everywhere but in messages and printing. */
export interface EnumType extends Qualifiers {
  readonly kind: 'enum';
  readonly tag: string | undefined;
  readonly underlying: IntegerType;
  readonly constants: readonly { readonly name: string; readonly value: bigint }[];
}
export interface RecordType extends Qualifiers {
  readonly kind: 'record';
  readonly record: RecordLayout;
}
/** Shared by all qualified versions of one struct or union; filled in when the body is seen. */
export interface RecordLayout {
  readonly keyword: 'struct' | 'union';
  readonly tag: string | undefined;
  complete: boolean;
  /** Its members are said in a file that others include. */
  inHeader?: boolean;
  fields: readonly Field[];
  sizeBytes: number;
  alignBytes: number;
}
export interface Field {
  /** Undefined for anonymous struct/union members (their fields are found by looking through). */
  readonly name: string | undefined;
  readonly type: CType;
  readonly offsetBytes: number;
  /** Present for bit-fields: position of the least significant bit within the storage unit at `offsetBytes`. */
  readonly bits?: {
    readonly offset: number;
    readonly width: number;
    /** The size of the storage unit when it is not that of `type` (packed records, `long long` bit-fields in ILP32). */
    readonly unitBytes?: 1 | 2 | 4 | 8;
  };
}

/**
 * `gnu89` accepts what C99 took out of the language and old code uses, as compilers do: implicit `int`, implicit
 * declarations of functions, definitions with an identifier list; and only warns of mixed-up pointers and integers. All
 * else is as in C11.
 */
export type Standard = 'c11' | 'gnu89';

/** `lp64`: long and pointers have 64 bits (Linux, macOS). `ilp32`: int, long and pointers have 32. */
export type DataModel = 'lp64' | 'ilp32';
export const pointerBytes = (model: DataModel): 4 | 8 => (model === 'lp64' ? 8 : 4);

/** No one changes such an object while it lives: it is `const`, and no part of it is `volatile`, for hardware. */
export function isUnchanging(type: CType): boolean {
  return type.kind === 'array' ? isUnchanging(type.of) : type.const === true && !hasVolatilePart(type);
}

/** Hardware may change some part of it. */
export function hasVolatilePart(type: CType): boolean {
  if (type.volatile === true) return true;
  if (type.kind === 'array') return hasVolatilePart(type.of);
  return type.kind === 'record' && type.record.fields.some((field) => hasVolatilePart(field.type));
}
