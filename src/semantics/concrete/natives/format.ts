/**
 * printf's format language (C11 7.21.6.1). Text is handled as one character per byte. Where the arguments come from is
 * the caller's: they are asked for in order, each with the type its conversion wants.
 */
import type { DataModel } from '../../../c/types';
import { divideToEven } from '../../../c/floatingPoint';
import { decompose, toFixedDigits, scientific } from './decimal';
import { UnsupportedByNative } from './native';

export interface FormatArguments {
  integer(widthBits: 32 | 64): bigint;
  float(): number;
  /** As the integer C sees. */
  pointer(): bigint;
  /** The bytes of a string argument, at most that many. */
  string(limit: number | undefined): string;
  /** The characters of a wide string argument before its terminating zero, at most that many. */
  wideString(limit: number | undefined): readonly number[];
  /** Writes a number where a pointer argument leads. */
  count(widthBytes: number, value: bigint): void;
  /** Text that `errno` stands for: GNU's `%m`, which takes no argument. */
  errorText(): string;
}

interface Directive {
  readonly flags: string;
  readonly width: number;
  readonly precision: number | undefined;
  readonly length: string;
  readonly conversion: string;
}

/** Limit on a width or precision: no run has room for much more. */
const mostCharacters = 2 ** 26;

/** Thrown for a format that has no meaning in C. */
export class FormatError extends Error {}

