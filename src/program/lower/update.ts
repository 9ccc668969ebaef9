/**
 * Assignments of every form. The order is: find the place, evaluate the operand, read the old value, write the new one.
 */
import type { Span } from '../../c/source';
import type { TypedExpression as Tree } from '../../c/tree';
import { unreachable } from '../../unreachable';
import { float, integer, isConstant, isInitialised, load, read } from '../build';
import type { Expression, IntegerScalar } from '../expression';
import { checkPairs, checkUnsequenced, recordAccess } from './accesses';
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
} from './address';
import { arithmetic, castScalar } from './arithmetic';
import { unitOf } from './bitField';
import { sourceText, type FunctionLowering, type Moment } from './context';
import { scalarBytes, scalarOf } from './layout';
import { loadLvalue, lowerInto, lowerValue, storePlace } from './value';

type Update = Extract<Tree, { kind: 'assign' | 'compound-assign' | 'pointer-update' | 'increment' }>;

/** The result, if it is used. Structures need `assignAggregate` instead. */
export function lowerUpdate(f: FunctionLowering, e: Update, wanted: boolean): Expression | undefined {
  const { span } = e;
  const start = f.moment();
  const first = f.accesses.length;
  const target = lowerLvalue(f, e.target);
  const second = f.accesses.length;
  if (e.kind === 'assign' && target.kind === 'variable') {
    lowerInto(f, target.variable, e.value, span);
    checkUpdate(f, e, start, { target, first, second, end: f.accesses.length });
    return wanted ? read(target.variable) : undefined;
  }
  const moment = f.moment();
  const lvalue = target.kind === 'memory' ? [target.address.base, target.address.delta] : [];
  let end = second;
  const note = (value: Expression): Expression => {
    end = f.accesses.length;
    f.noteUnordered(span, start, [
      { values: e.kind === 'assign' ? lvalue : [...lvalue, valueBefore(target)], end: moment },
      { values: [value], end: f.moment() },
    ]);
    return value;
  };
  const store = (into: Lvalue, value: Expression): Expression => {
    const result = storePlace(f, into, value, span, e.target.span);
    checkUpdate(f, e, start, { target: trackable(target, into), first, second, end });
    return result;
  };
  const keep = (value: Expression): Expression =>
    wanted && target.kind === 'memory' ? f.named(value, 'value', span) : value;
  switch (e.kind) {
    case 'assign': {
      const value = keep(note(lowerValue(f, e.value)));
      return store(named(f, lvalueAsOf(f, moment, target, span), span), value);
    }
    case 'compound-assign': {
      const operand = note(lowerValue(f, e.operand));
      const { lvalue, old } = openForUpdate(f, lvalueAsOf(f, moment, target, span), e.target.span);
      const wide = castScalar(f, old, e.computationType, span);
      const value = keep(castScalar(f, arithmetic(f, e.operator, wide, operand, span), e.target.type, span));
      return store(lvalue, value);
    }
    case 'increment': {
      const { lvalue, old: current } = openForUpdate(f, target, e.target.span);
      const old = save(f, current, wanted && e.result === 'old', span);
      const wide = castScalar(f, old, e.computationType, span);
      const one = wide.type.kind === 'float' ? float(1, wide.type) : integer(1, wide.type as IntegerScalar);
      const value = keep(castScalar(f, arithmetic(f, e.delta === 1 ? '+' : '-', wide, one, span), e.target.type, span));
      const result = store(lvalue, value);
      return e.result === 'old' ? old : result;
    }
    case 'pointer-update': {
      const index = f.named(note(lowerValue(f, e.index)), 'index', e.index.span);
      const { lvalue, old: current } = openForUpdate(f, lvalueAsOf(f, moment, target, span), e.target.span);
      const old = save(f, f.named(current, 'pointer', span), wanted && e.result === 'old', span);
      const step = { type: e.target.type, subtract: e.subtract };
      const value = keep(
        addressValue(f, advance(f, pointerAddress(old, sourceText(e.target.span)), index, step, 'value', span), span),
      );
      const result = store(lvalue, value);
      return e.result === 'old' ? old : result;
    }
    default:
      return unreachable(e);
  }
}

/** The value that compilers read before or after they evaluate the operand. */
function valueBefore(lvalue: Lvalue): Expression {
  return lvalue.kind === 'variable' ? read(lvalue.variable) : load(scalarOf(lvalue.type), pointerOf(lvalue.address));
}

/** The place with an address that the store does not change. */
function named(f: FunctionLowering, lvalue: Lvalue, span: Span): Lvalue {
  if (lvalue.kind === 'variable' || lvalue.address.root.kind !== 'pointer') return lvalue;
  return { ...lvalue, address: { ...lvalue.address, base: f.named(lvalue.address.base, 'pointer', span) } };
}

/** The place of the syntax at the address that was stored to. */
function trackable(target: Lvalue, stored: Lvalue): Lvalue {
  if (target.kind === 'variable' || stored.kind === 'variable') return target;
  return { ...target, address: { ...stored.address, root: target.address.root } };
}

/**
 * The operands are unsequenced. The place changes after their values are computed (6.5.16p3), and its old value is read
 * at any time before. `first`, `second`, `end`: the accesses of the target, and of the operand.
 */
function checkUpdate(
  f: FunctionLowering,
  { kind, span }: Update,
  start: Moment,
  at: { readonly target: Lvalue; readonly first: number; readonly second: number; readonly end: number },
): void {
  const [ofTarget, ofValue] = [f.accesses.slice(at.first, at.second), f.accesses.slice(at.second, at.end)];
  f.accesses.length = at.end;
  checkUnsequenced(f, start, [ofTarget, ofValue], span);
  const own = recordAccess(f, at.target, 'change', span);
  if (!own) return;
  const unordered = ofValue.filter((access) => access.pending || (kind !== 'assign' && access.kind === 'change'));
  checkPairs(f, start, [own], [...ofTarget.filter(({ pending }) => pending), ...unordered], span);
}

/** A value that is used after its place has changed. */
function save(f: FunctionLowering, value: Expression, needed: boolean, span: Span): Expression {
  if (!needed || isConstant(value)) return value;
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
