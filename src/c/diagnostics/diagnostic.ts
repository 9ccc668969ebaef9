/**
 * Diagnostics for C text that cannot be accepted: values with a place, never bare strings. `CError` carries all
 * diagnostics of one file (or link) so that several errors show at once.
 */
import { codeFrameColumns } from '@babel/code-frame';
import type { SourceFile, Span } from '../source';

export interface Diagnostic {
  readonly severity: 'error' | 'warning';
  readonly message: string;
  readonly span?: Span;
  /** Further places that explain the first: the previous definition, the macro, the opening brace. */
  readonly notes?: readonly { readonly message: string; readonly span?: Span }[];
  /** One sentence that says what to do, where there is something to do. */
  readonly hint?: string;
  /** The header that was not found, if it is not one of the system. */
  readonly missingHeader?: string;
  /** Fact that a proof assumes here, and lists. */
  readonly assumption?: string;
}

export class CError extends Error {
  constructor(readonly diagnostics: readonly Diagnostic[]) {
    super(diagnostics.map((d) => formatDiagnostic(d)).join('\n\n'));
    this.name = 'CError';
  }
}

/** `path:line:column: error: message` followed by a code frame, notes and the hint. */
export function formatDiagnostic(diagnostic: Diagnostic): string {
  const lines = [withLocation(diagnostic.span, `${diagnostic.severity}: ${diagnostic.message}`)];
  if (diagnostic.span) lines.push(codeFrame(diagnostic.span));
  for (const expansion of diagnostic.span?.expandedFrom ?? []) {
    lines.push(
      withLocation(expansion.span, `note: in expansion of macro '${expansion.macro}'`),
      codeFrame(expansion.span),
    );
  }
  const files = new Set<SourceFile>();
  for (let file = diagnostic.span?.file; file?.includedAt && !files.has(file); file = file.includedAt.file) {
    files.add(file);
    lines.push(withLocation(file.includedAt, `note: '${file.path}' is included here`), codeFrame(file.includedAt));
  }
  for (const note of diagnostic.notes ?? []) {
    lines.push(withLocation(note.span, `note: ${note.message}`));
    if (note.span) lines.push(codeFrame(note.span));
  }
  if (diagnostic.hint) lines.push(`hint: ${diagnostic.hint}`);
  return lines.join('\n');
}

interface LineColumn {
  readonly line: number;
  readonly column: number;
}

/** Columns shown of a long line. */
const shownColumns = 160;

/** The lines around a span with a caret range below it, of long lines a part; no colour codes. */
export function codeFrame(span: Span, message?: string): string {
  const start = span.file.position(span.start);
  const { line, column } = span.file.position(Math.max(span.start + 1, span.end));
  // At the end of a line the caret stands behind its last character.
  const end = span.end <= span.start + 1 ? { line: start.line, column: start.column + 1 } : { line, column };
  const shown = clip(span.file.text, start, end.line > start.line + 4 ? start : end);
  return codeFrameColumns(
    shown.text,
    { start: shown.start, end: shown.end },
    {
      linesAbove: 1,
      linesBelow: 1,
      ...(message === undefined ? {} : { message }),
    },
  );
}

/** Minified or generated C has lines that would fill the screen. */
function clip(
  text: string,
  start: LineColumn,
  end: LineColumn,
): { readonly text: string; readonly start: LineColumn; readonly end: LineColumn } {
  const lines = text.split('\n');
  const [first, last] = [Math.max(0, start.line - 2), Math.min(lines.length, end.line + 1)];
  if (lines.slice(first, last).every(({ length }) => length <= shownColumns)) return { text, start, end };
  const from = Math.max(0, start.column - shownColumns / 2);
  for (let i = first; i < last; i++) {
    const line = lines[i]!;
    const part = line.slice(from, from + shownColumns);
    lines[i] = `${from > 0 && part !== '' ? '…' : ''}${part}${line.length > from + shownColumns ? '…' : ''}`;
  }
  const moved = ({ line, column }: LineColumn): LineColumn => ({
    line,
    column: Math.max(1, Math.min(shownColumns + 2, column - from + (from > 0 ? 1 : 0))),
  });
  return { text: lines.join('\n'), start: moved(start), end: moved(end) };
}

export function withLocation(span: Span | undefined, message: string): string {
  if (!span) return message;
  const { line, column } = span.file.position(span.start);
  return `${span.file.path}:${line}:${column}: ${message}`;
}
