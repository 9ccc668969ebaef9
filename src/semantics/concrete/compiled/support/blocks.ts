/** Copying and filling bytes of objects, with their shadows. */
import type { LinearLayout } from '../layout';
import { op, type Code, type Define } from '../wasm';
import type { AccessSupport } from './access';
import type { MoveSupport } from './moves';
import type { HostIndices } from './hostFunctions';
import { emitInlineResolve, pushObject, pushShadow } from './pointerParts';

export interface BlockSupport {
  /** (target, source, bytes): status. */
  readonly copy: number;
  /** (target, byte, bytes). */
  readonly fill: number;
}

export const blockFunctions = (
  layout: LinearLayout,
  host: HostIndices,
  { resolve, markWritten, move, mark }: AccessSupport & MoveSupport,
  define: Define,
): BlockSupport => ({
  copy: define({ parameters: ['i64', 'i64', 'i64'], result: 'i32' }, (code) =>
    emitCopy(code, layout, { resolve, hostCopy: host.copy, move, mark }),
  ),
  fill: define({ parameters: ['i64', 'i32', 'i64'], result: undefined }, (code) =>
    emitFill(code, resolve, markWritten),
  ),
});

/** Leaves the function unless the int64 in the local is a possible number of bytes. */
function leaveUnlessPossible(code: Code, count: number, result: () => void): void {
  code.get(count);
  code.i64(1n);
  code.op(op.i64sub);
  code.i64(0x7fff_fffen);
  code.op(op.i64geU);
  code.if();
  result();
  code.op(op.return);
  code.end();
}

/** `hostCopy`: the host's function for objects of which only one has a shadow. */
function emitCopy(
  code: Code,
  layout: LinearLayout,
  {
    resolve,
    hostCopy,
    move,
    mark,
  }: { readonly resolve: number; readonly hostCopy: number; readonly move: number; readonly mark: number },
): void {
  const [target, source, size64] = [0, 1, 2];
  const [count, to, from, toShadow, fromShadow] = [
    code.local('i32'),
    code.local('i32'),
    code.local('i32'),
    code.local('i32'),
    code.local('i32'),
  ];
  leaveUnlessPossible(code, size64, () => code.i32(0));
  code.get(size64);
  code.op(op.i32wrap);
  code.set(count);
  for (const [pointer, at] of [
    [source, from],
    [target, to],
  ] as const) {
    emitInlineResolve(code, layout, resolve, { pointer, at, pushCount: () => code.get(count) });
    code.tee(at);
    code.op(op.i32eqz);
    code.if();
    code.i32(0);
    code.op(op.return);
    code.end();
  }
  pushShadow(code, layout, target);
  code.set(toShadow);
  pushShadow(code, layout, source);
  code.tee(fromShadow);
  code.if();
  code.get(toShadow);
  code.if();
  code.get(to);
  code.get(toShadow);
  code.op(op.i32add);
  code.get(from);
  code.get(fromShadow);
  code.op(op.i32add);
  code.get(count);
  code.call(move);
  code.else();
  for (const pointer of [target, source]) {
    pushObject(code, pointer);
    code.get(pointer);
    code.op(op.i32wrap);
  }
  code.get(count);
  code.call(hostCopy);
  code.op(op.return);
  code.end();
  code.else();
  code.get(toShadow);
  code.if();
  code.get(to);
  code.get(toShadow);
  code.op(op.i32add);
  code.get(count);
  code.call(mark);
  code.end();
  code.end();
  code.get(to);
  code.get(from);
  code.get(count);
  code.call(move);
  code.i32(0);
}

function emitFill(code: Code, resolve: number, markWritten: number): void {
  const [target, byte, size64] = [0, 1, 2];
  const [count, to] = [code.local('i32'), code.local('i32')];
  leaveUnlessPossible(code, size64, () => {});
  code.get(size64);
  code.op(op.i32wrap);
  code.set(count);
  code.get(target);
  code.get(count);
  code.call(resolve);
  code.tee(to);
  code.op(op.i32eqz);
  code.if();
  code.op(op.return);
  code.end();
  code.get(to);
  code.get(byte);
  code.get(count);
  code.fillMemory();
  code.get(target);
  code.get(to);
  code.get(count);
  code.call(markWritten);
}
