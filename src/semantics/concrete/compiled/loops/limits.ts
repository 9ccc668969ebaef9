/**
 * The number of rounds that limits leave, as code: a local that is at least 1 is lowered to it, or control goes where
 * there is none.
 */
import { fits } from '../../../../program/build';
import { int64, type Expression } from '../../../../program/expression';
import type { ExpressionEmitter } from '../expressions';
import { op, type BranchTarget } from '../wasm';
import type { Limit } from './steadiness';

/** Differences of values within it, and a few more, fit 64 bits. */
const exact = 1n << 61n;

/** `left`: local with the rounds. */
export function emitLimit(emitter: ExpressionEmitter, limit: Limit, left: number, none: BranchTarget): void {
  const { code } = emitter;
  emitter.withTemporary('i64', (room) => {
    if (limit.kind === 'range') {
      const { value, low, high, step } = limit;
      if (step > 0n) {
        code.i64(high);
        wide(emitter, value);
      } else {
        wide(emitter, value);
        code.i64(low);
      }
      code.op(op.i64sub);
      code.set(room);
      return lower(emitter, room, step, left);
    }
    const { operator, step } = limit;
    difference(emitter, limit, none);
    code.set(room);
    if (operator === 'eq' || operator === 'ne') {
      code.get(room);
      code.op(op.i64eqz);
      code.branchIf(none);
      // They meet only if the difference shrinks.
      code.get(room);
      code.i64(0n);
      code.op(step > 0n ? op.i64ltS : op.i64gtS);
      code.if();
      distance(emitter, room, step > 0n ? -1n : 1n);
      lower(emitter, room, step, left);
      return code.end();
    }
    if (operator === 'lt') {
      code.get(room);
      code.i64(1n);
      code.op(op.i64sub);
      code.set(room);
    }
    // True as long as it is not negative.
    code.get(room);
    code.i64(0n);
    code.op(op.i64ltS);
    code.if();
    if (step > 0n) distance(emitter, room, -1n);
    else code.else();
    lower(emitter, room, step, left);
    code.end();
  });
}

/** The steps of one between a difference, of this sign, and the first value of the other kind. */
function distance({ code }: ExpressionEmitter, room: number, sign: 1n | -1n): void {
  if (sign === 1n) {
    code.get(room);
    code.i64(1n);
  } else {
    code.i64(-1n);
    code.get(room);
  }
  code.op(op.i64sub);
  code.set(room);
}

/** Lowers `left` so that `left - 1` steps need no more than the room, which is not negative without a sign. */
export function lower({ code }: ExpressionEmitter, room: number, step: bigint, left: number): void {
  const size = step < 0n ? -step : step;
  if (size === 0n) return;
  code.get(room);
  code.get(left);
  code.i32(1);
  code.op(op.i32sub);
  code.op(op.i64extendU);
  if (size !== 1n) {
    code.i64(size);
    code.op(op.i64mul);
  }
  code.op(op.i64ltU);
  code.if();
  code.get(room);
  if (size !== 1n) {
    code.i64(size);
    code.op(op.i64divU);
  }
  code.op(op.i32wrap);
  code.i32(1);
  code.op(op.i32add);
  code.set(left);
  code.end();
}

/** Pushes the right side minus the left one. */
function difference(
  emitter: ExpressionEmitter,
  { left, right }: Extract<Limit, { kind: 'comparison' }>,
  none: BranchTarget,
): void {
  const { code } = emitter;
  for (const side of [right, left]) {
    wide(emitter, side);
    if (isSmall(side)) continue;
    const value = emitter.temporary('i64');
    const { type } = side;
    const isSigned = type.kind === 'integer' && type.signed;
    code.set(value);
    code.get(value);
    if (isSigned) {
      code.i64(exact);
      code.op(op.i64add);
    }
    code.i64(isSigned ? 2n * exact : exact);
    code.op(op.i64geU);
    code.branchIf(none);
    code.get(value);
    emitter.release('i64', value);
  }
  code.op(op.i64sub);
}

function isSmall(e: Expression): boolean {
  if (e.kind === 'integer') return -exact < e.value && e.value < exact;
  return e.type.kind === 'integer' && e.type.widthBits < 64;
}

/** Pushes the value of an integer as an i64, without a change if it fits. */
function wide(emitter: ExpressionEmitter, e: Expression): void {
  const { type } = e;
  if (type.kind !== 'integer') throw new Error('only integers have limits');
  if (e.kind === 'integer' && fits(e.value, int64)) return emitter.code.i64(e.value);
  emitter.value(e);
  if (type.widthBits < 64) emitter.code.op(type.signed ? op.i64extendS : op.i64extendU);
}
