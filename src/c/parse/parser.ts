/**
 * The parser's state: a cursor over the tokens, the scoped table that says which names are types (the one thing C's
 * grammar needs to know about meaning), and the wording of "expected …" messages.
 */
import { type DiagnosticLog } from '../diagnostics/diagnosticLog';
import type { Span } from '../source';
import { spanning } from '../tokens/spanning';
import type { Token } from '../tokens/token';
import type { Standard } from '../types';

/**
 * Expressions and statements may nest this deep; beyond that the text is machine-made nonsense and would exhaust the
 * stack.
 */
const maximumDepth = 400;

export class Parser {
  private index = 0;
  private depth = 0;
  private isRecovered = false;
  /**
   * The first `{` of the function whose `}` stands in another column than its line: where a brace is missing, likely
   * here.
   */
  unevenBrace: Token | undefined;
  /** A part of the text was skipped. */
  hasSkipped = false;
  /** Innermost last; true means a type name. */
  private readonly scopes: Map<string, boolean>[] = [new Map([['__builtin_va_list', true]])];
  token: Token;

  constructor(
    private readonly tokens: readonly Token[],
    readonly log: DiagnosticLog,
    readonly standard: Standard,
  ) {
    this.token = tokens[0]!;
  }

  // --- the cursor

  peek(ahead = 1): Token {
    if (ahead === 0) return this.token;
    return this.tokens[Math.min(this.index + ahead, this.tokens.length - 1)]!;
  }

  /** The token before the current one; the first one at the very start. */
  get previous(): Token {
    return this.tokens[Math.max(0, this.index - 1)]!;
  }

  next(): Token {
    const token = this.token;
    if (token.kind !== 'end') this.token = this.tokens[++this.index]!;
    return token;
  }

  /** The current token, read as this word. */
  replace(text: string): void {
    this.token = { ...this.token, text };
  }

  /** A token that was forgotten before the current one. */
  insert(text: string): void {
    this.token = { kind: 'punctuator', text, span: this.afterPrevious(), spaceBefore: false, startsLine: false };
    this.index--;
  }

  get position(): number {
    return this.index;
  }

  get atEnd(): boolean {
    return this.token.kind === 'end';
  }

  /** Punctuator or keyword; literals never match. */
  at(text: string): boolean {
    return this.token.text === text && (this.token.kind === 'punctuator' || this.token.kind === 'identifier');
  }

  accept(text: string): Token | undefined {
    return this.at(text) ? this.next() : undefined;
  }

  /** `where` completes "expected ';' …": "after return statement". */
  expect(text: string, where: string): Token {
    if (this.at(text)) return this.next();
    return this.log.fail(`expected '${text}' ${where}${this.describeNext()}`, this.expectedHere());
  }

  /**
   * The bracket that answers `opening`; a note shows the opening one when it is missing. `list`: a comma might stand
   * here as well.
   */
  expectClosing(text: ')' | ']' | '}', opening: Token, list?: 'list'): Token {
    if (this.at(text)) return this.next();
    const comma = list && this.token.kind !== 'punctuator' && !this.atEnd && !isKeyword(this.token.text);
    return this.log.fail(`expected ${comma ? "',' or " : ''}'${text}'${this.describeNext()}`, this.expectedHere(), {
      notes: [{ message: `to match this '${opening.text}'`, span: opening.span }],
    });
  }

  /** A forgotten `;` before a new line is reported and read as if it were there. */
  expectSemicolon(where: string): Token {
    if (this.at(';')) return this.next();
    if ((this.at(')') || this.at(']')) && this.peek().text === ';') {
      this.log.error(`extra '${this.token.text}'`, this.token.span);
      this.next();
      return this.next();
    }
    this.log.error(`expected ';' ${where}`, this.afterPrevious());
    if (this.token.startsLine || this.at('}') || this.atEnd) return this.previous;
    return this.log.abandon();
  }

  expectIdentifier(what: string): Token {
    if (this.token.kind === 'identifier' && !isKeyword(this.token.text)) return this.next();
    const found = this.token.kind === 'identifier' ? `: '${this.token.text}' is a keyword` : this.describeNext();
    return this.log.fail(`expected ${what}${found}`, this.token.span);
  }

  private describeNext(): string {
    if (this.atEnd) return ' before the end of the file';
    return ` before '${this.token.text.length > 40 ? `${this.token.text.slice(0, 37)}...` : this.token.text}'`;
  }

  /**
   * Missing text is shown at the token that stands in its place, or at the end of the line when that is on another
   * line.
   */
  private expectedHere(): Span {
    return this.token.startsLine || this.atEnd ? this.afterPrevious() : this.token.span;
  }

