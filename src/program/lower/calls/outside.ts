/**
 * External pointers: a function without a body can return one, or store it in memory that it can write. It may point to
 * any entity with external linkage. Global variables are then kept in memory, even if the program never takes their
 * address. Functions that are assumed to do nothing but answer are assumed not to know the program's variables either.
 */
import type { CType, FunctionType } from '../../../c/types';
import type { LinkedProgram, UndefinedFunction } from '../../linking/link';
import type { BaseLowerOptions } from '../lowerOptions';

export function pointersComeFromOutside(
  { undefinedFunctions, variables }: LinkedProgram,
  externals: BaseLowerOptions['externals'],
): boolean {
  const namesVariables = ({ meaning }: UndefinedFunction): boolean =>
    meaning.kind === 'external' ||
    (meaning.kind === 'special' && meaning.special.kind === 'nondet' && externals !== 'value');
  if (undefinedFunctions.some((fn) => answersWithPointer(fn.type) && namesVariables(fn))) return true;
  const unknown = undefinedFunctions.filter(({ meaning }) => meaning.kind === 'external');
  if (unknown.length === 0) return false;
  return (
    variables.some(({ visible, type }) => visible && holdsPointer(type)) ||
    unknown.some(({ type }) => canBeHandedPointers(type))
  );
}

const answersWithPointer = ({ result }: FunctionType): boolean => holdsPointer(result);

/** The function may receive the address of an object that holds pointers. */
function canBeHandedPointers({ parameters, variadic, unprototyped }: FunctionType): boolean {
  return (
    variadic ||
    unprototyped === true ||
    parameters.some(({ type }) => type.kind === 'pointer' && (type.to.kind === 'void' || holdsPointer(type.to)))
  );
}

/** Function pointers do not lead to data. */
function holdsPointer(type: CType): boolean {
  switch (type.kind) {
    case 'pointer':
      return type.to.kind !== 'function';
    case 'array':
      return holdsPointer(type.of);
    case 'record':
      return !type.record.complete || type.record.fields.some((field) => holdsPointer(field.type));
    default:
      return false;
  }
}
