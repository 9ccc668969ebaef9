/** Values that memory holds byte by byte: `*p` for the four bytes that an `int *p` leads to. */
import { sizeOf } from '../../c/layout';
import type { CType } from '../../c/types';
import type { Vocabulary } from '../../semantics/symbolic/vocabulary';
import { pathAt, typeAt } from './memberPaths';

/** A byte at a constant distance from where a pointer points. */
export interface ByteBehind {
  readonly pointer: { readonly text: string; readonly type: CType };
  readonly distance: number;
}

/** The place in C that consists of these bytes, the one with the highest address first; undefined if none does. */
export function placeOfBytes(
  bytes: readonly (ByteBehind | undefined)[],
  vocabulary: Vocabulary,
): { readonly text: string; readonly type: CType } | undefined {
  const lowest = bytes.at(-1);
  const { length } = bytes;
  if (!lowest || length < 2) return undefined;
  const { pointer, distance } = lowest;
  const areNeighbours = bytes.every(
    (one, at) => one?.pointer.text === pointer.text && one.distance === distance + length - 1 - at,
  );
  if (!areNeighbours || pointer.type.kind !== 'pointer') return undefined;
  const { to } = pointer.type;
  const { dataModel } = vocabulary.memoryModel.program;
  if (to.kind !== 'record') {
    const isWhole = (to.kind === 'integer' || to.kind === 'pointer') && sizeOf(to, dataModel) === length;
    if (!isWhole || distance % length !== 0) return undefined;
    return { text: distance === 0 ? `*${pointer.text}` : `${pointer.text}[${distance / length}]`, type: to };
  }
  const type = typeAt(to, distance, vocabulary);
  if (!type || !(type.kind === 'integer' || type.kind === 'pointer') || sizeOf(type, dataModel) !== length)
    return undefined;
  const path = pathAt('', to, distance, vocabulary).replace(/^\./, '');
  return path.includes('@') ? undefined : { text: `${pointer.text}->${path}`, type };
}

/** Groups of bytes that are one value each, and what belongs to none. */
export function groupsOfBytes<T>(
  items: readonly T[],
  byteOf: (item: T) => ByteBehind | undefined,
  vocabulary: Vocabulary,
): {
  readonly values: readonly { readonly text: string; readonly type: CType; readonly items: readonly T[] }[];
  readonly others: readonly T[];
} {
  const values: { readonly text: string; readonly type: CType; readonly items: readonly T[] }[] = [];
  const left = new Set(items);
  const placed = items.flatMap((item) => {
    const byte = byteOf(item);
    return byte ? [{ item, byte }] : [];
  });
  placed.sort((a, b) => a.byte.distance - b.byte.distance);
  for (const { item, byte } of placed) {
    if (!left.has(item)) continue;
    for (const size of [8, 4, 2]) {
      const group = placed.filter(
        (one) =>
          left.has(one.item) &&
          one.byte.pointer.text === byte.pointer.text &&
          one.byte.distance >= byte.distance &&
          one.byte.distance < byte.distance + size,
      );
      group.reverse();
      const place =
        group.length === size
          ? placeOfBytes(
              group.map((one) => one.byte),
              vocabulary,
            )
          : undefined;
      if (!place) continue;
      const own = group.map((one) => one.item);
      values.push({ ...place, items: own });
      for (const one of own) left.delete(one);
      break;
    }
  }
  return { values, others: items.filter((item) => left.has(item)) };
}
