/**
 * Accesses that move by a constant distance in each round of a loop. Before the first round they are found to be in
 * bounds of a live object for so many rounds; then only an address moves.
 */
import * as E from '../../../../program/build';
import { keyOf } from '../../../../program/automata/repeatedChecks';
import { int64, type Expression } from '../../../../program/expression';
import type { ExpressionEmitter } from '../expressions';
import { cells, entry } from '../layout';
import { toEntry } from '../support/pointerParts';
import { access, op, type BranchTarget, type WasmType } from '../wasm';
import { lower } from './limits';
import type { Limit, Steadiness } from './steadiness';

export interface Stream {
  readonly pointer: Expression;
  readonly delta: Expression | undefined;
  readonly sizeBytes: number;
  readonly step: bigint;
  readonly limits: readonly Limit[];
  readonly address: number;
  readonly entry: number;
  /** Place of its marks, and how far they move, if they are asked for. */
  readonly mark: number;
  readonly markStep: number;
  isMarked: boolean;
}

const noDelta = E.integer(0, int64);
const allMarked = 0x0101_0101_0101_0101n;

/** A pointer as it is built from the distances in it, so that it has one form. */
const joined = (e: Expression): Expression => (e.kind === 'offset' ? E.offset(joined(e.pointer), e.delta) : e);

export const placeOf = (pointer: Expression, delta: Expression | undefined): Expression =>
  E.offset(pointer, delta ?? noDelta);

export class Streams {
  private readonly streams = new Map<string, Stream>();

  constructor(
    private readonly emitter: ExpressionEmitter,
    private readonly steady: Steadiness,
    private readonly temporary: (type: WasmType) => number,
  ) {}

  get all(): readonly Stream[] {
    return [...this.streams.values()];
  }

  /** Notes an access, in terms of the state at the head; false if it does not move evenly. */
  plan(from: Expression, delta: Expression | undefined, sizeBytes: number): boolean {
    if (this.emitter.model !== 'lp64') return false;
    const pointer = joined(from);
    const key = keyOf(placeOf(pointer, delta));
    const found = this.streams.get(key);
    if (found && found.sizeBytes >= sizeBytes) return true;
    const limits: Limit[] = [];
    const move = this.steady.stepOf(E.offsetOf(pointer), limits);
    const further = delta ? this.steady.stepOf(delta, limits) : 0n;
    if (move === undefined || further === undefined) return false;
    this.streams.set(key, {
      pointer,
      delta,
      sizeBytes,
      step: move + further,
      limits,
      address: found?.address ?? this.temporary('i32'),
      entry: found?.entry ?? this.temporary('i32'),
      mark: found?.mark ?? this.temporary('i32'),
      markStep: found?.markStep ?? this.temporary('i32'),
      isMarked: found?.isMarked ?? false,
    });
    return true;
  }

  at(address: Expression, sizeBytes: number): Stream | undefined {
    const stream = this.streams.get(keyOf(joined(address)));
    return stream && stream.sizeBytes >= sizeBytes ? stream : undefined;
  }

  /** Makes it known where the access goes. `inHead`: the same address, in terms of the state at the head. */
  note(address: Expression, inHead: Expression, sizeBytes: number): Stream | undefined {
    const stream = this.at(inHead, sizeBytes);
    if (stream)
      this.emitter.known.addAccess(keyOf(address), address, {
        sizeBytes,
        address: stream.address,
        entry: stream.entry,
      });
    return stream;
  }

  /** Sets where all of them begin, and lowers the rounds to those in which they are in bounds. */
  begin(left: number, usual: BranchTarget): void {
    const { code } = this.emitter;
    if (this.all.some(({ isMarked }) => isMarked)) {
      code.i32(0);
      code.i64(allMarked);
      code.access(access.i64store, cells.ones);
    }
    for (const stream of this.all) {
      this.locate(stream, left, usual);
      if (stream.isMarked) this.locateMarks(stream);
    }
  }

  private field(stream: Stream, which: number, load: number = access.i32load): void {
    const { code, layout } = this.emitter;
    code.get(stream.entry);
    code.access(load, layout.table + which);
  }

  private locate(stream: Stream, left: number, usual: BranchTarget): void {
    const { emitter } = this;
    const { code } = emitter;
    const { pointer, delta, sizeBytes, step } = stream;
    emitter.withTemporary('i64', (start) => {
      emitter.value(pointer);
      code.tee(start);
      code.i64(52n);
      code.op(op.i64shrU);
      code.op(op.i32wrap);
      code.branchIf(usual);
      code.get(start);
      toEntry(code);
      code.set(stream.entry);
      this.field(stream, entry.properties);
      code.op(op.i32eqz);
      code.branchIf(usual);
      code.get(start);
      code.op(op.i64extend32S);
      if (delta) {
        emitter.value(delta);
        code.op(op.i64add);
      }
      code.set(start);
      this.field(stream, entry.address);
      code.get(start);
      code.op(op.i32wrap);
      code.op(op.i32add);
      code.set(stream.address);
      emitter.withTemporary('i64', (behind) => {
        this.field(stream, entry.size, access.i64load32U);
        code.i64(BigInt(sizeBytes));
        code.op(op.i64sub);
        code.get(start);
        code.op(op.i64sub);
        code.set(behind);
        for (const distance of [start, behind]) {
          code.get(distance);
          code.i64(0n);
          code.op(op.i64ltS);
          code.branchIf(usual);
        }
        // The difference to what is far too large would not be negative.
        code.get(start);
        code.i64(1n << 32n);
        code.op(op.i64geS);
        code.branchIf(usual);
        lower(emitter, step > 0n ? behind : start, step, left);
      });
    });
  }

  /** Without a shadow all is written: then the place of the marks stays where there are some. */
  private locateMarks(stream: Stream): void {
    const { code } = this.emitter;
    const { mark, markStep, address, step } = stream;
    this.field(stream, entry.shadow);
    code.tee(mark);
    code.if();
    code.get(mark);
    code.get(address);
    code.op(op.i32add);
    code.set(mark);
    code.i32(Number(step));
    code.set(markStep);
    code.else();
    code.i32(cells.ones);
    code.set(mark);
    code.i32(0);
    code.set(markStep);
    code.end();
  }

  /** Moves all of them on by a number of rounds. */
  advanceBy(pushRounds: () => void): void {
    const { code } = this.emitter;
    const move = (local: number, pushStep: () => void) => {
      code.get(local);
      pushRounds();
      pushStep();
      code.op(op.i32mul);
      code.op(op.i32add);
      code.set(local);
    };
    for (const { step, address, mark, markStep, isMarked } of this.all) {
      if (step === 0n) continue;
      move(address, () => code.i32(Number(step)));
      if (isMarked) move(mark, () => code.get(markStep));
    }
  }

  /** Pushes a word whose lowest bit that is set lies in the first of eight bytes from here on that was not written. */
  pushUnwritten({ mark, step }: Stream): void {
    const { code } = this.emitter;
    code.get(mark);
    code.access(step === 0n ? access.i64load8U : access.i64load, 0);
    code.i64(step === 0n ? 1n : allMarked);
    code.op(op.i64xor);
  }

  /** Pushes whether so many bytes from where it is were written. */
  isWritten({ mark }: Stream, sizeBytes: number): void {
    this.emitter.code.get(mark);
    this.emitter.accesses.compareMarks(0, sizeBytes);
  }
}
