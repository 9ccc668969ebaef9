/** Expressions, C11 6.5, by precedence climbing; each function stands under the rule it reads. */
import { spanning } from '../tokens/spanning';
import type {
  AssignmentOperator,
  BinaryOperatorToken,
  Designator,
  SyntaxExpression,
  SyntaxInitializer,
  SyntaxInitializerList,
  TypeName,
} from '../syntax';
import type { Token } from '../tokens/token';
import { parseTypeName } from './declarators';
import { atTypeName } from './specifiers';
import { isKeyword, type Parser } from './parser';
import { parseBlock } from './statements';

const assignmentOperators: ReadonlySet<string> = new Set<AssignmentOperator>([
  '=',
  '+=',
  '-=',
  '*=',
  '/=',
  '%=',
  '&=',
  '|=',
  '^=',
  '<<=',
  '>>=',
]);
const precedence: ReadonlyMap<string, number> = new Map<BinaryOperatorToken, number>([
  ['||', 1],
  ['&&', 2],
  ['|', 3],
  ['^', 4],
  ['&', 5],
  ['==', 6],
  ['!=', 6],
  ['<', 7],
  ['<=', 7],
  ['>', 7],
  ['>=', 7],
  ['<<', 8],
  ['>>', 8],
  ['+', 9],
  ['-', 9],
  ['*', 10],
  ['/', 10],
  ['%', 10],
]);

/** expression: assignment-expression (',' assignment-expression)* */
export function parseExpression(p: Parser): SyntaxExpression {
  let left = parseAssignment(p);
  while (p.at(',')) {
    p.next();
    const right = parseAssignment(p);
    left = { kind: 'comma', left, right, span: spanning(left.span, right.span) };
  }
  return left;
}

/** assignment-expression: conditional-expression | unary-expression assignment-operator assignment-expression */
export function parseAssignment(p: Parser): SyntaxExpression {
  const left = parseConditional(p);
  if (p.token.kind !== 'punctuator' || !assignmentOperators.has(p.token.text)) return left;
  const operator = p.next().text as AssignmentOperator;
  const right = p.nest(() => parseAssignment(p));
  return { kind: 'assignment', operator, left, right, span: spanning(left.span, right.span) };
}

/**
 * conditional-expression: binary ('?' expression? ':' conditional-expression)?; chains are read in a loop because
 * generated code has long ones.
 */
export function parseConditional(p: Parser): SyntaxExpression {
  const links: { condition: SyntaxExpression; then: SyntaxExpression | undefined }[] = [];
  let last = parseBinary(p, 1);
  while (p.at('?')) {
    const question = p.next();
    const then = p.at(':') ? undefined : p.nest(() => parseExpression(p));
    if (!p.accept(':'))
      p.expect(':', `to match the '?' on line ${question.span.file.position(question.span.start).line}`);
    links.push({ condition: last, then });
    last = parseBinary(p, 1);
  }
  for (let i = links.length - 1; i >= 0; i--) {
    const { condition, then } = links[i]!;
    last = { kind: 'conditional', condition, then, otherwise: last, span: spanning(condition.span, last.span) };
  }
  return last;
}

/** All left-associative binary operators of at least this precedence. */
function parseBinary(p: Parser, minimum: number): SyntaxExpression {
  let left = parseCast(p);
  for (;;) {
    const level = p.token.kind === 'punctuator' ? precedence.get(p.token.text) : undefined;
    if (level === undefined || level < minimum) return left;
    const operator = p.next().text as BinaryOperatorToken;
    const right = parseBinary(p, level + 1);
    left = { kind: 'binary', operator, left, right, span: spanning(left.span, right.span) };
  }
}

/** cast-expression: unary-expression | '(' type-name ')' cast-expression */
function parseCast(p: Parser): SyntaxExpression {
  if (!p.at('(') || !atTypeName(p, p.peek())) return parseUnary(p);
  const opening = p.next();
  const type = parseTypeName(p);
  p.expectClosing(')', opening);
  if (p.at('{'))
    return parsePostfixOperators(
      p,
      p.nest(() => p.nest(() => compoundLiteral(p, opening, type))),
    );
  const operand = p.nest(() => parseCast(p));
  return { kind: 'cast', type, operand, span: spanning(opening.span, operand.span) };
}

