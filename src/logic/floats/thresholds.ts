/**
 * Comparisons of a rounded operation with a literal, as comparisons of the operand. Rounding to nearest is monotone
 * (IEEE 754, 4.3), so `x + k`, `x * k`, `x / k`, `k - x`, `sqrt(x)` and conversions are monotone functions f of x.
 * `f(x) <= m` therefore is `x <= t` for the largest number t with `f(t) <= m`, which a binary search over all numbers
 * of the format finds. Except for `sqrt`, f yields NaN for NaN alone, so comparisons with NaN are false on both sides.
 */
import { call } from '../call';
import { sle, ule } from '../comparison';
import { ite } from '../conditional';
import { floatBits, floatOf } from './patterns';
import { FALSE, TRUE, bits, isApplication, widthOf } from '../intern';
import { and } from '../propositional';
import { boolSort } from '../sort';
import type { Application, Term } from '../term';

type Width = 32 | 64;
type Comparison = 'eq' | 'lt' | 'le';

interface Monotone {
  readonly operand: Term;
  readonly direction: 'increasing' | 'decreasing';
  readonly domain: Domain;
  readonly apply: (x: number) => number;
}

/** The values of an operand in ascending order, by position. */
interface Domain {
  readonly first: bigint;
  readonly last: bigint;
  readonly value: (position: bigint) => number;
  /** Operand at or above the position, or at or below it. */
  readonly atLeast: (operand: Term, position: bigint) => Term;
  readonly atMost: (operand: Term, position: bigint) => Term;
}

/**
 * The same condition over the operand of a monotone operation. Undefined if no side is such an operation, or if the
 * other one is no literal.
 */
export function thresholdOf(t: Application): Term | undefined {
  const compared = /^float-(eq|lt|le)-(32|64)$/.exec(t.name ?? '');
  if (!compared) return undefined;
  const [comparison, width] = [compared[1] as Comparison, Number(compared[2]) as Width];
  const [a, b] = t.args as [Term, Term];
  const literal = a.kind === 'bits' ? a : b;
  if (literal.kind !== 'bits') return undefined;
  const other = literal === a ? b : a;
  const isLeft = literal === b;
  if (isApplication(other, 'ite')) {
    const side = (x: Term): Term => call(t.name!, boolSort, ...(isLeft ? [x, literal] : [literal, x]));
    const [condition, then, otherwise] = other.args.map((x, i) => (i === 0 ? x : side(x))) as [Term, Term, Term];
    return ite(condition, then, otherwise);
  }
  const f = monotone(other);
  if (!f) return undefined;
  const m = floatOf(literal.value, width);
  if (Number.isNaN(m)) return FALSE;
  return satisfying(f, comparison, m, isLeft);
}

/** `f(x) <= m`, or `m <= f(x)` if f(x) is not on the left. */
function satisfying(f: Monotone, comparison: Comparison, m: number, isLeft: boolean): Term {
  const { domain, operand } = f;
  const strict = comparison === 'lt';
  const isBelow = (x: bigint): boolean => (strict ? f.apply(domain.value(x)) < m : f.apply(domain.value(x)) <= m);
  const isAbove = (x: bigint): boolean => (strict ? f.apply(domain.value(x)) > m : f.apply(domain.value(x)) >= m);
  const upTo = (holds: (x: bigint) => boolean): Term => {
    const most = lastWith(domain, holds);
    return most === undefined ? FALSE : domain.atMost(operand, most);
  };
  const from = (holds: (x: bigint) => boolean): Term => {
    const least = firstWith(domain, holds);
    return least === undefined ? FALSE : domain.atLeast(operand, least);
  };
  const below = (): Term => (f.direction === 'increasing' ? upTo(isBelow) : from(isBelow));
  const above = (): Term => (f.direction === 'increasing' ? from(isAbove) : upTo(isAbove));
  if (comparison === 'eq') return and(below(), above());
  return isLeft ? below() : above();
}

/** `holds` is true up to some position. */
function lastWith({ first, last }: Domain, holds: (x: bigint) => boolean): bigint | undefined {
  if (!holds(first)) return undefined;
  let [low, high] = [first, last];
  while (low < high) {
    const middle = high - (high - low) / 2n;
    if (holds(middle)) low = middle;
    else high = middle - 1n;
  }
  return low;
}

/** `holds` is true from some position on. */
function firstWith({ first, last }: Domain, holds: (x: bigint) => boolean): bigint | undefined {
  if (!holds(last)) return undefined;
  let [low, high] = [first, last];
  while (low < high) {
    const middle = low + (high - low) / 2n;
    if (holds(middle)) high = middle;
    else low = middle + 1n;
  }
  return low;
}

