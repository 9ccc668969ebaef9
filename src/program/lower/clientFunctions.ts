/**
 * Functions of clients: what the pointers to functions that entry functions take may lead to. Nobody has their bodies, so each type of function has one
 * definition that stands for all of them and calls an undefined function named like the type; which of them a pointer means is its offset.
 */
import { printType } from '../../c/printType';
import type { FunctionType } from '../../c/types';
import type { LinkedProgram, UndefinedFunction } from '../link';
import { compatible } from './compatible';
import { isMain } from './function';
import { isAggregate } from './layout';

/** None where the program has a `main`, which hands over its own. Structures by value and variable arguments are left out. */
export function clientFunctionsOf({ functions }: LinkedProgram): UndefinedFunction[] {
  if (functions.some(isMain)) return [];
  const found: UndefinedFunction[] = [];
  for (const { symbol, library } of functions) {
    if (library || symbol.linkage !== 'external') continue;
    for (const { type } of symbol.type.parameters) {
      if (type.kind !== 'pointer' || type.to.kind !== 'function') continue;
      const to = type.to;
      if (!canBeInvented(to) || found.some((other) => compatible(other.type, to))) continue;
      found.push({ kind: 'undefined', name: printType({ kind: 'pointer', to }), type: to, meaning: { kind: 'external' }, span: symbol.span, noreturn: false, addressTaken: true });
    }
  }
  return found;
}

function canBeInvented({ result, parameters, variadic, unprototyped }: FunctionType): boolean {
  return !variadic && unprototyped !== true && !isAggregate(result) && !parameters.some(({ type }) => isAggregate(type));
}
