/** Bodies of structures, unions and enumerations, C11 6.7.2.1 and 6.7.2.2. */
import { spanning } from '../tokens/spanning';
import { type Declarator, type Enumerator, type Member, type MemberDeclaration, type TypeSpecifier } from '../syntax';
import { parseAttributes } from './attributes';
import { parseConditional } from './expressions';
import { isKeyword, type Parser } from './parser';
import { parseSpecifiers, roles } from './specifiers';
import { parseDeclarator } from './declarators';
import { parseStaticAssertion } from './declarations';

/** struct-or-union-specifier */
export function parseRecord(p: Parser, keyword: 'struct' | 'union'): TypeSpecifier {
  const { span: start, pack } = p.next();
  const attributes = parseAttributes(p);
  const tag = p.token.kind === 'identifier' && !isKeyword(p.token.text) ? p.next() : undefined;
  const tagSpan = tag?.span ?? start;
  if (tag && roles.get(p.token.text)?.kind === 'basic') {
    p.log.error(`expected '{' before the members of '${keyword} ${tag.text}'`, p.afterPrevious());
    p.insert('{');
  }
  if (!p.at('{')) {
    if (!tag) p.expectIdentifier(`a tag or '{' after '${keyword}'`);
    return {
      kind: 'record',
      keyword,
      tag: tag?.text,
      tagSpan,
      members: undefined,
      attributes,
      span: spanning(start, tagSpan),
    };
  }
  const opening = p.next();
  const members: MemberDeclaration[] = [];
  while (!p.at('}') && !p.atEnd) {
    if (p.accept(';')) continue;
    const from = p.position;
    const scopes = p.scopeCount;
    const member = p.log.attempt(() =>
      p.nest(() => (p.at('_Static_assert') ? parseStaticAssertion(p) : parseMembers(p))),
    );
    if (member) {
      members.push(member);
    } else {
      p.restoreScopes(scopes);
      p.skipStatement(from);
    }
  }
  p.expectClosing('}', opening);
  attributes.push(...parseAttributes(p));
  return { kind: 'record', keyword, tag: tag?.text, tagSpan, members, attributes, pack, span: p.spanFrom(start) };
}

/** specifiers (declarator (':' width)?),* ';' */
function parseMembers(p: Parser): MemberDeclaration {
  const start = p.token.span;
  const specifiers = parseSpecifiers(p);
  const members: Member[] = [];
  if (!p.at(';') && !p.at('}')) {
    do {
      const from = p.token.span;
      const attributesBefore = parseAttributes(p);
      const declarator: Declarator = p.at(':')
        ? { kind: 'name', name: undefined, span: p.token.span }
        : parseDeclarator(p, 'named');
      const width = p.accept(':') ? parseConditional(p) : undefined;
      const attributes = [...attributesBefore, ...parseAttributes(p)];
      members.push({ declarator, width, attributes, span: p.spanFrom(from) });
    } while (p.accept(','));
  }
  if (p.at('}')) p.log.warn("';' is missing behind the last member, which compilers let pass", p.token.span);
  else p.expectSemicolon('at the end of a member declaration');
  return { kind: 'members', specifiers, members, span: p.spanFrom(start) };
}

/** enum-specifier; its constants are declared as they are read. */
export function parseEnum(p: Parser): TypeSpecifier {
  const start = p.next().span;
  const attributes = parseAttributes(p);
  const tag = p.token.kind === 'identifier' && !isKeyword(p.token.text) ? p.next() : undefined;
  const tagSpan = tag?.span ?? start;
  if (!p.at('{')) {
    if (!tag) p.expectIdentifier("a tag or '{' after 'enum'");
    return {
      kind: 'enum',
      tag: tag?.text,
      tagSpan,
      enumerators: undefined,
      attributes,
      span: spanning(start, tagSpan),
    };
  }
  const opening = p.next();
  const enumerators: Enumerator[] = [];
  while (!p.at('}')) {
    const name = p.expectIdentifier('the name of an enumeration constant');
    parseAttributes(p);
    const value = p.accept('=') ? parseConditional(p) : undefined;
    p.declare(name.text, 'ordinary');
    enumerators.push({ name: name.text, value, span: name.span });
    if (!p.accept(',')) break;
  }
  p.expectClosing('}', opening, 'list');
  attributes.push(...parseAttributes(p));
  return { kind: 'enum', tag: tag?.text, tagSpan, enumerators, attributes, span: p.spanFrom(start) };
}
