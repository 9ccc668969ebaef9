/**
 * Functions that the host offers to compiled code. Arguments are 32-bit numbers, of which JavaScript makes no bigints.
 */
import type { Signature } from '../wasm';

/**
 * Functions of the host. `site` numbers a command of the module; a status other than 0 means: hand over, the reference
 * machine goes on here.
 */
export const hostFunctions = {
  /** (object): 1 when the object is live and was brought into linear memory now. */
  touch: { parameters: ['i32'], result: 'i32' },
  /** (object): its properties, dead or alive. */
  properties: { parameters: ['i32'], result: 'i32' },
  /** (object): its size, dead or alive. */
  size: { parameters: ['i32'], result: 'i32' },
  /** A float that is no int64: its integral part modulo 2^64, 0 when it has none. */
  truncate: { parameters: ['f64'], result: 'i64' },
  /** (site, low and high half of the size): an object's number, or -1 for handing over. */
  allocate: { parameters: ['i32', 'i32', 'i32'], result: 'i32' },
  /**
   * (site, place of the frame's confined objects): an object's number in linear memory, or -1 for handing over. The
   * slot has none.
   */
  declare: { parameters: ['i32', 'i32'], result: 'i32' },
  /** (object): ends the life of an object that the host has made, at the site that was set. */
  kill: { parameters: ['i32'], result: undefined },
  /** (target object and offset, source object and offset, size): status. */
  copy: { parameters: ['i32', 'i32', 'i32', 'i32', 'i32'], result: 'i32' },
  /** (site): status. Arguments and result in the cells. */
  native: { parameters: ['i32'], result: 'i32' },
  /** (site): status. Result in its cell. */
  choose: { parameters: ['i32'], result: 'i32' },
} as const satisfies Readonly<Record<string, Signature>>;
export type HostFunction = keyof typeof hostFunctions;
export const hostFunctionNames = Object.keys(hostFunctions) as HostFunction[];

export type HostIndices = Readonly<Record<HostFunction, number>>;

/** Imported functions have the first indices. */
export const hostIndices = (): HostIndices =>
  Object.fromEntries(hostFunctionNames.map((name, i) => [name, i])) as Record<HostFunction, number>;
