/**
 * Effects of writes, allocations and frees on the relations of links, and the laws of a state. Reachability is a
 * history variable: it is determined by the execution, changes no other variable and blocks nothing. As long as
 * `acyclic` is true, it is the reachability along the links of live objects; the update says when that ends. Objects
 * outside the link's region have no links.
 */
import * as L from '../../logic/build';
import { type Chain, chainLaws, hasLink, isTarget } from '../../logic/links/chains';
import type { Term } from '../../logic/term';
import type { ForestVariables, LinkVariables, MemoryModel, MemoryVariable } from './memoryModel';
import type { SymbolicPointer } from './symbolicValues';

/** The chain of a link in a state with these contents. */
export function chainIn(link: LinkVariables, contents: readonly Term[], memoryModel: MemoryModel): Chain {
  const half = (value: bigint | number): Term => L.bits(BigInt(value), memoryModel.half);
  return {
    reach: contents[link.reach.index]!,
    acyclic: contents[link.acyclic.index]!,
    count: link.count ? contents[link.count.index]! : L.TRUE,
    objects: contents[link.objects.index]!,
    offsets: contents[link.offsets.index]!,
    live: contents[memoryModel.live.index]!,
    made: contents[memoryModel.allocationSite.index]!,
    next: contents[memoryModel.allocationCounter.index]!,
    region: half(memoryModel.allocationSiteOf(link.node)),
    offset: half(link.offset),
    lastStatic: half(memoryModel.lastStatic),
    withAutomatic: L.bool(link.withAutomatic),
    linked: link.linked ? contents[link.linked.index]! : L.TRUE,
    ofClients: L.bool(link.ofClients),
    statics: link.statics.map(half),
  };
}

/** The chain of parents in a state with these contents. */
export function parentsIn(forest: ForestVariables, contents: readonly Term[], memoryModel: MemoryModel): Chain {
  const half = (value: bigint | number): Term => L.bits(BigInt(value), memoryModel.half);
  return {
    reach: contents[forest.ancestors.index]!,
    acyclic: contents[forest.acyclic.index]!,
    count: L.TRUE,
    objects: contents[forest.parents.index]!,
    offsets: L.TRUE,
    live: contents[memoryModel.live.index]!,
    made: contents[memoryModel.allocationSite.index]!,
    next: contents[memoryModel.allocationCounter.index]!,
    region: half(memoryModel.allocationSiteOf(forest.node)),
    offset: half(0),
    lastStatic: half(memoryModel.lastStatic),
    withAutomatic: L.FALSE,
    linked: L.TRUE,
    ofClients: L.FALSE,
    statics: [],
  };
}

/** By relation: the laws of every link in a state, and of the parents in every forest. */
export function lawsIn(contents: readonly Term[], memoryModel: MemoryModel): ReadonlyMap<Term, Term> {
  const chains = [
    ...memoryModel.links.map((link) => chainIn(link, contents, memoryModel)),
    ...memoryModel.forests.map((forest) => parentsIn(forest, contents, memoryModel)),
  ];
  return new Map(chains.map((chain) => [chain.reach, chainLaws(chain)]));
}

/** After the object began: its link holds anything, and counts or does not. */
export function beginLink(link: LinkVariables, object: Term, contents: Term[], memoryModel: MemoryModel): void {
  if (!link.linked || link.ofClients) relink(link, object, contents, memoryModel);
  else {
    contents[link.linked.index] = L.store(contents[link.linked.index]!, object, L.FALSE);
    unlink(link, object, contents);
  }
}

/** After a write to the object's link: what it holds now counts or does not. */
export function relink(link: LinkVariables, object: Term, contents: Term[], memoryModel: MemoryModel): void {
  if (link.linked) contents[link.linked.index] = L.store(contents[link.linked.index]!, object, L.TRUE);
  const chain = chainIn(link, contents, memoryModel);
  const target = L.select(chain.objects, object);
  const isLink = hasLink(chain, object);
  contents[link.acyclic.index] = L.and(chain.acyclic, L.not(L.closesCycle(chain.reach, object, target, isLink)));
  write(link, { object, target, isLink }, contents);
}

/** After the object ended: it has no links any more. */
export function unlink(link: LinkVariables, object: Term, contents: Term[]): void {
  write(link, { object, target: object, isLink: L.FALSE }, contents);
}

