/** Declarations, C11 6.7 and 6.9: specifiers, declarators, type names, struct and enum bodies, function definitions. */
import { spanning } from '../spanning';
import {
  type AssemblerName,
  declaredAttributes,
  declaredName,
  functionPart,
  noQualifiers,
  type Alignment,
  type Attribute,
  type BasicWord,
  type Declaration,
  type Declarator,
  type DeclaratorWithInitializer,
  type EnsuresOf,
  type Enumerator,
  type FunctionDefinitionSyntax,
  type Member,
  type MemberDeclaration,
  type Parameter,
  type Specifiers,
  type StaticAssertion,
  type StorageClass,
  type SyntaxQualifiers,
  type TypeName,
  type TypeSpecifier,
} from '../syntax';
import type { Span } from '../source';
import type { Token } from '../token';
import { parseAttributes } from './attributes';
import { parseConditional, parseAssignment, parseExpression, parseInitializer } from './expressions';
import { headerOfType } from '../libraryNames';
import { repairBodyBrace, repairSemicolon, repairType } from './misspelt';
import { isKeyword, type Parser } from './parser';
import { parseStrings } from './assembler';

type Role =
  | { readonly kind: 'storage'; readonly storage: StorageClass }
  | { readonly kind: 'qualifier'; readonly qualifier: 'const' | 'volatile' | 'restrict' }
  | { readonly kind: 'basic'; readonly words: readonly BasicWord[] }
  | { readonly kind: 'other' };
const storage = (s: StorageClass): Role => ({ kind: 'storage', storage: s });
const qualifier = (q: 'const' | 'volatile' | 'restrict'): Role => ({ kind: 'qualifier', qualifier: q });
const basic = (...words: BasicWord[]): Role => ({ kind: 'basic', words });
const other: Role = { kind: 'other' };

/** Every keyword that can begin or continue declaration specifiers. */
const roles: ReadonlyMap<string, Role> = new Map<string, Role>([
  ['typedef', storage('typedef')],
  ['extern', storage('extern')],
  ['static', storage('static')],
  ['auto', storage('auto')],
  ['register', storage('register')],
  ['const', qualifier('const')],
  ['__const', qualifier('const')],
  ['__const__', qualifier('const')],
  ['volatile', qualifier('volatile')],
  ['__volatile', qualifier('volatile')],
  ['__volatile__', qualifier('volatile')],
  ['restrict', qualifier('restrict')],
  ['__restrict', qualifier('restrict')],
  ['__restrict__', qualifier('restrict')],
  ['void', basic('void')],
  ['char', basic('char')],
  ['short', basic('short')],
  ['int', basic('int')],
  ['long', basic('long')],
  ['float', basic('float')],
  ['double', basic('double')],
  ['signed', basic('signed')],
  ['__signed', basic('signed')],
  ['__signed__', basic('signed')],
  ['unsigned', basic('unsigned')],
  ['_Bool', basic('_Bool')],
  ['_Complex', basic('_Complex')],
  ['__complex__', basic('_Complex')],
  ['__complex', basic('_Complex')],
  ['_Imaginary', basic('_Imaginary')],
  ['__int128', basic('__int128')],
  ['__int128_t', basic('__int128')],
  ['__uint128_t', basic('unsigned', '__int128')],
  ['_Decimal32', basic('_Decimal64')],
  ['_Decimal64', basic('_Decimal64')],
  ['_Decimal128', basic('_Decimal64')],
  ['_Float128', basic('_Float128')],
  ['__float128', basic('_Float128')],
  ['_Float64x', basic('long', 'double')],
  ['_Float64', basic('double')],
  ['_Float32x', basic('double')],
  ['_Float32', basic('float')],
  ['struct', other],
  ['union', other],
  ['enum', other],
  ['typeof', other],
  ['__typeof', other],
  ['__typeof__', other],
  ['__auto_type', other],
  ['_Atomic', other],
  ['inline', other],
  ['__inline', other],
  ['__inline__', other],
  ['_Noreturn', other],
  ['_Thread_local', other],
  ['__thread', other],
  ['__attribute__', other],
  ['__attribute', other],
  ['_Alignas', other],
  ['__extension__', other],
]);

