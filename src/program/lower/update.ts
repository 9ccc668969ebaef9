/**
 * Assignments of every form. The order is: find the place, evaluate the operand, read the old value, write the new one.
 */
import type { Span } from '../../c/source';
import type { TypedExpression as Tree } from '../../c/tree';
import type { CType } from '../../c/types';
import { float, integer, isConstant, isInitialised, load, read } from '../build';
import type { Expression, IntegerScalar } from '../expression';
import { checkPairs, checkUnsequenced, recordAccess, type SequencedAccess } from './order/accesses';
import {
  addressValue,
  advance,
  checkAccess,
  loadAt,
  lowerLvalue,
  mayBeUninitialised,
  lvalueAsOf,
  pointerAddress,
  pointerOf,
  type Lvalue,
} from './objects/address';
import { arithmetic, castScalar } from './arithmetic';
import { unitOf } from './objects/bitField';
import { sourceText, type FunctionLowering, type Moment, type OperandOrder } from './context';
import { contains, inEitherOrder } from './order/eitherOrder';
import { scalarBytes, scalarOf } from './objects/layout';
import { checkLength } from './objects/stackBlock';
import { loadLvalue, lowerInto, lowerValue, storePlace } from './value';

type Update = Extract<Tree, { kind: 'assign' | 'compound-assign' | 'pointer-update' | 'increment' }>;

const bytePointer: CType = { kind: 'pointer', to: { kind: 'integer', name: 'char', widthBits: 8, signed: true } };

/** `nothing`: the result is not used, and undefined. */
type Want = 'value' | 'nothing';

/** The result, if it is used. Structures need `assignAggregate` instead. */
export function lowerUpdate(f: FunctionLowering, e: Update, want: Want): Expression | undefined {
  const { span } = e;
  if (e.kind === 'increment') return lowerIncrement(f, e, want);
  const operand = e.kind === 'assign' ? e.value : e.kind === 'compound-assign' ? e.operand : e.index;
  if (e.kind === 'assign' && e.target.kind === 'variable') {
    const start = f.moment();
    const first = f.accesses.length;
    const target = lowerLvalue(f, e.target);
    if (target.kind === 'variable') {
      if (e.isLength) {
        f.assign(target.variable, lowerValue(f, e.value), span);
        checkLength(f, target.variable, e.value.span, span);
        return want === 'value' ? read(target.variable) : undefined;
      }
      lowerInto(f, target.variable, e.value, span);
      checkUpdate(f, e, start, { target, ofTarget: [], ofValue: f.accesses.slice(first) });
      return want === 'value' ? read(target.variable) : undefined;
    }
  }
  const isPlain = e.kind !== 'assign' && !contains(e.target, 'call');
  const draw = (order: OperandOrder, drawn: 'one order' | 'both'): readonly [Expression | undefined] => {
    if (order === 'right first' && !isPlain) return [updateValueFirst(f, e, operand, want)];
    const oldFirst = isPlain ? order === 'right first' : drawn === 'both';
    return [updatePlaceFirst(f, e, operand, want, oldFirst ? 'old value first' : 'operand first')];
  };
  const [result] = inEitherOrder(f, span, [e.target, operand], draw, isPlain ? 'old value' : 'operands');
  return result;
}

type Assignment = Exclude<Update, { kind: 'increment' }>;

/** Lvalue, operand and old value, or place, old value and operand. Then the store. */
function updatePlaceFirst(
  f: FunctionLowering,
  e: Assignment,
  operand: Tree,
  want: Want,
  order: 'operand first' | 'old value first',
): Expression | undefined {
  const { span } = e;
  const start = f.moment();
  const first = f.accesses.length;
  const target = lowerLvalue(f, e.target);
  const second = f.accesses.length;
  const ofTarget = f.accesses.slice(first, second);
  const moment = f.moment();
  const early =
    order === 'old value first' && e.kind !== 'assign'
      ? save(f, openForUpdate(f, target, e.target.span).old, span)
      : undefined;
  f.accesses.length = second;
  const end = f.moment();
  const value = lowerValue(f, operand);
  const ofValue = f.accesses.slice(second);
  f.noteUnordered(span, start, [
    { ...ofPlace(e, target), end: early ? end : moment, accesses: ofTarget },
    { values: [value], end: f.moment(), accesses: ofValue },
  ]);
  return applyUpdate(f, e, lvalueAsOf(f, moment, target, span), value, want, early, (own) =>
    checkUpdate(f, e, start, { target: own, ofTarget, ofValue }),
  );
}

