/**
 * Candidates about the node that a function returns: the number in it compares with another number, unless it is the
 * node that a parameter leads to. Insertion in order returns the first node that it was given, or a new one with the
 * number that is inserted.
 */
import * as L from '../../../logic/build';
import { compile, type Compiled } from '../../../logic/compile';
import type { Term } from '../../../logic/term';
import type { LinkVariables } from '../../../semantics/symbolic/memoryModel';
import type { Cutpoint } from '../../transitionSystem/cutpoint';
import type { TransitionSystem } from '../../transitionSystem/transitionSystem';
import type { Observable } from '../samples';
import type { Heap, Name } from './linkedHeap';
import { asNumber, ComparedNumber, isComparable, nodeMembers, numberAt, type NodeMember } from './nodeNumbers';

const limits = {
  /** Numbers in scope. */
  others: 6,
  /** Candidates of one exit. */
  candidates: 16,
} as const;

interface Compared {
  readonly member: NodeMember;
  readonly other: Observable;
  readonly reader: Compiled;
  /** Comparisons of the other number with that in the returned node, by the name that led to another node. */
  readonly unless: ReadonlyMap<number, ComparedNumber>;
}

export class ReturnedNodes {
  /** Position of the name that is the result. */
  private readonly result: number;
  private readonly compared: readonly Compared[];
  /** Positions of names that led to the returned node at times. */
  private readonly same = new Set<number>();

  /** `others`: numbers in scope. */
  constructor(
    point: Cutpoint,
    link: LinkVariables,
    private readonly names: readonly Name[],
    others: readonly Observable[],
    private readonly system: TransitionSystem,
  ) {
    const { fn } = point;
    const returned = system.vocabulary.pointersFor(fn).find(({ variable }) => variable === fn.resultVariable);
    this.result =
      point.kind === 'exit' && returned ? names.findIndex(({ object }) => object === returned.value.object) : -1;
    const beside = [...names.keys()].filter((i) => i !== this.result && !names[i]!.isObject && !names[i]!.isStatic);
    this.compared =
      this.result < 0 || beside.length === 0
        ? []
        : nodeMembers(link, system).flatMap((member) =>
            others
              .filter((other) => isComparable(other, member) && other.name !== system.program.liveBlocks?.name)
              .slice(0, limits.others)
              .map((other) => ({
                member,
                other,
                reader: compile(other.term),
                unless: new Map(beside.map((i) => [i, new ComparedNumber()])),
              })),
          );
  }

  /** A state seen. */
  record(heap: Heap): void {
    const node = heap.values[this.result];
    if (this.compared.length === 0 || node === undefined || !heap.isLive(node)) return;
    heap.values.forEach((value, i) => {
      if (value === node) this.same.add(i);
    });
    for (const { member, other, reader, unless } of this.compared) {
      const here = numberAt(heap, node, member);
      if (here === undefined) continue;
      const there = asNumber(reader(heap.value) as bigint, other);
      for (const [i, comparison] of unless) if (heap.values[i] !== node) comparison.see(there, here);
    }
  }

  candidates(): readonly Term[] {
    const { names, same, system } = this;
    const none = L.bits(0n, system.memoryModel.half);
    return this.compared
      .flatMap(({ member, other, unless }) =>
        [...unless].flatMap(([i, comparison]) => {
          if (!same.has(i)) return [];
          const { object } = names[this.result]!;
          const isSame = L.or(L.eq(object, none), L.eq(object, names[i]!.object));
          const here = L.select(member.values, object);
          return comparison.candidates(other.term, here, member).map((body) => L.or(isSame, body));
        }),
      )
      .slice(0, limits.candidates);
  }
}
