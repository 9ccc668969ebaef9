/** Conversions, C11 6.3 and 6.5.16.1: each becomes a node of the typed tree, and the ones C forbids an error. */
import { evaluateConstant } from '../constant';
import { printType } from '../printType';
import type { Span } from '../source';
import {
  doubleType,
  floatType,
  integerOf,
  isArithmetic,
  isInteger,
  isScalar,
  longDoubleType,
  pointerTo,
  withoutQualifiers,
  type Target,
} from '../target';
import type { TypedExpression } from '../tree';
import { compatible, compatibleUnqualified, composite, haveOtherLengths, sameUnqualified } from '../typeRelations';
import type { CType, EnumType, FloatType, IntegerName, IntegerType } from '../types';
import type { ElaborationContext } from './context';

/** The expression denotes a place. */
export function isLvalue(e: TypedExpression): boolean {
  switch (e.kind) {
    case 'variable':
    case 'string':
    case 'compound-literal':
      return true;
    case 'dereference':
      return e.type.kind !== 'function';
    case 'member':
      return isLvalue(e.object);
    default:
      return false;
  }
}

/** Lvalue conversion, array decay and function decay (6.3.2.1). */
export function rvalue(ctx: ElaborationContext, e: TypedExpression): TypedExpression {
  if (e.type.kind === 'function') {
    if (e.kind === 'dereference') return { ...e.pointer, span: e.span };
    return { kind: 'function-pointer', designator: e, type: pointerTo(e.type), span: e.span };
  }
  if (e.type.kind === 'array') {
    return { kind: 'decay', lvalue: e, type: pointerTo(e.type.of), span: e.span };
  }
  if (!isLvalue(e)) return e;
  if (e.type.kind === 'void') return e;
  if (e.type.kind === 'record' && !e.type.record.complete)
    ctx.log.fail(`'${printType(withoutQualifiers(e.type))}' is incomplete here`, e.span);
  return { kind: 'load', lvalue: e, type: withoutQualifiers(e.type), span: e.span };
}

/** An implicit conversion makes no node when the type already fits. */
export function convert(
  e: TypedExpression,
  type: CType,
  form: 'implicit' | 'explicit' = 'implicit',
  span: Span = e.span,
): TypedExpression {
  const to = withoutQualifiers(type);
  const implicit = form === 'implicit';
  if (implicit && sameUnqualified(e.type, to) && !haveOtherLengths(e.type, to)) return e;
  return { kind: 'convert', operand: e, implicit, type: to, span };
}

/** The bit-field whose value an expression has: seen through assignment, `++x` and the comma, as compilers do. */
function bitFieldOf(e: TypedExpression): { readonly width: number } | undefined {
  const width = reduced.get(e);
  if (width !== undefined) return { width };
  switch (e.kind) {
    case 'load':
      return e.lvalue.kind === 'member' ? e.lvalue.field.bits : undefined;
    case 'member':
      return e.field.bits;
    case 'assign':
    case 'compound-assign':
      return e.target.kind === 'member' ? e.target.field.bits : undefined;
    case 'increment':
      return e.result === 'new' && e.target.kind === 'member' ? e.target.field.bits : undefined;
    case 'comma':
      return bitFieldOf(e.right);
    default:
      return undefined;
  }
}

/** Results of arithmetic that have fewer bits than their type, see `reduce`. */
const reduced = new WeakMap<TypedExpression, number>();

/**
 * GCC computes with unsigned bit-fields of 33 to 63 bits in integers of just that many bits (Clang in their declared
 * type; C allows both), and so do we: the bits above are cut off. Undefined when the operands make a wider type, or one
 * that is signed.
 */
