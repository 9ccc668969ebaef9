/**
 * The texts that a program is started with (C11 5.1.2.2.1p2): each of the first `argc` elements of `argv` leads to the
 * start of an object that ends in 0, and the element behind them is null. Texts may be the same object, which C does
 * not say and which makes the assumption weaker.
 */
import * as L from '../../logic/build';
import type { Term } from '../../logic/term';
import type { FunctionDefinition } from '../../program/program';
import type { Node } from '../../semantics/pointers/regionNode';
import type { MemoryModel } from '../../semantics/symbolic/memoryModel';
import type { SymbolicState } from '../../semantics/symbolic/symbolicMemory';
import { isPointer, type SymbolicPointer } from '../../semantics/symbolic/symbolicValues';
import { elementAt, endsInZero } from './textEnd';

/** Nothing is said of memory that is one array of bytes. */
export function startTexts(
  { parameters }: FunctionDefinition,
  { locals, memory }: SymbolicState,
  memoryModel: MemoryModel,
): readonly Term[] {
  const { regions, half, program } = memoryModel;
  const variable = parameters[1]!;
  const [count, table] = [locals[parameters[0]!.slot]!, locals[variable.slot]!];
  const node = regions.pointee({ kind: 'read', type: variable.type, variable })?.node;
  if (isPointer(count) || !isPointer(table) || !node || regions.collapsed) return [];
  const layout = regions.layout(node);
  if (layout.kind === 'bytes' || layout.single) return [];
  const bits = (n: number): Term => L.bits(BigInt(n), half);
  const pointerBytes = program.dataModel === 'lp64' ? 8 : 4;
  const width = L.widthOf(count);
  const number = width < half ? L.signExtend(count, half) : L.extract(half - 1, 0, count);
  const { contents } = memory;
  return layout.slots.flatMap((slot) => {
    const [objects, offsets] = (['object', 'offset'] as const).map((part) => memoryModel.slot(node, slot, part));
    if (!objects || !offsets) return [];
    const texts = regions.storedAt(node, { residue: slot.offset, modulus: layout.stride })?.node;
    // The element with a number. Bytes fit into a word: the table is an object.
    const element = (at: Term): SymbolicPointer => {
      const [object, offset] = [objects, offsets].map((part) =>
        elementAt(part, contents, table.object, L.mul(bits(pointerBytes), at)),
      );
      return { object: object!, offset: offset! };
    };
    const isNull = ({ object, offset }: SymbolicPointer): Term => L.and(L.eq(object, bits(0)), L.eq(offset, bits(0)));
    const parts = (at: Term): readonly Term[] => {
      const { object, offset } = element(at);
      const isThere = L.and(L.sle(bits(0), at), L.slt(at, number));
      return [L.eq(offset, bits(0)), ...isText(object, texts, contents, memoryModel)].map((part) =>
        L.implies(isThere, part),
      );
    };
    if (objects.role.kind === 'slot' && objects.role.addressing === 'by-object') {
      const at = bits(slot.offset / pointerBytes);
      return [...parts(at), L.implies(L.eq(at, number), isNull(element(at)))];
    }
    const bound = L.symbol('?k', memoryModel.halfSort);
    return [...parts(bound).map((part) => L.forall([bound], part)), isNull(element(number))];
  });
}

/** A live object of the environment, whose last byte is 0. */
function isText(
  object: Term,
  node: Node | undefined,
  contents: readonly Term[],
  memoryModel: MemoryModel,
): readonly Term[] {
  const { half, lastStatic, size, live, heap, allocationCounter } = memoryModel;
  const bits = (n: number): Term => L.bits(BigInt(n), half);
  return [
    L.ult(bits(lastStatic), object),
    L.ult(object, contents[allocationCounter.index]!),
    L.select(contents[live.index]!, object),
    L.not(L.select(contents[heap.index]!, object)),
    L.sle(bits(1), L.select(contents[size.index]!, object)),
    ...(node ? endsInZero(object, node, contents, memoryModel) : []),
  ];
}
