/**
 * Initialisers, C11 6.7.9, flattened to scalars at byte offsets.
 *
 * A braced list is read by a cursor. Each (sub)aggregate takes items for its members in order; an item that is a braced
 * list belongs to one member as a whole; any other item that cannot initialise a whole aggregate member goes to that
 * member's first scalar, and the following ones continue inside it (brace elision). A designator always counts from the
 * aggregate of the innermost braces, so inside elided braces it ends the inner aggregates. A later item for the same
 * bytes replaces the earlier one.
 */
import { evaluateConstant, type Constant } from '../../constant';
import { sizeOf } from '../../layout';
import { printType } from '../../printType';
import type { Span } from '../../source';
import type { Designator, SyntaxExpression, SyntaxInitializer, SyntaxInitializerList } from '../../syntax';
import { integerOf, isArithmetic, isCharacter, isInteger, withoutQualifiers } from '../../target';
import type { TypedExpression, Initializer } from '../../tree';
import type { ArrayType, CType, Field, RecordLayout, RecordType } from '../../types';
import type { ElaborationContext } from '../context';
import { assignable, convert, rvalue } from '../conversions';
import { expression, integerConstant } from '../expressions';
import { endingTemporaries } from '../temporaries';
import { stringLiteral } from '../literals';
import { PlacedItems, type Item } from '../placedItems';
import { requireField } from '../records';
import { typeOfName } from '../types';
import { compatibleUnqualified, composite } from '../../typeRelations';

export interface InitializerOptions {
  /** The object lives as long as the program: values must be constant. */
  readonly isStatic: boolean;
  /** Each value is a full expression: the initializer is not part of a compound literal. */
  readonly areFullExpressions?: boolean;
  readonly name: string | undefined;
}

export interface ElaboratedInitializer {
  /** With the length that the initializer gives to an array of unknown length. */
  readonly type: CType;
  readonly initializer: Initializer;
  /** `int x = e;`, or a whole struct value: then `initializer` says the same with one item. */
  readonly value: TypedExpression | undefined;
}

export function elaborateInitializer(
  ctx: ElaborationContext,
  type: CType,
  syntax: SyntaxInitializer,
  options: InitializerOptions,
): ElaboratedInitializer {
  const builder = new Builder(ctx, options);
  const outside = ctx.temporaries;
  if (options.areFullExpressions) ctx.temporaries = [];
  const completed = builder.whole(type, syntax);
  if (options.areFullExpressions) ctx.temporaries = outside;
  const sizeBytes = Math.max(sizeOf(completed, ctx.model) ?? 0, builder.end);
  const items = builder.items.all;
  const [first] = items;
  const single =
    items.length === 1 && first && completed.kind !== 'array' && first.type === completed ? first.value : undefined;
  return { type: completed, initializer: { items, strings: builder.strings, sizeBytes }, value: single };
}

/** The braces of an aggregate's list, without which it takes what it needs of the list around it. */
type Braces = 'written' | 'elided';

class Cursor {
  private index = 0;
  /** The current item's expression, if it was looked at before it was taken. */
  elaborated: TypedExpression | undefined;
  constructor(private readonly items: SyntaxInitializerList['items']) {}

  get current(): SyntaxInitializerList['items'][number] | undefined {
    return this.items[this.index];
  }

  take(): void {
    this.index++;
    this.elaborated = undefined;
  }
}

class Builder {
  readonly items: PlacedItems;
  strings: { readonly offsetBytes: number; readonly bytes: Uint8Array }[] = [];
  /** Behind the last byte initialised so far. */
  end = 0;
  /** Member of the union at an offset that was initialised last. */
  private readonly chosen = new Map<string, number>();

  constructor(
    private readonly ctx: ElaborationContext,
    private readonly options: InitializerOptions,
  ) {
    this.items = new PlacedItems((type) => sizeOf(type, ctx.model) ?? 0);
  }

  whole(type: CType, syntax: SyntaxInitializer): CType {
    const { ctx } = this;
    const string = type.kind === 'array' ? stringFor(type, syntax) : undefined;
    if (string) return this.string(type as ArrayType, 0, stringLiteral(ctx, string.pieces, string.span));
    if (syntax.kind === 'list') return this.list(type, 0, syntax);
    if (syntax.expression.kind === 'compound-literal' && (type.kind === 'array' || this.options.isStatic)) {
      // GNU: a compound literal stands for the list in its braces where only constants are allowed, and for arrays.
      const literalType = typeOfName(ctx, syntax.expression.type);
      if (compatibleUnqualified(literalType, type))
        return this.list(composite(type, literalType), 0, syntax.expression.initializer);
    }
    if (type.kind === 'array')
      return ctx.log.fail(
        `an array needs a list in braces${isCharacter(type.of) ? ' or a string literal' : ''} as its initializer`,
        syntax.span,
      );
    this.value(type, 0, undefined, expression(ctx, syntax.expression));
    return type;
  }

