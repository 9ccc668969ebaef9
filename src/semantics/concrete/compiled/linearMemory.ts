/**
 * Blocks of concrete memory that lie in the linear memory of compiled code. A block is moved there when code first asks
 * for it; from then on its bytes are a view of linear memory, so that the host and the reference machine go on as
 * before. What a snapshot holds never lies here: taking or restoring one moves everything out. So whatever is here may
 * be written without asking.
 */
import type { Span } from '../../../c/source';
import type { Command } from '../../../program/command';
import type { Location, Program } from '../../../program/program';
import type { MemoryBlock, Residence } from '../memoryBlock';
import { queueCapacity, stateWords, type StateArrays } from '../objectState';
import { poolBytes, poolTail } from '../random';
import { confinedUnitBytes, unitsOf } from '../../../program/automata/confinedObjects';
import { cells, entry, half, property, sizeClass, tableObjects, type LinearLayout } from './layout';
import { maximumPages } from './compile';
import { webAssembly, type WasmMemory } from './webAssembly';

interface Region {
  readonly block: MemoryBlock;
  readonly address: number;
  /** 0 when there is none. */
  readonly shadow: number;
  /**
   * Bytes of the region at `address`; 0 for static and confined objects. Another one holds the shadow if this does not.
   */
  readonly sizeBytes: number;
}
const pageBytes = 0x1_0000;

/** Behind all objects: code that compares several bytes at once reads as far beyond the last of them. */
const readAheadBytes = 16;

export class LinearMemory implements Residence {
  readonly memory: WasmMemory;
  words!: Int32Array;
  private buffer!: SharedArrayBuffer;
  private readonly regions = new Map<number, Region>();
  private readonly locations: readonly Location[];
  /** Sites that are no command of the program's compiled code, by number minus that of all locations. */
  private readonly otherSites: (Span | undefined)[] = [];
  private readonly siteNumbers = new Map<Span | undefined, number>();
  /** Rises whenever static objects may have gone. */
  evictions = 0;

  constructor(
    program: Program,
    private readonly layout: LinearLayout,
    initialPages: number,
  ) {
    if (!webAssembly) throw new Error('compiled code runs where there is WebAssembly');
    this.memory = new webAssembly.Memory({ initial: initialPages, maximum: maximumPages, shared: true });
    this.locations = program.functions.flatMap(({ locations }) => locations);
    this.refresh();
    this.words[cells.heapNext >> 2] = layout.heap;
  }

  /** Arrays for the state of objects, to be shared with compiled code. */
  get arrays(): StateArrays & { readonly origins: Int32Array } {
    const { buffer, layout } = this;
    return {
      words: new Int32Array(buffer, cells.objectState, Object.keys(stateWords).length),
      sizes: new Float64Array(buffer, cells.sizes, 2),
      queue: new Int32Array(buffer, layout.queue, queueCapacity),
      origins: new Int32Array(buffer, layout.origins, 2 * tableObjects),
    };
  }
  get randomWords(): Int32Array {
    return new Int32Array(this.buffer, cells.random, 4);
  }
  putPool(pool: Uint8Array): void {
    const bytes = new Uint8Array(this.buffer, this.layout.pool, poolBytes + poolTail);
    bytes.set(pool);
    bytes.set(pool.subarray(0, poolTail), poolBytes);
  }

  // Sites: 0 is none, then the locations of the program, then what others gave.

  siteSpan(number: number): Span | undefined {
    if (number <= 0) return undefined;
    const location = this.locations[number - 1];
    return location ? location.edges[0]?.span : this.otherSites[number - 1 - this.locations.length];
  }

  siteNumber(span: Span | undefined): number {
    if (!span) return 0;
    let number = this.siteNumbers.get(span);
    if (number === undefined) {
      number = this.locations.length + 1 + this.otherSites.length;
      this.otherSites.push(span);
      this.siteNumbers.set(span, number);
    }
    return number;
  }

