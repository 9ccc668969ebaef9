/**
 * Formulas about all elements of a small static array at once: each within a bound, each at most its counterpart in
 * another array, or 0 or not as that is. A class invariant of tables, free lists and cursors; over a fixed number of
 * elements no quantifier is needed. Of tables of functions: each is one that can be called, or null, and those before a
 * counter are not null.
 */
import * as L from '../../../logic/build';
import type { Term } from '../../../logic/term';
import { cellsIn } from '../../../semantics/pointers/slotLayout';
import { passedFunctions, type PassedFunctions } from '../../../semantics/pointers/passedFunctions';
import type { MemoryVariable } from '../../../semantics/symbolic/memoryModel';
import type { SymbolicPointer } from '../../../semantics/symbolic/symbolicValues';
import { isCallableOrNull } from '../../../semantics/symbolic/functionPointerAssumptions';
import { typeAt } from '../../printing/memberPaths';
import type { Cutpoint } from '../../transitionSystem/cutpoint';
import { relevantMemory } from '../../transitionSystem/relevantData';
import type { Observable } from '../samples';
import type { TransitionSystem } from '../../transitionSystem/transitionSystem';

const limits = {
  elements: 16,
  arrays: 8,
  bounds: 12,
  counters: 4,
  /** Sums at each point. */
  sums: 2,
} as const;

interface Elements {
  readonly terms: readonly Term[];
  readonly signed: boolean;
  readonly widthBits: number;
  readonly constant: boolean;
}

export function tableCandidates(
  system: TransitionSystem,
  constants: readonly bigint[],
  counters: readonly Observable[],
): readonly Term[] {
  const arrays = relevantMemory(system)
    .flatMap((memory) => elementsOf(memory, system))
    .slice(0, limits.arrays);
  const formulas: Term[] = [];
  for (const { terms, signed, widthBits, constant } of arrays) {
    if (constant) continue;
    const le = signed ? L.sle : L.ule;
    const [least, most] = signed
      ? [-(1n << BigInt(widthBits - 1)), (1n << BigInt(widthBits - 1)) - 1n]
      : [0n, (1n << BigInt(widthBits)) - 1n];
    const near = constants
      .filter((c) => c >= least && c <= most)
      .sort((a, b) => Number(magnitude(a) - magnitude(b)))
      .slice(0, limits.bounds);
    for (const bound of near) {
      const literal = L.bits(BigInt.asUintN(widthBits, bound), widthBits);
      if (bound > least) formulas.push(L.and(...terms.map((term) => le(literal, term))));
      if (bound < most) formulas.push(L.and(...terms.map((term) => le(term, literal))));
    }
  }
  for (const a of arrays) {
    for (const b of arrays) {
      if (
        a === b ||
        a.terms.length !== b.terms.length ||
        a.widthBits !== b.widthBits ||
        a.signed !== b.signed ||
        (a.constant && b.constant)
      )
        continue;
      const [le, lt] = a.signed ? [L.sle, L.slt] : [L.ule, L.ult];
      formulas.push(
        L.and(...a.terms.map((term, i) => le(term, b.terms[i]!))),
        L.and(...a.terms.map((term, i) => lt(term, b.terms[i]!))),
      );
    }
  }
  for (const a of arrays) {
    for (const b of arrays) {
      if (a === b || a.terms.length !== b.terms.length || a.constant || b.constant) continue;
      // Elements in use are filled in; the others are as at first.
      const [use, other] = [a, b].map(({ terms, widthBits }) =>
        terms.map((term) => L.eq(term, L.bits(0n, widthBits))),
      ) as [Term[], Term[]];
      formulas.push(
        L.and(...use.map((isZero, i) => L.or(isZero, L.not(other[i]!)))),
        L.and(...use.map((isZero, i) => L.or(L.not(isZero), other[i]!))),
      );
    }
  }
  for (const { functions, pointers } of relevantMemory(system)
    .flatMap((memory) => functionsIn(memory, system))
    .slice(0, limits.arrays)) {
    const { half } = system.memoryModel;
    formulas.push(L.and(...pointers.map((pointer) => isCallableOrNull(functions, pointer, half))));
    for (const { term, signed, widthBits } of counters.slice(0, limits.counters)) {
      if (2 ** (widthBits - 1) < pointers.length) continue;
      const isBefore = (i: number): Term => (signed ? L.slt : L.ult)(L.bits(BigInt(i), widthBits), term);
      formulas.push(
        L.and(...pointers.map(({ object }, i) => L.implies(isBefore(i), L.not(L.eq(object, L.bits(0n, half)))))),
      );
    }
  }
  return [...new Set(formulas)].filter((term) => term.kind !== 'boolean');
}

