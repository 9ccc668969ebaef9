/**
 * Clauses over reachability that are tried at a control point. Guessed are, with x, y and z variables that lead to
 * objects of the link's region: that no write has closed a cycle; that x is null, or y is null where x is, or is z
 * there; that x is null or lives; that x reaches y, or does not; where the links of x lead; that what x reaches lives;
 * that x and y reach nothing in common; and that every live object of the region is reached from one of at most three
 * variables, or is the one that a variable names. Every such covering is tried that no heap contradicts, not the
 * smallest alone: those are often wrong where the lists seen were short.
 */
import * as L from '../../../logic/build';
import { compile } from '../../../logic/compile';
import type { Term } from '../../../logic/term';
import { pointerTo } from '../../../semantics/concrete/concreteValues';
import { naturalLoops } from '../../../program/automata/loops';
import type { Expression } from '../../../program/expression';
import { isList } from '../../../semantics/symbolic/lists';
import type { LinkVariables } from '../../../semantics/symbolic/memoryModel';
import type { Cutpoint } from '../../transitionSystem/cutpoint';
import type { Relevance } from '../../transitionSystem/relevance';
import type { TransitionSystem } from '../../transitionSystem/transitionSystem';
import { allocatedSizes } from '../allocatedSizes';
import { headArrays } from './headArrays';
import type { Heap, Name, Template } from './linkedHeap';
import { LinkTerms, type PointerTerms } from './linkTerms';
import { nodeFunctions } from './nodeFunctions';
import { blockMembers, blockNames, ownedBlocks } from './ownedBlocks';

const limits = {
  /** Variables that cover all objects together. */
  coveringVariables: 3,
} as const;

/** All sets of at most `most` of the numbers below `count`, the smaller ones first. */
function subsets(count: number, most: number): readonly (readonly number[])[] {
  let last: readonly (readonly number[])[] = [[]];
  const all: (readonly number[])[] = [[]];
  for (let size = 1; size <= most; size++) {
    last = last.flatMap((set) =>
      Array.from({ length: count }, (_, i) => i)
        .filter((i) => i > (set.at(-1) ?? -1))
        .map((i) => [...set, i]),
    );
    all.push(...last);
  }
  return all;
}

export function templatesOf(
  point: Cutpoint,
  link: LinkVariables,
  names: readonly Name[],
  system: TransitionSystem,
  relevance: Relevance,
): Template[] {
  return new ReachabilityTemplates(point, link, names, system, relevance).all();
}

/** The link of an object is null, or leads to an object that is no variable. */
const leadsOnOrEnds = ({ chains }: Heap, object: number): boolean => {
  const target = chains.pointerAt(object);
  return chains.isProper(object) && (target === 'null' || !chains.isMember(target!));
};

/** Objects of two pointer variables that a loop compares with each other, in both orders. */
function comparedPointers(
  { kind, fn, location }: Cutpoint,
  { vocabulary }: TransitionSystem,
): readonly (readonly [Term, Term])[] {
  const body = kind === 'loop' ? naturalLoops(fn).get(location)?.body : undefined;
  const values = new Map(vocabulary.pointersFor(fn).map(({ variable, value }) => [variable, value.object]));
  const objectOf = (e: Expression): Term | undefined =>
    e.kind === 'convert' ? objectOf(e.operand) : e.kind === 'read' ? values.get(e.variable) : undefined;
  return fn.edges.flatMap(({ from, command }) => {
    if (!body?.has(from) || command.kind !== 'assume' || command.condition.kind !== 'compare') return [];
    const [left, right] = [objectOf(command.condition.left), objectOf(command.condition.right)];
    return left && right ? [[left, right] as const, [right, left] as const] : [];
  });
}

class ReachabilityTemplates {
  private readonly terms: LinkTerms;
  private readonly found: Template[] = [];
  /** Links of the region, this one among them. */
  private readonly links: readonly LinkVariables[];

  constructor(
    private readonly point: Cutpoint,
    private readonly link: LinkVariables,
    private readonly names: readonly Name[],
    private readonly system: TransitionSystem,
    private readonly relevance: Relevance,
  ) {
    this.terms = new LinkTerms(link, names, system);
    this.links = system.memoryModel.links.filter(({ node }) => node === link.node);
  }

