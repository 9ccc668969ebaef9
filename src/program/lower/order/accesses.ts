/**
 * Unsequenced accesses (C11 6.5p2): an expression has no meaning if it changes an object and another evaluation that is
 * not sequenced before or after the change uses or changes the same object. `i = i++` always does. `*p = (*q)++` does
 * if
 * `p` equals `q`. Lowering chooses one order, so the conflict is a check of its own: `unsequenced`.
 *
 * Lowering records each access of a full expression. An operator whose operands are unsequenced compares their accesses
 * pairwise, if one of the two is a change. Names, members and bounded indices decide most pairs; the rest compares
 * addresses in the program. An access inside an arm of `?:`, `&&` or `||` counts only if that arm was evaluated.
 *
 * A change is `pending` until the next sequence point: an assignment stores after it has computed the values of its
 * operands, but possibly before their pending changes (6.5.16p3). The bodies of called functions and of GNU statement
 * expressions are not interleaved with other operands. Their order is unspecified and is the subject of
 * `evaluationOrder.ts`.
 */
import { aliasType, aliasTypes } from '../../../c/aliasType';
import type { Span } from '../../../c/source';
import {
  and,
  atMost,
  binary,
  conditional,
  convert,
  equal,
  integer,
  isConstant,
  load,
  not,
  notEqual,
  nullPointer,
  objectOf,
  offset,
  offsetOf,
  or,
  read,
  truth,
  yes,
  zero,
} from '../../build';
import { exactly, overlap, plus } from '../../congruence';
import type { Command } from '../../command';
import { int32, int64, int8, uint8, type Expression, type IntegerScalar, type Variable } from '../../expression';
import type { TypedAccess } from '../../program';
import { keyOf } from '../../automata/repeatedChecks';
import { interferes } from '../../traverse';
import { pointerOf, type LvalueAddress, type Lvalue } from '../objects/address';
import { orderKey, sourceText, type FunctionLowering, type Moment } from '../context';
import { sizeOf } from '../objects/layout';

/** The bits [fromBit, toBit) behind an address. */
interface Range {
  readonly kind: 'range';
  address: LvalueAddress;
  readonly fromBit: number;
  readonly toBit: number;
}

/** One access of the full expression that is being lowered. */
export interface SequencedAccess {
  readonly place: Variable | Range;
  readonly kind: 'use' | 'change';
  /** The change may follow the value computation of the operand that contains it. */
  pending: boolean;
  /** The position at which the address is valid. */
  moment: Moment;
  /** The number of arms around the access. */
  armDepth: number;
  /** The access happens only if this holds, at `moment`. */
  guard: Expression;
  /** Set at `moment` if the access happens: the address, or 1. */
  witness: Variable | undefined;
  /** Read as a whole, and the value of the operand so far. */
  isValue?: boolean;
  /** Recorded before, in the other order of the operands, or as a change that may be complete. */
  isRepeated?: true;
  /** The same change, pending where the right operand of `&&` or `||` is not evaluated. */
  isShort?: true;
  readonly span: Span;
}

/** Widest access that is compared with residues of offsets, in bytes. */
const residueBytes = 256;

/** Records the access and returns it. Objects that lowering made for itself cannot conflict. */
export function recordAccess(
  f: FunctionLowering,
  lvalue: Lvalue,
  kind: SequencedAccess['kind'],
  span: Span,
  sizeBytes?: number,
): SequencedAccess | undefined {
  if (lvalue.kind === 'memory' && lvalue.address.root.kind === 'trusted') return undefined;
  const access: SequencedAccess = {
    place: lvalue.kind === 'variable' ? lvalue.variable : rangeOf(f, lvalue, sizeBytes),
    kind,
    pending: kind === 'change',
    moment: f.moment(),
    armDepth: f.armDepth,
    guard: yes,
    witness: undefined,
    span,
  };
  f.accesses.push(access);
  if (lvalue.kind === 'memory' && sizeBytes === undefined && !lvalue.address.throughUnion && !lvalue.field?.bits) {
    const type = aliasType(lvalue.type);
    if (type !== undefined) {
      const typed = { type, address: pointerOf(lvalue.address), bytes: sizeOf(lvalue.type, f.model), span };
      f.typedAccesses.push(typed);
      if (f.program.options.typedAccesses?.has(orderKey(span))) checkType(f, typed, kind);
    }
  }
  return access;
}

