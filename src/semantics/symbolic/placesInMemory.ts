/** Places in symbolic memory: the memory variable and index of a scalar, and the slots that a range of bytes meets. */
import * as L from '../../logic/build';
import type { Term } from '../../logic/term';
import { cellsOf, residueOf, type Congruence } from '../../program/congruence';
import type { Scalar } from '../../program/expression';
import type { Node, Pointee } from '../pointers/regionNode';
import { isAligned, isOnePlace, slotAt, type Slot, type SlotLayout } from '../pointers/slotLayout';
import type { Addressing, MemoryModel } from './memoryModel';
import type { SymbolicPointer } from './symbolicValues';

/** A place in symbolic memory: the memory variables of a slot and the index into them. */
export interface PlaceInMemory {
  readonly slot: Slot | 'byte';
  readonly node: Node;
  readonly addressing: Addressing;
  readonly object: Term;
  readonly offset: Term;
}

/** A slot that a range of bytes meets. */
export interface MetCell {
  /** Distance in bytes from the start of the range. Negative if the slot begins before. */
  readonly position: number;
  readonly slot: Slot;
  /** It lies inside as a whole. */
  readonly whole: boolean;
}

/** Above this many cells, a copy or fill havocs the contents instead of writing each cell. */
export const mostCells = 256;

export function slotAddressing({ regions }: MemoryModel, node: Node, slot: Slot): Addressing {
  const layout = regions.layout(node);
  const exact = layout.kind === 'slots' && isOnePlace(layout, slot);
  return layout.single ? (exact ? 'plain' : 'by-offset') : exact ? 'by-object' : 'by-object-and-offset';
}

export const byteAddressing = ({ regions }: MemoryModel, node: Node): Addressing =>
  regions.layout(node).single ? 'by-offset' : 'by-object-and-offset';

/** Undefined if no slot of the region holds a scalar of this size there. */
export function placeAt(
  memoryModel: MemoryModel,
  { object, offset }: SymbolicPointer,
  { node, at }: Pointee,
  type: Scalar,
): PlaceInMemory | undefined {
  const layout = memoryModel.regions.layout(node);
  if (layout.kind === 'bytes')
    return { slot: 'byte', node, addressing: byteAddressing(memoryModel, node), object, offset };
  const slot = slotAt(layout, at);
  if (!slot || slot.bytes !== typeBytes(type, memoryModel)) return undefined;
  return { slot, node, addressing: slotAddressing(memoryModel, node, slot), object, offset };
}

export function indexOf(place: PlaceInMemory): Term {
  switch (place.addressing) {
    case 'by-offset':
      return place.offset;
    case 'by-object':
      return place.object;
    default:
      return L.concat(place.object, place.offset);
  }
}

/**
 * The slots met by `count` bytes from `at`. Undefined when there are too many, or when it is not known which slots they
 * are.
 */
export function cellsMet(layout: SlotLayout, at: Congruence, count: number): readonly MetCell[] | undefined {
  if (!isAligned(layout, at)) return undefined;
  const found = cellsOf(at).map((start) => cellsFrom(layout, start, count));
  const [cells] = found;
  // Whichever element it is, it must begin and end alike.
  const isSame = (other: typeof cells): boolean =>
    other !== undefined &&
    other.length === cells!.length &&
    other.every(({ position, slot }, i) => position === cells![i]!.position && slot === cells![i]!.slot);
  return cells && found.every(isSame) ? cells : undefined;
}

function cellsFrom(layout: SlotLayout, start: number, count: number): readonly MetCell[] | undefined {
  const cells: MetCell[] = [];
  for (const slot of layout.slots) {
    for (const cell of slot.cells) {
      const first = layout.stride === 0 ? cell - start : residueOf(cell - start, layout.stride) - layout.stride;
      for (let position = first; position < count; position += layout.stride) {
        if (position + slot.bytes > 0)
          cells.push({ position, slot, whole: position >= 0 && position + slot.bytes <= count });
        if (cells.length > mostCells) return undefined;
        if (layout.stride === 0) break;
      }
    }
  }
  return cells.sort((a, b) => a.position - b.position);
}

export function typeBytes(type: Scalar, memoryModel: MemoryModel): number {
  return type.kind === 'pointer' ? (2 * memoryModel.half) / 8 : type.widthBits / 8;
}
