/** Declaration specifiers, C11 6.7: storage classes, qualifiers, types; what begins a declaration or a type name. */
import { spanning } from '../tokens/spanning';
import {
  noQualifiers,
  type Alignment,
  type Attribute,
  type BasicWord,
  type Specifiers,
  type StorageClass,
  type TypeSpecifier,
} from '../syntax';
import type { Span } from '../source';
import type { Token } from '../tokens/token';
import { parseAttributes } from './attributes';
import { parseConditional, parseExpression } from './expressions';
import { headerOfType } from '../libraryNames';
import { repairSemicolon, repairType } from './misspelt';
import { isKeyword, type Parser } from './parser';
import { parseEnum, parseRecord } from './records';
import { parseTypeName } from './declarators';

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
export const roles: ReadonlyMap<string, Role> = new Map<string, Role>([
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
      hint:
        `Write 'int ${token.text}': C has had no implicit int since C99. Or read the file as older C, with the ` +
        "standard 'gnu89'.",
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
