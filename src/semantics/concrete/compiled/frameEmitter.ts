/**
 * The frame of one function in WebAssembly: the locals that hold it, how it is taken from where the host put it, and
 * the ways out: the function's end, and handing over, where the frame is written behind those of the functions it
 * called.
 */
import type { DataModel } from '../../../c/types';
import { confinedUnitBytes, type ConfinedObjects } from '../../../program/automata/confinedObjects';
import type { Command } from '../../../program/command';
import type { FrameObject, Variable } from '../../../program/expression';
import type { Edge, FunctionDefinition, Location } from '../../../program/program';
import type { ObservedPredicates } from '../machine';
import { NotCompiled } from './notCompiled';
import type { BlockGraph } from './blocks';
import { privateObjects, type Declared } from './declared';
import type { CallEffect } from './checkElimination';
import { loadOf, storeOf } from './accesses';
import { ExpressionEmitter, type ObjectLocals } from './expressions';
import {
  cells,
  entry,
  frameEntered,
  frameHeaderBytes,
  half,
  tableObjects,
  wasmTypeOf,
  type LinearLayout,
} from './layout';
import { emitEndConfined } from './support/confinedObjects';
import type { Support } from './support/support';
import { access, Code, op, type BranchTarget, type Signature } from './wasm';

/** Context outside itself that a function's code refers to. */
export interface EmissionContext {
  readonly model: DataModel;
  /** Bytes of pointers in memory are their addresses. */
  readonly storesAddresses: boolean;
  readonly layout: LinearLayout;
  readonly support: Support;
  /** The number by which host functions know a command. */
  site(edge: Edge): number;
  /** The number by which a place in the program is known: `LinearMemory.siteSpan`. */
  place(edge: Edge): number;
  /** Effect of a call on objects that are not the called function's own. */
  effectOfCall(command: Command): CallEffect;
  readonly confined: ConfinedObjects;
  /** Index of the first form; undefined for functions that are not compiled. */
  calledIndex(fn: FunctionDefinition): number | undefined;
  functionIndex(fn: FunctionDefinition): number;
  isWatched(location: Location): boolean;
  predicatesAt(location: Location): ObservedPredicates | undefined;
  /** Address of a range of its own (see `rangeFields`), while there are any. */
  nextRange(): number | undefined;
  /** Address of a table with these words, while there is room. */
  tableOf(words: readonly bigint[], type: 'i32' | 'i64'): number | undefined;
  /** Among all of the program. */
  observedNumber(location: Location): number;
  /** True if a failing check ends execution or hands over. */
  isChecked(command: Extract<Command, { kind: 'check' }>): boolean;
}

export function calledSignature(fn: FunctionDefinition): Signature {
  return {
    parameters: [...fn.parameters.map(({ type }) => wasmTypeOf(type)), 'i32', 'i32'],
    result: fn.result && wasmTypeOf(fn.result),
  };
}
export const reentrantSignature: Signature = { parameters: ['i32', 'i32'], result: undefined };

/** To be called by compiled code, or to be entered anywhere. */
export type CodeForm = 'called' | 'reentrant';

export class FrameEmitter {
  readonly isReentrant: boolean;
  readonly code: Code;
  readonly expressions: ExpressionEmitter;
  /** Activations that may still come on top. */
  readonly depth: number;
  /** Address of the activation's confined objects. */
  readonly confined: number;
  readonly fuel: number;
  /** Index of the location to hand over at, in the way out. */
  private readonly here: number;
  /** In reentrant code, the place that is wanted. */
  readonly wanted: number;
  /** In reentrant code, not 0 when the place was just reached, whose arrival was reported before. */
  readonly isReported: number;
  private readonly private: ReadonlySet<FrameObject>;
  /** Valuation at the entry, where that is kept. */
  readonly entered: number | undefined;
  /** Target for handing over; set by whoever opens the block. */
  way: BranchTarget = 0;

