/**
 * Concrete memory: blocks of little-endian bytes, each with a shadow that tells which bytes were written.
 *
 * Objects are numbered upward, so that the same execution always sees the same pointers. Numbers of dead objects are
 * reused, oldest death first, so that a long run does not touch ever more memory. A dangling pointer stays recognisable
 * for 131,072 further objects, or 30,000 in ILP32, whose pointers hold 16 bits of an object's number.
 *
 * Confined objects (see `confinedObjects.ts`), to which no pointers are left, have numbers by their place on the stack
 * of activations. Those follow the numbers of static objects. The limit of bytes does not count confined objects, whose
 * places are limited.
 *
 * A snapshot shares all blocks. A write to a shared block copies it first.
 *
 * Accesses are total, because a check came before: outside live blocks, bytes read as zero and are not written. If
 * memory or numbers run out, `MemoryExhausted` is thrown, which the machine turns into an outcome. It is no fault of
 * the program.
 */
import type { Span } from '../../c/source';
import type { DataModel } from '../../c/types';
import type { Command } from '../../program/command';
import { pointer, type FrameObject, type ListQuestion, type Scalar } from '../../program/expression';
import {
  confinedObjects,
  confinedUnitBytes,
  unitsOf,
  type ConfinedObjects,
} from '../../program/automata/confinedObjects';
import type { Program } from '../../program/program';
import { lastStaticNumber } from '../../program/staticNumbers';
import { unreachable } from '../../unreachable';
import {
  addressOf,
  objectNumber,
  offsetBytes,
  pointerAt,
  pointerTo,
  wrapInteger,
  zero,
  type ConcreteValue,
} from './concreteValues';
import { lostBlocks } from './lostBlocks';
import { ObjectState, siteOfHost, type StateArrays } from './objectState';
import { poolBytes, poolTail, type Random } from './random';
import { copyChunks, leastReusedBytes, noteWriting, ReusedZeros, sharedZeros, type WrittenChunks } from './reusedZeros';
import type { Memory } from '../values';
import {
  type MemoryBlock,
  type BlockDescription,
  MemoryExhausted,
  type Residence,
  type AccessWatch,
  type MemorySnapshot,
  numberLimits,
  ownership,
  largestObject,
} from './memoryBlock';

/** Places for confined objects of all activations. */
export const confinedUnits = 1024;

/** Number of the first confined object; the next ones follow, if the program has any. */
export const firstConfined = (program: Program): number => lastStaticNumber(program) + 1;

const noBytes = new Uint8Array(0);

/** Of blocks whose bytes belong to no memory. */
const sharedGeneration = -1;

const scratch = new DataView(new ArrayBuffer(8));

export class ConcreteMemory implements Memory<ConcreteValue> {
  /** Index = object number. */
  private blocks: (MemoryBlock | undefined)[] = [undefined];
  /** Blocks whose numbers lie far beyond the table's end, which only fabricated states have. */
  private far = new Map<number, MemoryBlock>();
  private readonly state: ObjectState;
  /**
   * Rises with every snapshot taken or restored; `tablesShared` says that a snapshot holds `blocks` and `far` as they
   * are.
   */
  private generation = 0;
  private tablesShared = false;
  private confined: ConfinedObjects | undefined;
  private firstConfined = 0;
  /** Numbers from here on are ordinary ones. */
  private confinedEnd = 0;
  /** Place of the running activation's confined objects; set by the machine before one begins. */
  confinedAt = 0;
  /** Places before this one belong to activations of which only the objects are left. */
  confinedBase = 0;
  private readonly maximumObjects: number;
  private readonly maximumSize: number;
  private readonly quarantine: number;
  private siteOfMachine: Span | undefined;
  private residence: Residence | undefined;
  /**
   * Two words per number: the site where compiled code made an object that is not among `blocks`, or an `ownership`;
   * and the site where it ended.
   */
  private origins: Int32Array | undefined;
  /** Bytes of static objects that no snapshot holds. */
  private readonly zeros = new ReusedZeros();
  watch: AccessWatch | undefined;
  /** Bytes of pointers are their addresses. */
  private storesAddresses = true;
  /** Number of allocations that asked for more than any object has, since the memory was made. */
  refusedAllocations = 0;

