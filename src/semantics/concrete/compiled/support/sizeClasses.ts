/** Size classes of regions of linear memory, as `layout.ts` has them. */
import { firstLargeClass } from '../layout';
import { op, type Code } from '../wasm';

/** Pushes the bytes rounded up to a multiple of 16. */
export function pushRounded(code: Code, bytes: number): void {
  code.get(bytes);
  code.i32(15);
  code.op(op.i32add);
  code.i32(-16);
  code.op(op.i32and);
}

/** `sizeClass`: rounds the bytes in the local up, and sets the address of the cell of their class. */
export function classify(code: Code, bytes: number, cell: number): void {
  const step = code.local('i32');
  code.get(bytes);
  code.i32(1024);
  code.op(op.i32leU);
  code.if();
  code.get(bytes);
  code.i32(2);
  code.op(op.i32shrU);
  code.set(cell);
  code.else();
  // The logarithm of the step.
  code.i32(29);
  code.get(bytes);
  code.i32(1);
  code.op(op.i32sub);
  code.op(op.i32clz);
  code.op(op.i32sub);
  code.set(step);
  code.get(bytes);
  code.i32(1);
  code.get(step);
  code.op(op.i32shl);
  code.op(op.i32add);
  code.i32(1);
  code.op(op.i32sub);
  code.get(step);
  code.op(op.i32shrU);
  code.tee(bytes);
  // (class - 65 + 5) / 4 bytes: steps + 4 * (step + 2 - 10)
  code.get(step);
  code.i32(8);
  code.op(op.i32sub);
  code.i32(2);
  code.op(op.i32shl);
  code.op(op.i32add);
  code.i32(firstLargeClass - 5);
  code.op(op.i32add);
  code.i32(2);
  code.op(op.i32shl);
  code.set(cell);
  code.get(bytes);
  code.get(step);
  code.op(op.i32shl);
  code.set(bytes);
  code.end();
}
