/**
 * Expressions: from C's, which have effects, to IR's, which have none. Effects and checks are drawn as edges in C's order of
 * evaluation, left to right where C leaves it open (the right operand of an assignment operator comes before the old value of the
 * left one); what remains is a pure expression. A value computed before an effect that could change it is saved in a temporary.
 *
 * `&&`, `||` and `?:` whose operands draw nothing become operations on values; only the others branch.
 */
import type { Span } from '../../c/source';
import type { Expression as Tree } from '../../c/tree';
import type { CType } from '../../c/types';
import { unreachable } from '../../unreachable';
import { addressOf, and, binary, compare, conditional, convert, equal, float, integer, isConstant, isInitialised, not, nullPointer, objectOf, offsetOf, or, read, sameScalar, truth, unary, yes } from '../build';
import type { Expression, IntegerScalar, Variable } from '../expression';
import { int32, int64 } from '../expression';
import { addressAsOf, addressValue, advance, checkAccess, isLvalue, loadAt, lowerPlace, lowerPointer, mayBeUninitialised, memoryPlace, objectAddress, placeAsOf, pointerAddress, pointerOf, trustedAddress, type Address, type Place } from './address';
import { arithmetic, castScalar, negation } from './arithmetic';
import { loadBits, storeBits, unitOf } from './bitField';
import { lowerCall } from './call';
import { specialOfCall } from './specialCall';
import { sourceText, type FunctionContext } from './context';
import { isAggregate, scalarBytes, scalarOf, sizeOf } from './layout';
import { lowerBlock } from './statement';
import { lowerVaArg, lowerVaCopy, lowerVaStart } from './variadic';

/** A scalar rvalue. */
export function lowerValue(f: FunctionContext, e: Tree): Expression {
  switch (e.kind) {
    case 'integer': return integer(e.value, scalarOf(e.type) as IntegerScalar);
    case 'float': return float(e.value, { kind: 'float', widthBits: e.type.widthBits });
    case 'load': return loadPlace(f, lowerPlace(f, e.lvalue), e.lvalue.span);
    case 'member': return loadPlace(f, lowerPlace(f, e), e.span);
    case 'decay': case 'address-of': case 'pointer-add': return addressValue(f, lowerPointer(f, e, 'value'), e.span);
    case 'function-pointer': return e.designator.kind === 'function' ? addressOf(f.program.pointee(e.designator.symbol)) : lowerValue(f, designated(e.designator));
    case 'convert': return lowerConversion(f, e);
    case 'unary': {
      const operand = lowerValue(f, e.operand);
      return e.operator === '~' ? unary('complement', operand) : negation(f, operand, e.span);
    }
    case 'not': return not(lowerValue(f, e.operand));
    case 'arithmetic': {
      const [left, right] = lowerOperands(f, e.left, e.right);
      return arithmetic(f, e.operator, left, right, e.span);
    }
    case 'relational': return lowerComparison(f, e);
    case 'pointer-difference': return lowerDifference(f, e);
    case 'logical': return lowerLogical(f, e);
    case 'conditional': return lowerConditional(f, e);
    case 'assign': case 'compound-assign': case 'pointer-update': case 'increment': return lowerUpdate(f, e, true)!;
    case 'call': return lowerCall(f, e, 'value')!;
    case 'comma': lowerEffect(f, e.left); return lowerValue(f, e.right);
    case 'statement-expression': return lowerStatementExpression(f, e)!;
    case 'va-arg': return loadPlace(f, memoryPlace(lowerVaArg(f, e), e.type), e.span);
    case 'va-start': case 'va-copy': case 'va-end': throw new Error(`${e.kind} has no value: elaboration gives it type void`);
    case 'variable': case 'function': case 'dereference': case 'string': case 'compound-literal':
      throw new Error(`${e.kind} is an lvalue: elaboration must load it`);
    default: return unreachable(e);
  }
}

