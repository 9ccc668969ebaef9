/**
 * Layout of the linear memory of compiled code, fixed per program: a few cells for handing over, scalar globals, frames
 * on their way out, the table of objects, and static objects at addresses known in advance. Dynamic objects come after.
 *
 * An entry of the table holds for an object that lies in linear memory: address, size, distance to its shadow (a byte
 * per byte, 1 when written; 0 when all is written) and properties. Its size and properties are 0 for an object that
 * does not, whether dead, far or never asked for.
 */
import type { Scalar } from '../../../program/expression';
import type { FunctionDefinition, Program } from '../../../program/program';
import { NotCompiled } from './notCompiled';
import { queueCapacity } from '../objectState';
import { poolBytes, poolTail } from '../random';
import { confinedObjects, confinedUnitBytes } from '../../../program/automata/confinedObjects';
import { confinedUnits, firstConfined } from '../concreteMemory';
import type { WasmType } from './wasm';

export const cells = {
  /** Marks of bytes that count as written. */
  ones: 8,
  /** Edges that may still be taken; negative while frames are being handed over. */
  fuel: 16,
  spillEnd: 20,
  savedFuel: 24,
  result: 32,
  /** Not 0 when a frame is handed over because the location it has arrived at is observed. */
  arrived: 40,
  /** Number of states in the table of those seen. */
  seen: 44,
  arguments: 64,
  /** State of the pseudo-random numbers: four words. */
  random: 320,
  /** Numbers of objects: words by `stateWords`. */
  objectState: 336,
  /** Bytes of live objects, and the most that are allowed: two doubles. */
  sizes: 368,
  /** 1 when code may allocate on the heap by itself. */
  allocates: 384,
  /** Beginning and end of what was never given out. */
  heapNext: 388,
  heapEnd: 392,
  /** By size class: the first free region, which holds the address of the next. */
  freeRegions: 400,
} as const;
export const maximumArguments = 32;

export const entry = { address: 0, size: 4, shadow: 8, properties: 12 } as const;
/** Fields that stay when code ends an object of its own. The two others are 0 then. */
export const deadEntry = { size: 0, properties: 8 } as const;
export const property = { live: 1, writable: 2, heap: 4 } as const;
export const tableObjects = 1 << 20;
/** Words of `origins` per object: the site that made it, and the one that ended it. */
export const originBytes = 8;
/**
 * A frame that is handed over: function, location, what was seen at its entry, then 8 bytes per local variable and per
 * automatic object.
 */
export const frameHeaderBytes = 16;
export const frameEntered = 8;
/**
 * Valuations seen at observed locations: a hash table of a location's number plus one, bits, and bits of the entry. A
 * full table takes nothing more. In front of it is a small direct-mapped cache for each of so many locations: bits, and
 * bits of the entry. No valuation has the bits -1.
 */
export const cachedLocations = 255;
/**
 * Ranges of values in which a group of conditions does not change, as last time: the least value, how many there are,
 * and the bits of the conditions.
 */
export const mostRanges = 2048;
export const rangeBytes = 24;
export const rangeFields = { low: 0, count: 8, bits: 16 } as const;
/** Tables of the bits of a group of conditions, by the value that they compare: all of them, and the largest one. */
export const tableBytes = 1 << 18;
export const largestTable = 512;
export const cacheEntries = 32;
export const cacheEntryBytes = 16;
export const cacheBytes = cacheEntries * cacheEntryBytes;
export const seenEntries = 1 << 14;
export const seenEntryBytes = 32;
export const mostSeen = (seenEntries / 4) * 3;
export const spillBytes = 1 << 19;

/**
 * Regions of linear memory: multiples of 16 up to 1 KiB, then four sizes per power of two. The size that holds so many
 * bytes, and the number of its class.
 */
