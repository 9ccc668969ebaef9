/**
 * Slips of the pen that would make nonsense of all that follows: a keyword typed wrong, a `;` forgotten behind a
 * structure, a `}` forgotten at a function's end. Each is reported once and then read as what was meant, so that one
 * slip gives one message. Nothing here touches a text that can be read as it stands.
 */
import { nearest } from '../diagnostics/editDistance';
import { headerOfType } from '../libraryNames';
import type { Span } from '../source';
import type { Token } from '../tokens/token';
import { isKeyword, type Parser } from './parser';

const withCondition = ['if', 'while', 'for', 'switch'];
const withOperand = ['return', 'goto', 'case'];
const alone = ['break', 'continue', 'return'];

/**
 * At the start of a statement: puts the keyword in place of a word that is near to one and cannot begin anything else
 * here.
 */
export function repairStatement(p: Parser): void {
  const { token } = p;
  if (token.kind !== 'identifier' || isKeyword(token.text) || p.isDeclared(token.text)) return;
  const next = p.peek();
  const afterStatement = p.previous.text === '}' || p.previous.text === ';';
  if (afterStatement && /^(else?_?if|elsif|elif)$/i.test(token.text) && next.text === '(') {
    p.log.error(`unknown word '${token.text}'`, token.span, { hint: "Write 'else if'." });
    return p.replace('if');
  }
  const candidates =
    next.text === '('
      ? endsHead(p)
        ? withCondition
        : []
      : next.text === ';'
        ? alone
        : next.text === '{'
          ? ['do', ...(afterStatement ? ['else'] : [])]
          : next.kind === 'identifier' || next.kind === 'number' || next.kind === 'string' || next.kind === 'character'
            ? [...withOperand, ...(afterStatement ? ['else'] : [])]
            : [];
  const meant = nearest(token.text, candidates);
  if (meant === undefined || (next.kind === 'identifier' && isDeclaration(p, meant))) return;
  repair(p, meant);
}

/** After the first branch of an `if`. */
export function repairElse(p: Parser): void {
  const { token } = p;
  if (token.kind !== 'identifier' || isKeyword(token.text) || p.isDeclared(token.text)) return;
  const next = p.peek();
  const begins = next.text === '{' || (next.kind === 'identifier' && (isKeyword(next.text) || p.isDeclared(next.text)));
  if (begins && nearest(token.text, ['else']) !== undefined) repair(p, 'else');
}

/** A word stands where a type must: the type or keyword that it is near to, if any, is put in its place. */
export function repairType(p: Parser, keywords: Iterable<string>): boolean {
  const { token } = p;
  if (headerOfType(token.text) !== undefined) return false;
  const meant = nearest(token.text, [...p.typeNames(), ...keywords]);
  if (meant === undefined) return false;
  p.log.error(`unknown type name '${token.text}'`, token.span, { hint: `Did you mean '${meant}'?` });
  p.replace(meant);
  return true;
}

function repair(p: Parser, meant: string): void {
  p.log.error(`unknown word '${p.token.text}'`, p.token.span, { hint: `Did you mean '${meant}'?` });
  p.replace(meant);
}

/**
 * `lenght x = 3;` declares something of an unknown type rather than returning it: what is returned is known, or
 * followed by the end.
 */
function isDeclaration(p: Parser, meant: string): boolean {
  const after = p.peek(2);
  return (
    meant !== 'else' && !p.isDeclared(p.peek().text) && ['=', ',', '[', ';'].includes(after.text) && meant !== 'goto'
  );
}

/** `word (…)` is followed by what can only be the body of a statement. */
function endsHead(p: Parser): boolean {
  let depth = 0;
  for (let ahead = 1; ; ahead++) {
    const { text, kind } = p.peek(ahead);
    if (kind === 'end') return false;
    if (kind !== 'punctuator') continue;
    if (text === '(') depth++;
    else if (text === ')' && --depth === 0) {
      const body = p.peek(ahead + 1);
      return body.text === '{' || body.kind === 'identifier' || body.kind === 'number' || body.kind === 'string';
    }
  }
}