  /** A braced list for an object of any type. */
  private list(type: CType, offset: number, list: SyntaxInitializerList): CType {
    const { ctx } = this;
    const cursor = new Cursor(list.items);
    let completed = type;
    if (type.kind === 'array') {
      const length = this.array(type, offset, cursor, 'written');
      completed = type.length === undefined ? { ...type, length } : type;
    } else if (type.kind === 'record') {
      if (!type.record.complete) ctx.log.fail(`'${printType(type)}' is incomplete here`, list.span);
      this.record(type, offset, cursor, 'written');
    } else {
      this.scalarList(type, offset, undefined, list);
      return type;
    }
    return completed;
  }

  /** An item for which the aggregate has no room. */
  private excess(type: ArrayType | RecordType, cursor: Cursor): void {
    this.ctx.log.warn(
      'more initializers than ' +
        `${type.kind === 'array' ? 'the array has elements' : `'${printType(withoutQualifiers(type))}' has members`}`,
      cursor.current!.value.span,
    );
    cursor.take();
  }

  /** `int x = { 3 };` */
  private scalarList(type: CType, offset: number, field: Field | undefined, list: SyntaxInitializerList): void {
    const { ctx } = this;
    const [first, second] = list.items;
    if (second) ctx.log.warn('more initializers than one for a single value', second.value.span);
    if (!first)
      return ctx.log.fail('empty braces for a single value', list.span, {
        hint: "Write '{ 0 }': these are allowed only since C23.",
      });
    const designator = first.designators[0];
    if (designator) ctx.log.fail('a designator in the initializer of a single value', designator.span);
    if (first.value.kind === 'list') this.scalarList(type, offset, field, first.value);
    else this.value(type, offset, field, expression(ctx, first.value.expression));
  }

  // --- aggregates

  /**
   * Returns how many elements an array of unknown length has been given. `path`: the rest of the current item's
   * designators. Its own are done.
   */
  private array(type: ArrayType, offset: number, cursor: Cursor, braces: Braces, path?: readonly Designator[]): number {
    const { ctx } = this;
    const stride = sizeOf(type.of, ctx.model)!;
    let index = 0;
    let count = 0;
    let designators = path;
    for (;;) {
      const item = cursor.current;
      if (!item) break;
      designators ??= braces === 'written' ? item.designators : undefined;
      if (braces === 'elided' && !designators && item.designators.length > 0) break;
      let last = index;
      if (designators && designators.length > 0) {
        const range = this.indexRange(type, designators[0]!);
        index = range.low;
        last = range.high;
      } else if (type.length !== undefined && index >= type.length) {
        if (braces === 'elided') break;
        this.excess(type, cursor);
        designators = undefined;
        continue;
      }
      const rest = designators?.slice(1) ?? [];
      designators = undefined;
      this.element(type.of, offset + index * stride, cursor, rest);
      if (cursor.current === item && type.length === undefined) break; // An element without members takes nothing.
      if (last > index) this.repeat(offset + index * stride, stride, last - index, item.value.span);
      index = last + 1;
      count = Math.max(count, index);
    }
    return count;
  }

  private indexRange(type: ArrayType, designator: Designator): { readonly low: number; readonly high: number } {
    const { ctx } = this;
    if (designator.kind === 'field')
      return ctx.log.fail(`'.${designator.name}' in the initializer of an array`, designator.span);
    const low = integerConstant(ctx, designator.low, 'an index');
    const high = designator.high ? integerConstant(ctx, designator.high, 'an index') : low;
    if (low < 0n || high < low)
      return ctx.log.fail(low < 0n ? `negative index ${low}` : 'empty range of indices', designator.span);
    const length = type.length ?? 0x7fffffff;
    if (high >= BigInt(length))
      return ctx.log.fail(`the index ${high} is outside the array, which has ${length} elements`, designator.span);
    return { low: Number(low), high: Number(high) };
  }

