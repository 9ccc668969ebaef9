/**
 * Candidates about pointers into static data, read off the regions before any execution: a pool's blocks, the nodes of
 * a list in a static array, a cursor in a buffer. A pointer is null, or leads to an element of one of the few static
 * objects it may lead to, within bounds. The same is said of pointers that static data hold, of all elements of an
 * array at once, and that those below a counter are not null. Houdini is the judge.
 */
import * as L from '../../logic/build';
import type { Term } from '../../logic/term';
import { flat, residueOf } from '../../program/congruence';
import type { StaticObject } from '../../program/program';
import type { Node, Pointee } from '../../semantics/pointers/regionNode';
import { cellsIn, type Slot } from '../../semantics/pointers/slotLayout';
import type { MemoryVariable } from '../../semantics/symbolic/memoryModel';
import type { SymbolicPointer } from '../../semantics/symbolic/symbolicValues';
import type { Cutpoint } from '../transitionSystem/cutpoint';
import type { TransitionSystem } from '../transitionSystem/transitionSystem';
import { relevanceOf } from './observables';

const limits = {
  /** Static objects that one pointer may lead to. */
  targets: 4,
  /** Pointer variables at one cutpoint. */
  variables: 6,
  /** Arrays and members of static data that hold pointers. */
  places: 6,
  /** Static objects whose pointers are spoken of one by one, and bytes of one. */
  holders: 4,
  holderBytes: 4096,
  /** Variables that may count the pointers of an array. */
  counters: 3,
} as const;

/** At control points with any; those of static data are the same at all. */
export function staticTargets(system: TransitionSystem): ReadonlyMap<Cutpoint, readonly Term[]> {
  const inData = ofStaticData(system);
  const relevance = relevanceOf(system);
  return new Map(
    system.points
      .map((point) => {
        const own = variablesAt(point, system, relevance).flatMap(({ value, target }) =>
          leads(value, target, point.kind === 'loop' ? 'to its end' : 'within', system),
        );
        return [point, [...new Set([...own, ...inData])].filter((term) => term.kind !== 'boolean')] as const;
      })
      .filter(([, terms]) => terms.length > 0),
  );
}

/** Pointer variables in scope that may lead to static data. */
function variablesAt(
  point: Cutpoint,
  { vocabulary, memoryModel: { regions } }: TransitionSystem,
  relevance: ReturnType<typeof relevanceOf>,
): readonly { readonly value: SymbolicPointer; readonly target: Pointee }[] {
  return vocabulary
    .pointersFor(point.fn)
    .flatMap(({ variable, value }) => {
      const isParameter = point.fn.parameters.includes(variable);
      const isInScope =
        variable.scope === 'global'
          ? point.kind === 'module' || relevance.at(point.location, variable)
          : point.kind !== 'module' &&
            (point.kind !== 'entry' || isParameter) &&
            (point.kind !== 'exit' || variable === point.fn.resultVariable) &&
            relevance.at(point.location, variable);
      const target = isInScope ? regions.pointee({ kind: 'read', type: variable.type, variable }) : undefined;
      return target && staticsIn(target).length > 0 ? [{ value, target }] : [];
    })
    .slice(0, limits.variables);
}

/** Number and size of the static objects in a node; none when there are too many. */
function staticsIn({ node }: Pointee): readonly { readonly number: number; readonly sizeBytes: number }[] {
  const found = [...node.origins].flatMap((origin) => (origin.kind === 'static' ? [origin.object] : []));
  return found.length > limits.targets ? [] : found;
}

/** Null or within bounds; within bounds; and in a loop the same with the place behind the last element. */
function leads(
  pointer: SymbolicPointer,
  target: Pointee,
  how: 'within' | 'to its end',
  system: TransitionSystem,
): readonly Term[] {
  const isNull = nullPointer(pointer, system);
  const { modulus } = flat(target.at);
  const inside = within(pointer, target, system, L.ult);
  const found = [L.or(isNull, inside), inside];
  if (modulus === 0 || how === 'within') return found;
  const upTo = within(pointer, target, system, L.ule);
  return [...found, L.or(isNull, upTo), upTo];
}

function nullPointer({ object, offset }: SymbolicPointer, { memoryModel: { half } }: TransitionSystem): Term {
  return L.and(L.eq(object, L.bits(0n, half)), L.eq(offset, L.bits(0n, half)));
}

/** At a place where the regions say that it may be, below (or at) the end of one of the objects. */
function within(
  { object, offset }: SymbolicPointer,
  target: Pointee,
  { memoryModel: { half } }: TransitionSystem,
  isBelow: (a: Term, b: Term) => Term,
): Term {
  const literal = (value: number): Term => L.bits(BigInt.asUintN(half, BigInt(value)), half);
  const { residue, modulus } = flat(target.at);
  const isPlace =
    modulus === 0
      ? L.eq(offset, literal(residue))
      : modulus === 1
        ? L.TRUE
        : L.eq(L.urem(offset, literal(modulus)), literal(residue));
  return L.and(
    isPlace,
    L.or(
      ...staticsIn(target).map(({ number, sizeBytes }) =>
        L.and(L.eq(object, literal(number)), modulus === 0 ? L.TRUE : isBelow(offset, literal(sizeBytes))),
      ),
    ),
  );
}

/** The pointers of one slot in a static object, at regular distances. */
interface Holder {
  readonly object: StaticObject;
  readonly first: number;
  readonly step: number;
}

