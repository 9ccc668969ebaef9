/**
 * Compatible types (C11 6.2.7), for declarations in different units and for calls through a type. Structures of
 * different units are compatible if their tags and members agree. Qualifiers below the top level do not matter here.
 */
import type { CType, FunctionType, RecordLayout } from '../../c/types';

type Assumed = readonly (readonly [RecordLayout, RecordLayout])[];

export function compatible(a: CType, b: CType, assumed: Assumed = []): boolean {
  if (a.kind === 'enum') return compatible(a.underlying, b.kind === 'enum' ? b.underlying : b, assumed);
  if (b.kind === 'enum') return compatible(a, b.underlying, assumed);
  switch (a.kind) {
    case 'void':
      return b.kind === 'void';
    case 'integer':
      return b.kind === 'integer' && a.name === b.name;
    case 'float':
      return b.kind === 'float' && a.name === b.name;
    case 'pointer':
      return b.kind === 'pointer' && compatible(a.to, b.to, assumed);
    case 'array':
      return (
        b.kind === 'array' &&
        (a.length === undefined || b.length === undefined || a.length === b.length) &&
        compatible(a.of, b.of, assumed)
      );
    case 'record':
      return b.kind === 'record' && sameRecord(a.record, b.record, assumed);
    case 'function':
      return b.kind === 'function' && sameFunction(a, b, assumed);
  }
}

/**
 * True if a call through a pointer of type `pointer` can reach `fn`. C requires compatible types. Programs with
 * callbacks of several kinds in one table also cast between pointer types, which all machines pass alike, and drop
 * results.
 */
export function callable(pointer: FunctionType, fn: FunctionType): boolean {
  if (compatible(pointer, fn)) return true;
  const alike = (a: CType, b: CType): boolean => (a.kind === 'pointer' && b.kind === 'pointer') || compatible(a, b);
  return (
    !pointer.unprototyped &&
    !fn.unprototyped &&
    pointer.variadic === fn.variadic &&
    pointer.parameters.length === fn.parameters.length &&
    (alike(pointer.result, fn.result) || (pointer.result.kind === 'void' && fn.result.kind !== 'record')) &&
    pointer.parameters.every((parameter, i) => alike(parameter.type, fn.parameters[i]!.type))
  );
}

/**
 * True if memory laid out as `declared` can be accessed as `own`: the members of `own` have the same offsets in both.
 * Their names, and later members, do not matter.
 */
export function holds(declared: RecordLayout, own: RecordLayout): boolean {
  if (declared.sizeBytes < own.sizeBytes) return false;
  return own.fields.every((field, i) => {
    const other = declared.fields[i];
    if (
      !other ||
      field.offsetBytes !== other.offsetBytes ||
      field.bits?.offset !== other.bits?.offset ||
      field.bits?.width !== other.bits?.width
    )
      return false;
    return field.type.kind === 'record' && other.type.kind === 'record'
      ? holds(other.type.record, field.type.record)
      : compatible(field.type, other.type);
  });
}

function sameRecord(a: RecordLayout, b: RecordLayout, assumed: Assumed): boolean {
  if (a === b || assumed.some(([x, y]) => x === a && y === b)) return true;
  if (a.keyword !== b.keyword || a.tag !== b.tag) return false;
  if (!a.complete || !b.complete) return true;
  const inner: Assumed = [...assumed, [a, b]];
  return (
    a.sizeBytes === b.sizeBytes &&
    a.fields.length === b.fields.length &&
    a.fields.every((field, i) => {
      const other = b.fields[i]!;
      return (
        field.name === other.name &&
        field.offsetBytes === other.offsetBytes &&
        field.bits?.offset === other.bits?.offset &&
        field.bits?.width === other.bits?.width &&
        compatible(field.type, other.type, inner)
      );
    })
  );
}

function sameFunction(a: FunctionType, b: FunctionType, assumed: Assumed): boolean {
  if (!compatible(a.result, b.result, assumed)) return false;
  if (a.unprototyped || b.unprototyped) return !a.variadic && !b.variadic;
  return (
    a.variadic === b.variadic &&
    a.parameters.length === b.parameters.length &&
    a.parameters.every((parameter, i) => compatible(parameter.type, b.parameters[i]!.type, assumed))
  );
}
