/**
 * Blocks that a module allocates and keeps to itself: no pointer to one comes to a client, which then cannot pass one.
 * Pointers to them are followed from the allocations through variables and regions, without regard to order, so blocks
 * stay apart here from the client's memory that they share a region with.
 */
import { read } from '../../program/build';
import type { Expression, Variable } from '../../program/expression';
import type { Edge } from '../../program/program';
import { expressionsOf, walk } from '../../program/traverse';
import { addressTaken } from './callbacks';
import type { Node } from './regionNode';
import type { Regions } from './regions';

/** True if the module allocates blocks in the region, and clients get a pointer to none of them. */
export function keepsBlocks(regions: Regions, region: Node): boolean {
  const allocations = new Set(
    [...region.origins].flatMap((origin) => (origin.kind === 'heap' ? [origin.command] : [])),
  );
  if (regions.collapsed || allocations.size === 0) return false;
  // A client's object that the module has set up counts as made there, too, and clients do pass it.
  if ([...region.origins].some(({ kind }) => kind === 'set-up')) return false;
  const { program } = regions;
  const edges: readonly Edge[] = program.functions.flatMap((fn) => fn.edges);
  const holders = new Set<Variable | Node>();
  const regionOf = (pointer: Expression): Node | undefined => {
    const target = regions.pointee(pointer);
    return target && regions.find(target.node);
  };
  const mayLead = (e: Expression): boolean => {
    switch (e.kind) {
      case 'read':
        return holders.has(e.variable);
      case 'load': {
        const from = regionOf(e.address);
        return from !== undefined && holders.has(from);
      }
      case 'offset':
        return mayLead(e.pointer);
      case 'conditional':
        return mayLead(e.then) || mayLead(e.otherwise);
      case 'convert':
        return mayLead(e.operand);
      default:
        return false;
    }
  };
  for (let before = -1; before !== holders.size;) {
    before = holders.size;
    const keep = (holder: Variable | Node | undefined): void => {
      if (holder) holders.add(holder);
    };
    for (const { command } of edges) {
      switch (command.kind) {
        case 'allocate':
          if (allocations.has(command)) keep(command.target);
          break;
        case 'assign':
          if (mayLead(command.value)) keep(command.target);
          break;
        case 'store':
          if (mayLead(command.value)) keep(regionOf(command.address));
          break;
        case 'copy': {
          const source = regionOf(command.source);
          if (source && holders.has(source)) keep(regionOf(command.target));
          break;
        }
        case 'call':
          for (const target of command.targets) {
            target.parameters.forEach((parameter, i) => {
              const argument = command.arguments[i];
              if (argument && mayLead(argument)) keep(parameter);
            });
            if (target.resultVariable && holders.has(target.resultVariable)) keep(command.target);
          }
          break;
        default:
          break;
      }
    }
  }
  // Behind the pointer lies memory that holds one.
  const leadsToHolder = (pointer: Expression): boolean => {
    const target = regionOf(pointer);
    return target !== undefined && [...regions.reachable([target])].some((node) => holders.has(node));
  };
  // Strangers may call back what they have the address of, and get its result and what it stores for its caller.
  const taken = addressTaken(program);
  const isCalledBack = program.functions.some(
    ({ number, parameters, resultVariable }) =>
      taken.has(number) &&
      ((resultVariable && holders.has(resultVariable)) ||
        parameters.some((parameter) => parameter.type.kind === 'pointer' && leadsToHolder(read(parameter)))),
  );
  const shared = visibleToClients(regions);
  return (
    !isCalledBack &&
    ![...holders].some((holder) => ('scope' in holder ? regions.showsToClients(holder) : shared.has(holder))) &&
    !edges.some(({ command }) => {
      // A stream keeps the bytes of a pointer, or its digits, and a client may read them back.
      if (command.kind === 'external' && command.arguments.some((e) => mayLead(e) || leadsToHolder(e))) return true;
      // Through a parameter that only strangers fill in.
      if (command.kind === 'store' && !regionOf(command.address) && mayLead(command.value)) return true;
      if (command.kind === 'copy' && !regionOf(command.target)) {
        const source = regionOf(command.source);
        if (source && holders.has(source)) return true;
      }
      // As a number it can go anywhere.
      return expressionsOf(command).some((e) => makesNumberOf(e, mayLead));
    })
  );
}

function makesNumberOf(e: Expression, mayLead: (pointer: Expression) => boolean): boolean {
  let found = false;
  walk(e, (part) => {
    if (part.kind === 'convert' && part.type.kind !== 'pointer' && part.operand.type.kind === 'pointer')
      found ||= mayLead(part.operand);
  });
  return found;
}

/** Regions whose contents clients see: their own objects, what the module shows them, and what these lead on to. */
function visibleToClients(regions: Regions): ReadonlySet<Node> {
  const own = regions
    .roots()
    .filter(({ origins }) =>
      [...origins].some(
        (origin) =>
          origin.kind === 'external' || origin.kind === 'set-up' || (origin.kind === 'static' && origin.object.visible),
      ),
    );
  const escaped = regions.escapedPointers().map(({ target }) => regions.find(target.node));
  return regions.reachable([...own, ...escaped]);
}
