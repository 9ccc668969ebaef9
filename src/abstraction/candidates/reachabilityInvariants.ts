/**
 * Candidate invariants of lists: what variables reach along a link. Clauses over reachability suffice for the list
 * procedures of Yorsh, Ball, Sagiv (ISSTA 2006, figure 7), which merge nodes by such properties instead. A clause is
 * fitted to the heaps seen, and Houdini is the judge.
 *
 * Guessed are, with x, y and z variables that lead to objects of the link's region: that no write has closed a cycle;
 * that x is null, or y is null where x is, or is z there; that x is null or lives; that x reaches y, or does not; where
 * the links of x lead; that what x reaches lives; that x and y reach nothing in common; and that every live object of
 * the region is reached from one of at most three variables, or is the one that a variable names.
 *
 * Every such covering is tried that no heap contradicts, not the smallest alone: those are often wrong where the lists
 * seen were short.
 */
import { sizeOf } from '../../c/layout';
import * as L from '../../logic/build';
import { compile, type Compiled } from '../../logic/compile';
import type { Term } from '../../logic/term';
import type { Variable } from '../../program/expression';
import { equal, exactly } from '../../program/congruence';
import { naturalLoops } from '../../program/automata/loops';
import type { Node } from '../../semantics/pointers/regionNode';
import type { ConcreteMemory } from '../../semantics/concrete/concreteMemory';
import { pointerTo } from '../../semantics/concrete/concreteValues';
import type { Machine } from '../../semantics/concrete/machine';
import type { LinkVariables } from '../../semantics/symbolic/memoryModel';
import { isList } from '../../semantics/symbolic/lists';
import { assignedVariables } from '../../semantics/symbolic/vocabulary';
import { ConcreteChains, regionOf } from '../transitionSystem/concreteChains';
import type { ConcreteView } from '../transitionSystem/concreteView';
import type { Cutpoint } from '../transitionSystem/cutpoint';
import type { Relevance } from '../transitionSystem/relevance';
import type { TransitionSystem } from '../transitionSystem/transitionSystem';

/** Heaps looked at per control point, no two alike. */
const STATE_LIMIT = 200;
/** Variables per link and control point. */
const NAME_LIMIT = 6;
/** Variables that cover all objects together. */
const COVER_LIMIT = 3;
/** Live objects of a heap that is looked at. */
const OBJECT_LIMIT = 12;
const SIZE_LIMIT = 4;
/** Candidates per control point. */
const CANDIDATE_LIMIT = 400;

/** A variable that leads to objects, or a static or automatic object that is one. */
interface Name {
  readonly object: Term;
  readonly offset: Term;
  /** Bytes from the start of an object to where the variable leads. */
  readonly at: number;
  readonly isObject: boolean;
  /** It keeps its value between calls. */
  readonly isStatic: boolean;
  /** The pointer is null where this is not 0. */
  readonly flag?: Term;
  /** Size of a structure that a variable leads to. */
  readonly pointeeBytes?: number;
}

/** A heap as one link sees it. Variables are numbered as the names. */
interface Heap {
  readonly values: readonly number[];
  readonly isNull: readonly boolean[];
  readonly leadsThere: readonly boolean[];
  readonly live: readonly number[];
  readonly isLive: (object: number) => boolean;
  readonly reached: readonly ReadonlySet<number>[];
  readonly chains: ConcreteChains;
  readonly memory: ConcreteMemory;
  readonly value: ConcreteView['value'];
  /** The same heap as another link sees it. */
  readonly along: (link: LinkVariables) => ConcreteChains;
}

interface Template {
  readonly term: Term;
  readonly holds: (heap: Heap) => boolean;
  /** Some are worth trying where no run came. */
  readonly tried: 'always' | 'if-seen';
  refuted: boolean;
}

interface Watched {
  readonly link: LinkVariables;
  readonly names: readonly Name[];
  readonly readers: readonly { readonly object: Compiled; readonly offset: Compiled }[];
  readonly templates: readonly Template[];
  readonly seen: Set<string>;
}

export class ReachabilityCandidates {
  private readonly watched = new Map<Cutpoint, readonly Watched[]>();

  constructor(
    private readonly system: TransitionSystem,
    relevance: Relevance,
  ) {
    const links = walkedLinks(system);
    for (const point of links.length === 0 ? [] : system.points)
      this.watched.set(
        point,
        links.map((link) => watchedAt(point, link, system, relevance)),
      );
  }

  get isEmpty(): boolean {
    return this.watched.size === 0;
  }

  /** A state seen. */
  record(point: Cutpoint, view: ConcreteView, machine: Machine): void {
    for (const watched of this.watched.get(point) ?? []) {
      if (watched.seen.size >= STATE_LIMIT) continue;
      const heap = this.heapOf(watched, view, machine);
      if (!heap) continue;
      const key = JSON.stringify([heap.values, heap.live, heap.live.map((object) => heap.chains.successor(object))]);
      if (watched.seen.has(key)) continue;
      watched.seen.add(key);
      for (const template of watched.templates) template.refuted ||= !template.holds(heap);
    }
  }

