/**
 * Candidates about the sizes of blocks that the nodes of a list own, beside the numbers in the nodes: a number of
 * elements, or one more, is the size of the block, or fits into it; one number is never negative, or never more than
 * another of the same node, as what is used of a block and what there is of it. Texts and packets of any length are
 * kept so.
 */
import * as L from '../../../logic/build';
import type { Term } from '../../../logic/term';
import { pointerTo } from '../../../semantics/concrete/concreteValues';
import type { LinkVariables } from '../../../semantics/symbolic/memoryModel';
import type { TransitionSystem } from '../../transitionSystem/transitionSystem';
import { elementSizes } from '../allocatedSizes';
import type { Heap, Name } from './linkedHeap';
import { LinkTerms } from './linkTerms';
import { type NodeMember, nodeMembers, numberAt } from './nodeNumbers';
import { type BlockMember, blockNumber } from './ownedBlocks';

const limits = {
  /** Fewer nodes have something in common by chance. */
  leastNodes: 3,
  /** Candidates of one control point. */
  candidates: 60,
} as const;

/** Products of numbers of 64 bits and sizes of elements are exact. */
const widthBits = 72;

/** The number times the elements' size, and some bytes, is the size of the block, or at most that. */
interface SizeRelation {
  readonly member: BlockMember;
  readonly number: NodeMember;
  readonly elementBytes: bigint;
  readonly furtherBytes: bigint;
  readonly isEqual: boolean;
}

/** One number in a node is at most another. */
interface NumberRelation {
  readonly less: NodeMember;
  readonly more: NodeMember;
}

/** A relation that some nodes keep to, and those that do not. */
interface Fitted<R> {
  readonly relation: R;
  readonly values: Set<bigint>;
  nodes: number;
  /** Every node seen keeps to it. */
  ofAll: boolean;
  /** By name: every node seen does but the one that it leads to, which was not written. */
  readonly besides: boolean[];
}

export class BlockSizes {
  private readonly terms: LinkTerms;
  private readonly sizes: readonly Fitted<SizeRelation>[];
  private readonly orders: readonly Fitted<NumberRelation>[];
  /** Signed numbers that are not negative. */
  private readonly counts: readonly Fitted<NodeMember>[];

  constructor(
    link: LinkVariables,
    private readonly names: readonly Name[],
    members: readonly BlockMember[],
    private readonly system: TransitionSystem,
  ) {
    this.terms = new LinkTerms(link, names, system);
    const numbers = members.length === 0 ? [] : nodeMembers(link, system);
    const fitted = <R>(relation: R): Fitted<R> => ({
      relation,
      values: new Set(),
      nodes: 0,
      ofAll: true,
      besides: names.map(({ isObject }) => !isObject),
    });
    this.sizes = members.flatMap((member) =>
      numbers.flatMap((number) =>
        elementSizes(member.target, system).flatMap((bytes) =>
          [0n, 1n].flatMap((furtherBytes) =>
            [true, false].map((isEqual) =>
              fitted({ member, number, elementBytes: BigInt(bytes), furtherBytes, isEqual }),
            ),
          ),
        ),
      ),
    );
    this.orders = numbers.flatMap((less) =>
      numbers.flatMap((more) =>
        less !== more && less.signed === more.signed && less.widthBits === more.widthBits
          ? [fitted({ less, more })]
          : [],
      ),
    );
    this.counts = numbers.filter(({ signed }) => signed).map((number) => fitted(number));
  }

