/**
 * Results of native functions that IEEE 754 prescribes, as terms: `sqrt`, `fmod` and `fdim`, in all three precisions
 * (C11 F.10.4.5, F.10.7.1 and F.10.9.1). The laws of `logic/floats` know the first two.
 */
import * as L from '../../logic/build';
import type { Term } from '../../logic/term';
import type { ExternalCommand } from '../../program/command';
import type { Expression } from '../../program/expression';
import { number, type SymbolicValue } from './symbolicValues';

/** Undefined of all other functions. `valueOf`: of an argument, before the call. */
export function prescribedResult(
  { name, arguments: given, target }: ExternalCommand,
  valueOf: (argument: Expression) => SymbolicValue,
): Term | undefined {
  const form = /^(sqrt|fmod|fdim)[fl]?$/.exec(name);
  if (!form || target?.type.kind !== 'float') return undefined;
  const width = target.type.widthBits;
  // A program may declare a function of that name otherwise.
  if (!given.every(({ type }) => type.kind === 'float' && type.widthBits === width)) return undefined;
  const args = given.map((argument) => number(valueOf(argument)));
  const [x, y] = args as [Term, Term];
  const operation = (operator: string): Term => L.call(`float-${operator}-${width}`, L.bitsSort(width), ...args);
  // A comparison with a NaN is false: then the difference is a NaN, too.
  if (form[1] === 'fdim')
    return L.ite(L.call(`float-le-${width}`, L.boolSort, x, y), L.bits(0n, width), operation('subtract'));
  return operation(form[1]!);
}