  constructor(
    private readonly model: DataModel,
    private readonly random: Random,
    limitBytes: number,
  ) {
    this.maximumObjects = numberLimits[model].maximum;
    this.maximumSize = largestObject(model);
    this.quarantine = numberLimits[model].quarantine;
    this.state = new ObjectState(limitBytes);
  }

  /** Place in the program, for the messages about objects made or ended now; set by the machine. */
  get site(): Span | undefined {
    const number = this.state.site;
    return number === siteOfHost ? this.siteOfMachine : this.residence!.siteSpan(number);
  }
  set site(span: Span | undefined) {
    this.siteOfMachine = span;
    this.state.site = siteOfHost;
  }

  /** Blocks may lie there from now on, and compiled code may make and end objects by itself. */
  settle(residence: Residence, arrays: StateArrays & { readonly origins: Int32Array }, random: Int32Array): void {
    this.residence = residence;
    this.origins = arrays.origins;
    this.state.moveTo(arrays);
    this.random.moveTo(random);
    this.ownDead();
  }

  /** Numbers of dead objects may be given to others without asking. */
  private ownDead(): void {
    const { origins } = this;
    if (!origins) return;
    this.state.forEachDead((number) => {
      if (2 * number < origins.length && !this.blockNumbered(number)?.live) origins[2 * number] = ownership.deadOfHost;
    });
    for (let number = this.firstConfined; number < this.confinedEnd; number++)
      if (!this.blocks[number]?.live) origins[2 * number] = ownership.deadOfHost;
  }

  /**
   * Forgets everything and makes the static objects and functions, without the pointers inside them (see `relocate`).
   */
  reset(program: Program): void {
    this.storesAddresses = program.storesAddresses === true;
    this.residence?.forget();
    this.blocks = [undefined];
    this.far = new Map();
    this.state.clear();
    this.generation++;
    this.tablesShared = false;
    for (const object of program.objects) {
      this.place(object.number, {
        kind: 'static',
        sizeBytes: object.sizeBytes,
        name: object.name,
        writable: object.writable,
        ...(object.span && { madeAt: object.span }),
        origin: object,
        contents: object.bytes,
      });
    }
    for (const fn of program.functions) {
      if (fn.copyOf) continue;
      this.place(fn.number, {
        kind: 'function',
        sizeBytes: 0,
        name: fn.name,
        writable: false,
        madeAt: fn.span,
        contents: 'zero',
      });
    }
    this.confined = confinedObjects(program);
    this.confinedBase = 0;
    this.firstConfined = firstConfined(program);
    this.confinedEnd = this.firstConfined + (this.confined.isEmpty ? 0 : confinedUnits);
    this.state.next = this.confinedEnd;
    this.ownDead();
  }

  private isConfined(number: number): boolean {
    return number >= this.firstConfined && number < this.confinedEnd;
  }

  /** A new object; the pointer to its first byte. */
  make(description: BlockDescription): ConcreteValue {
    const number = this.freshNumber();
    this.place(number, description);
    return pointerTo(number);
  }

  /** The number the next new object gets, while numbers last. */
  get nextNumber(): number {
    return this.state.next;
  }

