/**
 * Compiled code at work for one machine: puts a frame into it, and takes out either the result or the stack of frames
 * at the place where the reference machine must go on. In between it answers what code asks of its host; each answer is
 * the machine's or memory's own.
 */
import type { Command, ExternalCommand } from '../../../program/command';
import type { Scalar } from '../../../program/expression';
import { confinedUnitBytes } from '../../../program/automata/confinedObjects';
import type { FunctionDefinition, Location } from '../../../program/program';
import { objectNumber, offsetBytes, pointerTo, type ConcreteValue } from '../concreteValues';
import type { ConcreteMemory } from '../concreteMemory';
import { MemoryExhausted } from '../memoryBlock';
import type { CompiledFunction, CompiledProgram, CompiledUnit, Site } from './compile';
import { frameBytes } from './frameEmitter';
import { cells, frameEntered, frameHeaderBytes, seenEntries, seenEntryBytes } from './layout';
import { siteOfHost, stateWords } from '../objectState';
import { LinearMemory, propertiesOf } from './linearMemory';
import type { HostFunction } from './support/hostFunctions';
import { webAssembly, type WasmInstance } from './webAssembly';

/**
 * Services of a machine for the code. All of these may throw; the error comes out where the reference machine would
 * throw it.
 */
export interface Interpreter {
  readonly globals: ConcreteValue[];
  readonly memory: ConcreteMemory;
  /** Bytes that fresh memory is filled from: the machine's pool. */
  readonly contents: Uint8Array;
  /** True if allocations on the heap are not reported. */
  readonly allocatesUnseen: boolean;
  allocate(command: Extract<Command, { kind: 'allocate' }>, sizeBytes: number, site: Site): ConcreteValue;
  choose(command: Extract<Command, { kind: 'havoc' | 'input' }>, site: Site): ConcreteValue;
  native(command: ExternalCommand, args: readonly ConcreteValue[], site: Site): ConcreteValue | undefined;
}

export interface FrameState {
  readonly fn: FunctionDefinition;
  readonly location: Location;
  readonly locals: readonly ConcreteValue[];
  readonly objects: readonly ConcreteValue[];
  readonly entered?: bigint | undefined;
}

/** `confinedAt`: place of its confined objects. */
export type EnteredFrame = FrameState & { readonly confinedAt: number };

/** `steps`: edges taken. `movedBytes`: what had to be brought into linear memory before. */
export type Exit = { readonly steps: number; readonly movedBytes: number } & (
  | { readonly kind: 'returned'; readonly value: ConcreteValue | undefined }
  /**
   * Innermost first. The location is where the innermost is and where the others made their calls. `failure`: what its
   * command throws.
   */
  | {
      readonly kind: 'suspended';
      readonly frames: readonly FrameState[];
      readonly failure: { readonly error: unknown } | undefined;
      /** The innermost frame has arrived just now, which the observer does not know yet. */
      readonly hasArrived: boolean;
    }
);

/**
 * Code is left now and then, so that a long loop gets the better code that the engine has meanwhile made: edges before
 * the first time, and at most.
 */
const firstSlice = 1 << 16;
const largestSlice = 1 << 28;

export class CompiledExecution {
  private readonly linear: LinearMemory;
  private readonly instances = new Map<CompiledUnit, WasmInstance>();
  /** For each unit, when its static objects were last brought in. */
  private readonly present = new Map<CompiledUnit, number>();
  /** Units whose tables lie in linear memory. */
  private readonly hasTables = new Set<CompiledUnit>();
  private failure: { readonly error: unknown } | undefined;
  private isRunning = false;
  private slice = firstSlice;
  private movedBytes = 0;
  // Cells, frames and globals lie in what linear memory begins with, which these views always show.
  private readonly words: Int32Array;
  private readonly longs: BigInt64Array;
  private readonly singles: Float32Array;
  private readonly doubles: Float64Array;

  /** A word per location of the program: how many arrivals need not be reported. Shared with compiled code. */
  readonly skips: Int32Array;

