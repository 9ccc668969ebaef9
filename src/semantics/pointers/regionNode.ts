/** Data of the region analysis: nodes that stand for sets of objects, and places in them that pointers lead to. */
import type { CType, RecordLayout } from '../../c/types';
import type { Congruence } from '../../program/congruence';
import type { Command } from '../../program/command';
import type { FrameObject, Scalar } from '../../program/expression';
import type { FunctionDefinition, Program, StaticObject } from '../../program/program';
import type { SlotAccess } from './slotLayout';

/** Sources of objects. */
export type Origin =
  | { readonly kind: 'static'; readonly object: StaticObject }
  | { readonly kind: 'frame'; readonly object: FrameObject; readonly function: FunctionDefinition }
  | { readonly kind: 'heap'; readonly command: Command }
  | { readonly kind: 'external'; readonly type: string }
  /** A client's object that only the program writes, once one of its functions has set it up. */
  | { readonly kind: 'set-up'; readonly record: RecordLayout };

/** A pointer that clients get, and may hand back. */
export interface EscapedPointer {
  readonly target: Pointee;
  /** Points to a const type, as far as declared. */ readonly toConst: boolean;
}

/** Declared const, as an array of elements that are, too. */
export const isConst = (type: CType | undefined): boolean =>
  type !== undefined && (type.const === true || (type.kind === 'array' && isConst(type.of)));
/** Clients do not write through it, nor hand it over to be written through. */
export const pointsToConst = (pointer: CType | undefined): boolean =>
  pointer?.kind === 'pointer' && isConst(pointer.to);

/** A pointer value's possible targets: anywhere in the objects of `node` at byte offsets in `at`. */
export interface Pointee {
  readonly node: Node;
  readonly at: Congruence;
}

export class Node {
  parent: Node | undefined;
  origins = new Set<Origin>();
  /** Targets of pointers stored here. */
  contents: { at: Congruence; target: Pointee }[] = [];
  accesses = new Map<string, SlotAccess>();
  constructor(readonly index: number) {}
}

export const scalarBytes = (type: Scalar, program: Program): number =>
  type.kind === 'pointer' ? pointerBytes(program) : type.widthBits / 8;
export const pointerBytes = (program: Program): number => (program.dataModel === 'lp64' ? 8 : 4);
