/**
 * Bounds of all elements of a static array, from what is stored there: where a function compares a number with
 * constants and then stores it in a member of a structure in a table, those are the bounds that the member may keep,
 * and so are constants that are stored themselves, or that the member is compared with before something is added, and
 * the interval of all that steps store. Said
 * of each element by its number, in the member's type, so that it does not matter how memory is divided.
 */
import * as L from '../../../logic/build';
import type { Term } from '../../../logic/term';
import type { WordBounds } from '../../../logic/bounds/assertedBounds';
import { max, min, rangeOf } from '../../../logic/bounds/wordRanges';
import { fits, maximum, minimum } from '../../../program/build';
import type { Expression, Variable } from '../../../program/expression';
import { residueOf } from '../../../program/congruence';
import { type FunctionDefinition, initialisedBytes } from '../../../program/program';
import { walk } from '../../../program/traverse';
import type { TransitionSystem } from '../../transitionSystem/transitionSystem';
import type { Cutpoint } from '../../transitionSystem/cutpoint';
import { type InvariantMap, invariantsAt, noInvariants } from '../../transitionSystem/invariantMap';
import { conditionsOnTheWay } from '../conditions/conditionsOnTheWay';
import { baseOf, hull } from '../rounds/loopRounds';
import { type ElementBound, boundOfEach, elementOf, staticNumbers, type StaticNumber } from './elementsByNumber';
import { isTrueAtStart } from './startStates';
import { isPlaceOf, storesTo } from './staticMembers';
import { storedInterval } from './storedIntervals';

const limits = {
  /** Members of all static arrays together, and bounds of one. */
  members: 10,
  bounds: 8,
  /** Elements of an array. */
  elements: 1 << 16,
} as const;

/**
 * Bounds of the numbers in static arrays as they are in memory, by the arrays of symbols that hold them: the widest of
 * the candidates.
 */
export function boundsInMemory(system: TransitionSystem): ReadonlyMap<string, WordBounds> {
  const { memoryModel } = system;
  const tested = conditionsOnTheWay(system);
  const found = new Map<string, WordBounds>();
  for (const member of membersIn(system)) {
    const node = memoryModel.regions.nodeOfOrigin(member.object);
    const layout = node && memoryModel.regions.layout(node);
    if (!node || layout?.kind !== 'slots' || layout.stride === 0) continue;
    const cell = residueOf(member.offsetBytes, layout.stride);
    const ofStores = boundsOfStores(member, system, (point) => tested.get(point) ?? []);
    const bounds = [...ofStores, ...boundsOf(member, system)];
    const values = (side: ElementBound['side']): readonly bigint[] =>
      bounds.flatMap((b) => (b.side === side ? [b.value] : []));
    const [least, most] = [values('least'), values('most')];
    if (least.length === 0 || most.length === 0) continue;
    const range = { low: min(...least), high: max(...most) };
    for (const { name, role } of memoryModel.slotVariables(node)) {
      const isIts = role.kind === 'slot' && role.part === 'value' && role.slot !== 'byte';
      if (!isIts || !role.slot.cells.includes(cell) || role.slot.bytes * 8 !== member.type.widthBits) continue;
      const whole = rangeOf('unsigned', member.type.widthBits);
      const positive = range.low < 0n ? whole : range;
      const one = { signed: member.type.signed ? range : rangeOf('signed', member.type.widthBits), unsigned: positive };
      const before = found.get(name);
      found.set(name, before ? hull(before, one) : one);
    }
  }
  return found;
}

const membersIn = (system: TransitionSystem): readonly StaticNumber[] =>
  staticNumbers(system)
    .filter(({ count }) => count <= limits.elements)
    .slice(0, limits.members);

/** The same at every control point, for the client's to be kept on the way; none for a program. */
export function storedBounds(
  system: TransitionSystem,
  known: InvariantMap = noInvariants,
): ReadonlyMap<Cutpoint, readonly Term[]> {
  if (!system.client) return new Map();
  const holdsAtStart = isTrueAtStart(system);
  const tested = conditionsOnTheWay(system);
  const conditionsAt = (point: Cutpoint): readonly Term[] => [
    ...invariantsAt(known, point),
    ...(tested.get(point) ?? []),
  ];
  const candidates = membersIn(system).flatMap((member) =>
    [...boundsOfStores(member, system, conditionsAt), ...boundsOf(member, system)]
      .flatMap((bound) => boundOfEach(member, bound, system))
      .filter((term, i, all) => all.indexOf(term) === i && holdsAtStart(term))
      .slice(0, limits.bounds),
  );
  return new Map(candidates.length === 0 ? [] : system.points.map((point) => [point, candidates]));
}

