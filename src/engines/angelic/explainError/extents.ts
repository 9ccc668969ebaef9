/**
 * Preconditions about memory behind pointers, as part of the vocabulary of ExplainError: how far it reaches,
 * `PROVEST_LENGTH(p->data) >= p->length`, texts with an end, and pointers that are not null. Their form comes from the
 * types; those that the failing call breaks are offered. Nothing else says how a pointer and a number belong together
 * in a structure that clients fill in by themselves.
 */
import type { Program, FunctionDefinition } from '../../../program/program';
import type { StatedPrecondition } from '../callWatch';
import { isObjectPointer, type Place, placesOfClients } from '../clientPlaces';
import { precondition } from '../specifications';

/** The weaker first. */
export function extents(program: Program, fn: FunctionDefinition): readonly StatedPrecondition[] {
  const places = placesOfClients(fn);
  const numbers = places.filter(({ type }) => type.kind === 'integer' && type.name !== 'bool');
  const pointers = places.filter(isObjectPointer);
  const texts = [
    ...pointers
      .filter(isText)
      .flatMap(({ text }) => [`(${text} == NULL || PROVEST_TERMINATED(${text}))`, `PROVEST_TERMINATED(${text})`]),
    ...pointers.flatMap((pointer) =>
      numbers
        .filter((number) => belongTogether(pointer, number))
        .sort((a, b) => distance(pointer, a) - distance(pointer, b))
        .map((number) => `PROVEST_LENGTH(${pointer.text}) >= ${number.text}`),
    ),
  ];
  return texts.flatMap((text) => {
    const one = precondition(program, fn.name, text);
    return one?.kind === 'requires' ? [one] : [];
  });
}

/**
 * Pointers that arguments lead to. The formula of a trace names them only where it reads them as pointers: memory that
 * characters may lie in as well is bytes there.
 */
export function pointersSet(program: Program, fn: FunctionDefinition): readonly StatedPrecondition[] {
  const parameters = new Set(fn.parameters.map(({ name }) => name));
  return placesOfClients(fn)
    .filter((place) => isObjectPointer(place) && !parameters.has(place.text))
    .flatMap(({ text }) => {
      const one = precondition(program, fn.name, `${text} != NULL`);
      return one?.kind === 'requires' ? [one] : [];
    });
}

const isText = ({ type }: Place): boolean =>
  type.kind === 'pointer' && type.to.kind === 'integer' && type.to.name === 'char';

/** Members of one structure, or one of them is a parameter; a structure does not say how many of it there are. */
const belongTogether = (pointer: Place, number: Place): boolean =>
  !number.text.startsWith(`${pointer.text}->`) &&
  number.text !== `*${pointer.text}` &&
  (ownerOf(pointer) === '' || ownerOf(number) === '' || ownerOf(pointer) === ownerOf(number));

/** In one structure, or both parameters, comes first. */
const distance = (pointer: Place, number: Place): number => (ownerOf(pointer) === ownerOf(number) ? 0 : 1);

const ownerOf = ({ text }: Place): string => text.replace(/\w+$/, '');
