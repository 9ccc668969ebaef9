/**
 * Blocks that the nodes of a list own, as the texts of a to-do list: pointers in nodes to blocks of another region are
 * null or lead to live ones, no two of them to the same one, and to none that a variable leads to, which is still to be
 * put into a node. Without this, a block that is freed with its node could be any other node's, or a node.
 */
import * as L from '../../../logic/build';
import { compile } from '../../../logic/compile';
import type { Term } from '../../../logic/term';
import { exactly } from '../../../program/congruence';
import type { Variable } from '../../../program/expression';
import { type ConcreteValue, objectNumber, offsetBytes, pointerTo } from '../../../semantics/concrete/concreteValues';
import { isOnePlace, type Slot } from '../../../semantics/pointers/slotLayout';
import type { Node } from '../../../semantics/pointers/regionNode';
import type { LinkVariables } from '../../../semantics/symbolic/memoryModel';
import type { SymbolicPointer } from '../../../semantics/symbolic/symbolicValues';
import { regionOf } from '../../transitionSystem/concreteChains';
import type { Cutpoint } from '../../transitionSystem/cutpoint';
import type { Relevance } from '../../transitionSystem/relevance';
import type { TransitionSystem } from '../../transitionSystem/transitionSystem';
import { allocatedSizes } from '../allocatedSizes';
import type { Heap, Name, Template } from './linkedHeap';
import type { LinkTerms, PointerTerms } from './linkTerms';

const limits = {
  /** Members of one node that lead to blocks. */
  members: 3,
  /** Variables that lead to blocks. */
  variables: 3,
} as const;

/** A member of nodes that leads to blocks of another region. */
export interface BlockMember {
  readonly slot: Slot;
  readonly target: Node;
  /** Value of `made` of the region's blocks. */
  readonly site: bigint;
  /** Bytes from the start of a block to where the pointers lead. */
  readonly at: number;
  readonly pointerOf: (object: Term) => PointerTerms;
}

/** A variable that leads to such blocks. */
export interface BlockName {
  readonly value: SymbolicPointer;
  readonly target: Node;
}

/** The members of a link's nodes that lead to blocks of the allocator. */
export function blockMembers(
  link: LinkVariables,
  { memoryModel, vocabulary }: TransitionSystem,
): readonly BlockMember[] {
  const { regions } = memoryModel;
  const layout = regions.layout(link.node);
  if (layout.kind !== 'slots') return [];
  return layout.slots
    .flatMap((slot): BlockMember[] => {
      if (slot.type.kind !== 'pointer' || !isOnePlace(layout, slot)) return [];
      const stored = regions.storedAt(link.node, exactly(slot.offset));
      const target = stored && regions.find(stored.node);
      if (!target || target === link.node || stored.at.modulus !== 0 || stored.at.strides) return [];
      if (![...target.origins].some(({ kind }) => kind === 'heap')) return [];
      const [object, offset] = [
        memoryModel.slot(link.node, slot, 'object'),
        memoryModel.slot(link.node, slot, 'offset'),
      ];
      if (object?.role.kind !== 'slot' || object.role.addressing !== 'by-object' || !offset) return [];
      const [objects, offsets] = [vocabulary.symbolOf(object), vocabulary.symbolOf(offset)];
      return [
        {
          slot,
          target,
          site: memoryModel.allocationSiteOf(target),
          at: stored.at.residue,
          pointerOf: (node) => ({ object: L.select(objects, node), offset: L.select(offsets, node) }),
        },
      ];
    })
    .slice(0, limits.members);
}

/** Variables in scope that lead to blocks of the members. */
export function blockNames(
  point: Cutpoint,
  members: readonly BlockMember[],
  { memoryModel, vocabulary }: TransitionSystem,
  relevance: Relevance,
): readonly BlockName[] {
  const targets = new Set(members.map(({ target }) => target));
  if (targets.size === 0 || point.kind === 'module' || point.kind === 'entry' || point.kind === 'exit') return [];
  const isTried = (variable: Variable): boolean => !variable.temporary && relevance.at(point.location, variable);
  return vocabulary
    .pointersFor(point.fn)
    .flatMap(({ variable, value }): BlockName[] => {
      const pointee = isTried(variable)
        ? memoryModel.regions.pointee({ kind: 'read', type: variable.type, variable })
        : undefined;
      const target = pointee && memoryModel.regions.find(pointee.node);
      return target && targets.has(target) ? [{ value, target }] : [];
    })
    .slice(0, limits.variables);
}

