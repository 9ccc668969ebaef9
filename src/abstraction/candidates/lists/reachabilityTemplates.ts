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
import { isList } from '../../../semantics/symbolic/lists';
import type { LinkVariables } from '../../../semantics/symbolic/memoryModel';
import type { Cutpoint } from '../../transitionSystem/cutpoint';
import type { TransitionSystem } from '../../transitionSystem/transitionSystem';
import type { Heap, Name, Template } from './linkedHeap';
import { nodeFunctions } from './nodeFunctions';

const limits = {
  /** Variables that cover all objects together. */
  coveringVariables: 3,
  /** Sizes of objects. */
  size: 4,
} as const;

/** Sizes in bytes that the program's allocations give by number. */
function allocatedSizes({ program }: TransitionSystem): readonly bigint[] {
  const found = program.functions.flatMap(({ edges }) =>
    edges.flatMap(({ command }) =>
      command.kind === 'allocate' && command.size.kind === 'integer' ? [command.size.value] : [],
    ),
  );
  return [...new Set(found)].slice(0, limits.size);
}

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
): Template[] {
  const { memoryModel, vocabulary } = system;
  const sizes = allocatedSizes(system);
  const found: Template[] = [];
  const half = (value: bigint | number): Term => L.bits(BigInt(value), memoryModel.half);
  const symbol = (memory: { readonly index: number }): Term =>
    vocabulary.symbolOf(memoryModel.variables[memory.index]!);
  const [relation, objects, offsets] = [symbol(link.reach), symbol(link.objects), symbol(link.offsets)];
  const [live, made, next] = [
    symbol(memoryModel.live),
    symbol(memoryModel.allocationSite),
    symbol(memoryModel.allocationCounter),
  ];
  const region = half(memoryModel.allocationSiteOf(link.node));
  const bound = L.symbol('?object', memoryModel.halfSort);
  const add = (term: Term, holds: (heap: Heap) => boolean, tried: Template['tried'] = 'if-seen'): void => {
    found.push({ term, holds, tried, refuted: false });
  };
  const nullAt = ({ object, offset }: { readonly object: Term; readonly offset: Term }): Term =>
    L.and(L.eq(object, half(0)), L.eq(offset, half(0)));
  const isMade = (object: Term): Term =>
    L.or(L.eq(L.select(made, object), region), link.linked ? L.eq(L.select(made, object), half(0)) : L.FALSE);
  const leadsThere = ({ object, offset, at }: Name): Term =>
    L.and(
      L.ult(half(memoryModel.lastStatic), object),
      L.ult(object, next),
      L.select(live, object),
      L.eq(offset, half(at)),
      isMade(object),
    );
  const isZero = ({ object }: Name): Term => L.eq(object, half(0));
  const notZero = (name: Name): Term => L.not(isZero(name));
  const reaches = (a: Name, b: Term): Term => L.related(relation, a.object, b);
  const ofLive = (body: Term): Term =>
    L.forall(
      [bound],
      L.or(
        L.not(L.ult(half(memoryModel.lastStatic), bound)),
        L.not(L.ult(bound, next)),
        L.not(L.select(live, bound)),
        L.not(L.eq(L.select(made, bound), region)),
        body,
      ),
    );

  // An object that is a variable has this tried out where the program starts, for all objects that there are.
  const ofReached = (x: Name, said: () => readonly Term[]): Term =>
    L.forall(
      [bound],
      L.or(isZero(x), ...(x.isObject ? [L.not(L.ult(bound, next))] : []), L.not(reaches(x, bound)), ...said()),
    );
  /** Objects that are variables and have the link, such as the heads of rings. */
  const members = [
    ...new Set([...link.statics.map(half), ...names.flatMap(({ isObject, object }) => (isObject ? [object] : []))]),
  ];
  const isMember = (object: Term): Term => L.or(...members.map((member) => L.eq(object, member)));
  /** A pointer in a link is null, or leads where links lead. */
  const isProper = (object: Term, offset: Term): Term =>
    L.or(
      nullAt({ object, offset }),
      L.and(
        L.eq(offset, half(link.offset)),
        L.or(L.and(L.ult(half(memoryModel.lastStatic), object), L.ult(object, next), isMade(object)), isMember(object)),
      ),
    );
  add(symbol(link.acyclic), ({ chains }) => chains.isAcyclic(), 'always');
  if (link.linked) {
    const contents = memoryModel.variables.map((variable) => vocabulary.symbolOf(variable));
    names.forEach((x, i) => {
      if (x.pointeeBytes === undefined || x.at !== link.offset) return;
      const nodeBytes = link.offset + x.pointeeBytes;
      const leadsToList = isList({ link, nodeBytes, contents, memoryModel }, x);
      add(leadsToList, ({ isNull, chains, values }) => isNull[i]! || chains.isList(values[i]!, nodeBytes), 'always');
    });
  }
  const boundLink = isProper(L.select(objects, bound), L.select(offsets, bound));
  // Clients' objects have in common only what is known of their lists.
  if (!link.linked)
    add(ofLive(boundLink), ({ live: all, chains }) => all.every((object) => chains.isProper(object)), 'always');
  // Facts that the allocator's objects share, on which accesses through links rest.
  const ofAll = (body: Term, holds: (heap: Heap, object: number) => boolean): void => {
    if (link.linked) return;
    add(ofLive(body), (heap) => heap.live.every((object) => holds(heap, object)), 'always');
  };
  ofAll(L.select(symbol(memoryModel.heap), bound), ({ memory }, object) => memory.isHeap(pointerTo(object)) === 1);
  for (const bytes of sizes)
    ofAll(
      L.eq(L.select(symbol(memoryModel.size), bound), half(bytes)),
      ({ memory }, object) => BigInt(memory.objectSize(pointerTo(object))) === bytes,
    );
  for (const variable of memoryModel.slotVariables(link.node)) {
    const { role } = variable;
    if (role.kind !== 'written' || role.addressing !== 'by-object' || role.slot === 'byte') continue;
    const { slot } = role;
    const isWritten = ({ memory }: Heap, object: number): boolean =>
      memory.isInitialised(pointerTo(object, slot.offset), slot.bytes) === 1;
    const written = L.select(vocabulary.symbolOf(variable), bound);
    ofAll(written, isWritten);
    names.forEach((z, k) => {
      if (!z.isObject)
        ofAll(
          L.or(written, L.eq(bound, z.object)),
          (heap, object) => heap.values[k] === object || isWritten(heap, object),
        );
    });
  }
  for (const { isCallable, isNull, kindAt } of nodeFunctions(link, system)) {
    ofAll(isCallable(bound), (heap, object) => kindAt(heap, object) === 'callable');
    ofAll(L.or(isNull(bound), isCallable(bound)), (heap, object) => kindAt(heap, object) !== undefined);
  }
  names.forEach((z, k) => {
    if (z.isObject)
      add(isProper(L.select(objects, z.object), L.select(offsets, z.object)), ({ values, chains }) =>
        chains.isProper(values[k]!),
      );
    else if (!link.linked)
      add(ofLive(L.or(boundLink, L.eq(bound, z.object))), ({ live: all, chains, values }) =>
        all.every((object) => object === values[k] || chains.isProper(object)),
      );
  });
  const linkAt = (one: LinkVariables, object: Term): { readonly object: Term; readonly offset: Term } => ({
    object: L.select(symbol(one.objects), object),
    offset: L.select(symbol(one.offsets), object),
  });
  const links = memoryModel.links.filter(({ node }) => node === link.node);
  // Links that are null nowhere, as those of rings, or only in the object that a variable names.
  for (const one of links) {
    const isLinked = L.not(nullAt(linkAt(one, bound)));
    const leadsOn = (heap: Heap, object: number): boolean => !heap.along(one).isNullAt(object);
    if (links.length > 1 || members.length > 0) ofAll(isLinked, leadsOn);
    names.forEach((z, k) => {
      if (z.isObject) add(L.not(nullAt(linkAt(one, z.object))), (heap) => leadsOn(heap, heap.values[k]!));
      else if (links.length > 1)
        ofAll(
          L.or(isLinked, L.eq(bound, z.object)),
          (heap, object) => heap.values[k] === object || leadsOn(heap, object),
        );
    });
  }
  // Links of two kinds are each other's inverse, and lead to live objects.
  const others = links.filter((other) => other !== link);
  for (const [there, back] of others.flatMap((other) => [[link, other] as const, [other, link] as const])) {
    const isInverseAt = (object: Term): Term => {
      const target = linkAt(there, object);
      const returned = linkAt(back, target.object);
      const isLive = L.and(
        L.ult(half(memoryModel.lastStatic), target.object),
        L.ult(target.object, next),
        L.select(live, target.object),
        L.eq(L.select(made, target.object), region),
      );
      return L.or(
        nullAt(target),
        L.and(
          L.or(isLive, isMember(target.object)),
          L.eq(target.offset, half(there.offset)),
          L.eq(returned.object, object),
          L.eq(returned.offset, half(back.offset)),
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
    ofAll(isInverseAt(bound), leadsBack);
    names.forEach((z, k) => {
      if (z.isObject) add(isInverseAt(z.object), (heap) => leadsBack(heap, heap.values[k]!), 'always');
      else
        ofAll(
          L.or(isInverseAt(bound), L.eq(bound, z.object)),
          (heap, object) => heap.values[k] === object || leadsBack(heap, object),
        );
    });
  }
  names.forEach((x, i) => {
    const { flag } = x;
    if (flag) {
      const [isSet, isNull] = [L.not(L.eq(flag, L.bits(0n, L.widthOf(flag)))), nullAt(x)];
      const reader = compile(isSet);
      add(L.or(isSet, L.not(isNull)), (heap) => reader(heap.value) === true || !heap.isNull[i]!, 'always');
      add(L.or(L.not(isSet), isNull), (heap) => reader(heap.value) !== true || heap.isNull[i]!, 'always');
    }
    if (!x.isObject) {
      add(nullAt(x), ({ isNull }) => isNull[i]!);
      add(notZero(x), ({ values }) => values[i] !== 0);
      add(
        L.or(nullAt(x), leadsThere(x)),
        ({ isNull, leadsThere: there, isLive, values }) => isNull[i]! || (there[i]! && isLive(values[i]!)),
        'always',
      );
      if (members.length > 0)
        add(
          L.or(nullAt(x), leadsThere(x), L.and(L.eq(x.offset, half(x.at)), isMember(x.object))),
          ({ isNull, leadsThere: there, isLive, values, chains }) =>
            isNull[i]! || (there[i]! && (isLive(values[i]!) || chains.isMember(values[i]!))),
          'always',
        );
    }
    const first = { object: L.select(objects, x.object), offset: L.select(offsets, x.object) };
    if (x.isStatic || point.kind !== 'entry')
      add(L.or(isZero(x), nullAt(first)), ({ values, chains }) => values[i] === 0 || chains.isNullAt(values[i]!));
    names.forEach((y, j) => {
      if (i === j) return;
      if (!x.isObject && !y.isObject) {
        if (i < j && x.at === y.at)
          add(
            L.and(L.eq(x.object, y.object), L.eq(x.offset, y.offset)),
            ({ values, isNull }) => values[i] === values[j] && isNull[i] === isNull[j],
          );
        add(L.or(notZero(x), nullAt(y)), ({ values, isNull }) => values[i] !== 0 || isNull[j]!);
        add(L.or(notZero(x), notZero(y)), ({ values }) => values[i] !== 0 || values[j] !== 0);
        names.forEach((z, k) => {
          if (k === i || k <= j || z.isObject) return;
          add(L.or(notZero(x), L.eq(y.object, z.object)), ({ values }) => values[i] !== 0 || values[j] === values[k]);
        });
      }
      const isReached = (heap: Heap): boolean => heap.reached[i]!.has(heap.values[j]!);
      add(
        L.or(isZero(x), isZero(y), reaches(x, y.object)),
        (heap) => heap.values[i] === 0 || heap.values[j] === 0 || isReached(heap),
      );
      add(
        L.or(isZero(x), isZero(y), L.not(reaches(x, y.object))),
        (heap) => heap.values[i] === 0 || heap.values[j] === 0 || !isReached(heap),
      );
      add(
        L.or(isZero(x), L.and(notZero(y), reaches(x, y.object))),
        (heap) => heap.values[i] === 0 || (heap.values[j] !== 0 && isReached(heap)),
      );
      add(
        L.or(isZero(x), L.and(L.eq(first.object, y.object), L.eq(first.offset, y.offset))),
        ({ values, chains }) => values[i] === 0 || chains.holds(values[i]!, values[j]!),
      );
      if (i < j)
        add(
          ofReached(x, () => [isZero(y), L.not(reaches(y, bound))]),
          ({ values, reached }) =>
            values[i] === 0 || values[j] === 0 || ![...reached[i]!].some((object) => reached[j]!.has(object)),
          'always',
        );
    });
    add(
      ofReached(x, () => [L.select(live, bound), ...(x.isObject ? [L.eq(bound, x.object)] : [])]),
      ({ values, reached, isLive }) =>
        values[i] === 0 || [...reached[i]!].every((object) => isLive(object) || (x.isObject && object === values[i])),
      'always',
    );
  });
  for (const set of link.linked ? [] : subsets(names.length, limits.coveringVariables))
    for (let k = -1; k < names.length; k++) {
      if (set.includes(k) || (k >= 0 && names[k]!.isObject)) continue;
      add(
        ofLive(L.or(...set.map((i) => reaches(names[i]!, bound)), ...(k < 0 ? [] : [L.eq(bound, names[k]!.object)]))),
        (heap) =>
          heap.live.every(
            (object) => (k >= 0 && heap.values[k] === object) || set.some((i) => heap.reached[i]!.has(object)),
          ),
        k < 0 ? 'always' : 'if-seen',
      );
    }
  return found;
}
