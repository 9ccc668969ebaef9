/**
 * Pointers that lie in static data: a member of a structure, the elements of an array, each with the places where they
 * are.
 */
import * as L from '../../../logic/build';
import type { Term } from '../../../logic/term';
import { residueOf } from '../../../program/congruence';
import type { StaticObject } from '../../../program/program';
import type { Node, Pointee } from '../../../semantics/pointers/regionNode';
import { cellsIn, type Slot } from '../../../semantics/pointers/slotLayout';
import type { Addressing, MemoryVariable } from '../../../semantics/symbolic/memoryModel';
import type { SymbolicPointer } from '../../../semantics/symbolic/symbolicValues';
import type { TransitionSystem } from '../../transitionSystem/transitionSystem';

const limits = {
  /** Slots of static data that hold pointers. */
  slots: 6,
  /** Static objects whose pointers are spoken of one by one, and bytes of one. */
  holders: 4,
  holderBytes: 4096,
} as const;

/** The pointers of one slot in a static object, at regular distances in bytes; of a single one the step is 0. */
interface Holder {
  readonly object: StaticObject;
  readonly first: number;
  readonly step: number;
}

/** The pointer of one slot in a static object, or all of them. */
export interface HeldPointer extends Holder {
  readonly node: Node;
  readonly slot: Slot;
  /** Objects that it may lead to. */
  readonly target: Pointee;
  /** True if there are several, distinguished by their places, in bytes from the start of the object. */
  readonly isMany: boolean;
  readonly at: (place: Term) => SymbolicPointer;
}

/** Slots of static data that may lead to what `isAsked`. */
export function heldPointers(
  { memoryModel, vocabulary }: TransitionSystem,
  isAsked: (target: Pointee) => boolean,
): readonly HeldPointer[] {
  const { regions, half } = memoryModel;
  if (regions.collapsed) return [];
  const found = memoryModel.variables.flatMap((memory): readonly (readonly HeldPointer[])[] => {
    const { role } = memory;
    if (role.kind !== 'slot' || role.part !== 'object' || role.slot === 'byte') return [];
    const { node, slot, addressing, single } = role;
    const offsets = memoryModel.slot(node, slot, 'offset');
    const holders = holdersOf(node, slot, regions);
    const [one] = holders ?? [];
    const target = one && regions.storedAt(node, { residue: residueOf(one.first, one.step), modulus: one.step });
    if (!offsets || !holders || !target || !isAsked(target)) return [];
    if (single && single.kind !== 'static') return [];
    return [
      holders.map((holder) => ({
        ...holder,
        node,
        slot,
        target,
        isMany: hasPlaces(addressing),
        at: (place) => ({
          object: read(vocabulary.symbolOf(memory), addressing, holder, place, half),
          offset: read(vocabulary.symbolOf(offsets), addressing, holder, place, half),
        }),
      })),
    ];
  });
  return found.slice(0, limits.slots).flat();
}

const hasPlaces = (addressing: Addressing): boolean =>
  addressing === 'by-offset' || addressing === 'by-object-and-offset';

/** The value of a slot in a static object; of one place, where `place` does not matter. */
function read(values: Term, addressing: Addressing, { object }: Holder, place: Term, half: number): Term {
  const number = L.bits(BigInt(object.number), half);
  switch (addressing) {
    case 'plain':
      return values;
    case 'by-object':
      return L.select(values, number);
    case 'by-offset':
      return L.select(values, place);
    case 'by-object-and-offset':
      return L.select(values, L.concat(number, place));
  }
}

/** A value that lies in the same object, so many bytes behind the pointer at a place; undefined if it is kept apart. */
export function beside(
  held: HeldPointer,
  memory: MemoryVariable,
  distance: number,
  place: Term,
  { memoryModel: { half }, vocabulary }: TransitionSystem,
): Term | undefined {
  const { role } = memory;
  if (role.kind !== 'slot' || hasPlaces(role.addressing) !== held.isMany) return undefined;
  const there = L.add(place, L.bits(BigInt.asUintN(half, BigInt(distance)), half));
  return read(vocabulary.symbolOf(memory), role.addressing, held, there, half);
}

/** Undefined if there are too many objects, or their pointers lie at no regular distances. */
function holdersOf(
  node: Node,
  slot: Slot,
  regions: TransitionSystem['memoryModel']['regions'],
): readonly Holder[] | undefined {
  const objects = [...node.origins].flatMap((origin) => (origin.kind === 'static' ? [origin.object] : []));
  if (objects.length > limits.holders) return undefined;
  const holders = objects.flatMap((object): readonly (Holder | undefined)[] => {
    const cells = cellsIn(regions.layout(node), slot, object.sizeBytes, limits.holderBytes);
    const [first, second] = cells;
    if (first === undefined) return [];
    const step = second === undefined ? 0 : second - first;
    const isRegular = cells.every((cell, i) => cell === first + i * step);
    return [isRegular && object.sizeBytes <= limits.holderBytes ? { object, first, step } : undefined];
  });
  return holders.every((holder) => holder !== undefined) ? holders : undefined;
}

/** True of the places where the pointers are. */
export function isPlaceOf({ object: { sizeBytes }, first, step }: Holder, place: Term): Term {
  const half = L.widthOf(place);
  const literal = (value: number): Term => L.bits(BigInt(value), half);
  return step === 0
    ? L.eq(place, literal(first))
    : L.and(
        L.ult(place, literal(sizeBytes)),
        L.ule(literal(first), place),
        L.eq(L.urem(place, literal(step)), literal(first % step)),
      );
}