/** Pointers that lie in static data. */
function ofStaticData(system: TransitionSystem): readonly Term[] {
  const { memoryModel } = system;
  if (memoryModel.regions.collapsed) return [];
  const found = memoryModel.variables.flatMap((memory): readonly (readonly Term[])[] => {
    const { role } = memory;
    if (role.kind !== 'slot' || role.part !== 'object' || role.slot === 'byte') return [];
    const offsets = memoryModel.slot(role.node, role.slot, 'offset');
    const holders = holdersOf(role.node, role.slot, system);
    const [one] = holders ?? [];
    const target =
      one && memoryModel.regions.stored(role.node, { residue: residueOf(one.first, one.step), modulus: one.step });
    if (!offsets || !holders || !target || staticsIn(target).length === 0) return [];
    return [pointersIn(memory, offsets, holders, target, system)];
  });
  return found.slice(0, limits.places).flat();
}

/** Undefined if there are too many objects, or their pointers lie at no regular distances. */
function holdersOf(
  node: Node,
  slot: Slot,
  { memoryModel: { regions } }: TransitionSystem,
): readonly Holder[] | undefined {
  const objects = [...node.origins].flatMap((origin) => (origin.kind === 'static' ? [origin.object] : []));
  if (objects.length > limits.holders) return undefined;
  const holders = objects.flatMap((object): readonly (Holder | undefined)[] => {
    const cells = cellsIn(regions.layout(node), slot, object.sizeBytes, limits.holderBytes);
    const [first, second] = cells;
    if (first === undefined) return [];
    const step = second === undefined ? 0 : second - first;
    const isRegular = cells.every((cell, i) => cell === first + i * step);
    return [isRegular && object.sizeBytes <= limits.holderBytes ? { object, first, step } : undefined];
  });
  return holders.every((holder) => holder !== undefined) ? holders : undefined;
}

function pointersIn(
  objects: MemoryVariable,
  offsets: MemoryVariable,
  holders: readonly Holder[],
  target: Pointee,
  system: TransitionSystem,
): readonly Term[] {
  const { role } = objects;
  const {
    vocabulary,
    memoryModel: { half, halfSort },
  } = system;
  if (role.kind !== 'slot') return [];
  const [object, offset] = [vocabulary.symbolOf(objects), vocabulary.symbolOf(offsets)];
  const at = (place: Term): SymbolicPointer => ({ object: L.select(object, place), offset: L.select(offset, place) });
  const isProper = (pointer: SymbolicPointer): Term =>
    L.or(nullPointer(pointer, system), within(pointer, target, system, L.ult));
  const numberOf = ({ object: { number } }: Holder): Term => L.bits(BigInt(number), half);
  const place = L.symbol('?offset', halfSort);
  const ofAll = (holder: Holder, pointer: SymbolicPointer): Term =>
    L.forall([place], L.implies(isCell(place, holder, half), isProper(pointer)));
  switch (role.addressing) {
    case 'plain':
      return role.single?.kind === 'static' ? leads({ object, offset }, target, 'within', system) : [];
    case 'by-object':
      return holders.map((holder) => isProper(at(numberOf(holder))));
    case 'by-offset':
      return role.single?.kind === 'static'
        ? holders.flatMap((holder) => [ofAll(holder, at(place)), ...belowCounters(holder, at, system)])
        : [];
    case 'by-object-and-offset':
      return holders.map((holder) => ofAll(holder, at(L.concat(numberOf(holder), place))));
  }
}

function isCell(place: Term, { object: { sizeBytes }, first, step }: Holder, half: number): Term {
  const literal = (value: number): Term => L.bits(BigInt(value), half);
  return step === 0
    ? L.eq(place, literal(first))
    : L.and(
        L.ult(place, literal(sizeBytes)),
        L.ule(literal(first), place),
        L.eq(L.urem(place, literal(step)), literal(first % step)),
      );
}

/** Pointers below a static number are not null: `fields[count++] = p`. */
function belowCounters(
  { object: { sizeBytes }, first, step }: Holder,
  at: (place: Term) => SymbolicPointer,
  { vocabulary, memoryModel: { half, halfSort }, client }: TransitionSystem,
): readonly Term[] {
  if (step === 0 || !client) return [];
  const bound = L.symbol('?n', halfSort);
  const literal = (value: number): Term => L.bits(BigInt(value), half);
  const place = L.add(L.mul(literal(step), bound), literal(first));
  const counters = vocabulary.symbolsFor(client.fn).flatMap((symbol) => {
    const meaning = vocabulary.meaning(symbol);
    const type = meaning?.kind === 'variable' && meaning.variable.scope === 'global' && meaning.variable.type;
    return type && type.kind === 'integer' && type.widthBits >= half && type.widthBits <= 64
      ? [{ symbol, signed: type.signed, widthBits: type.widthBits }]
      : [];
  });
  return counters.slice(0, limits.counters).map(({ symbol, signed, widthBits }) => {
    const number = L.resize(bound, widthBits, 'unsigned');
    const isBelow = (signed ? L.slt : L.ult)(number, symbol);
    const isInside = L.ult(bound, literal(Math.ceil((sizeBytes - first) / step)));
    return L.forall([bound], L.implies(L.and(isInside, isBelow), L.not(L.eq(at(place).object, literal(0)))));
  });
}
