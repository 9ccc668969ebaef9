/** Constants and string literals, C11 6.4.4 and 6.4.5: from spelling to value and type. */
import { parseFloating } from '../floatingPoint';
import type { Span } from '../source';
import { rawByte } from '../tokens/sourceBytes';
import { doubleType, floatType, longDoubleType, wrap } from '../target';
import type { Token } from '../tokens/token';
import type { TypedExpression } from '../tree';
import type { CType, IntegerName, IntegerType } from '../types';
import type { ElaborationContext } from './context';

export function numberLiteral(ctx: ElaborationContext, text: string, span: Span): TypedExpression {
  const hex = /^0[xX]/.test(text);
  if (hex ? /[pP.]/.test(text) : /^0[bB]/.test(text) ? false : /[.eE]/.test(text)) return floatLiteral(ctx, text, span);
  return integerLiteral(ctx, text, span);
}

function integerLiteral(ctx: ElaborationContext, text: string, span: Span): TypedExpression {
  const match = /^(0[xX][0-9a-fA-F]+|0[bB][01]+|[0-9]+)([uUlLzZ]*)$/.exec(text);
  if (!match) return ctx.log.fail(`'${text}' is not a number`, span);
  const [, digits, suffix] = match as unknown as [string, string, string];
  if (!/^(?:[uU]?(?:l|L|ll|LL)?|(?:l|L|ll|LL)[uU])$/.test(suffix))
    return ctx.log.fail(`invalid suffix '${suffix}' on an integer constant`, span);
  const octal = /^0[0-9]/.test(digits);
  if (octal && /[89]/.test(digits))
    return ctx.log.fail(`'${digits}' has a digit that is not octal`, span, {
      hint: 'A number that begins with 0 is octal.',
    });
  const value = BigInt(octal ? `0o${digits.slice(1)}` : digits);
  const decimal = /^[1-9]/.test(digits);
  const unsigned = /[uU]/.test(suffix);
  const longs = (suffix.match(/[lL]/g) ?? []).length;
  const type = candidates(unsigned, longs, decimal)
    .map((name) => ctx.target.integers[name])
    .find((t) => wrap(value, t) === value);
  if (!type) {
    if (decimal && !unsigned && value < 1n << 64n)
      return ctx.log.fail(`the integer constant ${digits} is too large for any signed type`, span, {
        hint: "Add the suffix 'u' for an unsigned constant.",
      });
    return ctx.log.fail(`the integer constant ${digits} is too large for any type`, span);
  }
  return { kind: 'integer', value, type, span };
}

/** 6.4.4.1p5: the first of these that holds the value. */
function candidates(unsigned: boolean, longs: number, decimal: boolean): readonly IntegerName[] {
  const all: readonly IntegerName[] = [
    'int',
    'unsigned int',
    'long',
    'unsigned long',
    'long long',
    'unsigned long long',
  ];
  return all.filter(
    (name, i) => i >= longs * 2 && (unsigned ? name.startsWith('unsigned') : !(decimal && name.startsWith('unsigned'))),
  );
}

function floatLiteral(ctx: ElaborationContext, text: string, span: Span): TypedExpression {
  const match = /^(0[xX][0-9a-fA-F]*\.?[0-9a-fA-F]*[pP][+-]?[0-9]+|[0-9]*\.?[0-9]*(?:[eE][+-]?[0-9]+)?)([fFlL]?)$/.exec(
    text,
  );
  if (!match) {
    if (/[ijIJ]$/.test(text)) return ctx.log.fail('complex numbers are not supported', span);
    return ctx.log.fail(`'${text}' is not a number`, span);
  }
  const [, digits, suffix] = match as unknown as [string, string, string];
  const type = suffix === '' ? doubleType : /[fF]/.test(suffix) ? floatType : longDoubleType;
  const { value } = parseFloating(digits, type.widthBits);
  return { kind: 'float', value, type, span };
}

const simpleEscapes: Readonly<Record<string, number>> = {
  n: 10,
  t: 9,
  '\\': 92,
  "'": 39,
  '"': 34,
  '?': 63,
  a: 7,
  b: 8,
  f: 12,
  v: 11,
  r: 13,
  e: 27,
  E: 27,
};

/**
 * The code units of what stands between quotes. Narrow: bytes, text as UTF-8; wide: code points (UTF-16 units for width
 * 16).
 */