function floats(width: Width): Domain {
  const sign = 1n << BigInt(width - 1);
  const infinite = floatBits(Infinity, width);
  const pattern = (position: bigint): bigint => (position < 0n ? sign - position : position);
  const literal = (position: bigint): Term => bits(pattern(position), width);
  return {
    first: -infinite,
    last: infinite,
    value: (position) => floatOf(pattern(position), width),
    atLeast: (operand, position) => call(`float-le-${width}`, boolSort, literal(position), operand),
    atMost: (operand, position) => call(`float-le-${width}`, boolSort, operand, literal(position)),
  };
}

function integers(width: number, signed: boolean): Domain {
  const one = 1n << BigInt(width);
  const [first, last] = signed ? [-one / 2n, one / 2n - 1n] : [0n, one - 1n];
  const literal = (value: bigint): Term => bits(BigInt.asUintN(width, value), width);
  const le = signed ? sle : ule;
  return {
    first,
    last,
    value: Number,
    atLeast: (operand, value) => (value === first ? TRUE : le(literal(value), operand)),
    atMost: (operand, value) => (value === last ? TRUE : le(operand, literal(value))),
  };
}

function monotone(t: Term): Monotone | undefined {
  if (!isApplication(t, 'call')) return undefined;
  const fromInteger = /^convert-(u?)integer(\d+)-float(32|64)$/.exec(t.name!);
  if (fromInteger) {
    const operand = t.args[0]!;
    const to = Number(fromInteger[3]) as Width;
    // Through binary64 a long integer would be rounded twice.
    if (to === 32 && widthOf(operand) > 32) return undefined;
    return {
      operand,
      direction: 'increasing',
      domain: integers(widthOf(operand), fromInteger[1] === ''),
      apply: to === 32 ? Math.fround : (x) => x,
    };
  }
  const between = /^convert-float(32|64)-float(32|64)$/.exec(t.name!);
  if (between)
    return {
      operand: t.args[0]!,
      direction: 'increasing',
      domain: floats(Number(between[1]) as Width),
      apply: between[2] === '32' ? Math.fround : (x) => x,
    };
  const root = /^float-sqrt-(32|64)$/.exec(t.name!);
  if (root) return squareRoot(t.args[0]!, Number(root[1]) as Width);
  const operation = /^float-(add|subtract|multiply|divide|negate)-(32|64)$/.exec(t.name!);
  return operation ? ofOperation(operation[1]!, Number(operation[2]) as Width, t.args) : undefined;
}

/** For numbers that are not negative. The root of others is a NaN, and a comparison with it is false either way. */
function squareRoot(operand: Term, width: Width): Monotone {
  const all = floats(width);
  return {
    operand,
    direction: 'increasing',
    domain: {
      ...all,
      first: 0n,
      atMost: (x, position) => and(all.atLeast(x, 0n), all.atMost(x, position)),
    },
    apply: width === 32 ? (x) => Math.fround(Math.sqrt(x)) : Math.sqrt,
  };
}

function ofOperation(operator: string, width: Width, [a, b]: readonly Term[]): Monotone | undefined {
  const domain = floats(width);
  const rounded = (f: (x: number) => number): ((x: number) => number) => (width === 32 ? (x) => Math.fround(f(x)) : f);
  const monotone = (operand: Term, direction: Monotone['direction'], f: (x: number) => number): Monotone => ({
    operand,
    direction,
    domain,
    apply: rounded(f),
  });
  if (operator === 'negate') return monotone(a!, 'decreasing', (x) => -x);
  const isSecond = b!.kind === 'bits';
  const literal = isSecond ? b! : a!;
  if (literal.kind !== 'bits') return undefined;
  const operand = isSecond ? a! : b!;
  const k = floatOf(literal.value, width);
  if (!Number.isFinite(k)) return undefined;
  const bySign = k > 0 ? 'increasing' : 'decreasing';
  switch (operator) {
    case 'add':
      return monotone(operand, 'increasing', (x) => x + k);
    case 'subtract':
      return isSecond ? monotone(operand, 'increasing', (x) => x - k) : monotone(operand, 'decreasing', (x) => k - x);
    case 'multiply':
      return k === 0 ? undefined : monotone(operand, bySign, (x) => x * k);
    default:
      return k === 0 || !isSecond ? undefined : monotone(operand, bySign, (x) => x / k);
  }
}
