/**
 * Blocks on the stack whose size the program computes: `alloca`, which lasts until the function ends, and
 * variable-length arrays (C11 6.7.6.2) with the checks of their lengths. The block of an array lives until its scope
 * ends. A length must be positive, and the array smaller than the address space. Of a size that this model has no room
 * for nothing is known (`object-size`).
 */
import type { Span } from '../../../c/source';
import type { Statement } from '../../../c/tree';
import { atMost, binary, convert, equal, integer, load, notEqual, nullPointer, offset, read } from '../../build';
import { int64, pointer, uint64, type Expression, type Variable } from '../../expression';
import { within } from '../arithmetic';
import { sourceText, type FunctionLowering } from '../context';
import { mostAddressBytes, mostObjectBytes } from './layout';
import { lowerValue } from '../value';

export function lowerArrayLength(f: FunctionLowering, s: Extract<Statement, { kind: 'array-length' }>): void {
  const home = f.homeOf(s.symbol);
  if (home.kind !== 'variable') throw new Error('the address of a hidden length is never taken');
  f.assign(home, lowerValue(f, s.value), s.span);
  checkLength(f, home, s.value.span, s.span);
}

export function checkLength(f: FunctionLowering, length: Variable, written: Span, span: Span): void {
  const text = sourceText(written);
  f.check('array-length', within(read(length), 1n, mostAddressBytes(f.model)), span, { text, ifUnchecked: 'assume' });
  f.check('object-size', within(read(length), 1n, mostObjectBytes(f.model)), span, { text, ifUnchecked: 'assume' });
}

/** The product of the lengths stays below 2^62 from one check to the next. */
export function lowerArrayDeclaration(f: FunctionLowering, s: Extract<Statement, { kind: 'declare-array' }>): void {
  const { symbol, span } = s;
  const home = f.homeOf(symbol);
  if (home.kind !== 'variable') throw new Error('the address of the pointer behind an array is never taken');
  let bytes: Expression = integer(s.elementBytes, int64);
  for (const length of [...s.lengths].reverse()) {
    bytes = f.nameValue(binary('multiply', convert(lowerValue(f, length), int64), bytes), 'size', span);
    const text = symbol.name;
    f.check('array-length', within(bytes, 0n, mostAddressBytes(f.model)), span, { text, ifUnchecked: 'assume' });
    f.check('object-size', within(bytes, 0n, mostObjectBytes(f.model)), span, { text, ifUnchecked: 'assume' });
  }
  let block = f.stackBlocks.get(symbol);
  if (!block) f.stackBlocks.set(symbol, (block = { kind: 'stack-block', pointer: home }));
  f.emit(
    { kind: 'allocate', target: home, size: convert(bytes, uint64), zeroed: false, mayFail: false, automatic: true },
    span,
  );
  f.nowSet(home, span);
  if (!f.active.includes(block)) f.active.push(block);
}

/** `alloca`. In a loop the number of blocks is unknown, so they are chained. */
export function allocateOnStack(f: FunctionLowering, size: Expression, span: Span): Expression {
  const block = f.temporary(pointer, 'alloca');
  f.check('object-size', atMost(size, integer(mostObjectBytes(f.model), uint64)), span, { ifUnchecked: 'assume' });
  f.emit({ kind: 'allocate', target: block, size, zeroed: false, mayFail: false, automatic: true }, span);
  const repeats = f.openLoops > 0 || f.labels.size > 0 || f.jumps.length > 0;
  if (repeats) chain(f, block, span);
  else f.stackAllocations.push(block);
  return read(block);
}

/** A cell holds a block and the cell before it, in 8 bytes each. */
function chain(f: FunctionLowering, block: Variable, span: Span): void {
  const first = (f.stackChain ??= f.temporary(pointer, 'blocks'));
  const cell = f.temporary(pointer, 'cell');
  f.emit(
    { kind: 'allocate', target: cell, size: integer(16, uint64), zeroed: false, mayFail: false, automatic: true },
    span,
  );
  f.emit({ kind: 'store', address: read(cell), type: pointer, value: read(block) }, span);
  f.emit({ kind: 'store', address: offset(read(cell), integer(8, int64)), type: pointer, value: read(first) }, span);
  f.emit({ kind: 'assign', target: first, value: read(cell) }, span);
}

/** Called in the epilogue. */
export function freeStackBlocks(f: FunctionLowering, span: Span): void {
  for (const block of f.stackAllocations) f.emit({ kind: 'free', pointer: read(block) }, span);
  const first = f.stackChain;
  if (!first) return;
  const [head, body, after] = [f.draft.location(span), f.draft.location(span), f.draft.location(span)];
  f.draft.goTo(head, span);
  f.draft.edge(head, { kind: 'assume', condition: notEqual(read(first), nullPointer) }, body, span);
  f.draft.edge(head, { kind: 'assume', condition: equal(read(first), nullPointer) }, after, span);
  f.draft.startAt(body);
  const cell = f.temporary(pointer, 'cell');
  f.emit({ kind: 'assign', target: cell, value: read(first) }, span);
  f.emit({ kind: 'assign', target: first, value: load(pointer, offset(read(cell), integer(8, int64))) }, span);
  f.emit({ kind: 'free', pointer: load(pointer, read(cell)) }, span);
  f.emit({ kind: 'free', pointer: read(cell) }, span);
  f.draft.goTo(head, span);
  f.draft.startAt(after);
}
