/** Slices as a reduction: one for each open check, or for a few that need much the same. */
import type { TransitionSystem } from '../../abstraction/transitionSystem/transitionSystem';
import type { Check } from '../../program/command';
import type { Edge } from '../../program/program';
import { naturalLoops } from '../../program/automata/loops';
import { walk, expressionsOf } from '../../program/traverse';
import type { Reduction } from '../reduction';
import { isDroppable, type Slice, slice, type SliceKind } from './slice';

const limits = {
  /** Two checks share a slice when both need this part of it, or when there would be too many. */
  common: 0.8,
  groups: 8,
  /** A slice without this part of the commands is worth while, whatever they are. */
  dropped: 0.3,
} as const;

export const slicing = (kind: SliceKind): Reduction => ({
  name: `slice:${kind}`,
  reduce(system: TransitionSystem, open: ReadonlySet<Check>, stop: () => boolean) {
    const groups: { checks: Set<Check>; one: Slice }[] = [];
    for (const check of open) {
      if (stop()) return { kind: 'declined', why: 'there was no time' };
      const one = slice(system, new Set([check]), kind);
      const [alike] = [...groups].sort((a, b) => inCommon(b.one, one) - inCommon(a.one, one));
      const isAlike = alike !== undefined && inCommon(alike.one, one) >= limits.common;
      if (!alike || (!isAlike && groups.length < limits.groups)) groups.push({ checks: new Set([check]), one });
      else {
        alike.checks.add(check);
        alike.one = slice(system, alike.checks, kind);
      }
    }
    const reduced = groups.flatMap(({ checks, one }) => {
      const commands = one.functions.flatMap(({ edges }) => edges.filter(({ command }) => isDroppable(command)));
      const dropped = commands.filter((edge) => one.weakening.dropped.has(edge));
      const isMuchEasier = dropsHard(one);
      if (!isMuchEasier && dropped.length < limits.dropped * commands.length) return [];
      const [kept, all] = [commands.length - dropped.length, commands.length];
      const size = `${kept} of ${all} commands`;
      return [{ weakening: one.weakening, checks, kept, isMuchEasier, size }];
    });
    if (reduced.length === 0) return { kind: 'declined', why: 'almost everything matters to each check' };
    return reduced.sort((a, b) => a.kept - b.kept);
  },
});

/** The part of the larger slice that both keep, 0 to 1. */
function inCommon(a: Slice, b: Slice): number {
  const [smaller, larger] = a.kept.size < b.kept.size ? [a, b] : [b, a];
  return [...smaller.kept.keys()].filter((kept) => larger.kept.has(kept)).length / larger.kept.size;
}

/** Whole loops, calls of functions with loops, and products of variables. */
function dropsHard({ functions, system, weakening: { dropped } }: Slice): boolean {
  const isHard = ({ command }: Edge): boolean =>
    (command.kind === 'call' && !system.isInlined(command)) || expressionsOf(command).some(isNonlinear);
  if ([...dropped].some(isHard)) return true;
  return functions.some((fn) =>
    [...naturalLoops(fn).values()].some(({ body }) => {
      const commands = [...body].flatMap(({ edges }) => edges.filter(({ command }) => isDroppable(command)));
      return commands.length > 0 && commands.every((edge) => dropped.has(edge));
    }),
  );
}

function isNonlinear(e: Parameters<typeof walk>[0]): boolean {
  let found = false;
  walk(e, (inner) => {
    if (inner.kind !== 'binary') return;
    const { operator, left, right } = inner;
    const isProduct = operator === 'multiply' || operator === 'divide' || operator === 'remainder';
    if (isProduct && left.kind !== 'integer' && right.kind !== 'integer') found = true;
  });
  return found;
}
