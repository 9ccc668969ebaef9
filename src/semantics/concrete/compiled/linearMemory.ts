/**
 * Blocks of concrete memory that lie in the linear memory of compiled code. A block is moved there when code first asks
 * for it; from then on its bytes are a view of linear memory, so that the host and the reference machine go on as
 * before. What a snapshot holds never lies here: taking or restoring one moves everything out. So whatever is here may
 * be written without asking.
 */
import type { MemoryBlock, Residence } from '../concreteMemory';
import { entry, property, tableObjects, type LinearLayout } from './layout';
import { maximumPages } from './compile';
import { webAssembly, type WasmMemory } from './webAssembly';

interface Region {
  readonly block: MemoryBlock;
  readonly address: number;
  readonly shadow: number;
}
const pageBytes = 0x1_0000;

export class LinearMemory implements Residence {
  readonly memory: WasmMemory;
  words!: Int32Array;
  private buffer!: SharedArrayBuffer;
  private readonly regions = new Map<number, Region>();
  /** Free regions by size class, and where nothing was given out yet. */
  private free = new Map<number, number[]>();
  private next: number;
  private end: number;
  /** Rises whenever static objects may have gone. */
  evictions = 0;

  constructor(
    private readonly layout: LinearLayout,
    initialPages: number,
  ) {
    if (!webAssembly) throw new Error('compiled code runs where there is WebAssembly');
    this.memory = new webAssembly.Memory({ initial: initialPages, maximum: maximumPages, shared: true });
    this.next = layout.heap;
    this.end = initialPages * pageBytes;
    this.refresh();
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
    const address = this.layout.statics.get(number)?.address ?? this.allocate(sizeBytes);
    if (address === undefined) return false;
    const place = block.written && this.shadowPlace(block);
    if (block.written && place === undefined) return false;
    const bytes = new Uint8Array(this.buffer, address, sizeBytes);
    bytes.set(block.bytes);
    block.bytes = bytes;
    const shadow = block.written && place !== undefined ? this.shade(block, block.written, place) : 0;
    this.regions.set(number, { block, address, shadow });
    const at = this.entryAt(number);
    this.words[at + (entry.address >> 2)] = address;
    this.words[at + (entry.size >> 2)] = sizeBytes;
    this.words[at + (entry.shadow >> 2)] = shadow === 0 ? 0 : shadow - address;
    this.words[at + (entry.properties >> 2)] = propertiesOf(block);
    return true;
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
    this.release(region.address, block.sizeBytes);
    if (region.shadow !== 0) this.release(region.shadow, block.sizeBytes);
  }

  /** The block got a shadow where it had none. False when there is no room for it. */
  addShadow(block: MemoryBlock): boolean {
    const region = this.regions.get(block.number);
    if (region?.block !== block || !block.written) return true;
    const shadow = this.shadowPlace(block);
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
    this.forget();
  }

  /** All blocks are gone for good. */
  forget(): void {
    for (const number of this.regions.keys()) this.clear(number);
    this.regions.clear();
    this.free = new Map();
    this.next = this.layout.heap;
    this.evictions++;
  }

  private shadowPlace({ number, sizeBytes }: MemoryBlock): number | undefined {
    return this.layout.statics.get(number)?.shadow ?? this.allocate(sizeBytes);
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
    const size = sizeClass(sizeBytes);
    const reused = this.free.get(size)?.pop();
    if (reused !== undefined) return reused;
    const address = this.next;
    if (address + size > this.end && !this.grow(address + size - this.end)) return undefined;
    this.next += size;
    return address;
  }

  private release(address: number, sizeBytes: number): void {
    const size = sizeClass(sizeBytes);
    const list = this.free.get(size);
    if (list) list.push(address);
    else this.free.set(size, [address]);
  }

  private grow(bytes: number): boolean {
    const pages = Math.max(Math.ceil(bytes / pageBytes), 16, (this.end / pageBytes) >> 2);
    if (this.end / pageBytes + pages > maximumPages) return false;
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
    this.end = this.buffer.byteLength;
    this.words = new Int32Array(this.buffer);
  }
}

export function propertiesOf(block: MemoryBlock): number {
  return (
    (block.live ? property.live : 0) |
    (block.writable ? property.writable : 0) |
    (block.kind === 'heap' ? property.heap : 0)
  );
}

/** Multiples of 16 up to 1 KiB, then four sizes per power of two. */
function sizeClass(sizeBytes: number): number {
  if (sizeBytes <= 1024) return Math.max(16, Math.ceil(sizeBytes / 16) * 16);
  const step = 2 ** (Math.floor(Math.log2(sizeBytes)) - 2);
  return Math.ceil(sizeBytes / step) * step;
}
