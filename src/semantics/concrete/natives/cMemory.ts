/** Natives' access to C's memory: with the checks that C code would have made. */
import { uint8, type Scalar } from '../../../program/expression';
import { objectNumber, offsetBytes, type ConcreteValue } from '../concreteValues';
import { describePointer } from '../failureMessage';
import { NativeFault, type NativeCall } from './native';
import { unreachable } from '../../../unreachable';

/** The bytes up to the terminating zero, or up to a limit, one character each. */
export function readString(call: NativeCall, pointer: ConcreteValue, limit = Infinity): string {
  if (limit === 0) return '';
  const bytes = accessible(call, pointer);
  let text = '';
  for (let i = offsetBytes(pointer); text.length < limit; i++) {
    if (i >= bytes.length)
      throw new NativeFault(
        'dereference',
        `${call.name} reads past the end of a string: ${describePointer(pointer, call.memory)}`,
      );
    watchRead(call, pointer, i, 1);
    if (bytes[i] === 0) break;
    text += String.fromCharCode(bytes[i]!);
  }
  return text;
}

/** One byte per character, and a terminating zero. */
export function writeString(call: NativeCall, pointer: ConcreteValue, text: string): void {
  storeBytes(call, pointer, Buffer.from(`${text}\0`, 'latin1'));
}

export function storeBytes(call: NativeCall, pointer: ConcreteValue, source: Uint8Array): void {
  if (source.length === 0) return;
  const bytes = accessible(call, pointer);
  const at = offsetBytes(pointer);
  if (at + source.length > bytes.length) {
    throw new NativeFault(
      'dereference',
      `${call.name} writes ${source.length} bytes: ${describePointer(pointer, call.memory)}`,
    );
  }
  writableOnly(call, pointer);
  const block = call.memory.ownedBlock(pointer)!;
  block.bytes.set(source, at);
  block.written?.fill(1, at, at + source.length);
  call.memory.watch?.fill(block, at, source.length);
}

/** A copy. */
export function bytesAt(call: NativeCall, pointer: ConcreteValue, size: number): Uint8Array {
  if (size <= 0) return new Uint8Array(0);
  inRange(call, pointer, size);
  const at = offsetBytes(pointer);
  watchRead(call, pointer, at, size);
  return accessible(call, pointer).slice(at, at + size);
}

function watchRead(call: NativeCall, pointer: ConcreteValue, at: number, bytes: number): void {
  const { watch } = call.memory;
  if (watch) watch.load(call.memory.block(pointer)!, at, uint8, bytes);
}

export function loadChecked(call: NativeCall, pointer: ConcreteValue, type: Scalar): ConcreteValue {
  inRange(call, pointer, sizeOf(type, call));
  return call.memory.load(pointer, type);
}

export function storeChecked(call: NativeCall, pointer: ConcreteValue, type: Scalar, value: ConcreteValue): void {
  inRange(call, pointer, sizeOf(type, call));
  writableOnly(call, pointer);
  call.memory.store(pointer, type, value);
}

function inRange(call: NativeCall, pointer: ConcreteValue, size: number): void {
  if (offsetBytes(pointer) + size > accessible(call, pointer).length) {
    throw new NativeFault('dereference', `${call.name}: ${describePointer(pointer, call.memory)}`);
  }
}

/** The bytes of the live object, in which the pointer has an offset that is not negative. */
function accessible(call: NativeCall, pointer: ConcreteValue): Uint8Array {
  if (objectNumber(pointer) === 0) throw new NativeFault('null-dereference', `null pointer passed to ${call.name}`);
  const block = call.memory.block(pointer);
  if (!block?.live || offsetBytes(pointer) < 0)
    throw new NativeFault(
      'dereference',
      `invalid pointer passed to ${call.name}: ${describePointer(pointer, call.memory)}`,
    );
  return block.bytes;
}

function writableOnly(call: NativeCall, pointer: ConcreteValue): void {
  if (!call.memory.block(pointer)?.writable)
    throw new NativeFault(
      'read-only',
      `${call.name} writes to read-only memory: ${describePointer(pointer, call.memory)}`,
    );
}

function sizeOf(type: Scalar, call: NativeCall): number {
  switch (type.kind) {
    case 'integer':
    case 'float':
      return type.widthBits / 8;
    case 'pointer':
      return call.model === 'lp64' ? 8 : 4;
    default:
      return unreachable(type);
  }
}
