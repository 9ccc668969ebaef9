/**
 * Values as Z3 prints them: words, integers, arrays as `store`s over a constant or as a `lambda` of tests against literals. What is not
 * understood is undefined, never guessed.
 */
import { arrayValue, writeArray } from '../logic/arrayValue';
import type { ArraySort, Sort, Value } from '../logic/term';
import type { SExpression } from './sexpression';

type Bindings = ReadonlyMap<string, SExpression>;

/** The value of `expression` at `sort`; integers stand for words modulo their size. */
export function parseValue(expression: SExpression, sort: Sort, bindings: Bindings = new Map()): Value | undefined {
  if (typeof expression === 'string') {
    const bound = bindings.get(expression);
    if (bound !== undefined) return parseValue(bound, sort, bindings);
  } else if (expression[0] === 'let') {
    const inner = new Map(bindings);
    for (const binding of expression[1] as readonly SExpression[]) inner.set(binding[0] as string, binding[1]!);
    return parseValue(expression[2]!, sort, inner);
  }
  switch (sort.kind) {
    case 'boolean': return expression === 'true' ? true : expression === 'false' ? false : undefined;
    case 'bits': {
      const number = parseNumber(expression);
      return number === undefined ? undefined : BigInt.asUintN(sort.width, number);
    }
    case 'array': return parseArray(expression, sort, bindings);
  }
}

function parseNumber(expression: SExpression): bigint | undefined {
  if (typeof expression === 'string') {
    if (/^#x[0-9a-f]+$/i.test(expression)) return BigInt(`0x${expression.slice(2)}`);
    if (/^#b[01]+$/.test(expression)) return BigInt(`0b${expression.slice(2)}`);
    return /^\d+$/.test(expression) ? BigInt(expression) : undefined;
  }
  const [head, argument] = expression;
  if (head === '-' && expression.length === 2) {
    const positive = parseNumber(argument!);
    return positive === undefined ? undefined : -positive;
  }
  if (head === '_' && typeof argument === 'string' && /^bv\d+$/.test(argument)) return BigInt(argument.slice(2));
  return undefined;
}

function parseArray(expression: SExpression, sort: ArraySort, bindings: Bindings): Value | undefined {
  const writes: { index: SExpression; value: SExpression }[] = [];
  let at = expression;
  for (;;) {
    if (typeof at === 'string') {
      const bound = bindings.get(at);
      if (bound === undefined) return undefined;
      at = bound;
    } else if (at[0] === 'store' && at.length === 4) {
      writes.push({ index: at[2]!, value: at[3]! });
      at = at[1]!;
    } else break;
  }
  let result: Value | undefined;
  if (Array.isArray(at[0]) && at[0][0] === 'as' && at[0][1] === 'const') {
    const value = parseValue(at[1]!, sort.element, bindings);
    result = value === undefined ? undefined : arrayValue(value, [], sort.element);
  } else if (at[0] === 'lambda' && (at[1] as readonly SExpression[]).length === 1) {
    result = parseTests(at[2]!, at[1]![0]![0] as string, sort, bindings);
  }
  for (const { index, value } of writes.reverse()) {
    const [i, v] = [inDomain(index, sort, bindings), parseValue(value, sort.element, bindings)];
    if (i === undefined || v === undefined || typeof result !== 'object') return undefined;
    if (i !== 'outside') result = writeArray(result, i, v, sort.element);
  }
  return result;
}

/** An integer that is no word in either reading is an index nobody can ask for. */
function inDomain(index: SExpression, sort: ArraySort, bindings: Bindings): bigint | 'outside' | undefined {
  const plain = typeof index === 'string' ? bindings.get(index) ?? index : index;
  const number = parseNumber(plain);
  if (number === undefined) return undefined;
  const { width } = sort.index;
  const inside = number < 1n << BigInt(width) && number >= -(1n << BigInt(width - 1));
  return inside ? BigInt.asUintN(width, number) : 'outside';
}

/** `(ite (= x literal) value rest)`, the tests also under `or`. */
function parseTests(body: SExpression, variable: string, sort: ArraySort, bindings: Bindings): Value | undefined {
  const found: (readonly [bigint, Value])[] = [];
  let at = body;
  while (typeof at !== 'string' && at[0] === 'ite') {
    const indices = testedIndices(at[1]!, variable, sort, bindings);
    const value = parseValue(at[2]!, sort.element, bindings);
    if (!indices || value === undefined) return undefined;
    for (const index of indices) found.push([index, value]);
    at = at[3]!;
  }
  const rest = parseValue(at, sort.element, bindings);
  return rest === undefined ? undefined : arrayValue(rest, found.reverse(), sort.element); // the first test wins
}

function testedIndices(test: SExpression, variable: string, sort: ArraySort, bindings: Bindings): bigint[] | undefined {
  if (typeof test === 'string') return undefined;
  if (test[0] === 'or') {
    const all = test.slice(1).map((t) => testedIndices(t, variable, sort, bindings));
    return all.includes(undefined) ? undefined : (all as bigint[][]).flat();
  }
  if (test[0] !== '=' || test.length !== 3) return undefined;
  const other = test[1] === variable ? test[2]! : test[2] === variable ? test[1]! : undefined;
  const index = other === undefined ? undefined : inDomain(other, sort, bindings);
  if (index === undefined) return undefined;
  return index === 'outside' ? [] : [index];
}
