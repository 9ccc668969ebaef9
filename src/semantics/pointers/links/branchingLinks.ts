/**
 * Links along which one walk goes on, as those of trees: a loop that assigns to one variable what one link leads to, or
 * another, or the address of either; and a function that calls itself for several.
 */
import { naturalLoops } from '../../../program/automata/loops';
import { reachableFunctions } from '../../../program/automata/reachableFunctions';
import { equal, exactly } from '../../../program/congruence';
import type { Expression, Variable } from '../../../program/expression';
import type { Edge, FunctionDefinition } from '../../../program/program';
import type { Link } from './links';
import type { Regions } from '../regions';

/** By region, the links of all walks along several links of it. */
export function branchingLinks<T extends Link>(
  functions: readonly FunctionDefinition[],
  links: readonly T[],
  regions: Regions,
): readonly ReadonlySet<T>[] {
  if (!links.some((link) => links.some((other) => other !== link && other.node === link.node))) return [];
  const found = new Map<Link['node'], Set<T>>();
  const linkOf = (value: Expression): T | undefined => linkRead(value, links, regions);
  for (const fn of functions) {
    const walks = [...naturalLoops(fn).values()].map(({ body }) =>
      linksByVariable(
        fn.edges.filter(({ from }) => body.has(from)),
        linkOf,
      ),
    );
    for (const walk of [...walks, linksOfOwnCalls(fn, linkOf)])
      for (const followed of walk.values())
        for (const link of followed) {
          if (![...followed].some((other) => other !== link && other.node === link.node)) continue;
          found.set(link.node, (found.get(link.node) ?? new Set()).add(link));
        }
  }
  return [...found.values()];
}

/** By variable: the links whose targets or addresses it is given. A choice of `?:` passes through another variable. */
function linksByVariable<T extends Link>(
  edges: readonly Edge[],
  linkOf: (value: Expression) => T | undefined,
): ReadonlyMap<unknown, ReadonlySet<T>> {
  const given = new Map<Variable, Expression[]>();
  for (const { command } of edges)
    if (command.kind === 'assign') given.set(command.target, [...(given.get(command.target) ?? []), command.value]);
  return new Map(
    [...given].map(([variable, values]) => [
      variable,
      new Set(
        values
          .flatMap((value) => (value.kind === 'read' ? (given.get(value.variable) ?? []) : [value]))
          .flatMap((value) => linkOf(value) ?? []),
      ),
    ]),
  );
}

/** By parameter: the links whose targets a function passes to itself, also through others. */
function linksOfOwnCalls<T extends Link>(
  fn: FunctionDefinition,
  linkOf: (value: Expression) => T | undefined,
): ReadonlyMap<unknown, ReadonlySet<T>> {
  const found = new Map<number, Set<T>>();
  const assigned = (variable: Variable): Expression[] =>
    fn.edges.flatMap(({ command }) =>
      command.kind === 'assign' && command.target === variable ? [command.value] : [],
    );
  for (const { command } of fn.edges) {
    if (command.kind !== 'call' || !command.targets.some((target) => reachableFunctions([target]).has(fn))) continue;
    command.arguments.forEach((argument, i) => {
      for (const value of argument.kind === 'read' ? assigned(argument.variable) : [argument]) {
        const link = linkOf(value);
        if (link) found.set(i, (found.get(i) ?? new Set()).add(link));
      }
    });
  }
  return found;
}

/** The link that is read, or whose address is taken. */
function linkRead<T extends Link>(value: Expression, links: readonly T[], regions: Regions): T | undefined {
  if (value.kind !== 'load' && value.kind !== 'offset') return undefined;
  const place = regions.pointee(value.kind === 'load' ? value.address : value);
  return (
    place && links.find(({ node, slot }) => regions.find(place.node) === node && equal(place.at, exactly(slot.offset)))
  );
}
