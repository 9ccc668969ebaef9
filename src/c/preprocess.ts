/**
 * The C preprocessor: C11 translation phase 4 (6.10), from a file to the tokens of its translation unit,
 * synchronous and with no access to files but `options.readFile`.
 *
 * Where a token stands. `span` is always where somebody *wrote* something: for a token that comes out of
 * a macro it is the whole use, `MAX(a, b)`, in the file where it is written, and `expandedFrom` lists, innermost
 * first, each macro with the place of the token in its replacement list. A token of a macro's argument keeps
 * its own place within the use. So code frames show the user's line, and the notes show the macro's.
 *
 * All errors are reported, not only the first; after one the tokens are still fit to be parsed. Accepted beyond C11:
 * `#include_next`, `#warning`, `#elifdef`, `#ident`, line markers (`# 1 "a.c"`) of texts that were preprocessed before,
 * and what `preprocess/expand.ts` and `preprocess/predefined.ts` say. Pragmas are ignored but for `once`, `push_macro`,
 * `pop_macro`, `pack`, and those that change the layout of structures otherwise, which are errors.
 */
import { bundledText } from './bundled';
import type { Diagnostic } from './diagnostics/diagnostic';
import { SourceFile } from './source';
import type { Token } from './tokens/token';
import { DirectiveReader } from './preprocess/directives';
import { Expander, maxExpandedTokens, type MacroToken } from './preprocess/expand';
import type { PreprocessOptions } from './preprocess/options';
import { tokenize } from './tokens/tokenize';

export type { PreprocessOptions } from './preprocess/options';

export interface PreprocessResult {
  /** Ends with one `end` token. */
  readonly tokens: Token[];
  readonly diagnostics: Diagnostic[];
  /** Every file read, each once, for caching and for watching; without what is bundled. */
  readonly files: string[];
}

/** `path` is a file, or the path of a bundled unit (`<provest>/string/strlen.c`). */
export function preprocess(path: string, options: PreprocessOptions): PreprocessResult {
  const diagnostics: Diagnostic[] = [];
  const text = bundledText(path) ?? options.readFile(path);
  if (text === undefined) {
    const span = { file: new SourceFile(path, ''), start: 0, end: 0 };
    return {
      tokens: [{ kind: 'end', text: '', span, spaceBefore: false, startsLine: true }],
      diagnostics: [{ severity: 'error', message: `cannot read '${path}'` }],
      files: [],
    };
  }
  const reader = new DirectiveReader(path, text, options, (d) => diagnostics.push(d), maxExpandedTokens);
  const expander = new Expander(reader.context, () => reader.next());
  const report = (d: Diagnostic): void => reader.context.report(d);
  const tokens: Token[] = [];
  for (;;) {
    const token = expander.next();
    if (token.kind === 'other') tokens.push(...repair(token, report));
    else if (token.kind === 'identifier' && token.text === '_Pragma') pragmaOperator(token, expander, reader, report);
    else
      tokens.push(
        reader.pragmas.pack !== undefined && (token.text === 'struct' || token.text === 'union')
          ? { ...token, pack: reader.pragmas.pack }
          : token,
      );
    if (token.kind === 'end') return { tokens, diagnostics, files: reader.files };
  }
}

/** Reports text that is no C token; an unterminated literal counts as closed at the end of its line. */
function repair(token: MacroToken, report: (d: Diagnostic) => void): Token[] {
  const literal = /^(?:L|u8?|U)?(["'])/.exec(token.text);
  if (literal) {
    const character = literal[1] === "'";
    report({
      severity: 'error',
      message: `${character ? 'character' : 'string'} literal without a closing ${literal[1]!}`,
      span: token.span,
    });
    return [character ? { ...token, kind: 'number', text: '0' } : { ...token, kind: 'string', text: `""` }];
  }
  const code = token.text.codePointAt(0)!;
  const shown =
    code < 0x20 || code === 0x7f
      ? `the control character U+${code.toString(16).toUpperCase().padStart(4, '0')}`
      : `'${token.text}'`;
  report({ severity: 'error', message: `${shown} is not part of C`, span: token.span });
  return [];
}

/** `_Pragma("…")` (6.10.9): after `_Pragma`. */
function pragmaOperator(
  name: Token,
  expander: Expander,
  reader: DirectiveReader,
  report: (d: Diagnostic) => void,
): void {
  const open = expander.next();
  const text = open.text === '(' ? expander.next() : undefined;
  const close = text?.kind === 'string' ? expander.next() : undefined;
  if (close?.text !== ')') {
    report({ severity: 'error', message: "'_Pragma' needs one string in parentheses", span: name.span });
    for (const token of [close, text, open]) if (token?.kind === 'end') expander.unread(token);
    return;
  }
  const words = text!.text.replace(/^L?"|"$/g, '').replace(/\\(["\\])/g, '$1');
  reader.pragmas.obey(tokenize(new SourceFile('_Pragma', words), () => undefined).slice(0, -1), name.span);
}
