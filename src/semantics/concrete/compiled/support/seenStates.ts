/** The table of states that were seen at observed locations: open addressing with linear probing. */
import { cells, mostSeen, seenEntries, seenEntryBytes, type LinearLayout } from '../layout';
import { access, goldenRatio, op, type Code } from '../wasm';

/**
 * (number of a location, bits, bits of the entry, place in the cache): pushes 1 if they were seen there before. From
 * now on they were, unless the table is full.
 */
export function emitSeen(code: Code, layout: LinearLayout): void {
  const [location, bits, entered, place] = [0, 1, 2, 3];
  const at = code.local('i32');
  const found = () => {
    code.get(at);
    code.access(access.i32load, layout.seen);
  };
  code.get(place);
  code.get(bits);
  code.access(access.i64store, 0);
  code.get(place);
  code.get(entered);
  code.access(access.i64store, 8);
  // Linear probing.
  code.get(bits);
  code.get(entered);
  code.i64(0x2545_f491_4f6c_dd1dn);
  code.op(op.i64mul);
  code.op(op.i64xor);
  code.get(location);
  code.op(op.i64extendU);
  code.i64(40n);
  code.op(op.i64shl);
  code.op(op.i64xor);
  code.i64(goldenRatio);
  code.op(op.i64mul);
  code.i64(BigInt(64 - Math.log2(seenEntries)));
  code.op(op.i64shrU);
  code.op(op.i32wrap);
  code.i32(Math.log2(seenEntryBytes));
  code.op(op.i32shl);
  code.set(at);
  const again = code.loop();
  found();
  code.if();
  found();
  code.get(location);
  code.i32(1);
  code.op(op.i32add);
  code.op(op.i32eq);
  code.get(at);
  code.access(access.i64load, layout.seen + 8);
  code.get(bits);
  code.op(op.i64eq);
  code.op(op.i32and);
  code.get(at);
  code.access(access.i64load, layout.seen + 16);
  code.get(entered);
  code.op(op.i64eq);
  code.op(op.i32and);
  code.if();
  code.i32(1);
  code.op(op.return);
  code.end();
  code.get(at);
  code.i32(seenEntryBytes);
  code.op(op.i32add);
  code.i32(seenEntries * seenEntryBytes - 1);
  code.op(op.i32and);
  code.set(at);
  code.branch(again);
  code.end();
  code.end();
  code.i32(0);
  code.access(access.i32load, cells.seen);
  code.i32(mostSeen);
  code.op(op.i32geU);
  code.if();
  // Not noted, so it is to be asked about again.
  code.get(place);
  code.i64(-1n);
  code.access(access.i64store, 0);
  code.i32(0);
  code.op(op.return);
  code.end();
  code.i32(0);
  code.i32(0);
  code.access(access.i32load, cells.seen);
  code.i32(1);
  code.op(op.i32add);
  code.access(access.i32store, cells.seen);
  code.get(at);
  code.get(location);
  code.i32(1);
  code.op(op.i32add);
  code.access(access.i32store, layout.seen);
  code.get(at);
  code.get(bits);
  code.access(access.i64store, layout.seen + 8);
  code.get(at);
  code.get(entered);
  code.access(access.i64store, layout.seen + 16);
  code.i32(0);
}
