/** Objects that clients, and functions without a body, make in a run: their contents lead to further ones. */
import { sizeOf } from '../../c/layout';
import { printType } from '../../c/printType';
import { withoutQualifiers } from '../../c/target';
import type { CType, PointerType } from '../../c/types';
import { encode } from '../../host/values/encode';
import { type HostAddress, nullAddress } from '../../host/layout';
import { asFunction } from '../../plainFunction';
import { asPointer } from '../../plainPointer';
import type { Program } from '../../program/program';
import { type ConcreteValue, objectNumber, offsetBytes } from '../../semantics/concrete/concreteValues';
import type { Machine } from '../../semantics/concrete/machine';
import { clientFunctionFor } from '../../semantics/pointers/passedFunctions';
import type { Plain } from '../../verdict';
import type { Allocated } from './scenario';

export interface MakingObjects {
  readonly machine: Machine;
  readonly program: Program;
  /** False for what clients have from the module alone. */
  readonly isMadeByClients: (type: CType) => boolean;
  /**
   * The pointer to this type that another argument of the call is, or to an element of the object it leads into;
   * undefined for none.
   */
  readonly argumentOf: (argument: number, to: CType, index: number | undefined) => ConcreteValue | undefined;
  /** Told of objects to which pointers inside lead. */
  readonly made: (value: ConcreteValue, type: CType) => void;
}

/** Undefined if clients cannot make it. */
export function makeObject(
  { type, contents, allocated }: { readonly type: CType; readonly contents: Plain; readonly allocated?: Allocated },
  making: MakingObjects,
): ConcreteValue | undefined {
  const { machine, program } = making;
  let isPossible = true;
  const make = (of: CType, within: Plain, kind: 'host' | 'heap'): ConcreteValue =>
    machine.memory.make({
      kind,
      sizeBytes: sizeOf(of, program.dataModel) ?? 1,
      name: printType(of),
      contents: encode(within, of, 'argument', {
        model: program.dataModel,
        addressOf: (part, to) => addressOf(part as Plain, to),
      }),
    });
  const nested = (to: CType, within: Plain): ConcreteValue | undefined => {
    if (to.kind === 'void' || to.kind === 'function' || !making.isMadeByClients(to)) return undefined;
    const of: CType = Array.isArray(within) ? { kind: 'array', of: to, length: within.length } : to;
    const value = make(of, within, allocated && allocated !== 'itself' ? 'heap' : 'host');
    making.made(value, of);
    return value;
  };
  const addressOf = (part: Plain, { to }: PointerType): HostAddress => {
    const pointer = asPointer(part);
    if (!pointer) return addressOfFunction(part, to, program);
    const value =
      pointer.kind === 'fresh' ? nested(to, pointer.contents) : making.argumentOf(pointer.argument, to, pointer.index);
    isPossible &&= value !== undefined;
    return value === undefined ? nullAddress : { object: objectNumber(value), offset: offsetBytes(value) };
  };
  const value = make(type, contents, allocated && allocated !== 'inside' ? 'heap' : 'host');
  return isPossible ? value : undefined;
}

/** Null for one that does not fit the type. */
function addressOfFunction(part: Plain, type: CType, program: Program): HostAddress {
  const fn = asFunction(part);
  const known = clientFunctionFor(type, program);
  return fn && known?.name === fn.name ? { object: known.number, offset: fn.index } : nullAddress;
}

export const isSameType = (a: CType, b: CType): boolean =>
  printType(withoutQualifiers(a)) === printType(withoutQualifiers(b));
