/**
 * Regions whose objects have several links along which one walk goes on, as those of trees: a loop that assigns to one
 * variable what one link leads to, or another, or the address of either; and a function that calls itself for several.
 * Reachability is followed along one link at a time, and says little of them. What all objects have in common may
 * suffice: that links lead to live objects, and no two to the same.
 */
import { naturalLoops } from '../../../program/automata/loops';
import { reachableFunctions } from '../../../program/automata/reachableFunctions';
import { equal, exactly } from '../../../program/congruence';
import type { Expression, Variable } from '../../../program/expression';
import type { Edge, FunctionDefinition } from '../../../program/program';
import type { LinkVariables } from '../../../semantics/symbolic/memoryModel';
import type { TransitionSystem } from '../../transitionSystem/transitionSystem';
import { type BlockMember, blockMembers } from './ownedBlocks';

/**
 * True if nodes hold the first nodes of other lists, as in a list of lists. These lists begin at no variable, so
 * reachability says little of them, too.
 */
export function hasListsInNodes(system: TransitionSystem): boolean {
  const { links } = system.memoryModel;
  const areFirst = (member: BlockMember): boolean =>
    links.some(({ node, offset }) => node === member.target && offset === member.at);
  return links.some((link) => blockMembers(link, system).some(areFirst));
}

/** True if some walk goes along several links of one region. */
export function hasBranchingLinks(system: TransitionSystem): boolean {
  const { links } = system.memoryModel;
  if (!links.some((link) => links.some((other) => other !== link && other.node === link.node))) return false;
  return [...system.functions, ...system.inlined].some(
    (fn) =>
      [...naturalLoops(fn).values()].some(({ body }) =>
        isSeveral(
          linksByVariable(
            fn.edges.filter(({ from }) => body.has(from)),
            system,
          ),
        ),
      ) || isSeveral(linksOfOwnCalls(fn, system)),
  );
}

const isSeveral = (links: ReadonlyMap<unknown, ReadonlySet<LinkVariables>>): boolean =>
  [...links.values()].some((found) =>
    [...found].some((link) => [...found].some((other) => other !== link && other.node === link.node)),
  );

/** By variable: the links whose targets or addresses it is given. A choice of `?:` passes through another variable. */
function linksByVariable(
  edges: readonly Edge[],
  system: TransitionSystem,
): ReadonlyMap<Variable, ReadonlySet<LinkVariables>> {
  const given = new Map<Variable, Expression[]>();
  for (const { command } of edges)
    if (command.kind === 'assign') given.set(command.target, [...(given.get(command.target) ?? []), command.value]);
  return new Map(
    [...given].map(([variable, values]) => [
      variable,
      new Set(
        values
          .flatMap((value) => (value.kind === 'read' ? (given.get(value.variable) ?? []) : [value]))
          .flatMap((value) => linkOf(value, system) ?? []),
      ),
    ]),
  );
}

/** By parameter: the links whose targets a function passes to itself, also through others. */
function linksOfOwnCalls(
  fn: FunctionDefinition,
  system: TransitionSystem,
): ReadonlyMap<number, ReadonlySet<LinkVariables>> {
  const found = new Map<number, Set<LinkVariables>>();
  const assigned = (variable: Variable): Expression[] =>
    fn.edges.flatMap(({ command }) =>
      command.kind === 'assign' && command.target === variable ? [command.value] : [],
    );
  for (const { command } of fn.edges) {
    if (command.kind !== 'call' || !command.targets.some((target) => reachableFunctions([target]).has(fn))) continue;
    command.arguments.forEach((argument, i) => {
      for (const value of argument.kind === 'read' ? assigned(argument.variable) : [argument]) {
        const link = linkOf(value, system);
        if (link) found.set(i, (found.get(i) ?? new Set()).add(link));
      }
    });
  }
  return found;
}

/** The link that is read, or whose address is taken. */
function linkOf(value: Expression, { memoryModel }: TransitionSystem): LinkVariables | undefined {
  if (value.kind !== 'load' && value.kind !== 'offset') return undefined;
  const place = memoryModel.regions.pointee(value.kind === 'load' ? value.address : value);
  return (
    place &&
    memoryModel.links.find(
      ({ node, slot }) => memoryModel.regions.find(place.node) === node && equal(place.at, exactly(slot.offset)),
    )
  );
}