  /** Makes an object under a given number, in place of whatever had it: for fabricated states. */
  place(number: number, description: BlockDescription): void {
    const { kind, sizeBytes, contents = 'indeterminate', writable = true, live = true } = description;
    if (number >= this.maximumObjects) throw new MemoryExhausted(`more than ${this.maximumObjects} objects`);
    if (sizeBytes > this.maximumSize) throw new MemoryExhausted(`an object of ${sizeBytes} bytes`);
    const previous = this.blockNumbered(number);
    const isConfined = this.isConfined(number);
    const freed = previous?.live && !isConfined ? previous.sizeBytes : 0;
    if (live && !isConfined && this.state.liveBytes - freed + sizeBytes > this.state.limitBytes)
      throw new MemoryExhausted(`more than ${this.state.limitBytes} bytes`);
    if (previous) this.residence?.drop(previous);
    this.watch?.onMade(number);
    const isLarge = live && kind === 'static' && contents !== 'indeterminate' && sizeBytes >= leastReusedBytes;
    const isShared = isLarge && (contents === 'zero' || contents.length === 0);
    let bytes: Uint8Array = noBytes;
    let written: Uint8Array | undefined;
    let writtenChunks: WrittenChunks | undefined;
    if (live && sizeBytes > 0) {
      if (isLarge)
        ({ bytes, chunks: writtenChunks } = isShared ? sharedZeros(sizeBytes) : this.zeros.take(number, sizeBytes));
      else bytes = new Uint8Array(sizeBytes);
      if (contents === 'indeterminate') {
        if (isConfined) this.random.fillFrom(bytes, confinedContents(number - this.firstConfined, sizeBytes));
        else this.random.fill(bytes);
        written = new Uint8Array(sizeBytes);
      } else if (contents !== 'zero') {
        const given = contents.subarray(0, sizeBytes);
        bytes.set(given);
        if (writtenChunks) noteWriting(writtenChunks, 0, given.length);
      }
    }
    this.put({
      number,
      kind,
      sizeBytes,
      writable,
      name: description.name,
      madeAt: description.madeAt,
      origin: description.origin,
      diedAt: undefined,
      live,
      bytes,
      written,
      generation: isShared ? sharedGeneration : this.generation,
      writtenChunks,
    });
    this.state.liveBytes += (live && !isConfined ? sizeBytes : 0) - freed;
  }

  /**
   * The block a pointer points into, dead or alive. Its bytes are read only for callers: write through `ownedBlock`.
   */
  block(pointer: ConcreteValue): MemoryBlock | undefined {
    return typeof pointer === 'number' ? this.blockNumbered(Math.floor(pointer / 0x1_0000_0000)) : undefined;
  }

  /** The same block, to be written to in any way; undefined when it is not live. */
  ownedBlock(pointer: ConcreteValue): MemoryBlock | undefined {
    const block = this.notedBlock(pointer);
    if (block?.writtenChunks) {
      this.zeros.forget(block.number);
      block.writtenChunks = undefined;
    }
    return block;
  }

  /** The same, for those who note what they write in `writtenChunks`. */
  notedBlock(pointer: ConcreteValue): MemoryBlock | undefined {
    const block = this.block(pointer);
    if (!block?.live) return undefined;
    return block.generation === this.generation ? block : this.own(block);
  }

  /** In order of their numbers. */
  *liveBlocks(): IterableIterator<MemoryBlock> {
    this.recallAll();
    for (const block of this.blocks) if (block?.live) yield block;
    for (const [, block] of [...this.far].sort(([a], [b]) => a - b)) if (block.live) yield block;
  }

  load(address: ConcreteValue, type: Scalar): ConcreteValue {
    const block = this.block(address);
    const at = offsetBytes(address);
    if (!block || at < 0) return zero(type);
    this.watch?.load(block, at, type, scalarSize(type, this.model));
    const { bytes } = block;
    switch (type.kind) {
      case 'integer':
        switch (type.widthBits) {
          case 8: {
            if (at + 1 > bytes.length) return 0;
            const value = bytes[at]!;
            return type.signed ? (value << 24) >> 24 : value;
          }
          case 16: {
            if (at + 2 > bytes.length) return 0;
            const value = bytes[at]! | (bytes[at + 1]! << 8);
            return type.signed ? (value << 16) >> 16 : value;
          }
          case 32: {
            if (at + 4 > bytes.length) return 0;
            const value = word(bytes, at);
            return type.signed ? value : value >>> 0;
          }
          case 64:
            if (at + 8 > bytes.length) return 0n;
            scratch.setInt32(0, word(bytes, at), true);
            scratch.setInt32(4, word(bytes, at + 4), true);
            return type.signed ? scratch.getBigInt64(0, true) : scratch.getBigUint64(0, true);
          case 128: {
            if (at + 16 > bytes.length) return 0n;
            const [low, high] = [word64(bytes, at), word64(bytes, at + 8)];
            return wrapInteger((high << 64n) | low, type);
          }
          default:
            return unreachable(type);
        }
      case 'float':
        if (at + type.widthBits / 8 > bytes.length) return 0;
        scratch.setInt32(0, word(bytes, at), true);
        if (type.widthBits === 32) return scratch.getFloat32(0, true);
        scratch.setInt32(4, word(bytes, at + 4), true);
        return scratch.getFloat64(0, true);
      case 'pointer':
        if (this.model === 'lp64')
          return at + 8 > bytes.length ? 0 : this.pointerOf(word(bytes, at), word(bytes, at + 4));
        return at + 4 > bytes.length ? 0 : pointerAt(BigInt(word(bytes, at) >>> 0), this.model);
      default:
        return unreachable(type);
    }
  }

