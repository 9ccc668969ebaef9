/**
 * A module as the parts it is made of: functions that need much the same state are verified together, without those
 * that have nothing to do with it. A part is a backward slice, so nothing that matters to its checks is lost; what two
 * parts have in common is analysed in both.
 */
import type { TransitionSystem } from '../abstraction/transitionSystem/transitionSystem';
import { type Check, isChecked } from '../program/command';
import type { FunctionDefinition } from '../program/program';
import type { Reduced, Reduction } from './reduction';
import { isDroppable, type KeptCommand, type Slice, slice } from './slice/slice';

const limits = {
  /** Functions are verified together that have this part of what either needs in common. */
  common: 1 / 3,
  /** The same where one needs all that the other needs, which then is analysed but once. */
  contained: 1 / 5,
  /** A part with more of the commands than this is no smaller than the whole. */
  kept: 0.75,
} as const;

interface Group {
  readonly checks: ReadonlySet<Check>;
  readonly one: Slice;
}

export const components: Reduction = {
  name: 'components',
  reduce(system: TransitionSystem, open: ReadonlySet<Check>, stop: () => boolean) {
    let groups: Group[] = [];
    for (const fn of new Set([...system.functions, ...system.inlined])) {
      const checks = openIn(fn, open, system);
      if (checks.size === 0) continue;
      if (stop()) return { kind: 'declined', why: 'there was no time' };
      groups.push({ checks, one: slice(system, checks, 'backward') });
    }
    groups = joinGroups(system, groups);
    if (groups.length < 2) return { kind: 'declined', why: 'all functions need the same state' };
    const parts = groups.map(({ checks, one }) => partOf(checks, one));
    if (parts.some(({ kept }) => kept > limits.kept))
      return { kind: 'declined', why: 'some function needs almost everything' };
    return parts.sort((a, b) => a.kept - b.kept).map(({ reduced }) => reduced);
  },
};

function openIn({ edges }: FunctionDefinition, open: ReadonlySet<Check>, system: TransitionSystem): ReadonlySet<Check> {
  return new Set(
    edges.flatMap(({ command }) =>
      command.kind === 'check' && open.has(command) && isChecked(command, system.options.checkedProperties)
        ? [command]
        : [],
    ),
  );
}

/** Again after each round: the slice of two groups is as large as both. */
function joinGroups(system: TransitionSystem, groups: readonly Group[]): Group[] {
  const left = [...groups];
  const done: Group[] = [];
  for (let group = left.shift(); group; group = left.shift()) {
    const needed = neededBy(group);
    const alike = left.filter((other) => areAlike(needed, neededBy(other)));
    if (alike.length === 0) {
      done.push(group);
      continue;
    }
    const checks = new Set([group, ...alike].flatMap((each) => [...each.checks]));
    for (const each of alike) left.splice(left.indexOf(each), 1);
    left.push({ checks, one: slice(system, checks, 'backward') });
  }
  return done;
}

/** Commands and branches, without the checks themselves. */
const neededBy = ({ one }: Group): ReadonlySet<KeptCommand> =>
  new Set([...one.kept.keys()].filter((kept) => 'edges' in kept || kept.command.kind !== 'check'));

function areAlike(a: ReadonlySet<KeptCommand>, b: ReadonlySet<KeptCommand>): boolean {
  const [fewer, more] = a.size < b.size ? [a, b] : [b, a];
  let both = 0;
  for (const kept of fewer) if (more.has(kept)) both++;
  const either = a.size + b.size - both;
  return both >= (both === fewer.size ? limits.contained : limits.common) * either;
}

/** `kept`: the part of all commands, 0 to 1. */
function partOf(checks: ReadonlySet<Check>, { functions, weakening, kept }: Slice): { kept: number; reduced: Reduced } {
  const commands = functions.flatMap(({ edges }) => edges.filter(({ command }) => isDroppable(command)));
  const left = commands.filter((edge) => kept.has(edge)).length;
  return {
    kept: commands.length === 0 ? 1 : left / commands.length,
    reduced: { weakening, checks, isMuchEasier: true, size: `${left} of ${commands.length} commands` },
  };
}
