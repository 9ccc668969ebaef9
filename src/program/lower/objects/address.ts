/**
 * Addresses and places. A pointer is computed as a base and a byte distance from it, in 64 bits. One check before an
 * access therefore sees the exact distance, however large it is. Accesses by name need fewer checks: `s.x` none, `a[i]`
 * only a comparison of `i` with the length.
 *
 * The last member of a structure that is reached through a pointer may be an array of length 0 or 1. Its declared
 * length is not meant: such arrays are unbounded.
 */
import type { Span } from '../../../c/source';
import type { TypedExpression as Tree } from '../../../c/tree';
import { alignOf } from '../../../c/layout';
import type { ArrayType, CType, Field, RecordLayout } from '../../../c/types';
import {
  addressOf,
  and,
  atMost,
  binary,
  convert,
  integer,
  isLive,
  isNonNull,
  isWritable,
  less,
  load,
  maximum,
  minimum,
  no,
  objectSize,
  offset,
  offsetOf,
  truth,
  truthValue,
} from '../../build';
import { type Congruence, contains, exactly, plus, times, upTo, valuesOf } from '../../congruence';
import type { Expression, FrameObject, IntegerScalar, Variable } from '../../expression';
import { int32, int64, uint64 } from '../../expression';
import type { StaticObject } from '../../program';
import { checkUnsequenced } from '../order/accesses';
import { within } from '../arithmetic';
import { compatible } from '../compatible';
import { sourceText, type FunctionLowering, type Moment } from '../context';
import { initialise } from './initialise';
import { checkLengths } from '../calls/arrayArguments';
import { endsRecord, isAggregate, isBool, isByte, isConst, mayBeLonger, offsetType, scalarOf, sizeOf } from './layout';
import { lowerAggregate } from './aggregate';
import { lowerValue } from '../value';

export interface LvalueAddress {
  /**
   * `object`: inside the object of this name. `trusted`: inside an object that lowering itself laid out. `pointer`:
   * anywhere the base points.
   */
  readonly root:
    | { readonly kind: 'object'; readonly object: StaticObject | FrameObject }
    | { readonly kind: 'trusted' }
    | { readonly kind: 'pointer' };
  readonly base: Expression;
  /** An int64. */
  readonly delta: Expression;
  /** Contains every value of `delta`, by the form of the expression and the index checks before it. */
  readonly within: Congruence;
  /** Contains every value of `delta` for which the guards hold. */
  readonly guarded: Congruence;
  /** The place lies inside the object, by its type and the index checks made already. */
  readonly inBounds: boolean;
  /** The pointer arithmetic includes a step that no comparison with a length has bounded. */
  readonly stepped: boolean;
  /** Conditions under which `delta` is the exact distance. */
  readonly guards: readonly Expression[];
  /** The length of the array that the pointer was; undefined if unknown. */
  readonly length: number | undefined;
  /** A member of a union lies on the way from the base. */
  readonly throughUnion?: boolean;
  /** The root is an object to which pointers may lead. */
  readonly isShared?: boolean;
  /** The text of the pointer, for messages. */
  readonly text: string;
}

export type Lvalue = { readonly kind: 'variable'; readonly variable: Variable; readonly type: CType } | MemoryLvalue;
export interface MemoryLvalue {
  readonly kind: 'memory';
  readonly address: LvalueAddress;
  readonly type: CType;
  /** The member at this place, for bit-fields. */
  readonly field: Field | undefined;
  /** An array whose declared length is not meant. */
  readonly unbounded: boolean;
  /** The structure or union that contains this member. */
  readonly record: RecordLayout | undefined;
}

const nothing = integer(0, int64);

export function objectAddress(object: StaticObject | FrameObject): LvalueAddress {
  return {
    root: { kind: 'object', object },
    base: addressOf(object),
    delta: nothing,
    within: exactly(0),
    guarded: exactly(0),
    inBounds: true,
    stepped: false,
    guards: [],
    length: undefined,
    text: object.name,
  };
}
export function trustedAddress(base: Expression): LvalueAddress {
  return {
    root: { kind: 'trusted' },
    base,
    delta: nothing,
    within: exactly(0),
    guarded: exactly(0),
    inBounds: true,
    stepped: false,
    guards: [],
    length: undefined,
    text: '',
  };
}
export function pointerAddress(base: Expression, text: string): LvalueAddress {
  return {
    root: { kind: 'pointer' },
    base,
    delta: nothing,
    within: exactly(0),
    guarded: exactly(0),
    inBounds: false,
    stepped: false,
    guards: [],
    length: undefined,
    text,
  };
}
export const pointerOf = (a: LvalueAddress): Expression => offset(a.base, a.delta, a.within);
export const moved = (a: LvalueAddress, bytes: number): LvalueAddress => ({
  ...a,
  delta: binary('add', a.delta, integer(bytes, int64)),
  within: plus(a.within, exactly(bytes)),
  guarded: plus(a.guarded, exactly(bytes)),
});

