/** Reachability along a link in a concrete state, by walking. */
import { equal, exactly } from '../../program/congruence';
import type { ConcreteMemory } from '../../semantics/concrete/concreteMemory';
import type { MemoryBlock } from '../../semantics/concrete/memoryBlock';
import { objectNumber, offsetBytes, pointerTo } from '../../semantics/concrete/concreteValues';
import type { Activation } from '../../semantics/concrete/machine';
import { isOfClients, type Link } from '../../semantics/pointers/links/links';
import type { MemoryModel } from '../../semantics/symbolic/memoryModel';

export interface HeapState {
  readonly memory: ConcreteMemory;
  readonly activations: readonly Activation[];
}

/** True if `next` leads from one object to the other in some steps, or none; 0 is no object. */
export function leadsTo(from: number, to: number, next: (object: number) => number): boolean {
  const seen = new Set<number>();
  for (let at = from; at !== to;) {
    seen.add(at);
    at = next(at);
    if (at === 0 || seen.has(at)) return false;
  }
  return true;
}

export class ConcreteChains {
  private readonly successors = new Map<number, number>();

  constructor(
    private readonly link: Link,
    private readonly memoryModel: MemoryModel,
    private readonly state: HeapState,
  ) {}

  reaches(from: number, to: number): boolean {
    return leadsTo(from, to, (at) => this.successor(at));
  }

  /** Objects reached from an object, itself included. */
  from(object: number): ReadonlySet<number> {
    const found = new Set<number>();
    for (let at = object; at !== 0 && !found.has(at); at = this.successor(at)) found.add(at);
    return found;
  }

  /** Number of objects that are reached from an object's number, itself included. */
  count(number: number): number {
    return Math.max(1, this.from(number).size);
  }

  /** True if the object is a static or automatic one of the region. */
  isMember(number: number): boolean {
    return [...this.link.node.origins].some((origin) =>
      origin.kind === 'static'
        ? origin.object.number === number
        : origin.kind === 'frame' &&
          this.state.activations.some(
            ({ fn, objects }) => fn === origin.function && objectNumber(objects[origin.object.slot] ?? 0) === number,
          ),
    );
  }

  /** True if the link of an object holds null. */
  isNullAt(number: number): boolean {
    return this.pointerAt(number) === 'null';
  }

  /** True if the link of an object points to `target`, or is null where `target` is 0. */
  holds(number: number, target: number): boolean {
    return target === 0 ? this.isNullAt(number) : this.pointerAt(number) === target;
  }

  /** True if the link of an object holds null or leads to a member at the usual place. */
  isProper(number: number): boolean {
    const target = this.pointerAt(number);
    if (target === 'null' || target === undefined) return target === 'null';
    return this.isMade(this.state.memory.block(pointerTo(target))) || this.isMember(target);
  }

  /** True if the link of an object was written since the object began. */
  isWritten(number: number): boolean {
    const { slot } = this.link;
    return this.state.memory.isInitialised(pointerTo(number, slot.offset), slot.bytes) === 1;
  }

  /** True if a walk from the object ends. */
  ends(object: number): boolean {
    const seen = new Set<number>([0]);
    for (let at = object; !seen.has(at); at = this.successor(at)) seen.add(at);
    return this.successor([...seen].at(-1)!) === 0;
  }

  /** The objects from this one on are live, of at least so many bytes, and the last one's link is null. */
  isList(object: number, nodeBytes: number): boolean {
    const { memory } = this.state;
    return (
      object !== 0 &&
      this.ends(object) &&
      [...this.from(object)].every((at) => {
        const block = memory.block(pointerTo(at));
        return block?.live === true && block.sizeBytes >= nodeBytes && (this.successor(at) !== 0 || this.isNullAt(at));
      })
    );
  }

  /** No write has closed a ring. Rings of clients' objects do not count. */
  isAcyclic(): boolean {
    if (isOfClients(this.link.node)) return true;
    const done = new Set<number>([0]);
    for (const { number } of this.state.memory.liveBlocks()) {
      const walked = new Set<number>();
      for (let at = number; !done.has(at); at = this.successor(at)) {
        if (walked.has(at)) return false;
        walked.add(at);
      }
      for (const at of walked) done.add(at);
    }
    return true;
  }

  /** The object that the link of an object leads to; 0 where it has no link that counts. */
  successor(number: number): number {
    let found = this.successors.get(number);
    if (found === undefined) this.successors.set(number, (found = this.compute(number)));
    return found;
  }

  private compute(number: number): number {
    const { memoryModel, link } = this;
    const { memory } = this.state;
    const block = memory.block(pointerTo(number));
    if (!block?.live || !this.isInRegion(block)) return 0;
    const place = pointerTo(number, link.slot.offset);
    if (memory.isInitialised(place, link.slot.bytes) !== 1) return 0;
    const pointer = memory.load(place, link.slot.type);
    const target = objectNumber(pointer);
    const leadsOn =
      target > memoryModel.lastStatic &&
      equal(exactly(offsetBytes(pointer)), exactly(link.offset)) &&
      this.isMade(memory.block(pointerTo(target)));
    return leadsOn ? target : 0;
  }

  /** The object to which the link of a live member leads at the usual place; undefined for any other pointer. */
  pointerAt(number: number): number | 'null' | undefined {
    const { link } = this;
    const { memory } = this.state;
    const block = memory.block(pointerTo(number));
    const place = pointerTo(number, link.slot.offset);
    if (!block?.live || !this.isInRegion(block) || memory.isInitialised(place, link.slot.bytes) !== 1) return undefined;
    const pointer = memory.load(place, link.slot.type);
    const [target, offset] = [objectNumber(pointer), offsetBytes(pointer)];
    if (target === 0 && offset === 0) return 'null';
    return offset === link.offset ? target : undefined;
  }

  /** An allocation of the program made the object in the region, or a client did. */
  private isMade(block: MemoryBlock | undefined): boolean {
    const { memoryModel, link } = this;
    const region = regionOf(block, memoryModel);
    if (region === memoryModel.allocationSiteOf(link.node)) return true;
    return isOfClients(link.node) && region === 0n && block !== undefined && block.number > memoryModel.lastStatic;
  }

  private isInRegion(block: MemoryBlock): boolean {
    return this.isMade(block) || this.isMember(block.number);
  }
}

/** Value of `made` for a block; 0 for static and automatic objects. */
export function regionOf(block: MemoryBlock | undefined, memoryModel: MemoryModel): bigint {
  const origin = block?.origin;
  const node = block?.setUpAs
    ? memoryModel.regions.nodeOfSetUp(block.setUpAs)
    : origin && 'kind' in origin && origin.kind === 'allocate'
      ? memoryModel.regions.nodeOfOrigin(origin)
      : undefined;
  return node ? memoryModel.allocationSiteOf(node) : 0n;
}
