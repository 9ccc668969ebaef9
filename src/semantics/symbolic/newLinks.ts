/**
 * Functions that leave no new object with a link that was never written, as
 *
 *   node *one = malloc(sizeof *one);
 *   one->value = value;
 *   one->next = list;
 *   return one;
 *
 * A new object's link holds anything before, so it may lead to any list. This is found along all paths from the
 * allocation, with the variables that lead to the new object on each of them. Proofs rest on it.
 */
import type { Command } from '../../program/command';
import type { Expression, Variable } from '../../program/expression';
import type { FunctionDefinition, Location } from '../../program/program';
import { reachableFunctions } from '../../program/automata/reachableFunctions';
import { targetOf } from '../../program/traverse';
import type { Regions } from '../pointers/regions';
import type { LinkVariables } from './memoryModel';

type NewLink = Pick<LinkVariables, 'node' | 'slot'>;
type Allocation = Extract<Command, { kind: 'allocate' }>;

/** Blocks up to this size are all null where the allocator zeroes them. */
const mostZeroedBytes = 4096;

/**
 * When a call ends, each object that it made in the link's region and that still lives had its link written. Automatic
 * objects do not live then.
 */
export function areNewLinksWritten(fn: FunctionDefinition, link: NewLink, regions: Regions): boolean {
  return [...reachableFunctions([fn])].every(({ edges, exit }) =>
    edges.every(
      ({ command, to }) =>
        command.kind !== 'allocate' ||
        regions.nodeOfOrigin(command) !== link.node ||
        isZeroed(command) ||
        isWrittenFrom(to, command.target, exit, link, regions),
    ),
  );
}

const isZeroed = ({ zeroed, size }: Allocation): boolean =>
  zeroed && size.kind === 'integer' && size.value <= mostZeroedBytes;

/** On all paths from the location, where the variable leads to a new object, or is null. */
function isWrittenFrom(
  location: Location,
  variable: Variable,
  exit: Location,
  link: NewLink,
  regions: Regions,
): boolean {
  interface Visit {
    readonly at: Location;
    /** All lead to the object. */
    readonly names: ReadonlySet<Variable>;
  }
  // Globals may be set by callees.
  if (variable.scope === 'global') return false;
  const open: Visit[] = [{ at: location, names: new Set([variable]) }];
  const seen = new Set<string>();
  for (let visit = open.pop(); visit; visit = open.pop()) {
    const { at, names } = visit;
    const key = [at.index, ...[...names].map(({ slot }) => slot).sort((a, b) => a - b)].join();
    if (seen.has(key)) continue;
    seen.add(key);
    if (at === exit || names.size === 0) return false;
    for (const { command, to } of at.edges) {
      if (endsHere(command, names, link, regions)) continue;
      const target = targetOf(command);
      const after = new Set([...names].filter((one) => one !== target));
      if (command.kind === 'assign' && target?.scope !== 'global' && leadsTo(command.value, names))
        after.add(command.target);
      open.push({ at: to, names: after });
    }
  }
  return true;
}

/** The object's link is written, or there is none that lives, or the program ends. */
function endsHere(command: Command, names: ReadonlySet<Variable>, link: NewLink, regions: Regions): boolean {
  switch (command.kind) {
    case 'store': {
      const place = regions.pointee(command.address);
      return (
        command.type.kind === 'pointer' &&
        leadsTo(baseOf(command.address), names) &&
        place !== undefined &&
        regions.find(place.node) === link.node &&
        place.at.modulus === 0 &&
        place.at.residue === link.slot.offset
      );
    }
    case 'free':
      return leadsTo(command.pointer, names);
    case 'assume': {
      const { condition } = command;
      if (condition.kind !== 'compare' || condition.operator !== 'eq') return false;
      const { left, right } = condition;
      return (right.kind === 'null' && leadsTo(left, names)) || (left.kind === 'null' && leadsTo(right, names));
    }
    case 'halt':
      return true;
    default:
      return false;
  }
}

const leadsTo = (e: Expression, names: ReadonlySet<Variable>): boolean => {
  const inner = withoutConversions(e);
  return inner.kind === 'read' && names.has(inner.variable);
};

const baseOf = (e: Expression): Expression => (e.kind === 'offset' ? baseOf(e.pointer) : withoutConversions(e));

const withoutConversions = (e: Expression): Expression =>
  e.kind === 'convert' && e.type.kind === 'pointer' ? withoutConversions(e.operand) : e;
