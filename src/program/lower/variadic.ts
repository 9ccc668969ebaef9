/**
 * Variable arguments. The caller stores them in an object of 8-byte slots and passes its address as a hidden last
 * argument (null if there are none). A `va_list` is the ABI's record, one member of which holds the address of the next
 * slot. Reading past the last argument leaves that object. Reading a slot as a larger type than was stored reads
 * uninitialised bytes.
 */
import type { Span } from '../../c/source';
import type { Expression as Tree } from '../../c/tree';
import type { CType } from '../../c/types';
import { addressOf, integer, isInitialised, load, nullPointer, offset, read } from '../build';
import type { Expression } from '../expression';
import { int64, pointer } from '../expression';
import {
  checkAccess,
  lowerPointer,
  mayBeUninitialised,
  moved,
  pointerAddress,
  pointerOf,
  trustedAddress,
  type Address,
} from './address';
import { sourceText, type FunctionContext } from './context';
import { isAggregate, scalarBytes, sizeOf } from './layout';

/** The bytes that an argument occupies in the list. */
export const slots = (bytes: number): number => Math.max(8, Math.ceil(bytes / 8) * 8);
const charType: CType = { kind: 'integer', name: 'char', widthBits: 8, signed: true };

/** The hidden argument. `values` are scalars, or addresses of structures. */
export function packArguments(
  f: FunctionContext,
  callee: string,
  values: readonly { readonly type: CType; readonly value: Expression }[],
  span: Span,
): Expression {
  if (values.length === 0) return nullPointer;
  const size = values.reduce((sum, { type }) => sum + slots(sizeOf(type, f.model)), 0);
  const object = f.activationObject(`<arguments of ${callee}>`, { kind: 'array', of: charType, length: size });
  let at = 0;
  for (const { type, value } of values) {
    const slot = offset(addressOf(object), integer(at, int64));
    const bytes = sizeOf(type, f.model);
    if (isAggregate(type)) f.emit({ kind: 'copy', target: slot, source: value, size: integer(bytes, int64) }, span);
    else f.emit({ kind: 'store', address: slot, type: value.type, value }, span);
    at += slots(bytes);
  }
  return addressOf(object);
}

/** The member of the `va_list` that holds the next slot's address. */
function nextSlot(f: FunctionContext, list: Tree): Address {
  const record = list.type.kind === 'pointer' && list.type.to.kind === 'record' ? list.type.to.record : undefined;
  const field = record?.fields.find(({ name }) => name === 'overflow_arg_area' || name === 'next');
  if (!field) throw new Error('elaboration makes a va_list a pointer to its record');
  const address = lowerPointer(f, list, 'exact');
  return moved(address, field.offsetBytes);
}

export function lowerVaStart(f: FunctionContext, e: Extract<Tree, { kind: 'va-start' }>): void {
  if (!f.packedArguments) throw new Error('elaboration rejects va_start outside variadic functions');
  const address = checkAccess(f, nextSlot(f, e.list), scalarBytes(pointer, f.model), 'write', e.span);
  f.emit({ kind: 'store', address: pointerOf(address), type: pointer, value: read(f.packedArguments) }, e.span);
}

export function lowerVaCopy(f: FunctionContext, e: Extract<Tree, { kind: 'va-copy' }>): void {
  const target = nextSlot(f, e.target);
  const moment = f.moment();
  const value = loadNext(f, nextSlot(f, e.source), e.span);
  const bytes = scalarBytes(pointer, f.model);
  const base = f.asOf(moment, target.base, e.span);
  const address = checkAccess(f, { ...target, base }, bytes, 'write', e.span);
  f.emit({ kind: 'store', address: pointerOf(address), type: pointer, value }, e.span);
}

/** The next slot's address, for library functions that take a `va_list`. */
export function slotsOf(f: FunctionContext, list: Tree): Expression {
  return loadNext(f, nextSlot(f, list), list.span);
}

function loadNext(f: FunctionContext, from: Address, span: Span): Expression {
  const bytes = scalarBytes(pointer, f.model);
  const address = checkAccess(f, from, bytes, 'read', span);
  if (mayBeUninitialised(f, address, { kind: 'pointer', to: { kind: 'void' } }))
    f.check('uninitialised-read', isInitialised(pointerOf(address), bytes), span, { whenOff: 'continue' });
  return load(pointer, pointerOf(address));
}

/** Advances to the slot after the next argument and returns the checked address of that argument. */
export function lowerVaArg(f: FunctionContext, e: Extract<Tree, { kind: 'va-arg' }>): Address {
  const list = nextSlot(f, e.list);
  const named = { ...list, base: f.named(list.base, 'list', e.span) };
  const slot = f.temporary(pointer, 'argument');
  f.assign(slot, loadNext(f, named, e.span), e.span);
  const bytes = sizeOf(e.type, f.model);
  checkAccess(f, pointerAddress(read(slot), sourceText(e.span)), bytes, 'read', e.span);
  f.emit(
    {
      kind: 'store',
      address: pointerOf(named),
      type: pointer,
      value: offset(read(slot), integer(slots(bytes), int64)),
    },
    e.span,
  );
  return trustedAddress(read(slot));
}
