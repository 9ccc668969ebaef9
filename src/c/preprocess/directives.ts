/**
 * The lines that begin with `#` (C11 6.10): reads the files of one translation unit as one stream of tokens and
 * carries out directives as it meets them, so that they work within the arguments of a macro as well.
 * A false group is jumped over when its `#if` is met; nothing in it is looked at but nested conditionals.
 */
import { bundledText } from '../bundled';
import type { Diagnostic } from '../diagnostics/diagnostic';
import { cover, SourceFile, type Span } from '../source';
import type { Token } from '../tokens/token';
import { tokenize } from '../tokens/tokenize';
import type { DataModel } from '../types';
import { conditionOperators, evaluateCondition } from './condition';
import { Expander, type ExpansionContext, type MacroToken } from './expand';
import { BUNDLED, findHeader, similarHeader, systemMacros, type FoundHeader } from './headerSearch';
import { has } from './has';
import { HideSet } from './hideSet';
import { parseDefinition, sameDefinition, type Macro } from './macro';
import { nearest } from '../diagnostics/editDistance';
import type { PreprocessOptions } from './options';
import { Pragmas } from './pragma';
import { predefinedMacros } from './predefined';
import { isSystemHeader } from './systemHeaderNames';

const maxIncludeDepth = 200;

/** An open `#if`, from its line to its `#endif`. */
interface Conditional {
  readonly opening: Span;
  readonly name: string;
  /** One of its groups has been compiled, so the others are not. */
  taken: boolean;
  elseAt: Span | undefined;
}

/** A file being read. */
interface Frame {
  readonly path: string;
  readonly file: SourceFile;
  readonly tokens: readonly Token[];
  readonly includeIndex: number | undefined;
  /** The `#include`; undefined for the main file. */
  readonly includedAt: Span | undefined;
  readonly conditionals: Conditional[];
  at: number;
}

export class DirectiveReader {
  readonly context: ExpansionContext;
  readonly files: string[] = [];
  readonly pragmas = new Pragmas((d) => this.context.report(d));
  private readonly macros = new Map<string, Macro>();
  private readonly frames: Frame[] = [];
  private readonly tokenized = new Map<string, { file: SourceFile; tokens: Token[] }>();
  private readonly texts = new Map<string, string | undefined>();
  private readonly once = new Set<string>();
  private readonly pushedMacros = new Map<string, (Macro | undefined)[]>();
  /** Effect of `#line` on a file: the offset of its lines, and its name. */
  private readonly presumed = new Map<SourceFile, { offset: number; path: string }>();
  private counter = 0;
  private readonly end: Token;

  constructor(
    path: string,
    text: string,
    private readonly options: PreprocessOptions,
    report: (d: Diagnostic) => void,
    remainingTokens: number,
  ) {
    this.context = { macros: this.macros, emptyHideSet: HideSet.empty(), remainingTokens, report };
    for (const [name, macro] of predefinedOf(options.dataModel)) this.macros.set(name, macro);
    this.defineDynamic();
    if (options.systemHeaders) this.runDefinitions(new SourceFile('<system>', systemMacros(options.systemHeaders)));
    this.defineOptions();
    if (!path.startsWith(BUNDLED)) this.files.push(path);
    this.enter({ path, text, includeIndex: undefined }, undefined);
    const main = this.frames[0]!;
    this.end = main.tokens[main.tokens.length - 1]!;
  }

  /** The next token that is no part of a directive; `end`, of the main file, when there is none. */
  next(): MacroToken {
    for (;;) {
      const frame = this.frames[this.frames.length - 1];
      if (!frame) return this.end;
      const token = frame.tokens[frame.at]!;
      if (token.kind === 'end') this.leave(frame);
      else if (token.startsLine && token.text === '#' && token.kind === 'punctuator') this.directive(frame, token);
      else {
        frame.at++;
        return token;
      }
    }
  }

  // Files

  private enter(found: Pick<FoundHeader, 'path' | 'text' | 'includeIndex'>, includedAt: Span | undefined): void {
    let known = this.tokenized.get(found.path);
    if (!known) {
      const file = new SourceFile(found.path, found.text);
      known = { file, tokens: tokenize(file, (d) => this.context.report(d)) };
      this.tokenized.set(found.path, known);
    }
    known.file.includedAt = includedAt;
    this.presumed.delete(known.file);
    this.frames.push({
      path: found.path,
      ...known,
      includeIndex: found.includeIndex,
      includedAt,
      conditionals: [],
      at: 0,
    });
  }