/** The token begins a type name, as after `(` in a cast. */
export function atTypeName(p: Parser, token: Token): boolean {
  if (token.kind !== 'identifier') return false;
  return roles.has(token.text) ? token.text !== '__extension__' : p.isTypeName(token.text);
}

/**
 * The current token begins a declaration. So do two names in a row, and `unknown *name =`: the first one is then an
 * unknown type.
 */
export function atDeclaration(p: Parser): boolean {
  const token = p.token;
  if (token.kind !== 'identifier') return false;
  const next = p.peek();
  if (token.text === '__extension__')
    return next.kind === 'identifier' && (roles.has(next.text) || p.isTypeName(next.text));
  if (roles.has(token.text)) return true;
  if (isKeyword(token.text)) return false;
  if (p.isTypeName(token.text)) return next.text !== ':';
  if (next.text === '*' && !p.isDeclared(token.text))
    return p.peek(2).kind === 'identifier' && ['=', ';', ',', '['].includes(p.peek(3).text);
  return next.kind === 'identifier' && !isKeyword(next.text);
}

/** declaration-specifiers, specifier-qualifier-list; always with a type (an error is reported when there is none). */
export function parseSpecifiers(p: Parser): Specifiers {
  const start = p.token.span;
  let storageClass: StorageClass | undefined;
  let threadLocal: Span | undefined;
  let inline = false;
  let noreturn = false;
  let qualifiers = noQualifiers;
  let type: TypeSpecifier | undefined;
  const words: BasicWord[] = [];
  let wordsSpan: Span | undefined;
  const attributes: Attribute[] = [];
  const alignments: Alignment[] = [];

  const setType = (read: TypeSpecifier): void => {
    if (type || words.length > 0)
      p.log.fail('two types in one declaration', read.span, { hint: "Is a ';' missing before it?" });
    type = read;
  };
  for (;;) {
    const token = p.token;
    if (token.kind !== 'identifier') break;
    const role = roles.get(token.text);
    if (!role) {
      if (type || words.length > 0 || isKeyword(token.text)) break;
      if (!p.isTypeName(token.text)) {
        if (
          !standsForType(p, storageClass !== undefined || qualifiers !== noQualifiers || inline) ||
          !repairType(p, typeWords)
        )
          break;
        continue;
      }
      type = { kind: 'typedef-name', name: token.text, span: p.next().span };
      continue;
    }
    switch (role.kind) {
      case 'storage':
        p.next();
        if (storageClass !== undefined)
          p.log.fail(
            storageClass === role.storage
              ? `'${role.storage}' twice in one declaration`
              : `both '${storageClass}' and '${role.storage}' in one declaration`,
            token.span,
          );
        storageClass = role.storage;
        continue;
      case 'qualifier':
        p.next();
        qualifiers = { ...qualifiers, [role.qualifier]: true };
        continue;
      case 'basic':
        if (type) p.log.fail('two types in one declaration', token.span, { hint: "Is a ';' missing before it?" });
        p.next();
        words.push(...role.words);
        wordsSpan = wordsSpan ? spanning(wordsSpan, token.span) : token.span;
        continue;
      case 'other':
        break;
    }
    switch (token.text) {
      case 'struct':
      case 'union':
        setType(parseRecord(p, token.text));
        if (p.previous.text === '}')
          repairSemicolon(p, 'this type', (begin, next) => beginsDeclaration(p, begin, next));
        continue;
      case 'enum':
        setType(parseEnum(p));
        if (p.previous.text === '}')
          repairSemicolon(p, 'this type', (begin, next) => beginsDeclaration(p, begin, next));
        continue;
      case 'typeof':
      case '__typeof':
      case '__typeof__':
        setType(parseTypeof(p));
        continue;
      case '__auto_type':
        setType({ kind: 'auto-type', span: p.next().span });
        continue;
      case '_Atomic':
        p.next();
        if (p.at('(')) {
          const opening = p.next();
          const inner = parseTypeName(p);
          p.expectClosing(')', opening);
          setType({ kind: 'atomic', type: inner, span: p.spanFrom(token.span) });
        } else {
          qualifiers = { ...qualifiers, atomic: token.span };
        }
        continue;
      case '_Thread_local':
      case '__thread':
        threadLocal = p.next().span;
        continue;
      case '_Noreturn':
        noreturn = true;
        p.next();
        continue;
      case '__attribute__':
      case '__attribute':
        attributes.push(...parseAttributes(p));
        continue;
      case '_Alignas':
        alignments.push(parseAlignas(p));
        continue;
      default:
        // __extension__ and the spellings of inline
        if (token.text !== '__extension__') inline = true;
        p.next();
        continue;
    }
  }
  if (words.length > 0) type = { kind: 'basic', words, span: wordsSpan! };
  type ??= missingType(p, storageClass !== undefined || qualifiers !== noQualifiers || inline);
  return {
    storage: storageClass,
    threadLocal,
    inline,
    noreturn,
    type,
    qualifiers,
    attributes,
    alignments,
    span: p.spanFrom(start),
  };
}

