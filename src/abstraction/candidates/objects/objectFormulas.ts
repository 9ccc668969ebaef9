/** Candidates about any one object of a region: how large it is, where its links lead, and what lives there. */
import * as L from '../../../logic/build';
import type { Term } from '../../../logic/term';
import type { MemoryVariable } from '../../../semantics/symbolic/memoryModel';
import type { SymbolicPointer } from '../../../semantics/symbolic/symbolicValues';
import { declaredAt } from '../../../semantics/symbolic/vocabulary';
import type { Cutpoint } from '../../transitionSystem/cutpoint';
import type { TransitionSystem } from '../../transitionSystem/transitionSystem';
import { allocatedSizes, elementSizes } from '../allocatedSizes';
import { roomOf } from '../arrays/memberRoom';
import { withoutSums } from '../numberTemplates';
import { exists, nullPointer, type ObjectName } from './objectNames';
import { arrayOf, type ObjectLink, type ObjectRegion } from './objectPairs';

/** Automatic objects in scope to which no object leads. */
const mostAutomaticObjects = 4;

/**
 * No pointer in an object leads to an automatic object of the activation, which ends before what the pointer needs:
 * pointers that were there before lead to objects that had been made.
 */
export function notAutomatic({ links }: ObjectRegion, { fn, location }: Cutpoint, system: TransitionSystem): Term[] {
  const { vocabulary, memoryModel, functions, inlined } = system;
  if (![...functions, ...inlined].some(({ objects }) => objects.length > 0)) return [];
  const own = declaredAt(fn, location).slice(0, mostAutomaticObjects);
  const next = vocabulary.symbolOf(memoryModel.allocationCounter);
  return links.flatMap(({ object }) => [
    L.ult(object, next),
    ...own.map((one) => L.not(L.eq(object, vocabulary.objectOf(one, fn).object))),
  ]);
}

/**
 * `names` of objects of the region, and of blocks that are perhaps nobody's. `inForest`: links that lead to objects of
 * which a forest says who links to them.
 */
export function formulasOf(
  region: ObjectRegion,
  names: readonly SymbolicPointer[],
  blocks: readonly ObjectName[],
  inForest: readonly ObjectLink[],
  system: TransitionSystem,
): Term[] {
  const { memoryModel, vocabulary } = system;
  const { bound, links, fields } = region;
  const half = (value: bigint | number): Term => L.bits(BigInt(value), memoryModel.half);
  const of = (memory: MemoryVariable, object: Term): Term => L.select(vocabulary.symbolOf(memory), object);
  const sizes = allocatedSizes(system);
  const terms: Term[] = [
    of(memoryModel.heap, bound),
    ...sizes.map((bytes) => L.eq(of(memoryModel.size, bound), half(bytes))),
  ];
  for (const memory of memoryModel.slotVariables(region.node))
    if (memory.role.kind === 'written') terms.push(of(memory, bound));
  const here = memoryModel.regions.find(region.node);
  for (const link of links) {
    const { object, target } = link;
    const isNull = nullPointer(link, system);
    if (target) terms.push(exists(link, target, system), L.or(isNull, exists(link, target, system)));
    if (!target || memoryModel.regions.find(target) !== here) {
      const size = of(memoryModel.size, object);
      // A client's own, which the program was handed.
      const lives = L.and(
        L.ult(half(memoryModel.lastStatic), object),
        of(memoryModel.live, object),
        L.eq(link.offset, half(0)),
      );
      const isOfHeap = of(memoryModel.heap, object);
      terms.push(lives, L.or(isNull, lives), L.or(isNull, isOfHeap));
      if (target) terms.push(L.or(isNull, L.and(exists(link, target, system), isOfHeap)));
      for (const v of withoutSums(fields)) terms.push(...roomOf(size, isNull, v, elementSizes(target, system)));
      terms.push(...sizes.map((bytes) => L.or(isNull, L.eq(size, half(bytes)))));
      for (const { node, value } of blocks)
        if (target && memoryModel.regions.find(target) === node)
          terms.push(L.or(isNull, L.not(L.eq(object, value.object))));
      continue;
    }
    for (const name of names)
      terms.push(
        ...(inForest.includes(link) ? [] : [L.or(isNull, L.not(L.eq(object, name.object)))]),
        L.or(L.not(isNull), L.eq(bound, name.object)),
        L.or(L.not(L.eq(bound, name.object)), isNull),
      );
    for (const other of links)
      if (other.object !== object)
        terms.push(
          L.or(isNull, L.eq(L.select(arrayOf(other.object), object), bound)),
          L.or(isNull, L.not(L.eq(object, other.object))),
        );
  }
  return [...new Set(terms)].filter((term) => term.kind !== 'boolean');
}
