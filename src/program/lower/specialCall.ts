/**
 * Calls of functions that the program does not define: those lowering knows the meaning of (see `special`), and the rest, which become
 * `external` commands. Arguments are values already.
 *
 * Allocation: a product that overflows in `calloc` asks for more than there can be, which gives null. `realloc` makes a new
 * object, copies what fits and frees the old one. Blocks of `alloca` are heap objects freed at the function's end.
 */
import type { Span } from '../../c/source';
import type { Expression as Tree } from '../../c/tree';
import { unreachable } from '../../unreachable';
import { and, atMost, binary, compare, conditional, convert, equal, integer, isConstant, isHeap, isLive, isNonNull, isWritable, maximum, no, notEqual, nullPointer, objectSize, offsetOf, or, read, sameScalar, truth, unary, yes, zero } from '../build';
import type { CheckKind } from '../command';
import type { Expression, IntegerScalar, Variable } from '../expression';
import { int32, int64, pointer, uint64, uint8 } from '../expression';
import type { UndefinedFunction } from '../link';
import { resultTarget, directCallee, type Want } from './call';
import { sourceText, type FunctionContext } from './context';
import { isAggregate, isBool, scalarOf, sizeType } from './layout';
import type { Special } from './special';
import { packArguments } from './variadic';

type Call = Extract<Tree, { kind: 'call' }>;

/** As shells report the end by SIGABRT. */
const abortStatus = 128 + 6;

/** What a call means to lowering, if anything. */
export function specialOfCall(f: FunctionContext, e: Call): Special | undefined {
  const symbol = directCallee(e);
  const target = symbol && f.program.functionOf(symbol);
  return target?.kind === 'undefined' && target.meaning.kind === 'special' ? target.meaning.special : undefined;
}

/** `trees` are the arguments' texts for messages; none when a pointer to the function was called. */
export function callUndefined(f: FunctionContext, fn: UndefinedFunction, values: readonly Expression[], trees: readonly Tree[], want: Want, span: Span): Expression | undefined {
  if (fn.meaning.kind !== 'special') return callExternal(f, fn, values, trees, want, span);
  const needed = argumentCount(fn.meaning.special.kind);
  if (values.length < needed) {
    f.unsupported(`${fn.name} takes ${needed} argument${needed === 1 ? '' : 's'}, not ${values.length}`, span);
    return fn.type.result.kind === 'void' ? undefined : zero(scalarOf(fn.type.result));
  }
  const result = callSpecial(f, fn, fn.meaning.special.kind, values, trees, want, span);
  if (want === 'nothing' || fn.type.result.kind === 'void') return undefined;
  const type = scalarOf(fn.type.result);
  return result ? convert(result, type) : zero(type);
}

function argumentCount(kind: Special['kind']): number {
  switch (kind) {
    case 'error': case 'nondet': case 'nothing': case 'abort': case 'unreachable': return 0;
    case 'assert': case 'assert-with-text': case 'assume': case 'exit': case 'malloc': case 'free': case 'alloca': case 'expect': return 1;
    case 'clz': case 'ctz': case 'popcount': case 'parity': case 'ffs': case 'clrsb': case 'bswap': return 1;
    case 'calloc': case 'realloc': case 'aligned_alloc': return 2;
    case 'memcpy': case 'memset': return 3;
    default: return unreachable(kind);
  }
}

function callSpecial(f: FunctionContext, fn: UndefinedFunction, kind: Special['kind'], values: readonly Expression[], trees: readonly Tree[], want: Want, span: Span): Expression | undefined {
  const [first, second, third] = values;
  const text = (i: number): string => sourceText(trees[i]?.span ?? span);
  switch (kind) {
    case 'assert': f.check('assertion', truth(first!), span, { text: text(0), whenOff: 'stop' }); return undefined;
    case 'assert-with-text': f.check('assertion', truth(first!), span, { text: stringText(trees[1]) ?? text(0), whenOff: 'stop' }); return undefined;
    case 'error': case 'unreachable': fail(f, 'unreachable', span); return undefined;
    case 'assume': if (!isConstant(truth(first!), 1)) f.emit({ kind: 'assume', condition: truth(first!) }, span); return undefined;
    case 'nondet': return lowerInput(f, fn, want, span);
    case 'nothing': return undefined;
    case 'exit': halt(f, convert(first!, int32), span); return undefined;
    case 'abort': halt(f, integer(abortStatus, int32), span); return undefined;
    case 'expect': return first;
    case 'malloc': return allocate(f, convert(first!, uint64), false, want, span);
    case 'aligned_alloc': return allocate(f, convert(second!, uint64), false, want, span);
    case 'calloc': return allocate(f, product(f, first!, second!), true, want, span);
    case 'alloca': {
      const block = f.temporary(pointer, 'alloca');
      f.stackAllocations.push(block);
      f.emit({ kind: 'allocate', target: block, size: convert(first!, uint64), zeroed: false, mayFail: false }, span);
      return read(block);
    }
    case 'realloc': return reallocate(f, first!, convert(second!, uint64), span);
    case 'free': {
      const block = f.named(first!, 'pointer', span);
      checkFreeable(f, block, span, text(0));
      f.emit({ kind: 'free', pointer: block }, span);
      return undefined;
    }
    case 'memcpy': {
      const [target, source, size] = [f.named(first!, 'target', span), f.named(second!, 'source', span), f.named(byteCount(third!), 'size', span)];
      checkRange(f, target, size, 'write', span, text(0));
      checkRange(f, source, size, 'read', span, text(1));
      if (!isConstant(size, 0)) f.emit({ kind: 'copy', target, source, size }, span);
      return target;
    }
    case 'memset': {
      const [target, size] = [f.named(first!, 'target', span), f.named(byteCount(third!), 'size', span)];
      checkRange(f, target, size, 'write', span, text(0));
      if (!isConstant(size, 0)) f.emit({ kind: 'fill', target, byte: convert(second!, uint8), size }, span);
      return target;
    }
    case 'clz': case 'ctz': case 'popcount': case 'parity': case 'ffs': case 'clrsb': case 'bswap': return bitFunction(f, kind, first!, span);
    default: return unreachable(kind);
  }
}

