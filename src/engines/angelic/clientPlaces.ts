/** Places that preconditions of a function can name: its parameters, and members of structures that they lead to. */
import type { CType } from '../../c/types';
import type { FunctionDefinition } from '../../program/program';

export interface Place {
  /** As in C: `b->at`. */
  readonly text: string;
  readonly type: CType;
}

const limits = {
  /** Steps from one structure to the next: `m->reply_to->subject`. */
  structures: 2,
  /** Places from one parameter or variable. */
  places: 24,
} as const;

/** In the order of the parameters; each comes before its members, and before the pointer that it leads to. */
export function placesOfClients({ ctype }: FunctionDefinition): readonly Place[] {
  const parameters = ctype.kind === 'function' ? ctype.parameters : [];
  return parameters.flatMap(({ name, type }) => (name === undefined ? [] : placesFrom({ text: name, type })));
}

/** The place itself, and members of the structure that it is, or leads to. */
export const placesFrom = (place: Place): readonly Place[] => [...from(place, 0)].slice(0, limits.places);

function* from(place: Place, structures: number): Generator<Place> {
  const { text, type } = place;
  yield place;
  if (/^\w+$/.test(text) && type.kind === 'pointer' && (type.to.kind === 'pointer' || isCount(type.to)))
    yield { text: `*${text}`, type: type.to };
  if (type.kind === 'record') yield* members(text, '.', type, structures);
  else if (type.kind === 'pointer' && type.to.kind === 'record' && structures < limits.structures)
    yield* members(text, '->', type.to, structures + 1);
}

function* members(text: string, access: '.' | '->', type: CType, structures: number): Generator<Place> {
  if (type.kind !== 'record' || !type.record.complete) return;
  for (const { name, type: member } of type.record.fields)
    if (name !== undefined) yield* from({ text: `${text}${access}${name}`, type: member }, structures);
}

/** Behind a pointer to characters lies a text. */
const isCount = (type: CType): boolean => type.kind === 'integer' && type.name !== 'bool' && type.widthBits > 8;

export const isObjectPointer = ({ type }: Place): boolean => type.kind === 'pointer' && type.to.kind !== 'function';
