/**
 * Candidates about the numbers in the nodes of lists: bounds by the program's constants, and values, that all nodes
 * have or those that one variable reaches; that the number does not fall, or not rise, along the link; how the number
 * in the node that a variable names compares with that in another, and with other numbers in scope; and that the
 * numbers in all nodes of a list, or in those before another variable or up to it, differ from another number. Another
 * number may also bound those of all nodes, as the greatest or the next one does; and the one node that has no number
 * yet may be left out. Bounds of these other numbers are candidates as well, since they pass into nodes and out again.
 */
import * as L from '../../../logic/build';
import { compile, type Compiled } from '../../../logic/compile';
import { symbolsOf } from '../../../logic/symbols';
import type { Term } from '../../../logic/term';
import { pointerTo } from '../../../semantics/concrete/concreteValues';
import { isOnePlace, type Slot } from '../../../semantics/pointers/slotLayout';
import type { LinkVariables } from '../../../semantics/symbolic/memoryModel';
import type { Observable } from '../samples';
import type { TransitionSystem } from '../../transitionSystem/transitionSystem';
import type { Heap, Name } from './linkedHeap';

const limits = {
  /** Numbers of one node. */
  members: 4,
  /** Numbers in scope. */
  others: 6,
  /** Fewer have something in common by chance. */
  leastNumbers: 3,
  /** Candidates of one control point. */
  candidates: 60,
  /** Candidates about nodes before another variable, or about all of a list, and another number. */
  ofSegments: 24,
  /** The same about nodes up to another variable. */
  upTo: 24,
  /** Candidates about all nodes and another number, or about all but one that a variable names. */
  ofMost: 24,
} as const;

interface Typed {
  readonly signed: boolean;
  readonly widthBits: number;
}

/** A number in each node. */
export interface NodeMember extends Typed {
  readonly slot: Slot;
  /** By object number. */
  readonly values: Term;
}

/** Least and greatest of the numbers seen at one place. */
export class SeenNumbers {
  private low: bigint | undefined;
  private high: bigint | undefined;
  private count = 0;

  see(value: bigint): void {
    this.count++;
    if (this.low === undefined || value < this.low) this.low = value;
    if (this.high === undefined || value > this.high) this.high = value;
  }

  /**
   * The value, if there is one, and the nearest bounds among the constants, which ascend; `upTo`: so many upper bounds,
   * the nearest and the greatest ones.
   */
  candidates(term: Term, { signed, widthBits }: Typed, constants: readonly bigint[], upTo = 1): Term[] {
    const { low, high } = this;
    if (low === undefined || high === undefined || this.count < limits.leastNumbers) return [];
    const le = signed ? L.sle : L.ule;
    const literal = (value: bigint): Term => L.bits(BigInt.asUintN(widthBits, value), widthBits);
    const [least, most] = signed
      ? [-(1n << BigInt(widthBits - 1)), (1n << BigInt(widthBits - 1)) - 1n]
      : [0n, (1n << BigInt(widthBits)) - 1n];
    const below = constants.findLast((c) => c > least && c <= low);
    const [nearest, ...further] = constants.filter((c) => c < most && c >= high);
    const above = nearest === undefined ? [] : [nearest, ...further.slice(Math.max(0, further.length - upTo + 1))];
    return [
      ...(low === high ? [L.eq(term, literal(low))] : []),
      ...(below === undefined ? [] : [le(literal(below), term)]),
      ...above.map((bound) => le(term, literal(bound))),
    ];
  }
}

/** Outcomes of comparing two numbers so far. */
export class ComparedNumber {
  private isLess = false;
  private isGreater = false;
  private isEqual = false;
  private count = 0;

  see(a: bigint, b: bigint): void {
    this.count++;
    if (a < b) this.isLess = true;
    else if (a > b) this.isGreater = true;
    else this.isEqual = true;
  }

  candidates(a: Term, b: Term, { signed }: Typed): Term[] {
    if (this.count < limits.leastNumbers) return [];
    const [le, lt] = signed ? [L.sle, L.slt] : [L.ule, L.ult];
    return [
      ...(this.isGreater ? [] : [le(a, b), ...(this.isEqual ? [] : [lt(a, b)])]),
      ...(this.isLess ? [] : [le(b, a), ...(this.isEqual ? [] : [lt(b, a)])]),
    ];
  }
}

/**
 * Numbers in the nodes that one name reaches and the other does not, beside other numbers. `isThrough`: in those that
 * one name reaches and that reach the other, the last one among them, as nodes that a loop has let pass.
 */