/** A word that is no type stands where one must, and not a name without its type. */
function standsForType(p: Parser, afterSpecifier: boolean): boolean {
  const next = p.peek();
  if (p.standard === 'gnu89') return false;
  const isName = afterSpecifier
    ? (next.kind !== 'identifier' || isKeyword(next.text)) && next.text !== '*'
    : ['(', '=', ';', '['].includes(next.text);
  return !(isName && next.kind === 'punctuator');
}

/** No type was found where one must stand: a misspelt or undeclared type name, or C89's implicit int. */
function missingType(p: Parser, afterSpecifier: boolean): TypeSpecifier {
  const token = p.token;
  if (p.standard === 'gnu89' && p.at('*') && p.peek().kind === 'identifier')
    return { kind: 'basic', words: ['int'], span: token.span };
  if (token.kind !== 'identifier' || isKeyword(token.text)) {
    return p.log.fail(
      p.atEnd ? 'expected a type before the end of the file' : `expected a type before '${token.text}'`,
      token.span,
    );
  }
  const next = p.peek();
  const isName = afterSpecifier
    ? (next.kind !== 'identifier' || isKeyword(next.text)) && next.text !== '*'
    : next.text === '(' || next.text === '=' || next.text === ';' || next.text === '[';
  if (p.standard === 'gnu89' && isName && next.kind === 'punctuator')
    return { kind: 'basic', words: ['int'], span: token.span };
  if (isName && next.kind === 'punctuator') {
    p.log.error(`type missing before '${token.text}'`, token.span, {
      hint: `Write 'int ${token.text}': C has had no implicit int since C99. Or read the file as older C, with the standard 'gnu89'.`,
    });
    return { kind: 'basic', words: ['int'], span: token.span };
  }
  p.next();
  reportUnknownType(p, token);
  return { kind: 'error', span: token.span };
}

/** A line that begins so begins a declaration of its own; a name that is declared with the type before it is none. */
function beginsDeclaration(p: Parser, token: Token, next: Token): boolean {
  const role = roles.get(token.text);
  if (role) return role.kind !== 'qualifier' && !token.text.startsWith('__attribute') && token.text !== '_Alignas';
  return p.isTypeName(token.text) && (next.kind === 'identifier' || next.text === '*');
}

function reportUnknownType(p: Parser, token: Token): void {
  const header = headerOfType(token.text);
  p.log.error(`unknown type name '${token.text}'`, token.span, header ? { hint: `Add '#include <${header}>'.` } : {});
}
const typeWords = [
  'void',
  'char',
  'short',
  'int',
  'long',
  'float',
  'double',
  'signed',
  'unsigned',
  'struct',
  'union',
  'enum',
  'static',
  'extern',
  'const',
  'volatile',
  'typedef',
  'inline',
  'register',
];

