/**
 * Source text and places in it. A `Span` is the unit of every message: a half-open
 * range of UTF-16 offsets in one file, plus, for text that came out of a macro, the chain of
 * expansions that put it there (innermost first).
 */
export class SourceFile {
  private readonly lineStarts: number[] = [0];
  /** The `#include` that brought it in, the last one where there were several; undefined for the main file. */
  includedAt: Span | undefined;
  constructor(
    readonly path: string,
    readonly text: string,
  ) {
    for (let i = 0; i < text.length; i++) if (text[i] === '\n') this.lineStarts.push(i + 1);
  }

  /** 1-based line and column of an offset. */
  position(offset: number): { line: number; column: number } {
    let low = 0;
    let high = this.lineStarts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.lineStarts[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - this.lineStarts[low]! + 1 };
  }
}

export interface Span {
  readonly file: SourceFile;
  readonly start: number;
  readonly end: number;
  /** Uses of the macros that produced this text, innermost first; absent for plain text. */
  readonly expandedFrom?: readonly { readonly macro: string; readonly span: Span }[];
}

/** Path for prototypes of built-in functions, which stand in no file. */
export const builtInPath = '<built-in>';
export const isBuiltIn = ({ file }: Span): boolean => file.path === builtInPath;

export const encloses = (outer: Span, { file, start, end }: Span): boolean =>
  outer.file === file && outer.start <= start && end <= outer.end;

/** The smallest span that covers both ends; the first one's when they lie in different files. */
export function cover(from: Span, to: Span): Span {
  if (from.file !== to.file || to.end < from.start) return from;
  return { ...from, end: Math.max(from.end, to.end) };
}