/** Evaluates for the effects alone; the type may be void or a structure. */
export function lowerEffect(f: FunctionContext, e: Tree): void {
  switch (e.kind) {
    case 'convert': if (e.type.kind === 'void') lowerEffect(f, e.operand); else lowerConversion(f, e); return;
    case 'comma': lowerEffect(f, e.left); lowerEffect(f, e.right); return;
    case 'call': lowerCall(f, e, 'nothing'); return;
    case 'assign': case 'compound-assign': case 'pointer-update': case 'increment': lowerUpdate(f, e, false); return;
    case 'statement-expression': lowerStatementExpression(f, e, 'nothing'); return;
    case 'va-start': lowerVaStart(f, e); return;
    case 'va-copy': lowerVaCopy(f, e); return;
    case 'va-end': return;
    case 'logical': {
      const [right, after] = [f.draft.location(e.right.span), f.draft.location()];
      lowerCondition(f, e.left, e.operator === '&&' ? right : after, e.operator === '&&' ? after : right);
      f.draft.startAt(right);
      lowerEffect(f, e.right);
      f.draft.goTo(after, e.span);
      f.draft.startAt(after);
      return;
    }
    case 'conditional': {
      if (!e.then) break;
      const [then, otherwise, after] = [f.draft.location(e.then.span), f.draft.location(e.otherwise.span), f.draft.location()];
      lowerCondition(f, e.condition, then, otherwise);
      for (const [start, branch] of [[then, e.then], [otherwise, e.otherwise]] as const) {
        f.draft.startAt(start);
        lowerEffect(f, branch);
        f.draft.goTo(after, branch.span);
      }
      f.draft.startAt(after);
      return;
    }
    default: break;
  }
  if (e.type.kind === 'void') {
    // `(void) 0` and dereferences of `void *` alone.
    if (e.kind === 'load') lowerPlace(f, e.lvalue);
    else if (isLvalue(e)) lowerPlace(f, e);
    return;
  }
  if (e.type.kind === 'record') lowerAggregate(f, e);
  else if (e.type.kind !== 'function' && !(e.type.kind === 'array' && isLvalue(e))) lowerValue(f, e);
}

/** Gives a variable the value, without a detour for calls. */
export function lowerInto(f: FunctionContext, target: Variable, e: Tree, span: Span): void {
  let source = e;
  while (source.kind === 'convert' && source.type.kind === 'pointer' && source.operand.type.kind === 'pointer') source = source.operand;
  if (source.kind === 'call' && source.type.kind !== 'void' && sameScalar(scalarOf(source.type), target.type)) {
    const value = lowerCall(f, source, target);
    if (value?.kind === 'read' && value.variable === target) f.nowSet(target, span);
    else f.assign(target, value!, span);
  } else {
    f.assign(target, lowerValue(f, e), span);
  }
}

/** Branches on a condition: control goes on at `then` or at `otherwise`. */
export function lowerCondition(f: FunctionContext, e: Tree, then: Location, otherwise: Location): void {
  switch (e.kind) {
    case 'not': return lowerCondition(f, e.operand, otherwise, then);
    case 'logical': {
      const right = f.draft.location(e.right.span);
      if (e.operator === '&&') lowerCondition(f, e.left, right, otherwise);
      else lowerCondition(f, e.left, then, right);
      f.draft.startAt(right);
      return lowerCondition(f, e.right, then, otherwise);
    }
    case 'comma':
      lowerEffect(f, e.left);
      return lowerCondition(f, e.right, then, otherwise);
    case 'convert': {
      const inner = e.operand.kind === 'logical' || e.operand.kind === 'not' || e.operand.kind === 'relational' || e.operand.kind === 'call' || e.operand.kind === 'convert';
      if (inner && keepsTruth(e)) return lowerCondition(f, e.operand, then, otherwise);
      break;
    }
    case 'call':
      if (specialOfCall(f, e)?.kind === 'expect') return lowerCondition(f, e.arguments[0]!, then, otherwise);
      break;
    case 'conditional': {
      if (!e.then) break;
      const [first, second] = [f.draft.location(e.then.span), f.draft.location(e.otherwise.span)];
      lowerCondition(f, e.condition, first, second);
      f.draft.startAt(first);
      lowerCondition(f, e.then, then, otherwise);
      f.draft.startAt(second);
      return lowerCondition(f, e.otherwise, then, otherwise);
    }
    default: break;
  }
  branch(f, truth(lowerValue(f, e)), then, otherwise, e.span);
}

