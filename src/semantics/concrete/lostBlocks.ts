/**
 * Blocks of the allocator that nothing leads to any more. Memory is scanned for pointers at every byte: what looks like
 * one counts as one, so a block that is found to be lost is lost. Pointers into a block, and to its end, count.
 *
 * Clients hold blocks that they were handed: as a result, through their own objects, or as an argument of their
 * functions. What they read out of the module's blocks by themselves does not count as handed.
 */
import type { DataModel } from '../../c/types';
import type { ConcreteMemory } from './concreteMemory';
import type { MemoryBlock } from './memoryBlock';
import { objectNumber, pointerTo, type ConcreteValue } from './concreteValues';

/** An allocation of the program made it, and not for an activation. */
const isOfAllocator = ({ kind, origin }: MemoryBlock): boolean =>
  kind === 'heap' && origin !== undefined && origin.kind === 'allocate' && origin.automatic !== true;

/** Live blocks of the allocator that neither pointers `from` nor static data nor clients lead to. */
export function lostBlocks(
  memory: ConcreteMemory,
  model: DataModel,
  from: readonly ConcreteValue[],
): readonly MemoryBlock[] {
  const blocks = new Map<number, MemoryBlock>();
  for (const block of memory.liveBlocks()) if (isOfAllocator(block)) blocks.set(block.number, block);
  if (blocks.size === 0) return [];
  const others = [...memory.liveBlocks()].filter(
    (block) => block.isHeld === true || block.kind === 'static' || block.kind === 'host' || !isOfAllocator(block),
  );
  const reached = reachedFrom(memory, model, [
    ...others,
    ...from.flatMap((pointer) => blocks.get(objectNumber(pointer)) ?? []),
  ]);
  return [...blocks.values()].filter((block) => !reached.has(block));
}

/** Notes that clients hold the blocks to which the pointers lead, and `through`: those reached from them. */
export function hold(
  memory: ConcreteMemory,
  model: DataModel,
  pointers: readonly ConcreteValue[],
  through: 'the pointers' | 'all that is reached',
): void {
  const first = pointers.flatMap((pointer) => memory.block(pointer) ?? []).filter(({ live }) => live);
  const held = through === 'the pointers' ? first : reachedFrom(memory, model, first);
  for (const block of held)
    if (isOfAllocator(block) && block.isHeld !== true) memory.ownedBlock(pointerTo(block.number))!.isHeld = true;
}

/** Notes that clients hold the blocks to which pointers in their objects lead. */
export function holdThroughObjects(memory: ConcreteMemory, model: DataModel): void {
  const objects = [...memory.liveBlocks()].filter(({ kind }) => kind === 'host');
  hold(
    memory,
    model,
    objects.flatMap((block) => pointersIn(block, model)),
    'the pointers',
  );
}

function reachedFrom(
  memory: ConcreteMemory,
  model: DataModel,
  first: readonly MemoryBlock[],
): ReadonlySet<MemoryBlock> {
  const reached = new Set(first);
  for (const block of reached)
    for (const pointer of pointersIn(block, model)) {
      const target = memory.block(pointer);
      if (target?.live) reached.add(target);
    }
  return reached;
}

function pointersIn({ bytes }: MemoryBlock, model: DataModel): ConcreteValue[] {
  const half = model === 'lp64' ? 4 : 2;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const found = new Set<number>();
  for (let at = half; at + half <= bytes.length; at++) {
    const upper = half === 4 ? view.getUint32(at, true) : view.getUint16(at, true);
    found.add(upper);
    // In an address, a negative offset has taken one from the object.
    if (bytes[at - 1]! > 0x7f) found.add(upper + 1);
  }
  found.delete(0);
  return [...found].map((number) => pointerTo(number));
}

/** True if the block holds a pointer to the object with this number, or what looks like one. */
export function leadsTo({ bytes }: MemoryBlock, number: number, model: DataModel): boolean {
  const half = model === 'lp64' ? 4 : 2;
  if (number >= 2 ** (8 * half)) return false;
  const searched = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const wanted = Buffer.alloc(half);
  wanted.writeUIntLE(number, 0, half);
  if (searched.includes(wanted, half)) return true;
  if (number === 0) return false;
  // In an address, a negative offset has taken one from the object.
  wanted.writeUIntLE(number - 1, 0, half);
  for (let at = searched.indexOf(wanted, half); at >= 0; at = searched.indexOf(wanted, at + 1))
    if (searched[at - 1]! > 0x7f) return true;
  return false;
}
