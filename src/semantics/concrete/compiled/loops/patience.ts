/**
 * When the fast rounds of a loop are tried: after a few usual ones, since loops that end soon gain nothing, and after
 * more where few fast rounds were made the last times.
 */
import type { FrameEmitter } from '../frameEmitter';
import { access, op } from '../wasm';

/**
 * Rounds until fast ones are tried. The preparation is longer if conditions are observed, and most of those that change
 * do so in the first rounds.
 */
const least = { single: { plain: 2, observed: 8 }, scan: { plain: 1, observed: 2 } };
const more = { single: 4, scan: 1 };
const most = 20;
/** Fast rounds that are worth their preparation. */
const worthwhile = { single: { plain: 12, observed: 12 }, scan: { plain: 5, observed: 3 } };

export interface RoundCounters {
  /** Local: usual rounds until fast ones are tried. */
  readonly wait: number;
  readonly head: 'plain' | 'observed';
  /** Rounds that may be made eight at once, or one by one. */
  readonly rounds: 'scan' | 'single';
  /** Address of the patience that was learnt, and behind it of the rounds until fast ones are tried again. */
  readonly patience: number;
}

const pause = 8;

/** To be called when control comes to the loop from outside. */
export function emitPatience({ code }: FrameEmitter, { wait, patience, head, rounds }: RoundCounters): void {
  code.i32(least[rounds][head]);
  code.i32(0);
  code.access(access.i32load, patience);
  code.op(op.i32add);
  code.set(wait);
  code.i32(0);
  code.i32(1);
  code.access(access.i32store, patience + pause);
}

/** Opens a condition: whether it is time. Pauses double. */
export function emitIfTime({ code }: FrameEmitter, { wait, patience }: RoundCounters): void {
  code.get(wait);
  code.i32(1);
  code.op(op.i32sub);
  code.tee(wait);
  code.op(op.i32eqz);
  code.if();
  code.i32(0);
  code.access(access.i32load, patience + pause);
  code.set(wait);
  code.i32(0);
  code.get(wait);
  code.i32(1);
  code.op(op.i32shl);
  code.access(access.i32store, patience + pause);
}

/** `made`: local with the number of fast rounds that were made. */
export function emitLearn(
  { code, expressions }: FrameEmitter,
  { patience, head, rounds }: RoundCounters,
  made: number,
): void {
  expressions.withTemporary('i32', (before) => {
    code.i32(0);
    code.access(access.i32load, patience);
    code.set(before);
    code.i32(0);
    code.get(before);
    code.i32(1);
    code.op(op.i32shrU);
    code.get(before);
    code.i32(more[rounds]);
    code.op(op.i32add);
    code.i32(most);
    code.get(before);
    code.i32(most - more[rounds]);
    code.op(op.i32leU);
    code.op(op.select);
    code.get(made);
    code.i32(worthwhile[rounds][head]);
    code.op(op.i32geU);
    code.op(op.select);
    code.access(access.i32store, patience);
  });
}