/** unary-expression */
function parseUnary(p: Parser): SyntaxExpression {
  const token = p.token;
  if (token.kind === 'punctuator') {
    switch (token.text) {
      case '+':
      case '-':
      case '~':
      case '!':
      case '*':
      case '&': {
        p.next();
        const operand = p.nest(() => parseCast(p));
        return { kind: 'prefix', operator: token.text, operand, span: spanning(token.span, operand.span) };
      }
      case '++':
      case '--': {
        p.next();
        const operand = p.nest(() => parseUnary(p));
        return { kind: 'prefix', operator: token.text, operand, span: spanning(token.span, operand.span) };
      }
      case '&&': {
        p.next();
        const label = p.expectIdentifier('a label');
        const span = spanning(token.span, label.span);
        return { kind: 'label-address', label: label.text, labelSpan: label.span, span };
      }
    }
  } else if (token.kind === 'identifier') {
    switch (token.text) {
      case 'sizeof':
        return parseSizeOf(p, 'sizeof');
      case '_Alignof':
      case '__alignof':
      case '__alignof__':
        return parseSizeOf(p, '_Alignof');
      case '__extension__':
        p.next();
        return p.nest(() => parseCast(p));
      case '__real__':
      case '__imag__':
      case '__real':
      case '__imag':
        return p.log.fail('complex numbers are not supported', token.span);
    }
  }
  return parsePostfixOperators(p, parsePrimary(p));
}

/** 'sizeof' unary-expression | 'sizeof' '(' type-name ')' */
function parseSizeOf(p: Parser, operator: 'sizeof' | '_Alignof'): SyntaxExpression {
  const start = p.next().span;
  if (p.at('(') && atTypeName(p, p.peek())) {
    const opening = p.next();
    const type = parseTypeName(p);
    p.expectClosing(')', opening);
    if (p.at('{')) {
      const operand = parsePostfixOperators(p, compoundLiteral(p, opening, type));
      return { kind: 'size-of-expression', operator, operand, span: spanning(start, operand.span) };
    }
    return { kind: 'size-of-type', operator, type, span: p.spanFrom(start) };
  }
  const operand = p.nest(() => parseUnary(p));
  return { kind: 'size-of-expression', operator, operand, span: spanning(start, operand.span) };
}

/** postfix-expression, after its first part */
function parsePostfixOperators(p: Parser, first: SyntaxExpression): SyntaxExpression {
  let e = first;
  for (;;) {
    if (p.token.kind !== 'punctuator') return e;
    switch (p.token.text) {
      case '[': {
        const opening = p.next();
        const index = p.nest(() => parseExpression(p));
        p.expectClosing(']', opening);
        e = { kind: 'subscript', array: e, index, span: p.spanFrom(e.span) };
        break;
      }
      case '(': {
        const opening = p.next();
        const args: SyntaxExpression[] = [];
        if (!p.at(')'))
          do args.push(p.nest(() => parseAssignment(p)));
          while (p.accept(','));
        p.expectClosing(')', opening, 'list');
        e = { kind: 'call', callee: e, arguments: args, span: p.spanFrom(e.span) };
        break;
      }
      case '.':
      case '->': {
        const arrow = p.next().text === '->';
        const name = p.expectIdentifier('a member name');
        e = {
          kind: 'member',
          object: e,
          arrow,
          name: name.text,
          nameSpan: name.span,
          span: spanning(e.span, name.span),
        };
        break;
      }
      case '++':
      case '--': {
        const operator = p.token.text;
        p.next();
        e = { kind: 'postfix', operator, operand: e, span: p.spanFrom(e.span) };
        break;
      }
      default:
        return e;
    }
  }
}

function parsePrimary(p: Parser): SyntaxExpression {
  const token = p.token;
  switch (token.kind) {
    case 'number':
    case 'character':
      p.next();
      return { kind: token.kind, text: token.text, span: token.span };
    case 'string':
      return parseString(p);
    case 'identifier':
      return parseName(p);
    case 'punctuator':
      if (token.text === '(') return parseParenthesised(p);
      break;
    case 'other':
    case 'end':
      break;
  }
  return p.log.fail(`expected an expression before ${p.atEnd ? 'the end of the file' : `'${token.text}'`}`, token.span);
}

function parseString(p: Parser): SyntaxExpression {
  const pieces: Token[] = [];
  while (p.token.kind === 'string') pieces.push(p.next());
  return { kind: 'string', pieces, span: spanning(pieces[0]!.span, pieces[pieces.length - 1]!.span) };
}

function parseParenthesised(p: Parser): SyntaxExpression {
  const opening = p.next();
  if (p.at('{')) {
    const body = p.nest(() => parseBlock(p));
    p.expectClosing(')', opening);
    return { kind: 'statement-expression', body, span: p.spanFrom(opening.span) };
  }
  const inner = p.nest(() => parseExpression(p));
  p.expectClosing(')', opening);
  // The parentheses belong to the expression's place, so that a frame underlines what was written.
  const span = p.spanFrom(opening.span);
  return inner.kind === 'identifier' ? { ...inner, nameSpan: inner.nameSpan ?? inner.span, span } : { ...inner, span };
}

