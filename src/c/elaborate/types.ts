/** From specifiers and declarators to types, C11 6.7.2, 6.7.6 and 6.7.7. */
import { evaluateConstant } from '../constant';
import { alignOf, sizeOf } from '../layout';
import { printType } from '../printType';
import type { Span } from '../source';
import type {
  Declarator,
  Specifiers,
  SyntaxExpression,
  TypeName,
  TypeSpecifier,
  BasicWord,
  SyntaxQualifiers,
} from '../syntax';
import { declaredName } from '../syntax';
import {
  doubleType,
  floatType,
  integerOf,
  isInteger,
  longDoubleType,
  qualify,
  withoutQualifiers,
  voidType,
} from '../target';
import type { TypedExpression, VariableSymbol } from '../tree';
import { adjustedParameter } from '../typeRelations';
import type { CType, FunctionType, IntegerName } from '../types';
import { unreachable } from '../../unreachable';
import type { ElaborationContext } from './context';
import { convert } from './conversions';
import { expressionType, integerConstant, rvalueOf } from './expressions';
import { enumType, recordType } from './records';
import { isVariableArray } from './variableArrays';

/** The type that specifiers name, with their qualifiers. */
export function specifiedType(ctx: ElaborationContext, specifiers: Specifiers): CType {
  const type = bareSpecifiedType(ctx, specifiers.type);
  if (specifiers.qualifiers.restrict) checkRestrict(ctx, type, specifiers.span);
  return withQualifiers(ctx, type, specifiers.qualifiers);
}

/** 6.7.3p2. */
function checkRestrict(ctx: ElaborationContext, type: CType, span: Span): void {
  if (type.kind !== 'pointer' || type.to.kind === 'function')
    ctx.log.fail(
      `'restrict' needs a pointer${type.kind === 'pointer' ? ' to objects' : ''}, not '${printType(type)}'`,
      span,
    );
}

function withQualifiers(ctx: ElaborationContext, type: CType, qualifiers: SyntaxQualifiers): CType {
  return qualify(qualifiers.atomic ? atomicType(ctx, type, qualifiers.atomic) : type, qualifiers);
}

/** With one thread it is the type itself, provided that it has the same size and place. */
function atomicType(ctx: ElaborationContext, type: CType, span: Span): CType {
  switch (type.kind) {
    case 'integer':
    case 'float':
    case 'pointer':
    case 'enum':
      // Compilers give atomic types the alignment of their size, which a member would have to have.
      if (sizeOf(type, ctx.model) === alignOf(type, ctx.model)) return type;
      break;
    case 'array':
    case 'function':
      return ctx.log.fail(`'_Atomic' does not go with '${printType(type)}'`, span);
    case 'void':
    case 'record':
      break;
    default:
      return unreachable(type);
  }
  return ctx.log.fail(`atomic '${printType(type)}' is not supported: scalars with their natural alignment are`, span);
}

function bareSpecifiedType(ctx: ElaborationContext, specifier: TypeSpecifier): CType {
  switch (specifier.kind) {
    case 'basic':
      return basicType(ctx, specifier.words, specifier.span);
    case 'record':
      return recordType(ctx, specifier);
    case 'enum':
      return enumType(ctx, specifier);
    case 'typedef-name': {
      const entry = ctx.scope.lookup(specifier.name);
      if (entry?.kind === 'typedef') return entry.type;
      if (entry?.kind === 'poison') for (const diagnostic of entry.onUse) ctx.log.addUnsupported(diagnostic);
      if (!entry && specifier.name === '__builtin_va_list') return ctx.vaListType();
      return ctx.log.abandon();
    }
    case 'typeof-type':
      return typeOfName(ctx, specifier.type);
    case 'typeof-expression':
      return expressionType(ctx, specifier.operand);
    case 'atomic':
      return atomicType(ctx, typeOfName(ctx, specifier.type), specifier.span);
    case 'auto-type':
      return ctx.log.fail("'__auto_type' needs a variable with an initializer", specifier.span);
    case 'error':
      return ctx.log.abandon();
    default:
      return unreachable(specifier);
  }
}