  all(): Template[] {
    this.add(this.terms.symbol(this.link.acyclic), ({ chains }) => chains.isAcyclic(), 'always');
    if (this.link.ofClients) this.clientLists();
    else this.properLinks();
    this.allocated();
    this.writtenSlots();
    this.callableSlots();
    this.properLinksBeside();
    this.linksWithoutEnd();
    this.inverseLinks();
    this.owners();
    this.names.forEach((x, i) => this.ofName(x, i));
    this.searches();
    if (!this.link.ofClients) this.coverings();
    this.blocks();
    this.found.push(...headArrays(this.point, this.terms, this.names, this.system));
    return this.found;
  }

  /** Blocks that nodes own. */
  private blocks(): void {
    const { link, names, terms, system } = this;
    const members = link.ofClients ? [] : blockMembers(link, system);
    const variables = blockNames(this.point, members, system, this.relevance);
    this.found.push(...ownedBlocks(members, variables, names, terms, system));
  }

  private add(term: Term, holds: (heap: Heap) => boolean, tried: Template['tried'] = 'if-seen'): void {
    this.found.push({ term, holds, tried, refuted: false });
  }

  /** Clients' objects have in common only what is known of their lists. */
  private addForLive(body: Term, holds: (heap: Heap, object: number) => boolean): void {
    if (this.link.ofClients) return;
    this.add(this.terms.forLive(body), (heap) => heap.live.every((object) => holds(heap, object)), 'always');
  }

  /** For all live objects but the one that `z`, the name number `k`, leads to. */
  private addBeside(body: Term, z: Name, k: number, holds: (heap: Heap, object: number) => boolean): void {
    this.addForLive(
      L.or(body, L.eq(this.terms.bound, z.object)),
      (heap, object) => heap.values[k] === object || holds(heap, object),
    );
  }

  /** A client's pointer is null or leads to a list. */
  private clientLists(): void {
    const { link, names, system } = this;
    const { memoryModel, vocabulary } = system;
    const contents = memoryModel.variables.map((variable) => vocabulary.symbolOf(variable));
    names.forEach((x, i) => {
      if (x.pointeeBytes === undefined || x.at !== link.offset) return;
      const nodeBytes = link.offset + x.pointeeBytes;
      const leadsToList = isList({ link, nodeBytes, contents, memoryModel }, x);
      this.add(
        leadsToList,
        ({ isNull, chains, values }) => isNull[i]! || chains.isList(values[i]!, nodeBytes),
        'always',
      );
    });
  }

  private properLinks(): void {
    const { terms } = this;
    this.addForLive(terms.hasProperLink(terms.bound), ({ chains }, object) => chains.isProper(object));
    if (terms.members.length > 0) this.addForLive(terms.hasLinkOrEnds(terms.bound), leadsOnOrEnds);
  }

  /** Properties of all allocated objects, on which accesses through links rest. */
  private allocated(): void {
    const { terms, system } = this;
    const { memoryModel } = system;
    this.addForLive(
      L.select(terms.symbol(memoryModel.heap), terms.bound),
      ({ memory }, object) => memory.isHeap(pointerTo(object)) === 1,
    );
    for (const bytes of allocatedSizes(system))
      this.addForLive(
        L.eq(L.select(terms.symbol(memoryModel.size), terms.bound), terms.half(bytes)),
        ({ memory }, object) => BigInt(memory.objectSize(pointerTo(object))) === bytes,
      );
  }

  /** A slot is written in all objects, or in all but one that a variable names. */
  private writtenSlots(): void {
    const { terms, names, link, system } = this;
    const { memoryModel, vocabulary } = system;
    for (const variable of memoryModel.slotVariables(link.node)) {
      const { role } = variable;
      if (role.kind !== 'written' || role.addressing !== 'by-object' || role.slot === 'byte') continue;
      const { slot } = role;
      const isWritten = ({ memory }: Heap, object: number): boolean =>
        memory.isInitialised(pointerTo(object, slot.offset), slot.bytes) === 1;
      const written = L.select(vocabulary.symbolOf(variable), terms.bound);
      this.addForLive(written, isWritten);
      names.forEach((z, k) => {
        if (!z.isObject) this.addBeside(written, z, k, isWritten);
      });
    }
  }

