/**
 * Rounds in which a group of conditions on one value keeps its truth, while the value grows evenly: up to the next
 * boundary between values that differ in it. Near zero, where most boundaries lie, a table has the number of rounds.
 */
import { maximum, minimum } from '../../../../program/build';
import type { ExpressionEmitter } from '../expressions';
import { nearBreaks, type Group, type GroupRoom } from '../predicateEmitter';
import { access, op } from '../wasm';
import { lower } from './limits';

export const mostRounds = 1 << 30;

export interface GroupRounds {
  readonly group: Group;
  /** Growth in a round; not 0. */
  readonly step: bigint;
}

/** Lowers the rounds in a local to those in which the group is as now and the value does not wrap. */
export function emitGroupRounds(
  emitter: ExpressionEmitter,
  { group, step }: GroupRounds,
  left: number,
  room: GroupRoom,
): void {
  const { code } = emitter;
  const { type, value, members } = group;
  const wide = type.widthBits === 64;
  const wasm = wide ? 'i64' : 'i32';
  const constant = (n: bigint) => (wide ? code.i64(BigInt.asIntN(64, n)) : code.i32(Number(BigInt.asIntN(32, n))));
  const boundaries = [...new Set([...members.flatMap(({ breaks }) => breaks)])].sort((a, b) => (a < b ? -1 : 1));
  const near = nearBreaks(group);
  const [low, high] = near.length > 0 ? [near[0]! - 1n, near[near.length - 1]!] : [0n, -1n];
  const words = Array.from({ length: Number(high - low) + 1 }, (_, i) =>
    roundsFrom(low + BigInt(i), step, [minimum(type), ...boundaries, maximum(type) + 1n]),
  );
  const table = words.length > 0 ? room.tableOf(words, 'i32') : undefined;
  emitter.withTemporary(wasm, (x) => {
    emitter.value(value);
    code.set(x);
    if (table !== undefined) {
      code.get(x);
      constant(low);
      code.op(wide ? op.i64sub : op.i32sub);
      constant(BigInt(words.length));
      code.op(wide ? op.i64ltU : op.i32ltU);
      code.if();
      emitter.withTemporary('i32', (rounds) => {
        code.get(x);
        if (wide) code.op(op.i32wrap);
        code.i32(Number(low));
        code.op(op.i32sub);
        code.i32(2);
        code.op(op.i32shl);
        code.access(access.i32load, table);
        code.set(rounds);
        for (const local of [rounds, left, rounds, left]) code.get(local);
      });
      code.op(op.i32ltS);
      code.op(op.select);
      code.set(left);
      code.else();
    }
    emitter.withTemporary('i64', (distance) => {
      const pushWide = () => {
        code.get(x);
        if (!wide) code.op(type.signed ? op.i64extendS : op.i64extendU);
      };
      const lowerTo = (pushDistance: () => void) => {
        pushDistance();
        code.set(distance);
        lower(emitter, distance, step, left);
      };
      // Upwards the value stays below a boundary, downwards it does not fall below one.
      for (const boundary of table === undefined ? boundaries : outside(boundaries, low + 1n, high, step)) {
        code.get(x);
        constant(boundary);
        if (step > 0n) code.op(less(wide, type.signed));
        else code.op(notLess(wide, type.signed));
        code.if();
        lowerTo(() => {
          if (step > 0n) {
            code.i64(BigInt.asIntN(64, boundary - 1n));
            pushWide();
          } else {
            pushWide();
            code.i64(BigInt.asIntN(64, boundary));
          }
          code.op(op.i64sub);
        });
        code.end();
      }
      lowerTo(() => {
        if (step > 0n) {
          code.i64(BigInt.asIntN(64, maximum(type)));
          pushWide();
        } else {
          pushWide();
          code.i64(minimum(type));
        }
        code.op(op.i64sub);
      });
    });
    if (table !== undefined) code.end();
  });
}

/** Boundaries that count for values outside of a table: those it leaves out, and its first or last one. */
const outside = (boundaries: readonly bigint[], first: bigint, last: bigint, step: bigint): bigint[] =>
  boundaries.filter((at) => at < first || at > last || at === (step > 0n ? first : last));

/** From a value up to the next boundary, or down behind one. */
function roundsFrom(value: bigint, step: bigint, boundaries: readonly bigint[]): bigint {
  const distance =
    step > 0n
      ? boundaries.find((at) => at > value)! - 1n - value
      : value - [...boundaries].reverse().find((at) => at <= value)!;
  const rounds = distance / (step > 0n ? step : -step) + 1n;
  return rounds < mostRounds ? rounds : BigInt(mostRounds);
}

const less = (wide: boolean, signed: boolean): number =>
  wide ? (signed ? op.i64ltS : op.i64ltU) : signed ? op.i32ltS : op.i32ltU;
const notLess = (wide: boolean, signed: boolean): number =>
  wide ? (signed ? op.i64geS : op.i64geU) : signed ? op.i32geS : op.i32geU;