  constructor(
    readonly fn: FunctionDefinition,
    private readonly graph: BlockGraph,
    private readonly declared: Declared,
    form: CodeForm,
    readonly around: EmissionContext,
  ) {
    const isReentrant = form === 'reentrant';
    this.isReentrant = isReentrant;
    const code = new Code(isReentrant ? reentrantSignature : calledSignature(fn));
    this.code = code;
    this.depth = code.localCount - 2;
    this.confined = code.localCount - 1;
    const variables = fn.variables.map(({ type }, slot) =>
      !isReentrant && slot < fn.parameters.length ? slot : code.local(wasmTypeOf(type)),
    );
    const objects = fn.objects.map(({ sizeBytes }): ObjectLocals => ({
      pointer: code.local('i64'),
      address: code.local('i32'),
      entry: code.local('i32'),
      shadow: isReentrant ? { kind: 'kept', local: code.local('i32') } : { kind: 'fixed', bytes: half(sizeBytes) },
    }));
    fn.parameters.forEach(({ slot }, i) => {
      if (slot !== i) throw new NotCompiled('parameters come first');
    });
    this.expressions = new ExpressionEmitter(
      code,
      { variables, objects },
      around.layout,
      around.model,
      around.support,
      around.storesAddresses,
    );
    this.private = privateObjects(fn);
    this.fuel = code.local('i32');
    this.here = code.local('i32');
    this.wanted = code.local('i32');
    this.isReported = code.local('i32');
    this.entered =
      around.isWatched(fn.entry) && around.predicatesAt(fn.entry)?.perEntry ? code.local('i64') : undefined;
  }

  /**
   * Most bytes of the activation on the native stack, in unoptimised code: a word per local, and what goes with a call.
   */
  get stackBytes(): number {
    return 300 + 8 * (this.code.localCount + this.fn.parameters.length);
  }

  /** True if the slot may have an object when control is at the location. A frame put in the middle may be anything. */
  mayBeDeclared(location: Location, slot: number): boolean {
    return this.isReentrant || ((this.declared.possibly[location.index]! >> BigInt(slot)) & 1n) === 1n;
  }

  /** True if no pointer of the function may lead to the object. */
  isPrivate(object: FrameObject): boolean {
    return this.private.has(object);
  }

  setArrived(): void {
    const { code } = this;
    code.i32(0);
    code.i32(1);
    code.access(access.i32store, cells.arrived);
  }

  /** The number pushed is an object's in linear memory, or 0. */
  setObject(slot: number, push: () => void): void {
    const { code } = this;
    const object = this.expressions.frame.objects[slot]!;
    push();
    code.op(op.i64extendU);
    code.i64(32n);
    code.op(op.i64shl);
    code.set(object.pointer);
    this.lookUp(slot);
  }

  /** The slot has no object any more. */
  clearObject(slot: number): void {
    const { code } = this;
    const object = this.expressions.frame.objects[slot]!;
    code.i64(0n);
    code.set(object.pointer);
    for (const local of [object.entry, object.address]) {
      code.i32(0);
      code.set(local);
    }
  }

  lookUp(slot: number): void {
    const { code } = this;
    const object = this.expressions.frame.objects[slot]!;
    code.get(object.pointer);
    code.i64(28n);
    code.op(op.i64shrU);
    code.op(op.i32wrap);
    code.i32(tableObjects * 16 - 16);
    code.op(op.i32and);
    code.tee(object.entry);
    code.access(access.i32load, this.around.layout.table + entry.address);
    code.set(object.address);
    if (object.shadow.kind !== 'kept') return;
    code.get(object.entry);
    code.access(access.i32load, this.around.layout.table + entry.shadow);
    code.set(object.shadow.local);
  }

  takeResult(target: Variable): void {
    const { code } = this;
    this.expressions.assign(target, () => {
      code.i32(0);
      code.access(loadOf[wasmTypeOf(target.type)], cells.result);
    });
  }

  // Ways out

  exit(): void {
    const { code, expressions, fn } = this;
    const { resultVariable } = fn;
    fn.objects.forEach((object) => {
      const { slot } = object;
      if (!this.mayBeDeclared(fn.exit, slot)) return;
      const { pointer } = expressions.frame.objects[slot]!;
      code.get(pointer);
      code.i64(0n);
      code.op(op.i64ne);
      code.if();
      code.get(pointer);
      code.i64(32n);
      code.op(op.i64shrU);
      code.op(op.i32wrap);
      this.endObject(object);
      code.end();
    });
    code.i32(0);
    code.get(this.fuel);
    code.access(access.i32store, cells.fuel);
    if (resultVariable && this.isReentrant) {
      code.i32(0);
      expressions.read(resultVariable);
      code.access(storeOf[wasmTypeOf(resultVariable.type)], cells.result);
    } else if (resultVariable) {
      expressions.read(resultVariable);
    }
    code.op(op.return);
  }

