/**
 * Operations on open files for the library's C files. They check every argument before they call these, and make of a
 * negative answer C's EOF or `errno`; a program cannot name them.
 */
import { modeOf, errors } from '../environment/files';
import { readString, storeBytes, bytesAt } from './cMemory';
import type { Native, NativeCall } from './native';

const native = (run: Native['run']): Native => ({ run });
/** An argument of 64 bits, little-endian. */
function eightBytes(call: NativeCall, position: number): Uint8Array {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt.asUintN(64, BigInt(call.arguments[position] as bigint)));
  return bytes;
}

const integer = (call: NativeCall, position: number): number => Number(call.arguments[position]!);
const path = (call: NativeCall, position: number): string =>
  Buffer.from(readString(call, call.arguments[position]!), 'latin1').toString('utf8');

/** The flags of <fcntl.h>. */
const flag = { writeOnly: 1, readWrite: 2, create: 0o100, exclusive: 0o200, truncate: 0o1000, append: 0o2000 } as const;

export const streams: Readonly<Record<string, Native>> = {
  __provest_file_open: native((call) => {
    const mode = modeOf(readString(call, call.arguments[1]!));
    return mode ? call.environment.files.openFile(path(call, 0), mode) : -errors.EINVAL;
  }),
  __provest_file_open_flags: native((call) => {
    const flags = integer(call, 1);
    const has = (bit: number): boolean => (flags & bit) !== 0;
    return call.environment.files.openFile(path(call, 0), {
      read: !has(flag.writeOnly),
      write: has(flag.writeOnly) || has(flag.readWrite),
      append: has(flag.append),
      create: has(flag.create),
      truncate: has(flag.truncate),
      exclusive: has(flag.exclusive),
    });
  }),
  __provest_file_temporary: native((call) => call.environment.files.temporary()),
  __provest_file_close: native((call) => call.environment.files.close(integer(call, 0))),
  __provest_file_get: native((call) => call.environment.files.get(integer(call, 0))),
  __provest_file_unget: native((call) =>
    call.environment.files.unget(integer(call, 0), integer(call, 1) & 0xff) ? 0 : -1,
  ),
  __provest_file_read: native((call) => {
    const bytes = call.environment.files.read(integer(call, 0), integer(call, 2));
    if (typeof bytes === 'number') return bytes;
    storeBytes(call, call.arguments[1]!, bytes);
    return bytes.length;
  }),
  __provest_file_write: native((call) =>
    call.environment.files.write(integer(call, 0), bytesAt(call, call.arguments[1]!, integer(call, 2))),
  ),
  __provest_file_seek: native((call) =>
    call.environment.files.seek(integer(call, 0), integer(call, 1), integer(call, 2)),
  ),
  __provest_file_tell: native((call) => call.environment.files.tell(integer(call, 0))),
  __provest_file_resize: native((call) => call.environment.files.resize(integer(call, 0), integer(call, 1))),
  __provest_file_flags: native((call) => {
    const { isOpen, atEnd, failed } = call.environment.files.flags(integer(call, 0));
    return (isOpen ? 4 : 0) + (atEnd ? 1 : 0) + (failed ? 2 : 0);
  }),
  __provest_file_clear: native((call) => {
    call.environment.files.clear(integer(call, 0));
    return undefined;
  }),
  __provest_file_exists: native((call) => (call.environment.files.exists(path(call, 0)) ? 1 : 0)),
  __provest_file_remove: native((call) => call.environment.files.remove(path(call, 0))),
  __provest_file_rename: native((call) => call.environment.files.rename(path(call, 0), path(call, 1))),
  /** The length of a variable's value, or -1; then its bytes, with the zero. */
  __provest_variable_length: native((call) => {
    const value = call.environment.variable(path(call, 0));
    return value === undefined ? -1 : Buffer.byteLength(value);
  }),
  __provest_variable_copy: native((call) => {
    const value = Buffer.from(`${call.environment.variable(path(call, 0)) ?? ''}\0`);
    storeBytes(call, call.arguments[1]!, value.subarray(0, integer(call, 2)));
    return undefined;
  }),
  /** A run takes the usual value, and leaves the world's bytes alone. */
  __provest_usually: native((call) => call.arguments[0]!),
  __provest_any_bytes: native(() => undefined),
  __provest_given_bytes: native((call) => {
    storeBytes(call, call.arguments[0]!, Buffer.alloc(integer(call, 1), eightBytes(call, 2)));
    return undefined;
  }),
  __provest_kept_bits: native((call) => {
    const [target, size, mask] = [call.arguments[0]!, integer(call, 1), eightBytes(call, 2)];
    storeBytes(
      call,
      target,
      bytesAt(call, target, size).map((byte, i) => byte & mask[i % 8]!),
    );
    return undefined;
  }),
  __provest_seed: native((call) => {
    call.environment.random.seed(integer(call, 0) | 0);
    return undefined;
  }),
  __provest_microseconds: native((call) => BigInt(call.environment.elapsedMicroseconds())),
};
