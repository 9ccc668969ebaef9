/**
 * Functions of the library on texts in arrays by name, `strcpy(t->name, text)`, `strlen(t->name)`: drawn where the call
 * is, character by character, with a check of each index against the length of the array. The array is what C's library
 * is given (C11 7.24.1p1, 7.1.4p1), so a copy that only leaves the member is a failure, as it is to compilers that
 * fortify their library. Called as a function, the library would go to a place that nothing is known of, and every
 * member beside the array might be meant: no proof would follow the links of a list whose nodes have a name.
 *
 * Law: without a failing check the result, and the memory afterwards, are those of the library's own text
 * (`library/string`).
 */
import type { Span } from '../../../c/source';
import type { TypedExpression as Tree } from '../../../c/tree';
import type { CType } from '../../../c/types';
import { and, binary, convert, equal, integer, less, not, read, zero } from '../../build';
import { int32, int8, pointer, uint64, uint8, type Expression, type Variable } from '../../expression';
import { operands } from '../../traverse';
import { branch, sourceText, type FunctionLowering } from '../context';
import { advance, checkAccess, loadAt, lowerPointer, pointerAddress, pointerOf } from '../objects/address';
import type { LvalueAddress } from '../objects/address';
import { checkApart } from '../objects/allocation';
import { drawLoop } from '../drawLoop';
import { settle } from '../order/accesses';
import { lowerValue } from '../value';
import { walkExpression } from '../walk';

type Call = Extract<Tree, { kind: 'call' }>;

const character: CType = { kind: 'integer', name: 'char', widthBits: 8, signed: true };
const pointerType: CType = { kind: 'pointer', to: character };

/** Characters from `start` on, which are counted while a loop runs: no command of it changes the address. */
interface Text {
  readonly start: LvalueAddress;
  readonly span: Span;
}

/** Texts that the functions take first; the others also take a number. */
const texts: Readonly<
  Record<string, { readonly texts: 1 | 2; readonly isCounted: boolean; readonly writes: boolean }>
> = {
  strlen: { texts: 1, isCounted: false, writes: false },
  strcmp: { texts: 2, isCounted: false, writes: false },
  strncmp: { texts: 2, isCounted: true, writes: false },
  strcpy: { texts: 2, isCounted: false, writes: true },
  strncpy: { texts: 2, isCounted: true, writes: true },
};

/** The result; undefined where the call is drawn as any other. */
export function boundedText(f: FunctionLowering, e: Call, name: string): Expression | undefined {
  const kind = Object.hasOwn(texts, name) ? texts[name]! : undefined;
  if (!kind || e.arguments.length !== kind.texts + (kind.isCounted ? 1 : 0)) return undefined;
  const given = e.arguments.slice(0, kind.texts);
  if (!(kind.writes ? given.slice(0, 1) : given).some(isArrayByName)) return undefined;
  if (!e.arguments.every(changesNothing)) return undefined;
  const first = f.accesses.length;
  const [one, other] = given.map((tree) => textOf(f, tree));
  const most = e.arguments[kind.texts];
  const count = most && steady(f, convert(lowerValue(f, most), uint64), 'count', most.span);
  settle(f.accesses.slice(first));
  return f.asOneCall(() => {
    if (!other) return lengthOf(f, one!, e.span);
    if (!kind.writes) return difference(f, one!, other, count, e.span);
    if (count) copyAtMost(f, one!, other, count, e.span);
    else copy(f, one!, other, e.span);
    return pointerOf(one!.start);
  });
}

function lengthOf(f: FunctionLowering, text: Text, span: Span): Expression {
  const at = counter(f, 'length', span);
  drawLoop(f, span, (leave) => {
    const more = f.draft.location(span);
    branch(f, equal(characterAt(f, text, at), zero(int8)), leave(), more, span);
    f.draft.startAt(more);
    increment(f, at, span);
  });
  return read(at);
}

/** The difference of the first characters that differ, or of the last ones compared, as unsigned ones (C11 7.24.4). */
function difference(
  f: FunctionLowering,
  left: Text,
  right: Text,
  count: Expression | undefined,
  span: Span,
): Expression {
  const at = counter(f, 'compared', span);
  const result = f.temporary(int32, 'difference');
  f.assign(result, zero(int32), span);
  drawLoop(f, span, (leave) => {
    if (count) {
      const within = f.draft.location(span);
      branch(f, less(read(at), count), within, leave(), span);
      f.draft.startAt(within);
    }
    const [a, b] = [characterAt(f, left, at), characterAt(f, right, at)];
    const wide = (byte: Expression): Expression => convert(convert(byte, uint8), int32);
    f.assign(result, binary('subtract', wide(a), wide(b)), span);
    const more = f.draft.location(span);
    branch(f, and(equal(a, b), not(equal(a, zero(int8)))), more, leave(), span);
    f.draft.startAt(more);
    increment(f, at, span);
  });
  return read(result);
}