export function reducedWidth(
  ctx: ElaborationContext,
  type: CType,
  operands: readonly TypedExpression[],
): number | undefined {
  if (!isInteger(type) || integerOf(type).signed || integerOf(type).widthBits !== 64) return undefined;
  const precisions = operands.map((e) => {
    const width = bitFieldOf(e)?.width ?? 0;
    return isInteger(e.type)
      ? width > 32
        ? width
        : promotedType(e as TypedExpression & { type: IntegerType }, ctx.target).widthBits
      : 64;
  });
  const most = Math.max(...precisions);
  return most > 32 &&
    most < 64 &&
    operands.every((e, i) => precisions[i] !== most || (isInteger(e.type) && !integerOf(e.type).signed))
    ? most
    : undefined;
}

/** Modulo 2^`width`; `width` undefined leaves the value alone. */
export function reduce(e: TypedExpression, width: number | undefined): TypedExpression {
  if (width === undefined || bitFieldOf(e)?.width === width) return e;
  const mask: TypedExpression = {
    kind: 'integer',
    value: (1n << BigInt(width)) - 1n,
    type: e.type as IntegerType,
    span: e.span,
  };
  const result: TypedExpression = {
    kind: 'arithmetic',
    operator: '&',
    left: e,
    right: mask,
    type: e.type as IntegerType,
    span: e.span,
  };
  reduced.set(result, width);
  return result;
}

/** The type after the integer promotions (6.3.1.1p2). Bit-fields of more than 32 bits keep their declared type. */
function promotedType(e: TypedExpression & { type: IntegerType | EnumType }, target: Target): IntegerType {
  const type = integerOf(e.type);
  const { int, 'unsigned int': unsignedInt } = target.integers;
  const bits = bitFieldOf(e);
  if (bits && bits.width <= 32) return bits.width < 32 || type.signed ? int : unsignedInt;
  return type.widthBits < 32 ? int : type;
}

export function promote(ctx: ElaborationContext, e: TypedExpression): TypedExpression {
  return isInteger(e.type) ? convert(e, promotedType(e as TypedExpression & { type: IntegerType }, ctx.target)) : e;
}

/**
 * See `reducedWidth`. Only where the operands leave a difference is it worth a word; `other` is the second operand, if
 * there is one.
 */
export function warnOfWideBitField(ctx: ElaborationContext, e: TypedExpression, other?: TypedExpression): void {
  if (ctx.unevaluated > 0 || !isInteger(e.type) || reduced.has(e)) return;
  const width = bitFieldOf(e)?.width ?? 0;
  if (width <= 32 || width >= integerOf(e.type).widthBits) return;
  if (
    other &&
    (other.type.kind === 'float' ||
      (isInteger(other.type) && integerOf(other.type).widthBits === 64 && !bitFieldOf(other)))
  )
    return;
  ctx.log.warn(
    `compilers differ on arithmetic with a bit-field of ${width} bits; it is done ` +
      `${integerOf(e.type).signed ? `in '${printType(integerOf(e.type))}'` : `with ${width} bits`} here, as in ` +
      `${integerOf(e.type).signed ? 'Clang' : 'GCC'}`,
    e.span,
    { hint: `Cast it to '${printType(integerOf(e.type))}' to make sure.` },
  );
}

/** The default argument promotions (6.5.2.2p6). */
export function promoteArgument(ctx: ElaborationContext, e: TypedExpression): TypedExpression {
  return e.type.kind === 'float' && e.type.name === 'float' ? convert(e, doubleType) : promote(ctx, e);
}

const ranks: Readonly<Record<IntegerName, number>> = {
  bool: 0,
  char: 1,
  'signed char': 1,
  'unsigned char': 1,
  short: 2,
  'unsigned short': 2,
  int: 3,
  'unsigned int': 3,
  long: 4,
  'unsigned long': 4,
  'long long': 5,
  'unsigned long long': 5,
  __int128: 6,
  'unsigned __int128': 6,
};
const rank = (name: IntegerName): number => ranks[name];

/**
 * The common type of the usual arithmetic conversions (6.3.1.8). In an update the result goes back into `a`, so that
 * its upper bits do not matter.
 */
