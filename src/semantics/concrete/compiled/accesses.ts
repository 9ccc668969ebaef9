/**
 * Accesses to memory as WebAssembly: straight to linear memory where they are known to be in bounds, and through the
 * table of objects where not. The table's functions ask the host for what they cannot answer.
 */
import type { DataModel } from '../../../c/types';
import { keyOf } from '../../../program/automata/repeatedChecks';
import type { Expression, FrameObject, Scalar } from '../../../program/expression';
import { rootOf } from './checkElimination';
import type { SharedObject, ExpressionEmitter } from './expressions';
import { entry, wasmTypeOf } from './layout';
import { emitInlineResolve, pushCarry, pushShadow } from './support/pointerParts';
import { unreachable } from '../../../unreachable';
import { access, op, type BranchTarget, type Code, type WasmType } from './wasm';

/** Bytes at a linear address: a local or nothing on the stack, plus a constant. */
export interface LinearAddress {
  readonly offset: number;
  readonly shadow: ShadowPlace;
}

/** Distance from an object to its shadow: in its entry of the table, or where it does not change. */
type ShadowPlace =
  /** Local with the place of the entry. */
  | { readonly kind: 'entry'; readonly local: number }
  | { readonly kind: 'static entry'; readonly value: number }
  | ShadowDistance;

/** Local with a distance that is not 0, or the distance. */
export type ShadowDistance =
  { readonly kind: 'kept'; readonly local: number } | { readonly kind: 'fixed'; readonly bytes: number };

export class AccessEmitter {
  private readonly code: Code;
  constructor(private readonly emitter: ExpressionEmitter) {
    this.code = emitter.code;
  }

  /**
   * Pushes an i32 linear address of a valid access, when it is known to be one, and says what constant is still to be
   * added. The object must not have moved since.
   */
  linearAddress(address: Expression, sizeBytes: number): LinearAddress | undefined {
    const found = this.emitter.known.access(keyOf(address), sizeBytes);
    if (found) {
      this.code.get(found.address);
      return { offset: 0, shadow: { kind: 'entry', local: found.entry } };
    }
    const { root, deltas } = rootOf(address);
    if (root.kind !== 'address' || root.of.kind === 'function') return undefined;
    let low = 0;
    let high = 0;
    for (const delta of deltas) {
      const range = this.emitter.known.rangeOf(delta);
      low += range.low;
      high += range.high;
    }
    if (!(low >= 0 && high + sizeBytes <= root.of.sizeBytes) || (this.emitter.model === 'ilp32' && high > 0x7fff))
      return undefined;
    if (root.of.kind === 'frame-object') {
      if (((this.emitter.declared >> BigInt(root.of.slot)) & 1n) === 0n) return undefined;
      return this.within(root.of, deltas);
    }
    const start = this.emitter.layout.statics.get(root.of.number)!.address;
    const constant = this.sum(deltas, undefined);
    return { offset: start + constant, shadow: { kind: 'static entry', value: root.of.number * 16 } };
  }

  private within(object: FrameObject, deltas: readonly Expression[]): LinearAddress {
    const { address, shadow } = this.emitter.frame.objects[object.slot]!;
    return { offset: this.sum(deltas, address), shadow };
  }

  /** Pushes the sum of a local and what is not constant; answers the rest, which may be added without a sign. */
  private sum(deltas: readonly Expression[], base: number | undefined): number {
    const { code } = this;
    let constant = 0;
    let pushed = false;
    const push = (emit: () => void) => {
      emit();
      if (pushed) code.op(op.i32add);
      pushed = true;
    };
    if (base !== undefined) push(() => code.get(base));
    for (const delta of deltas) {
      const parts =
        delta.kind === 'binary' && delta.operator === 'add' && delta.right.kind === 'integer'
          ? [delta.left, delta.right]
          : [delta];
      for (const part of parts) {
        if (part.kind === 'integer') constant += Number(part.value);
        else push(() => this.low32(part));
      }
    }
    if (!pushed) push(() => code.i32(0));
    // The sum on the stack must not be negative by itself, for the machine adds without wrapping.
    if (constant >= 0 && deltas.every((delta) => this.isNonNegative(delta))) return constant;
    if (constant !== 0) {
      code.i32(constant);
      code.op(op.i32add);
    }
    return 0;
  }