type Location = FunctionContext['draft']['entry'];

export function branch(f: FunctionContext, condition: Expression, then: Location, otherwise: Location, span: Span): void {
  if (isConstant(condition)) {
    f.draft.goTo(condition.value !== 0n ? then : otherwise, span);
    return;
  }
  const from = f.draft.current;
  f.draft.edge(from, { kind: 'assume', condition }, then, span);
  f.draft.edge(from, { kind: 'assume', condition: not(condition) }, otherwise, span);
  f.draft.cut();
}

function keepsTruth(e: Extract<Tree, { kind: 'convert' }>): boolean {
  if (!isScalarType(e.type) || !isScalarType(e.operand.type)) return false;
  const [from, to] = [scalarOf(e.operand.type), scalarOf(e.type)];
  return (e.type.kind === 'integer' && e.type.name === 'bool') || (from.kind === 'integer' && to.kind === 'integer' && to.widthBits >= from.widthBits);
}

const isScalarType = (type: CType): boolean => type.kind !== 'void' && type.kind !== 'record';

function lowerConversion(f: FunctionContext, e: Extract<Tree, { kind: 'convert' }>): Expression {
  const { operand } = e;
  if (e.type.kind === 'pointer' && operand.type.kind === 'pointer') return addressValue(f, lowerPointer(f, e, 'value'), e.span);
  return castScalar(f, lowerValue(f, operand), e.type, e.span);
}

/** `*p` for a function pointer is the pointer again. */
function designated(e: Tree): Tree {
  if (e.kind === 'dereference') return e.pointer;
  throw new Error(`a ${e.kind} designates no function: elaboration must not make one of it`);
}

/** Both operands, the left one as it was before the right one's effects. */
function lowerOperands(f: FunctionContext, left: Tree, right: Tree): [Expression, Expression] {
  const l = lowerValue(f, left);
  const moment = f.moment();
  const r = lowerValue(f, right);
  return [f.asOf(moment, l, left.span), r];
}

function lowerComparison(f: FunctionContext, e: Extract<Tree, { kind: 'relational' }>): Expression {
  const [left, right] = lowerOperands(f, e.left, e.right);
  if (left.type.kind === 'pointer' && e.operator !== '==' && e.operator !== '!=') sameObject(f, left, right, e.span);
  switch (e.operator) {
    case '==': return compare('eq', left, right);
    case '!=': return compare('ne', left, right);
    case '<': return compare('lt', left, right);
    case '<=': return compare('le', left, right);
    case '>': return compare('lt', right, left);
    case '>=': return compare('le', right, left);
    default: return unreachable(e.operator);
  }
}

function sameObject(f: FunctionContext, left: Expression, right: Expression, span: Span): void {
  f.check('pointer-comparison', equal(objectOf(left), objectOf(right)), span, { whenOff: 'continue' });
}

function lowerDifference(f: FunctionContext, e: Extract<Tree, { kind: 'pointer-difference' }>): Expression {
  const [left, right] = lowerOperands(f, e.left, e.right);
  sameObject(f, left, right, e.span);
  const element = e.left.type.kind === 'pointer' ? sizeOf(e.left.type.to, f.model) : 1;
  const bytes = binary('subtract', offsetOf(left), offsetOf(right));
  return convert(binary('divide', bytes, integer(Math.max(element, 1), int64)), scalarOf(e.type));
}

