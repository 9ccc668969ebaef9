/** Errors and warnings in C text as one types, and where its functions are: the front end alone, which is quick. */
import { dirname, resolve } from 'node:path';
import { CError, readC, type Diagnostic, type Span } from '../c';
import type { FlagsOfFile } from '../compileCommands';

/** Half-open; lines and characters count from 0, as in the protocol. */
export interface TextRange {
  readonly start: { readonly line: number; readonly character: number };
  readonly end: { readonly line: number; readonly character: number };
}

export interface TextMessage {
  readonly severity: 'error' | 'warning';
  readonly message: string;
  readonly range: TextRange;
  readonly related: readonly { readonly file: string; readonly range: TextRange; readonly message: string }[];
}

export interface DefinedFunction {
  readonly name: string;
  /** From 1, of its name. */
  readonly line: number;
}

export interface ReadText {
  readonly messages: readonly TextMessage[];
  /** Undefined after an error. */
  readonly functions: readonly DefinedFunction[] | undefined;
  /** Every file that was read, absolute; undefined after an error. */
  readonly files: readonly string[] | undefined;
}

/** `textOf`: a file as the editor has it, saved or not. */
export function readText(
  file: string,
  textOf: (file: string) => string | undefined,
  { include, define }: FlagsOfFile,
): ReadText {
  const options = {
    idioms: true,
    include,
    define,
    readFile: (path: string) => textOf(resolve(dirname(file), path)),
  };
  try {
    const { units, files, warnings } = readC([file], options);
    const functions = units
      .flatMap((unit) => unit.functions)
      .filter(({ body, span }) => body !== undefined && span.file.path === file)
      .map(({ name, span }) => ({ name, line: span.file.position(span.start).line }));
    return {
      messages: warnings.map((warning) => messageOf(warning, file)),
      functions,
      files: files.map((path) => resolve(dirname(file), path)),
    };
  } catch (error) {
    if (!(error instanceof CError)) throw error;
    return { messages: error.diagnostics.map((one) => messageOf(one, file)), functions: undefined, files: undefined };
  }
}

function messageOf({ severity, message, span, hint, notes = [] }: Diagnostic, file: string): TextMessage {
  const here = span && placeIn(span, file);
  // An error in a header is shown where the header is included.
  const elsewhere = span && here !== span && span.file.path !== file ? `${span.file.path}:${position(span)}: ` : '';
  return {
    severity,
    message: `${elsewhere}${message}${hint === undefined ? '' : `\n${hint}`}`,
    range: here ? rangeOf(here) : firstLine,
    related: notes.flatMap(({ message: text, span: at }) =>
      at ? [{ file: at.file.path, range: rangeOf(at), message: text }] : [],
    ),
  };
}

const firstLine: TextRange = { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } };

/** A place in the file that has to do with the span: itself, the use of a macro, or the `#include`. */
function placeIn(span: Span, file: string): Span | undefined {
  if (span.file.path === file) return span;
  const use = (span.expandedFrom ?? []).map((expansion) => expansion.span).find((one) => one.file.path === file);
  if (use) return use;
  const seen = new Set<string>();
  for (let at = span.file.includedAt; at && !seen.has(at.file.path); at = at.file.includedAt) {
    if (at.file.path === file) return at;
    seen.add(at.file.path);
  }
  return undefined;
}

function position(span: Span): string {
  const { line, column } = span.file.position(span.start);
  return `${line}:${column}`;
}

function rangeOf(span: Span): TextRange {
  const start = span.file.position(span.start);
  const end = span.file.position(Math.max(span.end, span.start + 1));
  return {
    start: { line: start.line - 1, character: start.column - 1 },
    end: { line: end.line - 1, character: end.column - 1 },
  };
}