/**
 * `exact`: an access follows. `inner`: further index arithmetic follows. `value`: only the pointer itself is used, so
 * `&a[n]` is allowed.
 */
export type Use = 'exact' | 'inner' | 'value';

export function isLvalue(e: Tree): boolean {
  switch (e.kind) {
    case 'variable':
    case 'dereference':
    case 'string':
    case 'compound-literal':
      return true;
    case 'member':
      return isLvalue(e.object);
    default:
      return false;
  }
}

export function lowerLvalue(f: FunctionLowering, e: Tree, use: Use = 'exact'): Lvalue {
  switch (e.kind) {
    case 'variable': {
      const home = f.homeOf(e.symbol);
      return home.kind === 'variable'
        ? { kind: 'variable', variable: home, type: e.type }
        : memoryPlace({ ...objectAddress(home), ...(e.symbol.addressTaken && { isShared: true }) }, e.type);
    }
    case 'string':
      return memoryPlace(objectAddress(f.program.stringObject(e.bytes, e.type, e.span)), e.type);
    case 'compound-literal':
      return memoryPlace(objectAddress(literalObject(f, e)), e.type);
    case 'dereference':
      return memoryPlace(lowerPointer(f, e.pointer, use), e.type);
    case 'member': {
      const address = isLvalue(e.object)
        ? memory(lowerLvalue(f, e.object, 'exact')).address
        : lowerAggregate(f, e.object);
      const record = e.object.type.kind === 'record' ? e.object.type.record : undefined;
      const member = moved(address, e.field.offsetBytes);
      const unbounded =
        address.root.kind === 'pointer' && record !== undefined && mayBeLonger(e.field, record) && endsObject(e.object);
      return {
        kind: 'memory',
        address: {
          ...member,
          text: address.root.kind === 'pointer' ? address.text : sourceText(e.span),
          ...(record?.keyword === 'union' && { throughUnion: true }),
        },
        type: e.type,
        field: e.field,
        unbounded,
        record,
      };
    }
    default: {
      if (e.type.kind === 'record') return memoryPlace(lowerAggregate(f, e), e.type);
      throw new Error(`a ${e.kind} is no lvalue: elaboration must not make one of it`);
    }
  }
}

/** Nothing follows this place in the object that the pointer points to. */
function endsObject(e: Tree): boolean {
  if (e.kind !== 'member') return true;
  return e.object.type.kind === 'record' && endsRecord(e.field, e.object.type.record) && endsObject(e.object);
}

export const memoryPlace = (address: LvalueAddress, type: CType): MemoryLvalue => ({
  kind: 'memory',
  address,
  type,
  field: undefined,
  unbounded: false,
  record: undefined,
});

function memory(lvalue: Lvalue): MemoryLvalue {
  if (lvalue.kind === 'variable')
    throw new Error(`${lvalue.variable.name} has no address: elaboration must mark it as address-taken`);
  return lvalue;
}

function literalObject(
  f: FunctionLowering,
  e: Extract<Tree, { kind: 'compound-literal' }>,
): StaticObject | FrameObject {
  if (e.symbol.storage !== 'automatic') return f.program.staticLiteral(e);
  const home = f.homes.get(e.symbol);
  if (home?.kind !== 'frame-object') throw new Error('a compound literal is declared where its block begins');
  initialise(f, home, e.initializer, e.span);
  return home;
}