/** The characters before the first 0, and that. */
function copy(f: FunctionLowering, target: Text, source: Text, span: Span): void {
  const at = counter(f, 'copied', span);
  drawLoop(f, span, (leave) => {
    const byte = characterAt(f, source, at);
    write(f, target, at, byte);
    const more = f.draft.location(span);
    branch(f, equal(byte, zero(int8)), leave(), more, span);
    f.draft.startAt(more);
    increment(f, at, span);
  });
  const bytes = binary('add', read(at), integer(1, uint64));
  checkApart(f, pointerOf(target.start), bytes, pointerOf(source.start), bytes, sourceText(span), span);
}

/** At most `count` characters, and zeros up to there. */
function copyAtMost(f: FunctionLowering, target: Text, source: Text, count: Expression, span: Span): void {
  const at = counter(f, 'copied', span);
  const whileLess = (leave: () => FunctionLowering['epilogue']): void => {
    const within = f.draft.location(span);
    branch(f, less(read(at), count), within, leave(), span);
    f.draft.startAt(within);
  };
  drawLoop(f, span, (leave) => {
    whileLess(leave);
    const byte = characterAt(f, source, at);
    const more = f.draft.location(span);
    branch(f, equal(byte, zero(int8)), leave(), more, span);
    f.draft.startAt(more);
    write(f, target, at, byte);
    increment(f, at, span);
  });
  const length = f.temporary(uint64, 'length');
  f.assign(length, read(at), span);
  drawLoop(f, span, (leave) => {
    whileLess(leave);
    write(f, target, at, zero(int8));
    increment(f, at, span);
  });
  const taken = binary('add', read(length), convert(less(read(length), count), uint64));
  checkApart(f, pointerOf(target.start), count, pointerOf(source.start), taken, sourceText(span), span);
}

function counter(f: FunctionLowering, name: string, span: Span): Variable {
  const at = f.temporary(uint64, name);
  f.assign(at, zero(uint64), span);
  return at;
}

const increment = (f: FunctionLowering, at: Variable, span: Span): void =>
  f.assign(at, binary('add', read(at), integer(1, uint64)), span);

function element(f: FunctionLowering, { start, span }: Text, at: Variable): LvalueAddress {
  const step = { type: pointerType, subtract: false, text: `${sourceText(span)}[…]` };
  return advance(f, start, read(at), step, 'exact', span);
}

function characterAt(f: FunctionLowering, text: Text, at: Variable): Expression {
  const place = checkAccess(f, element(f, text, at), 1, 'read', text.span);
  const byte = f.temporary(int8, 'character');
  f.assign(byte, loadAt(place, character), text.span);
  return read(byte);
}

function write(f: FunctionLowering, text: Text, at: Variable, value: Expression): void {
  const place = checkAccess(f, element(f, text, at), 1, 'write', text.span);
  f.emit({ kind: 'store', address: pointerOf(place), type: int8, value }, text.span);
}

/** An array by name with its length, or whatever a pointer leads to. */
function textOf(f: FunctionLowering, tree: Tree): Text {
  if (isArrayByName(tree)) {
    const start = lowerPointer(f, tree, 'value');
    if ([start.base, start.delta].every(isSteady)) return { start, span: tree.span };
    const base = steady(f, start.base, 'array', tree.span);
    return { start: { ...start, base, delta: steady(f, start.delta, 'distance', tree.span) }, span: tree.span };
  }
  const value = steady(f, lowerValue(f, tree), 'text', tree.span);
  return { start: pointerAddress(value, sourceText(tree.span)), span: tree.span };
}

/** An array of characters, as long as its type says, that stands there by its name: a variable or a member. */
function isArrayByName(e: Tree): boolean {
  if (e.kind === 'convert' && e.operand.kind !== 'convert') return isArrayByName(e.operand);
  if (e.kind !== 'decay' || e.lvalue.type.kind !== 'array' || e.lvalue.kind === 'string') return false;
  const { of, length } = e.lvalue.type;
  return of.kind === 'integer' && of.name === 'char' && length !== undefined && length > 1;
}

const withoutEffects: ReadonlySet<Tree['kind']> = new Set([
  'integer',
  'string',
  'variable',
  'dereference',
  'member',
  'load',
  'decay',
  'address-of',
  'convert',
  'unary',
  'arithmetic',
  'relational',
  'pointer-add',
] as const);

/** Evaluation has no effects: the operands may be drawn in any order. */
function changesNothing(e: Tree): boolean {
  let isPure = true;
  walkExpression(e, { expression: ({ kind }) => (isPure &&= withoutEffects.has(kind)) });
  return isPure;
}

/** Nothing that a loop writes to memory can change it. */
const isSteady = (e: Expression): boolean => e.kind !== 'load' && operands(e).every(isSteady);

function steady(f: FunctionLowering, e: Expression, name: string, span: Span): Expression {
  if (isSteady(e)) return e;
  const variable = f.temporary(e.type.kind === 'pointer' ? pointer : e.type, name);
  f.assign(variable, e, span);
  return read(variable);
}
