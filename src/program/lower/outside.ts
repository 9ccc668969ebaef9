/**
 * Pointers from outside the program: functions without a body can answer with one, or put it where they can write. It
 * may lead to whatever has a name for other files, so global variables are then kept in memory, where pointers lead,
 * even if no address of theirs is taken here.
 */
import type { CType, FunctionType } from '../../c/types';
import type { LinkedProgram } from '../link';

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

/** It gets the address of something that holds pointers, perhaps. */
function canBeHandedPointers({ parameters, variadic, unprototyped }: FunctionType): boolean {
  return (
    variadic ||
    unprototyped === true ||
    parameters.some(({ type }) => type.kind === 'pointer' && (type.to.kind === 'void' || holdsPointer(type.to)))
  );
}

/** Pointers to functions are no way to data. */
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