  private callableSlots(): void {
    const { bound } = this.terms;
    for (const { isCallable, isNull, kindAt } of nodeFunctions(this.link, this.system)) {
      this.addForLive(isCallable(bound), (heap, object) => kindAt(heap, object) === 'callable');
      this.addForLive(L.or(isNull(bound), isCallable(bound)), (heap, object) => kindAt(heap, object) !== undefined);
    }
  }

  /** The allocated objects that lists begin in live, are as large as some allocation, and no others do. */
  private owners(): void {
    const { terms, names, system } = this;
    const { heap, size } = system.memoryModel;
    const owners = new Map(names.flatMap(({ owner }) => (owner ? [[owner.object, owner] as const] : [])));
    for (const node of new Set([...owners.values()].map((owner) => owner.node)))
      this.add(
        terms.areOwners(
          [...owners.values()].filter((owner) => owner.node === node),
          node,
        ),
        () => true,
        'always',
      );
    const found = new Set(
      [...owners.values()].flatMap((owner) => {
        const at = (memory: { readonly index: number }): Term => L.select(terms.symbol(memory), owner.object);
        const isNull = terms.isNull(owner);
        return [
          terms.isNullOrOwner(owner),
          L.or(isNull, at(heap)),
          ...allocatedSizes(system).map((bytes) => L.or(isNull, L.eq(at(size), terms.half(bytes)))),
          ...(this.point.kind === 'loop' ? [L.not(isNull)] : []),
        ];
      }),
    );
    for (const term of found) {
      const reader = compile(term);
      this.add(term, ({ value }) => reader(value) === true);
    }
  }

  /** The links of objects that are variables, and of all others but one that a variable names. */
  private properLinksBeside(): void {
    const { terms, names } = this;
    const { bound } = terms;
    names.forEach((z, k) => {
      if (z.isObject) {
        if (!z.isStatic) this.add(terms.isMadeByNone(z.object), () => true, 'always');
        this.add(terms.hasProperLink(z.object), ({ values, chains }) => chains.isProper(values[k]!));
        this.add(terms.hasLinkOrEnds(z.object), (heap) => leadsOnOrEnds(heap, heap.values[k]!));
      } else if (!this.link.ofClients)
        this.add(terms.forLive(L.or(terms.hasProperLink(bound), L.eq(bound, z.object))), ({ live, chains, values }) =>
          live.every((object) => object === values[k] || chains.isProper(object)),
        );
    });
  }

  /** Links that are null nowhere, as those of rings, or only in the object that a variable names. */
  private linksWithoutEnd(): void {
    const { terms, names, links } = this;
    for (const one of links) {
      const isLinked = L.not(terms.isNull(terms.linkAt(terms.bound, one)));
      const leadsOn = (heap: Heap, object: number): boolean => !heap.along(one).isNullAt(object);
      if (links.length > 1 || terms.members.length > 0) this.addForLive(isLinked, leadsOn);
      names.forEach((z, k) => {
        if (z.isObject)
          this.add(L.not(terms.isNull(terms.linkAt(z.object, one))), (heap) => leadsOn(heap, heap.values[k]!));
        else if (links.length > 1) this.addBeside(isLinked, z, k, leadsOn);
      });
    }
  }