  pushConfinedOfCallee(): void {
    const { code, fn } = this;
    const units = this.around.confined.frameUnits(fn);
    code.get(this.confined);
    if (units === 0) return;
    code.i32(units * confinedUnitBytes);
    code.op(op.i32add);
  }

  /** Ends the object, whose number is on the stack. */
  endObject(object: FrameObject): void {
    const { code, expressions } = this;
    const { support, layout, confined } = this.around;
    const { sizeBytes } = object;
    const kill = support.automatic.get(sizeBytes)?.kill ?? support.kill;
    if (confined.place(object) === undefined) return code.call(kill);
    expressions.withTemporary('i32', (number) => {
      code.set(number);
      emitEndConfined(code, layout, { object: number, sizeBytes, kill, hostKill: support.host.kill });
    });
  }

  handOverIfZero(location: Location): void {
    this.code.op(op.i32eqz);
    this.handOverIfNotZero(location);
  }

  handOverIfNotZero(location: Location): void {
    this.code.if();
    this.handOver(location);
    this.code.end();
  }

  /** Control is at the location, the command not begun. `refund`: edges paid for that were not taken. */
  handOver(location: Location, refund = this.graph.refund[location.index]!): void {
    const { code } = this;
    code.i32(location.index);
    code.set(this.here);
    if (refund > 0) {
      code.get(this.fuel);
      code.i32(refund);
      code.op(op.i32add);
      code.set(this.fuel);
    }
    code.branch(this.way);
  }

  /** Writes the frame. The first to do so keeps the fuel and makes it negative for the others. */
  leave(): void {
    const { code, fn, expressions } = this;
    const { frame } = expressions;
    const at = code.local('i32');
    code.i32(0);
    code.access(access.i32load, cells.spillEnd);
    code.set(at);
    // Fuel in its cell is negative only when a called function handed over.
    code.i32(0);
    code.access(access.i32load, cells.fuel);
    code.i32(0);
    code.op(op.i32geS);
    code.if();
    code.i32(0);
    code.get(this.fuel);
    code.access(access.i32store, cells.savedFuel);
    code.i32(0);
    code.i32(-1);
    code.access(access.i32store, cells.fuel);
    code.end();
    code.get(at);
    code.i32(this.around.functionIndex(fn));
    code.access(access.i32store, 0);
    code.get(at);
    code.get(this.here);
    code.access(access.i32store, 4);
    if (this.entered !== undefined) {
      code.get(at);
      code.get(this.entered);
      code.access(access.i64store, frameEntered);
    }
    fn.variables.forEach(({ type }, slot) => {
      code.get(at);
      code.get(frame.variables[slot]!);
      code.access(storeOf[wasmTypeOf(type)], frameHeaderBytes + 8 * slot);
    });
    fn.objects.forEach((_, slot) => {
      code.get(at);
      code.get(frame.objects[slot]!.pointer);
      code.access(access.i64store, frameHeaderBytes + 8 * (fn.variables.length + slot));
    });
    code.i32(0);
    code.get(at);
    code.i32(frameBytes(fn));
    code.op(op.i32add);
    code.access(access.i32store, cells.spillEnd);
    if (!this.isReentrant && fn.result) expressions.zero(wasmTypeOf(fn.result));
  }

  takeFrame(): void {
    const { code, fn } = this;
    const { frame } = this.expressions;
    const { spill } = this.around.layout;
    code.i32(0);
    code.access(access.i32load, spill + 4);
    code.set(this.wanted);
    if (this.entered !== undefined) {
      code.i32(0);
      code.access(access.i64load, spill + frameEntered);
      code.set(this.entered);
    }
    fn.variables.forEach(({ type }, slot) => {
      code.i32(0);
      code.access(loadOf[wasmTypeOf(type)], spill + frameHeaderBytes + 8 * slot);
      code.set(frame.variables[slot]!);
    });
    fn.objects.forEach((_, slot) => {
      code.i32(0);
      code.access(access.i64load, spill + frameHeaderBytes + 8 * (fn.variables.length + slot));
      code.set(frame.objects[slot]!.pointer);
      this.lookUp(slot);
    });
  }
}

export const frameBytes = (fn: FunctionDefinition): number =>
  frameHeaderBytes + 8 * (fn.variables.length + fn.objects.length);
