/**
 * Pointers inside what an argument leads to, of which a precondition says that they are not null: `b->data != NULL`,
 * `*text != NULL`. Clients make objects for them. Elsewhere such pointers are null, since most lead nowhere useful.
 */
import type { CType } from '../../../c/types';
import type { Argument } from '../../../evidence/scenarios/scenario';
import { pointerToFresh } from '../../../plainPointer';
import type { Plain } from '../../../verdict';

/** A member of the structure to which the parameter leads, or all that it leads to. */
export interface StatedPointer {
  readonly parameter: string;
  readonly member: string | undefined;
}

/** `fresh`: an object of the type; undefined where clients can make none. */
export function withPointer(
  argument: Argument,
  { member }: StatedPointer,
  fresh: (to: CType) => Argument | undefined,
): Argument {
  if (argument.kind !== 'object') return argument;
  const { type, contents } = argument;
  if (member === undefined) {
    const made = type.kind === 'pointer' && contents === null ? contentsOf(fresh(type.to)) : undefined;
    return made === undefined ? argument : { ...argument, contents: pointerToFresh(made) };
  }
  const field = type.kind === 'record' ? type.record.fields.find(({ name }) => name === member) : undefined;
  if (field?.type.kind !== 'pointer' || typeof contents !== 'object' || contents === null || Array.isArray(contents))
    return argument;
  const members = contents as Readonly<Record<string, Plain>>;
  if ((members[member] ?? null) !== null) return argument;
  const made = contentsOf(fresh(field.type.to));
  return made === undefined ? argument : { ...argument, contents: { ...members, [member]: pointerToFresh(made) } };
}

/** As a pointer to it has them: one structure, or elements. */
function contentsOf(made: Argument | undefined): Plain | undefined {
  if (made?.kind !== 'object') return undefined;
  const { type, contents } = made;
  return type.kind === 'array' || type.kind === 'record' ? contents : [contents];
}