  private leave(frame: Frame): void {
    for (const open of frame.conditionals) {
      this.error(`'#${open.name}' has no '#endif'`, open.opening, {
        notes: [{ message: 'the file ends here', span: frame.tokens[frame.at]!.span }],
      });
    }
    this.frames.pop();
  }

  private error(message: string, span: Span, more: Pick<Diagnostic, 'notes' | 'hint' | 'missingHeader'> = {}): void {
    this.context.report({ severity: 'error', message, span, ...more });
  }

  private warn(message: string, span: Span, more: Pick<Diagnostic, 'notes' | 'hint' | 'missingHeader'> = {}): void {
    this.context.report({ severity: 'warning', message, span, ...more });
  }

  private read(path: string): string | undefined {
    if (this.texts.has(path)) return this.texts.get(path);
    const text = bundledText(path) ?? this.options.readFile(path);
    this.texts.set(path, text);
    if (text !== undefined && !path.startsWith(BUNDLED) && !this.files.includes(path)) this.files.push(path);
    return text;
  }

  // Directives

  /** `frame.at` is at `hash`; afterwards it is behind the directive, and behind the groups it leaves out. */
  private directive(frame: Frame, hash: Token): void {
    const line = this.takeLine(frame);
    const name = line[0];
    if (!name) return;
    const rest = line.slice(1);
    const span = cover(hash.span, name.span);
    switch (name.text) {
      case 'define':
        return this.define(rest, span);
      case 'undef':
        return this.undefine(rest, span);
      case 'include':
      case 'include_next':
        return this.include(frame, name, rest, cover(span, line[line.length - 1]!.span));
      case 'if':
      case 'ifdef':
      case 'ifndef': {
        const taken = this.condition(name.text, rest, span);
        frame.conditionals.push({ opening: span, name: name.text, taken, elseAt: undefined });
        return taken ? undefined : this.skip(frame);
      }
      case 'elif':
      case 'elifdef':
      case 'elifndef':
      case 'else':
      case 'endif': {
        const open = this.branch(frame, name.text, span);
        return open && name.text !== 'endif' ? this.skip(frame) : undefined;
      }
      case 'line':
        return this.line(frame, rest, span);
      case 'error':
        return this.error(`#error ${prose(rest)}`.trim(), span);
      case 'warning':
        return this.warn(`#warning ${prose(rest)}`.trim(), span);
      case 'pragma':
        return this.pragma(frame, rest, span);
      case 'ident':
      case 'sccs':
        return;
      default:
        if (name.kind === 'number') return this.line(frame, line, span);
        return this.unknownDirective(name, span);
    }
  }

  /** The tokens between the `#` and the end of its line. */
  private takeLine(frame: Frame): Token[] {
    const from = ++frame.at;
    while (!frame.tokens[frame.at]!.startsLine && frame.tokens[frame.at]!.kind !== 'end') frame.at++;
    return frame.tokens.slice(from, frame.at);
  }

  private unknownDirective(name: Token, span: Span): void {
    const meant = nearest(name.text, [
      'define',
      'undef',
      'include',
      'if',
      'ifdef',
      'ifndef',
      'elif',
      'else',
      'endif',
      'error',
      'pragma',
      'warning',
      'line',
    ]);
    this.error(
      `unknown directive '#${name.text}'`,
      span,
      meant === undefined ? {} : { hint: `Did you mean '#${meant}'?` },
    );
  }

  private noMore(directive: string, rest: readonly Token[]): void {
    if (rest.length > 0)
      this.warn(`extra text after '#${directive}' is ignored`, cover(rest[0]!.span, rest[rest.length - 1]!.span));
  }

  // Conditionals

