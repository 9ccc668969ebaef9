/**
 * Expressions as WebAssembly: the values of `concrete.ts` in machine types. Integers up to 32 bits are canonical i32
 * (sign- or zero-extended by their type), pointers the packed i64 `object << 32 | offset`. Everything is total, as in
 * the IR; nothing here traps or calls C. `accesses.ts` has the accesses to memory, `arithmetic.ts` the operators.
 */
import type { DataModel } from '../../../c/types';
import type { Expression, Variable } from '../../../program/expression';
import { keyOf } from '../../../program/automata/repeatedChecks';
import { unreachable } from '../../../unreachable';
import { AccessEmitter, sharedObjectOf, loadOf, storeOf, type ShadowDistance } from './accesses';
import { ArithmeticEmitter } from './arithmetic';
import { rootOf, type KnownFacts } from './checkElimination';
import { entry, property, wasmTypeOf, type LinearLayout } from './layout';
import { NotCompiled } from './notCompiled';
import type { Support } from './support/support';
import { toEntry } from './support/pointerParts';
import { access, op, type Code, type WasmType } from './wasm';

/** Pointer to an automatic object (i64, 0 when not declared), its linear address and its entry in the table. */
export interface ObjectLocals {
  readonly pointer: number;
  readonly address: number;
  readonly entry: number;
  /** While it is certainly declared. */
  readonly shadow: ShadowDistance;
}

export interface FrameLocals {
  /** By slot. */
  readonly variables: readonly number[];
  readonly objects: readonly ObjectLocals[];
}

/** Locals with what was found out about the object that a pointer leads to; those that nothing asks for are missing. */
export interface SharedObject {
  /** Its size if it is live and in linear memory, and 0 otherwise (i64); then the linear address of its beginning. */
  readonly size: number;
  readonly address: number;
  /** Its size, and its properties, wherever it is, dead or alive (i64, i32). */
  readonly wholeSize: number | undefined;
  readonly properties: number | undefined;
}

export class ExpressionEmitter {
  known!: KnownFacts;
  /**
   * While observed predicates are emitted: locals with what several of them need, and objects that were looked
   * up, by `keyOf`.
   */
  shared:
    { readonly computed: ReadonlyMap<string, number>; readonly objects: ReadonlyMap<string, SharedObject> } | undefined;
  /** Bits of the slots of automatic objects that are certainly declared here. */
  declared = 0n;
  private readonly free: Record<WasmType, number[]> = { i32: [], i64: [], f32: [], f64: [] };

  readonly arithmetic: ArithmeticEmitter;
  readonly accesses: AccessEmitter;

  constructor(
    readonly code: Code,
    readonly frame: FrameLocals,
    readonly layout: LinearLayout,
    readonly model: DataModel,
    readonly support: Support,
    /** Bytes of pointers in memory are their addresses. */
    readonly storesAddresses: boolean,
  ) {
    this.arithmetic = new ArithmeticEmitter(this);
    this.accesses = new AccessEmitter(this);
  }

  /** A local for one moment; give it back by `release`. */
  temporary(type: WasmType): number {
    return this.free[type].pop() ?? this.code.local(type);
  }
  release(type: WasmType, local: number): void {
    this.free[type].push(local);
  }
  withTemporary(type: WasmType, use: (local: number) => void): void {
    const local = this.temporary(type);
    use(local);
    this.release(type, local);
  }

  /** Pushes 1 or another non-zero i32 when it is not zero. */
  condition(e: Expression): void {
    this.value(e);
    switch (wasmTypeOf(e.type)) {
      case 'i32':
        return;
      case 'i64':
        this.code.i64(0n);
        this.code.op(op.i64ne);
        return;
      case 'f32':
        this.code.f32(0);
        this.code.op(op.f32ne);
        return;
      case 'f64':
        this.code.f64(0);
        this.code.op(op.f64ne);
        return;
    }
  }

