/**
 * The allocator and the functions that move bytes. A product that overflows in `calloc` requests an impossible size,
 * which gives null. `realloc` makes a new object, copies the common part and frees the old one. With size 0 it only
 * frees, like glibc's.
 */
import type { Span } from '../../../c/source';
import {
  and,
  atMost,
  binary,
  compare,
  conditional,
  convert,
  equal,
  integer,
  isConstant,
  isHeap,
  isLive,
  isNonNull,
  isWritable,
  maximum,
  notEqual,
  nullPointer,
  objectOf,
  objectSize,
  offset,
  offsetOf,
  or,
  read,
  yes,
  zero,
} from '../../build';
import { int32, int64, pointer, uint64, uint8, type Expression } from '../../expression';
import type { Want } from '../calls/call';
import { branch, sourceText, type FunctionLowering } from '../context';
import { drawLoop } from '../drawLoop';
import { mostAddressBytes, mostObjectBytes, sizeType } from './layout';

/**
 * `size` is a uint64. With 32-bit pointers the model has no room for most blocks that a machine has. Nothing is known
 * of a program that asks for one. A size that no machine can have gives null, and so does one of 2 GiB or more with
 * 64-bit pointers, which verdicts list as an assumption.
 */
function checkSize(f: FunctionLowering, size: Expression, span: Span): void {
  if (f.model === 'lp64') return;
  const modelled = atMost(size, integer(mostObjectBytes(f.model), uint64));
  const impossible = compare('lt', integer(mostAddressBytes(f.model), uint64), size);
  f.check('object-size', or(modelled, impossible), span, { ifUnchecked: 'assume' });
}

/** `size` is a uint64. */
export function allocate(
  f: FunctionLowering,
  size: Expression,
  contents: 'zeros' | 'indeterminate',
  want: Want,
  span: Span,
): Expression {
  const zeroed = contents === 'zeros';
  const target =
    want !== 'value' && want !== 'nothing' && want.type.kind === 'pointer' ? want : f.temporary(pointer, 'block');
  checkSize(f, size, span);
  f.emit({ kind: 'allocate', target, size, zeroed, mayFail: f.program.options.mallocMayFail ?? false }, span);
  countBlock(f, read(target), 'add', span);
  return read(target);
}

/** Null does not count as a block. */
function countBlock(f: FunctionLowering, block: Expression, operator: 'add' | 'subtract', span: Span): void {
  const { liveBlocks } = f.program;
  if (!liveBlocks) return;
  f.emit(
    {
      kind: 'assign',
      target: liveBlocks,
      value: binary(operator, read(liveBlocks), convert(notEqual(block, nullPointer), int32)),
    },
    span,
  );
}

/** Called at the end of the program. */
export function checkLeaks(f: FunctionLowering, span: Span): void {
  const { liveBlocks } = f.program;
  if (liveBlocks)
    f.check('leak', equal(read(liveBlocks), integer(0, int32)), span, {
      text: 'every allocated block is freed',
      ifUnchecked: 'ignore',
    });
}

/** The product, or the maximum of the size type if it overflows. */
export function product(f: FunctionLowering, count: Expression, size: Expression): Expression {
  const type = sizeType(f.model);
  const [n, m] = [convert(count, type), convert(size, type)];
  const most = integer(maximum(type), type);
  const [x, y] = isConstant(m) ? [n, m] : [m, n];
  const overflows = and(notEqual(y, zero(type)), compare('lt', binary('divide', most, y), x));
  return convert(conditional(overflows, most, binary('multiply', n, m)), uint64);
}

/** Null, or the beginning of a live block from the allocator. */
function checkFreeable(f: FunctionLowering, block: Expression, span: Span, text: string): void {
  const begins = and(isLive(block), isHeap(block), equal(offsetOf(block), integer(0, int64)));
  f.check('invalid-free', or(equal(block, nullPointer), begins), span, { text, ifUnchecked: 'assume' });
}

