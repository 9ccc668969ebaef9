/** Structures, unions and enumerations: their tags, members and constants, C11 6.7.2.1-6.7.2.3. */
import { evaluateConstant } from '../constant';
import { nearest } from '../diagnostics/editDistance';
import { layOut, sizeOf, type MemberToPlace } from '../layout';
import { printType } from '../printType';
import type { Span } from '../source';
import { declaredName, type Member, type MemberDeclaration, type Specifiers, type TypeSpecifier } from '../syntax';
import { integerOf, isInteger, qualify, wrap } from '../target';
import type { CType, EnumType, Field, IntegerType, RecordLayout, RecordType } from '../types';
import type { ElaborationContext, ForwardEnum } from './context';
import { checkStaticAssertion, integerConstant, rvalueOf } from './expressions';
import { declaredType, requestedAlignment, specifiedType, withMode } from './types';
import { isVariablyModified } from './variableArrays';

type RecordSpecifier = Extract<TypeSpecifier, { kind: 'record' }>;

/** The declaration `struct s;` declares the tag anew in this scope. */
export function recordType(
  ctx: ElaborationContext,
  specifier: RecordSpecifier,
  as: 'specifier' | 'declaration' = 'specifier',
): CType {
  const { keyword, tag, members } = specifier;
  if (members) return defineRecord(ctx, specifier, members);
  const found = as === 'declaration' ? ctx.scope.tags.get(tag!) : ctx.scope.lookupTag(tag!);
  if (found) {
    if (found.kind === 'poison') return ctx.log.abandon();
    if (found.kind === 'record' && found.type.record.keyword === keyword) return found.type;
    return ctx.log.fail(`'${tag!}' is not a ${keyword}`, specifier.span, {
      notes: [{ message: 'its declaration is here', span: found.span }],
    });
  }
  if (ctx.scope.kind === 'prototype')
    ctx.log.warn(
      `'${keyword} ${tag!}' is declared inside a parameter list, so nothing outside it can have this type`,
      specifier.span,
      { hint: `Declare '${keyword} ${tag!};' before the function.` },
    );
  return declareTag(ctx, keyword, tag, specifier.tagSpan);
}

function newRecord(keyword: 'struct' | 'union', tag: string | undefined): RecordType {
  return { kind: 'record', record: { keyword, tag, complete: false, fields: [], sizeBytes: 0, alignBytes: 1 } };
}

function declareTag(
  ctx: ElaborationContext,
  keyword: 'struct' | 'union',
  tag: string | undefined,
  span: Span,
): RecordType {
  const type = newRecord(keyword, tag);
  if (tag !== undefined) ctx.scope.tags.set(tag, { kind: 'record', type, span });
  return type;
}

function defineRecord(
  ctx: ElaborationContext,
  specifier: RecordSpecifier,
  members: readonly MemberDeclaration[],
): CType {
  const { keyword, tag, tagSpan } = specifier;
  const previous = tag === undefined ? undefined : ctx.scope.tags.get(tag);
  if (previous && (previous.kind !== 'record' || previous.type.record.keyword !== keyword)) {
    return ctx.log.fail(`'${tag!}' is declared as another kind of type`, tagSpan, {
      notes: [{ message: 'the first declaration is here', span: previous.span }],
    });
  }
  if (previous?.kind === 'record' && (previous.type.record.complete || ctx.openRecords.has(previous.type.record))) {
    return ctx.log.fail(`'${keyword} ${tag!}' is defined twice`, tagSpan, {
      notes: [{ message: 'the first definition is here', span: previous.span }],
    });
  }
  const type = previous?.kind === 'record' ? previous.type : declareTag(ctx, keyword, tag, tagSpan);
  if (tag !== undefined) ctx.scope.tags.set(tag, { kind: 'record', type, span: tagSpan });
  ctx.openRecords.add(type.record);
  type.record.inHeader = specifier.span.file.includedAt !== undefined;
  const packed = specifier.attributes.some((a) => a.name === 'packed');
  const placed = readMembers(ctx, type.record, members);
  const minimumAlign = requestedAlignment(ctx, undefined, specifier.attributes);
  checkFlexible(ctx, type.record.keyword, placed);
  layOut(
    type.record,
    placed,
    { packed, mostAlign: specifier.pack ?? Infinity, minimumAlign, model: ctx.model },
    (span) =>
      ctx.log.error('this packed bit-field crosses more bytes than one access can read, which is not supported', span),
  );
  ctx.openRecords.delete(type.record);
  return type;
}