const integerSpellings: ReadonlyMap<string, IntegerName> = new Map([
  ['_Bool', 'bool'],
  ['char', 'char'],
  ['char signed', 'signed char'],
  ['char unsigned', 'unsigned char'],
  ['short', 'short'],
  ['short signed', 'short'],
  ['int short', 'short'],
  ['int short signed', 'short'],
  ['short unsigned', 'unsigned short'],
  ['int short unsigned', 'unsigned short'],
  ['int', 'int'],
  ['signed', 'int'],
  ['int signed', 'int'],
  ['unsigned', 'unsigned int'],
  ['int unsigned', 'unsigned int'],
  ['long', 'long'],
  ['long signed', 'long'],
  ['int long', 'long'],
  ['int long signed', 'long'],
  ['long unsigned', 'unsigned long'],
  ['int long unsigned', 'unsigned long'],
  ['long long', 'long long'],
  ['long long signed', 'long long'],
  ['int long long', 'long long'],
  ['int long long signed', 'long long'],
  ['long long unsigned', 'unsigned long long'],
  ['int long long unsigned', 'unsigned long long'],
  ['__int128', '__int128'],
  ['__int128 signed', '__int128'],
  ['__int128 unsigned', 'unsigned __int128'],
] as const);

function basicType(ctx: ElaborationContext, words: readonly BasicWord[], span: Span): CType {
  const spelling = words.length === 1 ? words[0]! : [...words].sort().join(' ');
  const name = integerSpellings.get(spelling);
  if (name) {
    const type = ctx.target.integers[name];
    if (type.widthBits === 128 && ctx.model === 'ilp32')
      return ctx.log.fail(`'${name}' does not exist where pointers have 32 bits`, span);
    return type;
  }
  switch (spelling) {
    case 'void':
      return voidType;
    case 'float':
      return floatType;
    case 'double':
      return doubleType;
    case 'double long':
      return longDoubleType;
  }
  if (words.includes('_Complex') || words.includes('_Imaginary'))
    return ctx.log.failUnsupported('complex numbers are not supported', span);
  if (words.includes('_Decimal64'))
    return ctx.log.failUnsupported('decimal floating-point numbers are not supported', span);
  if (words.includes('_Float128'))
    return ctx.log.failUnsupported('128-bit floating-point numbers are not supported', span);
  return ctx.log.fail(`'${words.join(' ')}' is not a type`, span);
}

export function typeOfName(ctx: ElaborationContext, name: TypeName): CType {
  return declaredType(ctx, specifiedType(ctx, name.specifiers), name.declarator);
}

/**
 * Position of the declarator: a parameter's outermost array length does not matter, a flexible member's may be missing.
 */
export type Position = 'ordinary' | 'parameter';

export function declaredType(
  ctx: ElaborationContext,
  base: CType,
  declarator: Declarator,
  position: Position = 'ordinary',
): CType {
  switch (declarator.kind) {
    case 'name':
      return base;
    case 'pointer':
      if (declarator.qualifiers.restrict) checkRestrict(ctx, { kind: 'pointer', to: base }, declarator.span);
      return declaredType(
        ctx,
        withQualifiers(ctx, alignedPointer(ctx, { kind: 'pointer', to: base }, declarator), declarator.qualifiers),
        declarator.inner,
        position,
      );
    case 'array':
      return declaredType(ctx, arrayType(ctx, base, declarator, position), declarator.inner, position);
    case 'function':
      return declaredType(ctx, functionType(ctx, base, declarator), declarator.inner, position);
    default:
      return unreachable(declarator);
  }
}

/** GNU: `int *__attribute__((aligned(16))) p`, where the attribute is the pointer type's. */
function alignedPointer(ctx: ElaborationContext, type: CType, { attributes = [] }: Declarator): CType {
  const aligned = attributes.filter(({ name }) => name === 'aligned');
  return aligned.length === 0 ? type : { ...type, alignBytes: requestedAlignment(ctx, undefined, aligned) };
}