  candidates(point: Cutpoint): readonly Term[] {
    const found = new Set<Term>();
    for (const { templates, seen } of this.watched.get(point) ?? []) {
      for (const { term, refuted, tried } of templates)
        if (!refuted && (tried === 'always' || seen.size > 0) && term.kind !== 'boolean') found.add(term);
    }
    return [...found].slice(0, CANDIDATE_LIMIT);
  }

  private heapOf({ link, names, readers }: Watched, view: ConcreteView, machine: Machine): Heap | undefined {
    const { memoryModel } = this.system;
    const { memory } = machine;
    const chains = new ConcreteChains(link, memoryModel, machine);
    const region = memoryModel.allocationSiteOf(link.node);
    const live: number[] = [];
    for (const block of link.linked ? [] : memory.liveBlocks()) {
      if (regionOf(block, memoryModel) !== region) continue;
      if (live.length === OBJECT_LIMIT) return undefined;
      live.push(block.number);
    }
    const values = readers.map(({ object }) => Number(object(view.value) as bigint));
    const offsets = readers.map(({ offset }) => Number(BigInt.asIntN(memoryModel.half, offset(view.value) as bigint)));
    // Clients' objects count if a variable reaches them.
    const reached = values.map((value) => chains.from(value));
    if (link.linked)
      live.push(...new Set(reached.flatMap((some) => [...some].filter((n) => memory.isLive(pointerTo(n)) === 1))));
    if (live.length > OBJECT_LIMIT) return undefined;
    const all = new Set(live);
    return {
      values,
      isNull: values.map((value, i) => value === 0 && offsets[i] === 0),
      leadsThere: values.map((value, i) => value !== 0 && offsets[i] === names[i]!.at),
      live,
      isLive: (object) => all.has(object),
      reached,
      chains,
      memory,
      value: view.value,
      along: (other) => new ConcreteChains(other, memoryModel, machine),
    };
  }
}

/**
 * Link along which loops walk, among several of one region: most assignments in loops read it. A second relation makes
 * queries much harder.
 */
function walkedLinks({ memoryModel, program }: TransitionSystem): readonly LinkVariables[] {
  const steps = new Map<LinkVariables, number>();
  for (const fn of memoryModel.links.length < 2 ? [] : program.functions)
    for (const { body } of naturalLoops(fn).values())
      for (const { from, command } of fn.edges) {
        const read = body.has(from) && command.kind === 'assign' ? command.value : undefined;
        const place = read?.kind === 'load' ? memoryModel.regions.pointee(read.address) : undefined;
        const link = memoryModel.links.find(
          ({ node, slot }) =>
            place && memoryModel.regions.find(place.node) === node && equal(place.at, exactly(slot.offset)),
        );
        if (link) steps.set(link, (steps.get(link) ?? 0) + 1);
      }
  const byNode = new Map<Node, LinkVariables>();
  for (const link of memoryModel.links) {
    const best = byNode.get(link.node);
    if (!best || (steps.get(link) ?? 0) > (steps.get(best) ?? 0)) byNode.set(link.node, link);
  }
  return [...byNode.values()];
}

function watchedAt(point: Cutpoint, link: LinkVariables, system: TransitionSystem, relevance: Relevance): Watched {
  const names = namesAt(point, link, system, relevance);
  return {
    link,
    names,
    readers: names.map(({ object, offset }) => ({ object: compile(object), offset: compile(offset) })),
    templates: templatesOf(point, link, names, system),
    seen: new Set(),
  };
}

/** Pointer variables in scope that matter there, those of the whole program first, and static members of the region. */
function namesAt(
  point: Cutpoint,
  link: LinkVariables,
  system: TransitionSystem,
  relevance: Relevance,
): readonly Name[] {
  const { vocabulary, memoryModel } = system;
  const assigned = assignedVariables(point.fn);
  const isInScope = (variable: Variable): boolean => {
    if (variable.temporary) return false;
    if (variable.scope === 'global') return relevance.at(point.location, variable);
    const isParameter = point.fn.parameters.includes(variable);
    if (point.kind === 'module' || (point.kind === 'entry' && !isParameter)) return false;
    if (point.kind === 'exit') return variable === point.fn.resultVariable || (isParameter && !assigned.has(variable));
    return relevance.at(point.location, variable);
  };
  const variables = vocabulary.pointersFor(point.fn).flatMap(({ variable, value }): Name[] => {
    const target = isInScope(variable)
      ? memoryModel.regions.pointee({ kind: 'read', type: variable.type, variable })
      : undefined;
    if (!target || !leadsInto(target)) return [];
    const flag = point.fn.variables.find(({ selects }) => selects === variable);
    return [
      {
        ...value,
        at: target.at.residue,
        isObject: false,
        isStatic: variable.scope === 'global',
        ...(flag && { flag: vocabulary.numberOf(flag, point.fn) }),
        ...pointeeSize(variable, system),
      },
    ];
  });
  // Members of single objects, such as the ends of a queue.
  const members = memoryModel.variables.flatMap((memory): Name[] => {
    const { role } = memory;
    if (role.kind !== 'slot' || role.part !== 'object' || role.addressing !== 'plain' || role.slot === 'byte')
      return [];
    if (role.single?.kind !== 'static') return [];
    const target = memoryModel.regions.stored(role.node, exactly(role.slot.offset));
    const offset = memoryModel.slot(role.node, role.slot, 'offset');
    if (!target || !offset || !leadsInto(target)) return [];
    return [
      {
        object: vocabulary.symbolOf(memory),
        offset: vocabulary.symbolOf(offset),
        at: target.at.residue,
        isObject: false,
        isStatic: true,
      },
    ];
  });
  const statics = link.statics.map((number): Name => ({
    object: L.bits(BigInt(number), memoryModel.half),
    offset: L.bits(BigInt(link.offset), memoryModel.half),
    at: link.offset,
    isObject: true,
    isStatic: true,
  }));
  return [...statics, ...members, ...variables].slice(0, NAME_LIMIT);

  function leadsInto({ node, at }: { readonly node: LinkVariables['node']; readonly at: ReturnType<typeof exactly> }) {
    return (
      memoryModel.regions.find(node) === link.node &&
      at.modulus === 0 &&
      !at.strides &&
      (at.residue === link.offset || at.residue === link.slot.offset)
    );
  }
}