/** '_Alignas' '(' (type-name | constant-expression) ')' */
function parseAlignas(p: Parser): Alignment {
  const start = p.next().span;
  const opening = p.expect('(', "after '_Alignas'");
  if (atTypeName(p, p.token)) {
    const type = parseTypeName(p);
    p.expectClosing(')', opening);
    return { kind: 'type', type, span: p.spanFrom(start) };
  }
  const value = parseConditional(p);
  p.expectClosing(')', opening);
  return { kind: 'expression', value, span: p.spanFrom(start) };
}

function parseTypeof(p: Parser): TypeSpecifier {
  const start = p.next().span;
  const opening = p.expect('(', "after 'typeof'");
  if (atTypeName(p, p.token)) {
    const type = parseTypeName(p);
    p.expectClosing(')', opening);
    return { kind: 'typeof-type', type, span: p.spanFrom(start) };
  }
  const operand = parseExpression(p);
  p.expectClosing(')', opening);
  return { kind: 'typeof-expression', operand, span: p.spanFrom(start) };
}

/** struct-or-union-specifier */
function parseRecord(p: Parser, keyword: 'struct' | 'union'): TypeSpecifier {
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
      p.nested(() => (p.at('_Static_assert') ? parseStaticAssertion(p) : parseMembers(p))),
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
function parseEnum(p: Parser): TypeSpecifier {
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
    p.declare(name.text, false);
    enumerators.push({ name: name.text, value, span: name.span });
    if (!p.accept(',')) break;
  }
  p.expectClosing('}', opening, 'list');
  attributes.push(...parseAttributes(p));
  return { kind: 'enum', tag: tag?.text, tagSpan, enumerators, attributes, span: p.spanFrom(start) };
}

type Naming = 'named' | 'abstract' | 'either';

/** declarator: ('*' qualifiers)* direct-declarator */
export function parseDeclarator(p: Parser, naming: Naming): Declarator {
  const star = p.accept('*');
  if (!star) return parseDirectDeclarator(p, naming);
  const { qualifiers, attributes } = parseQualifiers(p);
  const inner = p.nested(() => parseDeclarator(p, naming));
  return {
    kind: 'pointer',
    qualifiers,
    inner,
    span: spanning(star.span, inner.span),
    ...(attributes.length > 0 && { attributes }),
  };
}

function parseQualifiers(p: Parser): {
  readonly qualifiers: SyntaxQualifiers;
  readonly attributes: readonly Attribute[];
} {
  let qualifiers = noQualifiers;
  const attributes: Attribute[] = [];
  for (;;) {
    const role = p.token.kind === 'identifier' ? roles.get(p.token.text) : undefined;
    if (role?.kind === 'qualifier') {
      p.next();
      qualifiers = { ...qualifiers, [role.qualifier]: true };
    } else if (p.at('_Atomic')) {
      qualifiers = { ...qualifiers, atomic: p.next().span };
    } else if (p.at('__attribute__') || p.at('__attribute')) {
      attributes.push(...parseAttributes(p));
    } else {
      return { qualifiers, attributes };
    }
  }
}

/** direct-declarator: (name | '(' declarator ')')? ('[' … ']' | '(' … ')')* */
function parseDirectDeclarator(p: Parser, naming: Naming): Declarator {
  let d: Declarator;
  const token = p.token;
  if (naming !== 'abstract' && token.kind === 'identifier' && !isKeyword(token.text)) {
    p.next();
    d = { kind: 'name', name: token.text, span: token.span };
  } else if (p.at('(') && (naming === 'named' || groups(p))) {
    const opening = p.next();
    const attributes = parseAttributes(p);
    d = p.nested(() => parseDeclarator(p, naming));
    if (attributes.length > 0) d = { ...d, attributes: [...attributes, ...(d.attributes ?? [])] };
    p.expectClosing(')', opening);
  } else if (naming === 'named') {
    p.expectIdentifier('a name');
    return p.log.abandon();
  } else {
    d = { kind: 'name', name: undefined, span: token.span };
  }
  for (;;) {
    if (p.at('[')) d = parseArraySuffix(p, d);
    else if (p.at('(')) d = p.nested(() => parseFunctionSuffix(p, d));
    else return d;
  }
}

