/**
 * C11 translation phases 1 to 3: text to preprocessing tokens (C11 5.1.1.2, 6.4).
 *
 * Idea: line splices are removed first, into a logical text with a map back to the file, so that the
 * scanner never meets one and yet every span holds offsets of the file as it is on disk. A text
 * without splices (nearly all) is scanned in place.
 *
 * Departures: trigraphs are not replaced (no C compiler does so by default). Universal character
 * names and UTF-8 letters may stand in identifiers, as may `$`. An unterminated character or string
 * literal becomes one `other` token that runs to the end of its line: inside a skipped group or a
 * `#error` line it is harmless (an apostrophe in prose), so the preprocessor complains when such a
 * token reaches the program, not here. Header names (`<a.h>`) are recognised by `#include`, not here.
 */
import type { Diagnostic } from '../diagnostics/diagnostic';
import { mayStandInIdentifier } from './identifierCharacters';
import type { SourceFile, Span } from '../source';
import type { Token, TokenKind } from './token';

/**
 * The tokens of `file`, closed by one `end` token. Reported here: comments that never end, and blanks between `\` and
 * the line's end.
 */
export function tokenize(file: SourceFile, report: (diagnostic: Diagnostic) => void): Token[] {
  return new Scanner(file, removeSplices(file, report), report).scan();
}

/** `offsets[i]` is where the character `i` of `text` stands in the file; undefined when nothing was removed. */
interface LogicalText {
  readonly text: string;
  readonly offsets: Uint32Array | undefined;
}

function removeSplices(file: SourceFile, report: (diagnostic: Diagnostic) => void): LogicalText {
  const text = file.text;
  const splice = /\\([ \t\f\v]*)\r?\n/g;
  let match = splice.exec(text);
  if (!match) return { text, offsets: undefined };
  const offsets = new Uint32Array(text.length + 1);
  const parts: string[] = [];
  let from = 0;
  let length = 0;
  const keep = (to: number): void => {
    parts.push(text.slice(from, to));
    for (let i = from; i < to; i++) offsets[length++] = i;
  };
  for (; match; match = splice.exec(text)) {
    if (match[1] !== '') {
      report({
        severity: 'warning',
        message: 'blanks between the backslash and the end of the line',
        span: { file, start: match.index, end: match.index + 1 },
        hint: 'The line is continued all the same; remove the blanks.',
      });
    }
    keep(match.index);
    from = match.index + match[0].length;
  }
  keep(text.length);
  offsets[length] = text.length;
  return { text: parts.join(''), offsets };
}

/** Longest first, so that the first that fits is the longest that fits (6.4p4). */
const punctuators = [
  '%:%:',
  '...',
  '<<=',
  '>>=',
  '->',
  '++',
  '--',
  '<<',
  '>>',
  '<=',
  '>=',
  '==',
  '!=',
  '&&',
  '||',
  '*=',
  '/=',
  '%=',
  '+=',
  '-=',
  '&=',
  '^=',
  '|=',
  '##',
  '<:',
  ':>',
  '<%',
  '%>',
  '%:',
  '[',
  ']',
  '(',
  ')',
  '{',
  '}',
  '.',
  '&',
  '*',
  '+',
  '-',
  '~',
  '!',
  '/',
  '%',
  '<',
  '>',
  '^',
  '|',
  '?',
  ':',
  ';',
  '=',
  ',',
  '#',
];
const digraphs: Readonly<Record<string, string>> = {
  '<:': '[',
  ':>': ']',
  '<%': '{',
  '%>': '}',
  '%:': '#',
  '%:%:': '##',
};

/** True if `written` is another spelling of punctuator `meaning`. */
export const isDigraphFor = (written: string, meaning: string): boolean => digraphs[written] === meaning;

const punctuatorsByFirst: (readonly string[] | undefined)[] = [];
for (const p of punctuators) punctuatorsByFirst[p.charCodeAt(0)] = punctuators.filter((q) => q[0] === p[0]);

const code = (character: string): number => character.charCodeAt(0);
const NEWLINE = code('\n');
const BACKSLASH = code('\\');
const QUOTE = code('"');
const APOSTROPHE = code("'");
const DOT = code('.');
const SLASH = code('/');
const STAR = code('*');

const isDigit = (c: number): boolean => c >= 48 && c <= 57;
const isBlank = (c: number): boolean => c === 32 || (c >= 9 && c <= 13 && c !== NEWLINE) || c === 0xfeff || c === 0xa0;
const isIdentifierStart = (c: number): boolean => (c >= 97 && c <= 122) || (c >= 65 && c <= 90) || c === 95 || c === 36;
const isIdentifierPart = (c: number): boolean => isIdentifierStart(c) || isDigit(c);

/** An identifier is the same one whether a letter is written as it is or as a universal character name. */
function withCharacters(identifier: string): string {
  if (!identifier.includes('\\')) return identifier;
  return identifier.replace(/\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8}))/g, (name, short?: string, long?: string) => {
    const point = parseInt((short ?? long)!, 16);
    return point === 0x24 || mayStandInIdentifier(point) ? String.fromCodePoint(point) : name;
  });
}

class Scanner {
  private readonly text: string;
  private at = 0;
  private spaceBefore = false;
  private startsLine = true;
  private readonly tokens: Token[] = [];

