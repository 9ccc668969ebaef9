/** First version: tokenizes and follows includes; the macro processor comes next. */
import { dirname, join } from 'node:path';
import type { Diagnostic } from './diagnostic';
import { SourceFile } from './source';
import type { Token } from './token';
import { tokenize } from './tokenize';
import type { DataModel } from './types';

export interface PreprocessOptions {
  readonly include: readonly string[];
  readonly define: Readonly<Record<string, string | number | true>>;
  readonly dataModel: DataModel;
  readFile(path: string): string | undefined;
}
export interface PreprocessResult {
  /** Ends with one `end` token. */
  readonly tokens: Token[];
  readonly diagnostics: Diagnostic[];
  /** Every file read, for caching and for watching. */
  readonly files: string[];
}

export function preprocess(path: string, options: PreprocessOptions): PreprocessResult {
  const diagnostics: Diagnostic[] = [];
  const files: string[] = [];
  const macros = new Map<string, Token[]>();
  const read = (name: string): Token[] => {
    const text = options.readFile(name);
    if (text === undefined) {
      diagnostics.push({ severity: 'error', message: `cannot read '${name}'` });
      return [];
    }
    files.push(name);
    return tokenize(new SourceFile(name, text), (d) => diagnostics.push(d));
  };
  const run = (tokens: Token[], out: Token[]): void => {
    for (let i = 0; i < tokens.length; i++) {
      const t = tokens[i]!;
      if (t.kind === 'end') continue;
      if (t.text === '#' && t.startsLine) {
        let end = i + 1;
        while (tokens[end]!.kind !== 'end' && !tokens[end]!.startsLine) end++;
        const line = tokens.slice(i + 1, end);
        if (line[0]?.text === 'include' && line[1]?.kind === 'string') run(read(join(dirname(t.span.file.path), line[1].text.slice(1, -1))), out);
        else if (line[0]?.text === 'define') macros.set(line[1]!.text, line.slice(2));
        i = end - 1;
        continue;
      }
      const body = t.kind === 'identifier' ? macros.get(t.text) : undefined;
      if (body) out.push(...body.map((b) => ({ ...b, span: t.span, spaceBefore: true, startsLine: false })));
      else out.push(t);
    }
  };
  const main = read(path);
  const tokens: Token[] = [];
  run(main, tokens);
  const last = main[main.length - 1] ?? { kind: 'end' as const, text: '', span: { file: new SourceFile(path, ''), start: 0, end: 0 }, spaceBefore: false, startsLine: true };
  tokens.push(last);
  return { tokens, diagnostics, files };
}
