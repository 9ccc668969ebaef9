/**
 * A pointer inside the contents of an argument: to a fresh object with contents of its own, or to where another
 * argument of the same call points, or to another element of that object. No member of a structure has these names.
 */
import type { Plain } from './verdict';

export type PlainPointer =
  /** An array is that many elements; anything else is one structure. */
  | { readonly kind: 'fresh'; readonly contents: Plain }
  | { readonly kind: 'argument'; readonly argument: number; readonly index?: number };

export const pointerToFresh = (contents: Plain): Plain => ({ '->': contents });
/** `index`: of the element that is pointed to; default where the argument points. */
export const pointerToArgument = (argument: number, index?: number): Plain => ({
  '&': argument,
  ...(index !== undefined && { '@': index }),
});

export function asPointer(part: Plain): PlainPointer | undefined {
  if (typeof part !== 'object' || part === null) return undefined;
  if ('->' in part) return { kind: 'fresh', contents: part['->'] as Plain };
  if (!('&' in part)) return undefined;
  return { kind: 'argument', argument: Number(part['&']), ...('@' in part && { index: Number(part['@']) }) };
}

/** Contents of fresh objects stand for pointers to them, as in tests; `named` stands for a pointer to an argument. */
export function mapPointers(contents: Plain, named: (argument: number, index: number | undefined) => Plain): Plain {
  const pointer = asPointer(contents);
  if (pointer?.kind === 'fresh') return mapPointers(pointer.contents, named);
  if (pointer) return named(pointer.argument, pointer.index);
  if (typeof contents !== 'object' || contents === null) return contents;
  if (Array.isArray(contents)) return (contents as readonly Plain[]).map((part) => mapPointers(part, named));
  return Object.fromEntries(
    Object.entries(contents).map(([name, part]) => [name, mapPointers(part as Plain, named)]),
  ) as Plain;
}