  /** `[low ... high] = v`: what was put at `low` is put at the others too. */
  private repeat(offset: number, stride: number, times: number, span: Span): void {
    const inside = (at: number): boolean => at >= offset && at < offset + stride;
    const items = [...this.items.within(offset, stride)].filter((item) => inside(item.offsetBytes));
    const strings = this.strings.filter((s) => inside(s.offsetBytes));
    for (const { value } of items) {
      if (evaluateConstant(value, { model: this.ctx.model }) === undefined && !isRepeatable(value))
        this.ctx.log.fail('a value with effects for a range of indices is not supported', span);
    }
    for (let i = 1; i <= times; i++) {
      for (const s of strings) this.placeString(s.offsetBytes + i * stride, s.bytes);
      for (const item of items) this.place({ ...item, offsetBytes: item.offsetBytes + i * stride });
    }
  }

  private record(type: RecordType, offset: number, cursor: Cursor, braces: Braces, path?: readonly Designator[]): void {
    const { fields, keyword } = type.record;
    let index = 0;
    let designators = path;
    for (;;) {
      const item = cursor.current;
      if (!item) return;
      designators ??= braces === 'written' ? item.designators : undefined;
      if (braces === 'elided' && !designators && item.designators.length > 0) return;
      let rest: readonly Designator[] = [];
      if (designators && designators.length > 0) {
        const step = this.memberStep(type, designators);
        index = step.index;
        rest = step.rest;
      } else if (index >= (keyword === 'union' ? Math.min(1, fields.length) : fields.length)) {
        if (braces === 'elided') return;
        this.excess(type, cursor);
        designators = undefined;
        continue;
      }
      designators = undefined;
      const field = fields[index]!;
      if (keyword === 'union') this.choose(type.record, offset, index);
      if (field.type.kind === 'array' && field.type.length === undefined) this.flexible(field, offset, cursor, rest);
      else this.element(field.type, offset + field.offsetBytes, cursor, rest, field);
      index = keyword === 'union' ? fields.length : index + 1;
    }
  }

  /** A union holds its last initialised member alone. */
  private choose(union: RecordLayout, offset: number, index: number): void {
    const key = `${offset} ${union.tag ?? ''} ${union.sizeBytes}`;
    const previous = this.chosen.get(key);
    if (previous !== undefined && previous !== index) this.clear(offset, union.sizeBytes, undefined);
    this.chosen.set(key, index);
  }

  /** The member of this record that a designator leads to; through anonymous members one step at a time. */
  private memberStep(
    type: RecordType,
    designators: readonly Designator[],
  ): { readonly index: number; readonly rest: readonly Designator[] } {
    const { ctx } = this;
    const [first] = designators;
    if (first!.kind === 'index')
      return ctx.log.fail(`'[…]' in the initializer of '${printType(withoutQualifiers(type))}'`, first!.span);
    requireField(ctx, type, first!.name, first!.span);
    const { fields } = type.record;
    const direct = fields.findIndex((field) => field.name === first!.name);
    if (direct >= 0) return { index: direct, rest: designators.slice(1) };
    return {
      index: fields.findIndex((field) => field.name === undefined && hasMember(field.type, first!.name)),
      rest: designators,
    };
  }

  /** A flexible array member: only a static object can have room for it (GNU). */
  private flexible(field: Field, offset: number, cursor: Cursor, rest: readonly Designator[]): void {
    const { ctx } = this;
    const type = field.type as ArrayType;
    const item = cursor.current!;
    if (!this.options.isStatic)
      ctx.log.fail(`the array '${field.name ?? ''}' without a length cannot be initialised here`, item.value.span);
    const stride = sizeOf(type.of, ctx.model)!;
    const at = offset + field.offsetBytes;
    const string = rest.length === 0 ? stringFor(type, item.value) : undefined;
    if (string) {
      this.string(type, at, stringLiteral(ctx, string.pieces, string.span));
      cursor.take();
    } else {
      const braced = item.value.kind === 'list' && rest.length === 0;
      const inner = braced && item.value.kind === 'list' ? new Cursor(item.value.items) : cursor;
      const count = this.array(type, at, inner, braced ? 'written' : 'elided', rest.length > 0 ? rest : undefined);
      this.end = Math.max(this.end, at + count * stride);
      if (braced) cursor.take();
    }
  }

