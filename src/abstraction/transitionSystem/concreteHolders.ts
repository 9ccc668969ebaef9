/** The live object that holds a block in one of its members, in a state of a run; one of them, if several do. */
import { pointerTo, objectNumber } from '../../semantics/concrete/concreteValues';
import type { Machine } from '../../semantics/concrete/machine';
import type { HolderRole, MemoryModel } from '../../semantics/symbolic/memoryModel';
import { regionOf } from './concreteChains';

export class ConcreteHolders {
  private holders: Map<number, number> | undefined;

  constructor(
    private readonly role: HolderRole,
    private readonly memory: Machine['memory'],
    private readonly memoryModel: MemoryModel,
  ) {}

  /** The number of the object that holds the block; 0 if none does. */
  of(block: number): number {
    return (this.holders ??= this.find()).get(block) ?? 0;
  }

  private find(): Map<number, number> {
    const { memory, memoryModel } = this;
    const { node, slot } = this.role;
    const region = memoryModel.allocationSiteOf(node);
    const found = new Map<number, number>();
    for (const block of memory.liveBlocks()) {
      if (regionOf(block, memoryModel) !== region) continue;
      const place = pointerTo(block.number, slot.offset);
      if (memory.isInitialised(place, slot.bytes) === 1)
        found.set(objectNumber(memory.load(place, slot.type)), block.number);
    }
    return found;
  }
}