export function sizeClass(sizeBytes: number): { readonly bytes: number; readonly index: number } {
  if (sizeBytes <= 1024) {
    const bytes = Math.max(16, align(sizeBytes));
    return { bytes, index: bytes / 16 };
  }
  const power = 31 - Math.clz32(sizeBytes - 1);
  const step = 2 ** (power - 2);
  const steps = Math.ceil(sizeBytes / step);
  return { bytes: steps * step, index: firstLargeClass + (power - 10) * 4 + (steps - 5) };
}
/** Class of 1280 bytes. */
export const firstLargeClass = 65;
/** Bytes of an object, or of its shadow, in a region that holds both. */
export const half = (sizeBytes: number): number => Math.max(16, align(sizeBytes));

export interface LinearLayout {
  /** A word per location: how many arrivals there need not be reported, where it is watched. */
  readonly skips: number;
  /** By function: the number of its first location. */
  readonly locationNumbers: ReadonlyMap<FunctionDefinition, number>;
  readonly globals: number;
  readonly cache: number;
  readonly ranges: number;
  readonly seen: number;
  readonly tables: number;
  readonly spill: number;
  readonly table: number;
  /** Per object, what made it if code did, and what ended it. */
  readonly origins: number;
  /** Numbers of dead objects. */
  readonly queue: number;
  /** Contents of fresh memory, with the first bytes repeated at the end. */
  readonly pool: number;
  /** By object number: where it lies, and its shadow if it ever gets one. */
  readonly statics: ReadonlyMap<number, { readonly address: number; readonly shadow: number }>;
  /**
   * Confined objects, by place; `firstConfined`: number of the one at the first place. There are none if both ends are
   * the same.
   */
  readonly confined: number;
  readonly confinedEnd: number;
  readonly firstConfined: number;
  readonly heap: number;
}

export function layoutOf(program: Program): LinearLayout {
  const skips = 4096;
  const locationNumbers = numberLocations(program);
  const locations = program.functions.reduce((sum, fn) => sum + fn.locations.length, 0);
  const globals = align(skips + 4 * locations);
  const cache = align(globals + program.globals.length * 8);
  const ranges = cache + (cachedLocations + 1) * cacheBytes;
  const seen = align(ranges + mostRanges * rangeBytes);
  const tables = seen + seenEntries * seenEntryBytes;
  const spill = tables + tableBytes;
  const table = align(spill + spillBytes);
  const origins = table + tableObjects * 16;
  const queue = origins + tableObjects * originBytes;
  const pool = queue + queueCapacity * 4;
  let next = pool + poolBytes + poolTail;
  const statics = new Map<number, { readonly address: number; readonly shadow: number }>();
  for (const { number, sizeBytes } of program.objects) {
    const shadow = align(next + Math.max(sizeBytes, 1));
    statics.set(number, { address: next, shadow });
    next = align(shadow + sizeBytes);
  }
  const confined = next;
  const confinedEnd = confined + (confinedObjects(program).isEmpty ? 0 : confinedUnits * confinedUnitBytes);
  return {
    skips,
    locationNumbers,
    globals,
    cache,
    ranges,
    seen,
    tables,
    spill,
    table,
    origins,
    queue,
    pool,
    statics,
    confined,
    confinedEnd,
    firstConfined: firstConfined(program),
    heap: confinedEnd,
  };
}

/** Locations of all functions in a row. */
export function numberLocations(program: Program): Map<FunctionDefinition, number> {
  const numbers = new Map<FunctionDefinition, number>();
  let next = 0;
  for (const fn of program.functions) {
    numbers.set(fn, next);
    next += fn.locations.length;
  }
  return numbers;
}

export const align = (address: number): number => Math.ceil(address / 16) * 16;

export function wasmTypeOf(type: Scalar): WasmType {
  switch (type.kind) {
    case 'integer':
      if (type.widthBits > 64) throw new NotCompiled('an integer of 128 bits');
      return type.widthBits === 64 ? 'i64' : 'i32';
    case 'float':
      return type.widthBits === 64 ? 'f64' : 'f32';
    case 'pointer':
      return 'i64';
  }
}
