/**
 * Expressions: from C's, which have effects, to IR's, which have none. Effects and checks are drawn as edges in C's
 * order of evaluation. If C leaves the order open, it is left to right; the right operand of an assignment precedes the
 * old value of the left one. The rest is a pure expression. A value computed before an effect that could change it is
 * saved in a temporary.
 */
import type { Span } from '../../c/source';
import { spanning } from '../../c/tokens/spanning';
import type { TypedExpression as Tree } from '../../c/tree';
import { unreachable } from '../../unreachable';
import {
  addressOf,
  binary,
  compare,
  convert,
  equal,
  float,
  integer,
  isInitialised,
  not,
  objectOf,
  offsetOf,
  read,
  sameScalar,
  truth,
  unary,
} from '../build';
import { int64, type Expression, type IntegerScalar, type Variable } from '../expression';
import { checkPairs, checkUnsequenced, inArm, recordAccess, settle } from './order/accesses';
import {
  addressValue,
  checkAccess,
  isLvalue,
  loadAt,
  lowerLvalue,
  lowerPointer,
  mayBeUninitialised,
  memoryPlace,
  noteAddress,
  noteConversion,
  pointerOf,
  type Lvalue,
} from './objects/address';
import { assignAggregate, lowerAggregate } from './objects/aggregate';
import { arithmetic, castScalar, negation } from './arithmetic';
import { loadBits, storeBits } from './objects/bitField';
import { lowerCall } from './calls/call';
import { noteLibraryChoice } from './calls/libraryChoices';
import { lowerComma } from './order/comma';
import { lowerCondition, lowerConditional, lowerLogical } from './condition';
import type { FunctionLowering } from './context';
import { isAggregate, isBool, scalarBytes, scalarOf, sizeOf } from './objects/layout';
import { inEitherOrder } from './order/eitherOrder';
import { lowerStatementExpression } from './statementExpression';
import { lowerUpdate } from './update';
import { lowerVaArg, lowerVaCopy, lowerVaEnd, lowerVaStart } from './calls/variadic';

/** A scalar rvalue. */
export function lowerValue(f: FunctionLowering, e: Tree): Expression {
  switch (e.kind) {
    case 'integer':
      return integer(e.value, scalarOf(e.type) as IntegerScalar);
    case 'float':
      return float(e.value, { kind: 'float', widthBits: e.type.widthBits });
    case 'load':
      return lowerLoad(f, e.lvalue);
    case 'member':
      return lowerLoad(f, e);
    case 'decay':
    case 'address-of':
    case 'pointer-add':
      return addressValue(f, lowerPointer(f, e, 'value'), e.span);
    case 'function-pointer':
      if (e.designator.kind !== 'function') return lowerValue(f, designatedPointer(e.designator));
      noteLibraryChoice(f, e.designator.symbol, undefined, e.span);
      return addressOf(f.program.pointee(e.designator.symbol));
    case 'convert':
      return lowerConversion(f, e);
    case 'unary': {
      const operand = lowerValue(f, e.operand);
      return e.operator === '~' ? unary('complement', operand) : negation(f, operand, e.span);
    }
    case 'not':
      return not(lowerValue(f, e.operand));
    case 'arithmetic': {
      const [left, right] = lowerOperands(f, e.left, e.right);
      return arithmetic(f, e.operator, left, right, e.span);
    }
    case 'relational':
      return lowerComparison(f, e);
    case 'pointer-difference':
      return lowerDifference(f, e);
    case 'logical':
      return lowerLogical(f, e);
    case 'conditional':
      return lowerConditional(f, e);
    case 'assign':
    case 'compound-assign':
    case 'pointer-update':
    case 'increment':
      return lowerUpdate(f, e, 'value')!;
    case 'call':
      return lowerCall(f, e, 'value')!;
    case 'comma':
      return lowerComma(f, e, () => lowerValue(f, e.right));
    case 'statement-expression':
      return lowerStatementExpression(f, e)!;
    case 'va-arg':
      return loadLvalue(
        f,
        memoryPlace(
          f.asOneCall(() => lowerVaArg(f, e)),
          e.type,
        ),
        e.span,
      );
    case 'va-start':
    case 'va-copy':
    case 'va-end':
      throw new Error(`${e.kind} has no value: elaboration gives it type void`);
    case 'variable':
    case 'function':
    case 'dereference':
    case 'string':
    case 'compound-literal':
      throw new Error(`${e.kind} is an lvalue: elaboration must load it`);
    default:
      return unreachable(e);
  }
}

/** A sequence point follows. */
export function lowerFirst(f: FunctionLowering, e: Tree): void {
  const first = f.accesses.length;
  lowerEffect(f, e);
  settle(f.accesses.slice(first));
}

