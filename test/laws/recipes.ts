/**
 * Random formulas as recipes: written down as operators, so that a recipe can be built into a term by the constructors
 * and, separately, computed by the naive evaluator below, which shares nothing with the code under test.
 */
import * as fc from 'fast-check';
import * as build from '../../src/logic/build';
import { arrayValue } from '../../src/logic';
import type { SymbolTerm, Term, Value } from '../../src/logic';

export type Recipe =
  | {
      kind: 'bits';
      op: string;
      width: number;
      args: Recipe[];
      value?: bigint;
      name?: string;
      high?: number;
      low?: number;
    }
  | { kind: 'bool'; op: string; width: 0; args: Recipe[]; value?: bigint; name?: string }
  | { kind: 'array'; op: string; width: number; args: Recipe[]; name?: string };

/** Arrays of the recipes have indices and elements of the same width. */
export const allWidths: readonly number[] = [1, 2, 3, 4, 8, 16, 31, 32, 33, 64, 128];

/** Draws a recipe from a stream of numbers below 2^32; `budget` bounds its operators. */
export function drawRecipe(
  next: () => number,
  sort: { kind: 'bits' | 'array'; width: number } | { kind: 'bool' },
  budget: number,
  widths: readonly number[] = allWidths,
): Recipe {
  const pick = <T>(items: readonly T[]) => items[next() % items.length]!;
  const smaller = () => Math.floor((budget - 1) / 2);
  const word = (width: number, size = smaller()) => drawRecipe(next, { kind: 'bits', width }, size, widths);
  const truth = (size = smaller()) => drawRecipe(next, { kind: 'bool' }, size, widths);
  const array = (width: number, size = smaller()) => drawRecipe(next, { kind: 'array', width }, size, widths);
  const otherWidth = () => pick([1, 2, 3, 4, 8, 16, 32]);

  if (sort.kind === 'bool') {
    if (budget <= 0)
      return next() % 4 === 0
        ? { kind: 'bool', op: 'literal', width: 0, args: [], value: BigInt(next() % 2) }
        : { kind: 'bool', op: 'symbol', width: 0, args: [], name: pick(['p', 'q', 'r']) };
    const op = pick([
      'not',
      'and',
      'or',
      'iff',
      'ite',
      'implies',
      'eq',
      'eq',
      'ult',
      'ule',
      'slt',
      'sle',
      'ult',
      'ule',
      'slt',
      'sle',
      'array-eq',
      'distinct',
      'pin',
      'pin',
      'pin',
    ]);
    switch (op) {
      case 'pin': {
        // facts about one word that meet each other
        const literal: Recipe = { kind: 'bits', op: 'literal', width: 3, args: [], value: BigInt(next() % 8) };
        const sides: Recipe[] = [{ kind: 'bits', op: 'symbol', width: 3, args: [], name: pick(['x', 'y']) }, literal];
        const fact: Recipe = {
          kind: 'bool',
          op: pick(['eq', 'eq', 'ule', 'ult', 'sle', 'slt']),
          width: 0,
          args: next() % 2 === 0 ? sides : sides.reverse(),
        };
        return next() % 2 === 0 ? fact : { kind: 'bool', op: 'not', width: 0, args: [fact] };
      }
      case 'not':
        return { kind: 'bool', op, width: 0, args: [truth(budget - 1)] };
      case 'and':
      case 'or':
        return { kind: 'bool', op, width: 0, args: Array.from({ length: 2 + (next() % 3) }, () => truth()) };
      case 'iff':
      case 'implies':
        return { kind: 'bool', op, width: 0, args: [truth(), truth()] };
      case 'ite':
        return { kind: 'bool', op, width: 0, args: [truth(), truth(), truth()] };
      case 'array-eq': {
        const width = pick([1, 2, 8]);
        return { kind: 'bool', op, width: 0, args: [array(width), array(width)] };
      }
      default: {
        const width = pick(widths);
        return { kind: 'bool', op, width: 0, args: [word(width), word(width)] };
      }
    }
  }
  const { width } = sort;
  if (sort.kind === 'array') {
    if (budget <= 0) return { kind: 'array', op: 'symbol', width, args: [], name: pick(['a', 'b']) };
    const op = pick(['store', 'store', 'store', 'ite', 'constant']);
    if (op === 'constant') return { kind: 'array', op, width, args: [word(width)] };
    if (op === 'ite') return { kind: 'array', op, width, args: [truth(), array(width), array(width)] };
    return { kind: 'array', op, width, args: [array(width, budget - 2), word(width), word(width)] };
  }
  if (budget <= 0) {
    if (next() % 2 === 0) return { kind: 'bits', op: 'symbol', width, args: [], name: pick(['x', 'y', 'z']) };
    const ones = (1n << BigInt(width)) - 1n;
    const literal = pick([
      0n,
      1n,
      2n,
      3n,
      ones,
      ones >> 1n,
      (ones >> 1n) + 1n,
      ones - 1n,
      1n << BigInt(next() % width),
      BigInt(next()) * BigInt(next()),
    ]);
    return { kind: 'bits', op: 'literal', width, args: [], value: literal & ones };
  }
  const op = pick([
    'neg',
    'complement',
    'add',
    'add',
    'sub',
    'mul',
    'udiv',
    'urem',
    'sdiv',
    'srem',
    'bitAnd',
    'bitOr',
    'bitXor',
    'shl',
    'lshr',
    'ashr',
    'concat',
    'extract',
    'extract',
    'zeroExtend',
    'signExtend',
    'zeroExtend',
    'signExtend',
    'ite',
    'ite',
    'select',
  ]);
  switch (op) {
    case 'neg':
    case 'complement':
      return { kind: 'bits', op, width, args: [word(width, budget - 1)] };
    case 'concat': {
      if (width === 1) return word(width, 0);
      const low = 1 + (next() % (width - 1));
      return { kind: 'bits', op, width, args: [word(width - low), word(low)] };
    }
    case 'extract': {
      const [above, low] = [next() % 20, next() % 20];
      return { kind: 'bits', op, width, high: low + width - 1, low, args: [word(width + low + above, budget - 1)] };
    }
    case 'zeroExtend':
    case 'signExtend': {
      const inner = pick([1, 8, 16, 32, otherWidth()]);
      return { kind: 'bits', op, width, args: [word(Math.min(inner, width), budget - 1)] };
    }
    case 'ite':
      return { kind: 'bits', op, width, args: [truth(), word(width), word(width)] };
    case 'select':
      return { kind: 'bits', op, width, args: [array(width), word(width)] };
    default:
      return { kind: 'bits', op, width, args: [word(width), word(width)] };
  }
}