function arrayType(
  ctx: ElaborationContext,
  of: CType,
  declarator: Extract<Declarator, { kind: 'array' }>,
  position: Position,
): CType {
  const { span } = declarator;
  const named = declaredName(declarator).name;
  const of_ = named === undefined ? 'an array' : `'${named}' is an array`;
  if (of.kind === 'function')
    return ctx.log.fail(`${of_} of functions, which C does not have`, span, {
      hint: "An array of pointers to functions is written 'int (*a[4])(void)'.",
    });
  if (of.kind === 'void') return ctx.log.fail(`${of_} of void`, span);
  if (of.kind === 'array' && of.length === undefined && of.variable === undefined)
    return ctx.log.fail(`${of_} whose elements are arrays of unknown length`, span, {
      hint: 'Only the first length may be left out.',
    });
  if (of.alignBytes !== undefined && (sizeOf(of, ctx.model) ?? of.alignBytes) % of.alignBytes !== 0)
    return ctx.log.fail(
      `${of_} whose elements have a size that is no multiple of their alignment (${of.alignBytes})`,
      span,
    );
  if (sizeOf(of, ctx.model) === undefined && !isVariableArray(of))
    return ctx.log.fail(`${of_} of ${printType(of)}, which is incomplete here`, span);
  const adjusted = position === 'parameter' && declarator.inner.kind === 'name';
  if (adjusted) {
    // 6.7.6.3p7: the parameter is a pointer, with the qualifiers between the brackets.
    if (declarator.length) checkIgnoredLength(ctx, rvalueOf(ctx, declarator.length), declarator.length.span);
    return withQualifiers(ctx, { kind: 'pointer', to: of }, declarator.qualifiers);
  }
  if (declarator.parameterOnly)
    return ctx.log.fail(
      "'static' and qualifiers stand only between the outermost brackets of a parameter",
      declarator.parameterOnly,
    );
  if (declarator.star)
    return ctx.scope.kind === 'prototype'
      ? { kind: 'array', of, length: undefined, variable: 'unspecified' }
      : ctx.log.fail("'[*]' outside the parameters of a declaration", span);
  if (!declarator.length) return { kind: 'array', of, length: undefined };
  const length = arrayLength(ctx, declarator.length, named);
  return typeof length === 'number'
    ? { kind: 'array', of, length }
    : { kind: 'array', of, length: undefined, variable: ctx.scope.kind === 'prototype' ? 'unspecified' : length };
}

/**
 * `int a[n]` as a parameter: C computes the length on entry and makes no use of it. Definitions see to what computing
 * it does.
 */
function checkIgnoredLength(ctx: ElaborationContext, length: TypedExpression, span: Span): void {
  if (!isInteger(length.type))
    ctx.log.fail(`the length of an array is not an integer but '${printType(length.type)}'`, span);
}

/** Computing it does nothing. */
export function isPlain(e: TypedExpression): boolean {
  switch (e.kind) {
    case 'integer':
    case 'variable':
      return true;
    case 'load':
      return isPlain(e.lvalue);
    case 'convert':
    case 'unary':
      return isPlain(e.operand);
    case 'arithmetic':
      return isPlain(e.left) && isPlain(e.right);
    default:
      return false;
  }
}

/** The constant, or, in a function, what computes it. */
function arrayLength(
  ctx: ElaborationContext,
  syntax: SyntaxExpression,
  name: string | undefined,
): number | TypedExpression {
  const e = rvalueOf(ctx, syntax);
  const subject = name === undefined ? 'the array' : `the array '${name}'`;
  if (!isInteger(e.type))
    return ctx.log.fail(`the length of ${subject} is not an integer but '${printType(e.type)}'`, syntax.span);
  const value = evaluateConstant(e, { model: ctx.model, variables: ctx.constants });
  if (value?.kind !== 'integer') {
    if (!ctx.function && ctx.scope.kind !== 'prototype')
      return ctx.log.fail(`the length of ${subject} is not a constant, as it must be outside functions`, syntax.span);
    return convert(e, ctx.target.pointerDifference);
  }
  if (value.value < 0n) return ctx.log.fail(`the length of ${subject} is negative (${value.value})`, syntax.span);
  if (value.value > 0x7fffffffn) return ctx.log.fail(`${subject} is too large (${value.value} elements)`, syntax.span);
  return Number(value.value);
}