/**
 * Sums of all elements of small static arrays as observables behind the others: what a counter of all and counters of
 * each kind have in common.
 */
export function withElementSums(
  system: TransitionSystem,
  observables: ReadonlyMap<Cutpoint, readonly Observable[]>,
): Map<Cutpoint, Observable[]> {
  const sums = relevantMemory(system)
    .flatMap((memory) =>
      elementsOf(memory, system).flatMap((elements) => (elements.constant ? [] : [sumOf(elements, memory.name)])),
    )
    .slice(0, limits.sums);
  return new Map([...observables].map(([point, list]) => [point, [...list, ...sums]]));
}

/** In at least 32 bits, of which each element, but not their sum, is sure to fit. */
function sumOf({ terms, signed, widthBits }: Elements, array: string): Observable {
  const width = Math.max(32, widthBits);
  const wide = terms.map((term) => (signed ? L.signExtend : L.zeroExtend)(term, width));
  return {
    term: wide.reduce((sum, term) => L.add(sum, term)),
    name: `sum of ${array}`,
    signed: signed || width > widthBits,
    widthBits: width,
    isSum: true,
  };
}

/** A member of a record is an array of its own, one element in each record. */
function elementsOf(memory: MemoryVariable, system: TransitionSystem): Elements[] {
  const { role } = memory;
  if (
    role.kind !== 'slot' ||
    role.addressing !== 'by-offset' ||
    role.slot === 'byte' ||
    role.slot.type.kind !== 'integer' ||
    role.slot.type.widthBits > 64 ||
    role.single?.kind !== 'static'
  )
    return [];
  const layout = system.memoryModel.regions.layout(role.node);
  const { slot } = role;
  const cells = cellsIn(layout, slot, role.single.object.sizeBytes, limits.elements + 1);
  if (cells.length < 2 || cells.length > limits.elements) return [];
  const contents = system.vocabulary.symbolOf(memory);
  const terms = cells.map((offset) => L.select(contents, L.bits(BigInt(offset), system.memoryModel.half)));
  return [
    { terms, signed: role.slot.type.signed, widthBits: role.slot.type.widthBits, constant: contents.kind !== 'symbol' },
  ];
}

/** For each table of pointers to functions that clients may pass: all are null, or can be called. */
export const callableTables = (system: TransitionSystem): readonly Term[] =>
  relevantMemory(system)
    .flatMap((memory) => functionsIn(memory, system))
    .slice(0, limits.arrays)
    .map(({ functions, pointers }) =>
      L.and(...pointers.map((pointer) => isCallableOrNull(functions, pointer, system.memoryModel.half))),
    );

/** The elements of a table of pointers to functions that clients may pass. */
function functionsIn(
  memory: MemoryVariable,
  system: TransitionSystem,
): { readonly functions: PassedFunctions; readonly pointers: readonly SymbolicPointer[] }[] {
  const { role } = memory;
  const { memoryModel, vocabulary, program } = system;
  if (
    role.kind !== 'slot' ||
    role.part !== 'object' ||
    role.addressing !== 'by-offset' ||
    role.slot === 'byte' ||
    role.single?.kind !== 'static'
  )
    return [];
  const {
    slot,
    single: { object },
  } = role;
  const cells = cellsIn(memoryModel.regions.layout(role.node), slot, object.sizeBytes, limits.elements + 1);
  const functions =
    cells.length < 2 || cells.length > limits.elements
      ? undefined
      : passedFunctions(typeAt(object.ctype, cells[0]!, vocabulary), program);
  const offsets = memoryModel.slot(role.node, slot, 'offset');
  if (!functions || !offsets) return [];
  const part = (of: MemoryVariable, cell: number): Term =>
    L.select(vocabulary.symbolOf(of), L.bits(BigInt(cell), memoryModel.half));
  return [{ functions, pointers: cells.map((cell) => ({ object: part(memory, cell), offset: part(offsets, cell) })) }];
}

const magnitude = (value: bigint): bigint => (value < 0n ? -value : value);