  private isNonNegative(delta: Expression): boolean {
    if (delta.kind === 'integer') return true;
    if (delta.kind === 'binary' && delta.operator === 'add' && delta.right.kind === 'integer')
      return this.emitter.known.rangeOf(delta.left).low >= 0;
    return this.emitter.known.rangeOf(delta).low >= 0;
  }

  /** The low 32 bits of an int64 value, computed in 32 bits where that is the same. */
  private low32(e: Expression): void {
    const { code } = this;
    if (e.type.kind === 'integer' && e.type.widthBits < 64) return this.emitter.value(e);
    if (e.kind === 'integer') return code.i32(Number(BigInt.asIntN(32, e.value)));
    if (e.kind === 'convert' && e.operand.type.kind === 'integer') return this.low32(e.operand);
    if (e.kind === 'binary' && (e.operator === 'add' || e.operator === 'subtract' || e.operator === 'multiply')) {
      this.low32(e.left);
      this.low32(e.right);
      return code.op({ add: op.i32add, subtract: op.i32sub, multiply: op.i32mul }[e.operator]);
    }
    this.emitter.value(e);
    code.op(op.i32wrap);
  }

  /**
   * The offset of an access as an int64. With a small constant distance it is made in 32 bits: modulo 2^32 nothing
   * negative becomes small then.
   */
  start(pointer: Expression, delta: Expression | undefined, into: number): void {
    const { code } = this;
    const constant = smallConstant(delta);
    this.emitter.value(pointer);
    if (constant === undefined) {
      code.op(op.i64extend32S);
      this.emitter.value(delta!);
      code.op(op.i64add);
    } else {
      code.op(op.i32wrap);
      if (constant > 0) {
        code.i32(constant);
        code.op(op.i32add);
      }
      code.op(op.i64extendU);
    }
    code.set(into);
  }

  /** Pushes whether so many bytes from `start` on lie in an object of a size. */
  isInside(size: number, start: number, delta: Expression | undefined, sizeBytes: number): void {
    const { code } = this;
    if (sizeBytes === 1) {
      code.get(start);
      code.get(size);
      return code.op(op.i64ltU);
    }
    code.get(size);
    if (smallConstant(delta) !== undefined) {
      code.get(start);
      code.op(op.i64sub);
      code.i64(BigInt(sizeBytes));
      return code.op(op.i64geS);
    }
    // Neither the start nor the bytes left behind the access are negative.
    code.i64(BigInt(sizeBytes));
    code.op(op.i64sub);
    code.get(start);
    code.op(op.i64sub);
    code.get(start);
    code.op(op.i64or);
    code.i64(0n);
    code.op(op.i64geS);
  }

  load(address: Expression, type: Scalar): void {
    const { code } = this;
    const sizeBytes = bytesOf(type, this.emitter.model);
    const linearAddress = this.linearAddress(address, sizeBytes);
    if (linearAddress) return this.loadAt(type, linearAddress.offset);
    this.resolve(address, sizeBytes);
    // 0 is no address; whatever lies outside reads as zero.
    this.emitter.withTemporary('i32', (at) => {
      code.tee(at);
      code.if(wasmTypeOf(type));
      code.get(at);
      this.loadAt(type, 0);
      code.else();
      this.emitter.zero(wasmTypeOf(type));
      code.end();
    });
  }