  /** The current item (and, with elided braces, those after it) for one member or element. */
  private element(type: CType, offset: number, cursor: Cursor, rest: readonly Designator[], field?: Field): void {
    const { ctx } = this;
    const item = cursor.current!;
    if (rest.length > 0) {
      if (type.kind === 'array') this.array(type, offset, cursor, 'elided', rest);
      else if (type.kind === 'record') this.record(type, offset, cursor, 'elided', rest);
      else ctx.log.fail('a designator inside a single value', rest[0]!.span);
      return;
    }
    const string = type.kind === 'array' ? stringFor(type, item.value) : undefined;
    if (string) {
      this.string(type as ArrayType, offset, stringLiteral(ctx, string.pieces, string.span));
      cursor.take();
    } else if (item.value.kind === 'list') {
      const { value } = item;
      cursor.take();
      this.clear(offset, sizeOf(type, ctx.model) ?? 0, undefined);
      if (type.kind === 'array' || type.kind === 'record') this.list(type, offset, value);
      else this.scalarList(type, offset, field, value);
    } else if (type.kind === 'array' || type.kind === 'record') {
      this.elidedBraces(type, offset, cursor, item.value.expression);
    } else {
      const e = cursor.elaborated ?? expression(ctx, item.value.expression);
      this.value(type, offset, field, e);
      cursor.take();
    }
  }

  /** No brace where an aggregate is to be initialised: a struct value as a whole, or else its members one by one. */
  private elidedBraces(type: ArrayType | RecordType, offset: number, cursor: Cursor, syntax: SyntaxExpression): void {
    const { ctx } = this;
    if (type.kind === 'record') {
      if (
        this.options.isStatic &&
        syntax.kind === 'compound-literal' &&
        compatibleUnqualified(typeOfName(ctx, syntax.type), type)
      ) {
        this.list(type, offset, syntax.initializer);
        cursor.take();
        return;
      }
      const e = (cursor.elaborated ??= expression(ctx, syntax));
      if (e.type.kind === 'record' && e.type.record === type.record) {
        this.value(type, offset, undefined, e);
        cursor.take();
        return;
      }
      this.record(type, offset, cursor, 'elided', []);
    } else {
      this.array(type, offset, cursor, 'elided', []);
    }
  }

  // --- leaves

  private value(type: CType, offset: number, field: Field | undefined, e: TypedExpression): void {
    const { ctx } = this;
    const converted = assignable(
      ctx,
      rvalue(ctx, e),
      type,
      { kind: 'initialisation', name: field?.name ?? this.options.name },
      e.span,
    );
    const value = this.options.isStatic
      ? constantValue(ctx, converted)
      : this.options.areFullExpressions
        ? endingTemporaries(ctx, converted)
        : converted;
    const bits = field?.bits ? { field: { ...field, offsetBytes: offset } } : {};
    this.place({ offsetBytes: offset, type, value, ...bits });
  }

  private string(type: ArrayType, offset: number, literal: Extract<TypedExpression, { kind: 'string' }>): CType {
    const elementBytes = sizeOf(type.of, this.ctx.model)!;
    const length = type.length ?? literal.bytes.length / elementBytes;
    const room = length * elementBytes;
    if (literal.bytes.length - elementBytes > room)
      this.ctx.log.warn(
        `the string has ${literal.bytes.length / elementBytes - 1} characters, the array ${length} elements`,
        literal.span,
      );
    this.placeString(offset, literal.bytes.subarray(0, room));
    return type.length === undefined ? { ...type, length } : type;
  }

  private placeString(offsetBytes: number, bytes: Uint8Array): void {
    this.clear(offsetBytes, bytes.length, undefined);
    this.strings.push({ offsetBytes, bytes });
    this.end = Math.max(this.end, offsetBytes + bytes.length);
  }

  private place(item: Item): void {
    const size = sizeOf(item.type, this.ctx.model) ?? 0;
    this.clear(item.offsetBytes, size, item);
    this.items.add(item);
    this.end = Math.max(this.end, item.offsetBytes + size);
  }

  /** Forgets what was said before about these bytes (6.7.9p19). */
  private clear(offset: number, size: number, by: Item | undefined): void {
    if (offset >= this.end) return;
    const bits = by?.field?.bits;
    const stays = (item: Item): boolean => {
      const itemSize = sizeOf(item.type, this.ctx.model) ?? 0;
      const own = item.field?.bits;
      if (bits && own) return firstBit(item) >= firstBit(by) + bits.width || firstBit(by) >= firstBit(item) + own.width;
      // Neighbouring members may share a bit-field's storage unit.
      if (own || bits)
        return !overlapsBits(own ? item : by!, own ? { offset, size } : { offset: item.offsetBytes, size: itemSize });
      if (item.offsetBytes >= offset && item.offsetBytes + itemSize <= offset + size) return false;
      return this.ctx.log.fail(
        'this overrides a part of a struct value given before: compilers differ on what becomes of the rest, so ' +
          'it is not supported',
        by?.value.span,
      );
    };
    for (const item of this.items.within(offset, Math.min(size, this.end - offset)))
      if (!stays(item)) this.items.remove(item);
  }
}

