/**
 * When the fast rounds of a loop are tried: after a few usual ones, since loops that end soon gain nothing, and after
 * more where few fast rounds were made the last times.
 */
import type { FrameEmitter } from '../frameEmitter';
import { access, op } from '../wasm';

/** Rounds; the preparation is longer if conditions are observed. */
const least = { plain: 2, observed: 8 };
const more = 4;
const most = 20;
/** Fast rounds that are worth their preparation. */
const worthwhile = 12;

export interface RoundCounters {
  /** Locals: usual rounds until fast ones are tried, and until they are tried again then. */
  readonly wait: number;
  readonly pause: number;
  readonly head: 'plain' | 'observed';
  /** Address of the patience that was learnt; undefined where there is no room for it. */
  readonly patience: number | undefined;
}

/** To be called when control comes to the loop from outside. */
export function emitPatience({ code }: FrameEmitter, { wait, pause, patience, head }: RoundCounters): void {
  code.i32(least[head]);
  if (patience !== undefined) {
    code.i32(0);
    code.access(access.i32load, patience);
    code.op(op.i32add);
  }
  code.set(wait);
  code.i32(1);
  code.set(pause);
}

/** Opens a condition: whether it is time. Pauses double. */
export function emitIfTime({ code }: FrameEmitter, { wait, pause }: RoundCounters): void {
  code.get(wait);
  code.i32(1);
  code.op(op.i32sub);
  code.tee(wait);
  code.op(op.i32eqz);
  code.if();
  code.get(pause);
  code.set(wait);
  code.get(pause);
  code.i32(1);
  code.op(op.i32shl);
  code.set(pause);
}

/** `made`: local with the number of fast rounds that were made. */
export function emitLearn({ code, expressions }: FrameEmitter, { patience }: RoundCounters, made: number): void {
  if (patience === undefined) return;
  expressions.withTemporary('i32', (before) => {
    code.i32(0);
    code.access(access.i32load, patience);
    code.set(before);
    code.i32(0);
    code.get(before);
    code.i32(1);
    code.op(op.i32shrU);
    code.get(before);
    code.i32(more);
    code.op(op.i32add);
    code.i32(most);
    code.get(before);
    code.i32(most - more);
    code.op(op.i32leU);
    code.op(op.select);
    code.get(made);
    code.i32(worthwhile);
    code.op(op.i32geU);
    code.op(op.select);
    code.access(access.i32store, patience);
  });
}