interface Segment {
  readonly name: number;
  /** Undefined: all that the name reaches. */
  readonly end: number | undefined;
  readonly isThrough: boolean;
  /** So far the name has reached the end, unless one of the two was null. */
  isOnTheWay: boolean;
  /** Other numbers, by position, that differed from each so far. */
  readonly apart: Set<number>;
  /** Numbers in nodes so far. */
  count: number;
}

interface MemberNumbers {
  readonly member: NodeMember;
  readonly ofAll: SeenNumbers;
  readonly along: ComparedNumber;
  /** By other number: of all nodes. */
  readonly besideOthers: readonly ComparedNumber[];
  /** By name: of all nodes but the one that it leads to, which is the only one without a number. */
  readonly butOne: readonly { readonly range: SeenNumbers; isTheOne: boolean }[];
  /** Some node had no number yet. */
  hasUnwritten: boolean;
  /** By name: of all that it reaches. */
  readonly reached: readonly SeenNumbers[];
  readonly alongReached: readonly ComparedNumber[];
  /** By name, then by a later name. */
  readonly named: readonly (readonly ComparedNumber[])[];
  /** By name, then by other number. */
  readonly compared: readonly (readonly ComparedNumber[])[];
  readonly segments: readonly Segment[];
}

export class NodeNumbers {
  private readonly members: readonly MemberNumbers[];
  private readonly others: readonly (Observable & { readonly reader: Compiled; readonly range: SeenNumbers })[];
  /** Pairs of other numbers that were equal so far, as an argument and the parameter that it is passed as. */
  private equal: readonly (readonly [number, number])[];

  private states = 0;

  /** `others`: numbers in scope. `constants` ascend. */
  constructor(
    private readonly link: LinkVariables,
    private readonly names: readonly Name[],
    others: readonly Observable[],
    private readonly constants: readonly bigint[],
    private readonly system: TransitionSystem,
  ) {
    this.others = others
      .filter(({ name }) => name !== system.program.liveBlocks?.name)
      .slice(0, limits.others)
      .map((other) => ({ ...other, reader: compile(other.term), range: new SeenNumbers() }));
    this.equal = this.others.flatMap((a, i) =>
      this.others.flatMap((b, j) => (i < j && isComparable(a, b) ? [[i, j] as const] : [])),
    );
    const comparableTo = (member: NodeMember): number[] =>
      [...this.others.keys()].filter((j) => isComparable(this.others[j]!, member));
    this.members = nodeMembers(link, system).map((member) => ({
      member,
      ofAll: new SeenNumbers(),
      along: new ComparedNumber(),
      besideOthers: this.others.map(() => new ComparedNumber()),
      butOne: names.map(({ isObject }) => ({ range: new SeenNumbers(), isTheOne: !isObject })),
      hasUnwritten: false,
      reached: names.map(() => new SeenNumbers()),
      alongReached: names.map(() => new ComparedNumber()),
      named: names.map(() => names.map(() => new ComparedNumber())),
      compared: names.map(() => this.others.map(() => new ComparedNumber())),
      segments: names.flatMap((_, name) => {
        const segment = (end: number | undefined, isThrough: boolean): Segment => {
          return { name, end, isThrough, isOnTheWay: true, apart: new Set(comparableTo(member)), count: 0 };
        };
        const ends = [...names.keys()].filter((end) => end !== name);
        const last = ends.filter((end) => !names[end]!.isObject);
        return [...[undefined, ...ends].map((end) => segment(end, false)), ...last.map((end) => segment(end, true))];
      }),
    }));
  }

  /** A state seen. */
  record(heap: Heap): void {
    if (this.members.length === 0) return;
    const others = this.others.map(({ reader, signed, widthBits, range }) => {
      const value = asNumber(reader(heap.value) as bigint, { signed, widthBits });
      range.see(value);
      return value;
    });
    this.equal = this.equal.filter(([i, j]) => others[i] === others[j]);
    this.states++;
    for (const numbers of this.members) {
      const { member, ofAll, along, reached, alongReached, named, compared, segments } = numbers;
      const known = new Map<number, bigint | undefined>();
      const at = (object: number): bigint | undefined => {
        if (!known.has(object)) known.set(object, numberAt(heap, object, member));
        return known.get(object);
      };
      const see = (object: number, range: SeenNumbers, inOrder: ComparedNumber): void => {
        const value = at(object);
        if (value === undefined) return;
        range.see(value);
        const next = heap.chains.successor(object);
        const following = next === 0 ? undefined : at(next);
        if (following !== undefined) inOrder.see(value, following);
      };
      for (const object of heap.live) {
        see(object, ofAll, along);
        this.recordBeside(heap, numbers, object, at(object), others);
      }
      const own = this.names.map(({ isObject }, i) =>
        isObject || !heap.isLive(heap.values[i]!) ? undefined : at(heap.values[i]!),
      );
      this.names.forEach(({ isObject }, i) => {
        for (const object of heap.reached[i]!)
          if (!isObject || object !== heap.values[i]) see(object, reached[i]!, alongReached[i]!);
        const here = own[i];
        if (here === undefined) return;
        own.forEach((there, j) => {
          if (i < j && there !== undefined) named[i]![j]!.see(here, there);
        });
        this.others.forEach((other, j) => {
          if (isComparable(other, member)) compared[i]![j]!.see(here, others[j]!);
        });
      });
      for (const segment of segments) this.recordSegment(heap, segment, at, others);
    }
  }

