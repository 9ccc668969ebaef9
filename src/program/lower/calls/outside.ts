/**
 * External pointers: a function without a body can return one, or store it in memory that it can write. It may point to
 * any entity with external linkage. Global variables are then kept in memory, even if the program never takes their
 * address.
 */
import type { CType, FunctionType } from '../../../c/types';
import type { LinkedProgram } from '../../linking/link';

export function pointersComeFromOutside({ undefinedFunctions, variables }: LinkedProgram): boolean {
  if (
    undefinedFunctions.some(
      ({ meaning, type }) =>
        answersWithPointer(type) &&
        (meaning.kind === 'external' || (meaning.kind === 'special' && meaning.special.kind === 'nondet')),
    )
  )
    return true;
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
