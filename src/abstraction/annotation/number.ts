/**
 * Integers in the annotation languages of other verifiers. A number is an expression that has a mathematical value
 * within bounds. ACSL computes in the integers. CBMC computes in the types of C, so an operation whose result leaves
 * the type of its operands is computed in a wider one. Texts say what the terms say, never something stronger.
 */
import { signednessOf, type Signedness } from '../../logic/words/words';

export type Dialect = 'cbmc' | 'acsl';

/** Binding strengths of C operators, for parentheses. */
export const strength = {
  conditional: 0,
  or: 1,
  and: 2,
  bits: 3,
  compare: 4,
  shift: 5,
  sum: 6,
  product: 7,
  unary: 8,
  primary: 9,
} as const;

export interface Text {
  readonly text: string;
  readonly strength: number;
}

/** The type in which C evaluates the expression, after promotion. */
export interface NumberType {
  readonly bits: 32 | 64 | 128;
  readonly signed: boolean;
}

export interface Numeral extends Text {
  readonly low: bigint;
  readonly high: bigint;
  readonly type: NumberType;
  /** A constant; C converts it to the type of the other operand. */
  readonly literal?: true;
}

/** Thrown by what a dialect cannot express, and caught where a formula begins. */
export class NotExpressible extends Error {}

const signedTypes: readonly NumberType[] = [
  { bits: 32, signed: true },
  { bits: 64, signed: true },
  { bits: 128, signed: true },
];

export const leastOf = (bits: number, signedness: Signedness): bigint =>
  signedness === 'signed' ? -(1n << BigInt(bits - 1)) : 0n;
export const greatestOf = (bits: number, signedness: Signedness): bigint =>
  (1n << BigInt(signedness === 'signed' ? bits - 1 : bits)) - 1n;

/** C's names of the types that have exactly so many bits; 128 bits are an extension of compilers. */
export function typeName(bits: number, signedness: Signedness): string | undefined {
  const signed = signedness === 'signed';
  switch (bits) {
    case 8:
      return signed ? 'signed char' : 'unsigned char';
    case 16:
      return signed ? 'short' : 'unsigned short';
    case 32:
      return signed ? 'int' : 'unsigned int';
    case 64:
      return signed ? 'long long' : 'unsigned long long';
    case 128:
      return signed ? '__int128' : 'unsigned __int128';
    default:
      return undefined;
  }
}

const covers = (type: NumberType, low: bigint, high: bigint): boolean =>
  leastOf(type.bits, signednessOf(type)) <= low && high <= greatestOf(type.bits, signednessOf(type));

export const within = (text: Text, least: number): string => (text.strength < least ? `(${text.text})` : text.text);

export function literal(value: bigint): Numeral {
  const bounds = { low: value, high: value, literal: true } as const;
  const type = signedTypes.find((one) => covers(one, value, value));
  const unsigned: NumberType = { bits: 64, signed: false };
  if (value === leastOf(32, 'signed'))
    return { text: '(-2147483647 - 1)', strength: strength.primary, type: type!, ...bounds };
  if (value === leastOf(64, 'signed'))
    return { text: '(-9223372036854775807LL - 1)', strength: strength.primary, type: type!, ...bounds };
  if (type && type.bits < 128)
    return {
      text: `${value}${type.bits === 64 ? 'LL' : ''}`,
      strength: value < 0n ? strength.unary : strength.primary,
      type,
      ...bounds,
    };
  if (covers(unsigned, value, value))
    return { text: `${value}ULL`, strength: strength.primary, type: unsigned, ...bounds };
  throw new NotExpressible();
}

/** Operations on numbers in one dialect. */
export class Numerals {
  constructor(private readonly dialect: Dialect) {}

  /** The value modulo 2^`bits`, read as signed or unsigned. */
  wrap(value: Numeral, bits: number, signedness: Signedness): Numeral {
    const [low, high] = [leastOf(bits, signedness), greatestOf(bits, signedness)];
    if (low <= value.low && value.high <= high) return value;
    const name = typeName(bits, signedness);
    if (name === undefined || bits > 64) throw new NotExpressible();
    const type: NumberType =
      bits < 32 ? { bits: 32, signed: true } : { bits: bits === 32 ? 32 : 64, signed: signedness === 'signed' };
    return { text: `(${name})${within(value, strength.unary)}`, strength: strength.unary, low, high, type };
  }

  sum(a: Numeral, b: Numeral): Numeral {
    if (a.literal && !b.literal) return this.sum(b, a);
    if (b.literal && b.high < 0n) return this.difference(a, literal(-b.low));
    if (b.literal && b.low === 0n) return a;
    return this.binary('+', a, b, a.low + b.low, a.high + b.high, strength.sum);
  }

  difference(a: Numeral, b: Numeral): Numeral {
    return this.binary('-', a, b, a.low - b.high, a.high - b.low, strength.sum);
  }

