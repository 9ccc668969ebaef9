/** Objects behind pointers: linear addresses, sizes, properties, and the bytes that were written. */
import { deadEntry, entry, originBytes, tableObjects, type LinearLayout } from '../layout';
import { access, op, type Code, type Define } from '../wasm';
import type { HostIndices } from './hostFunctions';
import type { MoveSupport } from './moves';
import { pushField, pushObject, pushShadow } from './pointerParts';

export interface AccessSupport {
  /** (pointer, bytes): linear address, or 0 when not all of them lie in a live object. */
  readonly resolve: number;
  /** (pointer, offset of the access, bytes): 1 if they lie in a live object, which is in linear memory from now on. */
  readonly reach: number;
  readonly size: number;
  readonly properties: number;
  /** (pointer, linear address, bytes): they count as written. */
  readonly markWritten: number;
  readonly initialised: number;
}

export function accessFunctions(
  layout: LinearLayout,
  host: HostIndices,
  { mark }: MoveSupport,
  define: Define,
): AccessSupport {
  const resolve = define({ parameters: ['i64', 'i32'], result: 'i32' }, (code) =>
    emitResolve(code, layout, host.touch),
  );
  const size32 = define({ parameters: ['i64'], result: 'i32' }, (code) =>
    emitProperty(code, layout, 'size', host.size),
  );
  const size = define({ parameters: ['i64'], result: 'i64' }, (code) => {
    code.get(0);
    code.call(size32);
    code.op(op.i64extendU);
  });
  const properties = define({ parameters: ['i64'], result: 'i32' }, (code) =>
    emitProperty(code, layout, 'properties', host.properties),
  );
  return {
    resolve,
    reach: define({ parameters: ['i64', 'i64', 'i32'], result: 'i32' }, (code) => emitReach(code, layout, host.touch)),
    size,
    properties,
    markWritten: define({ parameters: ['i64', 'i32', 'i32'], result: undefined }, (code) =>
      emitMarkWritten(code, layout, mark),
    ),
    initialised: define({ parameters: ['i64', 'i32'], result: 'i32' }, (code) =>
      emitInitialised(code, layout, resolve),
    ),
  };
}

/** Pops a condition, under which the function returns 0. */
function emitReturnZeroIf(code: Code): void {
  code.if();
  code.i32(0);
  code.op(op.return);
  code.end();
}

/** `touch`: the host's function that brings an object into linear memory. */
function emitResolve(code: Code, layout: LinearLayout, touch: number): void {
  const [pointer, count] = [0, 1];
  const object = code.local('i32');
  const offset = code.local('i32');
  const limit = code.local('i32');
  pushObject(code, pointer);
  code.tee(object);
  code.i32(tableObjects);
  code.op(op.i32geU);
  emitReturnZeroIf(code);
  code.get(pointer);
  code.op(op.i32wrap);
  code.set(offset);
  const again = code.loop();
  code.get(offset);
  pushField(code, layout, object, entry.size);
  code.tee(limit);
  code.op(op.i32ltU);
  code.if();
  code.get(offset);
  code.get(count);
  code.op(op.i32add);
  code.get(limit);
  code.op(op.i32leU);
  code.if();
  pushField(code, layout, object, entry.address);
  code.get(offset);
  code.op(op.i32add);
  code.op(op.return);
  code.end();
  code.end();
  emitReturnIfNull(code, object);
  // Memory here is known, also that it is dead; the host is asked about the rest.
  pushField(code, layout, object, entry.properties);
  pushOrigin(code, layout, object);
  code.op(op.i32or);
  emitReturnZeroIf(code);
  code.get(object);
  code.call(touch);
  code.branchIf(again);
  code.end();
  code.i32(0);
}

/** `touch`: as above. */
function emitReach(code: Code, layout: LinearLayout, touch: number): void {
  const [pointer, start, count] = [0, 1, 2];
  const object = code.local('i32');
  const limit = code.local('i64');
  pushObject(code, pointer);
  code.tee(object);
  code.i32(tableObjects);
  code.op(op.i32geU);
  emitReturnZeroIf(code);
  pushField(code, layout, object, entry.properties);
  code.op(op.i32eqz);
  code.if();
  code.get(object);
  code.call(touch);
  code.op(op.i32eqz);
  emitReturnZeroIf(code);
  code.end();
  pushField(code, layout, object, entry.size);
  code.op(op.i64extendU);
  code.tee(limit);
  code.get(start);
  code.op(op.i64sub);
  code.get(count);
  code.op(op.i64extendU);
  code.op(op.i64geS);
  code.get(start);
  code.get(limit);
  code.op(op.i64ltU);
  code.op(op.i32and);
}

/** Pushes the site that made the object, if code did and nobody else has seen it; -1 for a dead one of the host's. */
function pushOrigin(code: Code, layout: LinearLayout, object: number): void {
  code.get(object);
  code.i32(Math.log2(originBytes));
  code.op(op.i32shl);
  code.access(access.i32load, layout.origins);
}

/** Null pointers are the usual ones that lead nowhere; the host has nothing else to say of them. */
function emitReturnIfNull(code: Code, object: number): void {
  code.get(object);
  code.op(op.i32eqz);
  emitReturnZeroIf(code);
}

/** `ask`: the host's function for its own objects that are dead, or not in linear memory. */
function emitProperty(code: Code, layout: LinearLayout, which: 'size' | 'properties', ask: number): void {
  const object = code.local('i32');
  pushObject(code, 0);
  code.set(object);
  emitReturnIfNull(code, object);
  code.get(object);
  code.i32(tableObjects);
  code.op(op.i32ltU);
  code.if();
  pushField(code, layout, object, entry.properties);
  code.if();
  pushField(code, layout, object, entry[which]);
  code.op(op.return);
  code.end();
  pushOrigin(code, layout, object);
  code.i32(0);
  code.op(op.i32gtS);
  code.if();
  pushField(code, layout, object, deadEntry[which]);
  code.op(op.return);
  code.end();
  code.end();
  code.get(object);
  code.call(ask);
}

function emitMarkWritten(code: Code, layout: LinearLayout, mark: number): void {
  const shadow = code.local('i32');
  pushShadow(code, layout, 0);
  code.tee(shadow);
  code.if();
  code.get(1);
  code.get(shadow);
  code.op(op.i32add);
  code.get(2);
  code.call(mark);
  code.end();
}

function emitInitialised(code: Code, layout: LinearLayout, resolve: number): void {
  const at = code.local('i32');
  const end = code.local('i32');
  const shadow = code.local('i32');
  code.get(0);
  code.get(1);
  code.call(resolve);
  code.tee(at);
  code.op(op.i32eqz);
  emitReturnZeroIf(code);
  pushShadow(code, layout, 0);
  code.tee(shadow);
  code.op(op.i32eqz);
  code.if();
  code.i32(1);
  code.op(op.return);
  code.end();
  code.get(at);
  code.get(shadow);
  code.op(op.i32add);
  code.tee(at);
  code.get(1);
  code.op(op.i32add);
  code.set(end);
  const next = code.loop();
  code.get(at);
  code.access(access.i32load8U, 0);
  code.op(op.i32eqz);
  emitReturnZeroIf(code);
  code.get(at);
  code.i32(1);
  code.op(op.i32add);
  code.tee(at);
  code.get(end);
  code.op(op.i32ltU);
  code.branchIf(next);
  code.end();
  code.i32(1);
}
