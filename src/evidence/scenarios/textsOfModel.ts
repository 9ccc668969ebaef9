/** The texts that a program is started with in a model of its memory. */
import { readArray } from '../../logic/arrays/arrayValue';
import type { ArrayValue, Term } from '../../logic/term';
import type { TransitionSystem } from '../../abstraction/transitionSystem/transitionSystem';
import { elementAt } from '../../abstraction/transitionSystem/textEnd';
import * as L from '../../logic/build';
import type { FunctionDefinition } from '../../program/program';
import { pointerBytes } from '../../semantics/pointers/regionNode';
import { slotAt } from '../../semantics/pointers/slotLayout';
import { isPointer, type SymbolicValue } from '../../semantics/symbolic/symbolicValues';
import type { Model } from '../../solver/solver';

const limits = {
  /** Texts of one start. */
  texts: 64,
  /** Bytes of one text. */
  bytes: 4096,
} as const;
/** The value of a place that the program never reads. */
const anyByte = 97;

/**
 * As many as `count`, if they are not too many to be tried. A model of instances may lack some of them: any text is
 * one then, and the run shows whether it fails.
 */
export function textsOfModel(
  { memoryModel, program }: TransitionSystem,
  { parameters }: FunctionDefinition,
  count: number,
  locals: readonly SymbolicValue[],
  contents: readonly Term[],
  model: Model,
): string[] {
  const variable = parameters[1]!;
  const table = locals[variable.slot]!;
  const { regions, half } = memoryModel;
  const node = regions.pointee({ kind: 'read', type: variable.type, variable })?.node;
  const text = (i: number): string | undefined => {
    const layout = node && regions.layout(node);
    if (!node || !isPointer(table) || layout?.kind !== 'slots') return undefined;
    const at = { residue: i * pointerBytes(program), modulus: 0 };
    const slot = slotAt(layout, at);
    const objects = slot && memoryModel.slot(node, slot, 'object');
    const target = regions.storedAt(node, at)?.node;
    if (!objects || !target) return undefined;
    const object = model.evaluate(elementAt(objects, contents, table.object, L.bits(BigInt(at.residue), half)));
    const sizes = model.evaluate(contents[memoryModel.size.index]!) as ArrayValue;
    const size = Number(readArray(sizes, object as bigint) as bigint);
    if (size < 1 || size > limits.bytes) return undefined;
    const layoutOfText = regions.layout(target);
    const byte = (place: number): number => {
      const part = layoutOfText.kind === 'slots' ? slotAt(layoutOfText, { residue: place, modulus: 0 }) : 'byte';
      const bytes = part && memoryModel.slot(target, part, 'value');
      if (!bytes) return anyByte;
      const at = elementAt(bytes, contents, L.bits(object as bigint, half), L.bits(BigInt(place), half));
      return Number(model.evaluate(at) as bigint) & 0xff;
    };
    const all = Array.from({ length: size - 1 }, (_, place) => byte(place));
    const end = all.indexOf(0);
    return String.fromCharCode(...(end < 0 ? all : all.slice(0, end)));
  };
  return Array.from({ length: Math.max(0, Math.min(count, limits.texts)) }, (_, i) =>
    i === 0 ? 'program' : (text(i) ?? String(i)),
  );
}
