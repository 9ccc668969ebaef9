/** Declarators, C11 6.7.6: pointers, arrays, functions with their parameters; and type names, C11 6.7.7. */
import { spanning } from '../tokens/spanning';
import {
  declaredName,
  functionPart,
  noQualifiers,
  type Attribute,
  type Declarator,
  type Parameter,
  type SyntaxQualifiers,
  type TypeName,
} from '../syntax';
import type { Token } from '../tokens/token';
import { parseAttributes } from './attributes';
import { parseAssignment } from './expressions';
import { isKeyword, type Parser } from './parser';
import { atTypeName, parseSpecifiers, roles } from './specifiers';

type Naming = 'named' | 'abstract' | 'either';

/** declarator: ('*' qualifiers)* direct-declarator */
export function parseDeclarator(p: Parser, naming: Naming): Declarator {
  const star = p.accept('*');
  if (!star) return parseDirectDeclarator(p, naming);
  const { qualifiers, attributes } = parseQualifiers(p);
  const inner = p.nest(() => parseDeclarator(p, naming));
  return {
    kind: 'pointer',
    qualifiers,
    inner,
    span: spanning(star.span, inner.span),
    ...(attributes.length > 0 && { attributes }),
  };
}

export function parseQualifiers(p: Parser): {
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
    d = p.nest(() => parseDeclarator(p, naming));
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
    else if (p.at('(')) d = p.nest(() => parseFunctionSuffix(p, d));
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
  const length = p.at(']') ? undefined : p.nest(() => parseAssignment(p));
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
  p.declare(declaredName(declarator).name, 'ordinary');
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
export function withOldStyleParameters(p: Parser, declarator: Declarator): Declarator {
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
      p.declare(name, 'ordinary');
      declared.set(name!, { specifiers, declarator: inner, attributes, span: p.spanFrom(start) });
    } while (p.accept(','));
    p.expectSemicolon('after the declaration of a parameter');
  }
  p.closeScope();
  const missing = part.identifiers.find(({ text }) => !declared.has(text));
  if (missing && p.standard === 'c11')
    p.log.error(`the type of the parameter '${missing.text}' is missing`, missing.span, {
      hint:
        `Declare it in front of the body, as in 'int ${missing.text};'. Or read the file as older C, with the ` +
        "standard 'gnu89'.",
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
  return p.nest(() => readTypeName(p));
}

function readTypeName(p: Parser): TypeName {
  const start = p.token.span;
  const specifiers = parseSpecifiers(p);
  if (specifiers.storage) p.log.fail(`'${specifiers.storage}' cannot stand in a type name`, specifiers.span);
  const declarator = parseDeclarator(p, 'abstract');
  return { specifiers, declarator, span: p.spanFrom(start) };
}

/** The names a function definition's body begins with. */
export function parameterNames(declarator: Declarator): readonly (string | undefined)[] {
  return (functionPart(declarator)?.parameters ?? []).map((parameter) => declaredName(parameter.declarator).name);
}