/** A pointer rvalue as base and distance. */
export function lowerPointer(f: FunctionLowering, e: Tree, use: Use): LvalueAddress {
  switch (e.kind) {
    case 'decay': {
      const { address, type, unbounded } = memory(lowerLvalue(f, e.lvalue, use === 'value' ? 'value' : 'exact'));
      const length = unbounded ? undefined : (type as ArrayType).length;
      return { ...address, length, inBounds: address.inBounds && length !== undefined && length > 0 };
    }
    case 'address-of': {
      const { address } = memory(lowerLvalue(f, e.lvalue, use));
      if (address.throughUnion) f.puns = true;
      if (!isAligned(f, address, e.lvalue.type)) f.program.choose('alignment', e.span);
      return { ...address, length: undefined };
    }
    case 'pointer-add':
      return lowerPointerAdd(f, e, use);
    case 'convert': {
      if (e.operand.type.kind !== 'pointer' || e.type.kind !== 'pointer') break;
      const address = lowerPointer(f, e.operand, use);
      if (mayPun(e.operand.type.to, e.type.to)) f.puns = true;
      noteStructure(f, e.operand, e.type.to);
      // Steps of pointers to variable-length arrays are counted in bytes.
      if (!e.implicit || e.type.to.kind !== 'array') noteConversion(f, e.operand.type.to, e.type.to, address, e.span);
      if (e.implicit) checkLengths(f, e.operand.type.to, e.type.to, e.span);
      if (e.operand.kind !== 'convert' && compatible(e.operand.type.to, e.type.to)) return address;
      return { ...address, length: undefined, inBounds: address.root.kind === 'trusted' };
    }
    default:
      break;
  }
  return pointerAddress(lowerValue(f, e), sourceText(e.span));
}

/** A structure that the program knows behind `void *`, as handles of a header that hides it. */
function noteStructure(f: FunctionLowering, operand: Tree, to: CType): void {
  if (operand.type.kind !== 'pointer') return;
  const from = operand.type.to;
  const record = from.kind === 'void' && to.kind === 'record' ? to.record : undefined;
  const hidden = to.kind === 'void' && from.kind === 'record' ? from.record : undefined;
  const read = operand.kind === 'load' && operand.lvalue.kind === 'variable' ? operand.lvalue.symbol : undefined;
  const home = read && f.homes.get(read);
  if (record) f.structuresBehindVoid.push({ record, variable: home?.kind === 'variable' ? home : undefined });
  else if (hidden) f.structuresBehindVoid.push({ record: hidden, variable: undefined });
}

/** The pointer leads to an object of another type, perhaps. */
const mayPun = (from: CType, to: CType): boolean =>
  to.kind !== 'void' && to.kind !== 'function' && !isByte(to) && !compatible(from, to);

/** Compilers and machines differ in the accesses through the converted pointer. */
export function noteConversion(
  f: FunctionLowering,
  from: CType,
  to: CType,
  address: LvalueAddress | undefined,
  span: Span,
): void {
  if (isConst(from) && !isConst(to)) f.program.choose('const-removed', span);
  // Handles and blocks of the allocator are `void *`: only of a named object is more known.
  if (from.kind === 'void' ? address?.root.kind !== 'object' : alignOf(to, f.model) <= alignOf(from, f.model)) return;
  if (to.kind === 'void' || to.kind === 'function') return;
  if (address?.root.kind !== 'object' || !isAligned(f, address, to)) f.program.choose('alignment', span);
}

/** As `noteConversion`, of an integer that becomes a pointer. */
export function noteAddress(f: FunctionLowering, operand: Tree, value: Expression, to: CType, span: Span): void {
  const bytes = to.kind === 'void' || to.kind === 'function' ? 1 : alignOf(to, f.model);
  if (bytes === 1 || isMultiple(value, bytes)) return;
  let from = operand;
  while (from.kind === 'convert' && from.type.kind === 'integer') from = from.operand;
  // The pointer that the integer was before.
  if (from.type.kind === 'pointer' && (from.type.to.kind === 'void' || alignOf(from.type.to, f.model) >= bytes)) return;
  f.program.choose('alignment', span);
}

/** The low bits are 0, as the form of the integer shows. */
function isMultiple(e: Expression, of: number): boolean {
  if (e.kind === 'integer') return e.value % BigInt(of) === 0n;
  if (e.kind === 'convert' && e.operand.type.kind === 'integer' && e.type.kind !== 'float')
    return isMultiple(e.operand, of);
  if (e.kind === 'binary' && e.operator === 'and') return isMultiple(e.left, of) || isMultiple(e.right, of);
  if (e.kind === 'binary' && (e.operator === 'add' || e.operator === 'subtract' || e.operator === 'or'))
    return isMultiple(e.left, of) && isMultiple(e.right, of);
  return contains({ residue: 0, modulus: of }, valuesOf(e));
}

