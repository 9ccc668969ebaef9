/** Types whose values can be inputs, scalar by scalar: see `structureInput.ts`. */
import { sizeOf } from '../../../c/layout';
import type { CType, DataModel } from '../../../c/types';

/** With more scalars, formulas would be too large for the solver. */
export const mostInputParts = 1024;

/** False of types with too many scalars, and of unions with pointers, whose bytes would be inputs. */
export const isInputType = (type: CType, model: DataModel): boolean => inputParts(type, model) <= mostInputParts;

/** Number of scalars that are inputs of their own; no number of them is enough for pointers in a union. */
function inputParts(type: CType, model: DataModel): number {
  switch (type.kind) {
    case 'array':
      return (type.length ?? 0) * inputParts(type.of, model);
    case 'record':
      if (!type.record.complete) return Infinity;
      if (type.record.keyword === 'union') return holdsPointer(type) ? Infinity : sizeOf(type, model)!;
      return type.record.fields.reduce((sum, field) => sum + inputParts(field.type, model), 0);
    default:
      return 1;
  }
}

export function holdsPointer(type: CType): boolean {
  switch (type.kind) {
    case 'array':
      return holdsPointer(type.of);
    case 'record':
      return type.record.fields.some((field) => holdsPointer(field.type));
    default:
      return type.kind === 'pointer';
  }
}