export function commonType(
  ctx: ElaborationContext,
  a: TypedExpression,
  b: TypedExpression,
  use: 'value' | 'update' = 'value',
): IntegerType | FloatType {
  if (a.type.kind === 'float' || b.type.kind === 'float') {
    const names = [a.type, b.type].map((t) => (t.kind === 'float' ? t.name : undefined));
    return names.includes('long double') ? longDoubleType : names.includes('double') ? doubleType : floatType;
  }
  if (use === 'value') warnOfWideBitField(ctx, a, b);
  warnOfWideBitField(ctx, b, a);
  const x = promotedType(a as TypedExpression & { type: IntegerType }, ctx.target);
  const y = promotedType(b as TypedExpression & { type: IntegerType }, ctx.target);
  if (x.name === y.name) return x;
  if (x.signed === y.signed) return rank(x.name) >= rank(y.name) ? x : y;
  const [signed, unsigned] = x.signed ? [x, y] : [y, x];
  if (rank(unsigned.name) >= rank(signed.name)) return unsigned;
  if (signed.widthBits > unsigned.widthBits) return signed;
  return ctx.target.integers[`unsigned ${signed.name}` as IntegerName];
}

/** An integer constant 0, or one cast to `void *` (6.3.2.3p3). */
export function isNullConstant(ctx: ElaborationContext, e: TypedExpression): boolean {
  if (
    e.kind === 'convert' &&
    e.type.kind === 'pointer' &&
    e.type.to.kind === 'void' &&
    !e.type.to.const &&
    !e.type.to.volatile &&
    isInteger(e.operand.type)
  )
    return isNullConstant(ctx, e.operand);
  if (!isInteger(e.type)) return false;
  const value = evaluateConstant(e, { model: ctx.model });
  return value?.kind === 'integer' && value.value === 0n;
}

/** Start of a message: "passing 'int' to parameter 2 of type 'char *'". */
export type Purpose =
  | { readonly kind: 'assignment' }
  | { readonly kind: 'initialisation'; readonly name: string | undefined }
  | { readonly kind: 'return'; readonly functionName: string }
  | {
      readonly kind: 'argument';
      readonly index: number;
      readonly functionName: string | undefined;
      readonly declared: Span | undefined;
    };

function describe(purpose: Purpose, from: CType, to: CType): string {
  const [a, b] = [printType(withoutQualifiers(from)), printType(withoutQualifiers(to))];
  switch (purpose.kind) {
    case 'assignment':
      return `assigning '${a}' to '${b}'`;
    case 'initialisation':
      return purpose.name === undefined
        ? `initialising '${b}' with '${a}'`
        : `initialising '${purpose.name}' of type '${b}' with '${a}'`;
    case 'return':
      return `returning '${a}' from '${purpose.functionName}' with result type '${b}'`;
    case 'argument':
      return (
        `passing '${a}' as argument ` +
        `${purpose.index + 1}${purpose.functionName === undefined ? '' : ` of '${purpose.functionName}'`}, which ` +
        `has type '${b}'`
      );
  }
}

