/**
 * Moving and filling a few bytes. `memory.copy` and `memory.fill` are calls out of the code, which take longer than all
 * of this for the usual text or structure. Everything is loaded before anything is stored, as `memory.copy` promises
 * for places that overlap.
 */
import { access, op, type Code, type Define, type WasmType } from '../wasm';

/** Loads and stores of words, by their bytes. */
export const wordAccess = {
  1: { load: access.i32load8U, store: access.i32store8 },
  2: { load: access.i32load16U, store: access.i32store16 },
  4: { load: access.i32load, store: access.i32store },
  8: { load: access.i64load, store: access.i64store },
} as const;

export interface MoveSupport {
  /** (target, source, bytes): linear addresses. */
  readonly move: number;
  /** (target, bytes): fills them with ones. */
  readonly mark: number;
}

/** Larger pieces are left to the machine's own operations. */
const largestBytes = 64;

export const moveFunctions = (define: Define): MoveSupport => ({
  move: define({ parameters: ['i32', 'i32', 'i32'], result: undefined }, (code) => {
    const [to, from, count] = [0, 1, 2];
    bySize(code, count, (words) => {
      moveWords(code, { to, from, count }, words);
    });
    code.get(to);
    code.get(from);
    code.get(count);
    code.copyMemory();
  }),
  mark: define({ parameters: ['i32', 'i32'], result: undefined }, (code) => {
    const [to, count] = [0, 1];
    bySize(code, count, (words) => {
      moveWords(code, { to, from: undefined, count }, words);
    });
    code.get(to);
    code.i32(1);
    code.get(count);
    code.fillMemory();
  }),
});

/** Words of so many bytes, some from the beginning, and as many up to the end, which may overlap them. */
interface Words {
  readonly bytes: 1 | 2 | 4 | 8;
  readonly fromEachEnd: 1 | 2 | 4;
}

/** Leaves the function where the count is small; falls through where it is not. */
function bySize(code: Code, count: number, emit: (words: Words) => void): void {
  const above = (bytes: number, words: Words) => {
    code.get(count);
    code.i32(bytes);
    code.op(op.i32geU);
    code.if();
    emit(words);
    code.op(op.return);
    code.end();
  };
  code.get(count);
  code.i32(largestBytes);
  code.op(op.i32leU);
  code.if();
  code.get(count);
  code.i32(8);
  code.op(op.i32geU);
  code.if();
  above(32, { bytes: 8, fromEachEnd: 4 });
  above(16, { bytes: 8, fromEachEnd: 2 });
  emit({ bytes: 8, fromEachEnd: 1 });
  code.op(op.return);
  code.end();
  above(4, { bytes: 4, fromEachEnd: 1 });
  above(2, { bytes: 2, fromEachEnd: 1 });
  above(1, { bytes: 1, fromEachEnd: 1 });
  code.op(op.return);
  code.end();
}

interface Places {
  readonly to: number;
  /** Undefined: ones. */
  readonly from: number | undefined;
  readonly count: number;
}

function moveWords(code: Code, { to, from, count }: Places, { bytes, fromEachEnd }: Words): void {
  const type: WasmType = bytes === 8 ? 'i64' : 'i32';
  const indices = [...Array(fromEachEnd).keys()];
  // The last words are `fromEachEnd * bytes` before the end.
  const pushEnd = (place: number) => {
    code.get(place);
    code.get(count);
    code.op(op.i32add);
    code.i32(fromEachEnd * bytes);
    code.op(op.i32sub);
  };
  const [first, last] = [indices.map(() => code.local(type)), indices.map(() => code.local(type))];
  if (from !== undefined) {
    for (const [locals, push] of [
      [first, () => code.get(from)],
      [last, () => pushEnd(from)],
    ] as const) {
      for (const i of indices) {
        push();
        code.access(wordAccess[bytes].load, i * bytes);
        code.set(locals[i]!);
      }
    }
  }
  for (const [locals, push] of [
    [first, () => code.get(to)],
    [last, () => pushEnd(to)],
  ] as const) {
    for (const i of indices) {
      push();
      if (from !== undefined) code.get(locals[i]!);
      else if (bytes === 8) code.i64(0x0101_0101_0101_0101n);
      else code.i32(0x0101_0101);
      code.access(wordAccess[bytes].store, i * bytes);
    }
  }
}
