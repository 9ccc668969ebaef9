/**
 * The span of a construct from the spans of its first and last token. A token that came out of a macro stands where the
 * macro is used (see `preprocess`), so ends in one file can always be joined; which macro it came from is kept only
 * while the construct lies within that one use.
 */
import type { Span } from '../source';

export function spanning(from: Span, to: Span): Span {
  if (from === to || from.file !== to.file) return from;
  const start = Math.min(from.start, to.start);
  const end = Math.max(from.end, to.end);
  if (from.expandedFrom && from.start === start && from.end === end) return from;
  if (to.expandedFrom && to.start === start && to.end === end) return to;
  return { file: from.file, start, end };
}