/** Candidates about the blocks; `names` lead to nodes. */
export function ownedBlocks(
  members: readonly BlockMember[],
  blocks: readonly BlockName[],
  names: readonly Name[],
  terms: LinkTerms,
  system: TransitionSystem,
): Template[] {
  return new OwnedBlocks(members, blocks, names, terms, system).all();
}

class OwnedBlocks {
  private readonly found: Template[] = [];

  constructor(
    private readonly members: readonly BlockMember[],
    private readonly blocks: readonly BlockName[],
    private readonly names: readonly Name[],
    private readonly terms: LinkTerms,
    private readonly system: TransitionSystem,
  ) {}

  all(): Template[] {
    const { bound } = this.terms;
    this.members.forEach((member, i) => {
      const held = member.pointerOf(bound);
      const isNull = this.terms.isNull(held);
      const leads = this.leadsToBlock(member, held);
      this.ofEach(leads, (heap, node) => typeof this.blockAt(heap, node, member) === 'number');
      this.ofEach(L.or(isNull, leads), (heap, node) => this.blockAt(heap, node, member) !== undefined);
      this.ofSizes(member, isNull, held);
      for (const other of this.members.slice(i)) if (other.target === member.target) this.ofPairs(member, other);
    });
    for (const { value, target } of this.blocks) this.ofName(value, target);
    for (const member of this.members) this.ofHolders(member);
    return this.found;
  }

  /** Each live block is held by a live node, or is the one that a variable leads to. Asked where blocks may be lost. */
  private ofHolders(member: BlockMember): void {
    const { terms, system } = this;
    const { memoryModel } = system;
    const { node } = terms.link;
    const holders = memoryModel.holders.find((one) => one.node === node && one.slot === member.slot);
    if (!holders) return;
    const { bound } = terms;
    const by = L.select(terms.symbol(holders.holder), bound);
    const isHeld = L.and(
      ...terms.isAllocated(by),
      terms.isLive(by),
      terms.isOfRegion(by),
      L.eq(member.pointerOf(by).object, bound),
    );
    const ofBlocks = (body: Term): Term =>
      L.forall(
        [bound],
        L.or(
          ...terms.isAllocated(bound).map(L.not),
          L.not(terms.isLive(bound)),
          L.not(L.eq(L.select(terms.symbol(memoryModel.allocationSite), bound), terms.half(member.site))),
          body,
        ),
      );
    const lost = (heap: Heap): readonly number[] => {
      const held = new Set(heap.live.map((one) => blockNumber(heap, one, member)));
      return [...heap.memory.liveBlocks()]
        .filter((block) => regionOf(block, memoryModel) === member.site && !held.has(block.number))
        .map(({ number }) => number);
    };
    this.add(ofBlocks(isHeld), (heap) => lost(heap).length === 0);
    for (const { value, target } of this.blocks) {
      if (target !== member.target) continue;
      const reader = compile(value.object);
      this.add(ofBlocks(L.or(isHeld, L.eq(bound, value.object))), (heap) =>
        lost(heap).every((number) => number === Number(reader(heap.value) as bigint)),
      );
    }
  }

  private add(term: Term, holds: Template['holds']): void {
    this.found.push({ term, holds, tried: 'if-seen', refuted: false });
  }

  /** For all live nodes, or all but the one that a name leads to. */
  private ofEach(body: Term, holds: (heap: Heap, node: number) => boolean): void {
    const { terms, names } = this;
    this.add(terms.forLive(body), (heap) => heap.live.every((node) => holds(heap, node)));
    names.forEach(({ isObject, object }, k) => {
      if (isObject) return;
      this.add(terms.forLive(L.or(body, L.eq(terms.bound, object))), (heap) =>
        heap.live.every((node) => node === heap.values[k] || holds(heap, node)),
      );
    });
  }

  /** The blocks have a size that the program's allocations give by number, or are not empty. */
  private ofSizes(member: BlockMember, isNull: Term, { object }: PointerTerms): void {
    const { terms, system } = this;
    const size = L.select(terms.symbol(system.memoryModel.size), object);
    const ofAll = (term: Term, holds: (bytes: number | bigint) => boolean): void =>
      this.ofEach(L.or(isNull, term), (heap, node) => {
        const block = this.blockAt(heap, node, member);
        return block === 'null' || (block !== undefined && holds(heap.memory.objectSize(pointerTo(block))));
      });
    for (const bytes of allocatedSizes(system))
      ofAll(L.eq(size, terms.half(bytes)), (actual) => BigInt(actual) === bytes);
    ofAll(L.sle(terms.half(1), size), (actual) => actual >= 1);
  }

