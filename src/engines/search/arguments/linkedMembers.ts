/**
 * Pointers in structures of clients: to an object of their own, or to what is passed beside them. A function that
 * follows such a pointer, or compares it, else only meets null.
 */
import type { Argument } from '../../../evidence/scenarios/scenario';
import { asPointer, pointerToArgument, pointerToFresh } from '../../../plainPointer';
import { printType } from '../../../c/printType';
import { withoutQualifiers } from '../../../c/target';
import type { CType } from '../../../c/types';
import type { FunctionDefinition } from '../../../program/program';
import type { Plain } from '../../../verdict';

const limits = {
  /** Members set in one call. */
  members: 3,
} as const;

/** A member that is null. */
interface NullMember {
  readonly to: CType;
  /** The contents of the whole argument with this member changed. */
  readonly with: (value: Plain) => Plain;
}

/** `make`: an object of a type, if clients make some; `below`: a number drawn from 0 to before the bound. */
export function linkMembers(
  given: Argument[],
  fn: FunctionDefinition,
  make: (to: CType) => Argument | undefined,
  below: (bound: number) => number,
): void {
  for (let left = 1 + below(limits.members); left > 0; left--) {
    const places = given.flatMap((argument, at) =>
      argument.kind === 'object'
        ? nullMembers(argument.type, argument.contents, (contents) => contents).map((place) => ({ at, place }))
        : [],
    );
    if (places.length === 0) return;
    const { at, place } = places[below(places.length)]!;
    const beside = fn.parameters.flatMap(({ ctype, isRestrict }, other) =>
      other !== at &&
      !isRestrict &&
      given[other]!.kind === 'object' &&
      ctype?.kind === 'pointer' &&
      isSame(ctype.to, place.to)
        ? [pointerToArgument(other)]
        : [],
    );
    const value = beside.length > 0 && below(2) === 0 ? beside[below(beside.length)]! : fresh(make(place.to));
    const argument = given[at]!;
    if (value !== undefined && argument.kind === 'object') given[at] = { ...argument, contents: place.with(value) };
  }
}

export const hasNullMembers = (given: readonly Argument[]): boolean =>
  given.some((one) => one.kind === 'object' && nullMembers(one.type, one.contents, (contents) => contents).length > 0);

const fresh = (object: Argument | undefined): Plain | undefined =>
  object?.kind === 'object' ? pointerToFresh(object.contents as Plain) : undefined;

const isSame = (a: CType, b: CType): boolean => printType(withoutQualifiers(a)) === printType(withoutQualifiers(b));

/** Members of the first element stand for those of all elements of an array. */
function nullMembers(type: CType, contents: Plain, whole: (contents: Plain) => Plain): readonly NullMember[] {
  if (Array.isArray(contents)) {
    const elements = contents as readonly Plain[];
    if (type.kind !== 'array' || elements.length === 0) return [];
    return nullMembers(type.of, elements[0]!, (first) => whole(elements.with(0, first)));
  }
  if (type.kind !== 'record' || type.record.keyword === 'union' || contents === null) return [];
  if (typeof contents !== 'object' || asPointer(contents)) return [];
  const record = contents as { readonly [name: string]: Plain };
  return type.record.fields.flatMap(({ name, type: member }) => {
    if (name === undefined || !(name in record)) return [];
    const value = record[name]!;
    const set = (changed: Plain): Plain => whole({ ...record, [name]: changed });
    if (member.kind !== 'pointer') return nullMembers(member, value, set);
    if (value === null) return member.to.kind === 'function' ? [] : [{ to: member.to, with: set }];
    const pointer = asPointer(value);
    if (pointer?.kind !== 'fresh') return [];
    return nullMembers(member.to, pointer.contents, (inner) => set(pointerToFresh(inner)));
  });
}