  /** The pointer whose bytes in memory these are, in LP64. */
  private pointerOf(low: number, high: number): ConcreteValue {
    return pointerTo((this.storesAddresses ? high + (low >>> 31) : high) >>> 0, low);
  }

  store(address: ConcreteValue, type: Scalar, value: ConcreteValue): void {
    const block = this.notedBlock(address);
    const at = offsetBytes(address);
    if (!block || at < 0) return;
    const { bytes } = block;
    const size = scalarSize(type, this.model);
    if (at + size > bytes.length) return;
    if (block.writtenChunks) noteWriting(block.writtenChunks, at, size);
    this.watch?.store(block, at, type, value, size);
    switch (type.kind) {
      case 'integer':
        if (size === 8) {
          scratch.setBigInt64(0, value as bigint, true);
          setWord(bytes, at, scratch.getInt32(0, true));
          setWord(bytes, at + 4, scratch.getInt32(4, true));
        } else if (size === 16) {
          setWord64(bytes, at, value as bigint);
          setWord64(bytes, at + 8, (value as bigint) >> 64n);
        } else {
          bytes[at] = value as number;
          if (size > 1) bytes[at + 1] = (value as number) >> 8;
          if (size > 2) {
            bytes[at + 2] = (value as number) >> 16;
            bytes[at + 3] = (value as number) >> 24;
          }
        }
        break;
      case 'float':
        if (size === 4) {
          scratch.setFloat32(0, value as number, true);
        } else {
          scratch.setFloat64(0, value as number, true);
          setWord(bytes, at + 4, scratch.getInt32(4, true));
        }
        setWord(bytes, at, scratch.getInt32(0, true));
        break;
      case 'pointer':
        if (size === 8) {
          const low = offsetBytes(value);
          setWord(bytes, at, low);
          setWord(bytes, at + 4, objectNumber(value) - (this.storesAddresses ? low >>> 31 : 0));
        } else {
          setWord(bytes, at, Number(addressOf(value, this.model)) | 0);
        }
        break;
      default:
        unreachable(type);
    }
    const { written } = block;
    if (written) for (let i = at; i < at + size; i++) written[i] = 1;
  }

  copy(target: ConcreteValue, source: ConcreteValue, size: ConcreteValue): void {
    const count = Number(size);
    const from = this.block(source);
    const fromAt = offsetBytes(source);
    const at = offsetBytes(target);
    if (count <= 0 || !from || !within(from, fromAt, count)) return;
    const to = this.notedBlock(target);
    if (!to || !within(to, at, count)) return;
    if (to.writtenChunks) noteWriting(to.writtenChunks, at, count);
    // Taken after `notedBlock`, which may have replaced the block when both are the same.
    const origin = this.block(source)!;
    if (to.written || origin.written) {
      this.trackWriting(to);
      if (origin.written) to.written!.set(origin.written.subarray(fromAt, fromAt + count), at);
      else to.written!.fill(1, at, at + count);
    }
    this.watch?.copy(origin, fromAt, to, at, count);
    to.bytes.set(origin.bytes.subarray(fromAt, fromAt + count), at);
  }