  constructor(
    private readonly file: SourceFile,
    private readonly logical: LogicalText,
    private readonly report: (diagnostic: Diagnostic) => void,
  ) {
    this.text = logical.text;
  }

  scan(): Token[] {
    for (;;) {
      this.skipBlanks();
      if (this.at >= this.text.length) break;
      this.scanToken();
    }
    this.push('end', this.at, '');
    return this.tokens;
  }

  private skipBlanks(): void {
    const { text } = this;
    while (this.at < text.length) {
      const c = text.charCodeAt(this.at);
      if (c === NEWLINE) {
        this.startsLine = true;
        this.at++;
      } else if (isBlank(c)) {
        this.at++;
      } else if (c === SLASH && text.charCodeAt(this.at + 1) === SLASH) {
        const end = text.indexOf('\n', this.at);
        this.at = end < 0 ? text.length : end;
      } else if (c === SLASH && text.charCodeAt(this.at + 1) === STAR) {
        const end = text.indexOf('*/', this.at + 2);
        if (end < 0)
          this.report({
            severity: 'error',
            message: 'comment without an end',
            span: this.span(this.at, this.at + 2),
            hint: "Close it with '*/'.",
          });
        this.at = end < 0 ? text.length : end + 2;
      } else {
        return;
      }
      this.spaceBefore = true;
    }
  }

  private scanToken(): void {
    const { text } = this;
    const start = this.at;
    const c = text.charCodeAt(start);
    if (isIdentifierStart(c) || this.letter(start) > 0) {
      this.scanIdentifier();
      const prefix = this.at - start <= 2 ? text.slice(start, this.at) : '';
      const next = text.charCodeAt(this.at);
      if (prefix === 'L' || prefix === 'u' || prefix === 'U' || (prefix === 'u8' && next === QUOTE)) {
        if (next === QUOTE || next === APOSTROPHE) return this.scanLiteral(start, next);
      }
      return this.push('identifier', start, withCharacters(text.slice(start, this.at)));
    }
    if (isDigit(c) || (c === DOT && isDigit(text.charCodeAt(start + 1)))) return this.scanNumber();
    if (c === QUOTE || c === APOSTROPHE) return this.scanLiteral(start, c);
    for (const p of punctuatorsByFirst[c] ?? []) {
      if (!text.startsWith(p, start)) continue;
      this.at += p.length;
      return this.push('punctuator', start, digraphs[p] ?? p);
    }
    this.at += (text.codePointAt(start) ?? 0) > 0xffff ? 2 : 1;
    this.push('other', start);
  }

  private scanIdentifier(): void {
    for (;;) {
      if (isIdentifierPart(this.text.charCodeAt(this.at))) this.at++;
      else {
        const length = this.letter(this.at);
        if (length === 0) return;
        this.at += length;
      }
    }
  }

  /** The length of a letter beyond ASCII at `at`, as itself or as a universal character name; 0 when there is none. */
  private letter(at: number): number {
    if (this.text.charCodeAt(at) < 0x80) return this.universalName(at);
    const point = this.text.codePointAt(at);
    if (point === undefined || !mayStandInIdentifier(point)) return 0;
    return point > 0xffff ? 2 : 1;
  }

  /** The length of a universal character name (`\u00e9`, `\U000000e9`) at `at`; 0 when there is none. */
  private universalName(at: number): number {
    if (this.text.charCodeAt(at) !== BACKSLASH) return 0;
    const digits = { u: 4, U: 8 }[this.text[at + 1] ?? ''];
    if (digits === undefined) return 0;
    return /^[0-9a-fA-F]+$/.test(this.text.slice(at + 2, at + 2 + digits)) && at + 2 + digits <= this.text.length
      ? digits + 2
      : 0;
  }

  /** A preprocessing number (6.4.8): wider than C's constants, `0x1.8p-3` and `1..2` alike. */
  private scanNumber(): void {
    const start = this.at++;
    for (;;) {
      const c = this.text.charCodeAt(this.at);
      if ((c === 43 || c === 45) && 'eEpP'.includes(this.text[this.at - 1]!)) this.at++;
      else if (c === DOT || isIdentifierPart(c)) this.at++;
      else return this.push('number', start);
    }
  }

  /** `this.at` is at the opening quote, which has the code `quote`. */
  private scanLiteral(start: number, quote: number): void {
    const { text } = this;
    for (this.at++; this.at < text.length; this.at++) {
      const c = text.charCodeAt(this.at);
      if (c === quote) {
        this.at++;
        return this.push(quote === QUOTE ? 'string' : 'character', start);
      }
      if (c === NEWLINE) break;
      if (c === BACKSLASH && this.at + 1 < text.length && text.charCodeAt(this.at + 1) !== NEWLINE) this.at++;
    }
    if (text[this.at - 1] === '\r') this.at--;
    this.push('other', start);
  }

  private push(kind: TokenKind, start: number, text = this.text.slice(start, this.at)): void {
    this.tokens.push({
      kind,
      text,
      span: this.span(start, this.at),
      spaceBefore: this.spaceBefore,
      startsLine: this.startsLine,
    });
    this.spaceBefore = false;
    this.startsLine = false;
  }

  private span(start: number, end: number): Span {
    const { offsets } = this.logical;
    if (!offsets) return { file: this.file, start, end };
    return { file: this.file, start: offsets[start]!, end: end > start ? offsets[end - 1]! + 1 : offsets[start]! };
  }
}
