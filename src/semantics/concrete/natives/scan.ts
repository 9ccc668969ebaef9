/**
 * scanf's format language (C11 7.21.6.2). Where bytes come from and where results go is the caller's. As in glibc what
 * could have become a longer number ("0x", "1e") is taken whole, and is the number it begins with.
 */
import type { DataModel } from '../../../c/types';
import { FormatError, integerBytes } from './format';
import { UnsupportedByNative } from './native';
import { numberPrefix, parseFloating } from '../../../c/floatingPoint';

export interface ScanSource {
  /** -1 at the end. */
  peek(): number;
  /** After a `peek` that was not at the end. */
  skip(): void;
}

/** Asked in the order of the conversions that store something. */
export interface ScanTargets {
  integer(widthBytes: number, value: bigint): void;
  float(widthBits: 32 | 64, value: number): void;
  characters(text: string): void;
  /** A zero byte follows the text. */
  string(text: string): void;
}

export interface ScanConversion {
  readonly suppressed: boolean;
  readonly width: number | undefined;
  readonly length: string;
  readonly conversion: string;
  readonly set: ReadonlySet<number> | undefined;
}
type Piece =
  | { readonly kind: 'space' }
  | { readonly kind: 'byte'; readonly byte: number }
  | ({ readonly kind: 'conversion' } & ScanConversion);

const isSpace = (byte: number): boolean => byte === 32 || (byte >= 9 && byte <= 13);

/** The parts of a format; throws `FormatError` for one that has no meaning in C. */
export function scanPieces(format: string): Piece[] {
  const pieces: Piece[] = [];
  for (let i = 0; i < format.length;) {
    const c = format.charCodeAt(i);
    if (isSpace(c)) {
      pieces.push({ kind: 'space' });
      i++;
    } else if (c !== 0x25) {
      pieces.push({ kind: 'byte', byte: c });
      i++;
    } else {
      const match = /^%(\*)?(\d+)?(hh|h|ll|l|j|z|t|L|q|m)?(\[\^?\]?[^\]]*\]|[^[])/s.exec(format.slice(i));
      if (!match) throw new FormatError('a conversion that does not end');
      const [all, star, width, length = '', what = ''] = match;
      const conversion = what[0]!;
      if (!'diouxXcsn[feEgGaAFp%'.includes(conversion)) throw new FormatError(`%${conversion} is no conversion`);
      if (length === 'm' || conversion === 'm')
        throw new UnsupportedByNative('%m: allocation by scanf is not supported');
      if (length === 'l' && 'cs['.includes(conversion))
        throw new UnsupportedByNative(`%l${conversion}: wide characters are not supported`);
      pieces.push({
        kind: 'conversion',
        suppressed: star !== undefined,
        width: width === undefined || Number(width) === 0 ? undefined : Number(width),
        length,
        conversion,
        set: conversion === '[' ? setOf(what) : undefined,
      });
      i += all.length;
    }
  }
  return pieces;
}

/** `[^a-z]` as the bytes it accepts. */
function setOf(text: string): ReadonlySet<number> {
  const negated = text[1] === '^';
  const inside = text.slice(negated ? 2 : 1, -1);
  const listed = new Set<number>();
  for (let i = 0; i < inside.length; i++) {
    const from = inside.charCodeAt(i);
    const isRange = inside[i + 1] === '-' && i + 2 < inside.length;
    const to = isRange ? inside.charCodeAt(i + 2) : from;
    for (let byte = from; byte <= to; byte++) listed.add(byte);
    if (isRange) i += 2;
  }
  return negated ? new Set(Array.from({ length: 256 }, (_, byte) => byte).filter((byte) => !listed.has(byte))) : listed;
}

