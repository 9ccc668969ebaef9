/**
 * Candidates about heap objects that static data own: a table of open handles, the buffer of a static structure or
 * variable. A
 * pointer in static data is null, or leads to the start of a live block of the heap; no two lead to the same one, so
 * that freeing one leaves the others; the block has the size of an allocation in the program, or room for as many
 * elements as a number beside the pointer says. Read off the regions before any execution; Houdini is the judge.
 */
import * as L from '../../../logic/build';
import type { Term } from '../../../logic/term';
import { read } from '../../../program/build';
import type { IntegerScalar, Variable } from '../../../program/expression';
import type { Pointee } from '../../../semantics/pointers/regionNode';
import { FreshSymbols, isPointer, number, type SymbolicPointer } from '../../../semantics/symbolic/symbolicValues';
import type { Cutpoint } from '../../transitionSystem/cutpoint';
import type { TransitionSystem } from '../../transitionSystem/transitionSystem';
import { allocatedSizes, elementSizes } from '../allocatedSizes';
import { beside, heldPointers, type HeldPointer, isPlaceOf } from './heldPointers';

const limits = {
  /** Candidates in all. */
  candidates: 40,
  /** Numbers that lie beside a pointer, and beside a variable of its own. */
  numbers: 3,
  numbersOfVariable: 4,
  /** Such variables. */
  variables: 3,
} as const;

/** The same at all control points. */
export function ownedObjects(system: TransitionSystem): ReadonlyMap<Cutpoint, readonly Term[]> {
  const held = heldPointers(system, leadsToHeap);
  const found = [
    ...ofVariables(system),
    ...held.flatMap((one, i) => [
      ...ofEach(one, system),
      ...(one.isMany ? [ofTwo(one, one, system)] : []),
      ...held
        .slice(i + 1)
        .filter(({ target }) => isSameRegion(target, one.target, system))
        .map((other) => ofTwo(one, other, system)),
    ]),
  ];
  const candidates = [...new Set(found)].filter((term) => term.kind !== 'boolean').slice(0, limits.candidates);
  return new Map(candidates.length === 0 ? [] : system.points.map((point) => [point, candidates]));
}

const leadsToHeap = ({ node }: Pointee): boolean => [...node.origins].some(({ kind }) => kind === 'heap');

const isSameRegion = (a: Pointee, b: Pointee, { memoryModel: { regions } }: TransitionSystem): boolean =>
  regions.find(a.node) === regions.find(b.node);

function isNull({ object, offset }: SymbolicPointer, { memoryModel: { half } }: TransitionSystem): Term {
  return L.and(L.eq(object, L.bits(0n, half)), L.eq(offset, L.bits(0n, half)));
}

/** Pointers that are variables by themselves, with the static numbers around them. */
function ofVariables(system: TransitionSystem): readonly Term[] {
  const { program, memoryModel, vocabulary } = system;
  const [fn] = system.functions;
  if (!fn || memoryModel.regions.collapsed) return [];
  const { globals } = vocabulary.arbitraryState(fn, new FreshSymbols('owned'));
  const own = program.globals.filter(({ visible }) => !visible);
  const numbers = own.flatMap(({ variable }) =>
    variable.type.kind === 'integer' && variable.type.widthBits <= 64 ? [variable] : [],
  );
  return own
    .flatMap(({ variable }): readonly (readonly Term[])[] => {
      const value = globals[variable.slot]!;
      const target = memoryModel.regions.pointee(read(variable));
      if (!isPointer(value) || !target || !leadsToHeap(target)) return [];
      const distance = (other: Variable): number => Math.abs(other.slot - variable.slot);
      const counts = [...numbers]
        .sort((a, b) => distance(a) - distance(b))
        .slice(0, limits.numbersOfVariable)
        .map(({ slot, type }) => wide(number(globals[slot]!), type as IntegerScalar));
      return [saidOf(value, target, counts, system)];
    })
    .slice(0, limits.variables)
    .flat();
}

const wide = (value: Term, { signed }: IntegerScalar): Term =>
  signed ? L.signExtend(value, 64) : L.zeroExtend(value, 64);