function updateValueFirst(f: FunctionLowering, e: Assignment, operand: Tree, want: Want): Expression | undefined {
  const start = f.moment();
  const first = f.accesses.length;
  const value = lowerValue(f, operand);
  const ofValue = f.accesses.slice(first);
  const moment = f.moment();
  const second = f.accesses.length;
  const target = lowerLvalue(f, e.target);
  const ofTarget = f.accesses.slice(second);
  return applyUpdate(f, e, target, f.asOf(moment, value, operand.span), want, undefined, (own) =>
    checkUpdate(f, e, start, { target: own, ofTarget, ofValue }),
  );
}

/** Stores the result. `early`: the old value, if it was read before the operand. */
function applyUpdate(
  f: FunctionLowering,
  e: Assignment,
  target: Lvalue,
  operand: Expression,
  want: Want,
  early: Expression | undefined,
  check: (target: Lvalue) => void,
): Expression | undefined {
  const { span } = e;
  const store = (into: Lvalue, value: Expression): Expression => {
    const recorded = f.accesses.length;
    const result = storePlace(f, into, value, span, e.target.span);
    f.accesses.length = recorded;
    check(trackable(target, into));
    return result;
  };
  const keep = (value: Expression): Expression =>
    want === 'value' && target.kind === 'memory' ? f.nameValue(value, 'value', span) : value;
  if (e.kind === 'assign') return store(nameAddress(f, target, span), keep(operand));
  const index = e.kind === 'pointer-update' ? f.nameValue(operand, 'index', e.index.span) : operand;
  const recorded = f.accesses.length;
  const { lvalue, old: current } = early
    ? { lvalue: nameAddress(f, target, span), old: early }
    : openForUpdate(f, target, e.target.span);
  f.accesses.length = recorded;
  if (e.kind === 'compound-assign') {
    const wide = castScalar(f, current, e.computationType, span);
    return store(lvalue, keep(castScalar(f, arithmetic(f, e.operator, wide, operand, span), e.target.type, span)));
  }
  const before = f.nameValue(current, 'pointer', span);
  const old = want === 'value' && e.result === 'old' ? save(f, before, span) : before;
  const step = { type: e.inBytes ? bytePointer : e.target.type, subtract: e.subtract };
  const moved = advance(f, pointerAddress(old, sourceText(e.target.span)), index, step, 'value', span);
  const result = store(lvalue, keep(addressValue(f, moved, span)));
  return e.result === 'old' ? old : result;
}

function lowerIncrement(
  f: FunctionLowering,
  e: Extract<Update, { kind: 'increment' }>,
  want: Want,
): Expression | undefined {
  const { span } = e;
  const start = f.moment();
  const first = f.accesses.length;
  const target = lowerLvalue(f, e.target);
  const ofTarget = f.accesses.slice(first);
  const recorded = f.accesses.length;
  const { lvalue, old: current } = openForUpdate(f, target, e.target.span);
  const old = want === 'value' && e.result === 'old' ? save(f, current, span) : current;
  const wide = castScalar(f, old, e.computationType, span);
  const one = wide.type.kind === 'float' ? float(1, wide.type) : integer(1, wide.type as IntegerScalar);
  const sum = castScalar(f, arithmetic(f, e.delta === 1 ? '+' : '-', wide, one, span), e.target.type, span);
  const value = want === 'value' && target.kind === 'memory' ? f.nameValue(sum, 'value', span) : sum;
  const result = storePlace(f, lvalue, value, span, e.target.span);
  f.accesses.length = recorded;
  checkUpdate(f, e, start, { target: trackable(target, lvalue), ofTarget, ofValue: [] });
  return e.result === 'old' ? old : result;
}