/** In `int (…`: a parenthesis groups an inner declarator unless parameters or nothing stand in it. */
function groups(p: Parser): boolean {
  const next = p.peek();
  if (next.text === '__attribute__' || next.text === '__attribute') return true;
  return !(next.text === ')' || next.text === '...' || atTypeName(p, next));
}

function parseArraySuffix(p: Parser, inner: Declarator): Declarator {
  const opening = p.next();
  const first = p.token.span;
  const leading = p.accept('static');
  const { qualifiers } = parseQualifiers(p);
  const following = leading ? undefined : p.accept('static');
  const parameterOnly = p.token.span.start === first.start ? undefined : p.spanFrom(first);
  if ((leading ?? following) && p.at(']'))
    p.log.error("'static' needs the least length of the array behind it", parameterOnly);
  if (p.at('*') && p.peek().text === ']') {
    p.next();
    p.next();
    return {
      kind: 'array',
      inner,
      length: undefined,
      star: true,
      qualifiers,
      parameterOnly,
      span: p.spanFrom(inner.span),
    };
  }
  const length = p.at(']') ? undefined : p.nested(() => parseAssignment(p));
  p.expectClosing(']', opening);
  return {
    kind: 'array',
    inner,
    length,
    star: false,
    qualifiers,
    parameterOnly,
    ...((leading ?? following) && { isLeast: true }),
    span: p.spanFrom(inner.span),
  };
}

function parseFunctionSuffix(p: Parser, inner: Declarator): Declarator {
  const opening = p.next();
  if (p.at(')')) {
    p.next();
    return {
      kind: 'function',
      inner,
      parameters: [],
      variadic: false,
      unprototyped: true,
      span: p.spanFrom(inner.span),
    };
  }
  if (p.at('void') && p.peek().text === ')') {
    p.next();
    p.next();
    return {
      kind: 'function',
      inner,
      parameters: [],
      variadic: false,
      unprototyped: false,
      span: p.spanFrom(inner.span),
    };
  }
  const identifiers = identifierList(p);
  if (identifiers) {
    for (let tokens = 2 * identifiers.length; tokens > 0; tokens--) p.next();
    return {
      kind: 'function',
      inner,
      parameters: [],
      variadic: false,
      unprototyped: false,
      identifiers,
      span: p.spanFrom(inner.span),
    };
  }
  p.openScope();
  const parameters: Parameter[] = [];
  let variadic = false;
  do {
    if (p.at('...')) {
      const dots = p.next();
      if (parameters.length === 0) p.log.error("a parameter must stand before '...'", dots.span);
      variadic = true;
      break;
    }
    parameters.push(parseParameter(p));
  } while (p.accept(','));
  p.closeScope();
  p.expectClosing(')', opening, 'list');
  return { kind: 'function', inner, parameters, variadic, unprototyped: false, span: p.spanFrom(inner.span) };
}

function parseParameter(p: Parser): Parameter {
  const start = p.token.span;
  const specifiers = parseSpecifiers(p);
  const declarator = parseDeclarator(p, 'either');
  p.declare(declaredName(declarator).name, false);
  const attributes = parseAttributes(p);
  return { specifiers, declarator, attributes, span: p.spanFrom(start) };
}

