/** Copies and fills of few bytes, as loads and stores of words in place. */
import type { Command } from '../../../program/command';
import type { Expression } from '../../../program/expression';
import type { FrameEmitter } from './frameEmitter';
import { wordAccess } from './support/moves';
import { op, type Code } from './wasm';

/** Part of a small copy. */
interface Piece {
  readonly at: number;
  readonly bytes: 1 | 2 | 4 | 8;
}
/** Larger copies are calls of `memory.copy`. */
const largestSmallCopy = 64;

/** Bytes of a copy that is made in place; undefined for others. */
export function smallSize(size: Expression): number | undefined {
  return size.kind === 'integer' && size.value > 0n && size.value <= BigInt(largestSmallCopy)
    ? Number(size.value)
    : undefined;
}

function piecesOf(sizeBytes: number): Piece[] {
  const pieces: Piece[] = [];
  for (let at = 0; at < sizeBytes;) {
    const bytes = ([8, 4, 2, 1] as const).find((bytes) => bytes <= sizeBytes - at)!;
    pieces.push({ at, bytes });
    at += bytes;
  }
  return pieces;
}

/**
 * A structure, word by word: all is loaded before anything is stored. A target without a shadow that needs one is
 * left to the host. Bytes outside of live objects are not copied, as everywhere.
 */
export function copySmall(
  { code, expressions }: FrameEmitter,
  command: Extract<Command, { kind: 'copy' }>,
  sizeBytes: number,
  copyByHost: () => void,
): void {
  const pieces = piecesOf(sizeBytes);
  const [to, from, toShadow, fromShadow] = [
    expressions.temporary('i32'),
    expressions.temporary('i32'),
    expressions.temporary('i32'),
    expressions.temporary('i32'),
  ];
  const done = code.block();
  expressions.accesses.place(command.source, sizeBytes, from, fromShadow, done);
  expressions.accesses.place(command.target, sizeBytes, to, toShadow, done);
  code.get(toShadow);
  code.op(op.i32eqz);
  code.get(fromShadow);
  code.i32(0);
  code.op(op.i32ne);
  code.op(op.i32and);
  code.if();
  copyByHost();
  code.branch(done);
  code.end();
  const words = pieces.map(({ bytes }) => expressions.temporary(bytes === 8 ? 'i64' : 'i32'));
  const move = (shadows: 'contents' | 'shadows') => {
    pieces.forEach(({ at, bytes }, i) => {
      code.get(from);
      if (shadows === 'shadows') {
        code.get(fromShadow);
        code.op(op.i32add);
      }
      code.access(wordAccess[bytes].load, at);
      code.set(words[i]!);
    });
    pieces.forEach(({ at, bytes }, i) => {
      code.get(to);
      if (shadows === 'shadows') {
        code.get(toShadow);
        code.op(op.i32add);
      }
      code.get(words[i]!);
      code.access(wordAccess[bytes].store, at);
    });
  };
  code.get(fromShadow);
  code.if();
  move('shadows');
  code.else();
  markWritten(code, to, toShadow, pieces);
  code.end();
  move('contents');
  code.end();
  pieces.forEach(({ bytes }, i) => expressions.release(bytes === 8 ? 'i64' : 'i32', words[i]!));
  for (const local of [to, from, toShadow, fromShadow]) expressions.release('i32', local);
  expressions.known.copied();
}

export function fillSmall(
  { code, expressions }: FrameEmitter,
  target: Expression,
  byte: number,
  sizeBytes: number,
): void {
  const pieces = piecesOf(sizeBytes);
  const [to, shadow] = [expressions.temporary('i32'), expressions.temporary('i32')];
  const done = code.block();
  expressions.accesses.place(target, sizeBytes, to, shadow, done);
  repeat(code, pieces, byte, () => code.get(to));
  markWritten(code, to, shadow, pieces);
  code.end();
  for (const local of [to, shadow]) expressions.release('i32', local);
  expressions.known.memoryWritten();
}

function markWritten(code: Code, to: number, shadow: number, pieces: readonly Piece[]): void {
  code.get(shadow);
  code.if();
  repeat(code, pieces, 1, () => {
    code.get(to);
    code.get(shadow);
    code.op(op.i32add);
  });
  code.end();
}

function repeat(code: Code, pieces: readonly Piece[], byte: number, address: () => void): void {
  for (const { at, bytes } of pieces) {
    address();
    if (bytes === 8) code.i64(0x0101_0101_0101_0101n * BigInt(byte));
    else code.i32(Number(BigInt.asIntN(32, 0x0101_0101n * BigInt(byte))));
    code.access(wordAccess[bytes].store, at);
  }
}