/** Address and old value of a place, which are computed before or after the operand. */
function ofPlace(
  e: Update,
  target: Lvalue,
): { readonly values: readonly Expression[]; readonly also: readonly Expression[] } {
  const place = target.kind === 'memory' ? [target.address.base, target.address.delta] : [];
  const old = e.kind === 'assign' ? [] : [valueBefore(target)];
  return { values: [...place, ...old], also: old };
}

/** The value that compilers read before or after they evaluate the operand. */
function valueBefore(lvalue: Lvalue): Expression {
  return lvalue.kind === 'variable' ? read(lvalue.variable) : load(scalarOf(lvalue.type), pointerOf(lvalue.address));
}

/** The place with an address that the store does not change. */
function nameAddress(f: FunctionLowering, lvalue: Lvalue, span: Span): Lvalue {
  if (lvalue.kind === 'variable' || lvalue.address.root.kind !== 'pointer') return lvalue;
  return { ...lvalue, address: { ...lvalue.address, base: f.nameValue(lvalue.address.base, 'pointer', span) } };
}

/** The place of the syntax at the address that was stored to. */
function trackable(target: Lvalue, stored: Lvalue): Lvalue {
  if (target.kind === 'variable' || stored.kind === 'variable') return target;
  return { ...target, address: { ...stored.address, root: target.address.root } };
}

/**
 * The operands are unsequenced. The place changes after their values are computed (6.5.16p3), and its old value is read
 * at any time before.
 */
function checkUpdate(
  f: FunctionLowering,
  { kind, span }: Update,
  start: Moment,
  at: {
    readonly target: Lvalue;
    readonly ofTarget: readonly SequencedAccess[];
    readonly ofValue: readonly SequencedAccess[];
  },
): void {
  const { ofTarget, ofValue } = at;
  checkUnsequenced(f, start, [ofTarget, ofValue], span);
  const own = recordAccess(f, at.target, 'change', span);
  if (!own) return;
  const unordered = ofValue.filter((access) =>
    kind === 'assign' ? access.pending : access.kind === 'change' && !access.isShort,
  );
  checkPairs(f, start, [own], [...ofTarget.filter(({ pending }) => pending), ...unordered], span);
}

/** A value that is used after its place has changed. */
function save(f: FunctionLowering, value: Expression, span: Span): Expression {
  if (isConstant(value)) return value;
  const saved = f.temporary(value.type, 'old');
  f.emit({ kind: 'assign', target: saved, value }, span);
  return read(saved);
}

/** A place that is both read and written: one check serves both. */
function openForUpdate(
  f: FunctionLowering,
  lvalue: Lvalue,
  span: Span,
): { readonly lvalue: Lvalue; readonly old: Expression } {
  if (lvalue.kind === 'variable') return { lvalue, old: loadLvalue(f, lvalue, span) };
  const opened = lvalue.field?.bits
    ? unitOf(f, lvalue)
    : { address: lvalue.address, bytes: scalarBytes(scalarOf(lvalue.type), f.model) };
  const address = checkAccess(f, opened.address, opened.bytes, 'write', span);
  const checked: Lvalue = { ...lvalue, address: { ...lvalue.address, base: address.base, root: { kind: 'trusted' } } };
  if (lvalue.field?.bits) return { lvalue: checked, old: loadLvalue(f, checked, span) };
  if (mayBeUninitialised(f, address, lvalue.type))
    f.check('uninitialised-read', isInitialised(pointerOf(address), opened.bytes), span, { ifUnchecked: 'ignore' });
  return { lvalue: checked, old: loadAt(address, lvalue.type) };
}
