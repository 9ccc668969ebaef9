/**
 * Statements and blocks, C11 6.8. Recovery happens here: an item of a block that cannot be read is skipped, the next is
 * tried.
 */
import { Abandoned } from '../diagnostics/diagnosticLog';
import { spanning } from '../tokens/spanning';
import type { SyntaxBlock, SyntaxExpression, SyntaxStatement } from '../syntax';
import { parseDeclaration, parseStaticAssertion, rejectNestedFunction } from './declarations';
import { atDeclaration } from './specifiers';
import { parseAssembler } from './assembler';
import { parseAttributes } from './attributes';
import { parseConditional, parseExpression } from './expressions';
import { indentation, repairBrace, repairElse, repairStatement } from './misspelt';
import { isKeyword, type Parser } from './parser';

/** compound-statement. `parameters` are the names that the enclosing function definition declares. */
export function parseBlock(p: Parser, parameters: readonly (string | undefined)[] = []): SyntaxBlock {
  const opening = p.expect('{', 'at the start of a block');
  p.openScope();
  for (const name of parameters) p.declare(name, 'ordinary');
  const items: SyntaxStatement[] = [];
  while (!p.at('}') && !p.atEnd) {
    repairBrace(p, opening);
    if (p.at('}')) break;
    const scopes = p.scopeCount;
    const before = p.position;
    try {
      parseBlockItem(p, items);
    } catch (error) {
      if (!(error instanceof Abandoned)) throw error;
      p.restoreScopes(scopes);
      p.skipStatement(before);
    }
  }
  p.closeScope();
  if (p.atEnd) p.expectClosing('}', p.unevenBrace ?? opening);
  if (p.token.startsLine && p.unevenBrace === undefined && indentation(opening.span) !== indentation(p.token.span))
    p.unevenBrace = opening;
  const end = p.next().span;
  return { kind: 'block', items, end, span: spanning(opening.span, end) };
}

function parseBlockItem(p: Parser, items: SyntaxStatement[]): void {
  repairStatement(p);
  if (p.at('__attribute__')) parseStatementAttribute(p);
  if (p.at('__label__')) p.log.fail("local labels ('__label__') are not supported", p.token.span);
  if (p.at('_Static_assert')) {
    items.push(parseStaticAssertion(p));
  } else if (atDeclaration(p)) {
    items.push(parseDeclaration(p, rejectNestedFunction));
  } else {
    items.push(parseStatement(p));
  }
}

/** `__attribute__((fallthrough));` says nothing about meaning; before anything else it belongs to a declaration. */
function parseStatementAttribute(p: Parser): void {
  let ahead = 1;
  for (let depth = 0; ; ahead++) {
    const { text, kind } = p.peek(ahead);
    if (kind === 'end') return;
    if (text === '(') depth++;
    if (text === ')' && --depth === 0) break;
  }
  if (p.peek(ahead + 1).text === ';') parseAttributes(p);
}

export function parseStatement(p: Parser): SyntaxStatement {
  return p.nest(() => readStatement(p));
}