/**
 * Constants with which functions compare what they store in the member, or the member before they add to it, constants
 * that they store, and 0 at first.
 */
function boundsOf(member: StaticNumber, system: TransitionSystem): readonly ElementBound[] {
  const { type } = member;
  const found = new Map<string, ElementBound>();
  const add = (side: ElementBound['side'], value: bigint): void => {
    const isTelling = side === 'least' ? value > minimum(type) : value < maximum(type);
    if (fits(value, type) && isTelling) found.set(`${side} ${value}`, { side, value });
  };
  const isMember = isPlaceOf(member, system);
  for (const { fn, value } of storesTo(member, system)) {
    if (value.kind === 'integer') for (const side of ['least', 'most'] as const) add(side, value.value);
    for (const constant of comparedWith(fn, numberIn(value))) {
      add('least', constant);
      add('least', constant + 1n);
      add('most', constant);
      add('most', constant - 1n);
    }
    // As where what is left of a buffer is compared with what is added: `count <= 32 - used`, then `used += count`.
    if (readsWhere(value, isMember)) for (const constant of comparedBeside(fn, isMember)) add('most', constant);
  }
  if (found.size > 0 && initialisedBytes(member.object) === 0)
    for (const side of ['least', 'most'] as const) add(side, 0n);
  return [...found.values()];
}

/** The variable that a value is, but for its type. */
function numberIn(value: Expression): Variable | undefined {
  if (value.kind === 'convert') return numberIn(value.operand);
  return value.kind === 'read' ? value.variable : undefined;
}

/** Constants that a function compares the variable with. */
function comparedWith(fn: FunctionDefinition, variable: Variable | undefined): ReadonlySet<bigint> {
  const found = new Set<bigint>();
  if (!variable) return found;
  for (const { command } of fn.edges)
    if (command.kind === 'assume')
      walk(command.condition, (e) => {
        if (e.kind !== 'compare') return;
        for (const [one, other] of [
          [e.left, e.right],
          [e.right, e.left],
        ] as const)
          if (numberIn(one) === variable && other.kind === 'integer') found.add(other.value);
      });
  return found;
}

const readsWhere = (value: Expression, isWanted: (address: Expression) => boolean): boolean => {
  let isFound = false;
  walk(value, (e) => {
    isFound ||= e.kind === 'load' && isWanted(e.address);
  });
  return isFound;
};

/** Constants in comparisons of a function that read such a place. */
function comparedBeside(fn: FunctionDefinition, isWanted: (address: Expression) => boolean): ReadonlySet<bigint> {
  const found = new Set<bigint>();
  for (const { command } of fn.edges)
    if (command.kind === 'assume')
      walk(command.condition, (compared) => {
        if (compared.kind !== 'compare' || !readsWhere(compared, isWanted)) return;
        for (const side of [compared.left, compared.right])
          walk(side, (e) => {
            if (e.kind === 'integer') found.add(e.value);
          });
      });
  return found;
}

/** Both ends of the interval of what steps store. */
function boundsOfStores(
  member: StaticNumber,
  system: TransitionSystem,
  conditionsAt: (point: Cutpoint) => readonly Term[],
): readonly ElementBound[] {
  const { type, object } = member;
  // A program has no state between calls in which an element is read.
  if (!system.client) return [];
  const element = elementOf(member, system);
  const array = element && L.isApplication(element, 'select') ? baseOf(element.args[0]!) : undefined;
  if (array?.kind !== 'symbol' || initialisedBytes(object) > 0) return [];
  const found = storedInterval(array, type.signed ? 'signed' : 'unsigned', 0n, system, conditionsAt);
  if (!found || !fits(found.low, type) || !fits(found.high, type)) return [];
  return [
    ...(found.low > minimum(type) ? [{ side: 'least', value: found.low } as const] : []),
    ...(found.high < maximum(type) ? [{ side: 'most', value: found.high } as const] : []),
  ];
}