/** The read of a place may precede the pending changes of the operands that say where it is. */
function lowerLoad(f: FunctionLowering, lvalue: Tree): Expression {
  const start = f.moment();
  const first = f.accesses.length;
  const lowered = lowerLvalue(f, lvalue);
  const second = f.accesses.length;
  const value = loadLvalue(f, lowered, lvalue.span);
  const pending = f.accesses.slice(first, second).filter((access) => access.pending);
  checkPairs(f, start, f.accesses.slice(second), pending, lvalue.span);
  return value;
}

/** Evaluates for the effects only; the type may be void or a structure. */
export function lowerEffect(f: FunctionLowering, e: Tree): void {
  switch (e.kind) {
    case 'convert':
      if (e.type.kind === 'void') lowerEffect(f, e.operand);
      else lowerConversion(f, e);
      return;
    case 'comma':
      lowerComma(f, e, () => lowerEffect(f, e.right));
      return;
    case 'call':
      lowerCall(f, e, 'nothing');
      return;
    case 'assign':
    case 'compound-assign':
    case 'pointer-update':
    case 'increment':
      if (e.kind === 'assign' && isAggregate(e.type)) assignAggregate(f, e);
      else lowerUpdate(f, e, 'nothing');
      return;
    case 'statement-expression':
      lowerStatementExpression(f, e, 'nothing');
      return;
    case 'va-start':
      lowerVaStart(f, e);
      return;
    case 'va-copy':
      lowerVaCopy(f, e);
      return;
    case 'va-end':
      lowerVaEnd(f, e);
      return;
    case 'logical': {
      const [right, after] = [f.draft.location(e.right.span), f.draft.location()];
      lowerCondition(f, e.left, e.operator === '&&' ? right : after, e.operator === '&&' ? after : right);
      f.draft.startAt(right);
      inArm(f, () => lowerEffect(f, e.right));
      f.draft.goTo(after, e.span);
      f.draft.startAt(after);
      return;
    }
    case 'conditional': {
      if (!e.then) break;
      const [then, otherwise, after] = [
        f.draft.location(e.then.span),
        f.draft.location(e.otherwise.span),
        f.draft.location(),
      ];
      lowerCondition(f, e.condition, then, otherwise);
      for (const [start, branch] of [
        [then, e.then],
        [otherwise, e.otherwise],
      ] as const) {
        f.draft.startAt(start);
        inArm(f, () => lowerEffect(f, branch));
        f.draft.goTo(after, branch.span);
      }
      f.draft.startAt(after);
      return;
    }
    default:
      break;
  }
  if (e.type.kind === 'void') {
    // Only `(void) 0` and dereferences of `void *`.
    if (e.kind === 'load') lowerLvalue(f, e.lvalue);
    else if (isLvalue(e)) lowerLvalue(f, e);
    return;
  }
  if (e.type.kind === 'record') lowerAggregate(f, e);
  else if (e.type.kind !== 'function' && !(e.type.kind === 'array' && isLvalue(e))) lowerValue(f, e);
}

/** Assigns the value to a variable; a call stores its result there directly. */
export function lowerInto(f: FunctionLowering, target: Variable, e: Tree, span: Span): void {
  let source = e;
  while (source.kind === 'convert' && source.type.kind === 'pointer' && source.operand.type.kind === 'pointer') {
    noteConversion(f, source.operand.type.to, source.type.to, undefined, source.span);
    source = source.operand;
  }
  if (source.kind === 'call' && source.type.kind !== 'void' && sameScalar(scalarOf(source.type), target.type)) {
    const value = lowerCall(f, source, target);
    if (value?.kind === 'read' && value.variable === target) f.nowSet(target, span);
    else f.assign(target, value!, span);
  } else {
    f.assign(target, lowerValue(f, e), span);
  }
}

function lowerConversion(f: FunctionLowering, e: Extract<Tree, { kind: 'convert' }>): Expression {
  const { operand } = e;
  if (e.type.kind === 'pointer' && operand.type.kind === 'pointer')
    return addressValue(f, lowerPointer(f, e, 'value'), e.span);
  const value = lowerValue(f, operand);
  if (e.type.kind === 'pointer' && operand.type.kind === 'integer') noteAddress(f, operand, value, e.type.to, e.span);
  return castScalar(f, value, e.type, e.span);
}

/** `*p` for a function pointer is the pointer again. */
function designatedPointer(e: Tree): Tree {
  if (e.kind === 'dereference') return e.pointer;
  throw new Error(`a ${e.kind} designates no function: elaboration must not make one of it`);
}