/** Draws the expression's code aside; tells whether there was any. */
function aside(f: FunctionContext, e: Tree): { readonly value: Expression; readonly start: Location; readonly end: Location; readonly pure: boolean } {
  const before = f.draft.current;
  const start = f.draft.location(e.span);
  f.draft.startAt(start);
  const value = lowerValue(f, e);
  const end = f.draft.current;
  f.draft.startAt(before);
  return { value, start, end, pure: start === end && start.edges.length === 0 };
}

function lowerLogical(f: FunctionContext, e: Extract<Tree, { kind: 'logical' }>): Expression {
  const left = truth(lowerValue(f, e.left));
  const isAnd = e.operator === '&&';
  if (isConstant(left)) return (left.value !== 0n) === isAnd ? truth(lowerValue(f, e.right)) : left;
  const right = aside(f, e.right);
  if (right.pure) return isAnd ? and(left, right.value) : or(left, right.value);
  const result = f.temporary(int32, e.operator);
  const [short, after] = [f.draft.location(e.span), f.draft.location()];
  branch(f, left, isAnd ? right.start : short, isAnd ? short : right.start, e.left.span);
  f.draft.startAt(right.end);
  f.assign(result, truth(right.value), e.right.span);
  f.draft.goTo(after, e.span);
  f.draft.startAt(short);
  f.assign(result, isAnd ? integer(0, int32) : yes, e.span);
  f.draft.goTo(after, e.span);
  f.draft.startAt(after);
  return read(result);
}

function lowerConditional(f: FunctionContext, e: Extract<Tree, { kind: 'conditional' }>): Expression {
  const type = scalarOf(e.type);
  const value = lowerValue(f, e.condition);
  const condition = truth(value);
  const then = e.then ? aside(f, e.then) : asideConversion(f, value, e);
  const otherwise = aside(f, e.otherwise);
  if (isConstant(condition)) return take(f, condition.value !== 0n ? then : otherwise);
  if (then.pure && otherwise.pure) return conditional(condition, then.value, otherwise.value);
  const result = f.temporary(type, '?:');
  const after = f.draft.location();
  branch(f, condition, then.start, otherwise.start, e.condition.span);
  for (const side of [then, otherwise]) {
    f.draft.startAt(side.end);
    f.assign(result, side.value, e.span);
    f.draft.goTo(after, e.span);
  }
  f.draft.startAt(after);
  return read(result);
}

/** The middle of `a ?: b`. */
function asideConversion(f: FunctionContext, value: Expression, e: Extract<Tree, { kind: 'conditional' }>): ReturnType<typeof aside> {
  const before = f.draft.current;
  const start = f.draft.location(e.span);
  f.draft.startAt(start);
  const converted = castScalar(f, value, e.type, e.span);
  const end = f.draft.current;
  f.draft.startAt(before);
  return { value: converted, start, end, pure: start === end && start.edges.length === 0 };
}

function take(f: FunctionContext, side: ReturnType<typeof aside>): Expression {
  if (!side.pure) {
    f.draft.goTo(side.start, side.start.span!);
    f.draft.startAt(side.end);
  }
  return side.value;
}

/** Reads a scalar place. */
export function loadPlace(f: FunctionContext, place: Place, span: Span): Expression {
  if (place.kind === 'variable') {
    const companion = f.companions.get(place.variable);
    if (companion) f.check('uninitialised-read', truth(read(companion)), span, { whenOff: 'continue' });
    return (place.variable.scope === 'global' ? f.program.constantOf(place.variable) : undefined) ?? read(place.variable);
  }
  if (place.field?.bits) return loadBits(f, place, span);
  const bytes = scalarBytes(scalarOf(place.type), f.model);
  const address = checkAccess(f, place.address, bytes, 'read', span);
  if (mayBeUninitialised(f, address, place.type)) f.check('uninitialised-read', isInitialised(pointerOf(address), bytes), span, { whenOff: 'continue' });
  return loadAt(address, place.type);
}