export function format(text: string, args: FormatArguments, model: DataModel): string {
  const pattern = /%([-+ #0]*)(\*|\d+)?(?:\.(\*|-?\d+)?)?(hh|h|ll|l|j|z|t|L|q)?(.?)/gs;
  let written = '';
  let next = 0;
  for (const { 0: all, 1: flags, 2: width, 3: precision, 4: length = '', 5: conversion, index } of text.matchAll(
    pattern,
  )) {
    written += text.slice(next, index);
    next = index + all.length;
    if (all === '%%') {
      written += '%';
      continue;
    }
    const star = () => Number(BigInt.asIntN(32, args.integer(32)));
    const wide = width === '*' ? star() : Number(width ?? 0);
    const dotted = /^%[-+ #0]*(?:\*|\d+)?\./.test(all);
    const digits = !dotted ? undefined : precision === '*' ? star() : Number(precision ?? 0);
    if (Math.max(Math.abs(wide), digits ?? 0) > mostCharacters)
      throw new UnsupportedByNative(`%${conversion} of more than ${mostCharacters} characters is not supported`);
    if (conversion === 'n') args.count(integerBytes(length, model), BigInt(written.length));
    else
      written += convert(
        {
          flags: wide < 0 ? `${flags}-` : flags!,
          width: Math.abs(wide),
          precision: digits === undefined || digits < 0 ? undefined : digits,
          length,
          conversion: conversion!,
        },
        args,
        model,
      );
  }
  return written + text.slice(next);
}

function convert(d: Directive, args: FormatArguments, model: DataModel): string {
  switch (d.conversion) {
    case 'd':
    case 'i': {
      const value = BigInt.asIntN(narrowedWidth(d.length, model), args.integer(passedWidth(d.length, model)));
      return number(
        d,
        sign(d, value < 0n ? 'minus' : 'plus'),
        '',
        integerDigits(d, (value < 0n ? -value : value).toString()),
      );
    }
    case 'u':
    case 'o':
    case 'x':
    case 'X': {
      const value = BigInt.asUintN(narrowedWidth(d.length, model), args.integer(passedWidth(d.length, model)));
      return number(
        d,
        '',
        value !== 0n && d.flags.includes('#') ? { u: '', o: '', x: '0x', X: '0X' }[d.conversion] : '',
        unsignedDigits(d, value),
      );
    }
    case 'c': {
      if (d.length === 'l') return pad(d, narrow('%lc', [Number(args.integer(32))]));
      return pad(d, String.fromCharCode(Number(args.integer(32) & 0xffn)));
    }
    case 's': {
      if (d.length === 'l') return pad(d, narrow('%ls', args.wideString(d.precision)));
      return pad(d, args.string(d.precision));
    }
    case 'p': {
      const value = args.pointer();
      return pad(d, value === 0n ? '(nil)' : `0x${value.toString(16)}`);
    }
    case 'f':
    case 'F':
    case 'e':
    case 'E':
    case 'g':
    case 'G':
    case 'a':
    case 'A': {
      const text = float(d, args.float());
      return d.conversion === d.conversion.toUpperCase() ? text.toUpperCase() : text;
    }
    case '':
      throw new FormatError('a lone % at the end');
    case 'm':
      return pad(d, args.errorText().slice(0, d.precision));
    default:
      throw new FormatError(`%${d.conversion} is no conversion`);
  }
}

/** In the locale that every program begins in, only ASCII has a form as bytes. */
function narrow(conversion: string, characters: readonly number[]): string {
  const outside = characters.find((c) => c < 0 || c > 127);
  if (outside !== undefined)
    throw new UnsupportedByNative(`${conversion} with characters outside ASCII (${outside}) is not supported`);
  return String.fromCharCode(...characters);
}

/** Bytes of an integer target. */
export function integerBytes(length: string, model: DataModel): number {
  switch (length) {
    case 'hh':
      return 1;
    case 'h':
      return 2;
    case 'll':
    case 'j':
    case 'q':
    case 'L':
      return 8;
    case 'l':
    case 'z':
    case 't':
      return model === 'lp64' ? 8 : 4;
    default:
      return 4;
  }
}

const longBits = (model: DataModel): 32 | 64 => (model === 'lp64' ? 64 : 32);

/** Width in which the argument was passed. */
function passedWidth(length: string, model: DataModel): 32 | 64 {
  switch (length) {
    case 'll':
    case 'j':
    case 'q':
    case 'L':
      return 64;
    case 'l':
    case 'z':
    case 't':
      return longBits(model);
    default:
      return 32;
  }
}

/** Width to which the argument is brought before printing. */
function narrowedWidth(length: string, model: DataModel): number {
  return length === 'hh' ? 8 : length === 'h' ? 16 : passedWidth(length, model);
}

function sign(d: Directive, of: 'minus' | 'plus'): string {
  return of === 'minus' ? '-' : d.flags.includes('+') ? '+' : d.flags.includes(' ') ? ' ' : '';
}

function integerDigits(d: Directive, digits: string): string {
  return d.precision === 0 && digits === '0' ? '' : digits.padStart(d.precision ?? 1, '0');
}

function unsignedDigits(d: Directive, value: bigint): string {
  if (d.conversion === 'u') return integerDigits(d, value.toString());
  if (d.conversion !== 'o')
    return integerDigits(d, d.conversion === 'x' ? value.toString(16) : value.toString(16).toUpperCase());
  const digits = integerDigits(d, value.toString(8));
  return d.flags.includes('#') && !digits.startsWith('0') ? `0${digits}` : digits;
}

/** For integers the flag 0 is ignored when there is a precision. */
function number(d: Directive, signText: string, prefix: string, digits: string): string {
  const zeros = d.flags.includes('0') && !d.flags.includes('-') && d.precision === undefined;
  return zeros
    ? signText + prefix + digits.padStart(d.width - signText.length - prefix.length, '0')
    : pad(d, signText + prefix + digits);
}

function pad(d: Directive, text: string): string {
  return d.flags.includes('-') ? text.padEnd(d.width) : text.padStart(d.width);
}

function float(d: Directive, value: number): string {
  const signText = sign(d, value < 0 || Object.is(value, -0) ? 'minus' : 'plus');
  if (!Number.isFinite(value)) return pad(d, Number.isNaN(value) ? `${sign(d, 'plus')}nan` : `${signText}inf`);
  const hex = d.conversion === 'a' || d.conversion === 'A';
  const prefix = hex ? '0x' : '';
  const body = hex ? hexadecimal(value, d) : decimal(value, d);
  const zeros = d.flags.includes('0') && !d.flags.includes('-');
  return zeros
    ? signText + prefix + body.padStart(d.width - signText.length - prefix.length, '0')
    : pad(d, signText + prefix + body);
}

function decimal(value: number, d: Directive): string {
  const precision = d.precision ?? 6;
  const alternative = d.flags.includes('#');
  const point = (whole: string, fraction: string) => (fraction !== '' || alternative ? `${whole}.${fraction}` : whole);
  switch (d.conversion) {
    case 'f':
    case 'F': {
      const { whole, fraction } = toFixedDigits(value, precision);
      return point(whole, fraction);
    }
    case 'e':
    case 'E': {
      const { digits, exponent } = scientific(value, precision);
      return `${point(digits[0]!, digits.slice(1))}e${exponentText(exponent)}`;
    }
    default: {
      const significant = precision === 0 ? 1 : precision;
      const { digits, exponent } = scientific(value, significant - 1);
      const stripped = (fraction: string) => (alternative ? fraction : fraction.replace(/0+$/, ''));
      if (exponent < -4 || exponent >= significant)
        return `${point(digits[0]!, stripped(digits.slice(1)))}e${exponentText(exponent)}`;
      const { whole, fraction } = toFixedDigits(value, significant - 1 - exponent);
      return point(whole, stripped(fraction));
    }
  }
}

const exponentText = (exponent: number): string =>
  `${exponent < 0 ? '-' : '+'}${Math.abs(exponent).toString().padStart(2, '0')}`;

/** Without the 0x. The first digit is 1 for normal numbers, as in glibc. */
function hexadecimal(value: number, d: Directive): string {
  let { mantissa, exponent } = decompose(value);
  if (mantissa === 0n) exponent = 0;
  else exponent += 52;
  let digits = 13;
  if (d.precision !== undefined && d.precision < 13) {
    mantissa = divideToEven(mantissa, 1n << BigInt(4 * (13 - d.precision)));
    digits = d.precision;
  }
  const text = mantissa.toString(16).padStart(digits + 1, '0');
  let fraction = text.slice(text.length - digits);
  if (digits === 0) fraction = '';
  if (d.precision === undefined) fraction = fraction.replace(/0+$/, '');
  else fraction = fraction.padEnd(d.precision, '0');
  const whole = text.slice(0, text.length - digits);
  return (
    `${whole}${fraction !== '' || d.flags.includes('#') ? '.' : ''}${fraction}p${exponent < 0 ? '-' : '+'}` +
    `${Math.abs(exponent)}`
  );
}