  value(e: Expression): void {
    const { code } = this;
    const computed =
      this.shared && e.kind !== 'integer' && e.kind !== 'read' ? this.shared.computed.get(keyOf(e)) : undefined;
    if (computed !== undefined) return code.get(computed);
    switch (e.kind) {
      case 'integer':
        return e.type.widthBits === 64 ? code.i64(e.value) : code.i32(Number(BigInt.asIntN(32, e.value)));
      case 'float':
        return e.type.widthBits === 64 ? code.f64(e.value) : code.f32(e.value);
      case 'null':
        return code.i64(0n);
      case 'read':
        return this.read(e.variable);
      case 'address':
        return e.of.kind === 'frame-object'
          ? code.get(this.frame.objects[e.of.slot]!.pointer)
          : code.i64(BigInt(e.of.number) << 32n);
      case 'load':
        return this.accesses.load(e.address, e.type);
      case 'unary':
        return this.arithmetic.unary(e.operator, e.operand, e.type);
      case 'binary':
        if (e.type.kind === 'float') return this.arithmetic.floatBinary(e.operator, e.left, e.right, e.type.widthBits);
        return this.arithmetic.binary(e.operator, e.left, e.right, e.type);
      case 'compare':
        return this.arithmetic.compare(e.operator, e.left, e.right);
      case 'convert':
        return this.arithmetic.convert(e.operand, e.type);
      case 'offset':
        return this.offset(e.pointer, e.delta);
      case 'object-of':
        this.value(e.pointer);
        code.i64(32n);
        return code.op(op.i64shrU);
      case 'offset-of':
        this.value(e.pointer);
        return code.op(op.i64extend32S);
      case 'object-size': {
        const size = this.sharedObject(e.pointer)?.wholeSize;
        if (size !== undefined) return code.get(size);
        return this.byTable(e.pointer, 'i64', { field: entry.size, load: access.i64load32U }, this.support.size);
      }
      case 'is-live':
        return this.property(e.pointer, property.live);
      case 'is-writable':
        return this.property(e.pointer, property.writable);
      case 'is-heap':
        return this.property(e.pointer, property.heap);
      case 'is-initialised':
        return this.accesses.isInitialised(e.pointer, e.sizeBytes);
      case 'all-reached':
        throw new NotCompiled('it looks for lost blocks');
      case 'list':
        throw new NotCompiled('it follows a list');
      case 'conditional': {
        this.condition(e.condition);
        code.if(wasmTypeOf(e.type));
        this.value(e.then);
        code.else();
        this.value(e.otherwise);
        return code.end();
      }
      default:
        return unreachable(e);
    }
  }

  read(variable: Variable): void {
    if (variable.scope === 'local') return this.code.get(this.frame.variables[variable.slot]!);
    this.code.i32(0);
    this.code.access(loadOf[wasmTypeOf(variable.type)], this.layout.globals + variable.slot * 8);
  }

  /** Assigns what `push` pushes. */
  assign(variable: Variable, push: () => void): void {
    if (variable.scope === 'local') {
      push();
      return this.code.set(this.frame.variables[variable.slot]!);
    }
    this.code.i32(0);
    push();
    this.code.access(storeOf[wasmTypeOf(variable.type)], this.layout.globals + variable.slot * 8);
  }

  private offset(pointer: Expression, delta: Expression): void {
    const { code } = this;
    if (this.model === 'ilp32') {
      this.value(pointer);
      this.value(delta);
      return code.call(this.support.offset);
    }
    this.withTemporary('i64', (p) => {
      // (p & ~mask) | ((p + delta) & mask)
      this.value(pointer);
      code.tee(p);
      code.i64(-0x1_0000_0000n);
      code.op(op.i64and);
      code.get(p);
      this.value(delta);
      code.op(op.i64add);
      code.i64(0xffff_ffffn);
      code.op(op.i64and);
      code.op(op.i64or);
    });
  }

  zero(type: WasmType): void {
    switch (type) {
      case 'i32':
        return this.code.i32(0);
      case 'i64':
        return this.code.i64(0n);
      case 'f32':
        return this.code.f32(0);
      case 'f64':
        return this.code.f64(0);
    }
  }

  private sharedObject(pointer: Expression): SharedObject | undefined {
    return sharedObjectOf(this, this.model === 'lp64' ? rootOf(pointer).root : pointer);
  }

  /** Pushes a field of the pointer's object. `rest`: the function for objects whose entry does not hold it. */
  private byTable(
    pointer: Expression,
    type: 'i32' | 'i64',
    { field, load }: { readonly field: number; readonly load: number },
    rest: number,
  ): void {
    const { code } = this;
    const subject = this.model === 'lp64' ? rootOf(pointer).root : pointer;
    this.withTemporary(type, (found) => {
      const done = code.block(type);
      const elsewhere = code.block();
      this.value(subject);
      code.i64(52n);
      code.op(op.i64shrU);
      code.op(op.i32wrap);
      code.branchIf(elsewhere);
      this.value(subject);
      toEntry(code);
      code.access(load, this.layout.table + field);
      code.tee(found);
      code.op(type === 'i32' ? op.i32eqz : op.i64eqz);
      code.branchIf(elsewhere);
      code.get(found);
      code.branch(done);
      code.end();
      this.value(subject);
      code.call(rest);
      code.end();
    });
  }

  private property(pointer: Expression, mask: number): void {
    const { code } = this;
    const { root } = rootOf(pointer);
    const local = this.known.entry(keyOf(root));
    const shared = this.sharedObject(pointer)?.properties;
    if (local !== undefined) {
      code.get(local);
      code.access(access.i32load, this.layout.table + entry.properties);
    } else if (shared !== undefined) {
      code.get(shared);
    } else {
      this.byTable(pointer, 'i32', { field: entry.properties, load: access.i32load }, this.support.properties);
    }
    if (mask === property.live) {
      code.i32(mask);
      code.op(op.i32and);
    } else {
      code.i32(mask === property.writable ? 1 : 2);
      code.op(op.i32shrU);
      code.i32(1);
      code.op(op.i32and);
    }
  }
}