function readMembers(
  ctx: ElaborationContext,
  record: RecordLayout,
  declarations: readonly MemberDeclaration[],
): MemberToPlace<Span>[] {
  const placed: MemberToPlace<Span>[] = [];
  const names = new Map<string, Span>();
  const declare = (name: string, span: Span): void => {
    const previous = names.get(name);
    if (previous)
      ctx.log.error(`two members are named '${name}'`, span, {
        notes: [{ message: 'the first one is here', span: previous }],
      });
    names.set(name, span);
  };
  for (const declaration of declarations) {
    if (declaration.kind === 'static-assertion') {
      ctx.log.attempt(() => checkStaticAssertion(ctx, declaration));
      continue;
    }
    const base = ctx.log.attempt(() => specifiedType(ctx, declaration.specifiers));
    if (base === undefined) {
      ctx.incompleteRecords.add(record);
      continue;
    }
    if (declaration.members.length === 0) {
      const anonymous = anonymousMember(ctx, declaration, base);
      if (!anonymous) continue;
      placed.push(anonymous);
      for (const name of namesOf(anonymous.type)) declare(name, declaration.span);
      continue;
    }
    for (const member of declaration.members) {
      const one = ctx.log.attempt(() => readMember(ctx, declaration.specifiers, base, member));
      if (!one) {
        ctx.incompleteRecords.add(record);
        continue;
      }
      if (one.name !== undefined) declare(one.name, one.where);
      placed.push(one);
    }
  }
  return placed;
}

/** `struct { … };` without a declarator: C11's anonymous member. */
function anonymousMember(
  ctx: ElaborationContext,
  declaration: Extract<MemberDeclaration, { kind: 'members' }>,
  type: CType,
): MemberToPlace<Span> | undefined {
  const { specifiers } = declaration;
  if (type.kind === 'record' && type.record.tag === undefined && specifiers.type.kind === 'record') {
    return {
      name: undefined,
      type,
      width: undefined,
      packed: false,
      minimumAlign: requestedAlignment(ctx, specifiers, specifiers.attributes),
      where: declaration.span,
    };
  }
  if (specifiers.type.kind !== 'record' && specifiers.type.kind !== 'enum')
    ctx.log.warn('this declares no member', declaration.span);
  return undefined;
}

function* namesOf(type: CType): Iterable<string> {
  if (type.kind !== 'record') return;
  for (const field of type.record.fields) {
    if (field.name !== undefined) yield field.name;
    else yield* namesOf(field.type);
  }
}

function readMember(ctx: ElaborationContext, specifiers: Specifiers, base: CType, member: Member): MemberToPlace<Span> {
  const { name, span } = declaredName(member.declarator);
  const attributes = [...specifiers.attributes, ...member.attributes];
  const type = declaredType(ctx, withMode(ctx, base, attributes), member.declarator);
  const minimumAlign = requestedAlignment(ctx, specifiers, attributes);
  const packed = attributes.some((a) => a.name === 'packed');
  const subject = name === undefined ? 'the member' : `the member '${name}'`;
  if (type.kind === 'function')
    return ctx.log.fail(`${subject} is a function`, member.span, {
      hint: `A pointer to a function is written '${printType({ ...type }, `(*${name ?? 'f'})`)}'.`,
    });
  if (member.width && specifiers.alignments.length > 0)
    ctx.log.fail(`${subject} is a bit-field and cannot have '_Alignas'`, specifiers.alignments[0]!.span);
  if (member.width)
    return { name, type, width: bitFieldWidth(ctx, member, type, subject, name), packed, minimumAlign, where: span };
  if (isVariablyModified(type))
    return ctx.log.fail(`${subject} has a length that is not a constant, which is not supported`, member.span);
  const flexible = type.kind === 'array' && type.length === undefined;
  if (!flexible && sizeOf(type, ctx.model) === undefined) {
    const hint =
      type.kind === 'record'
        ? { hint: `A pointer to it would do: '${printType({ kind: 'pointer', to: type }, name)}'.` }
        : {};
    return ctx.log.fail(`${subject} has the incomplete type '${printType(type)}'`, member.span, hint);
  }
  return { name, type, width: undefined, packed, minimumAlign, where: span };
}