function readStatement(p: Parser): SyntaxStatement {
  repairStatement(p);
  const token = p.token;
  const start = token.span;
  if (token.kind === 'punctuator') {
    if (token.text === '{') return parseBlock(p);
    if (token.text === ';') return { kind: 'empty', span: p.next().span };
  } else if (token.kind === 'identifier') {
    switch (token.text) {
      case 'if':
        return inScope(p, () => parseIf(p));
      case 'while':
        return inScope(p, () => {
          p.next();
          const condition = parseCondition(p, 'while');
          const body = inScope(p, () => parseStatement(p));
          return { kind: 'while', condition, body, span: spanning(start, body.span) };
        });
      case 'do':
        return inScope(p, () => {
          p.next();
          const body = inScope(p, () => parseStatement(p));
          p.expect('while', "after the body of a 'do' loop");
          const condition = parseCondition(p, 'while');
          p.expectSemicolon("after 'do … while'");
          return { kind: 'do', body, condition, span: p.spanFrom(start) };
        });
      case 'for':
        return parseFor(p);
      case 'switch':
        return inScope(p, () => {
          p.next();
          const condition = parseCondition(p, 'switch');
          const body = inScope(p, () => parseStatement(p));
          return { kind: 'switch', condition, body, span: spanning(start, body.span) };
        });
      case 'case': {
        p.next();
        const low = parseConditional(p);
        const high = p.accept('...') ? parseConditional(p) : undefined;
        p.expect(':', "after 'case'");
        const labelSpan = p.spanFrom(start);
        const body = parseLabelled(p);
        return { kind: 'case', low, high, body, labelSpan, span: spanning(start, body.span) };
      }
      case 'default': {
        p.next();
        p.expect(':', "after 'default'");
        const labelSpan = p.spanFrom(start);
        const body = parseLabelled(p);
        return { kind: 'default', body, labelSpan, span: spanning(start, body.span) };
      }
      case 'goto': {
        p.next();
        if (p.accept('*')) {
          const target = parseExpression(p);
          p.expectSemicolon("after 'goto'");
          return { kind: 'computed-goto', target, span: p.spanFrom(start) };
        }
        const label = p.expectIdentifier('a label');
        p.expectSemicolon("after 'goto'");
        return { kind: 'goto', label: label.text, labelSpan: label.span, span: p.spanFrom(start) };
      }
      case 'break':
      case 'continue':
        p.next();
        p.expectSemicolon(`after '${token.text}'`);
        return { kind: token.text, span: p.spanFrom(start) };
      case 'return': {
        p.next();
        const value = p.at(';') || p.at('}') ? undefined : parseExpression(p);
        p.expectSemicolon("after 'return'");
        return { kind: 'return', value, span: p.spanFrom(start) };
      }
      case 'asm':
      case '__asm':
      case '__asm__': {
        const assembler = parseAssembler(p);
        p.expectSemicolon("after 'asm'");
        return assembler;
      }
      case 'else':
        return p.log.fail("'else' without an 'if' before it", start);
    }
    if (p.peek().text === ':' && p.peek().kind === 'punctuator' && !isKeyword(token.text)) {
      p.next();
      p.next();
      const labelSpan = token.span;
      parseAttributes(p);
      const body = parseLabelled(p);
      return { kind: 'label', name: token.text, body, labelSpan, span: spanning(start, body.span) };
    }
  }
  const expression = parseExpression(p);
  p.expectSemicolon('after expression');
  return { kind: 'expression', expression, span: p.spanFrom(start) };
}

/**
 * Selections, loops and their bodies are blocks (6.8.4p3, 6.8.5p5). After an error, whoever recovers restores the
 * scopes.
 */
function inScope<T>(p: Parser, read: () => T): T {
  p.openScope();
  const result = read();
  p.closeScope();
  return result;
}

/** Statement after a label; or nothing, when a declaration or the end of the block follows (C23, and GCC before). */
function parseLabelled(p: Parser): SyntaxStatement {
  if (p.at('}') || atDeclaration(p) || p.at('_Static_assert')) return { kind: 'empty', span: p.previous.span };
  return parseStatement(p);
}

/** A chain of `else if` is read in a loop: generated code has thousands of them. */
function parseIf(p: Parser): SyntaxStatement {
  const links: { start: SyntaxStatement['span']; condition: SyntaxExpression; then: SyntaxStatement }[] = [];
  let otherwise: SyntaxStatement | undefined;
  for (;;) {
    const start = p.next().span;
    const condition = parseCondition(p, 'if');
    const then = inScope(p, () => parseStatement(p));
    links.push({ start, condition, then });
    repairElse(p);
    if (!p.accept('else')) break;
    if (p.at('if')) continue;
    otherwise = inScope(p, () => parseStatement(p));
    break;
  }
  for (let i = links.length - 1; i >= 0; i--) {
    const { start, condition, then } = links[i]!;
    otherwise = { kind: 'if', condition, then, otherwise, span: spanning(start, (otherwise ?? then).span) };
  }
  return otherwise!;
}

/** The span of a `for` covers its body; its head may declare. */
function parseFor(p: Parser): SyntaxStatement {
  const start = p.next().span;
  const opening = p.expect('(', "after 'for'");
  p.openScope();
  const init = parseForInit(p);
  const condition = p.at(';') ? undefined : parseExpression(p);
  p.expect(';', "after the condition of 'for'");
  const step = p.at(')') ? undefined : parseExpression(p);
  p.expectClosing(')', opening);
  const body = inScope(p, () => parseStatement(p));
  p.closeScope();
  return { kind: 'for', init, condition, step, body, span: spanning(start, body.span) };
}

function parseForInit(p: Parser): SyntaxStatement | undefined {
  if (p.accept(';')) return undefined;
  if (atDeclaration(p)) return parseDeclaration(p, rejectNestedFunction);
  const expression = parseExpression(p);
  p.expect(';', "after the first part of 'for'");
  return { kind: 'expression', expression, span: expression.span };
}

function parseCondition(p: Parser, keyword: string): SyntaxExpression {
  const opening = p.expect('(', `after '${keyword}'`);
  const condition = parseExpression(p);
  p.expectClosing(')', opening);
  return condition;
}