/** The number of items assigned, or -1 (EOF) when the input ended before the first. */
export function scan(format: string, source: ScanSource, targets: ScanTargets, model: DataModel): number {
  let assigned = 0;
  let consumed = 0;
  const skip = (): void => {
    source.skip();
    consumed++;
  };
  const skipSpace = (): void => {
    while (isSpace(source.peek())) skip();
  };
  const take = (most: number, accepts: (byte: number, text: string) => boolean): string => {
    let text = '';
    while (text.length < most) {
      const byte = source.peek();
      if (byte < 0 || !accepts(byte, text)) break;
      text += String.fromCharCode(byte);
      skip();
    }
    return text;
  };
  /** The end of the input before anything was assigned is a failure of the input (C: before anything was converted). */
  const stopped = (): number => (source.peek() < 0 && assigned === 0 ? -1 : assigned);
  for (const piece of scanPieces(format)) {
    if (piece.kind === 'space') {
      skipSpace();
      continue;
    }
    if (piece.kind === 'byte' || piece.conversion === '%') {
      if (piece.kind !== 'byte') skipSpace();
      if (source.peek() !== (piece.kind === 'byte' ? piece.byte : 0x25)) return stopped();
      skip();
      continue;
    }
    const { conversion, length, suppressed, set } = piece;
    const most = piece.width ?? Infinity;
    if (conversion === 'n') {
      if (!suppressed) targets.integer(integerBytes(length, model), BigInt(consumed));
      continue;
    }
    if (!'c['.includes(conversion)) skipSpace();
    if (source.peek() < 0) return stopped();
    switch (conversion) {
      case 'c': {
        const count = piece.width ?? 1;
        const text = take(count, () => true);
        if (text.length < count) return text.length === 0 ? stopped() : assigned;
        if (!suppressed) targets.characters(text);
        break;
      }
      case 's':
      case '[': {
        const text = take(most, (byte) => (set ? set.has(byte) : !isSpace(byte)));
        if (text === '') return assigned;
        if (!suppressed) targets.string(text);
        break;
      }
      case 'd':
      case 'i':
      case 'u':
      case 'o':
      case 'x':
      case 'X':
      case 'p': {
        const value = integerOf(take(most, integerPrefix(conversion)), conversion, length, model);
        if (value === undefined) return assigned;
        if (!suppressed)
          targets.integer(conversion === 'p' ? (model === 'lp64' ? 8 : 4) : integerBytes(length, model), value);
        break;
      }
      default: {
        const text = take(most, isFloatPrefix);
        const number = numberPrefix(text);
        if (number === undefined || /^[+-]?0x$/i.test(text) || (/^[+-]?[a-z]/i.test(text) && number !== text))
          return assigned;
        const widthBits = length === 'l' || length === 'L' ? 64 : 32;
        if (!suppressed) targets.float(widthBits, parseFloating(number, widthBits).value);
      }
    }
    if (!suppressed) assigned++;
  }
  return assigned;
}

const baseOf = (conversion: string): number => ({ d: 10, u: 10, o: 8, x: 16, X: 16, p: 16 })[conversion] ?? 0;

/** True if a byte carries on an integer's beginning. */
function integerPrefix(conversion: string): (byte: number, text: string) => boolean {
  const base = baseOf(conversion);
  return (byte, text) => {
    const c = String.fromCharCode(byte).toLowerCase();
    const body = text.replace(/^[+-]/, '').toLowerCase();
    if (text === '' && (c === '+' || c === '-')) return true;
    if (c === 'x') return body === '0' && (base === 16 || base === 0);
    const radix = base !== 0 ? base : body.startsWith('0x') ? 16 : body.startsWith('0') ? 8 : 10;
    const digit = parseInt(c, 36);
    return !Number.isNaN(digit) && digit < radix;
  };
}

function integerOf(text: string, conversion: string, length: string, model: DataModel): bigint | undefined {
  const match = /^([+-]?)(0[xX](?=[0-9a-fA-F]))?([0-9a-fA-F]+)/.exec(text);
  if (!match) return undefined;
  const [, sign, prefix, digits = ''] = match;
  const base = baseOf(conversion);
  const radix = prefix !== undefined ? 16 : base !== 0 ? base : digits.startsWith('0') ? 8 : 10;
  const magnitude = radix === 16 ? BigInt(`0x${digits}`) : radix === 8 ? BigInt(`0o0${digits}`) : BigInt(digits);
  const value = sign === '-' ? -magnitude : magnitude;
  // As glibc: read as strtol, strtoul or their long long versions would, then cut to the target.
  const wide = integerBytes(length, model) === 8 ? 64n : BigInt(model === 'lp64' ? 64 : 32);
  const [least, most] = 'di'.includes(conversion)
    ? [-(1n << (wide - 1n)), (1n << (wide - 1n)) - 1n]
    : [-((1n << wide) - 1n), (1n << wide) - 1n];
  return value > most ? most : value < least ? ('di'.includes(conversion) ? least : (1n << wide) - 1n) : value;
}

/** True if a byte carries on a possible floating-point number. */
function isFloatPrefix(byte: number, text: string): boolean {
  const longer = text + String.fromCharCode(byte);
  return floatPrefix.test(longer) && !/^[+-]?\.e/i.test(longer);
}

const floatPrefix = new RegExp(
  String.raw`^[+-]?(?:0x[0-9a-f]*(?:\.[0-9a-f]*)?(?:p(?:[+-]?[0-9]*))?|` +
    String.raw`(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]*)(?:e(?:[+-]?[0-9]*))?|` +
    'i|in|inf|infi|infin|infini|infinit|infinity|n|na|nan)?$',
  'i',
);
