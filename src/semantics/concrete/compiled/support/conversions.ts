/** Conversions that take more than an instruction: floats to integers, and pointers to the integers that C sees. */
import type { DataModel } from '../../../../c/types';
import { op, type Code, type Define } from '../wasm';
import type { HostIndices } from './hostFunctions';
import { pushCarry, pushObject } from './pointerParts';

export interface ConversionSupport {
  readonly truncate: number;
  /** Pointers as ILP32's integers, and back. */
  readonly pack: number;
  readonly unpack: number;
  /**
   * Packed pointers as addresses, which C sees in memory and when it makes numbers of them, and back: by data model, so
   * that 64 bits or 32.
   */
  readonly address: Readonly<Record<DataModel, number>>;
  readonly pointer: Readonly<Record<DataModel, number>>;
  /** (pointer, bytes), for ILP32. */
  readonly offset: number;
}

export const conversionFunctions = (host: HostIndices, define: Define): ConversionSupport => ({
  truncate: define({ parameters: ['f64'], result: 'i64' }, (code) => emitTruncate(code, host.truncate)),
  pack: define({ parameters: ['i64'], result: 'i32' }, emitPack),
  unpack: define({ parameters: ['i32'], result: 'i64' }, emitUnpack),
  address: {
    lp64: define({ parameters: ['i64'], result: 'i64' }, (code) => {
      code.get(0);
      pushCarry(code, 0, 'lp64');
      code.op(op.i64sub);
    }),
    ilp32: define({ parameters: ['i32'], result: 'i32' }, (code) => {
      code.get(0);
      pushCarry(code, 0, 'ilp32');
      code.op(op.i32sub);
    }),
  },
  pointer: {
    lp64: define({ parameters: ['i64'], result: 'i64' }, (code) => {
      code.get(0);
      pushCarry(code, 0, 'lp64');
      code.op(op.i64add);
    }),
    ilp32: define({ parameters: ['i32'], result: 'i32' }, (code) => {
      code.get(0);
      pushCarry(code, 0, 'ilp32');
      code.op(op.i32add);
    }),
  },
  offset: define({ parameters: ['i64', 'i64'], result: 'i64' }, emitOffset),
});

/** `hostTruncate`: the host's function for floats that are no int64. */
function emitTruncate(code: Code, hostTruncate: number): void {
  code.get(0);
  code.op(op.f64abs);
  code.f64(2 ** 63);
  code.op(op.f64lt);
  code.if('i64');
  code.get(0);
  code.truncateToI64('f64');
  code.else();
  code.get(0);
  code.call(hostTruncate);
  code.end();
}

function emitPack(code: Code): void {
  pushObject(code, 0);
  code.i32(16);
  code.op(op.i32shl);
  code.get(0);
  code.op(op.i32wrap);
  code.i32(0xffff);
  code.op(op.i32and);
  code.op(op.i32or);
}

/** The signed 16-bit offset on the stack as the low half of a pointer. */
function addLowHalf(code: Code): void {
  code.op(op.i32extend16S);
  code.op(op.i64extendU);
  code.op(op.i64or);
}

function emitUnpack(code: Code): void {
  code.get(0);
  code.i32(16);
  code.op(op.i32shrU);
  code.op(op.i64extendU);
  code.i64(32n);
  code.op(op.i64shl);
  code.get(0);
  addLowHalf(code);
}

function emitOffset(code: Code): void {
  code.get(0);
  code.i64(-0x1_0000_0000n);
  code.op(op.i64and);
  code.get(0);
  code.op(op.i32wrap);
  code.get(1);
  code.op(op.i32wrap);
  code.op(op.i32add);
  addLowHalf(code);
}