/** Writes a scalar place; returns what it now holds. */
export function storePlace(f: FunctionContext, place: Place, value: Expression, span: Span, placeSpan: Span): Expression {
  if (place.kind === 'variable') {
    f.assign(place.variable, value, span);
    return read(place.variable);
  }
  if (place.field?.bits) return storeBits(f, place, value, span, placeSpan);
  const type = scalarOf(place.type);
  const address = checkAccess(f, place.address, scalarBytes(type, f.model), 'write', placeSpan);
  f.emit({ kind: 'store', address: pointerOf(address), type, value }, span);
  return value;
}

type Update = Extract<Tree, { kind: 'assign' | 'compound-assign' | 'pointer-update' | 'increment' }>;

/** Assignments of every form; the value is the result when it is wanted. */
function lowerUpdate(f: FunctionContext, e: Update, wanted: boolean): Expression | undefined {
  if (isAggregate(e.target.type)) {
    if (e.kind === 'assign') assignAggregate(f, e);
    return undefined;
  }
  const { span } = e;
  const target = lowerPlace(f, e.target);
  if (e.kind === 'assign' && target.kind === 'variable') {
    lowerInto(f, target.variable, e.value, span);
    return wanted ? read(target.variable) : undefined;
  }
  const moment = f.moment();
  const keep = (value: Expression): Expression => (wanted && target.kind === 'memory' ? f.named(value, 'value', span) : value);
  switch (e.kind) {
    case 'assign': {
      const value = keep(lowerValue(f, e.value));
      return storePlace(f, placeAsOf(f, moment, target, span), value, span, e.target.span);
    }
    case 'compound-assign': {
      const operand = lowerValue(f, e.operand);
      const { place, old } = openForUpdate(f, placeAsOf(f, moment, target, span), e.target.span);
      const wide = castScalar(f, old, e.computationType, span);
      const value = keep(castScalar(f, arithmetic(f, e.operator, wide, operand, span), e.target.type, span));
      return storePlace(f, place, value, span, e.target.span);
    }
    case 'increment': {
      const { place, old: current } = openForUpdate(f, target, e.target.span);
      const old = save(f, current, wanted && e.result === 'old', span);
      const wide = castScalar(f, old, e.computationType, span);
      const one = wide.type.kind === 'float' ? float(1, wide.type) : integer(1, wide.type as IntegerScalar);
      const value = keep(castScalar(f, arithmetic(f, e.delta === 1 ? '+' : '-', wide, one, span), e.target.type, span));
      const result = storePlace(f, place, value, span, e.target.span);
      return e.result === 'old' ? old : result;
    }
    case 'pointer-update': {
      const index = f.named(lowerValue(f, e.index), 'index', e.index.span);
      const { place, old: current } = openForUpdate(f, placeAsOf(f, moment, target, span), e.target.span);
      const old = save(f, f.named(current, 'pointer', span), wanted && e.result === 'old', span);
      const step = { type: e.target.type, subtract: e.subtract };
      const value = keep(addressValue(f, advance(f, pointerAddress(old, sourceText(e.target.span)), index, step, 'value', span), span));
      const result = storePlace(f, place, value, span, e.target.span);
      return e.result === 'old' ? old : result;
    }
    default: return unreachable(e);
  }
}

/** A value that is needed after its place has changed. */
function save(f: FunctionContext, value: Expression, needed: boolean, span: Span): Expression {
  if (!needed || isConstant(value)) return value;
  const saved = f.temporary(value.type, 'old');
  f.emit({ kind: 'assign', target: saved, value }, span);
  return read(saved);
}

/** A place that is both read and written: checked once for both. */
function openForUpdate(f: FunctionContext, place: Place, span: Span): { readonly place: Place; readonly old: Expression } {
  if (place.kind === 'variable') return { place, old: loadPlace(f, place, span) };
  const opened = place.field?.bits ? unitOf(f, place) : { address: place.address, bytes: scalarBytes(scalarOf(place.type), f.model) };
  const address = checkAccess(f, opened.address, opened.bytes, 'write', span);
  const checked: Place = { ...place, address: { ...place.address, base: address.base, root: { kind: 'trusted' } } };
  if (place.field?.bits) return { place: checked, old: loadPlace(f, checked, span) };
  if (mayBeUninitialised(f, address, place.type)) f.check('uninitialised-read', isInitialised(pointerOf(address), opened.bytes), span, { whenOff: 'continue' });
  return { place: checked, old: loadPlace(f, checked, span) };
}

