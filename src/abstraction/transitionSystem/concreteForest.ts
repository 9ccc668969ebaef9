/** The parents in a forest of a concrete state: whose links lead to an object. */
import type { Link } from '../../semantics/pointers/links/links';
import type { MemoryModel } from '../../semantics/symbolic/memoryModel';
import { ConcreteChains, type HeapState, leadsTo } from './concreteChains';

/**
 * The history variables of a forest, as far as the state shows them: of live parents alone, and of the one with the
 * greatest number where several objects lead to one.
 */
export class ConcreteForest {
  private readonly parents = new Map<number, number>();

  constructor(links: readonly Link[], memoryModel: MemoryModel, state: HeapState) {
    const chains = links.map((link) => new ConcreteChains(link, memoryModel, state));
    for (const { number } of state.memory.liveBlocks())
      for (const chain of chains) {
        const child = chain.successor(number);
        if (child !== 0) this.parents.set(child, number);
      }
  }

  /** The object that leads to this one; 0 if none does. */
  parent(number: number): number {
    return this.parents.get(number) ?? 0;
  }

  /** An object is `of` itself, or below it. */
  isBelow(number: number, of: number): boolean {
    return leadsTo(number, of, (at) => this.parent(at));
  }

  isAcyclic(): boolean {
    return [...this.parents].every(([child, parent]) => child !== parent && !this.isBelow(parent, child));
  }
}