/** Evaluating it twice is as good as once. */
function isRepeatable(e: TypedExpression): boolean {
  switch (e.kind) {
    case 'integer':
    case 'float':
    case 'string':
    case 'variable':
    case 'function':
    case 'function-pointer':
      return true;
    case 'load':
    case 'decay':
    case 'address-of':
      return isRepeatable(e.lvalue);
    case 'member':
      return isRepeatable(e.object);
    case 'convert':
    case 'unary':
    case 'not':
      return isRepeatable(e.operand);
    case 'arithmetic':
    case 'relational':
    case 'logical':
      return isRepeatable(e.left) && isRepeatable(e.right);
    case 'conditional':
      return isRepeatable(e.condition) && isRepeatable(e.otherwise) && (!e.then || isRepeatable(e.then));
    case 'compound-literal':
      return e.initializer.items.every(({ value }) => isRepeatable(value));
    default:
      return false;
  }
}

const firstBit = (item: Item): number => item.offsetBytes * 8 + (item.field?.bits?.offset ?? 0);

function overlapsBits(item: Item, bytes: { readonly offset: number; readonly size: number }): boolean {
  const start = firstBit(item);
  return start < (bytes.offset + bytes.size) * 8 && start + item.field!.bits!.width > bytes.offset * 8;
}

function hasMember(type: CType, name: string): boolean {
  return (
    type.kind === 'record' &&
    type.record.fields.some((field) => (field.name === undefined ? hasMember(field.type, name) : field.name === name))
  );
}

/** The literal, possibly in braces, that initialises a character array. */
function stringFor(
  type: ArrayType,
  syntax: SyntaxInitializer,
): Extract<SyntaxExpression, { kind: 'string' }> | undefined {
  let inner: SyntaxInitializer = syntax;
  if (syntax.kind === 'list') {
    if (syntax.items.length !== 1 || syntax.items[0]!.designators.length > 0) return undefined;
    inner = syntax.items[0]!.value;
  }
  if (inner.kind !== 'expression' || inner.expression.kind !== 'string' || !isInteger(type.of)) return undefined;
  const wide = inner.expression.pieces.some((piece) => /^[LuU](?!8)/.test(piece.text));
  return isCharacter(type.of)
    ? wide
      ? undefined
      : inner.expression
    : wide && integerOf(type.of).widthBits >= 16
      ? inner.expression
      : undefined;
}

/** Static storage (6.7.9p4): numbers are computed now, addresses stay expressions. */
function constantValue(ctx: ElaborationContext, e: TypedExpression): TypedExpression {
  const constant = evaluateConstant(e, {
    model: ctx.model,
    variables: ctx.constants,
    onOverflow: (at) => ctx.log.warn('overflow in a constant expression', at.span),
  });
  if (constant === undefined) return ctx.log.fail('the initializer of a static object must be a constant', e.span);
  return isArithmetic(e.type)
    ? constant.kind === 'float' && Number.isNaN(constant.value) && !isWritten(e)
      ? someNaN(e)
      : literal(constant, e)
    : e;
}

const isWritten = (e: TypedExpression): boolean => e.kind === 'float' || (e.kind === 'convert' && isWritten(e.operand));

/** The NaN that comes out of an operation C leaves open. */
function someNaN({ type, span }: TypedExpression): TypedExpression {
  const zero: TypedExpression = { kind: 'float', value: 0, type, span } as TypedExpression;
  return { kind: 'arithmetic', operator: '/', left: zero, right: zero, type, span };
}

function literal(constant: Constant, e: TypedExpression): TypedExpression {
  if (constant.kind === 'integer' && isInteger(e.type)) {
    const integer: TypedExpression = { kind: 'integer', value: constant.value, type: integerOf(e.type), span: e.span };
    return convert(integer, e.type);
  }
  if (constant.kind === 'float' && e.type.kind === 'float')
    return { kind: 'float', value: constant.value, type: e.type, span: e.span };
  return e;
}