/** A check that fails whenever it is reached. Nothing comes after it. */
function fail(f: FunctionContext, check: CheckKind, span: Span): void {
  f.check(check, no, span, { whenOff: 'stop' });
  halt(f, undefined, span);
}

/** The execution ends here. */
export function halt(f: FunctionContext, status: Expression | undefined, span: Span): void {
  f.draft.edge(f.draft.current, { kind: 'halt', status }, f.draft.exit, span);
  f.draft.cut();
}

function lowerInput(f: FunctionContext, fn: UndefinedFunction, want: Want, span: Span): Expression | undefined {
  const { result } = fn.type;
  if (isAggregate(result)) {
    f.unsupported(`${fn.name} returns a structure; inputs are scalars`, span);
    return undefined;
  }
  const type = scalarOf(result);
  const target = want !== 'value' && want !== 'nothing' && sameScalar(want.type, type) && !isBool(result) ? want : f.temporary(type, fn.name);
  f.emit({ kind: 'input', target, name: fn.name }, span);
  return isBool(result) ? convert(notEqual(read(target), integer(0, uint8)), uint8) : read(target);
}

function allocate(f: FunctionContext, size: Expression, zeroed: boolean, want: Want, span: Span): Expression {
  const target = want !== 'value' && want !== 'nothing' && want.type.kind === 'pointer' ? want : f.temporary(pointer, 'block');
  f.emit({ kind: 'allocate', target, size, zeroed, mayFail: f.program.options.mallocMayFail ?? false }, span);
  return read(target);
}

/** The most the size type can say when the product is more than that. */
function product(f: FunctionContext, count: Expression, size: Expression): Expression {
  const type = sizeType(f.model);
  const [n, m] = [convert(count, type), convert(size, type)];
  const most = integer(maximum(type), type);
  const [x, y] = isConstant(m) ? [n, m] : [m, n];
  const overflows = and(notEqual(y, zero(type)), compare('lt', binary('divide', most, y), x));
  return convert(conditional(overflows, most, binary('multiply', n, m)), uint64);
}

function checkFreeable(f: FunctionContext, block: Expression, span: Span, text: string): void {
  const begins = and(isLive(block), isHeap(block), equal(offsetOf(block), integer(0, int64)));
  f.check('invalid-free', or(equal(block, nullPointer), begins), span, { text, whenOff: 'stop' });
}

function reallocate(f: FunctionContext, old: Expression, size: Expression, span: Span): Expression {
  const block = f.named(old, 'pointer', span);
  const bytes = f.named(size, 'size', span);
  checkFreeable(f, block, span, sourceText(span));
  const made: Variable = f.temporary(pointer, 'block');
  f.emit({ kind: 'allocate', target: made, size: bytes, zeroed: false, mayFail: f.program.options.mallocMayFail ?? false }, span);
  const [moves, after] = [f.draft.location(span), f.draft.location(span)];
  const succeeded = notEqual(read(made), nullPointer);
  f.draft.edge(f.draft.current, { kind: 'assume', condition: succeeded }, moves, span);
  f.draft.edge(f.draft.current, { kind: 'assume', condition: equal(read(made), nullPointer) }, after, span);
  f.draft.startAt(moves);
  const [before, now] = [objectSize(block), convert(bytes, int64)];
  // The new block exists, so its size is a small number and not negative as an int64.
  const copied = f.named(conditional(compare('lt', before, now), before, now), 'copied', span);
  f.emit({ kind: 'copy', target: read(made), source: block, size: copied }, span);
  f.emit({ kind: 'free', pointer: block }, span);
  f.draft.goTo(after, span);
  f.draft.startAt(after);
  return read(made);
}

const byteCount = (size: Expression): Expression => convert(size, int64);