  private recordBeside(
    { values }: Heap,
    numbers: MemberNumbers,
    object: number,
    value: bigint | undefined,
    others: readonly bigint[],
  ): void {
    const { member, butOne, besideOthers } = numbers;
    if (value === undefined) numbers.hasUnwritten = true;
    butOne.forEach((one, i) => {
      if (values[i] === object) return;
      if (value === undefined) one.isTheOne = false;
      else one.range.see(value);
    });
    if (value === undefined) return;
    this.others.forEach((other, j) => {
      if (isComparable(other, member)) besideOthers[j]!.see(value, others[j]!);
    });
  }

  private recordSegment(
    { values, reached }: Heap,
    segment: Segment,
    at: (object: number) => bigint | undefined,
    others: readonly bigint[],
  ): void {
    const { name, end, isThrough, apart } = segment;
    const first = values[name]!;
    if (first === 0 || !segment.isOnTheWay || apart.size === 0) return;
    const last = end === undefined ? 0 : values[end]!;
    if (last === 0 && isThrough) return;
    if (last !== 0 && !reached[name]!.has(last)) {
      segment.isOnTheWay = false;
      return;
    }
    for (const object of reached[name]!) {
      const isBeyond = last !== 0 && reached[end!]!.has(object) && !(isThrough && object === last);
      const value = isBeyond || (this.names[name]!.isObject && object === first) ? undefined : at(object);
      if (value === undefined) continue;
      segment.count++;
      for (const j of apart) if (value === others[j]) apart.delete(j);
    }
  }