export const boolRecipe = (maximum: number, widths = allWidths): fc.Arbitrary<Recipe> =>
  recipeOf(maximum, widths, () => ({ kind: 'bool' }));
export const anyRecipe = (maximum: number, widths = allWidths): fc.Arbitrary<Recipe> =>
  recipeOf(maximum, widths, (next) =>
    next() % 3 === 0 ? { kind: 'bool' } : { kind: 'bits', width: widths[next() % widths.length]! },
  );

function recipeOf(
  maximum: number,
  widths: readonly number[],
  sort: (next: () => number) => { kind: 'bits'; width: number } | { kind: 'bool' },
): fc.Arbitrary<Recipe> {
  return fc.tuple(fc.nat(0xffffffff), fc.integer({ min: 1, max: maximum })).map(([seed, budget]) => {
    const next = stream(seed);
    return drawRecipe(next, sort(next), budget, widths);
  });
}

/** A small generator (mulberry32), so that a recipe is known by its seed. */
export function stream(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return (t ^ (t >>> 14)) >>> 0;
  };
}

export function toTerm(r: Recipe): Term {
  const args = r.args.map(toTerm);
  const [a, b, c] = args as [Term, Term, Term];
  switch (r.op) {
    case 'symbol':
      return build.symbol(r.kind === 'bool' ? r.name! : `${r.name!}${r.width}`, sortOf(r));
    case 'literal':
      return r.kind === 'bool'
        ? build.bool((r as { value?: bigint }).value === 1n)
        : build.bits((r as { value?: bigint }).value!, r.width);
    case 'array-eq':
      return build.eq(a, b);
    case 'store':
      return build.store(a, b, c);
    case 'constant':
      return build.constArray(build.arraySort(build.bitsSort(r.width), build.bitsSort(r.width)), a);
    case 'extract':
      return build.extract((r as { high?: number }).high!, (r as { low?: number }).low!, a);
    case 'zeroExtend':
      return build.zeroExtend(a, r.width);
    case 'signExtend':
      return build.signExtend(a, r.width);
    default:
      return (build as unknown as Record<string, (...args: Term[]) => Term>)[r.op]!(...args);
  }
}

