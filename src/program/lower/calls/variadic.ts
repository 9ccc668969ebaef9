/**
 * Variable arguments. The caller stores them in an object and passes its address as a hidden last argument. Each entry
 * begins with the number of the argument's type, in 8 bytes; the value follows. The number 0 ends the list. A `va_list`
 * is the ABI's record, one member of which holds the address of the next entry, or null after `va_end`. The object ends
 * when the call returns.
 */
import type { Span } from '../../../c/source';
import type { TypedExpression as Tree } from '../../../c/tree';
import type { CType } from '../../../c/types';
import { printType } from '../../../c/printType';
import {
  addressOf,
  atMost,
  equal,
  integer,
  isInitialised,
  isNonNull,
  load,
  not,
  nullPointer,
  offset,
  or,
  read,
} from '../../build';
import type { Expression, IntegerScalar } from '../../expression';
import { int64, pointer, uint32 } from '../../expression';
import {
  checkAccess,
  lowerPointer,
  mayBeUninitialised,
  moved,
  pointerAddress,
  pointerOf,
  trustedAddress,
  type LvalueAddress,
} from '../objects/address';
import { acceptedTypes, endOfList, numberOf } from './argumentTypes';
import { branch, sourceText, type FunctionLowering } from '../context';
import { isAggregate, scalarBytes, scalarOf, sizeOf } from '../objects/layout';

/** Offset of the value in an entry. */
export const valueOffset = 8;
/** The bytes that an argument of this size occupies in the list, with the number of its type. */
export const entryBytes = (bytes: number): number => Math.ceil((valueOffset + bytes) / 16) * 16;
/** The type of the numbers. */
export const numberType = uint32;
const charType: CType = { kind: 'integer', name: 'char', widthBits: 8, signed: true };

export interface PackedArguments {
  readonly list: Expression;
  /** Ends the life of the list, when the call has returned. */
  readonly end: () => void;
}

/** The hidden argument. `values` are scalars, or addresses of structures. */
export function packArguments(
  f: FunctionLowering,
  callee: string,
  values: readonly { readonly type: CType; readonly value: Expression }[],
  span: Span,
): PackedArguments {
  const size = values.reduce((sum, { type }) => sum + entryBytes(sizeOf(type, f.model)), valueOffset);
  const object = f.object(`<arguments of ${callee}>`, { kind: 'array', of: charType, length: size });
  f.emit({ kind: 'declare', object }, span);
  let at = 0;
  const storeNumber = (number: number): void => {
    const address = offset(addressOf(object), integer(at, int64));
    f.emit({ kind: 'store', address, type: numberType, value: integer(number, numberType) }, span);
  };
  for (const { type, value } of values) {
    const number = numberOf(f.program.argumentTypes, type);
    if (number === undefined) throw new Error(`no call was seen to pass an argument of type '${printType(type)}'`);
    storeNumber(number);
    const target = offset(addressOf(object), integer(at + valueOffset, int64));
    const bytes = sizeOf(type, f.model);
    if (isAggregate(type)) f.emit({ kind: 'copy', target, source: value, size: integer(bytes, int64) }, span);
    else f.emit({ kind: 'store', address: target, type: value.type, value }, span);
    at += entryBytes(bytes);
  }
  storeNumber(endOfList);
  return { list: addressOf(object), end: () => f.emit({ kind: 'end', object }, span) };
}

/** The member of the `va_list` that holds the next entry's address. */
const nextEntry = (f: FunctionLowering, list: Tree): LvalueAddress =>
  moved(lowerPointer(f, list, 'exact'), nextOffset(list.type));

/** Offset of that member. `type` is a pointer to the list's record. */
export function nextOffset(type: CType): number {
  const record = type.kind === 'pointer' && type.to.kind === 'record' ? type.to.record : undefined;
  const field = record?.fields.find(({ name }) => name === 'overflow_arg_area' || name === 'next');
  if (!field) throw new Error('elaboration makes a va_list a pointer to its record');
  return field.offsetBytes;
}

export function lowerVaStart(f: FunctionLowering, e: Extract<Tree, { kind: 'va-start' }>): void {
  if (!f.packedArguments) throw new Error('elaboration rejects va_start outside variadic functions');
  const address = checkAccess(f, nextEntry(f, e.list), scalarBytes(pointer, f.model), 'write', e.span);
  f.emit({ kind: 'store', address: pointerOf(address), type: pointer, value: read(f.packedArguments) }, e.span);
}