/** [pointer, pointer + size) can be accessed; a range of no bytes can be anywhere. */
function checkRange(f: FunctionContext, p: Expression, size: Expression, access: 'read' | 'write', span: Span, text: string): void {
  const nothing = integer(0, int64);
  const empty = equal(size, nothing);
  f.check('null-dereference', or(empty, isNonNull(p)), span, { text, whenOff: 'stop' });
  const start = offsetOf(p);
  const named = p.kind === 'address' || (p.kind === 'offset' && p.pointer.kind === 'address');
  const inside = and(named ? yes : isLive(p), atMost(nothing, start), atMost(nothing, size), atMost(size, binary('subtract', objectSize(p), start)));
  f.check('dereference', or(empty, inside), span, { text, whenOff: 'stop' });
  if (access === 'write') f.check('read-only', or(empty, isWritable(p)), span, { text, whenOff: 'stop' });
}

/** GCC's bit counting, by population counts (Warren, Hacker's Delight, chapter 5). */
function bitFunction(f: FunctionContext, kind: 'clz' | 'ctz' | 'popcount' | 'parity' | 'ffs' | 'clrsb' | 'bswap', argument: Expression, span: Span): Expression {
  const width = (argument.type as IntegerScalar).widthBits;
  const type: IntegerScalar = { kind: 'integer', widthBits: width, signed: false };
  const constant = (value: bigint): Expression => integer(value, type);
  const named = (e: Expression): Expression => f.named(e, kind, span);
  const x = named(convert(argument, type));
  const right = (e: Expression, n: number): Expression => binary('shift-right', e, constant(BigInt(n)));
  const count = (value: Expression): Expression => {
    const all = (1n << BigInt(width)) - 1n;
    const pairs = named(binary('subtract', value, binary('and', right(value, 1), constant(all / 3n))));
    const fours = named(binary('add', binary('and', pairs, constant(all / 5n)), binary('and', right(pairs, 2), constant(all / 5n))));
    const bytes = named(binary('and', binary('add', fours, right(fours, 4)), constant(all / 17n)));
    return convert(right(binary('multiply', bytes, constant(all / 255n)), width - 8), int32);
  };
  const zeros = (value: Expression): Expression => {
    let filled = named(value);
    for (let n = 1; n < width; n *= 2) filled = named(binary('or', filled, right(filled, n)));
    return binary('subtract', integer(width, int32), count(filled));
  };
  const trailing = (): Expression => count(named(binary('subtract', binary('and', x, unary('negate', x)), constant(1n))));
  const notZero = (): void => f.check('shift', notEqual(x, constant(0n)), span, { whenOff: 'continue' });
  switch (kind) {
    case 'clz': notZero(); return zeros(x);
    case 'ctz': notZero(); return trailing();
    case 'popcount': return count(x);
    case 'parity': return binary('and', count(x), integer(1, int32));
    case 'ffs': return conditional(equal(x, constant(0n)), integer(0, int32), binary('add', trailing(), integer(1, int32)));
    case 'clrsb': {
      const signed = convert(x, { ...type, signed: true });
      const magnitude = conditional(compare('lt', signed, zero(signed.type)), unary('complement', x), x);
      return binary('subtract', zeros(magnitude), integer(1, int32));
    }
    case 'bswap': {
      let swapped: Expression = constant(0n);
      for (let byte = 0; byte < width; byte += 8) {
        const moved = binary('and', right(x, byte), constant(255n));
        swapped = binary('or', swapped, binary('shift-left', moved, constant(BigInt(width - 8 - byte))));
      }
      return swapped;
    }
    default: return unreachable(kind);
  }
}

function callExternal(f: FunctionContext, fn: UndefinedFunction, values: readonly Expression[], trees: readonly Tree[], want: Want, span: Span): Expression | undefined {
  const { type, name } = fn;
  if (isAggregate(type.result)) {
    f.unsupported(`${name} is not defined and returns a structure`, span, 'Define it in C.');
    return undefined;
  }
  const fixed = type.unprototyped ? values.length : type.parameters.length;
  const passed = [...values.slice(0, fixed)];
  if (type.variadic) {
    const rest = values.slice(fixed);
    // Without trees a pointer was called: its caller has packed them.
    passed.push(trees.length === 0 && rest.length > 0 ? rest[0]! : packArguments(f, name, rest.map((value, i) => ({ value, type: trees[fixed + i]!.type })), span));
  }
  const target = resultTarget(f, want, type.result, name);
  const resultType = type.result.kind === 'void' ? undefined : scalarOf(type.result);
  f.emit({ kind: 'external', target, name, arguments: passed, resultType }, span);
  if (fn.noreturn) halt(f, undefined, span);
  return target && read(target);
}

/** The text of a string literal argument. */
function stringText(tree: Tree | undefined): string | undefined {
  switch (tree?.kind) {
    case 'convert': return stringText(tree.operand);
    case 'decay': return stringText(tree.lvalue);
    case 'string': return Buffer.from(tree.bytes).toString('utf8').replace(/\0.*$/s, '');
    default: return undefined;
  }
}
