/**
 * Conditions and the operators that choose which operand to evaluate. In a branch `&&`, `||` and `!` become control
 * flow. As values they, and `?:`, become operations on values if their operands draw no edges, and branches otherwise.
 */
import type { Span } from '../../c/source';
import type { TypedExpression as Tree } from '../../c/tree';
import type { CType } from '../../c/types';
import type { DraftLocation as Location } from '../automata/draft';
import { and, conditional, integer, isConstant, no, not, or, read, truth, yes } from '../build';
import { int32, type Expression } from '../expression';
import { foldArm, inArm, settle, settleUnless, type SequencedAccess } from './order/accesses';
import { castScalar } from './arithmetic';
import { branch, type FunctionLowering } from './context';
import { scalarOf } from './objects/layout';
import { specialOfCall } from './calls/specialCall';
import { lowerFirst, lowerValue } from './value';

/** Branches on a condition: control continues at `then` or at `otherwise`. */
export function lowerCondition(f: FunctionLowering, e: Tree, then: Location, otherwise: Location): void {
  switch (e.kind) {
    case 'not':
      return lowerCondition(f, e.operand, otherwise, then);
    case 'logical': {
      const right = f.draft.location(e.right.span);
      const first = f.accesses.length;
      if (e.operator === '&&') lowerCondition(f, e.left, right, otherwise);
      else lowerCondition(f, e.left, then, right);
      settle(f.accesses.slice(first));
      f.draft.startAt(right);
      return inArm(f, () => lowerCondition(f, e.right, then, otherwise));
    }
    case 'comma':
      if (e.unsequenced) break;
      lowerFirst(f, e.left);
      return lowerCondition(f, e.right, then, otherwise);
    case 'convert': {
      const inner =
        e.operand.kind === 'logical' ||
        e.operand.kind === 'not' ||
        e.operand.kind === 'relational' ||
        e.operand.kind === 'call' ||
        e.operand.kind === 'convert';
      if (inner && keepsTruth(e)) return lowerCondition(f, e.operand, then, otherwise);
      break;
    }
    case 'call':
      if (specialOfCall(f, e)?.kind === 'expect') return lowerCondition(f, e.arguments[0]!, then, otherwise);
      break;
    case 'conditional': {
      if (!e.then) break;
      const [first, second] = [f.draft.location(e.then.span), f.draft.location(e.otherwise.span)];
      const { then: thenTree, otherwise: otherwiseTree } = e;
      const before = f.accesses.length;
      lowerCondition(f, e.condition, first, second);
      settle(f.accesses.slice(before));
      f.draft.startAt(first);
      inArm(f, () => lowerCondition(f, thenTree, then, otherwise));
      f.draft.startAt(second);
      return inArm(f, () => lowerCondition(f, otherwiseTree, then, otherwise));
    }
    default:
      break;
  }
  branch(f, truth(lowerValue(f, e)), then, otherwise, e.span);
}

function keepsTruth(e: Extract<Tree, { kind: 'convert' }>): boolean {
  if (!isScalarType(e.type) || !isScalarType(e.operand.type)) return false;
  const [from, to] = [scalarOf(e.operand.type), scalarOf(e.type)];
  return (
    (e.type.kind === 'integer' && e.type.name === 'bool') ||
    (from.kind === 'integer' && to.kind === 'integer' && to.widthBits >= from.widthBits)
  );
}

const isScalarType = (type: CType): boolean => type.kind !== 'void' && type.kind !== 'record';

/** The code of an expression, drawn beside the current path. It is `pure` if there is none. */
interface Aside {
  readonly value: Expression;
  readonly start: Location;
  readonly end: Location;
  readonly pure: boolean;
  readonly accesses: readonly SequencedAccess[];
  readonly loads: FunctionLowering['loads'];
}

/** The value of an expression whose evaluation draws nothing; undefined for others. What it reads is not noted. */
export function plainValue(f: FunctionLowering, e: Tree): Expression | undefined {
  const { value, pure } = aside(f, e);
  return pure ? value : undefined;
}

function aside(f: FunctionLowering, e: Tree): Aside {
  return drawAside(f, e.span, () => lowerValue(f, e));
}

function drawAside(f: FunctionLowering, span: Span, draw: () => Expression): Aside {
  const before = f.draft.current;
  const start = f.draft.location(span);
  f.draft.startAt(start);
  const [first, firstLoad] = [f.accesses.length, f.loads.length];
  const value = inArm(f, draw);
  const end = f.draft.current;
  f.draft.startAt(before);
  return {
    value,
    start,
    end,
    pure: start === end && start.edges.length === 0,
    accesses: f.accesses.slice(first),
    loads: f.loads.slice(firstLoad),
  };
}

/** The value of a pure arm becomes part of one at the current location; the condition says when it counts. */
function fold(f: FunctionLowering, arm: Aside, condition: Expression): void {
  foldArm(f, arm.accesses, condition);
  for (const load of arm.loads) load.at = f.draft.current;
}

/** `&&` and `||` as values, 0 or 1. */
export function lowerLogical(f: FunctionLowering, e: Extract<Tree, { kind: 'logical' }>): Expression {
  const start = f.moment();
  const first = f.accesses.length;
  const left = truth(lowerValue(f, e.left));
  const isAnd = e.operator === '&&';
  settleUnless(f, start, f.accesses.slice(first), isAnd ? not(left) : left);
  if (isConstant(left)) return (left.value !== 0n) === isAnd ? truth(lowerValue(f, e.right)) : left;
  const right = aside(f, e.right);
  if (right.pure) {
    fold(f, right, isAnd ? left : not(left));
    return isAnd ? and(left, right.value) : or(left, right.value);
  }
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

/** `?:` on scalars. */
export function lowerConditional(f: FunctionLowering, e: Extract<Tree, { kind: 'conditional' }>): Expression {
  const type = scalarOf(e.type);
  const first = f.accesses.length;
  const value = lowerValue(f, e.condition);
  settle(f.accesses.slice(first));
  const condition = truth(value);
  const then = e.then ? aside(f, e.then) : drawAside(f, e.span, () => castScalar(f, value, e.type, e.span));
  const otherwise = aside(f, e.otherwise);
  if (isConstant(condition)) return condition.value !== 0n ? take(f, then, otherwise) : take(f, otherwise, then);
  if (then.pure && otherwise.pure) {
    fold(f, then, condition);
    fold(f, otherwise, not(condition));
    return conditional(condition, then.value, otherwise.value);
  }
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

function take(f: FunctionLowering, side: Aside, omitted: Aside): Expression {
  foldArm(f, omitted.accesses, no);
  if (side.pure) fold(f, side, yes);
  else {
    f.draft.goTo(side.start, side.start.span!);
    f.draft.startAt(side.end);
  }
  return side.value;
}
