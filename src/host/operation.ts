/**
 * What a test did to a module, step by step: enough to do it again in another process and meet the same states. Values are JSON;
 * 64-bit integers are decimal strings with an `n`, pointers name the object they were made from.
 */
export type Operation =
  | { readonly kind: 'call'; readonly function: string; readonly arguments: readonly HostValue[]; /** What stubs answered, in order. */ readonly answers: readonly HostValue[] }
  /** The host made an object: `alloc('int[4]', …)`. Its id is the count of earlier allocations in this log. */
  | { readonly kind: 'allocate'; readonly type: string; readonly bytes: string }
  /** The host wrote into memory it owns (an object made by `allocate`). */
  | { readonly kind: 'write'; readonly target: HostValue; readonly bytes: string }
  /** The host wrote a module variable or memory the module owns. States after this need not be reachable by calls. */
  | { readonly kind: 'poke'; readonly variable: string; readonly offsetBytes: number; readonly bytes: string };
/** `{ allocation, offset }`: into an object of this log. `{ address }`: any other pointer as object and offset (the machine is deterministic). */
export type HostValue =
  | { readonly integer: string }
  | { readonly float: number }
  | { readonly allocation: number; readonly offset: number }
  | { readonly object: number; readonly offset: number };