  fill(target: ConcreteValue, byte: ConcreteValue, size: ConcreteValue): void {
    const count = Number(size);
    const at = offsetBytes(target);
    const to = this.notedBlock(target);
    if (count <= 0 || !to || !within(to, at, count)) return;
    if (to.writtenChunks) noteWriting(to.writtenChunks, at, count);
    this.watch?.fill(to, at, count);
    to.bytes.fill(byte as number, at, at + count);
    to.written?.fill(1, at, at + count);
  }

  objectSize(pointer: ConcreteValue): ConcreteValue {
    return BigInt(this.block(pointer)?.sizeBytes ?? 0);
  }
  isLive(pointer: ConcreteValue): ConcreteValue {
    return this.block(pointer)?.live ? 1 : 0;
  }
  isWritable(pointer: ConcreteValue): ConcreteValue {
    return this.block(pointer)?.writable ? 1 : 0;
  }
  isHeap(pointer: ConcreteValue): ConcreteValue {
    return this.block(pointer)?.kind === 'heap' ? 1 : 0;
  }

  isInitialised(pointer: ConcreteValue, sizeBytes: number): ConcreteValue {
    const block = this.block(pointer);
    const at = offsetBytes(pointer);
    if (!block || !within(block, at, sizeBytes)) return 0;
    const { written } = block;
    if (written) for (let i = at; i < at + sizeBytes; i++) if (written[i] === 0) return 0;
    return 1;
  }

  areAllReached(from: readonly ConcreteValue[]): ConcreteValue {
    return this.lostBlocks(from).length === 0 ? 1 : 0;
  }

  ofList(
    list: ConcreteValue,
    node: ConcreteValue,
    site: ListQuestion,
    isMet: (node: ConcreteValue) => ConcreteValue,
  ): ConcreteValue {
    const { nodes, isList } = this.nodesFrom(list, site);
    switch (site.is) {
      case 'acyclic':
        return isList ? 1 : 0;
      case 'through':
        return isList && nodes.has(pointerTo(objectNumber(node), offsetBytes(node))) ? 1 : 0;
      case 'every':
        return isList && [...nodes].every((one) => Number(isMet(one)) !== 0) ? 1 : 0;
      case 'length':
        return BigInt(isList ? nodes.size : -1);
    }
  }

  /** The nodes from a pointer on, up to null or what is no further node. */
  nodesFrom(
    list: ConcreteValue,
    { linkBytes, nodeBytes }: Pick<ListQuestion, 'linkBytes' | 'nodeBytes'>,
  ): { readonly nodes: ReadonlySet<ConcreteValue>; readonly isList: boolean } {
    const nodes = new Set<ConcreteValue>();
    const at = (p: ConcreteValue, bytes = 0): ConcreteValue => pointerTo(objectNumber(p), offsetBytes(p) + bytes);
    for (let p = at(list); Number(p) !== 0;) {
      const block = this.block(p);
      if (!block?.live || !within(block, offsetBytes(p), nodeBytes) || nodes.has(p)) return { nodes, isList: false };
      nodes.add(p);
      p = at(this.load(at(p, linkBytes), pointer));
    }
    return { nodes, isList: true };
  }

  lostBlocks(from: readonly ConcreteValue[]): readonly MemoryBlock[] {
    return lostBlocks(this, this.model, from);
  }

  /** As if nothing had been written there since the object is there; for states that are made up. */
  unwrite(pointer: ConcreteValue, sizeBytes: number): void {
    const block = this.ownedBlock(pointer);
    const at = offsetBytes(pointer);
    if (!block || !within(block, at, sizeBytes)) return;
    this.trackWriting(block);
    block.written!.fill(0, at, at + sizeBytes);
  }

  /** Gives a block a shadow, if it has none: all of it counts as written so far. */
  trackWriting(block: MemoryBlock): void {
    if (block.written) return;
    block.written = new Uint8Array(block.sizeBytes).fill(1);
    if (this.residence?.addShadow(block) === false) {
      block.written = undefined;
      throw new MemoryExhausted('no room in the memory of compiled code');
    }
  }

