/** Indeterminate contents of new objects, as `Random` draws them. */
import { mostFilledBytes, poolBytes, poolTail } from '../../random';
import { cells, type LinearLayout } from '../layout';
import { access, op, type Code } from '../wasm';
import { load, store } from './cells';

/** Pushes the next pseudo-random number: `Random.uint32`. */
export function emitDraw(code: Code, a: number, b: number, c: number): void {
  const word = (i: number) => cells.random + 4 * i;
  load(code, word(0));
  load(code, word(1));
  code.tee(b);
  code.op(op.i32add);
  load(code, word(3));
  code.tee(c);
  code.op(op.i32add);
  code.set(a); // the result
  store(code, word(3), () => {
    code.get(c);
    code.i32(1);
    code.op(op.i32add);
  });
  load(code, word(2));
  code.set(c);
  store(code, word(0), () => {
    code.get(b);
    code.get(b);
    code.i32(9);
    code.op(op.i32shrU);
    code.op(op.i32xor);
  });
  store(code, word(1), () => {
    code.get(c);
    code.get(c);
    code.i32(3);
    code.op(op.i32shl);
    code.op(op.i32add);
  });
  store(code, word(2), () => {
    code.get(c);
    code.i32(21);
    code.op(op.i32rotl);
    code.get(a);
    code.op(op.i32add);
  });
  code.get(a);
}

/** The same as `emitContents`, without a loop. */
export function emitSmallContents(
  code: Code,
  layout: LinearLayout,
  {
    address,
    half,
    from,
    sizeBytes,
  }: { readonly address: number; readonly half: number; readonly from: number; readonly sizeBytes: number },
): void {
  for (let word = 0; word < sizeBytes; word += 8) {
    code.get(address);
    code.get(from);
    code.access(access.i64load, layout.pool + word);
    code.access(access.i64store, word);
    code.get(address);
    code.i64(0n);
    code.access(access.i64store, half + word);
  }
}

/** Fills an object from the pool (`Random.fill`) and says that nothing of it was written. */
export function emitContents(
  code: Code,
  layout: LinearLayout,
  {
    address,
    size,
    half,
    from,
    at,
  }: {
    readonly address: number;
    readonly size: number;
    readonly half: number;
    readonly from: number;
    readonly at: number;
  },
): void {
  code.get(size);
  code.i32(poolTail);
  code.op(op.i32leU);
  code.if();
  // Regions are multiples of 16 bytes, so whole words fit.
  code.get(address);
  code.set(at);
  const next = code.loop();
  for (const word of [0, 8]) {
    code.get(at);
    code.get(from);
    code.access(access.i64load, layout.pool + word);
    code.access(access.i64store, word);
    code.get(at);
    code.get(half);
    code.op(op.i32add);
    code.i64(0n);
    code.access(access.i64store, word);
  }
  code.get(from);
  code.i32(16);
  code.op(op.i32add);
  code.set(from);
  code.get(at);
  code.i32(16);
  code.op(op.i32add);
  code.tee(at);
  code.get(address);
  code.get(half);
  code.op(op.i32add);
  code.op(op.i32ltU);
  code.branchIf(next);
  code.end();
  code.else();
  code.get(address);
  code.get(half);
  code.op(op.i32add);
  code.i32(0);
  code.get(size);
  code.fillMemory();
  // Whatever the region held before.
  code.get(size);
  code.i32(mostFilledBytes);
  code.op(op.i32gtU);
  code.if();
  code.get(address);
  code.i32(mostFilledBytes);
  code.op(op.i32add);
  code.i32(0);
  code.get(size);
  code.i32(mostFilledBytes);
  code.op(op.i32sub);
  code.fillMemory();
  code.i32(mostFilledBytes);
  code.set(size);
  code.end();
  // Piece by piece, from the beginning of the pool after its end.
  const piece = code.local('i32');
  const again = code.loop();
  code.get(size);
  code.i32(poolBytes);
  code.get(from);
  code.op(op.i32sub);
  code.tee(piece);
  code.get(size);
  code.get(piece);
  code.op(op.i32ltU);
  code.op(op.select);
  code.set(piece);
  code.get(address);
  code.get(from);
  code.i32(layout.pool);
  code.op(op.i32add);
  code.get(piece);
  code.copyMemory();
  code.i32(0);
  code.set(from);
  code.get(address);
  code.get(piece);
  code.op(op.i32add);
  code.set(address);
  code.get(size);
  code.get(piece);
  code.op(op.i32sub);
  code.tee(size);
  code.branchIf(again);
  code.end();
  code.end();
}
