/**
 * The types of variable arguments as numbers, which a call stores beside each argument and `va_arg` compares (C11
 * 7.16.1.1p2). Number n stands for the n-th type, counted from 1. 0 marks the end of the list.
 */
import { isInteger, pointerTo, withoutQualifiers, voidType } from '../../../c/target';
import { printType } from '../../../c/printType';
import type { TypedExpression } from '../../../c/tree';
import type { CType } from '../../../c/types';
import type { LinkedProgram } from '../../linking/link';
import { compatible } from '../compatible';
import { walkStatement } from '../walk';

export const endOfList = 0;

/** Numbers of the types that `va_arg` may meet where it asks for one type. */
export interface AcceptedTypes {
  /** Compatible types; between `void *` and a pointer to characters, the other one. */
  readonly always: readonly number[];
  /** Integers of the other signedness. The value must be one of both types. */
  readonly ifNonNegative: readonly number[];
  /** `void *`, as `NULL` has it, where another pointer is wanted. C23 allows it for `nullptr`. */
  readonly ifNull: readonly number[];
}

/**
 * The types of all variable arguments that calls in these functions pass or `va_arg` asks for, without repetition.
 * Tests call variadic functions, too, and may pass null.
 */
export function argumentTypesOf({ functions }: Pick<LinkedProgram, 'functions'>): CType[] {
  const types: CType[] = [];
  const add = (type: CType): void => {
    if (numberOf(types, type) === undefined) types.push(type);
  };
  const expression = (e: TypedExpression): void => {
    if (e.kind === 'va-arg') {
      add(withoutQualifiers(e.type));
      if (e.type.kind === 'pointer') add(pointerTo(voidType));
    }
    if (e.kind !== 'call') return;
    const { variadic, unprototyped, parameters } = e.functionType;
    if (!variadic && !unprototyped) return;
    for (const { type } of e.arguments.slice(parameters.length)) add(withoutQualifiers(type));
  };
  for (const { symbol } of functions) if (symbol.body) walkStatement(symbol.body, { expression });
  return types;
}

/**
 * Two types have one number only if they leave the same things open: `int (*)()` is compatible with types that are not
 * compatible with one another.
 */
export function numberOf(types: readonly CType[], type: CType): number | undefined {
  const own = withoutQualifiers(type);
  const text = printType(own);
  const index = types.findIndex((known) => printType(known) === text && compatible(known, own));
  return index < 0 ? undefined : index + 1;
}

/**
 * For an argument of a test, whose type may be none of these: the number of one that `va_arg` takes for it. One that no
 * `va_arg` accepts has a number beyond.
 */
export function numberOfGiven(types: readonly CType[], given: CType, isNonNegative: boolean): number {
  const exact = numberOf(types, given);
  if (exact !== undefined) return exact;
  const index = types.findIndex(
    (type) => compatible(type, given) || isBytePair(type, given) || (isNonNegative && isOfOtherSignedness(type, given)),
  );
  return index < 0 ? types.length + 1 : index + 1;
}

export function acceptedTypes(types: readonly CType[], wanted: CType): AcceptedTypes {
  const such = (holds: (type: CType) => boolean): number[] => types.flatMap((type, i) => (holds(type) ? [i + 1] : []));
  const always = such((type) => compatible(type, wanted) || isBytePair(type, wanted));
  return {
    always,
    ifNonNegative: such((type) => isOfOtherSignedness(type, wanted)),
    ifNull:
      wanted.kind === 'pointer' ? such((type) => isVoidPointer(type)).filter((number) => !always.includes(number)) : [],
  };
}

const isVoidPointer = (type: CType): boolean => type.kind === 'pointer' && type.to.kind === 'void';
const isCharacterPointer = (type: CType): boolean =>
  type.kind === 'pointer' && type.to.kind === 'integer' && /\bchar$/.test(type.to.name);
const isBytePair = (a: CType, b: CType): boolean =>
  (isVoidPointer(a) && isCharacterPointer(b)) || (isCharacterPointer(a) && isVoidPointer(b));

function isOfOtherSignedness(type: CType, wanted: CType): boolean {
  if (!isInteger(type) || !isInteger(wanted)) return false;
  const [a, b] = [type, wanted].map((one) => (one.kind === 'enum' ? one.underlying : one));
  return a!.signed !== b!.signed && a!.name.replace('unsigned ', '') === b!.name.replace('unsigned ', '');
}