/** The names in `f(a, b) int a; char b; { … }`, where that is what stands here. */
function identifierList(p: Parser): Token[] | undefined {
  const isBareName = (token: Token, after: Token): boolean =>
    token.kind === 'identifier' &&
    !isKeyword(token.text) &&
    !roles.has(token.text) &&
    !p.isTypeName(token.text) &&
    (after.text === ',' || after.text === ')');
  const names: Token[] = [];
  let ahead = 0;
  for (;;) {
    const token = ahead === 0 ? p.token : p.peek(ahead);
    const after = p.peek(ahead + 1);
    if (!isBareName(token, after)) return undefined;
    names.push(token);
    ahead += 2;
    if (after.text === ')') break;
  }
  const behind = p.peek(ahead);
  return behind.text === ';' || behind.text === ',' ? undefined : names;
}

/**
 * The declarations between an identifier list and the body, put into the declarator as if it had been a prototype
 * (6.9.1p6; in older C `int` where there is none).
 */
function withOldStyleParameters(p: Parser, declarator: Declarator): Declarator {
  const part = functionPart(declarator);
  if (!part?.identifiers || p.at(';') || p.at(',')) return declarator;
  const declared = new Map<string, Parameter>();
  const names = new Set(part.identifiers.map(({ text }) => text));
  p.openScope();
  while (!p.at('{') && !p.atEnd) {
    const start = p.token.span;
    const specifiers = parseSpecifiers(p);
    do {
      const inner = parseDeclarator(p, 'named');
      const { name, span } = declaredName(inner);
      const attributes = parseAttributes(p);
      if (p.at('=')) p.log.fail(`the parameter '${name!}' cannot have an initializer`, p.token.span);
      if (!names.has(name!)) p.log.fail(`'${name!}' is not one of the function's parameters`, span);
      if (declared.has(name!)) p.log.fail(`the parameter '${name!}' is declared twice`, span);
      p.declare(name, false);
      declared.set(name!, { specifiers, declarator: inner, attributes, span: p.spanFrom(start) });
    } while (p.accept(','));
    p.expectSemicolon('after the declaration of a parameter');
  }
  p.closeScope();
  const missing = part.identifiers.find(({ text }) => !declared.has(text));
  if (missing && p.standard === 'c11')
    p.log.error(`the type of the parameter '${missing.text}' is missing`, missing.span, {
      hint: `Declare it in front of the body, as in 'int ${missing.text};'. Or read the file as older C, with the standard 'gnu89'.`,
    });
  const parameters = part.identifiers.map(
    (token): Parameter =>
      declared.get(token.text) ?? {
        specifiers: {
          storage: undefined,
          threadLocal: undefined,
          inline: false,
          noreturn: false,
          type: { kind: 'basic', words: ['int'], span: token.span },
          qualifiers: noQualifiers,
          attributes: [],
          alignments: [],
          span: token.span,
        },
        declarator: { kind: 'name', name: token.text, span: token.span },
        attributes: [],
        span: token.span,
      },
  );
  const replaced = (d: Declarator): Declarator =>
    d === part ? { ...part, parameters } : d.kind === 'name' ? d : { ...d, inner: replaced(d.inner) };
  return replaced(declarator);
}

/** type-name: specifiers abstract-declarator? */
export function parseTypeName(p: Parser): TypeName {
  return p.nested(() => readTypeName(p));
}

function readTypeName(p: Parser): TypeName {
  const start = p.token.span;
  const specifiers = parseSpecifiers(p);
  if (specifiers.storage) p.log.fail(`'${specifiers.storage}' cannot stand in a type name`, specifiers.span);
  const declarator = parseDeclarator(p, 'abstract');
  return { specifiers, declarator, span: p.spanFrom(start) };
}

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
  p.recovered();
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
      p.declare(declaredName(declarator).name, specifiers.storage === 'typedef');
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

/** The names a function definition's body begins with. */
export function parameterNames(declarator: Declarator): readonly (string | undefined)[] {
  return (functionPart(declarator)?.parameters ?? []).map((parameter) => declaredName(parameter.declarator).name);
}