  private constructor(
    private compiled: CompiledProgram,
    private readonly interpreter: Interpreter,
  ) {
    this.linear = new LinearMemory(compiled.program, compiled.layout, compiled.initialPages);
    const { buffer } = this.linear.memory;
    this.words = new Int32Array(buffer);
    this.longs = new BigInt64Array(buffer);
    this.singles = new Float32Array(buffer);
    this.doubles = new Float64Array(buffer);
    const { skips, globals } = compiled.layout;
    this.skips = new Int32Array(buffer, skips, (globals - skips) >> 2);
    this.forgetSeen();
    const { linear } = this;
    linear.putPool(interpreter.contents);
    interpreter.memory.settle(
      {
        recall: (number, generation) => linear.recall(number, generation),
        siteSpan: (number) => linear.siteSpan(number),
        drop: (block) => linear.drop(block),
        evict: () => {
          this.mustNotRun();
          linear.evict();
        },
        forget: () => {
          this.mustNotRun();
          linear.forget();
        },
        addShadow: (block) => linear.addShadow(block),
      },
      linear.arrays,
      linear.randomWords,
    );
    this.words[cells.allocates >> 2] = interpreter.allocatesUnseen ? 1 : 0;
  }

  /** Undefined when the system gives no address space for another linear memory. */
  static begin(compiled: CompiledProgram, interpreter: Interpreter): CompiledExecution | undefined {
    try {
      return new CompiledExecution(compiled, interpreter);
    } catch (error) {
      if (error instanceof RangeError) return undefined;
      throw error;
    }
  }

  /** Other code for the same program, which watches other locations. */
  use(compiled: CompiledProgram): void {
    if (compiled === this.compiled) return;
    this.compiled = compiled;
    this.hasTables.clear();
  }

  /** No valuation counts as reported any more. */
  forgetSeen(): void {
    const { cache, ranges, seen } = this.compiled.layout;
    this.longs.fill(-1n, cache >> 3, ranges >> 3);
    this.longs.fill(0n, ranges >> 3, seen >> 3);
    if (this.words[cells.seen >> 2] === 0) return;
    this.words[cells.seen >> 2] = 0;
    this.words.fill(0, seen >> 2, (seen + seenEntries * seenEntryBytes) >> 2);
  }

  /** Bytes of static objects to be moved before a function's code can be entered; undefined if it has no code. */
  bytesToMove(fn: FunctionDefinition): number | undefined {
    const unit = this.compiled.unit(fn);
    if (!unit || this.present.get(unit) === this.linear.evictions) return unit && 0;
    return unit.statics.reduce((sum, number) => {
      const block = this.linear.holds(number) ? undefined : this.interpreter.memory.block(pointerTo(number));
      return sum + (block?.sizeBytes ?? 0);
    }, 0);
  }

  /**
   * Runs on from a location of a frame. `depth`: how many activations may come on top. Undefined when it cannot be
   * entered there.
   */
  enter(frame: EnteredFrame, location: Location, steps: number, depth: number): Exit | undefined {
    const { fn } = frame;
    if (this.isRunning || depth < 0) return undefined;
    const unit = this.compiled.unit(fn);
    const compiled = unit?.functions.get(fn);
    if (!unit || !compiled?.points.has(location)) return undefined;
    const keepsEntry = this.compiled.observedPredicates.get(fn.entry)?.perEntry ?? false;
    if (keepsEntry && frame.entered === undefined) return undefined;
    if (!this.hasTables.has(unit)) this.putTables(unit);
    this.movedBytes = 0;
    if (!this.bringStatics(unit) || !this.bringObjects(frame, location, compiled)) return undefined;
    const { layout } = this.compiled;
    const fuel = Math.min(steps, this.slice);
    this.words[cells.fuel >> 2] = fuel;
    this.words[cells.arrived >> 2] = 0;
    this.words[cells.spillEnd >> 2] = layout.spill;
    this.words[(layout.spill >> 2) + 1] = location.index;
    if (keepsEntry) this.longs[(layout.spill + frameEntered) >> 3] = frame.entered!;
    this.putFrame(frame);
    for (const slot of unit.globals)
      this.put(
        layout.globals + slot * 8,
        this.compiled.program.globals[slot]!.variable.type,
        this.interpreter.globals[slot]!,
      );
    const { movedBytes } = this;
    this.takeSite();
    this.failure = undefined;
    this.isRunning = true;
    try {
      this.instance(unit).exports[compiled.exportName]!(
        Math.min(unit.maximumDepth, depth) + 1,
        layout.confined + confinedUnitBytes * frame.confinedAt,
      );
    } finally {
      this.isRunning = false;
      for (const slot of unit.globals)
        this.interpreter.globals[slot] = this.get(
          layout.globals + slot * 8,
          this.compiled.program.globals[slot]!.variable.type,
        );
    }
    const left = this.words[cells.fuel >> 2]!;
    if (left >= 0)
      return {
        kind: 'returned',
        value: fn.resultVariable && this.get(cells.result, fn.resultVariable.type),
        steps: fuel - left,
        movedBytes,
      };
    const used = fuel - this.words[cells.savedFuel >> 2]!;
    if (used > fuel >> 1) this.slice = Math.min(largestSlice, this.slice * 2);
    const { failure } = this;
    return {
      kind: 'suspended',
      frames: this.takeFrames(),
      failure,
      hasArrived: this.words[cells.arrived >> 2] !== 0,
      steps: used,
      movedBytes,
    };
  }