  private condition(name: string, rest: readonly Token[], span: Span): boolean {
    if (name === 'if' || name === 'elif') {
      const end: MacroToken = { kind: 'end', text: '', span, spaceBefore: false, startsLine: false };
      let at = 0;
      return evaluateCondition(new Expander(this.context, () => rest[at++] ?? end), span, {
        isDefined: (macro) => this.isDefined(macro),
        hasInclude: (operator, header, form) =>
          this.find(
            this.frames[this.frames.length - 1]!,
            header,
            form,
            operator === '__has_include_next' && this.frames.length > 1,
          ).path !== undefined,
        has,
        report: (d) => this.context.report(d),
      });
    }
    const macro = rest[0];
    if (macro?.kind !== 'identifier') {
      this.error(`'#${name}' needs the name of a macro`, macro ? macro.span : span);
      return false;
    }
    this.noMore(name, rest.slice(1));
    return this.isDefined(macro.text) === name.endsWith('ifdef');
  }

  private isDefined(name: string): boolean {
    return this.macros.has(name) || conditionOperators.has(name);
  }

  /** `#elif`, `#else`, `#endif`, when the group before it was compiled. False (and reported) when no `#if` is open. */
  private branch(frame: Frame, name: string, span: Span): boolean {
    const open = frame.conditionals[frame.conditionals.length - 1];
    if (!open) {
      this.error(`'#${name}' without '#if'`, span);
      return false;
    }
    this.checkOrder(open, name, span);
    if (name === 'endif') frame.conditionals.pop();
    else if (name === 'else') open.elseAt = span;
    return true;
  }

  private checkOrder(open: Conditional, name: string, span: Span): void {
    if (!open.elseAt || name === 'endif') return;
    this.error(`'#${name}' after '#else'`, span, {
      notes: [
        { message: "the '#else' is here", span: open.elseAt },
        { message: `it belongs to this '#${open.name}'`, span: open.opening },
      ],
    });
  }

  /** Jumps to behind the `#elif` or `#else` whose group is to be compiled, or behind the `#endif`. */
  private skip(frame: Frame): void {
    const open = frame.conditionals[frame.conditionals.length - 1]!;
    let nested = 0;
    for (;;) {
      const token = frame.tokens[frame.at]!;
      if (token.kind === 'end') return;
      if (!token.startsLine || token.text !== '#' || token.kind !== 'punctuator') {
        frame.at++;
        continue;
      }
      const line = this.takeLine(frame);
      const name = line[0];
      if (!name) continue;
      switch (name.text) {
        case 'if':
        case 'ifdef':
        case 'ifndef':
          nested++;
          break;
        case 'endif':
          if (nested-- === 0) {
            frame.conditionals.pop();
            return;
          }
          break;
        case 'else':
        case 'elif':
        case 'elifdef':
        case 'elifndef': {
          if (nested > 0) break;
          const span = cover(token.span, name.span);
          this.checkOrder(open, name.text, span);
          if (name.text === 'else') open.elseAt = span;
          if (open.taken) break;
          if (name.text === 'else' || this.condition(name.text, line.slice(1), span)) {
            open.taken = true;
            return;
          }
          break;
        }
      }
    }
  }

  // Macros

  private define(rest: readonly Token[], span: Span): void {
    const macro = parseDefinition(rest, span, (d) => this.context.report(d));
    if (!macro) return;
    const before = this.macros.get(macro.name);
    if (before && !sameDefinition(before, macro)) {
      const place = before.kind !== 'dynamic' && before.span.file.path !== PREDEFINED ? before.span : undefined;
      this.warn(`macro '${macro.name}' is defined again, differently`, macro.span, {
        notes: [place ? { message: 'it was defined here', span: place } : { message: 'it is predefined' }],
      });
    }
    this.macros.set(macro.name, macro);
  }

  private undefine(rest: readonly Token[], span: Span): void {
    const name = rest[0];
    if (name?.kind !== 'identifier') return this.error("'#undef' needs the name of a macro", name ? name.span : span);
    this.noMore('undef', rest.slice(1));
    this.macros.delete(name.text);
  }

  private defineDynamic(): void {
    const define = (name: string, value: (use: Token) => Pick<Token, 'kind' | 'text'>): void =>
      void this.macros.set(name, { kind: 'dynamic', name, value });
    define('__LINE__', ({ span }) => ({
      kind: 'number',
      text: String(span.file.position(span.start).line + (this.presumed.get(span.file)?.offset ?? 0)),
    }));
    define('__FILE__', ({ span }) => ({
      kind: 'string',
      text: JSON.stringify(this.presumed.get(span.file)?.path ?? span.file.path),
    }));
    define('__BASE_FILE__', () => ({ kind: 'string', text: JSON.stringify(this.end.span.file.path) }));
    define('__COUNTER__', () => ({ kind: 'number', text: String(this.counter++) }));
    define('__INCLUDE_LEVEL__', () => ({ kind: 'number', text: String(Math.max(0, this.frames.length - 1)) }));
  }

