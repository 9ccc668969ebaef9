/**
 * Types whose objects are accessed as those of other types, by what pointers are converted from: behind a `struct
 * header` there may be anything if the program makes a pointer to something else from a pointer to it.
 */
import { withoutQualifiers } from '../../../c/target';
import type { TypedExpression } from '../../../c/tree';
import type { CType } from '../../../c/types';
import type { LinkedProgram } from '../../linking/link';
import { compatible } from '../compatible';
import { walkInitializer, walkStatement } from '../walk';

/** Targets of pointers that the program converts to pointers to other types, or that lie in unions. No arrays. */
export function convertedPointers({ functions, variables }: LinkedProgram): readonly CType[] {
  const found = new Set<CType>();
  const add = (to: CType): void => {
    const element = elementOf(to);
    if (element.kind !== 'void' && element.kind !== 'function') found.add(element);
  };
  const expression = (e: TypedExpression): void => {
    if (e.kind === 'convert' && e.operand.type.kind === 'pointer' && e.type.kind !== 'void' && !isBool(e.type)) {
      const [from, to] = [e.operand.type.to, e.type.kind === 'pointer' ? e.type.to : undefined];
      if (!to || !compatible(elementOf(from), elementOf(to))) add(from);
    }
    if (e.kind === 'member' && e.object.type.kind === 'record' && e.object.type.record.keyword === 'union')
      for (const to of targetsIn(e.type)) add(to);
  };
  for (const { symbol, library } of functions) if (symbol.body && !library) walkStatement(symbol.body, { expression });
  for (const { initializer, library } of variables)
    if (initializer && !library) walkInitializer(initializer, { expression });
  return [...found];
}

const isBool = (type: CType): boolean => type.kind === 'integer' && type.name === 'bool';

const elementOf = (type: CType): CType => (type.kind === 'array' ? elementOf(type.of) : withoutQualifiers(type));

/** Targets of the pointers in an object of the type. */
function targetsIn(type: CType): readonly CType[] {
  switch (type.kind) {
    case 'pointer':
      return [type.to];
    case 'array':
      return targetsIn(type.of);
    case 'record':
      return type.record.fields.flatMap((field) => targetsIn(field.type));
    default:
      return [];
  }
}