  afterPrevious(): Span {
    const before = this.previous.span;
    if (before.file !== this.token.span.file || this.index === 0) return this.token.span;
    return { file: before.file, start: before.end, end: before.end + 1 };
  }

  spanFrom(start: Span): Span {
    return spanning(start, this.previous.span);
  }

  nest<T>(read: () => T): T {
    if (++this.depth > maximumDepth) {
      this.depth--;
      this.log.fail(`nested more than ${maximumDepth} levels deep`, this.token.span);
    }
    try {
      return read();
    } finally {
      this.depth--;
    }
  }

  // --- recovery

  /**
   * To behind the `;` or `}` that ends the construct which began at token `from`, or before the `}` that closes what is
   * around it. A `;` inside parentheses (the head of a `for`) ends it only at the end of a line.
   */
  skipStatement(from = this.index): void {
    this.hasSkipped = true;
    if (this.isRecovered) {
      this.isRecovered = false;
      return;
    }
    if (this.atEnd) return;
    let parentheses = 0;
    let braces = 0;
    for (let i = from; i < this.index; i++) {
      const { text, kind } = this.tokens[i]!;
      if (kind !== 'punctuator') continue;
      parentheses = Math.max(0, parentheses + (text === '(' ? 1 : text === ')' ? -1 : 0));
      braces = Math.max(0, braces + (text === '{' ? 1 : text === '}' ? -1 : 0));
    }
    for (; !this.atEnd; this.next()) {
      if (this.token.kind !== 'punctuator') continue;
      switch (this.token.text) {
        case '(':
          parentheses++;
          break;
        case ')':
          parentheses--;
          break;
        case '{':
          braces++;
          break;
        case '}':
          if (braces === 0) return;
          if (--braces === 0) {
            if (
              this.peek().text === 'else' ||
              this.peek().text === ',' ||
              this.peek().text === ';' ||
              this.peek().text === ')'
            )
              break;
            this.next();
            return;
          }
          break;
        case ';':
          if (braces === 0 && (parentheses <= 0 || this.peek().startsLine)) {
            this.next();
            return;
          }
          break;
      }
    }
  }

  /** The parser of the abandoned construct has already skipped it. */
  markRecovered(): void {
    this.isRecovered = true;
  }

  // --- names

  openScope(): void {
    this.scopes.push(new Map());
  }

  closeScope(): void {
    this.scopes.pop();
  }

  /** After an error: back to as many scopes as there were. */
  restoreScopes(count: number): void {
    this.scopes.length = count;
  }

  get scopeCount(): number {
    return this.scopes.length;
  }

  declare(name: string | undefined, meaning: 'type' | 'ordinary'): void {
    if (name !== undefined) this.scopes[this.scopes.length - 1]!.set(name, meaning === 'type');
  }

  isTypeName(name: string): boolean {
    for (let i = this.scopes.length - 1; i >= 0; i--) {
      const isType = this.scopes[i]!.get(name);
      if (isType !== undefined) return isType;
    }
    return false;
  }

  *typeNames(): Iterable<string> {
    for (const scope of this.scopes) for (const [name, isType] of scope) if (isType) yield name;
  }

  isDeclared(name: string): boolean {
    return this.scopes.some((scope) => scope.has(name));
  }
}

const keywords = new Set([
  'auto',
  'break',
  'case',
  'char',
  'const',
  'continue',
  'default',
  'do',
  'double',
  'else',
  'enum',
  'extern',
  'float',
  'for',
  'goto',
  'if',
  'inline',
  'int',
  'long',
  'register',
  'restrict',
  'return',
  'short',
  'signed',
  'sizeof',
  'static',
  'struct',
  'switch',
  'typedef',
  'union',
  'unsigned',
  'void',
  'volatile',
  'while',
  '_Alignas',
  '_Alignof',
  '_Atomic',
  '_Bool',
  '_Complex',
  '_Generic',
  '_Imaginary',
  '_Noreturn',
  '_Static_assert',
  '_Thread_local',
  '__inline',
  '__inline__',
  '__const',
  '__const__',
  '__volatile',
  '__volatile__',
  '__restrict',
  '__restrict__',
  '__signed',
  '__signed__',
  '__attribute',
  '__attribute__',
  '__extension__',
  '__alignof',
  '__alignof__',
  'typeof',
  '__typeof',
  '__typeof__',
  'asm',
  '__asm',
  '__asm__',
  '__auto_type',
  '__thread',
  '__int128',
  '__label__',
  '__complex__',
  '__complex',
  '__real__',
  '__imag__',
  '__real',
  '__imag',
  '__builtin_va_arg',
  '__builtin_offsetof',
  '__builtin_types_compatible_p',
]);

export function isKeyword(text: string): boolean {
  return keywords.has(text);
}