  /** A state seen. */
  record(heap: Heap): void {
    for (const node of heap.live) {
      for (const one of this.sizes) {
        const { member, number, elementBytes, furtherBytes, isEqual } = one.relation;
        const block = blockNumber(heap, node, member);
        if (block === 0) continue;
        const size = block === undefined ? undefined : BigInt(heap.memory.objectSize(pointerTo(block)));
        const value = numberAt(heap, node, number);
        const least = value === undefined ? undefined : value * elementBytes + furtherBytes;
        // A number that was negative counts nothing.
        const holds = (): boolean => value! >= 0n && (isEqual ? least === size : least! <= size!);
        this.see(one, heap, node, size === undefined || least === undefined ? undefined : holds(), size);
      }
      for (const one of this.orders) {
        const [less, more] = [numberAt(heap, node, one.relation.less), numberAt(heap, node, one.relation.more)];
        const holds = less === undefined || more === undefined ? undefined : less >= 0n && less <= more;
        this.see(one, heap, node, holds, more);
      }
      for (const one of this.counts) {
        const count = numberAt(heap, node, one.relation);
        this.see(one, heap, node, count === undefined ? undefined : count >= 0n, count);
      }
    }
  }

  /** `holds`: undefined where something was not written yet, as in a node that is being made. */
  private see(
    one: Fitted<unknown>,
    { values }: Heap,
    node: number,
    holds: boolean | undefined,
    value: bigint | undefined,
  ): void {
    if (holds === true) {
      one.nodes++;
      one.values.add(value!);
      return;
    }
    one.ofAll = false;
    values.forEach((named, i) => {
      if (holds === false || named !== node) one.besides[i] = false;
    });
  }

  candidates(): readonly Term[] {
    const found = new Set<Term>();
    const add = (one: Fitted<unknown>, body: Term): boolean => {
      const terms = this.ofNodes(one, body);
      for (const term of terms) found.add(term);
      return terms.length > 0;
    };
    // Numbers that tell a size, and members whose size one tells: a bound by another is chance, or follows.
    const telling = new Set<NodeMember>();
    const told = new Set<BlockMember>();
    for (const isEqual of [true, false])
      for (const one of this.sizes) {
        const { relation, values } = one;
        // A size that is the same everywhere is a candidate by itself.
        if (relation.isEqual !== isEqual || values.size < 2 || (!isEqual && told.has(relation.member))) continue;
        if (!add(one, this.sizeTerm(relation))) continue;
        telling.add(relation.number);
        if (isEqual) told.add(relation.member);
      }
    const { bound } = this.terms;
    for (const one of this.orders) {
      const { less, more } = one.relation;
      if (!telling.has(more)) continue;
      const [a, b] = [L.select(less.values, bound), L.select(more.values, bound)];
      if (add(one, (less.signed ? L.sle : L.ule)(a, b))) telling.add(less);
    }
    for (const one of this.counts) {
      if (!telling.has(one.relation)) continue;
      const count = L.select(one.relation.values, bound);
      add(one, L.sle(L.bits(0n, L.widthOf(count)), count));
    }
    return [...found].slice(0, limits.candidates);
  }

  private sizeTerm({ member, number, elementBytes, furtherBytes, isEqual }: SizeRelation): Term {
    const { terms, system } = this;
    const held = member.pointerOf(terms.bound);
    const size = L.zeroExtend(L.select(terms.symbol(system.memoryModel.size), held.object), widthBits);
    const value = (number.signed ? L.signExtend : L.zeroExtend)(L.select(number.values, terms.bound), widthBits);
    const literal = (bytes: bigint): Term => L.bits(bytes, widthBits);
    const least = L.add(L.mul(value, literal(elementBytes)), literal(furtherBytes));
    return L.or(terms.isNull(held), isEqual ? L.eq(least, size) : L.sle(least, size));
  }

  /** For all live nodes; where one was not written yet, for all but the one that a name leads to. */
  private ofNodes({ nodes, ofAll, besides }: Fitted<unknown>, body: Term): Term[] {
    const { terms, names } = this;
    if (nodes < limits.leastNodes) return [];
    if (ofAll) return [terms.forLive(body)];
    return names.flatMap(({ object }, k) => (besides[k] ? [terms.forLive(L.or(body, L.eq(terms.bound, object)))] : []));
  }
}