function functionType(
  ctx: ElaborationContext,
  result: CType,
  declarator: Extract<Declarator, { kind: 'function' }>,
): CType {
  const name = declaredName(declarator).name;
  const subject = name === undefined ? 'a function' : `'${name}'`;
  if (result.kind === 'array')
    return ctx.log.fail(`${subject} cannot return an array`, declarator.span, {
      hint: 'Return a pointer, or a struct that holds the array.',
    });
  if (result.kind === 'function')
    return ctx.log.fail(`${subject} cannot return a function`, declarator.span, { hint: 'Return a pointer to it.' });
  const parameters = ctx.inScope('prototype', () => {
    const all = declarator.parameters.map((parameter, i) => {
      const { name: parameterName, span } = declaredName(parameter.declarator);
      const { storage, alignments } = parameter.specifiers;
      if (storage !== undefined && storage !== 'register')
        ctx.log.fail(`a parameter cannot be '${storage}'`, parameter.span);
      if (alignments.length > 0) ctx.log.fail("a parameter cannot have '_Alignas'", alignments[0]!.span);
      const type = adjustedParameter(
        declaredType(
          ctx,
          withMode(ctx, specifiedType(ctx, parameter.specifiers), [
            ...parameter.specifiers.attributes,
            ...parameter.attributes,
          ]),
          parameter.declarator,
          'parameter',
        ),
      );
      if (type.kind === 'void')
        ctx.log.fail(
          parameterName === undefined
            ? "'void' must be the only parameter"
            : `the parameter '${parameterName}' has type void`,
          parameter.span,
        );
      if (parameterName !== undefined) {
        const previous = ctx.scope.names.get(parameterName);
        if (previous)
          ctx.log.fail(`two parameters are named '${parameterName}'`, span, {
            notes: [{ message: 'the first one is here', span: previous.span }],
          });
        const symbol: VariableSymbol = {
          kind: 'variable',
          name: parameterName,
          type,
          span,
          storage: 'parameter',
          initializer: undefined,
          owner: name,
          addressTaken: false,
        };
        ctx.scope.names.set(parameterName, { kind: 'variable', symbol, span });
      }
      const least = leastLengthOf(ctx, parameter.declarator, type);
      const declaredLength = declaredLengthOf(ctx, parameter.declarator);
      const promoted = declarator.identifiers ? promotedParameter(ctx, type) : type;
      return {
        name: parameterName,
        type: promoted,
        ...(promoted !== type && { narrow: type }),
        ...least,
        ...((least.leastLength ?? least.elementLengths) && {
          namesBefore: declarator.parameters.slice(0, i).map((one) => declaredName(one.declarator).name),
        }),
        ...(declaredLength !== undefined && { declaredLength }),
      };
    });
    // A length that does something may change what another one is.
    const isOpen = (parameter: (typeof all)[number]): boolean =>
      Boolean(parameter.elementLengths && !parameter.leastLength);
    if (!all.some(isOpen) || declarator.parameters.every((one) => hasPlainLengths(ctx, one.declarator))) return all;
    return all.map(({ elementLengths, ...one }) => (one.leastLength ? { ...one, elementLengths } : one));
  });
  return {
    kind: 'function',
    result: withoutQualifiers(result),
    parameters,
    variadic: declarator.variadic,
    unprototyped: declarator.unprototyped,
    ...(declarator.identifiers ? { oldStyle: true } : {}),
  };
}

/** The `n` of a parameter `a[static n]`, and `m` of `a[n][m]` and `(*a)[m]`, if computing them does nothing. */
function leastLengthOf(
  ctx: ElaborationContext,
  declarator: Declarator,
  parameter: CType,
): Pick<FunctionType['parameters'][number], 'leastLength' | 'elementLengths'> {
  const lengths: (TypedExpression | undefined)[] = [];
  let inner = declarator;
  for (; inner.kind !== 'name' && inner.inner.kind !== 'name'; inner = inner.inner) {
    if (inner.kind === 'array') lengths.push(inner.length && plainLength(ctx, inner.length));
    else lengths.length = 0;
  }
  const ofElements = lengths.flatMap((length) => length ?? []);
  const hasRows = parameter.kind === 'pointer' && isVariableArray(parameter.to);
  const isKnown = hasRows && lengths.length > 0 && ofElements.length === lengths.length;
  const elementLengths = isKnown ? { elementLengths: ofElements } : {};
  if (inner.kind !== 'array' || !inner.isLeast || !inner.length) return elementLengths;
  const leastLength = plainLength(ctx, inner.length);
  if (!leastLength || (hasRows && !isKnown)) return elementLengths;
  return { leastLength, ...elementLengths };
}

