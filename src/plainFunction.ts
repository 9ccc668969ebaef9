/**
 * A function of the client's as a part of plain data, which crosses borders of processes: by its type and number in a
 * scenario, by the name of the step that makes it in a counterexample, where an object has a name, too, and `index` is
 * that of its element. No member of a structure is called `()`.
 */
import type { Plain } from './verdict';

export interface PlainFunction {
  readonly name: string;
  readonly index: number;
}

export function functionPart(name: string, index?: number): Plain {
  return { '()': name, ...(index !== undefined && { index }) };
}

export function asFunction(part: Plain): PlainFunction | undefined {
  if (typeof part !== 'object' || part === null || !('()' in part)) return undefined;
  const { '()': name, index = 0 } = part as { readonly '()': string; readonly index?: number };
  return { name, index };
}

/** With something else for each function; `member` names the member of a structure that holds it. */
export function mapFunctions<T>(
  contents: Plain,
  to: (fn: PlainFunction, member: string | undefined) => T,
  member?: string,
): Plain | T {
  const fn = asFunction(contents);
  if (fn) return to(fn, member);
  if (typeof contents !== 'object' || contents === null) return contents;
  if (Array.isArray(contents))
    return (contents as readonly Plain[]).map((part) => mapFunctions(part, to, member)) as unknown as Plain;
  return Object.fromEntries(
    Object.entries(contents).map(([name, part]) => [name, mapFunctions(part as Plain, to, name)]),
  ) as Plain;
}
