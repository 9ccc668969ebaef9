/**
 * Division of the objects of a region: the accesses that a program makes to them, by what each may meet, fall into
 * slots that no access straddles. The fields of a structure are one slot each, the elements of an array are one slot
 * together.
 */
import { type Congruence, cellsOf, flat, gcd, residueOf } from '../../program/congruence';
import type { Scalar } from '../../program/expression';
import type { Origin } from './regionNode';

export interface Slot {
  /** First cell's offset. */
  readonly offset: number;
  readonly bytes: number;
  readonly type: Scalar;
  /**
   * Beginnings of the slot's values, in bytes from an object's start, ascending; per stride of the layout, if it has
   * one.
   */
  readonly cells: readonly number[];
}
/**
 * `single`: exactly one object at a time, so the object number is not part of an address. `stride`: the division
 * repeats after so many bytes; 0: it is of the whole object.
 */
export type NodeLayout =
  | {
      readonly kind: 'slots';
      readonly single: Origin | undefined;
      readonly stride: number;
      readonly slots: readonly Slot[];
    }
  | { readonly kind: 'bytes'; readonly single: Origin | undefined };
export type SlotLayout = Extract<NodeLayout, { kind: 'slots' }>;

export interface SlotAccess {
  readonly at: Congruence;
  readonly type: Scalar;
  /** The value is read: by the program itself, or at the other end of a copy. */
  readonly isRead?: boolean;
}

/** Cells of one node's objects beyond which elements of inner arrays are not told from what is beside them. */
const mostCells = 16_384;

export function layoutOf(
  accesses: readonly SlotAccess[],
  single: Origin | undefined,
  bytesOf: (type: Scalar) => number,
): NodeLayout {
  const stride = accesses.reduce((all, { at }) => gcd(all, at.modulus), 0);
  if (accesses.reduce((count, { at }) => count + cellsOf(at).length, 0) > mostCells) {
    return layoutOf(
      accesses.map(({ at, type }) => ({ at: flat(at), type })),
      single,
      bytesOf,
    );
  }
  const bytes: NodeLayout = { kind: 'bytes', single };
  const slots: (Omit<Slot, 'offset' | 'cells'> & { readonly cells: Set<number> })[] = [];
  const at = new Map<number, number>();
  // Accesses that begin at the same cell are of one slot.
  for (const access of accesses) {
    const cells = [...new Set(cellsOf(access.at).map((cell) => residueOf(cell, stride)))];
    const met = [...new Set(cells.flatMap((cell) => at.get(cell) ?? []))];
    const slot = { bytes: bytesOf(access.type), type: access.type, cells: new Set(cells) };
    for (const index of met) {
      const other = slots[index]!;
      if (other.bytes !== slot.bytes || !samePlace(other.type, slot.type)) return bytes;
      for (const cell of other.cells) slot.cells.add(cell);
      other.cells.clear();
    }
    for (const cell of slot.cells) at.set(cell, slots.length);
    slots.push(slot);
  }
  const starts = [...at].sort(([a], [b]) => a - b);
  for (const [i, [start, index]] of starts.entries()) {
    const end = start + slots[index]!.bytes;
    if (end > (starts[i + 1]?.[0] ?? Infinity) || (stride !== 0 && end > stride)) return bytes;
  }
  const found = slots
    .filter(({ cells }) => cells.size > 0)
    .map(({ cells, ...slot }): Slot => {
      const ordered = [...cells].sort((a, b) => a - b);
      return { ...slot, offset: ordered[0]!, cells: ordered };
    });
  return { kind: 'slots', single, stride, slots: found.sort((a, b) => a.offset - b.offset) };
}

/**
 * Every cell of a slot in an object of `sizeBytes`, or the first `limit`: byte offsets, those that do not fit left out.
 */
export function cellsIn(
  layout: NodeLayout,
  slot: Slot | 'byte',
  sizeBytes: number,
  limit = Infinity,
): readonly number[] {
  const [cells, stride, bytes] =
    slot === 'byte' || layout.kind === 'bytes' ? [[0], 1, 1] : [slot.cells, layout.stride, slot.bytes];
  const found: number[] = [];
  for (let start = 0; start + cells[0]! + bytes <= sizeBytes; start += stride) {
    for (const cell of cells)
      if (start + cell >= 0 && start + cell + bytes <= sizeBytes && found.length < limit) found.push(start + cell);
    if (stride === 0 || found.length >= limit) break;
  }
  return found;
}

export const bytesOf = (slot: Slot | 'byte'): number => (slot === 'byte' ? 1 : slot.bytes);

/** True if there are more of them than `most`. */
export const hasMoreCells = (layout: NodeLayout, slot: Slot | 'byte', sizeBytes: number, most: number): boolean =>
  cellsIn(layout, slot, sizeBytes, most + 1).length > most;

/** The slot is one place in an object. */
export const isOnePlace = (layout: SlotLayout, slot: Slot): boolean => layout.stride === 0 && slot.cells.length === 1;

/**
 * The slot that something at `position` bytes from any of the addresses in `at` begins in; undefined when there is
 * none, or not one.
 */
export function slotAt(layout: SlotLayout, at: Congruence, position = 0): Slot | undefined {
  if (!isAligned(layout, at)) return undefined;
  const cells = cellsOf(at).map((cell) => residueOf(cell + position, layout.stride));
  const slot = layout.slots.find((one) => one.cells.includes(cells[0]!));
  return slot && cells.every((cell) => slot.cells.includes(cell)) ? slot : undefined;
}

/** All addresses that differ by a multiple of the modulus meet the same slots. */
export function isAligned({ stride }: SlotLayout, at: Congruence): boolean {
  return stride === 0 ? at.modulus === 0 : at.modulus % stride === 0;
}

function samePlace(a: Scalar, b: Scalar): boolean {
  return (a.kind === 'pointer') === (b.kind === 'pointer');
}
