/** Structure values, which always live in memory and never in variables. */
import type { Span } from '../../../c/source';
import type { TypedExpression as Tree } from '../../../c/tree';
import { integer, nullPointer, read } from '../../build';
import { int64 } from '../../expression';
import { checkOverlap, checkPairs, checkUnsequenced, inArm, recordAccess } from '../order/accesses';
import {
  addressAsOf,
  checkAccess,
  isLvalue,
  lowerLvalue,
  pointerOf,
  trustedAddress,
  type LvalueAddress,
} from './address';
import { lowerCall } from '../calls/call';
import { lowerCondition } from '../condition';
import type { FunctionLowering } from '../context';
import { sizeOf } from './layout';
import { lowerStatementExpression } from '../statementExpression';
import { lowerComma } from '../order/comma';
import { lowerVaArg } from '../calls/variadic';

/** Both places were checked. */
export function copyAggregate(
  f: FunctionLowering,
  target: LvalueAddress,
  source: LvalueAddress,
  size: number,
  span: Span,
): void {
  if (size > 0)
    f.emit({ kind: 'copy', target: pointerOf(target), source: pointerOf(source), size: integer(size, int64) }, span);
}

/** The address from which a structure value can be read, already checked. It is valid until the next effect. */
export function lowerAggregate(f: FunctionLowering, e: Tree): LvalueAddress {
  switch (e.kind) {
    case 'load':
      return checkedWhole(f, e.lvalue, e);
    case 'member':
      return checkedWhole(f, e, e);
    case 'call':
      return trustedAddress(lowerCall(f, e, 'value')!);
    case 'assign':
      return assignAggregate(f, e);
    case 'comma':
      return lowerComma(f, e, () => lowerAggregate(f, e.right));
    case 'convert':
      return lowerAggregate(f, e.operand);
    case 'va-arg':
      return f.asOneCall(() => lowerVaArg(f, e));
    case 'statement-expression':
      return trustedAddress(lowerStatementExpression(f, e)!);
    case 'conditional': {
      if (!e.then) break;
      const where = f.temporary(nullPointer.type, '?:');
      const [then, otherwise, after] = [
        f.draft.location(e.then.span),
        f.draft.location(e.otherwise.span),
        f.draft.location(),
      ];
      lowerCondition(f, e.condition, then, otherwise);
      for (const [start, branchTree] of [
        [then, e.then],
        [otherwise, e.otherwise],
      ] as const) {
        f.draft.startAt(start);
        inArm(f, () => f.assign(where, pointerOf(lowerAggregate(f, branchTree)), branchTree.span));
        f.draft.goTo(after, branchTree.span);
      }
      f.draft.startAt(after);
      return trustedAddress(read(where));
    }
    default:
      break;
  }
  if (isLvalue(e)) return checkedWhole(f, e, e);
  throw new Error(`a ${e.kind} of structure type: elaboration makes none`);
}

function checkedWhole(f: FunctionLowering, lvalue: Tree, e: Tree): LvalueAddress {
  const start = f.moment();
  const first = f.accesses.length;
  const target = lowerLvalue(f, lvalue);
  if (target.kind === 'variable') throw new Error('structures live in memory');
  const size = sizeOf(e.type, f.model);
  const address = checkAccess(f, target.address, size, 'read', e.span);
  const pending = f.accesses.slice(first).filter((access) => access.pending);
  const own = recordAccess(f, { ...target, field: undefined, address }, 'use', e.span, size);
  if (own) {
    own.isValue = true;
    checkPairs(f, start, [own], pending, e.span);
  }
  return address;
}

/** Copies a structure and returns the address of the copy. */
export function assignAggregate(f: FunctionLowering, e: Extract<Tree, { kind: 'assign' }>): LvalueAddress {
  const start = f.moment();
  const first = f.accesses.length;
  const target = lowerLvalue(f, e.target);
  if (target.kind === 'variable') throw new Error('structures live in memory');
  const second = f.accesses.length;
  const moment = f.moment();
  const source = lowerAggregate(f, e.value);
  f.noteUnordered(e.span, start, [
    { values: [target.address.base, target.address.delta], end: moment },
    { values: [], wholes: [pointerOf(source)], end: f.moment() },
  ]);
  const size = sizeOf(e.target.type, f.model);
  const address = checkAccess(f, addressAsOf(f, moment, target.address, e.span), size, 'write', e.target.span);
  const operands = [f.accesses.slice(first, second), f.accesses.slice(second)];
  checkUnsequenced(f, start, operands, e.span);
  const own = recordAccess(f, { ...target, address }, 'change', e.span, size);
  if (own)
    checkPairs(
      f,
      start,
      [own],
      operands.flat().filter(({ pending }) => pending),
      e.span,
    );
  if (own) checkOverlap(f, start, own, operands[1]!, e.span);
  copyAggregate(f, address, source, size, e.span);
  // Its members are those of the value, which is no access of the target.
  return trustedAddress(pointerOf(address));
}
