/** Places in C text, for output. */
import type { Span } from './c/source';
import type { Place } from './verdict';

/** 1-based; `functionName`: of the C function that contains it. */
export function placeOf(span: Span, functionName?: string): Place {
  const { line, column } = span.file.position(span.start);
  return { file: span.file.path, line, column, ...(functionName === undefined ? {} : { function: functionName }) };
}

export const isSamePlace = (a: Place, b: Place): boolean =>
  a.file === b.file && a.line === b.line && a.column === b.column;