function codeUnits(ctx: ElaborationContext, body: string, widthBits: number, span: Span): number[] {
  const units: number[] = [];
  const pushCodePoint = (c: number): void => {
    const raw = rawByte(c);
    if (raw !== undefined) {
      if (widthBits > 8) ctx.log.fail(`the byte 0x${raw.toString(16)} is not UTF-8`, span);
      units.push(raw);
      return;
    }
    const text = String.fromCodePoint(c);
    if (widthBits === 8) units.push(...Buffer.from(text, 'utf8'));
    else if (widthBits === 16) for (let i = 0; i < text.length; i++) units.push(text.charCodeAt(i));
    else units.push(c);
  };
  const escape = /^\\(?:([0-7]{1,3})|x([0-9a-fA-F]+)|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.))/su;
  for (let i = 0; i < body.length;) {
    if (body[i] !== '\\') {
      const c = body.codePointAt(i)!;
      pushCodePoint(c);
      i += c > 0xffff ? 2 : 1;
      continue;
    }
    const match = escape.exec(body.slice(i, i + 64)) ?? ctx.log.fail("a '\\' with nothing after it", span);
    i += match[0].length;
    const [, octal, hex, short, long, simple] = match;
    const numeric = octal !== undefined ? parseInt(octal, 8) : hex !== undefined ? parseInt(hex, 16) : undefined;
    if (numeric !== undefined) {
      if (numeric >= 2 ** widthBits) ctx.log.fail(`the escape sequence '${match[0]}' is out of range`, span);
      units.push(numeric);
    } else if (short !== undefined || long !== undefined) {
      const c = parseInt(short ?? long!, 16);
      if (c > 0x10ffff || (c >= 0xd800 && c < 0xe000)) ctx.log.fail(`'${match[0]}' is not a character`, span);
      pushCodePoint(c);
    } else if (Object.hasOwn(simpleEscapes, simple!)) {
      units.push(simpleEscapes[simple!]!);
    } else {
      ctx.log.warn(`unknown escape sequence '\\${simple!}'`, span);
      pushCodePoint(simple!.codePointAt(0)!);
    }
  }
  return units;
}

type Prefix = '' | 'L' | 'u8' | 'u' | 'U';

function split(text: string): { readonly prefix: Prefix; readonly body: string } {
  const quote = text.search(/["']/);
  return { prefix: text.slice(0, quote) as Prefix, body: text.slice(quote + 1, -1) };
}

function unitType(ctx: ElaborationContext, prefix: Prefix): IntegerType {
  const { integers, wideCharacter } = ctx.target;
  return {
    '': integers.char,
    u8: integers.char,
    L: wideCharacter,
    u: integers['unsigned short'],
    U: integers['unsigned int'],
  }[prefix];
}

/** Type int; several characters pack as GCC packs them, the last one lowest. */
export function characterLiteral(ctx: ElaborationContext, text: string, span: Span): TypedExpression {
  const { prefix, body } = split(text);
  const type = unitType(ctx, prefix);
  const units = codeUnits(ctx, body, type.widthBits, span);
  if (units.length === 0) return ctx.log.fail('empty character constant', span);
  if (prefix !== '') {
    if (units.length > 1) ctx.log.fail('more than one character in a wide character constant', span);
    return { kind: 'integer', value: wrap(BigInt(units[0]!), type), type, span };
  }
  if (units.length > 4)
    return ctx.log.fail('character constant too long for its type', span, {
      hint: 'A string is written with double quotes.',
    });
  if (units.length > 1) ctx.log.warn('character constant with several characters', span);
  const { int, char } = ctx.target.integers;
  const value =
    units.length === 1
      ? wrap(BigInt(units[0]!), char)
      : wrap(
          units.reduce((all, unit) => (all << 8n) | BigInt(unit), 0n),
          int,
        );
  return { kind: 'integer', value, type: int, span };
}

/** The bytes include the terminating zero. */
export function stringLiteral(
  ctx: ElaborationContext,
  pieces: readonly Token[],
  span: Span,
): Extract<TypedExpression, { kind: 'string' }> {
  const parts = pieces.map((piece) => split(piece.text));
  const prefixes = new Set(parts.map((part) => part.prefix).filter((prefix) => prefix !== ''));
  if (prefixes.size > 1) ctx.log.fail('string literals of different kinds side by side', span);
  const element = unitType(ctx, [...prefixes][0] ?? '');
  const units = parts.flatMap((part, i) => codeUnits(ctx, part.body, element.widthBits, pieces[i]!.span));
  units.push(0);
  return stringOf(element, units, span);
}

export function stringOf(
  element: IntegerType,
  units: readonly number[],
  span: Span,
): Extract<TypedExpression, { kind: 'string' }> {
  const size = element.widthBits / 8;
  const bytes = new Uint8Array(units.length * size);
  units.forEach((unit, i) => {
    for (let byte = 0; byte < size; byte++) bytes[i * size + byte] = Math.floor(unit / 2 ** (8 * byte)) & 0xff;
  });
  const type: CType = { kind: 'array', of: element, length: units.length };
  return { kind: 'string', bytes, type, span };
}