export function lowerVaCopy(f: FunctionLowering, e: Extract<Tree, { kind: 'va-copy' }>): void {
  const target = nextEntry(f, e.target);
  const moment = f.moment();
  const value = loadNext(f, nextEntry(f, e.source), e.span);
  const bytes = scalarBytes(pointer, f.model);
  const base = f.asOf(moment, target.base, e.span);
  const address = checkAccess(f, { ...target, base }, bytes, 'write', e.span);
  f.emit({ kind: 'store', address: pointerOf(address), type: pointer, value }, e.span);
}

export function lowerVaEnd(f: FunctionLowering, e: Extract<Tree, { kind: 'va-end' }>): void {
  const next = nextEntry(f, e.list);
  const named = { ...next, base: f.nameValue(next.base, 'list', e.span) };
  loadNext(f, named, e.span);
  f.emit({ kind: 'store', address: pointerOf(named), type: pointer, value: nullPointer }, e.span);
}

/**
 * The next entry's address, for library functions that take a `va_list`. `end` is to be called behind the call: the
 * list is indeterminate then (C11 7.21.6.8p2).
 */
export function entriesOf(f: FunctionLowering, list: Tree): { readonly first: Expression; readonly end: () => void } {
  const next = nextEntry(f, list);
  const named = { ...next, base: f.nameValue(next.base, 'list', list.span) };
  const first = loadNext(f, named, list.span);
  return { first, end: () => setNext(f, named, advanced(f, list.span), list.span) };
}

/** The entry of a list of which a called function has taken arguments. It ends the list. */
export const advanced = (f: FunctionLowering, span: Span): Expression => addressOf(f.program.advancedList(span));

export function setNext(f: FunctionLowering, list: LvalueAddress, entry: Expression, span: Span): void {
  f.emit({ kind: 'store', address: pointerOf(list), type: pointer, value: entry }, span);
}

/** A list that was ended, or never started, has no next entry. */
function loadNext(f: FunctionLowering, from: LvalueAddress, span: Span): Expression {
  const bytes = scalarBytes(pointer, f.model);
  const address = checkAccess(f, from, bytes, 'read', span);
  if (mayBeUninitialised(f, address, { kind: 'pointer', to: { kind: 'void' } }))
    f.check('uninitialised-read', isInitialised(pointerOf(address), bytes), span, { ifUnchecked: 'ignore' });
  const next = f.nameValue(load(pointer, pointerOf(address)), 'argument', span);
  f.check('variable-argument', isNonNull(next), span, { ifUnchecked: 'assume' });
  return next;
}

/** Advances to the entry after the next argument and returns the checked address of that argument. */
export function lowerVaArg(f: FunctionLowering, e: Extract<Tree, { kind: 'va-arg' }>): LvalueAddress {
  const list = nextEntry(f, e.list);
  const named = { ...list, base: f.nameValue(list.base, 'list', e.span) };
  const entry = loadNext(f, named, e.span);
  checkAccess(f, pointerAddress(entry, sourceText(e.span)), valueOffset, 'read', e.span);
  const argument = offset(entry, integer(valueOffset, int64));
  checkType(f, e.type, f.nameValue(load(numberType, entry), 'type', e.span), argument, e.span);
  const next = offset(entry, integer(entryBytes(sizeOf(e.type, f.model)), int64));
  f.emit({ kind: 'store', address: pointerOf(named), type: pointer, value: next }, e.span);
  return trustedAddress(argument);
}

/** 7.16.1.1p2. `number` says the type of the argument at `address`. */
function checkType(f: FunctionLowering, wanted: CType, number: Expression, address: Expression, span: Span): void {
  const { always, ifNonNegative, ifNull } = acceptedTypes(f.program.argumentTypes, wanted);
  const isOneOf = (numbers: readonly number[]): Expression =>
    or(...numbers.map((one) => equal(number, integer(one, numberType))));
  f.check('variable-argument', isOneOf([...always, ...ifNonNegative, ...ifNull]), span, { ifUnchecked: 'assume' });
  const where = (numbers: readonly number[], holds: () => Expression): void => {
    if (numbers.length === 0) return;
    const [such, after] = [f.draft.location(span), f.draft.location()];
    branch(f, isOneOf(numbers), such, after, span);
    f.draft.startAt(such);
    f.check('variable-argument', holds(), span, { ifUnchecked: 'assume' });
    f.draft.goTo(after, span);
    f.draft.startAt(after);
  };
  where(ifNonNegative, () => {
    const signed: IntegerScalar = { ...(scalarOf(wanted) as IntegerScalar), signed: true };
    return atMost(integer(0, signed), load(signed, address));
  });
  where(ifNull, () => not(isNonNull(load(pointer, address))));
}
