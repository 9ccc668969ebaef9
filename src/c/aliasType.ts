/**
 * The types by which C decides if an lvalue may access an object (C11 6.5p7): signedness, qualifiers and enumerations
 * do not matter, characters may access everything. All pointers count as one type, which is less than C demands.
 */
import type { CType } from './types';

/** All that `aliasType` returns. */
export const aliasTypes: readonly string[] = [
  'bool',
  'short',
  'int',
  'long',
  'long long',
  'float',
  'double',
  'long double',
  'pointer',
];

/** Equal for types of which one may access an object of the other. Undefined if it may access all, or none. */
export function aliasType(type: CType): string | undefined {
  switch (type.kind) {
    case 'integer':
      return /char/.test(type.name) ? undefined : type.name.replace(/^unsigned /, '');
    case 'enum':
      return aliasType(type.underlying);
    case 'float':
      return type.name;
    case 'pointer':
      return 'pointer';
    case 'void':
    case 'array':
    case 'record':
    case 'function':
      return undefined;
  }
}
