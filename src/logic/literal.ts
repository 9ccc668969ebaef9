/** The term that denotes a value. */
import { constArray, store } from './arrays/arrays';
import { bits, bool } from './intern';
import { arraySort } from './sort';
import type { ArrayValue, Sort, Term, Value } from './term';

/** Undefined for arrays that cannot list their elements. */
export function literal(value: Value, sort: Sort): Term | undefined {
  if (sort.kind === 'boolean') return bool(value as boolean);
  if (sort.kind === 'bits') return bits(value as bigint, sort.width);
  const { default: others, entries, written } = value as ArrayValue;
  const start = literal(others, sort.element);
  if (written || !start) return undefined;
  let array: Term | undefined = constArray(arraySort(sort.index, sort.element), start);
  for (const [index, element] of entries) {
    const at = literal(element, sort.element);
    array = array && at && store(array, bits(index, sort.index.width), at);
  }
  return array;
}
