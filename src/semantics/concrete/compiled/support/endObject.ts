/** Ends the life of an object that code has made. */
import { queueCapacity } from '../../objectState';
import { cells, entry, half as halfOf, originBytes, sizeClass, tableObjects, type LinearLayout } from '../layout';
import { access, op, type Code } from '../wasm';
import { load, stateWord, store } from './cells';
import { classify, pushRounded } from './sizeClasses';

/** `fixed`: the size of every object of code's own that comes here. */
export function emitKill(code: Code, layout: LinearLayout, hostKill: number, fixed?: number): void {
  const object = 0;
  const [at, address, size, distance, bytes, cell, count] = [
    code.local('i32'),
    code.local('i32'),
    code.local('i32'),
    code.local('i32'),
    code.local('i32'),
    code.local('i32'),
    code.local('i32'),
  ];
  const hostsTurn = code.block();
  code.get(object);
  code.i32(tableObjects);
  code.op(op.i32geU);
  code.branchIf(hostsTurn);
  code.get(object);
  code.i32(Math.log2(originBytes));
  code.op(op.i32shl);
  code.access(access.i32load, layout.origins);
  code.i32(0);
  code.op(op.i32leS);
  code.branchIf(hostsTurn);
  const field = (which: number) => {
    code.get(at);
    code.access(access.i32load, layout.table + which);
  };
  code.get(object);
  code.i32(4);
  code.op(op.i32shl);
  code.set(at);
  field(entry.properties);
  code.op(op.i32eqz);
  code.if();
  code.op(op.return);
  code.end();
  const region = fixed === undefined ? undefined : sizeClass(2 * halfOf(fixed));
  const first = cells.freeRegions + (region ? 4 * region.index : 0);
  const pushCell = () => (region ? code.i32(0) : code.get(cell));
  field(entry.address);
  code.set(address);
  if (fixed === undefined) {
    field(entry.size);
    code.set(size);
    pushRounded(code, size);
    code.set(bytes);
    field(entry.shadow);
    code.tee(distance);
    code.if();
    code.get(distance);
    code.i32(1);
    code.op(op.i32shl);
    code.set(bytes);
    code.end();
    classify(code, bytes, cell);
  }
  code.get(address);
  pushCell();
  code.access(access.i32load, first);
  code.access(access.i32store, 0);
  pushCell();
  code.get(address);
  code.access(access.i32store, first);
  code.i32(0);
  code.i32(0);
  code.access(access.f64load, cells.sizes);
  if (fixed === undefined) {
    code.get(size);
    code.op(op.f64convertI32S);
  } else {
    code.f64(fixed);
  }
  code.op(op.f64sub);
  code.access(access.f64store, cells.sizes);
  // The size stays where the address was, for who asks about the dead.
  code.get(at);
  if (fixed === undefined) {
    code.get(size);
    code.op(op.i64extendU);
  } else {
    code.i64(BigInt(fixed));
  }
  code.access(access.i64store, layout.table + entry.address);
  code.get(at);
  code.i64(0n);
  code.access(access.i64store, layout.table + entry.shadow);
  code.get(object);
  code.i32(Math.log2(originBytes));
  code.op(op.i32shl);
  load(code, stateWord('site'));
  code.access(access.i32store, layout.origins + 4);
  // The queue of the dead.
  load(code, stateWord('firstDead'));
  load(code, stateWord('deadCount'));
  code.tee(count);
  code.op(op.i32add);
  code.i32(queueCapacity - 1);
  code.op(op.i32and);
  code.i32(2);
  code.op(op.i32shl);
  code.get(object);
  code.access(access.i32store, layout.queue);
  code.get(count);
  code.i32(queueCapacity);
  code.op(op.i32eq);
  code.if();
  store(code, stateWord('firstDead'), () => {
    load(code, stateWord('firstDead'));
    code.i32(1);
    code.op(op.i32add);
    code.i32(queueCapacity - 1);
    code.op(op.i32and);
  });
  code.else();
  store(code, stateWord('deadCount'), () => {
    code.get(count);
    code.i32(1);
    code.op(op.i32add);
  });
  code.end();
  code.op(op.return);
  code.end();
  code.get(object);
  code.call(hostKill);
}