  /** Links of two kinds are each other's inverse, and lead to live objects. */
  private inverseLinks(): void {
    const { terms, names, link, links } = this;
    const others = links.filter((other) => other !== link);
    for (const [there, back] of others.flatMap((other) => [[link, other] as const, [other, link] as const])) {
      const isInverseAt = (object: Term): Term => {
        const target = terms.linkAt(object, there);
        const returned = terms.linkAt(target.object, back);
        const isLive = L.and(
          ...terms.isAllocated(target.object),
          terms.isLive(target.object),
          terms.isOfRegion(target.object),
        );
        return L.or(
          terms.isNull(target),
          L.and(
            L.or(isLive, terms.isMember(target.object)),
            L.eq(target.offset, terms.half(there.offset)),
            L.eq(returned.object, object),
            L.eq(returned.offset, terms.half(back.offset)),
          ),
        );
      };
      const leadsBack = (heap: Heap, object: number): boolean => {
        const reached = heap.along(there).pointerAt(object);
        return (
          reached === 'null' ||
          (reached !== undefined &&
            (heap.isLive(reached) || heap.chains.isMember(reached)) &&
            heap.along(back).holds(reached, object))
        );
      };
      this.addForLive(isInverseAt(terms.bound), leadsBack);
      names.forEach((z, k) => {
        if (z.isObject) this.add(isInverseAt(z.object), (heap) => leadsBack(heap, heap.values[k]!), 'always');
        else this.addBeside(isInverseAt(terms.bound), z, k, leadsBack);
      });
    }
  }

  /**
   * The other link of the first node leads to the last one, as `prev` does in lists that are appended to without a
   * pointer to their end.
   */
  private lastBehindFirst(x: Name, i: number): void {
    const { terms, link, links } = this;
    if (x.isObject || x.at !== link.offset || link.ofClients) return;
    for (const back of links) {
      if (back === link) continue;
      const last = terms.linkAt(x.object, back);
      const lastIn = (heap: Heap): number | 'null' | undefined => heap.along(back).pointerAt(heap.values[i]!);
      const add = (term: Term, holds: (heap: Heap, last: number) => boolean): void => {
        this.add(L.or(terms.isZero(x), term), (heap) => {
          const found = heap.values[i] === 0 ? 0 : lastIn(heap);
          return found === 0 || (typeof found === 'number' && holds(heap, found));
        });
      };
      add(
        L.and(
          ...terms.isAllocated(last.object),
          terms.isLive(last.object),
          terms.isOfRegion(last.object),
          L.eq(last.offset, terms.half(back.offset)),
        ),
        (heap, object) => heap.isLive(object),
      );
      add(terms.reaches(x, last.object), (heap, object) => heap.reached[i]!.has(object));
      add(terms.isNull(terms.linkAt(last.object)), ({ chains }, object) => chains.isNullAt(object));
    }
  }

  /** Clauses over the name `x`, number `i`, by itself and with each other one. */
  private ofName(x: Name, i: number): void {
    const { terms } = this;
    if (x.flag) this.ofFlag(x, x.flag, i);
    this.lastBehindFirst(x, i);
    if (!x.isObject) this.ofPointer(x, i);
    const first = terms.linkAt(x.object);
    if (x.isStatic || this.point.kind !== 'entry')
      this.add(
        L.or(terms.isZero(x), terms.isNull(first)),
        ({ values, chains }) => values[i] === 0 || chains.isNullAt(values[i]!),
      );
    // Loops that look one node ahead.
    if (this.point.kind === 'loop' && !x.isObject)
      this.add(
        L.or(terms.isZero(x), L.not(terms.isNull(first))),
        ({ values, chains }) => values[i] === 0 || !chains.isNullAt(values[i]!),
      );
    // The link of a new object at the end may not be written yet.
    if (this.link.linked && !this.link.ofClients)
      this.add(
        terms.forReached(x, () => [L.eq(terms.bound, x.object)]),
        ({ values, reached }) => values[i] === 0 || reached[i]!.size === 1,
      );
    this.names.forEach((y, j) => {
      if (i !== j) this.ofPair({ x, i, first }, y, j);
    });
    this.properFrom(x, i);
    this.add(
      terms.forReached(x, () => [terms.isLive(terms.bound), ...(x.isObject ? [L.eq(terms.bound, x.object)] : [])]),
      ({ values, reached, isLive }) =>
        values[i] === 0 || [...reached[i]!].every((object) => isLive(object) || (x.isObject && object === values[i])),
      'always',
    );
    if (this.point.kind === 'loop' && !x.isObject && !x.isStatic) {
      if (terms.members.length > 0) this.ofRingWalker(x, i);
      this.ofOpenEnd(x, i);
    }
  }