/** The place is aligned for `type` if the object is, or the pointer: not always in a packed structure. */
function isAligned(f: FunctionLowering, { root, within }: LvalueAddress, type: CType): boolean {
  const bytes = alignOf(type, f.model);
  if (!contains({ residue: 0, modulus: bytes }, within)) return false;
  return root.kind !== 'object' || (root.object.alignBytes ?? alignOf(root.object.ctype, f.model)) % bytes === 0;
}

function lowerPointerAdd(f: FunctionLowering, e: Extract<Tree, { kind: 'pointer-add' }>, use: Use): LvalueAddress {
  const start = f.moment();
  const first = f.accesses.length;
  const pointer = lowerPointer(f, e.pointer, 'inner');
  const moment = f.moment();
  const second = f.accesses.length;
  const index = f.nameValue(lowerValue(f, e.index), 'index', e.index.span);
  f.noteUnordered(e.span, start, [
    { values: [pointer.base, pointer.delta], end: moment },
    { values: [index], end: f.moment() },
  ]);
  checkUnsequenced(f, start, [f.accesses.slice(first, second), f.accesses.slice(second)], e.span);
  return advance(f, addressAsOf(f, moment, pointer, e.span), index, e, use, e.span);
}

/**
 * The address `index` elements further on, or back.
 *
 * A proof may be of a stricter program, in which no pointer leads one past the end of an array that is a member: C
 * allows `&book->entries[20]` of 20 entries, and then a pointer to an entry may be one to what follows them, so that
 * all members are one array of bytes. What is proved of the stricter program is true of the program: a check that never
 * fails changes nothing. So it is only for checks that are made, and what fails in it says nothing.
 */
export function advance(
  f: FunctionLowering,
  address: LvalueAddress,
  index: Expression,
  step: {
    readonly type: CType;
    readonly subtract: boolean;
    /** For the message of a failing bound; default the source text. */
    readonly text?: string;
  },
  use: Use,
  span: Span,
): LvalueAddress {
  if (step.type.kind !== 'pointer' || index.type.kind !== 'integer')
    throw new Error('elaboration gives pointer arithmetic a pointer type and an integer index');
  const elementBytes = integer(sizeOf(step.type.to, f.model), int64);
  const wide = convert(index, int64);
  const elements = step.subtract ? binary('subtract', nothing, wide) : wide;
  const distance = binary('multiply', elements, elementBytes);
  const delta = binary('add', address.delta, distance);
  if (address.length !== undefined) {
    const excludesEnd =
      f.program.options.excludesEnds === true &&
      use === 'value' &&
      index.kind !== 'integer' &&
      !coversObject(address, Number(elementBytes.value)) &&
      f.isInForce('array-bounds', step.text ?? sourceText(span), span);
    const isElement = use === 'exact' || excludesEnd;
    f.check('array-bounds', indexInRange(index, step.subtract, address.length, isElement), span, {
      ...(step.text !== undefined && { text: step.text }),
      ifUnchecked: 'assume',
    });
    // A later step may come back from one past the end, or continue from there.
    const within =
      distance.kind === 'integer'
        ? valuesOf(distance)
        : coversObject(address, Number(elementBytes.value))
          ? { residue: 0, modulus: Number(elementBytes.value) }
          : upTo(isElement ? address.length : address.length + 1, Number(elementBytes.value));
    return {
      ...address,
      delta,
      within: plus(address.within, within),
      guarded: plus(address.guarded, within),
      length: undefined,
      inBounds: address.inBounds && use !== 'inner',
    };
  }
  const trivial = elementBytes.value === 0n || (index.kind === 'integer' && index.value === 0n);
  return {
    ...address,
    delta,
    within: plus(address.within, valuesOf(distance)),
    guarded: plus(address.guarded, times(valuesOf(elements), Number(elementBytes.value))),
    length: undefined,
    inBounds: trivial && address.inBounds,
    stepped: address.stepped || !trivial,
    guards: trivial ? address.guards : [...address.guards, narrowIndex(index)],
  };
}

/** The array is the whole object: its elements need not be distinguished from other parts. */
function coversObject({ root, length }: LvalueAddress, elementBytes: number): boolean {
  return root.kind === 'object' && length !== undefined && root.object.sizeBytes === length * elementBytes;
}