  /** Live or dead; its entry in the table stays only if it lives. */
  recall(number: number, generation: number): MemoryBlock {
    const origin = (this.layout.origins >> 2) + 2 * number;
    const at = this.entryAt(number);
    const live = this.words[at + (entry.properties >> 2)] !== 0;
    const made = this.locations[this.words[origin]! - 1]!.edges[0]!;
    const address = this.words[at + (entry.address >> 2)]!;
    const distance = this.words[at + (entry.shadow >> 2)]!;
    // An object that ended has left its size where the address was.
    const sizeBytes = live ? this.words[at + (entry.size >> 2)]! : address;
    const block: MemoryBlock = {
      number,
      sizeBytes,
      writable: true,
      ...describeObject(made.command),
      madeAt: made.span,
      diedAt: live ? undefined : this.siteSpan(this.words[origin + 1]!),
      live,
      bytes: live ? new Uint8Array(this.buffer, address, sizeBytes) : new Uint8Array(0),
      written: live && distance > 0 ? new Uint8Array(this.buffer, address + distance, sizeBytes) : undefined,
      generation,
      writtenChunks: undefined,
    };
    if (live)
      this.regions.set(number, {
        block,
        address,
        shadow: distance > 0 ? address + distance : 0,
        sizeBytes: this.isConfined(address) ? 0 : distance > 0 ? 2 * distance : half(sizeBytes),
      });
    else this.clear(number);
    return block;
  }

  /** Beginning of an object's entry in the table, in words. */
  private entryAt(number: number): number {
    return (this.layout.table + number * 16) >> 2;
  }

  holds(number: number): boolean {
    return this.regions.has(number);
  }

  /** Moves a live block in, whose memory may be written without copying. False when there is no room. */
  admit(block: MemoryBlock): boolean {
    const { number, sizeBytes } = block;
    if (number >= tableObjects || this.regions.has(number)) return false;
    const fixed = this.layout.statics.get(number) ?? this.confinedPlace(block);
    const regionBytes = fixed ? 0 : block.written ? 2 * half(sizeBytes) : half(sizeBytes);
    const address = fixed?.address ?? this.allocate(regionBytes);
    if (address === undefined) return false;
    const bytes = new Uint8Array(this.buffer, address, sizeBytes);
    bytes.set(block.bytes);
    block.bytes = bytes;
    block.writtenChunks = undefined;
    const shadow = block.written ? this.shade(block, block.written, fixed?.shadow ?? address + half(sizeBytes)) : 0;
    this.regions.set(number, { block, address, shadow, sizeBytes: regionBytes });
    const at = this.entryAt(number);
    this.words[at + (entry.address >> 2)] = address;
    this.words[at + (entry.size >> 2)] = sizeBytes;
    this.words[at + (entry.shadow >> 2)] = shadow === 0 ? 0 : shadow - address;
    this.words[at + (entry.properties >> 2)] = propertiesOf(block);
    return true;
  }

  private isConfined(address: number): boolean {
    return address >= this.layout.confined && address < this.layout.confinedEnd;
  }

  /** The place of a confined object that the host has made. */
  private confinedPlace({ number, origin, sizeBytes }: MemoryBlock): { address: number; shadow: number } | undefined {
    if (origin?.kind !== 'frame-object' || origin.sizeBytes !== sizeBytes) return undefined;
    const address = this.layout.confined + (number - this.layout.firstConfined) * confinedUnitBytes;
    const isInside =
      this.isConfined(address) && address + unitsOf(sizeBytes) * confinedUnitBytes <= this.layout.confinedEnd;
    return isInside ? { address, shadow: address + half(sizeBytes) } : undefined;
  }

  /** The block dies or is replaced. */
  drop(block: MemoryBlock): void {
    const region = this.regions.get(block.number);
    if (region?.block !== block) return;
    this.regions.delete(block.number);
    this.clear(block.number);
    if (this.layout.statics.has(block.number)) {
      this.evictions++;
      return;
    }
    if (region.sizeBytes === 0) return;
    this.release(region.address, region.sizeBytes);
    if (region.shadow >= region.address + region.sizeBytes || (region.shadow > 0 && region.shadow < region.address))
      this.release(region.shadow, half(block.sizeBytes));
  }