export function reallocate(f: FunctionLowering, old: Expression, size: Expression, span: Span): Expression {
  const block = f.nameValue(old, 'pointer', span);
  const bytes = f.nameValue(size, 'size', span);
  checkFreeable(f, block, span, sourceText(span));
  const made = f.temporary(pointer, 'block');
  const [moves, after] = [f.draft.location(span), f.draft.location(span)];
  const onlyFrees = and(notEqual(block, nullPointer), equal(bytes, integer(0, uint64)));
  if (!isConstant(onlyFrees, 0)) {
    f.program.choose('realloc', span);
    const [frees, allocates] = [f.draft.location(span), f.draft.location(span)];
    branch(f, onlyFrees, frees, allocates, span);
    f.draft.startAt(frees);
    f.emit({ kind: 'free', pointer: block }, span);
    countBlock(f, block, 'subtract', span);
    f.assign(made, nullPointer, span);
    f.draft.goTo(after, span);
    f.draft.startAt(allocates);
  }
  checkSize(f, bytes, span);
  f.emit(
    { kind: 'allocate', target: made, size: bytes, zeroed: false, mayFail: f.program.options.mallocMayFail ?? false },
    span,
  );
  countBlock(f, read(made), 'add', span);
  const succeeded = notEqual(read(made), nullPointer);
  f.draft.edge(f.draft.current, { kind: 'assume', condition: succeeded }, moves, span);
  f.draft.edge(f.draft.current, { kind: 'assume', condition: equal(read(made), nullPointer) }, after, span);
  f.draft.startAt(moves);
  const [before, now] = [objectSize(block), convert(bytes, int64)];
  // The new block exists, so its size is small and not negative as an int64.
  const copied = f.nameValue(conditional(compare('lt', before, now), before, now), 'copied', span);
  f.emit({ kind: 'copy', target: read(made), source: block, size: copied }, span);
  f.emit({ kind: 'free', pointer: block }, span);
  countBlock(f, block, 'subtract', span);
  f.draft.goTo(after, span);
  f.draft.startAt(after);
  return read(made);
}

export function release(f: FunctionLowering, p: Expression, span: Span, text: string): void {
  const block = f.nameValue(p, 'pointer', span);
  checkFreeable(f, block, span, text);
  f.emit({ kind: 'free', pointer: block }, span);
  countBlock(f, block, 'subtract', span);
}

/** `memcpy` and `memmove`: overlapping ranges are moved. `texts` are those of the arguments, for messages. */
export function copyBytes(
  f: FunctionLowering,
  to: Expression,
  from: Expression,
  count: Expression,
  {
    texts,
    mayOverlap,
    ofCharacters = false,
  }: { readonly texts: readonly [string, string]; readonly mayOverlap: boolean; readonly ofCharacters?: boolean },
  span: Span,
): Expression {
  const [target, source, size] = [
    f.nameValue(to, 'target', span),
    f.nameValue(from, 'source', span),
    f.nameValue(convert(count, int64), 'size', span),
  ];
  checkRange(f, target, size, 'write', span, texts[0]);
  checkRange(f, source, size, 'read', span, texts[1]);
  const isApart =
    !mayOverlap &&
    !isConstant(size, 0) &&
    f.check('overlapping-copy', apart(target, size, source, size), span, {
      text: sourceText(span),
      ifUnchecked: 'ignore',
    });
  const isKnown = size.kind === 'integer';
  if (isConstant(size, 0)) return target;
  // A copy that overlaps moves the bytes, and a loop does not.
  if (ofCharacters && isApart && !isKnown && f.program.options.copiesAllBut) {
    copyCharacters(f, target, source, size, span);
  } else {
    f.emit({ kind: 'copy', target, source, size }, span);
  }
  return target;
}

/**
 * A copy of characters as a loop, of which invariants tell what is copied and what is kept. The two objects stay apart:
 * one command for both would put all their contents into one region.
 */
