/**
 * Formulas that say of places in memory that something was written there: what reads of values that were never
 * initialised are excluded by.
 */
import * as L from '../../logic/build';
import type { Term } from '../../logic/term';
import type { Variable } from '../../program/expression';
import { cellsIn } from '../../semantics/pointers/slotLayout';
import type { MemoryModel } from '../../semantics/symbolic/memoryModel';
import { asPointer, FreshSymbols, type SymbolicPointer } from '../../semantics/symbolic/symbolicValues';
import { declaredAt } from '../../semantics/symbolic/vocabulary';
import type { Cutpoint } from './cutpoint';
import type { TransitionSystem } from './transitionSystem';

const limits = {
  /** Elements of an array that are looked at one by one. */
  cells: 4,
} as const;

/** Definedness of a pointer's target: each member of a structure, the element it points at. */
export function definedAt(
  { memoryModel, vocabulary }: TransitionSystem,
  variable: Variable,
  { object, offset }: SymbolicPointer,
): readonly Term[] {
  const node = memoryModel.tracksDefinedness
    ? memoryModel.regions.pointee({ kind: 'read', type: variable.type, variable })?.node
    : undefined;
  return (node ? memoryModel.slotVariables(node) : []).flatMap((memory) => {
    const { role } = memory;
    if (role.kind !== 'written') return [];
    const written = vocabulary.symbolOf(memory);
    const place = role.slot === 'byte' ? offset : L.add(offset, L.bits(BigInt(role.slot.offset), memoryModel.half));
    switch (role.addressing) {
      case 'plain':
        return [written];
      case 'by-object':
        return [L.select(written, object)];
      case 'by-offset':
        return [L.select(written, place)];
      case 'by-object-and-offset':
        return [L.select(written, L.concat(object, place))];
    }
  });
}

/** In the automatic objects that are there. */
export function definedObjects(
  { memoryModel, vocabulary }: TransitionSystem,
  { fn, location, kind }: Cutpoint,
): readonly Term[] {
  if (!memoryModel.tracksDefinedness || kind === 'module') return [];
  const { objects } = vocabulary.arbitraryState(fn, new FreshSymbols('objects'));
  return declaredAt(fn, location).flatMap((object) => {
    const id = asPointer(objects[object.slot]!).object;
    const node = memoryModel.regions.nodeOfOrigin(object);
    return (node ? memoryModel.slotVariables(node) : []).flatMap((memory) => {
      const { role } = memory;
      if (role.kind !== 'written') return [];
      const written = vocabulary.symbolOf(memory);
      if (role.addressing === 'plain') return [written];
      if (role.addressing === 'by-object') return [L.select(written, id)];
      const offsets = cellsIn(memoryModel.regions.layout(role.node), role.slot, object.sizeBytes, limits.cells).map(
        (cell) => L.bits(BigInt(cell), memoryModel.half),
      );
      return offsets.map((offset) =>
        L.select(written, role.addressing === 'by-offset' ? offset : L.concat(id, offset)),
      );
    });
  });
}

/**
 * Promise of clients: at the start of an object of theirs everything was written. The module's own may have been handed
 * out as it was made: static data, blocks, and (`calledBack`) what is automatic in a call that has not ended.
 */
export function definedArgument(
  memoryModel: MemoryModel,
  parameter: Variable,
  { object, offset }: SymbolicPointer,
  contents: readonly Term[],
  calledBack: boolean,
): Term[] {
  const node = memoryModel.tracksDefinedness
    ? memoryModel.regions.pointee({ kind: 'read', type: parameter.type, variable: parameter })?.node
    : undefined;
  const origins = [...(node?.origins ?? [])];
  if (
    !node ||
    !origins.some(({ kind }) => kind === 'external') ||
    origins.some(({ kind }) => kind === 'set-up' || (calledBack && kind === 'frame'))
  )
    return [];
  const half = (value: number): Term => L.bits(BigInt(value), memoryModel.half);
  const isNull = L.eq(object, half(0));
  const isOwn = L.or(
    L.ule(object, half(memoryModel.lastStatic)),
    ...(origins.some(({ kind }) => kind === 'heap')
      ? [
          L.eq(
            L.select(contents[memoryModel.allocationSite.index]!, object),
            L.bits(memoryModel.allocationSiteOf(node), memoryModel.half),
          ),
        ]
      : []),
  );
  return memoryModel.slotVariables(node).flatMap(({ index, role }) => {
    if (role.kind !== 'written' || (role.addressing !== 'by-object' && role.addressing !== 'by-object-and-offset'))
      return [];
    const places =
      role.addressing === 'by-object'
        ? [object]
        : cellsIn(memoryModel.regions.layout(node), role.slot, Infinity, limits.cells).map((cell) =>
            L.concat(object, L.add(offset, half(cell))),
          );
    return places.map((place) => L.or(isNull, isOwn, L.select(contents[index]!, place)));
  });
}
