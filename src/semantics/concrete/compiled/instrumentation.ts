/**
 * Code for watched places: it counts down arrivals that need not be reported, or looks whether a state looks new, and
 * hands over to report.
 */
import type { Location } from '../../../program/program';
import type { ObservedPredicates } from '../machine';
import type { FrameEmitter } from './frameEmitter';
import { cacheBytes, cachedLocations, cacheEntries, cacheEntryBytes } from './layout';
import { emitPredicates } from './predicateEmitter';
import { access, goldenRatio, op } from './wasm';

/** Reports an arrival, unless it is one of those that need not be. */
export function emitProbePoint(frame: FrameEmitter, first: Location): void {
  const { code } = frame;
  if (frame.isReentrant) {
    code.get(frame.isReported);
    code.if();
    code.i32(0);
    code.set(frame.isReported);
    code.else();
  }
  const observedPredicates = frame.around.predicatesAt(first);
  if (observedPredicates) see(frame, first, observedPredicates);
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
function see(frame: FrameEmitter, location: Location, { conditions, perEntry }: ObservedPredicates): void {
  const { code, expressions, fn } = frame;
  const { layout, support } = frame.around;
  const keeps = perEntry ? frame.entered : undefined;
  if (perEntry && keeps === undefined)
    throw new Error(`observed predicates of ${fn.name} count per entry, but its entry is not watched`);
  const { local: bits, type } = emitPredicates(expressions, conditions, () => frame.around.nextRange());
  const narrow = type === 'i32';
  const wide = () => {
    code.get(bits);
    if (narrow) code.op(op.i64extendU);
  };
  if (keeps !== undefined && location === fn.entry) {
    wide();
    code.set(keeps);
  }
  const cached = frame.around.observedNumber(location);
  const cache = layout.cache + Math.min(cached, cachedLocations) * cacheBytes;
  const place = expressions.temporary('i32');
  // The upper bits of the product choose the entry.
  const offsetMask = (cacheEntries - 1) * cacheEntryBytes;
  if (narrow && keeps === undefined) {
    code.get(bits);
    code.i32(Number(BigInt.asIntN(32, goldenRatio >> 32n)));
    code.op(op.i32mul);
    code.i32(24);
    code.op(op.i32shrU);
  } else {
    wide();
    if (keeps !== undefined) {
      code.get(keeps);
      code.op(op.i64xor);
    }
    code.i64(goldenRatio);
    code.op(op.i64mul);
    code.i64(56n);
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
  expressions.release('i32', place);
  expressions.release(type, bits);
}

function reportIfNotZero(frame: FrameEmitter, location: Location): void {
  const { code } = frame;
  code.if();
  frame.setArrived();
  frame.handOver(location, 0);
  code.end();
}