  private mustNotRun(): void {
    if (this.isRunning) throw new Error('memory is neither saved nor restored while compiled code runs in it');
  }

  private putTables(unit: CompiledUnit): void {
    this.hasTables.add(unit);
    for (const { address, words, type } of unit.tables) {
      if (type === 'i64')
        this.longs.set(
          words.map((word) => BigInt.asIntN(64, word)),
          address >> 3,
        );
      else
        this.words.set(
          words.map((word) => Number(BigInt.asIntN(32, word))),
          address >> 2,
        );
    }
  }

  // Frames

  private putFrame({ fn, locals, objects }: FrameState): void {
    let at = this.compiled.layout.spill + frameHeaderBytes;
    fn.variables.forEach(({ type }, slot) => {
      this.put(at, type, locals[slot]!);
      at += 8;
    });
    for (let slot = 0; slot < fn.objects.length; slot++) {
      this.putPointer(at, objects[slot]!);
      at += 8;
    }
  }

  private takeFrames(): FrameState[] {
    const { layout, program } = this.compiled;
    const frames: FrameState[] = [];
    const end = this.words[cells.spillEnd >> 2]!;
    for (let at = layout.spill; at < end;) {
      const fn = program.functions[this.words[at >> 2]!]!;
      const location = fn.locations[this.words[(at >> 2) + 1]!]!;
      const start = at + frameHeaderBytes;
      frames.push({
        fn,
        location,
        entered: this.compiled.observedPredicates.get(fn.entry)?.perEntry
          ? this.longs[(at + frameEntered) >> 3]
          : undefined,
        locals: fn.variables.map(({ type }, slot) => this.get(start + 8 * slot, type)),
        objects: fn.objects.map((_, slot) => this.getPointer(start + 8 * (fn.variables.length + slot))),
      });
      at += frameBytes(fn);
    }
    return frames;
  }

  private put(at: number, type: Scalar, value: ConcreteValue): void {
    switch (type.kind) {
      case 'integer':
        if (type.widthBits === 64) this.longs[at >> 3] = value as bigint;
        else this.words[at >> 2] = value as number;
        return;
      case 'float':
        if (type.widthBits === 64) this.doubles[at >> 3] = value as number;
        else this.singles[at >> 2] = value as number;
        return;
      case 'pointer':
        this.putPointer(at, value);
    }
  }

  private get(at: number, type: Scalar): ConcreteValue {
    switch (type.kind) {
      case 'integer': {
        if (type.widthBits === 64) return type.signed ? this.longs[at >> 3]! : BigInt.asUintN(64, this.longs[at >> 3]!);
        const word = this.words[at >> 2]!;
        return type.signed ? word : word >>> 0;
      }
      case 'float':
        return type.widthBits === 64 ? this.doubles[at >> 3]! : this.singles[at >> 2]!;
      case 'pointer':
        return this.getPointer(at);
    }
  }

  private putPointer(at: number, pointer: ConcreteValue): void {
    this.words[at >> 2] = offsetBytes(pointer);
    this.words[(at >> 2) + 1] = objectNumber(pointer);
  }

  private getPointer(at: number): ConcreteValue {
    return pointerTo(this.words[(at >> 2) + 1]! >>> 0, this.words[at >> 2]!);
  }

  // Objects

  /** Brings a live object in, if it is not there yet. */
  private bring(number: number): boolean {
    if (this.linear.holds(number)) return true;
    const block = this.interpreter.memory.notedBlock(pointerTo(number));
    if (block) this.movedBytes += block.sizeBytes;
    return block !== undefined && this.linear.admit(block);
  }

  private bringStatics(unit: CompiledUnit): boolean {
    if (this.present.get(unit) === this.linear.evictions) return true;
    const { memory } = this.interpreter;
    for (const number of unit.statics) {
      const block = memory.block(pointerTo(number));
      if (
        !block?.live ||
        block.sizeBytes !== this.compiled.program.objects[number - 1]!.sizeBytes ||
        !this.bring(number)
      )
        return false;
    }
    this.present.set(unit, this.linear.evictions);
    return true;
  }