/** The constant `n` of a parameter `a[n]`. */
function declaredLengthOf(ctx: ElaborationContext, declarator: Declarator): bigint | undefined {
  let inner = declarator;
  while (inner.kind !== 'name' && inner.inner.kind !== 'name') inner = inner.inner;
  if (inner.kind !== 'array' || !inner.length) return undefined;
  const length = evaluateConstant(rvalueOf(ctx, inner.length), { model: ctx.model });
  return length?.kind === 'integer' ? length.value : undefined;
}

function hasPlainLengths(ctx: ElaborationContext, declarator: Declarator): boolean {
  for (let inner = declarator; inner.kind !== 'name'; inner = inner.inner)
    if (inner.kind === 'array' && inner.length && !plainLength(ctx, inner.length)) return false;
  return true;
}

function plainLength(ctx: ElaborationContext, syntax: SyntaxExpression): TypedExpression | undefined {
  const length = rvalueOf(ctx, syntax);
  return isPlain(length) || evaluateConstant(length, { model: ctx.model }) ? length : undefined;
}

/** Type after the default argument promotions (6.5.2.2p6). */
function promotedParameter(ctx: ElaborationContext, type: CType): CType {
  if (type.kind === 'float') return type.name === 'float' ? doubleType : type;
  return isInteger(type) && integerOf(type).widthBits < 32 ? ctx.target.integers.int : type;
}

/** GNU's `mode(DI)` and the like: the type of the same kind and signedness with the size that the mode names. */
export function withMode(ctx: ElaborationContext, type: CType, attributes: Specifiers['attributes']): CType {
  const attribute = attributes.find((a) => a.name === 'mode');
  if (!attribute) return type;
  const [argument] = attribute.arguments;
  const mode = argument?.kind === 'identifier' ? argument.name.replace(/^__(.*)__$/, '$1') : '';
  const { integers, dataModel } = ctx.target;
  if (isInteger(type)) {
    const { signed } = integerOf(type);
    const names: Readonly<Record<string, IntegerName>> = {
      QI: 'signed char',
      byte: 'signed char',
      HI: 'short',
      SI: 'int',
      DI: dataModel === 'lp64' ? 'long' : 'long long',
      ...(dataModel === 'lp64' && { TI: '__int128' }),
      word: dataModel === 'lp64' ? 'long' : 'int',
      pointer: dataModel === 'lp64' ? 'long' : 'int',
    };
    const name = Object.hasOwn(names, mode) ? names[mode] : undefined;
    if (name !== undefined)
      return qualify(integers[signed ? name : (`unsigned ${name.replace('signed ', '')}` as IntegerName)], type);
  }
  if (type.kind === 'float' && (mode === 'SF' || mode === 'DF'))
    return qualify(mode === 'SF' ? floatType : doubleType, type);
  return ctx.log.failUnsupported(`the mode '${mode}' is not supported`, attribute.span);
}

/** The strictest alignment that `_Alignas` and `aligned` ask for; 1 when nothing does. */
export function requestedAlignment(
  ctx: ElaborationContext,
  specifiers: Specifiers | undefined,
  attributes: Specifiers['attributes'],
): number {
  let align = 1;
  const raise = (value: bigint, span: Span): void => {
    if (value === 0n) return;
    if (value < 0n || (value & (value - 1n)) !== 0n || value > 1n << 28n)
      ctx.log.fail(`the alignment ${value} is not a power of two`, span);
    if (value > 1n << 16n)
      ctx.log.warn(`an alignment of ${value} bytes is not kept: addresses are multiples of 65536`, span);
    align = Math.max(align, Number(value));
  };
  for (const alignment of specifiers?.alignments ?? []) {
    if (alignment.kind === 'type')
      raise(
        BigInt(
          Math.max(
            alignOf(typeOfName(ctx, alignment.type), ctx.model),
            requestedAlignment(ctx, alignment.type.specifiers, alignment.type.specifiers.attributes),
          ),
        ),
        alignment.span,
      );
    else raise(integerConstant(ctx, alignment.value, 'an alignment'), alignment.span);
  }
  for (const attribute of attributes) {
    if (attribute.name !== 'aligned') continue;
    raise(
      attribute.arguments.length > 0 ? integerConstant(ctx, attribute.arguments[0]!, 'an alignment') : 16n,
      attribute.span,
    );
  }
  return align;
}