function indexInRange(index: Expression, subtract: boolean, length: number, exact: boolean): Expression {
  const last = BigInt(exact ? length - 1 : length);
  const type = index.type as IntegerScalar;
  if (type.widthBits === 64 && !type.signed && !subtract) return last < 0n ? no : atMost(index, integer(last, type));
  const wide = convert(index, int64);
  if (subtract) return within(wide, -last, 0n);
  return and(atMost(nothing, wide), exact ? less(wide, integer(length, int64)) : atMost(wide, integer(length, int64)));
}

/** Limits indices of more than 32 bits, so that the distance in bytes cannot wrap. */
function narrowIndex(index: Expression): Expression {
  const type = index.type as IntegerScalar;
  if (type.widthBits < 64) return truthValue(true);
  if (!type.signed) return atMost(index, integer(maximum(int32), uint64));
  return within(index, minimum(int32), maximum(int32));
}

export function addressAsOf(f: FunctionLowering, moment: Moment, a: LvalueAddress, span: Span): LvalueAddress {
  return {
    ...a,
    base: f.asOf(moment, a.base, span),
    delta: f.asOf(moment, a.delta, span),
    guards: a.guards.map((guard) => f.asOf(moment, guard, span)),
  };
}

export function lvalueAsOf(f: FunctionLowering, moment: Moment, lvalue: Lvalue, span: Span): Lvalue {
  return lvalue.kind === 'variable' ? lvalue : { ...lvalue, address: addressAsOf(f, moment, lvalue.address, span) };
}

/**
 * The pointer as a value: its offset must be representable in a pointer. Members of structures need no check, because
 * their distance is small.
 */
export function addressValue(f: FunctionLowering, a: LvalueAddress, span: Span): Expression {
  if (!a.stepped || a.inBounds) return pointerOf(a);
  const range = offsetType(f.model);
  const exact = binary('add', offsetOf(a.base), a.delta);
  f.check('pointer-arithmetic', and(...a.guards, within(exact, minimum(range), maximum(range))), span, {
    ifUnchecked: 'ignore',
  });
  return pointerOf(a);
}

/**
 * Emits the checks before an access of `size` bytes (an int64 or a number). Returns the address with its base computed
 * once.
 */
export function checkAccess(
  f: FunctionLowering,
  a: LvalueAddress,
  size: number | Expression,
  access: 'read' | 'write',
  span: Span,
): LvalueAddress {
  const bytes = typeof size === 'number' ? integer(size, int64) : size;
  const checked = a.root.kind === 'pointer' ? { ...a, base: f.nameValue(a.base, 'pointer', span) } : a;
  const { base, delta, root } = checked;
  if (root.kind === 'trusted') return checked;
  if (root.kind === 'pointer')
    f.check('null-dereference', isNonNull(base), span, { text: a.text, ifUnchecked: 'assume' });
  if (!a.inBounds) {
    const start = binary('add', offsetOf(base), delta);
    const live = root.kind === 'object' ? [] : [isLive(base)];
    f.check(
      'dereference',
      and(...live, ...a.guards, atMost(nothing, start), atMost(start, binary('subtract', objectSize(base), bytes))),
      span,
      { ifUnchecked: 'assume' },
    );
  }
  if (access === 'write')
    f.check('read-only', isTemporary(f, root) ? no : isWritable(base), span, { ifUnchecked: 'assume' });
  return a.inBounds ? checked : { ...checked, within: checked.guarded };
}

/** 6.2.4p8: the structure that a call returns cannot be changed. */
function isTemporary(f: FunctionLowering, root: LvalueAddress['root']): boolean {
  return (
    root.kind === 'object' && root.object.kind === 'frame-object' && f.symbols.get(root.object)?.isTemporary === true
  );
}

/** True if a load from here must be checked for initialisation. */
export function mayBeUninitialised(f: FunctionLowering, a: LvalueAddress, type: CType): boolean {
  if (isByte(type)) return false;
  if (a.root.kind !== 'object') return true;
  if (a.root.object.kind === 'static-object') return a.root.object.writable && f.program.copiesIntoStatics;
  const symbol = f.symbols.get(a.root.object);
  return symbol !== undefined && f.isSuspicious(symbol);
}

/** A `_Bool` is true or false for every byte value: callers and unknown functions pass arbitrary bytes. */
export function loadAt(a: LvalueAddress, type: CType): Expression {
  if (isAggregate(type)) throw new Error('structures are copied, not loaded');
  const loaded = load(scalarOf(type), pointerOf(a));
  return isBool(type) ? convert(truth(loaded), loaded.type) : loaded;
}