/**
 * After a write to one of the object's links in a forest: what it leads to now has the object as its parent. If that
 * was the object's own parent, the object has none any more, since rotations hang a node below its child first. What
 * the link led to before keeps its parent until another adopts it. This defines history variables, so any rule would
 * do.
 */
export function adopt(
  forest: ForestVariables,
  link: LinkVariables,
  object: Term,
  child: SymbolicPointer,
  contents: Term[],
  memoryModel: MemoryModel,
): void {
  const { parents, ancestors, acyclic } = forest;
  const none = L.bits(0n, memoryModel.half);
  const isChild = L.and(
    L.eq(child.offset, L.bits(BigInt(link.offset), memoryModel.half)),
    isTarget(parentsIn(forest, contents, memoryModel), child.object),
  );
  if (isChild === L.FALSE) return;
  const orphaned = L.and(isChild, L.eq(L.select(contents[parents.index]!, object), child.object));
  const set = (memory: MemoryVariable, condition: Term, change: (before: Term) => Term): void => {
    const before = contents[memory.index]!;
    contents[memory.index] = L.ite(condition, change(before), before);
  };
  set(parents, orphaned, (before) => L.store(before, object, none));
  set(ancestors, orphaned, (before) => L.linkWritten(before, object, object, L.FALSE));
  set(parents, isChild, (before) => L.store(before, child.object, object));
  const isLink = L.and(isChild, hasLink(parentsIn(forest, contents, memoryModel), child.object));
  const before = contents[ancestors.index]!;
  const closes = L.closesCycle(before, child.object, object, isLink);
  contents[acyclic.index] = L.and(contents[acyclic.index]!, L.not(closes));
  set(ancestors, isChild, () => L.linkWritten(before, child.object, object, isLink));
}

/** A new object has no parent. */
export function beginChild({ parents }: ForestVariables, object: Term, contents: Term[]): void {
  contents[parents.index] = L.store(contents[parents.index]!, object, L.bits(0n, L.widthOf(object)));
}

/** An object that ended has no ancestors. It stays the parent of its children, and its own parent is not forgotten. */
export function endChild({ ancestors }: ForestVariables, object: Term, contents: Term[]): void {
  contents[ancestors.index] = L.linkWritten(contents[ancestors.index]!, object, object, L.FALSE);
}

/** Counts stay as they are where a cycle was closed, so they are counts of objects for ever. */
function write(
  { reach, acyclic, count }: LinkVariables,
  { object, target, isLink }: { readonly object: Term; readonly target: Term; readonly isLink: Term },
  contents: Term[],
): void {
  const before = contents[reach.index]!;
  if (count) {
    const counts = contents[count.index]!;
    contents[count.index] = L.ite(
      contents[acyclic.index]!,
      L.linkCounted(counts, before, object, target, isLink),
      counts,
    );
  }
  contents[reach.index] = L.linkWritten(before, object, target, isLink);
}

/**
 * If the count of live blocks is not 0, a block lives that an allocation of the program made. The count is exact:
 * numbers of objects run out before it overflows.
 */
export function countLaw(count: Term, contents: readonly Term[], memoryModel: MemoryModel): Term {
  const block = L.symbol('?block', memoryModel.halfSort);
  const at = (memory: { readonly index: number }): Term => L.select(contents[memory.index]!, block);
  const regions = new Set(
    memoryModel.program.functions.flatMap(({ edges }) =>
      edges.flatMap(({ command }) => {
        if (command.kind !== 'allocate' || command.automatic) return [];
        const node = memoryModel.regions.nodeOfOrigin(command);
        return [node ? memoryModel.allocationSiteOf(node) : 0n];
      }),
    ),
  );
  return L.or(
    L.eq(count, L.bits(0n, L.widthOf(count))),
    L.exists(
      [block],
      L.and(
        L.ult(L.bits(BigInt(memoryModel.lastStatic), memoryModel.half), block),
        L.ult(block, contents[memoryModel.allocationCounter.index]!),
        at(memoryModel.live),
        at(memoryModel.heap),
        L.or(...[...regions].map((region) => L.eq(at(memoryModel.allocationSite), L.bits(region, memoryModel.half)))),
      ),
    ),
  );
}