/** Behind the `}` of a structure or enumeration, when the next line begins another declaration. */
export function repairSemicolon(
  p: Parser,
  what: string,
  beginsDeclaration: (token: Token, next: Token) => boolean,
): void {
  const { token } = p;
  if (!token.startsLine || token.kind !== 'identifier' || !beginsDeclaration(token, p.peek())) return;
  p.log.error(`expected ';' after the members of ${what}`, p.afterPrevious());
  p.insert(';');
}

/**
 * Inserts a forgotten `}` for each open block. A line in a block shows that one is missing if it begins at the margin
 * and can only be the head of a function with its body.
 */
export function repairBrace(p: Parser, opening: Token): void {
  const { token } = p;
  if (!token.startsLine || token.kind !== 'identifier' || token.span.expandedFrom || columnOf(token.span) !== 1) return;
  const name = functionHead(p);
  if (name === undefined) return;
  p.log.error(`expected '}' before the function '${name}'`, token.span, {
    notes: [
      p.unevenBrace
        ? { message: "the '}' behind this '{' stands further in or out than its line", span: p.unevenBrace.span }
        : { message: "to match this '{'", span: opening.span },
    ],
  });
  p.insert('}');
}

/**
 * After a function's head at file scope: a line that stands further in than it is the body's, whose `{` was forgotten.
 */
export function repairBodyBrace(p: Parser, head: Span): void {
  const { token } = p;
  if (
    !token.startsLine ||
    token.kind !== 'identifier' ||
    token.text.startsWith('__a') ||
    token.text === 'asm' ||
    token.span.expandedFrom ||
    columnOf(token.span) <= indentation(head)
  )
    return;
  p.log.error("expected '{' before the function's body", p.afterPrevious());
  p.insert('{');
}

/** `words name(…) {`: the name. */
function functionHead(p: Parser): string | undefined {
  let ahead = 0;
  for (; p.peek(ahead).kind === 'identifier' || p.peek(ahead).text === '*'; ahead++)
    if (statementWords.has(p.peek(ahead).text)) return undefined;
  if (ahead < 2 || p.peek(ahead).text !== '(' || p.peek(ahead - 1).kind !== 'identifier') return undefined;
  const name = p.peek(ahead - 1).text;
  for (let depth = 0; ; ahead++) {
    const { text, kind } = p.peek(ahead);
    if (kind === 'end' || text === ';' || text === '{') return undefined;
    if (text === '(') depth++;
    if (text === ')' && --depth === 0) return p.peek(ahead + 1).text === '{' ? name : undefined;
  }
}

/**
 * After a function that begins at the margin, what stands further in on a later line was meant to be within it: its `}`
 * came too early.
 */
export function isWithin({ span }: Token, functionStart: Span | undefined): boolean {
  if (functionStart === undefined || span.expandedFrom || columnOf(span) === 1 || columnOf(functionStart) !== 1)
    return false;
  return (
    span.file === functionStart.file &&
    span.file.position(span.start).line > functionStart.file.position(functionStart.start).line
  );
}

/** True before what can only be a statement. */
export function straysFrom(p: Parser, functionStart: Span | undefined): boolean {
  const { token } = p;
  if (!isWithin(token, functionStart)) return false;
  const next = p.peek().text;
  return token.kind !== 'identifier'
    ? token.text !== ';'
    : statementWords.has(token.text) ||
        (!p.isTypeName(token.text) &&
          !isKeyword(token.text) &&
          ['(', '=', '->', '.', '[', '++', '--', '+=', '-=', '|=', '&='].includes(next));
}

/** To the next line that begins a declaration at the margin. */
export function skipToMargin(p: Parser): void {
  while (!p.atEnd && !(p.token.startsLine && p.token.kind === 'identifier' && columnOf(p.token.span) === 1)) p.next();
  p.hasSkipped = true;
}

export const statementWords: ReadonlySet<string> = new Set([
  'if',
  'else',
  'while',
  'for',
  'do',
  'switch',
  'case',
  'default',
  'return',
  'goto',
  'break',
  'continue',
]);

function columnOf({ file, start }: Span): number {
  return file.position(start).column;
}

/** The column at which the line of a place begins. */
export function indentation({ file, start }: Span): number {
  const from = start - (columnOf({ file, start, end: start }) - 1);
  return /^[ \t]*/.exec(file.text.slice(from, start))![0].length + 1;
}
