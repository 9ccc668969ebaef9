/**
 * The scalars that an object of a C type consists of, in the order of memory: what somebody who knows the type can
 * write one by one.
 */
import { partOf } from '../../c/constantParts';
import { sizeOf } from '../../c/layout';
import { isUnchanging, type CType, type DataModel } from '../../c/types';
import type { Scalar } from '../../program/expression';
import { scalarOf } from '../../program/lower/objects/layout';

export interface ScalarPlace {
  readonly offsetBytes: number;
  readonly ctype: CType;
  readonly type: Scalar;
  /** No valid program changes it while the object lives. */
  readonly isConstant: boolean;
}

const limits = {
  /** At most so many of one object. */
  places: 64,
} as const;

/** Only the first member of a union; bit-fields have no place of their own. */
export function scalarPlaces(type: CType, model: DataModel): readonly ScalarPlace[] {
  const found: ScalarPlace[] = [];
  const visit = (ctype: CType, offsetBytes: number): void => {
    if (found.length >= limits.places) return;
    switch (ctype.kind) {
      case 'integer':
      case 'enum':
      case 'float':
      case 'pointer':
        found.push({ offsetBytes, ctype, type: scalarOf(ctype), isConstant: isUnchanging(ctype) });
        break;
      case 'array': {
        const bytes = sizeOf(ctype.of, model);
        for (let i = 0; bytes !== undefined && i < (ctype.length ?? 0) && found.length < limits.places; i++)
          visit(partOf(ctype, ctype.of), offsetBytes + i * bytes);
        break;
      }
      case 'record': {
        const fields = ctype.record.fields.filter(({ bits }) => !bits);
        for (const field of ctype.record.keyword === 'union' ? fields.slice(0, 1) : fields)
          visit(partOf(ctype, field.type), offsetBytes + field.offsetBytes);
        break;
      }
      case 'void':
      case 'function':
        break;
    }
  };
  visit(type, 0);
  return found;
}
