/**
 * Library functions that the machine runs itself rather than interprets. A native works on C values, reaches C's memory
 * only through its call, and fails like C code does: with a check that names what was wrong.
 */
import type { CType, DataModel } from '../../../c/types';
import type { CheckKind } from '../../../program/command';
import type { Scalar } from '../../../program/expression';
import type { ConcreteValue } from '../concreteValues';
import type { ConcreteMemory } from '../concreteMemory';
import type { Environment } from '../environment/environment';

export interface NativeCall {
  readonly name: string;
  readonly arguments: readonly ConcreteValue[];
  readonly types: readonly Scalar[];
  readonly memory: ConcreteMemory;
  readonly model: DataModel;
  /** See `Program.argumentTypes`. */
  readonly argumentTypes: readonly CType[];
  readonly environment: Environment;
  /** Value of `errno`; 0 in a program that never looks at it, nor has a function that sets it. */
  readonly errorNumber: () => number;
  /** True if execution ends where this check fails; a native that goes on otherwise asks first. */
  readonly isChecked: (check: CheckKind) => boolean;
}

export interface Native {
  /** Integers may be returned as numbers or bigints of any size; the machine brings them into the result's type. */
  readonly run: (call: NativeCall) => ConcreteValue | undefined;
}

/** Thrown by natives; the machine makes it a fault of the calling C code. */
export class NativeFault extends Error {
  constructor(
    readonly check: CheckKind,
    message: string,
  ) {
    super(message);
  }
}

/** Thrown by natives for what C allows and we do not model. The program is not at fault. */
export class UnsupportedByNative extends Error {}