  /** Null when no address space of the data model can hold the object. */
  allocate(size: ConcreteValue, zeroed: boolean, site: Command): ConcreteValue {
    const sizeBytes = Number(size);
    const isPossible = sizeBytes <= (this.model === 'lp64' ? 2 ** 63 - 1024 : 2 ** 31 - 1);
    const made = isPossible ? this.makeAllocated(sizeBytes, zeroed, site) : 0;
    if (made === 0) this.refusedAllocations++;
    return made;
  }

  private makeAllocated(sizeBytes: number, zeroed: boolean, site: Command): ConcreteValue {
    return this.make({
      ...(site.kind === 'allocate' && site.automatic
        ? { kind: 'automatic', name: 'a block on the stack' }
        : { kind: 'heap' }),
      sizeBytes,
      origin: site,
      ...(this.site && { madeAt: this.site }),
      contents: zeroed ? 'zero' : 'indeterminate',
    });
  }

  free(pointer: ConcreteValue): void {
    this.kill(pointer);
  }

  declare(object: FrameObject): ConcreteValue {
    const description: BlockDescription = {
      kind: 'automatic',
      sizeBytes: object.sizeBytes,
      name: object.name,
      origin: object,
      ...(this.site && { madeAt: this.site }),
    };
    const number = this.confinedNumber(object);
    if (number === undefined) return this.make(description);
    this.place(number, description);
    return pointerTo(number);
  }

  /** Undefined for objects that are not confined, and if there is no room for another one. */
  private confinedNumber(object: FrameObject): number | undefined {
    const place = this.confined?.place(object);
    if (place === undefined) return undefined;
    const number = this.firstConfined + this.confinedAt + place;
    if (number + unitsOf(object.sizeBytes) > this.confinedEnd || this.blockNumbered(number)?.live) return undefined;
    return number;
  }

  end(pointer: ConcreteValue): void {
    this.kill(pointer);
  }

  /** Ends the lifetime of a dynamic object; anything else is left alone. */
  kill(pointer: ConcreteValue): void {
    const block = this.ownedBlock(pointer);
    if (!block || block.kind === 'static' || block.kind === 'function') return;
    this.ownTables();
    this.residence?.drop(block);
    block.live = false;
    block.bytes = noBytes;
    block.written = undefined;
    block.diedAt = this.site;
    if (!this.isConfined(block.number)) {
      this.state.liveBytes -= block.sizeBytes;
      this.state.enqueueDead(block.number);
    }
    if (this.origins) this.origins[2 * block.number] = ownership.deadOfHost;
  }

  snapshot(): MemorySnapshot {
    this.recallAll();
    this.residence?.evict();
    this.zeros.forgetAll();
    this.generation++;
    this.tablesShared = true;
    return { blocks: this.blocks, far: this.far, state: this.state.save(), confinedBase: this.confinedTop() };
  }

  /** The first place behind those of live confined objects. */
  private confinedTop(): number {
    for (let number = this.confinedEnd - 1; number >= this.firstConfined; number--) {
      const block = this.blocks[number];
      if (block?.live) return number - this.firstConfined + unitsOf(block.sizeBytes);
    }
    return 0;
  }

  restore(snapshot: MemorySnapshot): void {
    this.residence?.forget();
    this.generation++;
    this.tablesShared = true;
    this.blocks = snapshot.blocks as (MemoryBlock | undefined)[];
    this.far = snapshot.far as Map<number, MemoryBlock>;
    this.state.restore(snapshot.state);
    this.confinedBase = snapshot.confinedBase;
    this.ownDead();
    this.state.isDirect = this.far.size === 0;
  }

  /** Skips numbers that `place` has used meanwhile. */
  private freshNumber(): number {
    this.ownTables();
    this.absorb();
    while (this.state.deadCount >= this.quarantine) {
      const number = this.state.longestDead();
      if (!this.blockNumbered(number)?.live && this.watch?.mayNameAnother?.(number) !== false) return number;
    }
    if (this.state.next >= this.maximumObjects) throw new MemoryExhausted(`more than ${this.maximumObjects} objects`);
    return this.state.next;
  }