  /**
   * A walker along a ring that frees its nodes: the object that is a variable leads to freed ones until the walk is
   * over. So what the walker reaches lives, and is all that lives, as long as it does not lead to that object.
   */
  private ofRingWalker(x: Name, i: number): void {
    const { terms } = this;
    const isAtEnd = terms.isMember(x.object);
    const endsAt = ({ chains, values }: Heap): boolean => chains.isMember(values[i]!);
    this.add(
      terms.forReached(x, () => [terms.isLive(terms.bound), isAtEnd]),
      (heap) => heap.values[i] === 0 || endsAt(heap) || [...heap.reached[i]!].every((object) => heap.isLive(object)),
      'always',
    );
    this.addForLive(
      L.and(terms.reaches(x, terms.bound), L.not(isAtEnd)),
      (heap, object) => heap.reached[i]!.has(object) && !endsAt(heap),
    );
  }

  /** The end of a list that others are joined to still leads on to what follows in one of them. */
  private ofOpenEnd(x: Name, i: number): void {
    const { terms, names } = this;
    const next = terms.linkAt(x.object);
    const leadsTo = ({ object, offset }: Name): Term => L.and(L.eq(next.object, object), L.eq(next.offset, offset));
    names.forEach((y, j) =>
      names.forEach((z, k) => {
        if (k >= j || i === j || i === k || y.isObject || z.isObject) return;
        this.add(L.or(terms.isZero(x), terms.isNull(next), leadsTo(y), leadsTo(z)), ({ values, chains }) =>
          [0, values[j]!, values[k]!].some((target) => values[i] === 0 || chains.holds(values[i]!, target)),
        );
      }),
    );
  }

  /** The links of all that is reached, where those of new objects are not written yet. */
  private properFrom(x: Name, i: number): void {
    const { terms, link } = this;
    if (link.ofClients) return;
    this.add(
      terms.forReached(x, () => [terms.hasProperLink(terms.bound)]),
      ({ values, reached, chains }) => values[i] === 0 || [...reached[i]!].every((object) => chains.isProper(object)),
    );
  }

  /**
   * A loop looks for the node that one variable leads to, and has not passed it: if a list has it, the rest of the list
   * does.
   */
  private searches(): void {
    const { terms, names } = this;
    for (const [walker, sought] of comparedPointers(this.point, this.system)) {
      const [i, k] = [walker, sought].map((object) => names.findIndex((name) => name.object === object)) as [
        number,
        number,
      ];
      if (i < 0 || k < 0) continue;
      const [x, z] = [names[i]!, names[k]!];
      names.forEach((y, j) => {
        if (j === i || j === k) return;
        this.add(
          L.or(
            terms.isZero(z),
            terms.isZero(y),
            L.not(terms.reaches(y, z.object)),
            L.and(terms.notZero(x), terms.reaches(x, z.object)),
          ),
          ({ values, reached }) =>
            values[k] === 0 ||
            values[j] === 0 ||
            !reached[j]!.has(values[k]!) ||
            (values[i] !== 0 && reached[i]!.has(values[k]!)),
        );
      });
    }
  }

  /** A flag that says whether the pointer is null. */
  private ofFlag(x: Name, flag: Term, i: number): void {
    const [isSet, isNull] = [L.not(L.eq(flag, L.bits(0n, L.widthOf(flag)))), this.terms.isNull(x)];
    const reader = compile(isSet);
    this.add(L.or(isSet, L.not(isNull)), (heap) => reader(heap.value) === true || !heap.isNull[i]!, 'always');
    this.add(L.or(L.not(isSet), isNull), (heap) => reader(heap.value) !== true || heap.isNull[i]!, 'always');
  }

  private ofPointer(x: Name, i: number): void {
    const { terms } = this;
    this.add(terms.isNull(x), ({ isNull }) => isNull[i]!);
    this.add(terms.notZero(x), ({ values }) => values[i] !== 0);
    this.add(
      L.or(terms.isNull(x), terms.leadsThere(x)),
      ({ isNull, leadsThere, isLive, values }) => isNull[i]! || (leadsThere[i]! && isLive(values[i]!)),
      'always',
    );
    if (terms.members.length === 0) return;
    this.add(
      L.or(terms.isNull(x), terms.leadsThere(x), L.and(L.eq(x.offset, terms.half(x.at)), terms.isMember(x.object))),
      ({ isNull, leadsThere, isLive, values, chains }) =>
        isNull[i]! || (leadsThere[i]! && (isLive(values[i]!) || chains.isMember(values[i]!))),
      'always',
    );
  }