  private defineOptions(): void {
    const lines = Object.entries(this.options.define).map(
      ([name, value]) => `#define ${name} ${value === true ? 1 : String(value).replace(/\r?\n/g, ' ')}\n`,
    );
    this.runDefinitions(new SourceFile('<define>', lines.join('')));
  }

  /** A file that holds nothing but `#define` lines. */
  private runDefinitions(file: SourceFile): void {
    for (const { hash, line } of directiveLines(file, (d) => this.context.report(d)))
      this.define(line.slice(1), hash.span);
  }

  // Headers

  private include(frame: Frame, directive: Token, rest: readonly Token[], span: Span): void {
    const header = this.headerName(frame, directive.text, rest, span);
    if (!header) return;
    if (this.frames.length > maxIncludeDepth) {
      this.error(`headers are included more than ${maxIncludeDepth} deep`, span, {
        hint: `Give '${frame.path}' an include guard or '#pragma once'.`,
      });
      // Going on could take for ever: a file that includes itself twice has 2^200 inclusions.
      this.frames.length = 0;
      return;
    }
    // In the main file there is no place to go on from.
    const found = this.find(
      frame,
      header.name,
      header.form,
      directive.text === 'include_next' && this.frames.length > 1,
    );
    if (found.path === undefined) return this.missingHeader(header.name, found.tried, span);
    if (!this.once.has(found.path)) this.enter(found, span);
  }

  private find(frame: Frame, name: string, form: 'quoted' | 'angled', next: boolean): ReturnType<typeof findHeader> {
    return findHeader(
      name,
      form,
      frame.path,
      { include: this.options.include, systemHeaders: this.options.systemHeaders, read: (path) => this.read(path) },
      next ? (frame.includeIndex ?? -1) : undefined,
    );
  }

  private missingHeader(name: string, tried: readonly string[], span: Span): void {
    const isOfSystem = isSystemHeader(name);
    const similar = isOfSystem ? undefined : similarHeader(name, this.files);
    this.error(`cannot find the header '${name}'`, span, {
      ...(!isOfSystem && { missingHeader: name }),
      notes: [
        {
          message:
            tried.length === 0
              ? 'it is not bundled with provest, and there are no include paths'
              : `looked for ${tried.join(', ')}`,
        },
      ],
      hint:
        similar !== undefined
          ? `Did you mean '${similar}'?`
          : isOfSystem && !this.options.systemHeaders
            ? "It is a header of the system: that of the installed C compiler is read with 'systemHeaders' " +
              '(--system-headers).'
            : "Name its folder with the option 'include' (-I on the command line)" +
              (this.options.systemHeaders
                ? ''
                : "; a header of the system is found with 'systemHeaders' (--system-headers)") +
              '.',
    });
  }

  private headerName(
    frame: Frame,
    directive: string,
    rest: readonly Token[],
    span: Span,
  ): { name: string; form: 'quoted' | 'angled' } | undefined {
    let first = rest[0];
    if (first?.text === '<' && first.kind === 'punctuator') {
      // Between < and > stands text, not tokens: `<sys//a->b.h>`.
      const { text } = frame.file;
      const close = text.indexOf('>', first.span.end);
      const newline = text.indexOf('\n', first.span.end);
      if (close >= 0 && (newline < 0 || close < newline)) {
        this.noMore(
          directive,
          rest.filter((t) => t.span.start > close),
        );
        return this.nonEmpty(text.slice(first.span.end, close), 'angled', span);
      }
      this.error(`'#${directive} <' has no '>'`, span);
      return undefined;
    }
    let line: readonly Token[] = rest;
    if (first?.kind === 'identifier') {
      line = this.expandLine(rest, span);
      first = line[0];
    }
    if (first?.kind === 'string' && first.text.startsWith('"')) {
      this.noMore(directive, line.slice(1));
      return this.nonEmpty(first.text.slice(1, -1), 'quoted', span);
    }
    const close = first?.text === '<' ? line.findIndex((t) => t.text === '>') : -1;
    if (close > 0) {
      this.noMore(directive, line.slice(close + 1));
      return this.nonEmpty(
        line
          .slice(1, close)
          .map((t, i) => (i > 0 && t.spaceBefore ? ` ${t.text}` : t.text))
          .join(''),
        'angled',
        span,
      );
    }
    this.error(`'#${directive}' needs "file" or <file>`, span);
    return undefined;
  }