  candidates(): Term[] {
    const { memoryModel, vocabulary } = this.system;
    const { link, names, others, constants } = this;
    const bound = L.symbol('?object', memoryModel.halfSort);
    const half = (value: number | bigint): Term => L.bits(BigInt(value), memoryModel.half);
    const symbol = (memory: { readonly index: number }): Term =>
      vocabulary.symbolOf(memoryModel.variables[memory.index]!);
    const ofLive = (body: Term): Term =>
      L.forall(
        [bound],
        L.or(
          L.not(L.ult(half(memoryModel.lastStatic), bound)),
          L.not(L.ult(bound, symbol(memoryModel.allocationCounter))),
          L.not(L.select(symbol(memoryModel.live), bound)),
          L.not(
            L.eq(L.select(symbol(memoryModel.allocationSite), bound), half(memoryModel.allocationSiteOf(link.node))),
          ),
          body,
        ),
      );
    const found = new Set<Term>();
    const ofReached = (name: Name, body: Term): Term =>
      L.forall(
        [bound],
        L.or(
          L.eq(name.object, half(0)),
          L.not(L.related(symbol(link.reach), name.object, bound)),
          ...(name.isObject ? [L.eq(bound, name.object)] : []),
          body,
        ),
      );
    for (const { member, ofAll, along, reached, alongReached, named, compared } of this.members) {
      const [here, next] = [L.select(member.values, bound), L.select(symbol(link.objects), bound)];
      const inOrder = (comparison: ComparedNumber): Term[] =>
        comparison
          .candidates(here, L.select(member.values, next), member)
          .map((body) => L.or(L.eq(next, half(0)), body));
      if (!link.ofClients)
        for (const body of [...ofAll.candidates(here, member, constants), ...inOrder(along)]) found.add(ofLive(body));
      names.forEach((name, i) => {
        // Also what all have in common: a node that is being made is not on a list yet.
        for (const body of [...reached[i]!.candidates(here, member, constants), ...inOrder(alongReached[i]!)])
          found.add(ofReached(name, body));
        const isNull = L.eq(name.object, half(0));
        const own = L.select(member.values, name.object);
        names.forEach((other, j) => {
          const there = L.select(member.values, other.object);
          for (const body of named[i]![j]!.candidates(own, there, member))
            found.add(L.or(isNull, L.eq(other.object, half(0)), body));
        });
        others.forEach((other, j) => {
          for (const body of compared[i]![j]!.candidates(own, other.term, member)) found.add(L.or(isNull, body));
        });
      });
    }
    if (this.members.length > 0) {
      for (const { term, range, ...type } of others)
        for (const body of range.candidates(term, type, constants)) found.add(body);
      if (this.states >= limits.leastNumbers)
        for (const [i, j] of this.equal) found.add(L.eq(others[i]!.term, others[j]!.term));
    }
    const ofMost = new Set<Term>();
    for (const { member, butOne, besideOthers, hasUnwritten } of link.ofClients ? [] : this.members) {
      const here = L.select(member.values, bound);
      others.forEach((other, j) => {
        for (const body of besideOthers[j]!.candidates(here, other.term, member)) ofMost.add(ofLive(body));
      });
      if (!hasUnwritten) continue;
      names.forEach(({ object }, i) => {
        const { range, isTheOne } = butOne[i]!;
        for (const body of isTheOne ? range.candidates(here, member, constants) : [])
          ofMost.add(ofLive(L.or(body, L.eq(bound, object))));
      });
    }
    const [ofSegments, upTo] = [new Set<Term>(), new Set<Term>()];
    const reaches = (from: Term, to: Term): Term => L.related(symbol(link.reach), from, to);
    for (const { member, segments } of this.members) {
      const here = L.select(member.values, bound);
      for (const { name, end, isThrough, isOnTheWay, apart, count } of segments) {
        if (!isOnTheWay || count < limits.leastNumbers) continue;
        const last = end === undefined ? undefined : names[end]!.object;
        const isNull = last ? L.eq(last, half(0)) : L.FALSE;
        const isBeyond = !last
          ? L.FALSE
          : isThrough
            ? L.or(isNull, L.not(reaches(bound, last)))
            : L.and(L.not(isNull), reaches(last, bound));
        for (const j of apart)
          (isThrough ? upTo : ofSegments).add(
            ofReached(names[name]!, L.or(isBeyond, L.not(L.eq(here, others[j]!.term)))),
          );
      }
    }
    return [
      ...[...found].filter((term) => term.kind !== 'boolean').slice(0, limits.candidates),
      ...[...ofMost].slice(0, limits.ofMost),
      ...[...ofSegments].slice(0, limits.ofSegments),
      ...[...upTo].slice(0, limits.upTo),
    ];
  }
}

export const isComparable = (a: Typed, b: Typed): boolean => a.widthBits === b.widthBits && a.signed === b.signed;

export function nodeMembers(
  { node }: LinkVariables,
  { memoryModel, vocabulary }: TransitionSystem,
): readonly NodeMember[] {
  const layout = memoryModel.regions.layout(node);
  if (layout.kind !== 'slots') return [];
  return layout.slots
    .flatMap((slot): NodeMember[] => {
      if (slot.type.kind !== 'integer' || slot.type.widthBits > 64 || !isOnePlace(layout, slot)) return [];
      const memory = memoryModel.slot(node, slot, 'value');
      if (memory?.role.kind !== 'slot' || memory.role.addressing !== 'by-object') return [];
      const { signed, widthBits } = slot.type;
      return [{ slot, values: vocabulary.symbolOf(memory), signed, widthBits }];
    })
    .slice(0, limits.members);
}

/** True if the term reads a number in a node of a list. */
export function readsNodeNumber(term: Term, system: TransitionSystem): boolean {
  const numbers = new Set<Term>(
    system.memoryModel.links.flatMap((link) => nodeMembers(link, system).map(({ values }) => values)),
  );
  return numbers.size > 0 && [...symbolsOf(term)].some((symbol) => numbers.has(symbol));
}

/** Undefined where nothing was written. */
export function numberAt({ memory }: Heap, object: number, { slot, ...type }: NodeMember): bigint | undefined {
  const place = pointerTo(object, slot.offset);
  if (memory.isInitialised(place, slot.bytes) !== 1) return undefined;
  return asNumber(BigInt(memory.load(place, slot.type)), type);
}

export const asNumber = (value: bigint, { signed, widthBits }: Typed): bigint =>
  signed ? BigInt.asIntN(widthBits, value) : BigInt.asUintN(widthBits, value);
