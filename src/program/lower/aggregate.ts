/** Structure values, which always live in memory and never in variables. */
import type { Span } from '../../c/source';
import type { Expression as Tree } from '../../c/tree';
import { integer, nullPointer, read } from '../build';
import { int64 } from '../expression';
import {
  addressAsOf,
  checkAccess,
  isLvalue,
  lowerPlace,
  pointerOf,
  trustedAddress,
  type Address,
  type Place,
} from './address';
import { lowerCall } from './call';
import { lowerCondition } from './condition';
import type { FunctionContext } from './context';
import { sizeOf } from './layout';
import { lowerStatementExpression } from './statementExpression';
import { lowerEffect } from './value';
import { lowerVaArg } from './variadic';

/** Both places were checked. */
export function copyAggregate(f: FunctionContext, target: Address, source: Address, size: number, span: Span): void {
  if (size > 0)
    f.emit({ kind: 'copy', target: pointerOf(target), source: pointerOf(source), size: integer(size, int64) }, span);
}

/** The address from which a structure value can be read, already checked. It is valid until the next effect. */
export function lowerAggregate(f: FunctionContext, e: Tree): Address {
  switch (e.kind) {
    case 'load':
      return checkedWhole(f, lowerPlace(f, e.lvalue), e);
    case 'member':
      return checkedWhole(f, lowerPlace(f, e), e);
    case 'call':
      return trustedAddress(lowerCall(f, e, 'value')!);
    case 'assign':
      return assignAggregate(f, e);
    case 'comma':
      lowerEffect(f, e.left);
      return lowerAggregate(f, e.right);
    case 'convert':
      return lowerAggregate(f, e.operand);
    case 'va-arg':
      return lowerVaArg(f, e);
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
        f.assign(where, pointerOf(lowerAggregate(f, branchTree)), branchTree.span);
        f.draft.goTo(after, branchTree.span);
      }
      f.draft.startAt(after);
      return trustedAddress(read(where));
    }
    default:
      break;
  }
  if (isLvalue(e)) return checkedWhole(f, lowerPlace(f, e), e);
  throw new Error(`a ${e.kind} of structure type: elaboration makes none`);
}

function checkedWhole(f: FunctionContext, place: Place, e: Tree): Address {
  if (place.kind === 'variable') throw new Error('structures live in memory');
  return checkAccess(f, place.address, sizeOf(e.type, f.model), 'read', e.span);
}

/** Copies a structure and returns the address of the copy. */
export function assignAggregate(f: FunctionContext, e: Extract<Tree, { kind: 'assign' }>): Address {
  const start = f.moment();
  const target = lowerPlace(f, e.target);
  if (target.kind === 'variable') throw new Error('structures live in memory');
  const moment = f.moment();
  const source = lowerAggregate(f, e.value);
  f.noteUnordered(e.span, start, [
    { values: [target.address.base, target.address.delta], end: moment },
    { values: [], end: f.moment() },
  ]);
  const size = sizeOf(e.target.type, f.model);
  const address = checkAccess(f, addressAsOf(f, moment, target.address, e.span), size, 'write', e.target.span);
  copyAggregate(f, address, source, size, e.span);
  return address;
}