function bitFieldWidth(
  ctx: ElaborationContext,
  member: Member,
  type: CType,
  subject: string,
  name: string | undefined,
): number {
  if (!isInteger(type))
    return ctx.log.fail(`${subject} is a bit-field of type '${printType(type)}', which is not an integer`, member.span);
  const width = integerConstant(ctx, member.width!, 'the width of a bit-field');
  const { widthBits, name: typeName } = integerOf(type);
  if (widthBits === 128)
    return ctx.log.failUnsupported(`bit-fields of type '${printType(type)}' are not supported`, member.span);
  const most = typeName === 'bool' ? 1 : widthBits;
  if (width < 0n) return ctx.log.fail(`${subject} has a negative width (${width})`, member.width!.span);
  if (width > BigInt(most))
    return ctx.log.fail(
      `${subject} is wider (${width} bits) than its type '${printType(type)}' (${most})`,
      member.width!.span,
    );
  if (width === 0n && name !== undefined)
    return ctx.log.fail(`${subject} has width 0, which only unnamed bit-fields may have`, member.width!.span);
  return Number(width);
}

function checkFlexible(
  ctx: ElaborationContext,
  keyword: 'struct' | 'union',
  placed: readonly MemberToPlace<Span>[],
): void {
  placed.forEach((member, i) => {
    if (member.type.kind !== 'array' || member.type.length !== undefined) return;
    if (keyword === 'union')
      ctx.log.error(
        `the array '${member.name ?? ''}' without a length is in a union, where it cannot be the last of several ` +
          'members',
        member.where,
      );
    else if (i !== placed.length - 1)
      ctx.log.error(`the array '${member.name ?? ''}' without a length must be the last member`, member.where);
  });
}

// --- members by name

const lookups = new WeakMap<RecordLayout, Map<string, Field>>();

/** A member, seen through anonymous ones: its offset counts from the start of `record`. */
export function findField(record: RecordLayout, name: string): Field | undefined {
  let fields = lookups.get(record);
  if (!fields) {
    fields = new Map();
    collect(record, 0, fields);
    if (record.complete) lookups.set(record, fields);
  }
  return fields.get(name);
}

function collect(record: RecordLayout, offsetBytes: number, into: Map<string, Field>): void {
  for (const field of record.fields) {
    const placed = offsetBytes === 0 ? field : { ...field, offsetBytes: field.offsetBytes + offsetBytes };
    if (field.name !== undefined) {
      if (!into.has(field.name)) into.set(field.name, placed);
    } else if (field.type.kind === 'record') {
      const inner = new Map<string, Field>();
      collect(field.type.record, placed.offsetBytes, inner);
      for (const [name, member] of inner)
        if (!into.has(name)) into.set(name, { ...member, type: qualify(member.type, field.type) });
    }
  }
}

/** The member, or an error with the nearest name. */
export function requireField(ctx: ElaborationContext, type: RecordType, name: string, span: Span): Field {
  const { record } = type;
  if (!record.complete)
    return ctx.log.fail(
      `'${printType({ kind: 'record', record })}' is incomplete here: its members are not known`,
      span,
    );
  const field = findField(record, name);
  if (field) return field;
  if (ctx.partial || ctx.incompleteRecords.has(record)) return ctx.log.abandon();
  const names = [...namesOf(type)];
  const similar = nearest(name, names);
  const hint = similar
    ? `Did you mean '${similar}'?`
    : names.length > 0 && names.length <= 8
      ? `Its members are ${names.map((n) => `'${n}'`).join(', ')}.`
      : undefined;
  return ctx.log.fail(
    `no member named '${name}' in '${printType({ kind: 'record', record })}'`,
    span,
    hint === undefined ? {} : { hint },
  );
}

// --- enumerations

type EnumSpecifier = Extract<TypeSpecifier, { kind: 'enum' }>;

export function enumType(ctx: ElaborationContext, specifier: EnumSpecifier): CType {
  const { tag, tagSpan } = specifier;
  if (!specifier.enumerators) {
    const found = ctx.scope.lookupTag(tag!);
    if (found?.kind === 'enum') return found.type;
    if (found?.kind === 'poison') return ctx.log.abandon();
    if (found)
      return ctx.log.fail(`'${tag!}' is not an enum`, specifier.span, {
        notes: [{ message: 'its declaration is here', span: found.span }],
      });
    return forwardEnum(ctx, tag!, tagSpan);
  }
  const previous = tag === undefined ? undefined : ctx.scope.tags.get(tag);
  const forward = previous?.kind === 'enum' ? ctx.forwardEnums.get(previous.type) : undefined;
  if (previous && previous.kind !== 'poison' && !forward) {
    return ctx.log.fail(`'${tag!}' is defined twice`, tagSpan, {
      notes: [{ message: 'the first definition is here', span: previous.span }],
    });
  }
  const type = defineEnum(ctx, specifier, specifier.enumerators);
  if (forward && previous?.kind === 'enum') return completeEnum(ctx, previous.type, forward, type, specifier.span);
  if (tag !== undefined) ctx.scope.tags.set(tag, { kind: 'enum', type, span: tagSpan });
  return type;
}

