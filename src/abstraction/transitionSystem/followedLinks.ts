/** Links of which reachability is followed, and reasons why others are not. */
import { equal, exactly } from '../../program/congruence';
import type { Origin } from '../../semantics/pointers/regionNode';
import type { Regions } from '../../semantics/pointers/regions';
import { unreachable } from '../../unreachable';
import type { LinkVariables, MemoryModel } from '../../semantics/symbolic/memoryModel';

type Place = ReturnType<Regions['pointee']>;

/** The link at a place in objects. */
export function followedLink(place: Place, { regions, links }: MemoryModel): LinkVariables | undefined {
  return (
    place && links.find(({ node, slot }) => node === regions.find(place.node) && equal(place.at, exactly(slot.offset)))
  );
}

/** Pointers are not told from other bytes. */
function whyAnywhere({ mixed }: Regions): string {
  const names = [...new Set([...mixed].map(nameOf))];
  if (names.length === 0) return 'some pointers are made of other bytes, and may lead anywhere';
  if (names.length === 1)
    return (
      `in ${names[0]} a pointer may lie where there is something else, as where one pointer leads to several members ` +
      'of a structure'
    );
  return (
    `one pointer may lead into ${names.slice(0, 3).join(', into ')}, at different places of these objects, so that a ` +
    'pointer of one lies where another has something else'
  );
}

function nameOf(origin: Origin): string {
  switch (origin.kind) {
    case 'static':
    case 'frame':
      return origin.object.name;
    case 'heap':
      return 'allocated blocks';
    case 'external':
    case 'set-up':
      return 'objects of clients';
    default:
      return unreachable(origin);
  }
}

/** Undefined if the pointer at the place is a link that is followed, or no member of structures. */
export function whyUnfollowed(place: Place, memoryModel: MemoryModel): string | undefined {
  const { regions } = memoryModel;
  if (regions.collapsed || !place) return whyAnywhere(regions);
  if (followedLink(place, memoryModel)) return undefined;
  const node = regions.find(place.node);
  const layout = regions.layout(node);
  const origins = [...node.origins];
  const isArray = layout.kind === 'slots' && layout.stride !== 0;
  if (layout.single && !isArray) return undefined;
  if (origins.some(({ kind }) => kind === 'external' || kind === 'set-up'))
    return 'clients have such structures, too, and may change them between calls';
  if (layout.kind === 'bytes') return 'their memory is accessed as values of several types';
  if (isArray) return 'they are elements of arrays, which are no objects of their own';
  if (!origins.some(({ kind }) => kind === 'heap')) return 'none of them is made by the allocator';
  return 'they lead to different places in an object';
}
