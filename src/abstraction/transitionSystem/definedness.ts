/**
 * Formulas that say of places in memory that something was written there: what reads of values that were never
 * initialised are excluded by.
 */
import * as L from '../../logic/build';
import type { Term } from '../../logic/term';
import type { Variable } from '../../program/expression';
import { cellsIn } from '../../semantics/pointers/slotLayout';
import type { MemoryShape } from '../../semantics/symbolic/memoryShape';
import { asPointer, FreshSymbols, type SymbolicPointer } from '../../semantics/symbolic/symbolicValues';
import { declaredAt } from '../../semantics/symbolic/vocabulary';
import type { ControlPoint } from './controlPoint';
import type { System } from './transitionSystem';

/** Elements of an array that are looked at one by one. */
const CELL_LIMIT = 4;

/** Where a pointer leads to: each member of a structure, the element it points at. */
export function writtenAt(
  { shape, vocabulary }: System,
  variable: Variable,
  { object, offset }: SymbolicPointer,
): readonly Term[] {
  const node = shape.tracksWriting
    ? shape.regions.pointee({ kind: 'read', type: variable.type, variable })?.node
    : undefined;
  return (node ? shape.slotVariables(node) : []).flatMap((memory) => {
    const { role } = memory;
    if (role.kind !== 'written') return [];
    const written = vocabulary.symbolOf(memory);
    const place = role.slot === 'byte' ? offset : L.add(offset, L.bits(BigInt(role.slot.offset), shape.half));
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
export function writtenObjects({ shape, vocabulary }: System, { fn, location, kind }: ControlPoint): readonly Term[] {
  if (!shape.tracksWriting || kind === 'module') return [];
  const { objects } = vocabulary.anywhere(fn, new FreshSymbols('objects'));
  return declaredAt(fn, location).flatMap((object) => {
    const id = asPointer(objects[object.slot]!).object;
    const node = shape.regions.nodeOfOrigin(object);
    return (node ? shape.slotVariables(node) : []).flatMap((memory) => {
      const { role } = memory;
      if (role.kind !== 'written') return [];
      const written = vocabulary.symbolOf(memory);
      if (role.addressing === 'plain') return [written];
      if (role.addressing === 'by-object') return [L.select(written, id)];
      const offsets = cellsIn(shape.regions.layout(role.node), role.slot, object.sizeBytes, CELL_LIMIT).map((cell) =>
        L.bits(BigInt(cell), shape.half),
      );
      return offsets.map((offset) =>
        L.select(written, role.addressing === 'by-offset' ? offset : L.concat(id, offset)),
      );
    });
  });
}

/**
 * What clients keep to: at the start of an object of theirs everything was written. The module's own may have been
 * handed out as it was made: static data, blocks, and (`calledBack`) what is automatic in a call that has not ended.
 */
export function writtenArgument(
  shape: MemoryShape,
  parameter: Variable,
  { object, offset }: SymbolicPointer,
  contents: readonly Term[],
  calledBack: boolean,
): Term[] {
  const node = shape.tracksWriting
    ? shape.regions.pointee({ kind: 'read', type: parameter.type, variable: parameter })?.node
    : undefined;
  const origins = [...(node?.origins ?? [])];
  if (
    !node ||
    !origins.some(({ kind }) => kind === 'external') ||
    origins.some(({ kind }) => kind === 'set-up' || (calledBack && kind === 'frame'))
  )
    return [];
  const half = (value: number): Term => L.bits(BigInt(value), shape.half);
  const isNull = L.eq(object, half(0));
  const isOwn = L.or(
    L.ule(object, half(shape.lastStatic)),
    ...(origins.some(({ kind }) => kind === 'heap')
      ? [L.eq(L.select(contents[shape.made.index]!, object), L.bits(shape.madeIn(node), shape.half))]
      : []),
  );
  return shape.slotVariables(node).flatMap(({ index, role }) => {
    if (role.kind !== 'written' || (role.addressing !== 'by-object' && role.addressing !== 'by-object-and-offset'))
      return [];
    const places =
      role.addressing === 'by-object'
        ? [object]
        : cellsIn(shape.regions.layout(node), role.slot, Infinity, CELL_LIMIT).map((cell) =>
            L.concat(object, L.add(offset, half(cell))),
          );
    return places.map((place) => L.or(isNull, isOwn, L.select(contents[index]!, place)));
  });
}
