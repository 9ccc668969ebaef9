/** Sorts, interned: equal sorts are the same object. */
import type { ArraySort, BitsSort, BooleanSort, Sort } from './term';

export const boolSort: BooleanSort = { kind: 'boolean' };

const words: BitsSort[] = [];
const arrays = new Map<string, ArraySort>();

/** `width` is at least 1. */
export function bitsSort(width: number): BitsSort {
  if (!(Number.isInteger(width) && width >= 1)) throw new RangeError(`a bit-vector of ${width} bits`);
  return (words[width] ??= { kind: 'bits', width });
}

export function arraySort(index: BitsSort, element: Sort): ArraySort {
  const key = `${index.width}:${sortText(element)}`;
  let sort = arrays.get(key);
  if (!sort) arrays.set(key, (sort = { kind: 'array', index: bitsSort(index.width), element: internSort(element) }));
  return sort;
}

/** The interned object for a sort that may have been built by hand. */
export function internSort(sort: Sort): Sort {
  switch (sort.kind) {
    case 'boolean':
      return boolSort;
    case 'bits':
      return bitsSort(sort.width);
    case 'array':
      return arraySort(sort.index, sort.element);
  }
}

/** A short unambiguous name: `bool`, `32`, `[32->8]`. */
export function sortText(sort: Sort): string {
  switch (sort.kind) {
    case 'boolean':
      return 'bool';
    case 'bits':
      return String(sort.width);
    case 'array':
      return `[${sort.index.width}->${sortText(sort.element)}]`;
  }
}