/** The values of both operands. The first one is computed before the effects of the second one. */
function lowerOperands(f: FunctionLowering, left: Tree, right: Tree): readonly [Expression, Expression] {
  const span = spanning(left.span, right.span);
  return inEitherOrder(f, span, [left, right], (order): readonly [Expression, Expression] => {
    const [one, other] = order === 'left first' ? [left, right] : [right, left];
    const start = f.moment();
    const first = f.accesses.length;
    const before = lowerValue(f, one);
    const moment = f.moment();
    const second = f.accesses.length;
    const after = lowerValue(f, other);
    const groups = [f.accesses.slice(first, second), f.accesses.slice(second)] as const;
    f.noteUnordered(span, start, [
      { values: [before], end: moment, accesses: groups[0] },
      { values: [after], end: f.moment(), accesses: groups[1] },
    ]);
    checkUnsequenced(f, start, groups, span);
    const kept = f.asOf(moment, before, one.span);
    return order === 'left first' ? [kept, after] : [after, kept];
  });
}

function lowerComparison(f: FunctionLowering, e: Extract<Tree, { kind: 'relational' }>): Expression {
  const [left, right] = lowerOperands(f, e.left, e.right);
  if (left.type.kind === 'pointer' && e.operator !== '==' && e.operator !== '!=') sameObject(f, left, right, e.span);
  switch (e.operator) {
    case '==':
      return compare('eq', left, right);
    case '!=':
      return compare('ne', left, right);
    case '<':
      return compare('lt', left, right);
    case '<=':
      return compare('le', left, right);
    case '>':
      return compare('lt', right, left);
    case '>=':
      return compare('le', right, left);
    default:
      return unreachable(e.operator);
  }
}

function sameObject(f: FunctionLowering, left: Expression, right: Expression, span: Span): void {
  f.check('pointer-comparison', equal(objectOf(left), objectOf(right)), span, { ifUnchecked: 'ignore' });
}

function lowerDifference(f: FunctionLowering, e: Extract<Tree, { kind: 'pointer-difference' }>): Expression {
  const [left, right] = lowerOperands(f, e.left, e.right);
  sameObject(f, left, right, e.span);
  const element = e.left.type.kind === 'pointer' ? sizeOf(e.left.type.to, f.model) : 1;
  const bytes = binary('subtract', offsetOf(left), offsetOf(right));
  return convert(binary('divide', bytes, integer(Math.max(element, 1), int64)), scalarOf(e.type));
}

/** Reads a scalar place. */
export function loadLvalue(f: FunctionLowering, lvalue: Lvalue, span: Span): Expression {
  if (lvalue.kind === 'variable') {
    const companion = f.companions.get(lvalue.variable);
    if (companion) f.check('uninitialised-read', truth(read(companion)), span, { ifUnchecked: 'ignore' });
    const known = lvalue.variable.scope === 'global' ? f.program.constantOf(lvalue.variable) : undefined;
    if (!known) recordAccess(f, lvalue, 'use', span);
    return known ?? f.noteLoad(lvalue.variable, read(lvalue.variable));
  }
  if (lvalue.field?.bits) {
    const { address } = lvalue;
    const base = address.root.kind === 'pointer' ? f.nameValue(address.base, 'pointer', span) : address.base;
    const named = { ...lvalue, address: { ...address, base } };
    const value = loadBits(f, named, span);
    recordAccess(f, named, 'use', span);
    return value;
  }
  const bytes = scalarBytes(scalarOf(lvalue.type), f.model);
  const address = checkAccess(f, lvalue.address, bytes, 'read', span);
  recordAccess(f, { ...lvalue, address }, 'use', span);
  if (mayBeUninitialised(f, address, lvalue.type))
    f.check('uninitialised-read', isInitialised(pointerOf(address), bytes), span, { ifUnchecked: 'ignore' });
  if (isBool(lvalue.type) && (address.root.kind === 'pointer' || address.throughUnion || address.isShared))
    f.program.choose('bool-bytes', span);
  const value = loadAt(address, lvalue.type);
  return address.root.kind === 'object' ? f.noteLoad(address.root.object, value) : value;
}

/** Writes a scalar place and returns the value that it then holds. */
export function storePlace(
  f: FunctionLowering,
  lvalue: Lvalue,
  value: Expression,
  span: Span,
  placeSpan: Span,
): Expression {
  if (lvalue.kind === 'variable') {
    f.assign(lvalue.variable, value, span);
    return read(lvalue.variable);
  }
  if (lvalue.field?.bits) return storeBits(f, lvalue, value, span, placeSpan);
  const type = scalarOf(lvalue.type);
  const address = checkAccess(f, lvalue.address, scalarBytes(type, f.model), 'write', placeSpan);
  f.emit({ kind: 'store', address: pointerOf(address), type, value }, span);
  return value;
}
