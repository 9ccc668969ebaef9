/**
 * Code for watched places: it counts down arrivals that need not be reported, or looks whether a state looks new, and
 * hands over to report.
 */
import type { Expression } from '../../../program/expression';
import type { Location } from '../../../program/program';
import type { ObservedPredicates } from '../machine';
import type { FrameEmitter } from './frameEmitter';
import { cacheBytes, cachedLocations, cacheEntries, cacheEntryBytes } from './layout';
import type { ObservedHead, RepeatedArrivals } from './loops/observedHeads';
import { emitPredicates, type Bits } from './predicateEmitter';
import { access, goldenRatio, op } from './wasm';

/** Reports an arrival, unless it is one of those that need not be. */
export function emitProbePoint(frame: FrameEmitter, first: Location, head?: ObservedHead): void {
  const { code } = frame;
  if (frame.isReentrant) {
    code.get(frame.isReported);
    code.if();
    code.i32(0);
    code.set(frame.isReported);
    code.else();
  }
  const observedPredicates = frame.around.predicatesAt(first);
  if (observedPredicates) see(frame, first, observedPredicates, head);
  else countDown(frame, first);
  if (frame.isReentrant) code.end();
}

function countDown(frame: FrameEmitter, location: Location): void {
  const { code, fn } = frame;
  const { layout } = frame.around;
  const at = layout.skips + 4 * (layout.locationNumbers.get(fn)! + location.index);
  const left = frame.expressions.temporary('i32');
  code.i32(0);
  code.access(access.i32load, at);
  code.tee(left);
  code.op(op.i32eqz);
  reportIfNotZero(frame, location);
  code.i32(0);
  code.get(left);
  code.i32(1);
  code.op(op.i32sub);
  code.access(access.i32store, at);
  frame.expressions.release('i32', left);
}

/**
 * Reports an arrival that looks like none before. Most look like one of the last few, which is found out on the spot.
 */
function see(
  frame: FrameEmitter,
  location: Location,
  { conditions, perEntry }: ObservedPredicates,
  head: ObservedHead | undefined,
): void {
  const { code, expressions, fn } = frame;
  const { layout, support } = frame.around;
  const keeps = perEntry ? frame.entered : undefined;
  const repeated = head?.repeated;
  const done = repeated && code.block();
  if (repeated) {
    pushIsSmall(frame, repeated);
    code.get(repeated.seen);
    pushCounter(frame, repeated);
    code.op(op.i64shrU);
    code.op(op.i32wrap);
    code.op(op.i32and);
    code.branchIf(done!);
  }
  if (perEntry && keeps === undefined)
    throw new Error(`observed predicates of ${fn.name} count per entry, but its entry is not watched`);
  const { local: bits, type } = valuation(frame, conditions, head);
  const narrow = type === 'i32';
  const wide = () => {
    code.get(bits);
    if (narrow) code.op(op.i64extendU);
  };
  if (keeps !== undefined && location === fn.entry) {
    wide();
    code.set(keeps);
  }
  // The context stays in an activation, so that the last valuation needs no other look.
  if (head) {
    code.get(bits);
    code.get(head.last);
    code.op(narrow ? op.i32ne : op.i64ne);
    code.if();
  }
  const cached = frame.around.observedNumber(location);
  const cache = layout.cache + Math.min(cached, cachedLocations) * cacheBytes;
  const place = expressions.temporary('i32');
  // The upper bits of the product choose the entry, whose place is a multiple of its size.
  const indexBits = Math.log2(cacheEntries * cacheEntryBytes);
  const offsetMask = (cacheEntries - 1) * cacheEntryBytes;
  if (narrow && keeps === undefined) {
    code.get(bits);
    code.i32(Number(BigInt.asIntN(32, goldenRatio >> 32n)));
    code.op(op.i32mul);
    code.i32(32 - indexBits);
    code.op(op.i32shrU);
  } else {
    wide();
    if (keeps !== undefined) {
      code.get(keeps);
      code.op(op.i64xor);
    }
    code.i64(goldenRatio);
    code.op(op.i64mul);
    code.i64(BigInt(64 - indexBits));
    code.op(op.i64shrU);
    code.op(op.i32wrap);
  }
  code.i32(offsetMask);
  code.op(op.i32and);
  code.set(place);
  if (cached < cachedLocations) {
    code.get(place);
    code.access(narrow ? access.i32load : access.i64load, cache);
    code.get(bits);
    code.op(narrow ? op.i32ne : op.i64ne);
    if (keeps !== undefined) {
      code.get(place);
      code.access(access.i64load, cache + 8);
      code.get(keeps);
      code.op(op.i64ne);
      code.op(op.i32or);
    }
    code.if();
  }
  code.i32(layout.locationNumbers.get(fn)! + location.index);
  wide();
  if (keeps === undefined) code.i64(0n);
  else code.get(keeps);
  code.get(place);
  code.i32(cache);
  code.op(op.i32add);
  code.call(support.seen);
  code.op(op.i32eqz);
  reportIfNotZero(frame, location);
  if (cached < cachedLocations) code.end();
  if (head) {
    code.get(bits);
    code.set(head.last);
    code.end();
  }
  expressions.release('i32', place);
  expressions.release(type, bits);
  if (!repeated) return;
  pushIsSmall(frame, repeated);
  code.op(op.i64extendU);
  pushCounter(frame, repeated);
  code.op(op.i64shl);
  code.get(repeated.seen);
  code.op(op.i64or);
  code.set(repeated.seen);
  code.end();
}

/** Pushes whether the counter has a bit among the arrivals that were dealt with. */
function pushIsSmall(frame: FrameEmitter, repeated: RepeatedArrivals): void {
  pushCounter(frame, repeated);
  frame.code.i64(64n);
  frame.code.op(op.i64ltU);
}

function pushCounter({ code, expressions }: FrameEmitter, { counter }: RepeatedArrivals): void {
  expressions.read(counter);
  if (counter.type.kind === 'integer' && counter.type.widthBits < 64) code.op(op.i64extendU);
}

function valuation(frame: FrameEmitter, conditions: readonly Expression[], head: ObservedHead | undefined): Bits {
  const { code, expressions } = frame;
  if (!head || head.keptBits.length === 0) return emitPredicates(expressions, conditions, frame.around);
  const narrow = head.type === 'i32';
  code.get(head.kept);
  if (narrow) code.i32(-1);
  else code.i64(-1n);
  code.op(narrow ? op.i32eq : op.i64eq);
  code.if();
  const { known } = expressions;
  expressions.known = known.fork();
  const kept = emitPredicates(expressions, conditions, frame.around, head.keptBits);
  code.get(kept.local);
  code.set(head.kept);
  expressions.release(kept.type, kept.local);
  expressions.known = known;
  code.end();
  const bits = emitPredicates(expressions, conditions, frame.around, head.otherBits);
  code.get(bits.local);
  code.get(head.kept);
  code.op(narrow ? op.i32or : op.i64or);
  code.set(bits.local);
  return bits;
}

function reportIfNotZero(frame: FrameEmitter, location: Location): void {
  const { code } = frame;
  code.if();
  frame.setArrived();
  frame.handOver(location, 0);
  code.end();
}
