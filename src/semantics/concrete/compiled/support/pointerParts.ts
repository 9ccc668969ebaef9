/** Parts of a pointer in a local: its object, and what the table and the shadow hold for it. */
import type { DataModel } from '../../../../c/types';
import { entry, type LinearLayout } from '../layout';
import { access, op, type Code } from '../wasm';

/** Pushes the number of the pointer's object. */
export function pushObject(code: Code, pointer: number): void {
  code.get(pointer);
  code.i64(32n);
  code.op(op.i64shrU);
  code.op(op.i32wrap);
}

/**
 * Pushes 1 above the offset in the local if that is negative, else 0: an address has taken it from the object, and a
 * pointer has not.
 */
export function pushCarry(code: Code, local: number, model: DataModel): void {
  code.get(local);
  if (model === 'lp64') {
    code.i64(1n);
    code.op(op.i64shl);
    code.i64(0x1_0000_0000n);
    code.op(op.i64and);
  } else {
    code.i32(1);
    code.op(op.i32shl);
    code.i32(0x1_0000);
    code.op(op.i32and);
  }
}

/** In place of the pointer on the stack: the place of its object's entry in the table, for a small number. */
export function toEntry(code: Code): void {
  code.i64(28n);
  code.op(op.i64shrU);
  code.op(op.i32wrap);
  code.i32(-16);
  code.op(op.i32and);
}

/** Pushes a field of the object's entry in the table. */
export function pushField(code: Code, layout: LinearLayout, object: number, which: number): void {
  code.get(object);
  code.i32(4);
  code.op(op.i32shl);
  code.access(access.i32load, layout.table + which);
}

/** Pushes the distance from the pointer's object to its shadow, or 0. */
export function pushShadow(code: Code, layout: LinearLayout, pointer: number): void {
  code.get(pointer);
  toEntry(code);
  code.access(access.i32load, layout.table + entry.shadow);
}

/**
 * Pushes what `resolve` answers, asking it only where the object is not live in linear memory. `at`: a local that may
 * be used meanwhile.
 */
export function emitInlineResolve(
  code: Code,
  layout: LinearLayout,
  resolve: number,
  { pointer, at, pushCount }: { readonly pointer: number; readonly at: number; readonly pushCount: () => void },
): void {
  const done = code.block('i32');
  const byTable = code.block();
  code.get(pointer);
  code.i64(52n);
  code.op(op.i64shrU);
  code.op(op.i32wrap);
  code.branchIf(byTable);
  code.get(pointer);
  toEntry(code);
  code.tee(at);
  code.access(access.i64load32U, layout.table + entry.size);
  code.get(pointer);
  code.i64(0xffff_ffffn);
  code.op(op.i64and);
  code.op(op.i64sub);
  pushCount();
  code.op(op.i64extendU);
  code.op(op.i64ltS);
  code.branchIf(byTable);
  code.get(at);
  code.access(access.i32load, layout.table + entry.address);
  code.get(pointer);
  code.op(op.i32wrap);
  code.op(op.i32add);
  code.branch(done);
  code.end();
  code.get(pointer);
  pushCount();
  code.call(resolve);
  code.end();
}