  /**
   * Pushes a linear address, 0 when the bytes do not lie in a live object: by what observed predicates have found
   * out, or by the table.
   */
  private resolve(address: Expression, sizeBytes: number, local?: number): void {
    const { code } = this;
    const { root, deltas } = rootOf(address);
    const object = deltas.length <= 1 ? sharedObjectOf(this.emitter, root) : undefined;
    const byTable = () => {
      if (local === undefined) this.emitter.value(address);
      else code.get(local);
      code.i32(sizeBytes);
      code.call(this.emitter.support.resolve);
    };
    if (!object)
      return this.emitter.withTemporary('i32', (at) => {
        const inline = (pointer: number) =>
          emitInlineResolve(code, this.emitter.layout, this.emitter.support.resolve, {
            pointer,
            at,
            pushCount: () => code.i32(sizeBytes),
          });
        if (local !== undefined) return inline(local);
        this.emitter.withTemporary('i64', (pointer) => {
          this.emitter.value(address);
          code.set(pointer);
          inline(pointer);
        });
      });
    this.emitter.withTemporary('i64', (start) => {
      this.start(root, deltas[0], start);
      this.isInside(object.size, start, deltas[0], sizeBytes);
      code.if('i32');
      code.get(object.address);
      code.get(start);
      code.op(op.i32wrap);
      code.op(op.i32add);
      code.else();
      byTable();
      code.end();
    });
  }

  private loadAt(type: Scalar, offset: number): void {
    const { code } = this;
    if (type.kind === 'pointer' && this.emitter.model === 'ilp32') {
      code.access(access.i32load, offset);
      code.call(this.emitter.support.pointer.ilp32);
      return code.call(this.emitter.support.unpack);
    }
    if (type.kind === 'integer' && type.widthBits < 32) {
      return code.access(
        type.widthBits === 8
          ? type.signed
            ? access.i32load8S
            : access.i32load8U
          : type.signed
            ? access.i32load16S
            : access.i32load16U,
        offset,
      );
    }
    code.access(loadOf[wasmTypeOf(type)], offset);
    if (type.kind !== 'pointer' || !this.emitter.storesAddresses) return;
    this.emitter.withTemporary('i64', (address) => {
      code.tee(address);
      pushCarry(code, address, 'lp64');
      code.op(op.i64add);
    });
  }

  store(address: Expression, type: Scalar, value: Expression): void {
    const {
      code,
      emitter: { support },
    } = this;
    const sizeBytes = bytesOf(type, this.emitter.model);
    const wasm = this.emitter.model === 'ilp32' && type.kind === 'pointer' ? 'i32' : wasmTypeOf(type);
    const push = () => {
      this.emitter.value(value);
      if (type.kind !== 'pointer') return;
      if (this.emitter.model === 'lp64') {
        if (!this.emitter.storesAddresses || value.kind === 'null' || value.kind === 'address') return;
        return this.emitter.withTemporary('i64', (stored) => {
          code.tee(stored);
          pushCarry(code, stored, 'lp64');
          code.op(op.i64sub);
        });
      }
      code.call(support.pack);
      code.call(support.address.ilp32);
    };
    const storeAt = (offset: number) => {
      code.access(
        type.kind === 'integer' && type.widthBits < 32
          ? type.widthBits === 8
            ? access.i32store8
            : access.i32store16
          : storeOf[wasm],
        offset,
      );
    };
    const linearAddress = this.linearAddress(address, sizeBytes);
    if (linearAddress) {
      this.emitter.withTemporary('i32', (at) => {
        const isSimple = this.emitter.known.access(keyOf(address), sizeBytes) !== undefined;
        if (!isSimple) code.tee(at);
        push();
        storeAt(linearAddress.offset);
        this.markWritten(
          isSimple ? this.emitter.known.access(keyOf(address), sizeBytes)!.address : at,
          linearAddress,
          sizeBytes,
        );
      });
      return;
    }
    this.emitter.withTemporary('i64', (p) =>
      this.emitter.withTemporary('i32', (at) =>
        this.emitter.withTemporary(wasm, (v) => {
          this.emitter.value(address);
          code.set(p);
          push();
          code.set(v);
          this.resolve(address, sizeBytes, p);
          code.tee(at);
          code.if();
          code.get(at);
          code.get(v);
          storeAt(0);
          code.get(p);
          code.get(at);
          code.i32(sizeBytes);
          code.call(support.markWritten);
          code.end();
        }),
      ),
    );
  }