/**
 * GNU: `enum e;` before its definition. Until then it passes for `unsigned int`; the definition fills in this same
 * object.
 */
function forwardEnum(ctx: ElaborationContext, tag: string, span: Span): EnumType {
  const underlying = { ...ctx.target.integers['unsigned int'] };
  const constants: { readonly name: string; readonly value: bigint }[] = [];
  const type: EnumType = { kind: 'enum', tag, underlying, constants };
  ctx.forwardEnums.set(type, { underlying, constants });
  ctx.scope.tags.set(tag, { kind: 'enum', type, span });
  return type;
}

function completeEnum(
  ctx: ElaborationContext,
  type: EnumType,
  forward: ForwardEnum,
  definition: EnumType,
  span: Span,
): EnumType {
  const { name, signed, widthBits } = definition.underlying;
  if (widthBits !== 32)
    return ctx.log.fail(
      `'enum ${type.tag ?? ''}' was used before its definition, as if it had the size of an int`,
      span,
    );
  forward.underlying.name = name;
  forward.underlying.signed = signed;
  forward.constants.push(...definition.constants);
  ctx.forwardEnums.delete(type);
  return type;
}

function defineEnum(
  ctx: ElaborationContext,
  specifier: EnumSpecifier,
  enumerators: NonNullable<EnumSpecifier['enumerators']>,
): EnumType {
  if (enumerators.length === 0) ctx.log.fail('an enumeration needs at least one constant', specifier.span);
  const constants: { readonly name: string; readonly value: bigint }[] = [];
  let next = 0n;
  for (const { name, value, span } of enumerators) {
    if (value) next = enumerationValue(ctx, value) ?? next;
    const previous = ctx.scope.names.get(name);
    if (previous) {
      ctx.log.error(`'${name}' is declared twice`, span, {
        notes: [{ message: 'the first declaration is here', span: previous.span }],
      });
    } else {
      ctx.scope.names.set(name, { kind: 'enum-constant', value: next, type: constantType(ctx, next), span });
      if (ctx.scope === ctx.fileScope) ctx.enumConstants.set(name, next);
    }
    constants.push({ name, value: next });
    next += 1n;
  }
  const packed = specifier.attributes.some((a) => a.name === 'packed');
  return {
    kind: 'enum',
    tag: specifier.tag,
    underlying: underlyingType(
      ctx,
      constants.map((c) => c.value),
      packed,
      specifier.span,
    ),
    constants,
  };
}

function enumerationValue(
  ctx: ElaborationContext,
  syntax: NonNullable<EnumSpecifier['enumerators']>[number]['value'] & object,
): bigint | undefined {
  return ctx.log.attempt(() => {
    const e = rvalueOf(ctx, syntax);
    const value = isInteger(e.type) ? evaluateConstant(e, { model: ctx.model }) : undefined;
    if (value?.kind !== 'integer')
      return ctx.log.fail('the value of an enumeration constant must be an integer constant', syntax.span);
    return value.value;
  });
}

/** `int` if it can hold the value (6.7.2.2p2), else the first wider type that can, as in GNU C. */
function constantType(ctx: ElaborationContext, value: bigint): IntegerType {
  const {
    int,
    'unsigned int': unsignedInt,
    long,
    'unsigned long': unsignedLong,
    'long long': longLong,
    'unsigned long long': unsignedLongLong,
  } = ctx.target.integers;
  return (
    [int, unsignedInt, long, unsignedLong, longLong].find((type) => wrap(value, type) === value) ?? unsignedLongLong
  );
}

/** GCC's choice: unsigned unless a constant is negative, at least `int`-sized unless packed. */
function underlyingType(ctx: ElaborationContext, values: readonly bigint[], packed: boolean, span: Span): IntegerType {
  const { integers } = ctx.target;
  const negative = values.some((v) => v < 0n);
  const candidates = negative
    ? [...(packed ? [integers['signed char'], integers.short] : []), integers.int, integers.long, integers['long long']]
    : [
        ...(packed ? [integers['unsigned char'], integers['unsigned short']] : []),
        integers['unsigned int'],
        integers['unsigned long'],
        integers['unsigned long long'],
      ];
  return (
    candidates.find((type) => values.every((v) => wrap(v, type) === v)) ??
    ctx.log.fail('no integer type holds all constants of this enumeration', span)
  );
}