/** Copies a structure; returns where the copy is. */
function assignAggregate(f: FunctionContext, e: Extract<Tree, { kind: 'assign' }>): Address {
  const target = lowerPlace(f, e.target);
  if (target.kind === 'variable') throw new Error('structures live in memory');
  const moment = f.moment();
  const source = lowerAggregate(f, e.value);
  const size = sizeOf(e.target.type, f.model);
  const address = checkAccess(f, addressAsOf(f, moment, target.address, e.span), size, 'write', e.target.span);
  copyAggregate(f, address, source, size, e.span);
  return address;
}

export function copyAggregate(f: FunctionContext, target: Address, source: Address, size: number, span: Span): void {
  if (size > 0) f.emit({ kind: 'copy', target: pointerOf(target), source: pointerOf(source), size: integer(size, int64) }, span);
}

/** A structure value: where it can be read from, checked already. Valid until the next effect. */
export function lowerAggregate(f: FunctionContext, e: Tree): Address {
  switch (e.kind) {
    case 'load': return checkedWhole(f, lowerPlace(f, e.lvalue), e);
    case 'member': return checkedWhole(f, lowerPlace(f, e), e);
    case 'call': return trustedAddress(lowerCall(f, e, 'value')!);
    case 'assign': return assignAggregate(f, e);
    case 'comma': lowerEffect(f, e.left); return lowerAggregate(f, e.right);
    case 'convert': return lowerAggregate(f, e.operand);
    case 'va-arg': return lowerVaArg(f, e);
    case 'statement-expression': return trustedAddress(lowerStatementExpression(f, e)!);
    case 'conditional': {
      if (!e.then) break;
      const where = f.temporary(nullPointer.type, '?:');
      const [then, otherwise, after] = [f.draft.location(e.then.span), f.draft.location(e.otherwise.span), f.draft.location()];
      lowerCondition(f, e.condition, then, otherwise);
      for (const [start, branchTree] of [[then, e.then], [otherwise, e.otherwise]] as const) {
        f.draft.startAt(start);
        f.assign(where, pointerOf(lowerAggregate(f, branchTree)), branchTree.span);
        f.draft.goTo(after, branchTree.span);
      }
      f.draft.startAt(after);
      return trustedAddress(read(where));
    }
    default: break;
  }
  if (isLvalue(e)) return checkedWhole(f, lowerPlace(f, e), e);
  throw new Error(`a ${e.kind} of structure type: elaboration makes none`);
}

function checkedWhole(f: FunctionContext, place: Place, e: Tree): Address {
  if (place.kind === 'variable') throw new Error('structures live in memory');
  return checkAccess(f, place.address, sizeOf(e.type, f.model), 'read', e.span);
}

/** The value (for structures, the address of a copy) of GNU's `({ … })`; undefined for void and when it is not wanted. */
function lowerStatementExpression(f: FunctionContext, e: Extract<Tree, { kind: 'statement-expression' }>, want: 'value' | 'nothing' = 'value'): Expression | undefined {
  let value: Expression | undefined;
  lowerBlock(f, e.body, () => {
    if (!e.result) return;
    if (want === 'nothing' || e.result.type.kind === 'void') {
      lowerEffect(f, e.result);
    } else if (e.result.type.kind === 'record') {
      const source = lowerAggregate(f, e.result);
      const copy = f.activationObject('<statement expression>', e.result.type);
      copyAggregate(f, objectAddress(copy), source, copy.sizeBytes, e.span);
      value = addressOf(copy);
    } else {
      const result = f.temporary(scalarOf(e.result.type), 'result');
      lowerInto(f, result, e.result, e.result.span);
      value = read(result);
    }
  });
  return value;
}