function sortOf(r: Recipe) {
  if (r.kind === 'bool') return build.boolSort;
  return r.kind === 'bits'
    ? build.bitsSort(r.width)
    : build.arraySort(build.bitsSort(r.width), build.bitsSort(r.width));
}

/** A function on indices that differs from `base` at finitely many places. */
export interface NaiveArray {
  base: bigint;
  at: Record<string, bigint>;
}
export type NaiveValue = boolean | bigint | NaiveArray;

/** Values for the recipes' symbols from a stream; the same name and width get the same value. */
export function randomEnvironment(
  seed: number,
): (name: string, kind: 'bits' | 'bool' | 'array', width: number) => NaiveValue {
  const known = new Map<string, NaiveValue>();
  return (name, kind, width) => {
    const key = `${name}/${kind}/${width}`;
    if (!known.has(key)) {
      let hash = seed;
      for (const character of key) hash = Math.imul(hash ^ character.charCodeAt(0), 0x01000193);
      const next = stream(hash);
      const word = () => {
        const ones = (1n << BigInt(width)) - 1n;
        const special = [0n, 1n, ones, ones >> 1n, (ones >> 1n) + 1n, BigInt(next() % 9)];
        return (
          (next() % 2 === 0
            ? special[next() % special.length]!
            : (BigInt(next()) << 96n) + (BigInt(next()) << 64n) + (BigInt(next()) << 32n) + BigInt(next())) & ones
        );
      };
      if (kind === 'bool') known.set(key, next() % 2 === 0);
      else if (kind === 'bits') known.set(key, word());
      else
        known.set(key, {
          base: word(),
          at: Object.fromEntries(Array.from({ length: next() % 4 }, () => [String(word()), word()])),
        });
    }
    return known.get(key)!;
  };
}

/** The same values for terms built from recipes. */
export function environmentOf(random: ReturnType<typeof randomEnvironment>): (s: SymbolTerm) => Value {
  return ({ name, sort }) => {
    if (sort.kind === 'boolean') return random(name, 'bool', 0) as boolean;
    if (sort.kind === 'bits') return random(name.slice(0, 1), 'bits', sort.width) as bigint;
    const { base, at } = random(name.slice(0, 1), 'array', sort.index.width) as NaiveArray;
    return arrayValue(
      base,
      Object.entries(at).map(([i, v]) => [BigInt(i), v] as const),
      sort.element,
    );
  };
}

/**
 * The meaning of a recipe, written from the SMT-LIB definitions by cases, on strings of bits where that is the
 * definition.
 */