  product(a: Numeral, b: Numeral): Numeral {
    if (b.literal && !a.literal) return this.product(b, a);
    if (a.literal && a.low === 1n) return b;
    if (a.literal && a.low === -1n) return this.negate(b);
    const corners = [a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high];
    return this.binary('*', a, b, least(corners), greatest(corners), strength.product);
  }

  negate(a: Numeral): Numeral {
    if (a.literal) return literal(-a.low);
    const [one] = this.inType([a], -a.high, -a.low);
    return {
      text: `-${within(one!, strength.primary)}`,
      strength: strength.unary,
      low: -a.high,
      high: -a.low,
      type: one!.type,
    };
  }

  /** By a constant that is neither 0 nor -1: C and ACSL truncate toward zero. */
  quotient(a: Numeral, divisor: bigint): Numeral {
    const bounds = [a.low / divisor, a.high / divisor, 0n];
    return this.binary('/', a, literal(divisor), least(bounds), greatest(bounds), strength.product);
  }

  remainder(a: Numeral, divisor: bigint): Numeral {
    const most = (divisor < 0n ? -divisor : divisor) - 1n;
    return this.binary('%', a, literal(divisor), a.low < 0n ? -most : 0n, a.high > 0n ? most : 0n, strength.product);
  }

  /** Rounded down. */
  shiftedRight(a: Numeral, by: bigint): Numeral {
    return {
      text: `${within(a, strength.shift)} >> ${by}`,
      strength: strength.shift,
      low: a.low >> by,
      high: a.high >> by,
      type: a.type,
    };
  }

  /** On numbers of so many bits, which have all bits above equal to their sign. */
  bitwise(operator: '&' | '|' | '^', a: Numeral, b: Numeral, bits: number, signedness: Signedness): Numeral {
    const mask = operator === '&' ? [a, b].find((one) => one.literal && one.low >= 0n) : undefined;
    const low = mask ? 0n : leastOf(bits, signedness);
    const high = mask ? mask.high : greatestOf(bits, signedness);
    const all = this.inType([a, b], low, high);
    return {
      text: `(${all.map((one) => within(one, strength.shift)).join(` ${operator} `)})`,
      strength: strength.primary,
      low,
      high,
      type: common(all),
    };
  }

  choice(condition: Text, a: Numeral, b: Numeral): Numeral {
    const [low, high] = [least([a.low, b.low]), greatest([a.high, b.high])];
    const all = this.inType([a, b], low, high);
    return {
      text: `(${within(condition, strength.or)} ? ${all.map((one) => within(one, strength.or)).join(' : ')})`,
      strength: strength.primary,
      low,
      high,
      type: common(all),
    };
  }

  comparison(operator: '==' | '!=' | '<' | '<=', a: Numeral, b: Numeral): Text {
    const [left, right] = this.inType([a, b], least([a.low, b.low]), greatest([a.high, b.high])) as [Numeral, Numeral];
    const [first, second, sign] =
      left.literal && !right.literal
        ? [right, left, { '==': '==', '!=': '!=', '<': '>', '<=': '>=' }[operator]]
        : [left, right, operator];
    return {
      text: `${within(first, strength.shift)} ${sign} ${within(second, strength.shift)}`,
      strength: strength.compare,
    };
  }

  private binary(operator: string, a: Numeral, b: Numeral, low: bigint, high: bigint, own: number): Numeral {
    const all = this.inType([a, b], low, high);
    const [left, right] = all as [Numeral, Numeral];
    return {
      text: `${within(left, own)} ${operator} ${within(right, own + 1)}`,
      strength: own,
      low,
      high,
      type: common(all),
    };
  }

  /** The operands, converted where C's own conversions would change a value or the result would not fit. */
  private inType(operands: readonly Numeral[], low: bigint, high: bigint): readonly Numeral[] {
    const least1 = least([low, ...operands.map((one) => one.low)]);
    const greatest1 = greatest([high, ...operands.map((one) => one.high)]);
    if (this.dialect === 'acsl') return operands;
    if (covers(common(operands), least1, greatest1)) return operands;
    const type = signedTypes.find((one) => covers(one, least1, greatest1));
    if (!type) throw new NotExpressible();
    return operands.map((one) =>
      one.literal || (one.type.signed && one.type.bits === type.bits)
        ? one
        : {
            ...one,
            text: `(${typeName(type.bits, 'signed')})${within(one, strength.unary)}`,
            strength: strength.unary,
            type,
          },
    );
  }
}

/** C's usual arithmetic conversions. */
function common(operands: readonly Numeral[]): NumberType {
  return operands
    .map(({ type }) => type)
    .reduce((a, b) => {
      const bits = a.bits > b.bits ? a.bits : b.bits;
      return { bits, signed: [a, b].every((one) => one.signed || one.bits < bits) };
    });
}

const least = (values: readonly bigint[]): bigint => values.reduce((a, b) => (a < b ? a : b));
const greatest = (values: readonly bigint[]): bigint => values.reduce((a, b) => (a > b ? a : b));