/** Each is null, or what is said of it holds. */
function ofEach(held: HeldPointer, system: TransitionSystem): readonly Term[] {
  const place = L.symbol('?offset', system.memoryModel.halfSort);
  const pointer = held.at(place);
  const said = saidOf(pointer, held.target, numbersBeside(held, place, system), system);
  return held.isMany ? said.map((one) => L.forall([place], L.implies(isPlaceOf(held, place), one))) : said;
}

/** It is null, or what is said of it holds; where it is null, a number of elements is 0. */
function saidOf(
  pointer: SymbolicPointer,
  target: Pointee,
  counts: readonly Term[],
  system: TransitionSystem,
): readonly Term[] {
  const isNone = isNull(pointer, system);
  return [
    ...factsOf(pointer, target, counts, system).map((fact) => L.or(isNone, fact)),
    ...counts.map((count) => L.or(L.not(isNone), L.eq(count, L.bits(0n, 64)))),
  ];
}

/** Facts about a pointer that is not null; `counts`: words of 64 bits that may be the numbers of its elements. */
function factsOf(
  { object, offset }: SymbolicPointer,
  target: Pointee,
  counts: readonly Term[],
  system: TransitionSystem,
): readonly Term[] {
  const { memoryModel, vocabulary } = system;
  const { half } = memoryModel;
  const ofObject = (memory: typeof memoryModel.live): Term => L.select(vocabulary.symbolOf(memory), object);
  const size = ofObject(memoryModel.size);
  const isBlock = L.and(
    L.ult(L.bits(BigInt(memoryModel.lastStatic), half), object),
    L.ult(object, vocabulary.symbolOf(memoryModel.allocationCounter)),
    ofObject(memoryModel.live),
    ofObject(memoryModel.heap),
    L.eq(offset, L.bits(0n, half)),
  );
  const site = L.bits(memoryModel.allocationSiteOf(target.node), half);
  return [
    isBlock,
    // Not one of the client's.
    L.eq(ofObject(memoryModel.allocationSite), site),
    ...allocatedSizes(system).map((bytes) => L.eq(size, L.bits(bytes, half))),
    ...counts.flatMap((count) =>
      elementSizes(target.node, system).flatMap((unit) => {
        const [room, bytes] = [L.zeroExtend(size, 64), L.mul(count, L.bits(BigInt(unit), 64))];
        return [L.eq(room, bytes), L.ule(count, L.udiv(room, L.bits(BigInt(unit), 64)))];
      }),
    ),
  ];
}

/** Numbers of the same structure, as words of 64 bits. */
function numbersBeside(held: HeldPointer, place: Term, system: TransitionSystem): readonly Term[] {
  const { memoryModel } = system;
  const layout = memoryModel.regions.layout(held.node);
  if (layout.kind !== 'slots') return [];
  return layout.slots
    .flatMap((slot): readonly Term[] => {
      if (slot.type.kind !== 'integer' || slot.type.widthBits > 64 || slot.cells.length > held.slot.cells.length)
        return [];
      const memory = memoryModel.slot(held.node, slot, 'value');
      const value = memory && beside(held, memory, slot.offset - held.slot.offset, place, system);
      return value ? [wide(value, slot.type)] : [];
    })
    .slice(0, limits.numbers);
}

/** Pointers at different places lead to different objects. */
function ofTwo(one: HeldPointer, other: HeldPointer, system: TransitionSystem): Term {
  const { halfSort } = system.memoryModel;
  const [place, elsewhere] = [L.symbol('?offset', halfSort), L.symbol('?other', halfSort)];
  const [a, b] = [one.at(place).object, other.at(elsewhere).object];
  const areApart = L.or(L.eq(a, L.bits(0n, L.widthOf(a))), L.not(L.eq(a, b)));
  const bounds = [...(one.isMany ? [place] : []), ...(other.isMany ? [elsewhere] : [])];
  if (bounds.length === 0) return areApart;
  const where = [
    ...(one.isMany ? [isPlaceOf(one, place)] : []),
    ...(other.isMany ? [isPlaceOf(other, elsewhere)] : []),
    ...(one === other ? [L.not(L.eq(place, elsewhere))] : []),
  ];
  return L.forall(bounds, L.implies(L.and(...where), areApart));
}