  private own(block: MemoryBlock): MemoryBlock {
    const reused = block.writtenChunks && this.zeros.take(block.number, block.sizeBytes);
    if (reused) copyChunks(block.bytes, block.writtenChunks!, reused);
    const copy: MemoryBlock = {
      ...block,
      bytes: reused?.bytes ?? block.bytes.slice(),
      written: block.written?.slice(),
      generation: this.generation,
      writtenChunks: reused?.chunks,
    };
    this.put(copy);
    return copy;
  }

  private blockNumbered(number: number): MemoryBlock | undefined {
    if (this.origins && this.origins[2 * number]! > 0) return this.recall(number);
    return number < this.state.next ? this.blocks[number] : this.far.get(number);
  }

  /** Makes a block of what compiled code has made. */
  private recall(number: number): MemoryBlock {
    const block = this.residence!.recall(number, this.generation);
    this.put(block);
    if (!block.live) this.origins![2 * number] = ownership.deadOfHost;
    return block;
  }

  private recallAll(): void {
    const { origins } = this;
    if (!origins) return;
    const end = this.state.next;
    for (let number = 1; number < end; number++) if (origins[2 * number]! > 0) this.recall(number);
  }

  private put(block: MemoryBlock): void {
    this.ownTables();
    const { number } = block;
    if (this.origins) this.origins[2 * number] = ownership.host;
    if (number > this.state.next + 1000) {
      this.far.set(number, block);
      this.state.isDirect = false;
      return;
    }
    while (this.state.next <= number) {
      this.state.next++;
      this.absorb();
    }
    this.enter(block);
  }

  /**
   * Compiled code may have used numbers in between. An array that is made longer in large steps stays one; an element
   * far behind its end would make a dictionary of it.
   */
  private enter(block: MemoryBlock): void {
    const { blocks } = this;
    if (block.number > blocks.length + 16) blocks.length = Math.max(block.number, Math.floor(1.5 * blocks.length));
    blocks[block.number] = block;
  }

  /** Takes blocks into the table that its end has reached. */
  private absorb(): void {
    if (this.far.size === 0) return;
    for (let next = this.far.get(this.state.next); next !== undefined; next = this.far.get(this.state.next)) {
      this.far.delete(next.number);
      this.enter(next);
      this.state.next++;
    }
    this.state.isDirect = this.far.size === 0;
  }

  private ownTables(): void {
    if (!this.tablesShared) return;
    this.blocks = this.blocks.slice();
    this.far = new Map(this.far);
    this.tablesShared = false;
  }
}

/** Place in the pool of the contents that a confined object begins with. */
export const confinedContents = (place: number, sizeBytes: number): number =>
  sizeBytes <= poolTail ? (place * confinedUnitBytes) & (poolBytes - 8) : 0;

const scalarSize = (type: Scalar, model: DataModel): number =>
  type.kind === 'pointer' ? (model === 'lp64' ? 8 : 4) : type.widthBits >> 3;

const within = (block: MemoryBlock, at: number, size: number): boolean => at >= 0 && at + size <= block.bytes.length;

function word(bytes: Uint8Array, at: number): number {
  return bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
}

function word64(bytes: Uint8Array, at: number): bigint {
  scratch.setInt32(0, word(bytes, at), true);
  scratch.setInt32(4, word(bytes, at + 4), true);
  return scratch.getBigUint64(0, true);
}

/** The lower 64 bits of the value. */
function setWord64(bytes: Uint8Array, at: number, value: bigint): void {
  scratch.setBigInt64(0, value, true);
  setWord(bytes, at, scratch.getInt32(0, true));
  setWord(bytes, at + 4, scratch.getInt32(4, true));
}

function setWord(bytes: Uint8Array, at: number, value: number): void {
  bytes[at] = value;
  bytes[at + 1] = value >> 8;
  bytes[at + 2] = value >> 16;
  bytes[at + 3] = value >> 24;
}