  /**
   * Sets locals to the linear address of so many bytes and to the distance of their shadow; 0 when all is written.
   * Branches to `outside` when the bytes do not lie in a live object.
   */
  place(address: Expression, sizeBytes: number, at: number, shadow: number, outside: BranchTarget): void {
    const { code } = this;
    const linearAddress = this.linearAddress(address, sizeBytes);
    if (linearAddress) {
      if (linearAddress.offset > 0) {
        code.i32(linearAddress.offset);
        code.op(op.i32add);
      }
      code.set(at);
      this.shadowOf(linearAddress, shadow);
      return code.op(op.drop);
    }
    this.emitter.withTemporary('i64', (pointer) => {
      this.emitter.value(address);
      code.set(pointer);
      this.resolve(address, sizeBytes, pointer);
      code.tee(at);
      code.op(op.i32eqz);
      code.branchIf(outside);
      pushShadow(code, this.emitter.layout, pointer);
      code.set(shadow);
    });
  }

  /** Pushes the distance to the shadow, and sets the local to it. */
  private shadowOf({ shadow }: LinearAddress, local: number): void {
    const { code } = this;
    const field = this.emitter.layout.table + entry.shadow;
    switch (shadow.kind) {
      case 'entry':
        code.get(shadow.local);
        code.access(access.i32load, field);
        break;
      case 'static entry':
        code.i32(0);
        code.access(access.i32load, field + shadow.value);
        break;
      case 'kept':
        code.get(shadow.local);
        break;
      case 'fixed':
        code.i32(shadow.bytes);
        break;
      default:
        return unreachable(shadow);
    }
    code.tee(local);
  }

  private markWritten(at: number, linearAddress: LinearAddress, sizeBytes: number): void {
    const { code } = this;
    const known = this.shadowOffset(linearAddress);
    if (known !== undefined) {
      code.get(at);
      if (known.local !== undefined) {
        code.get(known.local);
        code.op(op.i32add);
      }
      return this.storeMarks(known.offset, sizeBytes);
    }
    this.emitter.withTemporary('i32', (shadow) => {
      this.shadowOf(linearAddress, shadow);
      code.if();
      code.get(at);
      code.get(shadow);
      code.op(op.i32add);
      this.storeMarks(linearAddress.offset, sizeBytes);
      code.end();
    });
  }

  /** Offset of the shadow from the address that was pushed, and a local to be added; undefined if it may have none. */
  private shadowOffset({
    offset,
    shadow,
  }: LinearAddress): { readonly offset: number; readonly local: number | undefined } | undefined {
    if (shadow.kind === 'fixed') return { offset: offset + shadow.bytes, local: undefined };
    return shadow.kind === 'kept' ? { offset, local: shadow.local } : undefined;
  }

  /** At the address on the stack. */
  private storeMarks(offset: number, sizeBytes: number): void {
    const { code } = this;
    switch (sizeBytes) {
      case 1:
        code.i32(1);
        return code.access(access.i32store8, offset);
      case 2:
        code.i32(0x0101);
        return code.access(access.i32store16, offset);
      case 4:
        code.i32(0x0101_0101);
        return code.access(access.i32store, offset);
      case 8:
        code.i64(0x0101_0101_0101_0101n);
        return code.access(access.i64store, offset);
      default:
        throw new Error(`no scalar has ${sizeBytes} bytes`);
    }
  }

  /** Pushes whether so many bytes behind the pointer were written. */
  isInitialised(pointer: Expression, sizeBytes: number): void {
    const { code } = this;
    const linearAddress = this.scalarAddress(pointer, sizeBytes);
    if (!linearAddress) return this.isInitialisedByTable(pointer, sizeBytes);
    if (this.isMarkedInPlace(linearAddress, sizeBytes)) return;
    this.emitter.withTemporary('i32', (at) =>
      this.emitter.withTemporary('i32', (shadow) => {
        code.set(at);
        this.shadowOf(linearAddress, shadow);
        code.if('i32');
        this.isMarked(at, shadow, linearAddress.offset, sizeBytes);
        code.else();
        code.i32(1);
        code.end();
      }),
    );
  }