/** 6.5p7, see `natives/effectiveTypes.ts`. Proofs take the answer as any. */
function checkType(
  f: FunctionLowering,
  { type, address, bytes, span }: TypedAccess,
  kind: SequencedAccess['kind'],
): void {
  const answer = f.temporary(int32, 'has the type');
  const values = [address, integer(aliasTypes.indexOf(type), int32), integer(bytes, int64)];
  f.emit(
    {
      kind: 'external',
      target: answer,
      name: '__provest_effective_type',
      arguments: [...values, integer(kind === 'change' ? 1 : 0, int32)],
      resultType: int32,
      reachesChecked: true,
    },
    span,
  );
  f.check('effective-type', truth(read(answer)), span, { ifUnchecked: 'ignore' });
}

function rangeOf(f: FunctionLowering, lvalue: Extract<Lvalue, { kind: 'memory' }>, sizeBytes?: number): Range {
  const bits = lvalue.field?.bits;
  const [fromBit, toBit] = bits
    ? [bits.offset, bits.offset + bits.width]
    : [0, 8 * (sizeBytes ?? sizeOf(lvalue.type, f.model))];
  return { kind: 'range', address: lvalue.address, fromBit, toBit };
}

/** A sequence point: the changes among these accesses are complete. */
export function settle(accesses: readonly SequencedAccess[]): void {
  for (const access of accesses) {
    access.pending = false;
    access.isValue = false;
  }
}

/**
 * The left operand of `&&` or `||`: a sequence point follows only if the right one is evaluated (C11 6.5.13p4). If not,
 * which `isShort` says here, changes are still pending, those in arms included. `start` is the operand's beginning.
 */
export function settleUnless(
  f: FunctionLowering,
  start: Moment,
  accesses: readonly SequencedAccess[],
  isShort: Expression,
): void {
  const pending = accesses.filter((access) => access.pending);
  settle(accesses);
  for (const access of pending) {
    const { place } = access;
    const guard = and(happensSince(f, start, access), isShort);
    const now =
      place.kind === 'variable' ? place : { ...place, address: { ...place.address, ...addressNow(f, access) } };
    f.accesses.push({
      ...access,
      place: now,
      guard,
      witness: undefined,
      moment: f.moment(),
      armDepth: Math.min(access.armDepth, f.armDepth),
      pending: true,
      isRepeated: true,
      isShort: true,
    });
  }
}

/** Draws an arm, which is evaluated under a condition. */
export function inArm<T>(f: FunctionLowering, draw: () => T): T {
  f.armDepth++;
  const result = draw();
  f.armDepth--;
  return result;
}

/** The arm had no commands and became part of a conditional value: its accesses happen here if `condition` holds. */
export function foldArm(f: FunctionLowering, accesses: readonly SequencedAccess[], condition: Expression): void {
  const moment = f.moment();
  for (const access of accesses) {
    access.guard = and(condition, access.guard);
    access.armDepth = Math.min(access.armDepth, f.armDepth);
    access.moment = moment;
  }
}

/** The groups are evaluated in no particular order. `start` is the beginning of the first. */
export function checkUnsequenced(
  f: FunctionLowering,
  start: Moment,
  groups: readonly (readonly SequencedAccess[])[],
  span: Span,
): void {
  const whole = groups.map((group) => group.filter((access) => !access.isShort));
  whole.forEach((group, i) => {
    for (const later of whole.slice(i + 1)) checkPairs(f, start, group, later, span);
  });
}

/** Each access of the first group against each of the second. */
export function checkPairs(
  f: FunctionLowering,
  start: Moment,
  first: readonly SequencedAccess[],
  second: readonly SequencedAccess[],
  span: Span,
): void {
  const changes = second.filter(({ kind }) => kind === 'change');
  for (const a of first) for (const b of a.kind === 'change' ? second : changes) checkPair(f, start, a, b, span);
}

