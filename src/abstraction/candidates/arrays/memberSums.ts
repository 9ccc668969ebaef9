/**
 * Sums of the elements of an array in a structure, as observables beside the structure's numbers: a filter keeps the
 * sum of the samples in its window, so that no further addition overflows.
 */
import * as L from '../../../logic/build';
import type { SymbolTerm, Term } from '../../../logic/term';
import type { Node } from '../../../semantics/pointers/regionNode';
import type { Slot } from '../../../semantics/pointers/slotLayout';
import { elementAt } from '../../transitionSystem/textEnd';
import type { TransitionSystem } from '../../transitionSystem/transitionSystem';
import type { Observable } from '../samples';

const limits = {
  /** Elements of one array. */
  elements: 16,
  /** Sums of one structure. */
  sums: 2,
} as const;

/** The elements of an array of integers in the object with the number `object`. */
export interface MemberElements {
  readonly terms: readonly Term[];
  readonly offset: number;
  readonly signed: boolean;
  readonly widthBits: number;
}

/** None for a slot of anything else, or of too many elements. */
export function elementsOf(
  slot: Slot,
  node: Node,
  object: SymbolTerm,
  { memoryModel, vocabulary }: TransitionSystem,
): readonly MemberElements[] {
  const { type, cells, offset } = slot;
  const memory = memoryModel.slot(node, slot, 'value');
  if (!memory || type.kind !== 'integer' || cells.length > limits.elements) return [];
  const contents = memoryModel.variables.map((variable) => vocabulary.symbolOf(variable));
  const terms = cells.map((cell) => elementAt(memory, contents, object, L.bits(BigInt(cell), memoryModel.half)));
  return [{ terms, offset, signed: type.signed, widthBits: type.widthBits }];
}

/**
 * Each sum has the width and the sign of a number of the structure that is wider than the elements.
 */
export function sumsOf(arrays: readonly MemberElements[], numbers: readonly Observable[]): readonly Observable[] {
  const found = arrays.flatMap(({ terms, offset, signed: isSigned, widthBits: elementBits }): readonly Observable[] => {
    const wider = numbers.filter(({ widthBits }) => widthBits > elementBits);
    const types = new Map(wider.map(({ widthBits, signed }) => [`${widthBits} ${signed}`, { widthBits, signed }]));
    return [...types.values()].map((type) => {
      const words = terms.map((term) => (isSigned ? L.signExtend : L.zeroExtend)(term, type.widthBits));
      return { ...type, term: words.reduce((sum, word) => L.add(sum, word)), name: `sum of +${offset}`, isSum: true };
    });
  });
  return found.slice(0, limits.sums);
}
