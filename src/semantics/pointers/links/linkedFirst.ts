/**
 * Regions in which a link to a new object is written before the object's own link, as in
 *
 *   last->next = malloc(sizeof *last);
 *   last = last->next;
 *   last->next = NULL;
 *
 * In between the link of the last node holds anything. This is found by the program's text, function by function, and
 * only tells what to follow: proofs are sound whatever it says.
 */
import type { Expression, Variable } from '../../../program/expression';
import type { FunctionDefinition, Location } from '../../../program/program';
import { targetOf } from '../../../program/traverse';
import type { Link } from './links';
import type { Regions } from '../regions';

/** A new object that a variable leads to at a location. */
interface NewObject {
  readonly fn: FunctionDefinition;
  readonly at: Location;
  readonly variable: Variable;
}

/** True if some new object of the link's region is linked to before its link is written. */
export function isLinkedFirst(link: Link, regions: Regions): boolean {
  const { functions } = regions.program;
  const found: NewObject[] = functions.flatMap((fn) =>
    fn.edges.flatMap(({ command, to }) =>
      command.kind === 'allocate' && !command.zeroed && regions.nodeOfOrigin(command) === link.node
        ? [{ fn, at: to, variable: command.target }]
        : [],
    ),
  );
  const returning = new Set<FunctionDefinition>();
  for (const one of found) {
    const outcome = follow(one, link, regions);
    if (outcome === 'linked') return true;
    if (outcome !== 'returned' || returning.has(one.fn)) continue;
    returning.add(one.fn);
    for (const fn of functions)
      for (const { command, to } of fn.edges)
        if (command.kind === 'call' && command.target && command.targets.includes(one.fn))
          found.push({ fn, at: to, variable: command.target });
  }
  return false;
}

/** The first that happens to the object on some path: a link to it, or the end of the function that returns it. */
function follow({ fn, at, variable }: NewObject, link: Link, regions: Regions): 'linked' | 'returned' | 'neither' {
  const isLink = (address: Expression): boolean => {
    const place = regions.pointee(address);
    return (
      place !== undefined &&
      regions.find(place.node) === link.node &&
      place.at.modulus === 0 &&
      place.at.residue === link.slot.offset
    );
  };
  /** By location, before the object's link is written: the variables that may lead to it. */
  const names = new Map<Location, ReadonlySet<Variable>>([[at, new Set([variable])]]);
  const open = [at];
  for (let location = open.pop(); location; location = open.pop()) {
    const here = names.get(location)!;
    const isName = (e: Expression): boolean => e.kind === 'read' && here.has(e.variable);
    for (const { command, to } of location.edges) {
      if (command.kind === 'store' && isLink(command.address)) {
        if (isName(baseOf(command.address))) continue;
        if (isName(withoutConversions(command.value))) return 'linked';
      }
      const target = targetOf(command);
      const isCopy = command.kind === 'assign' && isName(withoutConversions(command.value));
      const after = new Set([...here].filter((one) => one !== target));
      if (isCopy) after.add(command.target);
      const known = names.get(to);
      if (known && [...after].every((one) => known.has(one))) continue;
      names.set(to, new Set([...(known ?? []), ...after]));
      open.push(to);
    }
  }
  return fn.resultVariable && names.get(fn.exit)?.has(fn.resultVariable) ? 'returned' : 'neither';
}

const baseOf = (e: Expression): Expression => (e.kind === 'offset' ? baseOf(e.pointer) : withoutConversions(e));

const withoutConversions = (e: Expression): Expression =>
  e.kind === 'convert' && e.type.kind === 'pointer' ? withoutConversions(e.operand) : e;