/**
 * The target of an assignment of structures must not overlap the object from which the value is read, unless it is that
 * object (C11 6.5.16.1p3).
 */
export function checkOverlap(
  f: FunctionLowering,
  start: Moment,
  target: SequencedAccess,
  accesses: readonly SequencedAccess[],
  span: Span,
): void {
  for (const source of accesses) {
    if (!source.isValue || source.place.kind === 'variable' || target.place.kind === 'variable') continue;
    source.isValue = false;
    if (neverPartly(f, target as RangeAccess, source as RangeAccess)) continue;
    const [a, b] = [locate(f, start, target), locate(f, start, source)];
    f.check('overlapping-assignment', or(not(b.when), apart(a, b), sameStart(a, b)), span, { ifUnchecked: 'ignore' });
  }
}

function checkPair(f: FunctionLowering, start: Moment, a: SequencedAccess, b: SequencedAccess, span: Span): void {
  const condition = neverMeet(f, start, a, b);
  if (isConstant(condition) && condition.value !== 0n) return;
  const [one, other] = [a, b].map((access) => sourceText(access.span));
  f.check('unsequenced', condition, span, {
    text: one === other ? `${one}, twice` : `${one} and ${other}`,
    ifUnchecked: 'ignore',
  });
  f.conflicts.push({ span, accesses: [a, b].map(asCommand) });
}

/** Holds if the accesses do not touch the same object. */
function neverMeet(f: FunctionLowering, start: Moment, a: SequencedAccess, b: SequencedAccess): Expression {
  if (a.place.kind === 'variable' || b.place.kind === 'variable') {
    if (a.place !== b.place) return yes;
    return not(and(happensSince(f, start, a), happensSince(f, start, b)));
  }
  if (disjoint(f, a as RangeAccess, b as RangeAccess)) return yes;
  const [first, second] = [locate(f, start, a), locate(f, start, b)];
  return or(not(first.when), not(second.when), apart(first, second));
}

type RangeAccess = SequencedAccess & { readonly place: Range };

interface Located {
  readonly when: Expression;
  readonly at: { readonly base: Expression; readonly delta: Expression };
  readonly place: Range;
}

function locate(f: FunctionLowering, start: Moment, access: SequencedAccess): Located {
  const when = happensSince(f, start, access);
  return { when, at: addressNow(f, access), place: access.place as Range };
}

const sameStart = (a: Located, b: Located): Expression =>
  equal(binary('add', offsetOf(a.at.base), a.at.delta), binary('add', offsetOf(b.at.base), b.at.delta));

function apart(a: Located, b: Located): Expression {
  const sameBase = keyOf(a.at.base) === keyOf(b.at.base);
  const inBits = [a.place.fromBit, a.place.toBit, b.place.fromBit, b.place.toBit].some((bit) => bit % 8 !== 0);
  const scale = inBits ? 1 : 8;
  const position = (l: Located, bit: number): Expression => {
    const bytes = sameBase ? l.at.delta : binary('add', offsetOf(l.at.base), l.at.delta);
    const units = inBits ? binary('multiply', bytes, integer(8, int64)) : bytes;
    return binary('add', units, integer(bit / scale, int64));
  };
  const ordered = (low: Located, high: Located): Expression =>
    atMost(position(low, low.place.toBit), position(high, high.place.fromBit));
  const inOrder = or(ordered(a, b), ordered(b, a));
  return sameBase ? inOrder : or(notEqual(objectOf(a.at.base), objectOf(b.at.base)), inOrder);
}

/** As `disjoint`, or at the same place. */
const neverPartly = (f: FunctionLowering, a: RangeAccess, b: RangeAccess): boolean => disjoint(f, a, b, 'same start');

