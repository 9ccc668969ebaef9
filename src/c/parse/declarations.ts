/** Declarations and function definitions, C11 6.7 and 6.9. */
import {
  type AssemblerName,
  declaredAttributes,
  declaredName,
  functionPart,
  type Attribute,
  type Declaration,
  type Declarator,
  type DeclaratorWithInitializer,
  type EnsuresOf,
  type FunctionDefinitionSyntax,
  type Specifiers,
  type StaticAssertion,
} from '../syntax';
import type { Span } from '../source';
import type { Token } from '../tokens/token';
import { parseAttributes } from './attributes';
import { parseConditional, parseExpression, parseInitializer } from './expressions';
import { repairBodyBrace } from './misspelt';
import { type Parser } from './parser';
import { parseStrings } from './assembler';
import { parseSpecifiers } from './specifiers';
import { parseDeclarator, withOldStyleParameters } from './declarators';

/** '_Static_assert' '(' condition (',' string)? ')' ';' */
export function parseStaticAssertion(p: Parser): StaticAssertion {
  const start = p.next().span;
  const opening = p.expect('(', "after '_Static_assert'");
  const condition = parseConditional(p);
  const message: Token[] = [];
  if (p.accept(',')) {
    if (p.token.kind !== 'string') p.log.fail('expected a string literal as the message', p.token.span);
    while (p.token.kind === 'string') message.push(p.next());
  }
  p.expectClosing(')', opening);
  p.expectSemicolon("after '_Static_assert'");
  return { kind: 'static-assertion', condition, message, span: p.spanFrom(start) };
}

/** '__provest_ensures_of' '(' identifier ',' expression ')' ';', see <provest.h>. */
export function parseEnsuresOf(p: Parser): EnsuresOf {
  const start = p.next().span;
  const opening = p.expect('(', "after 'PROVEST_ENSURES_OF'");
  const { text: name, span } = p.expectIdentifier('the name of a function');
  p.expect(',', 'between the function and its condition');
  const condition = parseExpression(p);
  p.expectClosing(')', opening);
  p.expectSemicolon("after 'PROVEST_ENSURES_OF'");
  return { kind: 'ensures-of', function: { name, span }, condition, span: p.spanFrom(start) };
}

type ReadBody<Body> = (
  p: Parser,
  specifiers: Specifiers,
  declarator: Declarator,
  attributes: readonly Attribute[],
  start: Span,
) => Body;

export const rejectNestedFunction: ReadBody<never> = (p, _specifiers, declarator) => {
  const { name, span } = declaredName(declarator);
  p.log.error(`nested functions are not supported: '${name ?? ''}'`, span);
  p.skipStatement();
  p.markRecovered();
  return p.log.abandon();
};

/** declaration, or function-definition where `readBody` takes one. */
export function parseDeclaration<Body extends FunctionDefinitionSyntax | never>(
  p: Parser,
  readBody: ReadBody<Body>,
): Declaration | Body {
  const start = p.token.span;
  const { mark } = p.log;
  const specifiers = parseSpecifiers(p);
  const declarators: DeclaratorWithInitializer[] = [];
  if (!p.at(';')) {
    do {
      const from = p.token.span;
      const before = declarators.length > 0 ? parseAttributes(p) : [];
      let declarator = parseDeclarator(p, 'named');
      p.declare(declaredName(declarator).name, specifiers.storage === 'typedef' ? 'type' : 'ordinary');
      const assemblerName = parseAssemblerName(p);
      const attributes = [...before, ...declaredAttributes(declarator), ...parseAttributes(p)];
      if (declarators.length === 0 && !p.at('=')) declarator = withOldStyleParameters(p, declarator);
      if (declarators.length === 0 && p.scopeCount === 1 && functionPart(declarator)) repairBodyBrace(p, start);
      if (p.at('{') && declarators.length === 0 && functionPart(declarator))
        return readBody(p, specifiers, declarator, attributes, start);
      const initializer = p.accept('=') ? parseInitializer(p) : undefined;
      declarators.push({ declarator, initializer, attributes, assemblerName, span: p.spanFrom(from) });
    } while (p.accept(','));
  }
  p.expectSemicolon('at the end of a declaration');
  // A type that can be named otherwise than by the declarators could be used without a word.
  const { type } = specifiers;
  const hasTag = (type.kind === 'record' && type.tag !== undefined) || type.kind === 'enum';
  const unsupported = declarators.length > 0 && !hasTag ? p.log.takeBackUnsupported(mark) : [];
  return {
    kind: 'declaration',
    specifiers,
    declarators,
    span: p.spanFrom(start),
    ...(unsupported.length > 0 && { unsupported }),
  };
}

/** GNU: the symbol's name in the object file. */
function parseAssemblerName(p: Parser): AssemblerName | undefined {
  if (!p.at('__asm__') && !p.at('asm') && !p.at('__asm')) return undefined;
  const start = p.next().span;
  const opening = p.expect('(', "after 'asm'");
  const name = parseStrings(p);
  p.expectClosing(')', opening);
  return { name, span: p.spanFrom(start) };
}
