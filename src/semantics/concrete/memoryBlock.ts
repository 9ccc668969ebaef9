/** Blocks of concrete memory, those who keep or watch them, and the limits of their numbers. */
import type { Span } from '../../c/source';
import type { DataModel, RecordLayout } from '../../c/types';
import type { Command } from '../../program/command';
import type { FrameObject, Scalar } from '../../program/expression';
import type { StaticObject } from '../../program/program';
import type { ConcreteValue } from './concreteValues';
import type { SavedObjectState } from './objectState';
import type { WrittenChunks } from './reusedZeros';

export type BlockKind = 'static' | 'function' | 'heap' | 'automatic' | 'host';

export interface MemoryBlock {
  readonly number: number;
  readonly kind: BlockKind;
  readonly sizeBytes: number;
  readonly writable: boolean;
  /** Its name in C, if it has one. */
  readonly name: string | undefined;
  /** Place of its creation; `diedAt`: of its death. */
  readonly madeAt: Span | undefined;
  /** Its origin in the program; undefined for objects of a client. */
  readonly origin: StaticObject | FrameObject | Command | undefined;
  /** Structure that a function of the module made of a client's object. */
  setUpAs?: RecordLayout;
  /** A client has closed the structure, by a convention; see `evidence/scenarios/structures/conventions.ts`. */
  isClosed?: true;
  /** A block of the allocator that clients hold; see `lostBlocks.ts`. */
  isHeld?: true;
  diedAt: Span | undefined;
  live: boolean;
  /** Little-endian; empty when dead. */
  bytes: Uint8Array;
  /** One byte per byte, 1 when written; undefined when all were. */
  written: Uint8Array | undefined;
  /** Who may write here without copying: the memory of the same generation. */
  generation: number;
  /** Kept for a large object that began as zeros, while all writes to `bytes` are noted here. */
  writtenChunks?: WrittenChunks | undefined;
}

/** Block to make: see `ConcreteMemory.make`. */
export interface BlockDescription {
  readonly kind: BlockKind;
  readonly sizeBytes: number;
  readonly name?: string;
  /** Default true. */
  readonly writable?: boolean;
  readonly madeAt?: Span;
  readonly origin?: StaticObject | FrameObject | Command;
  /** Default 'indeterminate': pseudo-random bytes, not initialised. Given bytes are copied and count as written. */
  readonly contents?: 'zero' | 'indeterminate' | Uint8Array;
  /** Default true. A dead one can be made too, for fabricated states with dangling pointers. */
  readonly live?: boolean;
}

export class MemoryExhausted extends Error {}

/**
 * Who keeps bytes of blocks elsewhere, as views: told when blocks go, so that it lets go of them. A block that a
 * snapshot holds is never there. Compiled code makes and ends objects of its own there, which become blocks when they
 * are recalled.
 */
export interface Residence {
  /** A block that compiled code has made, dead or alive, and that was not recalled before. */
  recall(number: number, generation: number): MemoryBlock;
  siteSpan(number: number): Span | undefined;
  drop(block: MemoryBlock): void;
  /** Moves all blocks out. */
  evict(): void;
  /** All blocks are gone for good. */
  forget(): void;
  /** A block got a shadow where it had none. False when there is no room for it there. */
  addShadow(block: MemoryBlock): boolean;
}

/** Told of every access before it is made, where nothing but the reference machine runs. */
export interface AccessWatch {
  /** The number is that of a new object. */
  onMade(number: number): void;
  /** May a new object have the number of one that has ended? Without an answer it may. */
  mayNameAnother?(number: number): boolean;
  load(block: MemoryBlock, at: number, type: Scalar, bytes: number): void;
  store(block: MemoryBlock, at: number, type: Scalar, value: ConcreteValue, bytes: number): void;
  copy(from: MemoryBlock, fromAt: number, to: MemoryBlock, at: number, count: number): void;
  fill(block: MemoryBlock, at: number, count: number): void;
}

export interface MemorySnapshot {
  readonly blocks: readonly (MemoryBlock | undefined)[];
  readonly far: ReadonlyMap<number, MemoryBlock>;
  readonly state: SavedObjectState;
  readonly confinedBase: number;
}

/** Numbers of objects that there are, and how many must be dead before one is used again. */
export const numberLimits: Readonly<Record<DataModel, { readonly maximum: number; readonly quarantine: number }>> = {
  lp64: { maximum: 1 << 20, quarantine: 1 << 17 },
  ilp32: { maximum: 1 << 16, quarantine: 30_000 },
};

/** State of a number in the table of compiled code, where it is not the site that made the object. */
export const ownership = { host: 0, deadOfHost: -1 } as const;

/** Bytes of the largest object: offsets are half a pointer wide, and signed. */
export function largestObject(model: DataModel): number {
  return model === 'lp64' ? 0x7fff_ffff : 0x7fff;
}
