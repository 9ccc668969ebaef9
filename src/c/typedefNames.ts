/**
 * Structures, unions and enums without a tag are known by the typedef that made them: `point` for `typedef struct { int
 * x, y; } point`.
 */
import type { CType } from './types';

const names = new WeakMap<object, string>();

function unnamedKey(type: CType): object | undefined {
  if (type.kind === 'record') return type.record.tag === undefined ? type.record : undefined;
  return type.kind === 'enum' && type.tag === undefined ? type.constants : undefined;
}

/** Notes a typedef. The first one of a type names it. */
export function nameByTypedef(type: CType, name: string): void {
  const key = unnamedKey(type);
  if (key && !names.has(key)) names.set(key, name);
}

/** Undefined for a type that has a tag, or that no typedef names. */
export function typedefNameOf(type: CType): string | undefined {
  const key = unnamedKey(type);
  return key && names.get(key);
}