  /** The block got a shadow where it had none. False when there is no room for it. */
  addShadow(block: MemoryBlock): boolean {
    const region = this.regions.get(block.number);
    if (region?.block !== block || !block.written) return true;
    const shadow = this.layout.statics.get(block.number)?.shadow ?? this.allocate(half(block.sizeBytes));
    if (shadow === undefined) return false;
    this.regions.set(block.number, { ...region, shadow: this.shade(block, block.written, shadow) });
    this.words[this.entryAt(block.number) + (entry.shadow >> 2)] = shadow - region.address;
    return true;
  }

  evict(): void {
    for (const { block } of this.regions.values()) {
      block.bytes = block.bytes.slice();
      block.written = block.written?.slice();
    }
    this.letGo();
  }

  /** All blocks are gone for good, and what code has made with them. */
  forget(): void {
    const end = Math.min(tableObjects, this.words[(cells.objectState >> 2) + stateWords.next]!);
    this.words.fill(0, this.entryAt(0), this.entryAt(end));
    this.words.fill(0, this.layout.origins >> 2, (this.layout.origins >> 2) + 2 * end);
    this.letGo();
  }

  private letGo(): void {
    for (const number of this.regions.keys()) this.clear(number);
    this.regions.clear();
    this.words.fill(0, cells.freeRegions >> 2, 4096 >> 2);
    this.words[cells.heapNext >> 2] = this.layout.heap;
    this.evictions++;
  }

  private shade(block: MemoryBlock, written: Uint8Array, shadow: number): number {
    const view = new Uint8Array(this.buffer, shadow, block.sizeBytes);
    view.set(written);
    block.written = view;
    return shadow;
  }

  private clear(number: number): void {
    const at = this.entryAt(number);
    this.words.fill(0, at, at + 4);
  }

  private allocate(sizeBytes: number): number | undefined {
    const { bytes, index } = sizeClass(sizeBytes);
    const first = (cells.freeRegions >> 2) + index;
    const reused = this.words[first]!;
    if (reused !== 0) {
      this.words[first] = this.words[reused >> 2]!;
      return reused;
    }
    const address = this.words[cells.heapNext >> 2]! >>> 0;
    const end = this.words[cells.heapEnd >> 2]! >>> 0;
    if (address + bytes > end && !this.grow(address + bytes - end)) return undefined;
    this.words[cells.heapNext >> 2] = address + bytes;
    return address;
  }

  private release(address: number, sizeBytes: number): void {
    const first = (cells.freeRegions >> 2) + sizeClass(sizeBytes).index;
    this.words[address >> 2] = this.words[first]!;
    this.words[first] = address;
  }

  private grow(bytes: number): boolean {
    const present = this.buffer.byteLength / pageBytes;
    const pages = Math.max(Math.ceil(bytes / pageBytes), 16, present >> 2);
    if (present + pages > maximumPages) return false;
    try {
      this.memory.grow(pages);
    } catch (error) {
      // The system has no more to give; blocks stay where they are and the reference machine goes on.
      if (error instanceof RangeError) return false;
      throw error;
    }
    this.refresh();
    return true;
  }

  private refresh(): void {
    this.buffer = this.memory.buffer;
    this.words = new Int32Array(this.buffer);
    this.words[cells.heapEnd >> 2] = this.buffer.byteLength - readAheadBytes;
  }
}

export function propertiesOf(block: MemoryBlock): number {
  return (
    (block.live ? property.live : 0) |
    (block.writable ? property.writable : 0) |
    (block.kind === 'heap' ? property.heap : 0)
  );
}

/** Properties of the objects that a command makes. */
function describeObject(command: Command): Pick<MemoryBlock, 'kind' | 'name' | 'origin'> {
  if (command.kind === 'declare') return { kind: 'automatic', name: command.object.name, origin: command.object };
  if (command.kind !== 'allocate') throw new Error('only declarations and allocations make objects');
  return command.automatic
    ? { kind: 'automatic', name: 'a block on the stack', origin: command }
    : { kind: 'heap', name: undefined, origin: command };
}