function copyCharacters(
  f: FunctionLowering,
  target: Expression,
  source: Expression,
  size: Expression,
  span: Span,
): void {
  const at = f.temporary(int64, 'copied');
  f.assign(at, integer(0, int64), span);
  drawLoop(f, span, (leave) => {
    const more = f.draft.location(span);
    branch(f, compare('lt', read(at), size), more, leave(), span);
    f.draft.startAt(more);
    const [to, from] = [offset(target, read(at)), offset(source, read(at))];
    // As a byte that is copied, which may be one that nobody wrote.
    f.emit({ kind: 'copy', target: to, source: from, size: integer(1, int64) }, span);
    f.assign(at, binary('add', read(at), integer(1, int64)), span);
  });
}

/**
 * Two ranges inside their objects do not overlap. Either one is empty, or they lie in two objects, or one follows the
 * other. They may also begin at the same place, which compilers rely on for `a = a`.
 */
function apart(a: Expression, sizeOfA: Expression, b: Expression, sizeOfB: Expression): Expression {
  return or(equal(offsetOf(a), offsetOf(b)), disjoint(a, sizeOfA, b, sizeOfB));
}

/** As `apart`, and no byte is in both. */
function disjoint(a: Expression, sizeOfA: Expression, b: Expression, sizeOfB: Expression): Expression {
  const [from, to] = [offsetOf(a), offsetOf(b)];
  const empty = sizeOfA === sizeOfB ? [sizeOfA] : [sizeOfA, sizeOfB];
  return or(
    ...empty.map((size) => equal(size, integer(0, int64))),
    notEqual(objectOf(a), objectOf(b)),
    atMost(binary('add', from, sizeOfA), to),
    atMost(binary('add', to, sizeOfB), from),
  );
}

/**
 * Checks the two ranges of a copy, both inside their objects, for overlap. `copied`: what is written is the same, so
 * that both may begin at the same place.
 */
export function checkApart(
  f: FunctionLowering,
  to: Expression,
  written: Expression,
  from: Expression,
  taken: Expression,
  text: string,
  span: Span,
  content: 'copied' | 'other' = 'copied',
): void {
  const [target, source] = [f.nameValue(to, 'target', span), f.nameValue(from, 'source', span)];
  const [size, sizeOfSource] = [
    f.nameValue(convert(written, int64), 'size', span),
    f.nameValue(convert(taken, int64), 'size', span),
  ];
  const condition = (content === 'copied' ? apart : disjoint)(target, size, source, sizeOfSource);
  f.check('overlapping-copy', condition, span, { text, ifUnchecked: 'ignore' });
}

export function fillBytes(
  f: FunctionLowering,
  to: Expression,
  byte: Expression,
  count: Expression,
  text: string,
  span: Span,
): Expression {
  const [target, size] = [f.nameValue(to, 'target', span), f.nameValue(convert(count, int64), 'size', span)];
  checkRange(f, target, size, 'write', span, text);
  if (!isConstant(size, 0)) f.emit({ kind: 'fill', target, byte: convert(byte, uint8), size }, span);
  return target;
}

export function checkBytes(
  f: FunctionLowering,
  p: Expression,
  count: Expression,
  access: 'read' | 'write',
  text: string,
  span: Span,
): void {
  checkRange(f, f.nameValue(p, 'bytes', span), f.nameValue(convert(count, int64), 'size', span), access, span, text);
}

/** [pointer, pointer + size) is accessible. A range of 0 bytes may be anywhere. */
function checkRange(
  f: FunctionLowering,
  p: Expression,
  size: Expression,
  access: 'read' | 'write',
  span: Span,
  text: string,
): void {
  const nothing = integer(0, int64);
  const empty = equal(size, nothing);
  f.check('null-dereference', or(empty, isNonNull(p)), span, { text, ifUnchecked: 'assume' });
  const start = offsetOf(p);
  const named = p.kind === 'address' || (p.kind === 'offset' && p.pointer.kind === 'address');
  const inside = and(
    named ? yes : isLive(p),
    atMost(nothing, start),
    atMost(nothing, size),
    atMost(size, binary('subtract', objectSize(p), start)),
  );
  f.check('dereference', or(empty, inside), span, { text, ifUnchecked: 'assume' });
  if (access === 'write') f.check('read-only', or(empty, isWritable(p)), span, { text, ifUnchecked: 'assume' });
}
