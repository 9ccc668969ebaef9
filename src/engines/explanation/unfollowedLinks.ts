/**
 * Links that a loop walks along and reachability says nothing of, with the reason: proofs about such lists usually stay
 * open, and readers should know why.
 */
import { printType } from '../../c/printType';
import type { CType } from '../../c/types';
import { unqualified } from '../../c/target';
import { followedLink, whyUnfollowed } from '../../abstraction/transitionSystem/followedLinks';
import type { TransitionSystem } from '../../abstraction/transitionSystem/transitionSystem';
import type { Command } from '../../program/command';
import { naturalLoops } from '../../program/automata/loops';
import { pathAt } from '../../abstraction/printing/memberPaths';

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
        const why = whyUnfollowed(place, memoryModel);
        if (why !== undefined) found.add(`links of ${name} are not followed: ${why}`);
        else if (keptWithClients(place, system))
          found.add(
            `lists of ${name} that the module keeps between calls are not followed: clients have such ` +
              'structures, too, and may change them',
          );
        else if (place && followedLink(place, memoryModel)) {
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

/** Clients own objects of the link's region, and static data of the module leads to some. */
function keptWithClients(
  place: Parameters<typeof followedLink>[0],
  { memoryModel, options, program }: TransitionSystem,
): boolean {
  const { regions } = memoryModel;
  const link = options.mode === 'module' ? followedLink(place, memoryModel) : undefined;
  if (!link?.linked) return false;
  return (
    program.globals.some(({ variable }) => {
      const target =
        variable.type.kind === 'pointer' && regions.pointee({ kind: 'read', type: variable.type, variable });
      return target && regions.find(target.node) === link.node;
    }) ||
    program.objects.some((object) =>
      regions.nodeOfOrigin(object)?.contents.some(({ target }) => regions.find(target.node) === link.node),
    )
  );
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