export function naive(r: Recipe, environment: ReturnType<typeof randomEnvironment>): NaiveValue {
  if (r.op === 'symbol') return environment(r.name!, r.kind, r.width);
  if (r.op === 'literal')
    return r.kind === 'bool' ? (r as { value?: bigint }).value === 1n : (r as { value?: bigint }).value!;
  const v = r.args.map((a) => naive(a, environment));
  const w = r.width;
  const inner = r.args[0]!.width;
  const modulus = 1n << BigInt(w);
  const n = (i: number) => v[i] as bigint;
  const reduce = (x: bigint) => ((x % modulus) + modulus) % modulus;
  const signedAt = (x: bigint, width: number) => (x >= 1n << BigInt(width - 1) ? x - (1n << BigInt(width)) : x);
  const s = (i: number) => signedAt(n(i), inner);
  const bitsOf = (x: bigint, width: number) => x.toString(2).padStart(width, '0');
  const abs = (x: bigint) => (x < 0n ? -x : x);
  switch (r.op) {
    case 'not':
      return v[0] !== true;
    case 'and':
      return !v.includes(false);
    case 'or':
      return v.includes(true);
    case 'iff':
      return v[0] === v[1];
    case 'implies':
      return v[0] === false || v[1] === true;
    case 'ite':
      return v[0] === true ? v[1]! : v[2]!;
    case 'eq':
      return n(0) === n(1);
    case 'distinct':
      return n(0) !== n(1);
    case 'ult':
      return n(0) < n(1);
    case 'ule':
      return !(n(0) > n(1));
    case 'slt':
      return s(0) < s(1);
    case 'sle':
      return !(s(0) > s(1));
    case 'neg':
      return reduce(-n(0));
    case 'complement':
      return reduce(-n(0) - 1n);
    case 'add':
      return reduce(n(0) + n(1));
    case 'sub':
      return reduce(n(0) - n(1));
    case 'mul':
      return reduce(n(0) * n(1));
    case 'udiv':
      return n(1) === 0n ? modulus - 1n : n(0) / n(1);
    case 'urem':
      return n(1) === 0n ? n(0) : n(0) - n(1) * (n(0) / n(1));
    case 'sdiv': {
      const quotient = n(1) === 0n ? modulus - 1n : abs(s(0)) / abs(s(1));
      if (n(1) === 0n) return s(0) < 0n ? reduce(1n) : modulus - 1n;
      return reduce(s(0) < 0n === s(1) < 0n ? quotient : -quotient);
    }
    case 'srem': {
      if (n(1) === 0n) return n(0);
      const remainder = abs(s(0)) % abs(s(1));
      return reduce(s(0) < 0n ? -remainder : remainder);
    }
    case 'bitAnd':
      return BigInt(`0b${zip(bitsOf(n(0), w), bitsOf(n(1), w), (a, b) => a === '1' && b === '1')}`);
    case 'bitOr':
      return BigInt(`0b${zip(bitsOf(n(0), w), bitsOf(n(1), w), (a, b) => a === '1' || b === '1')}`);
    case 'bitXor':
      return BigInt(`0b${zip(bitsOf(n(0), w), bitsOf(n(1), w), (a, b) => a !== b)}`);
    case 'shl':
      return n(1) >= BigInt(w) ? 0n : BigInt(`0b${(bitsOf(n(0), w) + '0'.repeat(Number(n(1)))).slice(-w)}`);
    case 'lshr':
      return n(1) >= BigInt(w) ? 0n : BigInt(`0b${('0'.repeat(Number(n(1))) + bitsOf(n(0), w)).slice(0, w)}`);
    case 'ashr': {
      const bits = bitsOf(n(0), w);
      const by = n(1) >= BigInt(w) ? w : Number(n(1));
      return BigInt(`0b${(bits[0]!.repeat(by) + bits).slice(0, w)}`);
    }
    case 'concat':
      return BigInt(`0b${bitsOf(n(0), inner)}${bitsOf(n(1), r.args[1]!.width)}`);
    case 'extract': {
      const text = bitsOf(n(0), inner);
      const { high, low } = r as { high: number; low: number };
      return BigInt(`0b${text.slice(inner - 1 - high, inner - low)}`);
    }
    case 'zeroExtend':
      return n(0);
    case 'signExtend': {
      const text = bitsOf(n(0), inner);
      return BigInt(`0b${text[0]!.repeat(w - inner)}${text}`);
    }
    case 'constant':
      return { base: n(0), at: {} };
    case 'store': {
      const a = v[0] as NaiveArray;
      return { base: a.base, at: { ...a.at, [String(v[1] as bigint)]: n(2) } };
    }
    case 'select': {
      const a = v[0] as NaiveArray;
      return a.at[String(v[1] as bigint)] ?? a.base;
    }
    case 'array-eq': {
      const [a, b] = v as [NaiveArray, NaiveArray];
      const listed = [...new Set([...Object.keys(a.at), ...Object.keys(b.at)])];
      const everywhere = BigInt(listed.length) === 1n << BigInt(inner) || a.base === b.base;
      return everywhere && listed.every((i) => (a.at[i] ?? a.base) === (b.at[i] ?? b.base));
    }
    default:
      throw new Error(`no meaning for ${r.op}`);
  }
}

function zip(a: string, b: string, keep: (a: string, b: string) => boolean): string {
  return [...a].map((c, i) => (keep(c, b[i]!) ? '1' : '0')).join('');
}
