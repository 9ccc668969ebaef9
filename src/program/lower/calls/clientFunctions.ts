/**
 * Functions of clients: the targets of function pointers that entry functions take, or that lie in objects passed to
 * them. Their bodies are unknown. Each function type has one definition that stands for all of them and calls an
 * undefined function named like the type. The offset of a pointer distinguishes them.
 */
import { printType } from '../../../c/printType';
import type { Span } from '../../../c/source';
import type { CType, FunctionType, RecordLayout } from '../../../c/types';
import { unreachable } from '../../../unreachable';
import type { LinkedProgram, UndefinedFunction } from '../../linking/link';
import { compatible } from '../compatible';
import { isMain } from '../function';
import { isAggregate } from '../objects/layout';

/**
 * Empty for programs with a `main`, which passes its own functions. Types with structures by value or variable
 * arguments are left out.
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
          guarantees: [],
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
