/**
 * Up to eight rounds at once, where a round only compares bytes that follow each other with others, or with values that
 * stay: as a search for a byte, the length of a text or a comparison of two. Bytes are compared as one word (H. S.
 * Warren, "Hacker's Delight", 6-1). Rounds are left out only if each of them would go on to the next and nothing
 * observed would change; so a comparison may look equal by its lowest eight bits alone.
 */
import * as E from '../../../../program/build';
import type { Expression } from '../../../../program/expression';
import type { FrameEmitter } from '../frameEmitter';
import { access, op, type WasmType } from '../wasm';
import type { Limit, Steadiness } from './steadiness';
import type { Stream, Streams } from './streams';

export const wordBytes = 8;
const ones = 0x0101_0101_0101_0101n;
const tops = 0x8080_8080_8080_8080n;

/** A byte per round, or one that stays. */
type Side =
  | { readonly kind: 'bytes'; readonly stream: Stream; readonly extension: string }
  | { readonly kind: 'value'; readonly value: Expression };

export interface ByteTest {
  readonly condition: Expression;
  readonly bytes: Stream;
  readonly other: Side;
  /** True if the sides stay equal while rounds are alike; otherwise they stay different. */
  readonly equal: boolean;
}

/** The condition as a comparison that has this truth; undefined if it is no comparison of bytes. */
export function byteTest(
  condition: Expression,
  truth: boolean,
  streams: Streams,
  steady: Steadiness,
): ByteTest | undefined {
  if (condition.kind !== 'compare' || (condition.operator !== 'eq' && condition.operator !== 'ne')) return undefined;
  const [left, right] = [sideOf(condition.left, streams, steady), sideOf(condition.right, streams, steady)];
  const [first, other] = left?.kind === 'bytes' ? [left, right] : [right, left];
  if (first?.kind !== 'bytes' || !other) return undefined;
  const equal = (condition.operator === 'eq') === truth;
  // Equal bytes are equal values only if both are extended alike.
  if (equal && other.kind === 'bytes' && other.extension !== first.extension) return undefined;
  return { condition, bytes: first.stream, other, equal };
}

function sideOf(e: Expression, streams: Streams, steady: Steadiness): Side | undefined {
  let inner = e;
  const types = [e.type];
  while (inner.kind === 'convert' && inner.operand.type.kind === 'integer' && inner.type.kind === 'integer') {
    inner = inner.operand;
    types.push(inner.type);
  }
  if (inner.kind === 'load' && inner.type.kind === 'integer' && inner.type.widthBits === 8) {
    const stream = streams.at(inner.address, 1);
    if (stream?.step === 1n) return { kind: 'bytes', stream, extension: JSON.stringify(types) };
  }
  const limits: Limit[] = [];
  return e.type.kind === 'integer' && steady.stepOf(e, limits) === 0n && limits.length === 0
    ? { kind: 'value', value: e }
    : undefined;
}

export class ByteTests {
  private readonly splats = new Map<ByteTest, number>();

  constructor(
    private readonly frame: FrameEmitter,
    private readonly tests: readonly ByteTest[],
    temporary: (type: WasmType) => number,
  ) {
    for (const test of tests) if (test.other.kind === 'value') this.splats.set(test, temporary('i64'));
  }

  /** Sets values that stay, eight times each. */
  prepare(): void {
    const { code, expressions } = this.frame;
    for (const [{ other }, local] of this.splats) {
      if (other.kind !== 'value') continue;
      expressions.value(other.value);
      if (other.value.type.kind === 'integer' && other.value.type.widthBits < 64) code.op(op.i64extendU);
      code.i64(0xffn);
      code.op(op.i64and);
      code.i64(ones);
      code.op(op.i64mul);
      code.set(local);
    }
  }

  /** Pushes a word whose lowest bit that is set lies in the first byte whose round may be unlike those before. */
  pushUnlike(): void {
    const { code, expressions } = this.frame;
    this.tests.forEach((test, i) => {
      code.get(test.bytes.address);
      code.access(access.i64load, 0);
      if (test.other.kind === 'bytes') {
        code.get(test.other.stream.address);
        code.access(access.i64load, 0);
      } else {
        code.get(this.splats.get(test)!);
      }
      code.op(op.i64xor);
      if (!test.equal)
        expressions.withTemporary('i64', (x) => {
          // The first byte that is zero: the borrow reaches its top bit, which was not set.
          code.tee(x);
          code.i64(ones);
          code.op(op.i64sub);
          code.i64(-1n);
          code.get(x);
          code.op(op.i64xor);
          code.op(op.i64and);
          code.i64(tops);
          code.op(op.i64and);
        });
      if (i > 0) code.op(op.i64or);
    });
  }
}

/** Conditions whose bytes stay equal have to be true at first, since equal bytes alone do not make them so. */
export const toBeTrueAtFirst = (tests: readonly ByteTest[]): Expression[] =>
  tests.flatMap(({ equal, condition, other }) => (equal && other.kind === 'value' ? [E.truth(condition)] : []));
