/**
 * Links that a loop walks along and reachability says nothing of, with the reason: proofs about such lists usually stay
 * open, and readers should know why.
 */
import { printType } from '../../c/printType';
import type { CType } from '../../c/types';
import { unqualified } from '../../c/target';
import type { TransitionSystem } from '../../abstraction/transitionSystem/transitionSystem';
import { equal, exactly } from '../../program/congruence';
import type { Command } from '../../program/command';
import { naturalLoops } from '../../program/automata/loops';
import { pathAt } from '../../abstraction/printing/memberPaths';
import type { Regions } from '../../semantics/pointers/regions';
import type { MemoryModel } from '../../semantics/symbolic/memoryModel';

/** One sentence for each kind of structure. */
export function unfollowedLinks(system: TransitionSystem): readonly string[] {
  const { memoryModel, vocabulary } = system;
  const found = new Set<string>();
  for (const fn of [...system.functions, ...system.inlined]) {
    if (fn.library) continue;
    for (const { body } of naturalLoops(fn).values()) {
      const members = new Map<string, Set<string>>();
      for (const { from, command } of fn.edges) {
        const structure = body.has(from) ? stepsAlong(command) : undefined;
        if (!structure || command.kind !== 'assign' || command.value.kind !== 'load') continue;
        const name = printType(unqualified(structure));
        const place = memoryModel.regions.pointee(command.value.address);
        const why = reasonFor(place, memoryModel);
        if (why !== undefined) found.add(`links of ${name} are not followed: ${why}`);
        else if (place && isLink(place, memoryModel)) {
          const member = pathAt('', structure, place.at.residue, vocabulary).replace(/^\./, '');
          members.set(name, (members.get(name) ?? new Set()).add(member));
        }
      }
      for (const [name, links] of members)
        if (links.size > 1)
          found.add(
            `a loop goes along ${[...links].join(' and ')} of ${name}: one link at a time is followed, as in lists`,
          );
    }
  }
  return [...found];
}

/** The structure, if the command loads a pointer to the next one of its kind. */
function stepsAlong(command: Command): CType | undefined {
  if (command.kind !== 'assign' || command.value.kind !== 'load' || command.value.type.kind !== 'pointer')
    return undefined;
  const { ctype } = command.target;
  const to = ctype?.kind === 'pointer' ? ctype.to : undefined;
  if (to?.kind !== 'record') return undefined;
  const leadsOn = to.record.fields.some(
    ({ type }) => type.kind === 'pointer' && type.to.kind === 'record' && type.to.record === to.record,
  );
  return leadsOn ? to : undefined;
}

type Place = ReturnType<Regions['pointee']>;

const isLink = (place: NonNullable<Place>, { regions, links }: MemoryModel): boolean =>
  links.some((link) => link.node === regions.find(place.node) && equal(place.at, exactly(link.slot.offset)));

/** Undefined if the pointer at the place is a link that is followed, or no member of structures. */
function reasonFor(place: Place, memoryModel: MemoryModel): string | undefined {
  const { regions } = memoryModel;
  if (regions.collapsed || !place) return 'some pointers are made of other bytes, and may lead anywhere';
  if (isLink(place, memoryModel)) return undefined;
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