function parseName(p: Parser): SyntaxExpression {
  const token = p.token;
  switch (token.text) {
    case '_Generic':
      return parseGeneric(p);
    case '__builtin_va_arg': {
      p.next();
      const opening = p.expect('(', "after '__builtin_va_arg'");
      const list = parseAssignment(p);
      p.expect(',', 'and a type');
      const type = parseTypeName(p);
      p.expectClosing(')', opening);
      return { kind: 'va-arg', list, type, span: p.spanFrom(token.span) };
    }
    case '__builtin_offsetof':
      return parseOffsetOf(p);
    case '__builtin_types_compatible_p': {
      p.next();
      const opening = p.expect('(', `after '${token.text}'`);
      const left = parseTypeName(p);
      p.expect(',', 'between the two types');
      const right = parseTypeName(p);
      p.expectClosing(')', opening);
      return { kind: 'types-compatible', left, right, span: p.spanFrom(token.span) };
    }
  }
  if (isKeyword(token.text)) {
    if (token.text === 'asm' || token.text === '__asm__' || token.text === '__asm')
      p.log.fail('inline assembler is not supported', token.span);
    return p.log.fail(`expected an expression before '${token.text}'`, token.span);
  }
  if (p.isTypeName(token.text))
    return p.log.fail(`unexpected type name '${token.text}': expected an expression`, token.span);
  p.next();
  return { kind: 'identifier', name: token.text, span: token.span };
}

/** '_Generic' '(' assignment-expression (',' (type-name | 'default') ':' assignment-expression)+ ')' */
function parseGeneric(p: Parser): SyntaxExpression {
  const start = p.next().span;
  const opening = p.expect('(', "after '_Generic'");
  const control = parseAssignment(p);
  const associations: { type: TypeName | undefined; value: SyntaxExpression; span: SyntaxExpression['span'] }[] = [];
  while (p.accept(',')) {
    const from = p.token.span;
    const type = p.accept('default') ? undefined : parseTypeName(p);
    p.expect(':', 'after the type of an association');
    const value = p.nest(() => parseAssignment(p));
    associations.push({ type, value, span: spanning(from, value.span) });
  }
  p.expectClosing(')', opening);
  return { kind: 'generic', control, associations, span: p.spanFrom(start) };
}

/** '__builtin_offsetof' '(' type-name ',' member ('.' member | '[' expression ']')* ')' */
function parseOffsetOf(p: Parser): SyntaxExpression {
  const start = p.next().span;
  const opening = p.expect('(', "after 'offsetof'");
  const type = parseTypeName(p);
  p.expect(',', 'and a member');
  const first = p.expectIdentifier('a member name');
  const path: Designator[] = [{ kind: 'field', name: first.text, span: first.span }];
  while (p.at('.') || p.at('[')) path.push(parseDesignator(p));
  p.expectClosing(')', opening);
  return { kind: 'offset-of', type, path, span: p.spanFrom(start) };
}

function compoundLiteral(p: Parser, opening: Token, type: TypeName): SyntaxExpression {
  const initializer = parseInitializerList(p);
  return { kind: 'compound-literal', type, initializer, span: p.spanFrom(opening.span) };
}

/** initializer: assignment-expression | '{' … '}' */
export function parseInitializer(p: Parser): SyntaxInitializer {
  if (p.at('{')) return p.nest(() => parseInitializerList(p));
  const expression = parseAssignment(p);
  return { kind: 'expression', expression, span: expression.span };
}

/** '{' (designation? initializer (',' designation? initializer)* ','?)? '}'; GNU allows it to be empty. */
function parseInitializerList(p: Parser): SyntaxInitializerList {
  const opening = p.expect('{', 'at the start of an initializer list');
  const items: { designators: Designator[]; value: SyntaxInitializer }[] = [];
  while (!p.at('}')) {
    const designators: Designator[] = [];
    if (
      p.token.kind === 'identifier' &&
      p.peek().text === ':' &&
      p.peek().kind === 'punctuator' &&
      !isKeyword(p.token.text)
    ) {
      // GNU's old `member: value`.
      const name = p.next();
      p.next();
      designators.push({ kind: 'field', name: name.text, span: name.span });
    } else if (p.at('.') || p.at('[')) {
      while (p.at('.') || p.at('[')) designators.push(parseDesignator(p));
      if (!p.accept('=') && designators.some((d) => d.kind === 'field')) p.expect('=', 'after a designator');
    }
    items.push({ designators, value: parseInitializer(p) });
    if (!p.accept(',')) break;
  }
  p.expectClosing('}', opening, 'list');
  return { kind: 'list', items, span: p.spanFrom(opening.span) };
}

function parseDesignator(p: Parser): Designator {
  const start = p.next();
  if (start.text === '.') {
    const name = p.expectIdentifier('a member name');
    return { kind: 'field', name: name.text, span: spanning(start.span, name.span) };
  }
  const low = parseConditional(p);
  const high = p.accept('...') ? parseConditional(p) : undefined;
  p.expectClosing(']', start);
  return { kind: 'index', low, high, span: p.spanFrom(start.span) };
}
