/** Conditions on the last byte of an object, as far as symbolic memory has it. */
import * as L from '../../logic/build';
import type { Term } from '../../logic/term';
import type { Node } from '../../semantics/pointers/regionNode';
import type { Slot } from '../../semantics/pointers/slotLayout';
import type { MemoryModel, MemoryVariable } from '../../semantics/symbolic/memoryModel';

/**
 * The last byte is 0: a loop that reads bytes of the object to the first 0 stays within it. `length`: bytes of the
 * object, where it may be one of static data.
 */
export function endsInZero(
  object: Term,
  node: Node,
  contents: readonly Term[],
  memoryModel: MemoryModel,
  length?: Term,
): readonly Term[] {
  const { half, regions, size } = memoryModel;
  const layout = regions.layout(node);
  const last = L.sub(length ?? L.select(contents[size.index]!, object), L.bits(1n, half));
  const slots: readonly (Slot | 'byte')[] = layout.kind === 'bytes' ? ['byte'] : layout.slots;
  return slots.flatMap((slot) => {
    const bytes = memoryModel.slot(node, slot, 'value');
    if (!bytes || (slot !== 'byte' && slot.bytes !== 1)) return [];
    const isLast = isLastIn(slot, layout.kind === 'slots' ? layout.stride : 1, last, half);
    return isLast ? [L.implies(isLast, L.eq(elementAt(bytes, contents, object, last), L.bits(0n, 8)))] : [];
  });
}

/** The last byte is one of the slot's. Undefined where that is not said in short. */
function isLastIn(slot: Slot | 'byte', stride: number, last: Term, half: number): Term | undefined {
  if (slot === 'byte' || stride === 1) return L.TRUE;
  if (stride !== 0) return undefined;
  return L.or(...slot.cells.map((cell) => L.eq(last, L.bits(BigInt(cell), half))));
}

/** Part of a memory variable: what is there in this object, so many bytes from its start. */
export function elementAt(
  { role, index }: MemoryVariable,
  contents: readonly Term[],
  object: Term,
  offset: Term,
): Term {
  const all = contents[index]!;
  switch (role.kind === 'slot' ? role.addressing : 'by-object') {
    case 'plain':
      return all;
    case 'by-offset':
      return L.select(all, offset);
    case 'by-object':
      return L.select(all, object);
    case 'by-object-and-offset':
      return L.select(all, L.concat(object, offset));
  }
}