  /** Two nodes own two blocks, and one node's members do. */
  private ofPairs(a: BlockMember, b: BlockMember): void {
    const { terms, names } = this;
    const { bound, other } = terms;
    const [held, second] = [a.pointerOf(bound).object, b.pointerOf(other).object];
    const isZero = L.eq(held, terms.half(0));
    const body = L.or(isZero, L.not(L.eq(held, second)), a === b ? L.eq(bound, other) : L.FALSE);
    const areApart = (heap: Heap, node: number, next: number): boolean => {
      if (a === b && node === next) return true;
      const [one, two] = [blockNumber(heap, node, a), blockNumber(heap, next, b)];
      return one !== undefined && two !== undefined && (one === 0 || one !== two);
    };
    const apart = ({ live, ...heap }: Heap, isMeant: (node: number) => boolean): boolean => {
      const nodes = live.filter(isMeant);
      return nodes.every((node) => nodes.every((next) => areApart({ live, ...heap }, node, next)));
    };
    this.add(terms.forLivePairs(body), (heap) => apart(heap, () => true));
    names.forEach(({ isObject, object }, k) => {
      if (isObject) return;
      const isException = L.or(L.eq(bound, object), L.eq(other, object));
      this.add(terms.forLivePairs(L.or(body, isException)), (heap) => apart(heap, (node) => node !== heap.values[k]));
    });
  }

  /** A variable leads to a live block, which no node owns. */
  private ofName({ object, offset }: SymbolicPointer, target: Node): void {
    const { terms, members } = this;
    const reader = compile(object);
    const at = ({ value }: Heap): number => Number(reader(value) as bigint);
    const member = members.find((one) => one.target === target)!;
    const leads = this.leadsToBlock(member, { object, offset });
    const place = compile(offset);
    const leadsThere = (heap: Heap): boolean =>
      this.isBlock(heap, at(heap), member) && Number(place(heap.value) as bigint) === member.at;
    this.add(leads, leadsThere);
    this.add(L.or(terms.isNull({ object, offset }), leads), (heap) => at(heap) === 0 || leadsThere(heap));
    const isZero = L.eq(object, terms.half(0));
    for (const one of members)
      if (one.target === target)
        this.ofEach(
          L.or(isZero, L.not(L.eq(one.pointerOf(terms.bound).object, object))),
          (heap, node) => at(heap) === 0 || blockNumber(heap, node, one) !== at(heap),
        );
  }

  private leadsToBlock({ site, at }: BlockMember, { object, offset }: PointerTerms): Term {
    const { terms } = this;
    const { memoryModel } = this.system;
    return L.and(
      ...terms.isAllocated(object),
      terms.isLive(object),
      L.select(terms.symbol(memoryModel.heap), object),
      L.eq(L.select(terms.symbol(memoryModel.allocationSite), object), terms.half(site)),
      L.eq(offset, terms.half(at)),
    );
  }

  /** Number of the block that a node's member leads to; `undefined` where it leads elsewhere, or was not written. */
  private blockAt(heap: Heap, node: number, member: BlockMember): number | 'null' | undefined {
    const pointer = pointerIn(heap, node, member);
    if (pointer === undefined) return undefined;
    const object = objectNumber(pointer);
    if (object === 0) return offsetBytes(pointer) === 0 ? 'null' : undefined;
    return offsetBytes(pointer) === member.at && this.isBlock(heap, object, member) ? object : undefined;
  }

  private isBlock({ memory }: Heap, object: number, { site }: BlockMember): boolean {
    const pointer = pointerTo(object);
    return (
      memory.isLive(pointer) === 1 &&
      memory.isHeap(pointer) === 1 &&
      regionOf(memory.block(pointer), this.system.memoryModel) === site
    );
  }
}

/** Number of the object that a node's member leads to, 0 for null; undefined where nothing was written. */
export function blockNumber(heap: Pick<Heap, 'memory'>, node: number, member: BlockMember): number | undefined {
  const pointer = pointerIn(heap, node, member);
  return pointer === undefined ? undefined : objectNumber(pointer);
}

function pointerIn({ memory }: Pick<Heap, 'memory'>, node: number, { slot }: BlockMember): ConcreteValue | undefined {
  const place = pointerTo(node, slot.offset);
  return memory.isInitialised(place, slot.bytes) === 1 ? memory.load(place, slot.type) : undefined;
}