  private ofPair(
    { x, i, first }: { readonly x: Name; readonly i: number; readonly first: PointerTerms },
    y: Name,
    j: number,
  ): void {
    const { terms } = this;
    const { bound } = terms;
    if (!x.isObject && !y.isObject) this.ofTwoPointers([x, i], [y, j]);
    // One of several rings, each with a head.
    if (y.isObject && terms.members.length > 1)
      this.add(
        terms.forReached(x, () => [L.not(L.eq(terms.linkAt(bound).object, y.object))]),
        ({ values, reached, chains }) =>
          values[i] === 0 || [...reached[i]!].every((object) => chains.pointerAt(object) !== values[j]),
      );
    const isReached = (heap: Heap): boolean => heap.reached[i]!.has(heap.values[j]!);
    this.add(
      L.or(terms.isZero(x), terms.isZero(y), terms.reaches(x, y.object)),
      (heap) => heap.values[i] === 0 || heap.values[j] === 0 || isReached(heap),
    );
    this.add(
      L.or(terms.isZero(x), terms.isZero(y), L.not(terms.reaches(x, y.object))),
      (heap) => heap.values[i] === 0 || heap.values[j] === 0 || !isReached(heap),
    );
    this.add(
      L.or(terms.isZero(x), L.and(terms.notZero(y), terms.reaches(x, y.object))),
      (heap) => heap.values[i] === 0 || (heap.values[j] !== 0 && isReached(heap)),
    );
    this.add(
      L.or(terms.isZero(x), L.and(L.eq(first.object, y.object), L.eq(first.offset, y.offset))),
      ({ values, chains }) => values[i] === 0 || chains.holds(values[i]!, values[j]!),
    );
    if (i < j)
      this.add(
        terms.forReached(x, () => [terms.isZero(y), L.not(terms.reaches(y, bound))]),
        ({ values, reached }) =>
          values[i] === 0 || values[j] === 0 || ![...reached[i]!].some((object) => reached[j]!.has(object)),
        'always',
      );
  }

  private ofTwoPointers([x, i]: readonly [Name, number], [y, j]: readonly [Name, number]): void {
    const { terms, names } = this;
    if (i < j && x.at === y.at)
      this.add(
        L.and(L.eq(x.object, y.object), L.eq(x.offset, y.offset)),
        ({ values, isNull }) => values[i] === values[j] && isNull[i] === isNull[j],
      );
    this.add(L.or(terms.notZero(x), terms.isNull(y)), ({ values, isNull }) => values[i] !== 0 || isNull[j]!);
    this.add(L.or(terms.notZero(x), terms.notZero(y)), ({ values }) => values[i] !== 0 || values[j] !== 0);
    names.forEach((z, k) => {
      if (k === i || k <= j || z.isObject) return;
      this.add(
        L.or(terms.notZero(x), L.eq(y.object, z.object)),
        ({ values }) => values[i] !== 0 || values[j] === values[k],
      );
    });
  }

  /** Every live object is reached from one of few names, or is the one that another name leads to. */
  private coverings(): void {
    const { terms, names } = this;
    const { bound } = terms;
    for (const set of subsets(names.length, limits.coveringVariables))
      for (let k = -1; k < names.length; k++) {
        if (set.includes(k) || (k >= 0 && names[k]!.isObject)) continue;
        this.add(
          terms.forLive(
            L.or(...set.map((i) => terms.reaches(names[i]!, bound)), ...(k < 0 ? [] : [L.eq(bound, names[k]!.object)])),
          ),
          (heap) =>
            heap.live.every(
              (object) => (k >= 0 && heap.values[k] === object) || set.some((i) => heap.reached[i]!.has(object)),
            ),
          k < 0 ? 'always' : 'if-seen',
        );
      }
  }
}
