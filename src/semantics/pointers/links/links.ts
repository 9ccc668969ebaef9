/**
 * Links: pointer members by which the objects of one region lead on to others of it, as those of lists and trees do. A
 * link lies at one place of an object and leads to one place of the next. What it leads to counts where the program
 * or its client allocated it: a link to a static or automatic object ends a walk, so a ring through such an object is a
 * chain.
 */
import { exactly } from '../../../program/congruence';
import type { Node } from '../regionNode';
import type { Regions } from '../regions';
import { isOnePlace, type Slot } from '../slotLayout';

export interface Link {
  readonly node: Node;
  readonly slot: Slot;
  /** Bytes from the start of an object to where links into it lead. */
  readonly offset: number;
}

/** Clients own objects of the region, and write their links between calls. */
export const isOfClients = (node: Node): boolean => [...node.origins].some(({ kind }) => kind === 'external');

/**
 * None where pointers are not kept apart from other bytes. Static objects live always, so their links count whatever is
 * freed. An object that is set up changes its region without a write: a program with such objects has no links between
 * objects that clients own.
 */
export function linksOf(regions: Regions): readonly Link[] {
  if (regions.collapsed) return [];
  const setsUp = regions.roots().some(({ origins }) => [...origins].some(({ kind }) => kind === 'set-up'));
  return regions.roots().flatMap((node) => {
    const layout = regions.layout(node);
    const origins = [...node.origins];
    if (layout.kind !== 'slots' || layout.single) return [];
    if (!origins.some(({ kind }) => kind === 'heap' || kind === 'external')) return [];
    if (origins.some(({ kind }) => kind === 'set-up') || (setsUp && isOfClients(node))) return [];
    return layout.slots.flatMap((slot): Link[] => {
      if (slot.type.kind !== 'pointer' || !isOnePlace(layout, slot)) return [];
      const target = regions.storedAt(node, exactly(slot.offset));
      const leadsOn = target && regions.find(target.node) === node && target.at.modulus === 0 && !target.at.strides;
      return leadsOn ? [{ node, slot, offset: target.at.residue }] : [];
    });
  });
}
