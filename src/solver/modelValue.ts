/**
 * Values as Z3 prints them: words, integers, arrays as `store`s over a constant or as a `lambda` of tests of its
 * variable. What is not understood is undefined, never guessed. A `lambda` that is not constant outside a few places is
 * cut down to finitely many; whether that is still a model is for the validation of models to say.
 */
import { arrayValue, writeArray } from '../logic/arrays/arrayValue';
import type { ArraySort, Sort, Value } from '../logic/term';
import type { SExpression } from './sexpression';

/** The integers that stand for words of a width when they index an array. */
export type IndexRange = (width: number) => { readonly low: bigint; readonly high: bigint };

const unsignedIndices: IndexRange = (width) => ({ low: 0n, high: (1n << BigInt(width)) - 1n });

/** The value of `expression` at `sort`; integers stand for words modulo their size. */
export function parseValue(
  expression: SExpression,
  sort: Sort,
  indices: IndexRange = unsignedIndices,
): Value | undefined {
  return new ValueReader(indices).value(expression, sort, new Map());
}

type Bindings = ReadonlyMap<string, SExpression | bigint>;
/** Regions of a `lambda` up to this size are listed in full. */
const listedRegion = 64n;

class ValueReader {
  constructor(private readonly indices: IndexRange) {}

  value(expression: SExpression, sort: Sort, bindings: Bindings): Value | undefined {
    if (Array.isArray(expression) && expression[0] === 'let')
      return this.value(expression[2]!, sort, extend(bindings, expression[1]!));
    if (sort.kind === 'array') return this.array(expression, sort, bindings);
    const computed = compute(expression, bindings);
    if (sort.kind === 'boolean') return typeof computed === 'boolean' ? computed : undefined;
    return typeof computed === 'bigint' ? BigInt.asUintN(sort.width, computed) : undefined;
  }

  private array(expression: SExpression, sort: ArraySort, bindings: Bindings): Value | undefined {
    const writes: { index: SExpression; value: SExpression }[] = [];
    let at: SExpression | bigint | undefined = expression;
    while (typeof at !== 'object' || at[0] === 'store') {
      if (typeof at === 'string') at = bindings.get(at);
      else if (typeof at === 'object' && at.length === 4) {
        writes.push({ index: at[2]!, value: at[3]! });
        at = at[1]!;
      } else return undefined;
    }
    let result = this.base(at, sort, bindings);
    const { low, high } = this.indices(sort.index.width);
    for (const { index, value } of writes.reverse()) {
      const [i, v] = [compute(index, bindings), this.value(value, sort.element, bindings)];
      if (typeof i !== 'bigint' || v === undefined || typeof result !== 'object') return undefined;
      if (i >= low && i <= high) result = writeArray(result, BigInt.asUintN(sort.index.width, i), v, sort.element);
    }
    return result;
  }

  private base(at: readonly SExpression[], sort: ArraySort, bindings: Bindings): Value | undefined {
    if (Array.isArray(at[0]) && at[0][0] === 'as' && at[0][1] === 'const') {
      const value = this.value(at[1]!, sort.element, bindings);
      return value === undefined ? undefined : arrayValue(value, [], sort.element);
    }
    if (at[0] === 'lambda' && (at[1] as readonly SExpression[]).length === 1)
      return this.piecewise(at[2]!, at[1]![0]![0] as string, sort, bindings);
    return undefined;
  }

  /** Between the numbers it mentions the body is constant; the widest stretch gives the default. */
  private piecewise(body: SExpression, variable: string, sort: ArraySort, bindings: Bindings): Value | undefined {
    const { low, high } = this.indices(sort.index.width);
    const half = 1n << BigInt(sort.index.width - 1);
    const cuts = new Set([low, half, high + 1n]);
    for (const number of numbersIn(body, bindings))
      for (const cut of [number, number + 1n]) if (cut > low && cut <= high) cuts.add(cut);
    const starts = [...cuts].filter((cut) => cut >= low && cut <= high + 1n).sort((a, b) => (a < b ? -1 : 1));
    const regions: { start: bigint; end: bigint; value: Value }[] = [];
    for (let i = 0; i + 1 < starts.length; i++) {
      const value = this.value(body, sort.element, new Map([...bindings, [variable, starts[i]!]]));
      if (value === undefined) return undefined;
      regions.push({ start: starts[i]!, end: starts[i + 1]! - 1n, value });
    }
    const widest = regions.reduce((a, b) => (b.end - b.start > a.end - a.start ? b : a));
    const entries = regions.flatMap(({ start, end, value }) => {
      const places =
        end - start < listedRegion
          ? Array.from({ length: Number(end - start) + 1 }, (_, i) => start + BigInt(i))
          : [start, end];
      return places.map((place) => [BigInt.asUintN(sort.index.width, place), value] as const);
    });
    return arrayValue(widest.value, entries, sort.element);
  }
}

function extend(bindings: Bindings, list: SExpression): Bindings {
  const inner = new Map(bindings);
  for (const binding of list as readonly SExpression[]) {
    // what is bound is written under the outer bindings, which no inner one hides: Z3 numbers its names
    inner.set(binding[0] as string, binding[1]!);
  }
  return inner;
}

function numbersIn(e: SExpression, bindings: Bindings): bigint[] {
  const number = parseNumber(e);
  if (number !== undefined) return [number];
  if (typeof e === 'string') {
    const bound = bindings.get(e);
    return bound === undefined || typeof bound === 'bigint' ? [] : numbersIn(bound, bindings);
  }
  return e.flatMap((part) => numbersIn(part, bindings));
}

function parseNumber(e: SExpression): bigint | undefined {
  if (typeof e === 'string') {
    if (/^#x[0-9a-f]+$/i.test(e)) return BigInt(`0x${e.slice(2)}`);
    if (/^#b[01]+$/.test(e)) return BigInt(`0b${e.slice(2)}`);
    return /^\d+$/.test(e) ? BigInt(e) : undefined;
  }
  const [head, argument] = e;
  if (head === '-' && e.length === 2) {
    const positive = parseNumber(argument!);
    return positive === undefined ? undefined : -positive;
  }
  return head === '_' && typeof argument === 'string' && /^bv\d+$/.test(argument)
    ? BigInt(argument.slice(2))
    : undefined;
}

/** Numbers and truths from the few operators Z3 uses in values. */
function compute(e: SExpression, bindings: Bindings): bigint | boolean | undefined {
  const number = parseNumber(e);
  if (number !== undefined) return number;
  if (typeof e === 'string') {
    if (e === 'true' || e === 'false') return e === 'true';
    const bound = bindings.get(e);
    return bound === undefined || typeof bound === 'bigint' ? bound : compute(bound, bindings);
  }
  const [head, ...rest] = e;
  if (head === 'let') return compute(rest[1]!, extend(bindings, rest[0]!));
  if (head === 'ite') {
    const condition = compute(rest[0]!, bindings);
    return condition === undefined ? undefined : compute(rest[condition === true ? 1 : 2]!, bindings);
  }
  const values = rest.map((part) => compute(part, bindings));
  if (values.includes(undefined)) return undefined;
  const [a, b] = values as [bigint, bigint];
  switch (head) {
    case 'not':
      return !values[0];
    case 'and':
      return values.every((v) => v === true);
    case 'or':
      return values.some((v) => v === true);
    case '=':
      return values.every((v) => v === values[0]);
    case '<=':
    case 'bvule':
      return a <= b;
    case '<':
    case 'bvult':
      return a < b;
    case '>=':
    case 'bvuge':
      return a >= b;
    case '>':
    case 'bvugt':
      return a > b;
    default:
      return undefined;
  }
}
