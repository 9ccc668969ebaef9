/** Diagnostics in one line each: `line:from-to message [hint] {line:from note}`. */
import { CError, type Diagnostic } from '../../src/c/diagnostics/diagnostic';
import { readCText, type FrontEndOptions } from '../../src/c/read';
import type { Span } from '../../src/c/source';

function place(span: Span | undefined, range: boolean): string {
  if (!span) return '-';
  const { line, column } = span.file.position(span.start);
  return `${line}:${column}${range ? `-${column + Math.max(1, span.end - span.start) - 1}` : ''}`;
}

export function diagnosticText(d: Diagnostic): string {
  const hint = d.hint === undefined ? '' : ` [${d.hint}]`;
  const notes = (d.notes ?? []).map((note) => ` {${place(note.span, false)} ${note.message}}`).join('');
  return `${place(d.span, true)} ${d.message}${hint}${notes}`;
}

/** The errors of a text that must have some; its warnings when it has none. */
export function diagnosticsOf(text: string, options: FrontEndOptions = {}): string[] {
  try {
    return readCText(text, 'input.c', options).warnings.map((d) => `warning ${diagnosticText(d)}`);
  } catch (error) {
    if (error instanceof CError) return error.diagnostics.map(diagnosticText);
    throw error;
  }
}
