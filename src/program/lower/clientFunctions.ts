/**
 * Functions of clients: what the pointers to functions may lead to that entry functions take, or that lie in what they
 * take pointers to. Nobody has their bodies, so each type of function has one definition that stands for all of them
 * and calls an undefined function named like the type; which of them a pointer means is its offset.
 */
import { printType } from '../../c/printType';
import type { Span } from '../../c/source';
import type { CType, FunctionType, RecordLayout } from '../../c/types';
import { unreachable } from '../../unreachable';
import type { LinkedProgram, UndefinedFunction } from '../link';
import { compatible } from './compatible';
import { isMain } from './function';
import { isAggregate } from './layout';

/**
 * None where the program has a `main`, which hands over its own. Structures by value and variable arguments are left
 * out.
 */
export function clientFunctionsOf({ functions }: LinkedProgram): UndefinedFunction[] {
  if (functions.some(isMain)) return [];
  const found: UndefinedFunction[] = [];
  const seen = new Set<RecordLayout>();
  const look = (type: CType, span: Span): void => {
    switch (type.kind) {
      case 'pointer':
        return look(type.to, span);
      case 'array':
        return look(type.of, span);
      case 'record':
        if (seen.has(type.record)) return;
        seen.add(type.record);
        for (const field of type.record.fields) look(field.type, span);
        return;
      case 'function':
        if (!canBeInvented(type) || found.some((other) => compatible(other.type, type))) return;
        found.push({
          kind: 'undefined',
          name: printType({ kind: 'pointer', to: type }),
          type,
          meaning: { kind: 'external' },
          span,
          noreturn: false,
          addressTaken: true,
        });
        return;
      case 'void':
      case 'integer':
      case 'enum':
      case 'float':
        return;
      default:
        return unreachable(type);
    }
  };
  for (const { symbol, library } of functions) {
    if (!library && symbol.linkage === 'external')
      for (const { type } of symbol.type.parameters) look(type, symbol.span);
  }
  return found;
}

function canBeInvented({ result, parameters, variadic, unprototyped }: FunctionType): boolean {
  return (
    !variadic && unprototyped !== true && !isAggregate(result) && !parameters.some(({ type }) => isAggregate(type))
  );
}
