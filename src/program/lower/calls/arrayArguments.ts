/**
 * Lengths that types of arrays ask for. An argument for a parameter `a[static n]` is a pointer to the first of at least
 * `n` elements (C11 6.7.6.3p7), and arrays of compatible types have the same length. A parameter's length may name
 * other parameters, whose values are those that the call passes.
 */
import { evaluateConstant } from '../../../c/constant';
import type { TypedExpression as Tree, VariableSymbol } from '../../../c/tree';
import type { Span } from '../../../c/source';
import { knownLength, lengthPairs } from '../../../c/typeRelations';
import type { CType, FunctionType } from '../../../c/types';
import {
  and,
  atMost,
  binary,
  convert,
  equal,
  integer,
  isConstant,
  isLive,
  isNonNull,
  no,
  objectSize,
  offsetOf,
  read,
} from '../../build';
import { int64, type Expression, type Variable } from '../../expression';
import { sourceText, type FunctionLowering } from '../context';
import { isAggregate, mostObjectBytes, scalarOf, sizeOf } from '../objects/layout';
import { lowerValue } from '../value';
import { walkExpression } from '../walk';

/** `types`: those of the declaration and of the definition. `values`: the arguments, not yet converted. */
export function checkArrayArguments(
  f: FunctionLowering,
  types: readonly FunctionType[],
  values: readonly Expression[],
  trees: readonly Tree[],
): void {
  for (const type of new Set(types)) {
    type.parameters.forEach(({ type: wanted, leastLength, elementLengths = [], namesBefore = [] }, i) => {
      const [value, tree] = [values[i], trees[i]];
      if (tree && !leastLength) checkRows(f, namesBefore, elementLengths, values, tree);
      if (!leastLength || !value || !tree || wanted.kind !== 'pointer' || value.type.kind !== 'pointer') return;
      const length = lengthOf(f, namesBefore, leastLength, values);
      const rows = elementLengths.map((one) => lengthOf(f, namesBefore, one, values));
      const base = elementLengths.reduce((of) => (of.kind === 'array' ? of.of : of), wanted.to);
      if (!length || rows.some((one) => one === undefined)) return;
      const pointer = f.nameValue(value, 'argument', tree.span);
      const lengths = [length, ...rows.flatMap((one) => one ?? [])];
      const enough =
        rows.length === 0 && isShorter(tree, length)
          ? no
          : and(
              isNonNull(pointer),
              isLive(pointer),
              atMost(integer(0, int64), offsetOf(pointer)),
              ...hasElements(f, pointer, lengths, sizeOf(base, f.model)),
            );
      f.check('array-argument', enough, tree.span, {
        text: sourceText(tree.span),
        ifUnchecked: 'ignore',
      });
    });
  }
}

/** Arrays of compatible types have equal lengths (C11 6.7.6.2p6), and so have their elements. */
export function checkLengths(f: FunctionLowering, from: CType, to: CType, span: Span): void {
  for (const [x, y] of lengthPairs(from, to)) if (x !== y) checkEqual(f, valueOf(f, x), valueOf(f, y), span);
}

function checkEqual(f: FunctionLowering, x: Expression, y: Expression, span: Span): void {
  f.check('array-argument', equal(x, y), span, { text: sourceText(span), ifUnchecked: 'ignore' });
}

/** As an int64. */
function valueOf(f: FunctionLowering, length: number | VariableSymbol): Expression {
  if (typeof length === 'number') return integer(length, int64);
  const home = f.homeOf(length);
  if (home.kind !== 'variable') throw new Error('the length of an array is a variable of its own');
  return convert(read(home), int64);
}

/** The elements of a parameter are arrays whose lengths name other parameters, as in `int a[n][n]`. */
function checkRows(
  f: FunctionLowering,
  namesBefore: readonly (string | undefined)[],
  elementLengths: readonly Tree[],
  values: readonly Expression[],
  tree: Tree,
): void {
  let given = tree.type.kind === 'pointer' ? tree.type.to : undefined;
  for (const length of elementLengths.toReversed()) {
    if (given?.kind !== 'array') return;
    const passed = knownLength(given);
    const asked = passed === undefined ? undefined : lengthOf(f, namesBefore, length, values);
    if (asked && passed !== undefined) checkEqual(f, asked, valueOf(f, passed), tree.span);
    given = given.of;
  }
}

/** The least length, as an int64. Undefined if it depends on something that the call does not pass. */
function lengthOf(
  f: FunctionLowering,
  namesBefore: readonly (string | undefined)[],
  length: Tree,
  values: readonly Expression[],
): Expression | undefined {
  const constant = evaluateConstant(length, { model: f.model });
  if (constant?.kind === 'integer') return integer(constant.value, int64);
  const symbols = new Set<VariableSymbol>();
  walkExpression(length, {
    expression: (e) => {
      if (e.kind === 'variable' && e.symbol.storage === 'parameter') symbols.add(e.symbol);
    },
  });
  const passed = new Map<VariableSymbol, Variable>();
  for (const symbol of symbols) {
    const value = values[namesBefore.indexOf(symbol.name)];
    if (!value || isAggregate(symbol.type)) return undefined;
    const home = f.temporary(scalarOf(symbol.type), symbol.name);
    f.emit({ kind: 'assign', target: home, value: convert(value, home.type) }, length.span);
    passed.set(symbol, home);
  }
  // In a recursive call the function's own parameters have other values.
  const own = [...passed].map(([symbol, home]) => {
    const before = f.homes.get(symbol);
    f.homes.set(symbol, home);
    return { symbol, before };
  });
  const first = f.accesses.length;
  const result = f.nameValue(convert(lowerValue(f, length), int64), 'length', length.span);
  f.accesses.length = first;
  for (const { symbol, before } of own)
    if (before) f.homes.set(symbol, before);
    else f.homes.delete(symbol);
  return result;
}

/** The argument is an array by name, as a member may be, and declared with fewer elements. */
function isShorter(tree: Tree, length: Expression): boolean {
  if (tree.kind === 'convert') return isShorter(tree.operand, length);
  if (tree.kind !== 'decay' || tree.lvalue.type.kind !== 'array' || !isConstant(length)) return false;
  const declared = tree.lvalue.type.length;
  // A last member with at most one element may be longer than it is declared.
  return declared !== undefined && declared > 1 && BigInt(declared) < length.value;
}

/** Each length is positive, and as many bytes as all of them make together lie behind the pointer. */
function hasElements(
  f: FunctionLowering,
  pointer: Expression,
  lengths: readonly Expression[],
  elementBytes: number,
): Expression[] {
  const most = integer(mostObjectBytes(f.model), int64);
  let bytes: Expression = integer(elementBytes, int64);
  const conditions = lengths.flatMap((length, i) => {
    bytes = binary('multiply', length, bytes);
    const isPart = i < lengths.length - 1;
    return [atMost(length, most), atMost(integer(1, int64), length), ...(isPart ? [atMost(bytes, most)] : [])];
  });
  return [...conditions, atMost(offsetOf(pointer), binary('subtract', objectSize(pointer), bytes))];
}
