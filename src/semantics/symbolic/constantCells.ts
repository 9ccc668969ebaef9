/**
 * Cells of declared objects that no function without a body changes, because they are defined `const`
 * (`c/constantParts.ts`). What allocations make, what calls return and what clients own is defined by no declaration.
 */
import { isConstantAt } from '../../c/constantParts';
import { hasVolatilePart } from '../../c/types';
import * as L from '../../logic/build';
import type { Term } from '../../logic/term';
import type { FunctionDefinition } from '../../program/program';
import type { Origin } from '../pointers/regionNode';
import { bytesOf, cellsIn, hasMoreCells } from '../pointers/slotLayout';
import type { MemoryModel, MemoryVariable, SlotRole } from './memoryModel';
import { indexOf } from './placesInMemory';
import { isPointer, type SymbolicValue } from './symbolicValues';

const limits = {
  /** Cells of one object that are compared with its declaration. */
  cells: 4096,
  /** Cells of one variable that are written back. */
  writes: 64,
} as const;

type Declared = Extract<Origin, { kind: 'static' | 'frame' }>;

/** No object of the region has a cell of this variable that is not constant. */
export function isConstant(variable: MemoryVariable, memoryModel: MemoryModel): boolean {
  const { role } = variable;
  if (role.kind !== 'slot' || memoryModel.regions.collapsed) return false;
  const { origins } = memoryModel.regions.find(role.node);
  return (
    origins.size > 0 &&
    [...origins].every((origin) => {
      if (!isDeclared(origin)) return false;
      const { sizeBytes } = origin.object;
      const layout = memoryModel.regions.layout(role.node);
      if (hasMoreCells(layout, role.slot, sizeBytes, limits.cells)) return isConstantAll(origin);
      return constantCells(origin, role, memoryModel).length === cellsIn(layout, role.slot, sizeBytes).length;
    })
  );
}

/** `after`, with the constant cells of static objects, and of those of `fn`, as in `before`. */
export function keepConstants(
  variable: MemoryVariable,
  [before, after]: readonly [Term, Term],
  fn: FunctionDefinition | undefined,
  objects: readonly (SymbolicValue | undefined)[],
  memoryModel: MemoryModel,
): Term {
  const { role } = variable;
  if (role.kind !== 'slot' || role.addressing === 'plain') return after;
  const { node, slot, addressing } = role;
  let kept = after;
  let writes = 0;
  for (const origin of memoryModel.regions.find(node).origins) {
    if (!isDeclared(origin) || (origin.kind === 'frame' && origin.function !== fn)) continue;
    const cells = constantCells(origin, role, memoryModel);
    const pointer = origin.kind === 'frame' ? objects[origin.object.slot] : undefined;
    const object =
      origin.kind === 'static'
        ? L.bits(BigInt(origin.object.number), memoryModel.half)
        : pointer && isPointer(pointer)
          ? pointer.object
          : undefined;
    if (object === undefined || (writes += cells.length) > limits.writes) continue;
    for (const cell of cells) {
      const index = indexOf({ slot, node, addressing, object, offset: L.bits(BigInt(cell), memoryModel.half) });
      kept = L.store(kept, index, L.select(before, index));
    }
  }
  return kept;
}

const isDeclared = (origin: Origin): origin is Declared =>
  origin.kind === 'static' || (origin.kind === 'frame' && origin.object.holdsResult !== true);

/** Text literals and what is `const` as a whole. */
function isConstantAll({ object }: Declared): boolean {
  return object.kind === 'static-object' && !object.writable && !hasVolatilePart(object.ctype);
}

function constantCells(origin: Declared, role: SlotRole, { regions, program }: MemoryModel): readonly number[] {
  const { object } = origin;
  const lead = object.kind === 'static-object' ? (object.leadBytes ?? 0) : 0;
  const all = isConstantAll(origin);
  return cellsIn(regions.layout(role.node), role.slot, object.sizeBytes, limits.cells).filter(
    (cell) => all || isConstantAt(object.ctype, cell - lead, bytesOf(role.slot), program.dataModel),
  );
}