/** Decided without a look at the program's state. */
function disjoint(f: FunctionLowering, a: RangeAccess, b: RangeAccess, allowed?: 'same start'): boolean {
  const [p, q] = [a.place.address, b.place.address];
  const [named, other] = [namedObject(p.base), namedObject(q.base)];
  if (named && other && named !== other) return true;
  if (keyOf(p.base) !== keyOf(q.base) || !isUnchanged(f, a, p.base) || !isUnchanged(f, b, q.base)) return false;
  if (isConstant(p.delta) && isConstant(q.delta)) {
    const [m, n] = [Number(p.delta.value) * 8, Number(q.delta.value) * 8];
    return (
      m + a.place.toBit <= n + b.place.fromBit ||
      n + b.place.toBit <= m + a.place.fromBit ||
      (allowed !== undefined && m + a.place.fromBit === n + b.place.fromBit)
    );
  }
  const [first, second] = [hull(a.place), hull(b.place)];
  if (first.bytes > residueBytes || second.bytes > residueBytes) return false;
  const [from, to] = [plus(p.within, exactly(first.start)), plus(q.within, exactly(second.start))];
  for (let shift = 1 - second.bytes; shift < first.bytes; shift++)
    if ((shift !== 0 || !allowed) && overlap(plus(from, exactly(shift)), to)) return false;
  return true;
}

function hull({ fromBit, toBit }: Range): { readonly start: number; readonly bytes: number } {
  const start = Math.floor(fromBit / 8);
  return { start, bytes: Math.ceil(toBit / 8) - start };
}

function namedObject(base: Expression): object | undefined {
  if (base.kind === 'offset') return namedObject(base.pointer);
  return base.kind === 'address' ? base.of : undefined;
}

/** A command with the same effect on the same place, for `evaluationOrder`. */
export function asCommand({ place, kind }: SequencedAccess): Command {
  if (place.kind === 'variable')
    return kind === 'change'
      ? { kind: 'assign', target: place, value: zero(place.type) }
      : { kind: 'assume', condition: read(place) };
  const at = pointerOf(place.address);
  const { start, bytes } = hull(place);
  const from = offset(at, integer(start, int64));
  if (bytes === 1 || bytes === 2 || bytes === 4 || bytes === 8) {
    const type: IntegerScalar = { ...uint8, widthBits: (bytes * 8) as 8 };
    return kind === 'change'
      ? { kind: 'store', address: from, type, value: zero(type) }
      : { kind: 'assume', condition: truth(load(type, from)) };
  }
  const size = integer(bytes, int64);
  return kind === 'change'
    ? { kind: 'fill', target: from, byte: zero(uint8), size }
    : { kind: 'copy', target: nullPointer, source: from, size };
}

const isUnchanged = (f: FunctionLowering, { moment }: SequencedAccess, e: Expression): boolean =>
  !f.draft.drawnSince(moment).some(({ command }) => interferes(command, e));

/** Holds if the access was evaluated. */
function happensSince(f: FunctionLowering, start: Moment, access: SequencedAccess): Expression {
  const { place } = access;
  if (access.armDepth <= f.armDepth) {
    access.guard = f.asOf(access.moment, access.guard, access.span);
    return truth(access.guard);
  }
  if (place.kind === 'variable') {
    access.witness ??= witness(f, access, convert(truth(access.guard), int8));
    f.draft.insertAt(start, { kind: 'assign', target: access.witness, value: integer(0, int8) }, access.span);
    return truth(read(access.witness));
  }
  access.witness ??= witness(f, access, conditional(access.guard, pointerOf(place.address), nullPointer));
  f.draft.insertAt(start, { kind: 'assign', target: access.witness, value: nullPointer }, access.span);
  return notEqual(read(access.witness), nullPointer);
}

function witness(f: FunctionLowering, { moment, span }: SequencedAccess, value: Expression): Variable {
  const variable = f.temporary(value.type, 'accessed');
  f.draft.insertAt(moment, { kind: 'assign', target: variable, value }, span);
  return variable;
}

function addressNow(f: FunctionLowering, access: SequencedAccess): Located['at'] {
  const place = access.place as Range;
  if (access.armDepth > f.armDepth) return { base: read(access.witness!), delta: integer(0, int64) };
  const { address } = place;
  place.address = {
    ...address,
    base: f.asOf(access.moment, address.base, access.span),
    delta: f.asOf(access.moment, address.delta, access.span),
  };
  return place.address;
}