function pointeeSize({ ctype }: Variable, { program }: TransitionSystem): { readonly pointeeBytes?: number } {
  const bytes = ctype?.kind === 'pointer' ? sizeOf(ctype.to, program.dataModel) : undefined;
  return bytes === undefined ? {} : { pointeeBytes: bytes };
}

/** Sizes in bytes that the program's allocations give by number. */
function allocatedSizes({ program }: TransitionSystem): readonly bigint[] {
  const found = program.functions.flatMap(({ edges }) =>
    edges.flatMap(({ command }) =>
      command.kind === 'allocate' && command.size.kind === 'integer' ? [command.size.value] : [],
    ),
  );
  return [...new Set(found)].slice(0, SIZE_LIMIT);
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

function templatesOf(
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

  /** A pointer in a link is null, or leads where links lead. */
  const isProper = (object: Term, offset: Term): Term =>
    L.or(
      nullAt({ object, offset }),
      L.and(
        L.eq(offset, half(link.offset)),
        L.or(
          L.and(L.ult(half(memoryModel.lastStatic), object), L.ult(object, next), isMade(object)),
          ...link.statics.map((number) => L.eq(object, half(number))),
        ),
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
  // Links of two kinds are each other's inverse, lead to live objects, and only one object has none.
  const linkAt = (one: LinkVariables, object: Term): { readonly object: Term; readonly offset: Term } => ({
    object: L.select(symbol(one.objects), object),
    offset: L.select(symbol(one.offsets), object),
  });
  const others = memoryModel.links.filter((other) => other !== link && other.node === link.node);
  for (const [there, back] of others.flatMap((other) => [[link, other] as const, [other, link] as const])) {
    const target = linkAt(there, bound);
    const returned = linkAt(back, target.object);
    const isInverse = L.or(
      nullAt(target),
      L.and(
        L.ult(half(memoryModel.lastStatic), target.object),
        L.ult(target.object, next),
        L.select(live, target.object),
        L.eq(target.offset, half(there.offset)),
        L.eq(L.select(made, target.object), region),
        L.eq(returned.object, bound),
        L.eq(returned.offset, half(back.offset)),
      ),
    );
    const leadsBack = (heap: Heap, object: number): boolean => {
      const reached = heap.along(there).pointerAt(object);
      return (
        reached === 'null' || (reached !== undefined && heap.isLive(reached) && heap.along(back).holds(reached, object))
      );
    };
    ofAll(isInverse, leadsBack);
    names.forEach((z, k) => {
      if (z.isObject) return;
      ofAll(
        L.or(isInverse, L.eq(bound, z.object)),
        (heap, object) => heap.values[k] === object || leadsBack(heap, object),
      );
      ofAll(
        L.or(L.not(nullAt(target)), L.eq(bound, z.object)),
        (heap, object) => heap.values[k] === object || !heap.along(there).isNullAt(object),
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
          L.forall([bound], L.or(isZero(x), isZero(y), L.not(reaches(x, bound)), L.not(reaches(y, bound)))),
          ({ values, reached }) =>
            values[i] === 0 || values[j] === 0 || ![...reached[i]!].some((object) => reached[j]!.has(object)),
          'always',
        );
    });
    add(
      L.forall(
        [bound],
        L.or(
          isZero(x),
          L.not(reaches(x, bound)),
          L.select(live, bound),
          ...(x.isObject ? [L.eq(bound, x.object)] : []),
        ),
      ),
      ({ values, reached, isLive }) =>
        values[i] === 0 || [...reached[i]!].every((object) => isLive(object) || (x.isObject && object === values[i])),
      'always',
    );
  });
  for (const set of link.linked ? [] : subsets(names.length, COVER_LIMIT))
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
