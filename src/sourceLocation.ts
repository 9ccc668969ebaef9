/** Places in C text, for output. */
import type { Span } from './c/source';
import type { SourceLocation } from './verdict';

/** 1-based; `functionName`: of the C function that contains it. */
export function sourceLocationOf(span: Span, functionName?: string): SourceLocation {
  const { line, column } = span.file.position(span.start);
  return { file: span.file.path, line, column, ...(functionName === undefined ? {} : { function: functionName }) };
}

export const isSameSourceLocation = (a: SourceLocation, b: SourceLocation): boolean =>
  a.file === b.file && a.line === b.line && a.column === b.column;