/** Simple assignment's constraints (6.5.16.1) and its conversion. `value` is an rvalue. */
export function assignable(
  ctx: ElaborationContext,
  value: TypedExpression,
  to: CType,
  purpose: Purpose,
  span: Span = value.span,
): TypedExpression {
  const from = value.type;
  const extras =
    purpose.kind === 'argument' && purpose.declared
      ? { notes: [{ message: `'${purpose.functionName ?? ''}' is declared here`, span: purpose.declared }] }
      : {};
  const fail = (what: string, hint?: string): never =>
    ctx.log.fail(`${what} ${describe(purpose, from, to)}`, span, {
      ...extras,
      ...(hint === undefined ? {} : { hint }),
    });
  if (from.kind === 'void') return ctx.log.fail('this expression has no value: its type is void', span, extras);
  const mixed = (what: string): TypedExpression => {
    ctx.log.warn(`${what} ${describe(purpose, from, to)}`, span, extras);
    return convert(value, to);
  };
  if (isArithmetic(to)) {
    if (isArithmetic(from)) return convert(value, to);
    if (from.kind === 'pointer') {
      if (isInteger(to) && ctx.standard === 'gnu89') return mixed('pointer converted to a number without a cast:');
      if (to.kind === 'integer' && to.name === 'bool') return convert(value, to);
      return fail(
        'pointer converted to a number without a cast:',
        isInteger(to)
          ? `Dereference it with '*', or write a cast: '(${printType(withoutQualifiers(to))})'.`
          : undefined,
      );
    }
    return fail('incompatible types:');
  }
  if (to.kind === 'record') {
    if (from.kind === 'record' && from.record === to.record) return value;
    return fail(
      'incompatible types:',
      from.kind === 'pointer' && from.to.kind === 'record' && from.to.record === to.record
        ? "Dereference it with '*'."
        : undefined,
    );
  }
  if (to.kind !== 'pointer') return fail('incompatible types:');
  if (from.kind === 'pointer') {
    checkPointers(
      from.to,
      to.to,
      (what) => ctx.log.warn(`${what} ${describe(purpose, from, to)}`, span, extras),
      ctx.standard === 'gnu89' ? (what) => ctx.log.warn(`${what} ${describe(purpose, from, to)}`, span, extras) : fail,
    );
    return convert(value, to);
  }
  if (isNullConstant(ctx, value)) return convert(value, to);
  if (isInteger(from) && ctx.standard === 'gnu89') return mixed('number converted to a pointer without a cast:');
  if (isInteger(from))
    return fail(
      'number converted to a pointer without a cast:',
      sameUnqualified(from, to.to) && value.kind === 'load' ? "Take its address with '&'." : undefined,
    );
  return fail('incompatible types:');
}

function checkPointers(from: CType, to: CType, warn: (what: string) => void, fail: (what: string) => void): void {
  const drops = (Boolean(from.const) && !to.const) || (Boolean(from.volatile) && !to.volatile);
  if (from.kind === 'void' || to.kind === 'void' || compatibleUnqualified(from, to)) {
    if (drops && from.kind !== 'function' && to.kind !== 'function')
      warn(`${from.const && !to.const ? "'const'" : "'volatile'"} is dropped:`);
    return;
  }
  if (from.kind === 'function' || to.kind === 'function') return fail('incompatible function pointers:');
  if (signAside(from, to)) return;
  warn('incompatible pointers:');
}

/**
 * `char *` for `unsigned char *` and the like: common, harmless (6.5p7 lets either type access the other's objects).
 */
function signAside(a: CType, b: CType): boolean {
  if (!isInteger(a) || !isInteger(b)) return false;
  const plain = (type: IntegerType | EnumType): string => integerOf(type).name.replace(/^(un)?signed /, '');
  return plain(a) === plain(b) && integerOf(a).widthBits === integerOf(b).widthBits;
}

/** Types of a condition. */
export function requireScalar(ctx: ElaborationContext, e: TypedExpression, what: string): TypedExpression {
  if (!isScalar(e.type)) {
    if (e.type.kind === 'void') ctx.log.fail('this expression has no value: its type is void', e.span);
    ctx.log.fail(`${what} must be a number or a pointer, not '${printType(e.type)}'`, e.span);
  }
  return e;
}

/**
 * The pointer type two pointers are brought to for comparison, `?:` and subtraction; undefined when they do not go
 * together.
 */
export function commonPointer(a: CType, b: CType): CType | undefined {
  if (a.kind !== 'pointer' || b.kind !== 'pointer') return undefined;
  const quals = {
    ...(a.to.const || b.to.const ? { const: true } : {}),
    ...(a.to.volatile || b.to.volatile ? { volatile: true } : {}),
  };
  if (a.to.kind === 'void' || b.to.kind === 'void') return pointerTo({ kind: 'void', ...quals });
  if (compatible(a.to, b.to)) return withoutQualifiers(composite(a, b));
  if (compatibleUnqualified(a.to, b.to))
    return pointerTo({ ...withoutQualifiers(composite(a.to, b.to)), ...quals } as CType);
  return undefined;
}