  private nonEmpty(
    name: string,
    form: 'quoted' | 'angled',
    span: Span,
  ): { name: string; form: 'quoted' | 'angled' } | undefined {
    if (name !== '') return { name, form };
    this.error('the name of the header is empty', span);
    return undefined;
  }

  private expandLine(line: readonly Token[], span: Span): Token[] {
    const end: MacroToken = { kind: 'end', text: '', span, spaceBefore: false, startsLine: false };
    let at = 0;
    const expander = new Expander(this.context, () => line[at++] ?? end);
    const out: Token[] = [];
    for (let token = expander.next(); token.kind !== 'end'; token = expander.next()) out.push(token);
    return out;
  }

  // The rest

  /** `#line 7 "a.c"`, and the line markers of compilers, `# 7 "a.c" 2`. It counts from the following line. */
  private line(frame: Frame, rest: readonly Token[], span: Span): void {
    const [number, name] = this.expandLine(rest, span);
    if (number?.kind !== 'number' || !/^[0-9]+$/.test(number.text))
      return this.error("'#line' needs a line number", number ? number.span : span);
    if (name && !(name.kind === 'string' && name.text.startsWith('"')))
      return this.error("the name of a file in '#line' must be a string", name.span);
    const path = name
      ? name.text.slice(1, -1).replace(/\\(.)/g, '$1')
      : (this.presumed.get(frame.file)?.path ?? frame.path);
    const physical = frame.file.position(span.end).line + 1;
    this.presumed.set(frame.file, { offset: Number(number.text) - physical, path });
  }

  private pragma(frame: Frame, rest: readonly Token[], span: Span): void {
    const [word, open, name, close] = rest;
    if (word?.text === 'once') {
      this.once.add(frame.path);
    } else if (
      (word?.text === 'push_macro' || word?.text === 'pop_macro') &&
      open?.text === '(' &&
      name?.kind === 'string' &&
      close?.text === ')'
    ) {
      this.savedMacro(word.text, name.text.slice(1, -1));
    } else {
      this.pragmas.obey(rest, span);
    }
  }

  private savedMacro(operation: 'push_macro' | 'pop_macro', name: string): void {
    const saved = this.pushedMacros.get(name) ?? [];
    this.pushedMacros.set(name, saved);
    if (operation === 'push_macro') {
      saved.push(this.macros.get(name));
    } else if (saved.length > 0) {
      const macro = saved.pop();
      if (macro) this.macros.set(name, macro);
      else this.macros.delete(name);
    }
  }
}

const PREDEFINED = '<predefined>';
const predefinedByModel = new Map<DataModel, ReadonlyMap<string, Macro>>();

function predefinedOf(model: DataModel): ReadonlyMap<string, Macro> {
  let macros = predefinedByModel.get(model);
  if (!macros) {
    const fail = (d: Diagnostic): never => {
      throw new Error(`predefined macros: ${d.message}`);
    };
    const parsed = directiveLines(new SourceFile(PREDEFINED, predefinedMacros(model)), fail).map(({ hash, line }) =>
      parseDefinition(line.slice(1), hash.span, fail)!,
    );
    predefinedByModel.set(model, (macros = new Map(parsed.map((macro) => [macro.name, macro]))));
  }
  return macros;
}

function directiveLines(file: SourceFile, report: (d: Diagnostic) => void): { hash: Token; line: Token[] }[] {
  const lines: { hash: Token; line: Token[] }[] = [];
  for (const token of tokenize(file, report)) {
    if (token.startsLine) lines.push({ hash: token, line: [] });
    else if (token.kind !== 'end') lines[lines.length - 1]!.line.push(token);
  }
  return lines.filter(({ hash }) => hash.kind !== 'end');
}

function prose(line: readonly Token[]): string {
  if (line.length === 0) return '';
  return line[0]!.span.file.text.slice(line[0]!.span.start, line[line.length - 1]!.span.end).replace(/\\\r?\n/g, '');
}