  /** Like `isInitialised`; `leave` emits the way out. */
  leaveUnlessInitialised(pointer: Expression, sizeBytes: number, leave: () => void): void {
    const { code } = this;
    const linearAddress = this.scalarAddress(pointer, sizeBytes);
    if (!linearAddress) {
      this.isInitialisedByTable(pointer, sizeBytes);
      code.op(op.i32eqz);
      code.if();
      leave();
      return code.end();
    }
    if (this.isMarkedInPlace(linearAddress, sizeBytes)) {
      code.op(op.i32eqz);
      code.if();
      leave();
      return code.end();
    }
    this.emitter.withTemporary('i32', (at) =>
      this.emitter.withTemporary('i32', (shadow) => {
        code.set(at);
        const done = code.block();
        this.shadowOf(linearAddress, shadow);
        code.op(op.i32eqz);
        code.branchIf(done);
        this.isMarked(at, shadow, linearAddress.offset, sizeBytes);
        code.branchIf(done);
        leave();
        code.end();
      }),
    );
  }

  private scalarAddress(pointer: Expression, sizeBytes: number): LinearAddress | undefined {
    return [1, 2, 4, 8].includes(sizeBytes) ? this.linearAddress(pointer, sizeBytes) : undefined;
  }

  private isInitialisedByTable(pointer: Expression, sizeBytes: number): void {
    this.emitter.value(pointer);
    this.code.i32(sizeBytes);
    this.code.call(this.emitter.support.initialised);
  }

  /** Pushes whether the shadow says of a scalar that all of it was written. */
  private isMarked(at: number, shadow: number, offset: number, sizeBytes: number): void {
    const { code } = this;
    code.get(at);
    code.get(shadow);
    code.op(op.i32add);
    this.compareMarks(offset, sizeBytes);
  }

  /** In place of the linear address that was pushed, where the object certainly has a shadow; or false. */
  private isMarkedInPlace(linearAddress: LinearAddress, sizeBytes: number): boolean {
    const known = this.shadowOffset(linearAddress);
    if (!known) return false;
    if (known.local !== undefined) {
      this.code.get(known.local);
      this.code.op(op.i32add);
    }
    this.compareMarks(known.offset, sizeBytes);
    return true;
  }

  /** Behind the address on the stack. */
  compareMarks(offset: number, sizeBytes: number): void {
    const { code } = this;
    switch (sizeBytes) {
      case 1:
        return code.access(access.i32load8U, offset);
      case 2:
        code.access(access.i32load16U, offset);
        code.i32(0x0101);
        return code.op(op.i32eq);
      case 4:
        code.access(access.i32load, offset);
        code.i32(0x0101_0101);
        return code.op(op.i32eq);
      default:
        code.access(access.i64load, offset);
        code.i64(0x0101_0101_0101_0101n);
        return code.op(op.i64eq);
    }
  }
}

function smallConstant(delta: Expression | undefined): number | undefined {
  if (delta === undefined) return 0;
  return delta.kind === 'integer' && delta.value >= 0n && delta.value < 0x4000_0000n ? Number(delta.value) : undefined;
}

/** The object that a pointer leads to, if observed predicates that are being emitted have looked it up. */
export function sharedObjectOf({ shared }: ExpressionEmitter, pointer: Expression): SharedObject | undefined {
  return shared && (pointer.kind === 'read' || pointer.kind === 'load')
    ? shared.objects.get(keyOf(pointer))
    : undefined;
}

export const loadOf: Readonly<Record<WasmType, number>> = {
  i32: access.i32load,
  i64: access.i64load,
  f32: access.f32load,
  f64: access.f64load,
};
export const storeOf: Readonly<Record<WasmType, number>> = {
  i32: access.i32store,
  i64: access.i64store,
  f32: access.f32store,
  f64: access.f64store,
};

export function bytesOf(type: Scalar, model: DataModel): 1 | 2 | 4 | 8 {
  if (type.kind === 'pointer') return model === 'lp64' ? 8 : 4;
  return (type.widthBits >> 3) as 1 | 2 | 4 | 8;
}
