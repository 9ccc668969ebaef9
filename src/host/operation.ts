/**
 * Steps of a test on a module: enough to do them again in another process and meet the same states. Values are JSON;
 * integers are decimal strings, bytes hexadecimal, pointers name the object they were made from.
 */
export type Operation =
  | {
      readonly kind: 'call';
      readonly function: string;
      /** One per parameter of the lowered function; structures by value are pointers to objects made before. */
      readonly arguments: readonly HostValue[];
      /** Answers of the environment (stubs, undefined functions, nondeterministic inputs, "malloc"), in order. */
      readonly answers: readonly RecordedAnswer[];
    }
  /** The host made an object: `alloc('int[4]', …)`. Its id is the count of earlier allocations in this log. */
  | {
      readonly kind: 'allocate';
      readonly type: string;
      readonly bytes: string;
      /** The object for a structure that a call returned by value, if this one holds the same. */
      readonly copyOf?: number;
    }
  /**
   * The host wrote through a pointer: to an object made by `allocate`, or to one of the module's own (then states need
   * not be reachable by calls).
   */
  | { readonly kind: 'write'; readonly target: HostValue; readonly bytes: string }
  /** The host wrote a module variable. States after this need not be reachable by calls. */
  | { readonly kind: 'poke'; readonly variable: string; readonly offsetBytes: number; readonly bytes: string };
/** A value, or what a stub did besides: `at` counts the calls of undefined functions within the operation. */
export type RecordedAnswer = HostValue | { readonly at: number; readonly does: readonly Operation[] };

/** True if a stub called the module during a call. */
export function callsBack(operation: Operation): boolean {
  return (
    operation.kind === 'call' &&
    operation.answers.some((answer) => 'does' in answer && answer.does.some(({ kind }) => kind === 'call'))
  );
}

/**
 * `{ allocation, offset }`: into an object of this log. `{ object, offset }`: any other pointer (the machine is
 * deterministic).
 */
export type HostValue =
  | { readonly integer: string }
  /** Numbers beyond JSON are written out. */
  | { readonly float: number | 'NaN' | 'Infinity' | '-Infinity' | '-0' }
  | { readonly allocation: number; readonly offset: number }
  | { readonly object: number; readonly offset: number };