  /** Objects that code takes to be declared; a fabricated frame may be otherwise. */
  private bringObjects({ fn, objects }: FrameState, location: Location, { declared }: CompiledFunction): boolean {
    const certain = declared.certainly[location.index]!;
    for (const { slot, sizeBytes } of fn.objects) {
      const pointer = objects[slot]!;
      // A block, so that code ends it by way of the host, whatever it is.
      const block = this.interpreter.memory.block(pointer);
      if (((certain >> BigInt(slot)) & 1n) === 0n) continue;
      if (!block?.live || offsetBytes(pointer) !== 0 || block.sizeBytes !== sizeBytes || !this.bring(block.number))
        return false;
      // Code takes objects of the frame to have shadows.
      if (sizeBytes > 0) this.interpreter.memory.trackWriting(this.interpreter.memory.ownedBlock(pointer)!);
    }
    return true;
  }

  // Requests of code

  private instance(unit: CompiledUnit): WasmInstance {
    let instance = this.instances.get(unit);
    if (!instance) {
      const host = { ...this.hostFunctions(unit), memory: this.linear.memory };
      this.instances.set(unit, (instance = new webAssembly!.Instance(unit.module, { host })));
    }
    return instance;
  }

  private hostFunctions({
    sites,
  }: CompiledUnit): Record<HostFunction, (...args: number[]) => number | bigint | undefined> {
    const { interpreter } = this;
    const { memory } = interpreter;
    const block = (object: number) => memory.block(pointerTo(object >>> 0));
    return {
      touch: (object) => (this.linear.holds(object!) ? 0 : Number(this.bring(object! >>> 0))),
      properties: (object) => {
        const found = block(object!);
        return found ? propertiesOf(found) : 0;
      },
      size: (object) => block(object!)?.sizeBytes ?? 0,
      truncate: (value) => (Number.isFinite(value) ? BigInt.asIntN(64, BigInt(Math.trunc(value!))) : 0n),
      allocate: (number, low, high) => {
        const site = sites[number!]!;
        const { command } = site.edge;
        if (command.kind !== 'allocate') throw new Error('the site allocates');
        return this.attempt(
          () => objectNumber(interpreter.allocate(command, (high! >>> 0) * 0x1_0000_0000 + (low! >>> 0), site)),
          -1,
        );
      },
      declare: (number, confinedAt) => {
        const { edge } = sites[number!]!;
        const { command } = edge;
        if (command.kind !== 'declare') throw new Error('the site declares');
        return this.attempt(() => {
          memory.site = edge.span;
          memory.confinedAt = confinedAt!;
          const object = objectNumber(memory.declare(command.object));
          if (!this.bring(object)) throw new MemoryExhausted('no room in the memory of compiled code');
          return object;
        }, -1);
      },
      kill: (object) => {
        memory.kill(pointerTo(object! >>> 0));
        return undefined;
      },
      copy: (target, targetOffset, source, sourceOffset, size) =>
        this.attempt(() => {
          memory.copy(pointerTo(target! >>> 0, targetOffset), pointerTo(source! >>> 0, sourceOffset), size!);
          return 0;
        }, 1),
      native: (number) => {
        const site = sites[number!]!;
        const { command } = site.edge;
        if (command.kind !== 'external') throw new Error('the site calls a native');
        return this.attempt(() => {
          const args = command.arguments.map(({ type }, i) => this.get(cells.arguments + 8 * i, type));
          const result = interpreter.native(command, args, site);
          if (command.target) this.put(cells.result, command.target.type, result!);
          return 0;
        }, 1);
      },
      choose: (number) => {
        const site = sites[number!]!;
        const { command } = site.edge;
        if (command.kind !== 'havoc' && command.kind !== 'input') throw new Error('the site chooses a value');
        return this.attempt(() => {
          this.put(cells.result, command.target.type, interpreter.choose(command, site));
          return 0;
        }, 1);
      },
    };
  }

  /** Keeps what is thrown, for the machine to throw again when all frames are out. */
  private attempt(answer: () => number, failed: number): number {
    try {
      return answer();
    } catch (error) {
      this.failure = { error };
      return failed;
    } finally {
      this.takeSite();
    }
  }

  /** The place that the host has set last, as a number for code. */
  private takeSite(): void {
    const at = (cells.objectState >> 2) + stateWords.site;
    if (this.words[at] === siteOfHost) this.words[at] = this.linear.siteNumber(this.interpreter.memory.site);
  }
}
