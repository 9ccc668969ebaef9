/** The effective types of declared objects (C11 6.5p6). */
import { aliasType } from '../../c/aliasType';
import type { CType, DataModel } from '../../c/types';
import { sizeOf } from './objects/layout';

export interface Leaf {
  readonly type: string;
  readonly offsetBytes: number;
  readonly bytes: number;
}

/** Elements of an array inside a structure that are distinguished. */
const elementLimit = 64;

/** The element of an array, and the distance after which it repeats; other objects with the distance 0. */
export function repeatedElement(
  type: CType,
  sizeBytes: number,
  model: DataModel,
): { readonly element: CType; readonly modulus: number } {
  let element = type;
  while (element.kind === 'array') element = element.of;
  const bytes = sizeOf(element, model);
  return { element, modulus: bytes < sizeBytes ? bytes : 0 };
}

/** The scalars of an object. Members of unions may be anything. */
export function leavesOf(type: CType, model: DataModel, offsetBytes = 0): readonly Leaf[] {
  if (type.kind === 'array') {
    const bytes = sizeOf(type.of, model);
    return Array.from({ length: Math.min(type.length ?? 1, elementLimit) }, (_, i) =>
      leavesOf(type.of, model, offsetBytes + i * bytes),
    ).flat();
  }
  if (type.kind === 'record')
    return type.record.keyword === 'union'
      ? []
      : type.record.fields.flatMap((field) => leavesOf(field.type, model, offsetBytes + field.offsetBytes));
  const scalar = aliasType(type);
  return scalar === undefined ? [] : [{ type: scalar, offsetBytes, bytes: sizeOf(type, model) }];
}
