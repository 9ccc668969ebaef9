/**
 * Pointers that are kept in memory within reach of a function's variables, as places that candidates speak of like
 * variables: `*p` of a parameter `unsigned char **p`, the members `r->at` and `r->end` of a reader, and automatic or
 * static objects of these types. A cursor that functions move for each other lies in such a place.
 */
import type { CType } from '../../c/types';
import { addressOf, integer, load, offset, read } from '../../program/build';
import { int64, type Expression, type FrameObject, pointer, type Variable } from '../../program/expression';
import type { StaticObject } from '../../program/program';
import { declaredAt } from '../../semantics/symbolic/vocabulary';
import type { Cutpoint } from '../transitionSystem/cutpoint';
import type { TransitionSystem } from '../transitionSystem/transitionSystem';

const limits = {
  /** Places at one cutpoint. */
  places: 8,
  /** Pointers in one structure. */
  members: 4,
} as const;

export interface PointerPlace {
  /** The same at all cutpoints: a variable or an object, and bytes from where it leads to or begins. */
  readonly of: Variable | FrameObject | StaticObject;
  readonly offsetBytes: number;
  readonly value: Expression;
  /** Type of the object that it points to. */
  readonly to: CType;
}

/** In a fixed order; none at the client's, whose state has no such names. Callers know parameters alone. */
export function pointerPlacesAt({ kind, fn, location }: Cutpoint, system: TransitionSystem): readonly PointerPlace[] {
  if (kind === 'module') return [];
  const isBetween = kind !== 'entry' && kind !== 'exit';
  const variables = fn.variables.filter(
    (variable) => !variable.temporary && (isBetween || fn.parameters.includes(variable)),
  );
  const own = isBetween ? declaredAt(fn, location) : [];
  const statics = system.program.objects.filter(({ writable }) => writable);
  return [
    ...variables.flatMap((variable) =>
      variable.ctype?.kind === 'pointer' ? pointersOf(variable, variable.ctype.to, read(variable)) : [],
    ),
    ...[...own, ...statics].flatMap((object) => pointersOf(object, object.ctype, addressOf(object))),
  ].slice(0, limits.places);
}

/** Pointers to objects in something of this type. */
function pointersOf(of: PointerPlace['of'], type: CType, base: Expression): readonly PointerPlace[] {
  const place = (offsetBytes: number, to: CType): PointerPlace => ({
    of,
    offsetBytes,
    value: load(pointer, offsetBytes === 0 ? base : offset(base, integer(offsetBytes, int64))),
    to,
  });
  const isTarget = (to: CType): boolean => to.kind !== 'function' && to.kind !== 'void';
  if (type.kind === 'pointer') return isTarget(type.to) ? [place(0, type.to)] : [];
  if (type.kind !== 'record' || type.record.keyword !== 'struct') return [];
  return type.record.fields
    .flatMap(({ type: member, offsetBytes }) =>
      member.kind === 'pointer' && isTarget(member.to) ? [place(offsetBytes, member.to)] : [],
    )
    .slice(0, limits.members);
}
