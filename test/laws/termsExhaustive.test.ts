/**
 * Law: over small words every constructor means its operator, on all operands that simplifications look at and all
 * values.
 */
import { bits, bitsSort, compile, symbol } from '../../src/logic';
import * as build from '../../src/logic/build';
import type { Term } from '../../src/logic';
import { ifLong } from '../long';

type Meaning = (x: bigint, y: bigint) => bigint;
/** A term, its width (0: boolean) and what it should be worth. */
interface Sample {
  readonly term: Term;
  readonly width: number;
  readonly meaning: Meaning;
}

const signed = (v: bigint, w: number) => (v >= 1n << BigInt(w - 1) ? v - (1n << BigInt(w)) : v);
const reduce = (v: bigint, w: number) => ((v % (1n << BigInt(w))) + (1n << BigInt(w))) % (1n << BigInt(w));

/** Written from the definitions, on unsigned values. */
const words: Record<string, (a: bigint, b: bigint, w: number) => bigint> = {
  add: (a, b, w) => reduce(a + b, w),
  sub: (a, b, w) => reduce(a - b, w),
  mul: (a, b, w) => reduce(a * b, w),
  udiv: (a, b, w) => (b === 0n ? reduce(-1n, w) : a / b),
  urem: (a, b) => (b === 0n ? a : a % b),
  sdiv: (a, b, w) => (b === 0n ? reduce(signed(a, w) < 0n ? 1n : -1n, w) : reduce(signed(a, w) / signed(b, w), w)),
  srem: (a, b, w) => (b === 0n ? a : reduce(signed(a, w) % signed(b, w), w)),
  bitAnd: (a, b) => a & b,
  bitOr: (a, b) => a | b,
  bitXor: (a, b) => a ^ b,
  shl: (a, b, w) => (b >= BigInt(w) ? 0n : reduce(a << b, w)),
  lshr: (a, b, w) => (b >= BigInt(w) ? 0n : a >> b),
  ashr: (a, b, w) => reduce(signed(a, w) >> (b >= BigInt(w) ? BigInt(w) : b), w),
};
const orders: Record<string, (a: bigint, b: bigint, w: number) => boolean> = {
  eq: (a, b) => a === b,
  ult: (a, b) => a < b,
  ule: (a, b) => a <= b,
  slt: (a, b, w) => signed(a, w) < signed(b, w),
  sle: (a, b, w) => signed(a, w) <= signed(b, w),
};
const builders = build as unknown as Record<string, (a: Term, b: Term) => Term>;

function binary(
  operators: Record<string, (a: bigint, b: bigint, w: number) => bigint | boolean>,
  lefts: readonly Sample[],
  rights: readonly Sample[],
): Sample[] {
  return Object.entries(operators).flatMap(([name, meaning]) =>
    lefts.flatMap((l) =>
      rights.map((r) => ({
        term: builders[name]!(l.term, r.term),
        width: name in orders ? 0 : l.width,
        meaning: (x: bigint, y: bigint) => BigInt(meaning(l.meaning(x, y), r.meaning(x, y), l.width)),
      })),
    ),
  );
}

function reshaped(samples: readonly Sample[], width: number): Sample[] {
  return samples.flatMap(({ term, width: w, meaning }) => [
    { term: build.zeroExtend(term, w + width), width: w + width, meaning },
    {
      term: build.signExtend(term, w + width),
      width: w + width,
      meaning: (x: bigint, y: bigint) => reduce(signed(meaning(x, y), w), w + width),
    },
    { term: build.complement(term), width: w, meaning: (x: bigint, y: bigint) => reduce(-1n - meaning(x, y), w) },
    { term: build.neg(term), width: w, meaning: (x: bigint, y: bigint) => reduce(-meaning(x, y), w) },
    {
      term: build.concat(term, term),
      width: 2 * w,
      meaning: (x: bigint, y: bigint) => (meaning(x, y) << BigInt(w)) + meaning(x, y),
    },
  ]);
}

function extracts(samples: readonly Sample[]): Sample[] {
  return samples.flatMap(({ term, width, meaning }) =>
    Array.from({ length: width }, (_, low) => ({
      term: build.extract(width - 1, low, term),
      width: width - low,
      meaning: (x: bigint, y: bigint) => meaning(x, y) >> BigInt(low),
    })).concat(
      Array.from({ length: width }, (_, high) => ({
        term: build.extract(high, 0, term),
        width: high + 1,
        meaning: (x: bigint, y: bigint) => reduce(meaning(x, y), high + 1),
      })),
    ),
  );
}

/** The values of a term, computed once. */
const computed = new Map<Term, readonly bigint[]>();

function checkAll(samples: readonly Sample[], x: Term, y: Term, width: number): void {
  const size = 2 ** width;
  for (const { term, meaning } of samples) {
    let values = computed.get(term);
    if (!values) {
      const run = compile(term);
      values = Array.from({ length: size * size }, (_, k) =>
        BigInt(run((s) => BigInt(s === x ? Math.floor(k / size) : k % size)) as bigint),
      );
      computed.set(term, values);
    }
    values.forEach((value, k) => {
      const [i, j] = [BigInt(Math.floor(k / size)), BigInt(k % size)];
      if (value !== meaning(i, j))
        throw new Error(`x=${i} y=${j}: ${show(term)} for ${show(y)} is ${value}, not ${meaning(i, j)}`);
    });
  }
}

function show(t: Term): string {
  if (t.kind === 'apply')
    return `(${t.operator}${t.parameters.map((p) => `:${p}`).join('')} ${t.args.map(show).join(' ')})`;
  return t.kind === 'symbol' ? t.name : t.kind === 'bits' || t.kind === 'boolean' ? String(t.value) : t.kind;
}

/** One sample per term, to go on with; only samples that were checked may be dropped. */
function unique(samples: readonly Sample[]): Sample[] {
  return [...new Map(samples.map((s) => [s.term, s])).values()];
}

test.each([1, ...ifLong(2)])('two operators and a comparison with a literal over %i bits', (width) => {
  const [x, y] = [symbol(`x${width}`, bitsSort(width)), symbol(`y${width}`, bitsSort(width))];
  const ofX: Sample = { term: x, width, meaning: (v) => v };
  const ofY: Sample = { term: y, width, meaning: (_, v) => v };
  const literalsOf = (w: number): Sample[] => {
    const half = 2 ** (w - 1);
    const values = [...new Set([0, 1, half - 1, half, half + 1, 2 * half - 1])].filter((i) => i < 2 ** w);
    return values.map((i) => ({ term: bits(i, w), width: w, meaning: () => BigInt(i) }));
  };
  const leaves = [ofX, ofY, ...literalsOf(width)];
  const check = (samples: Sample[]) => {
    checkAll(samples, x, y, width);
    return unique(samples);
  };
  const one = check(binary(words, leaves, leaves));
  const shaped = check([...reshaped([ofX, ...one], 1), ...reshaped([ofX], 2)]).filter((s) => s.width <= 4);
  for (const w of [...new Set(shaped.map((s) => s.width))]) {
    const same = shaped.filter((s) => s.width === w);
    const few = same.filter((_, i) => i % 5 === 0).slice(0, 25);
    check(binary(orders, same, literalsOf(w)));
    check(binary(orders, literalsOf(w), same));
    check(binary(words, same, literalsOf(w)));
    check(binary({ ...words, ...orders }, few, few));
    check(extracts(same));
  }
  const flags = check(binary(orders, leaves, leaves));
  const chosen = check(
    flags.slice(0, 40).flatMap((f) =>
      literalsOf(width).flatMap((t) =>
        leaves.map((e) => ({
          term: build.ite(f.term, t.term, e.term),
          width,
          meaning: (a: bigint, b: bigint) => (f.meaning(a, b) === 1n ? t.meaning(a, b) : e.meaning(a, b)),
        })),
      ),
    ),
  );
  check(binary(orders, chosen, literalsOf(width)));
});

test('comparisons of sums and remainders with literals over 3 bits', () => {
  const [x, y] = [symbol('x3', bitsSort(3)), symbol('y3', bitsSort(3))];
  const literals: Sample[] = Array.from({ length: 8 }, (_, i) => ({
    term: bits(i, 3),
    width: 3,
    meaning: () => BigInt(i),
  }));
  const leaves: Sample[] = [{ term: x, width: 3, meaning: (v) => v }, ...literals];
  const one = binary(words, leaves, leaves);
  checkAll(one, x, y, 3);
  const once = unique(one);
  checkAll([...binary(orders, once, literals), ...binary(orders, literals, once)], x, y, 3);
  checkAll(binary(orders, once.slice(0, 40), once.slice(20, 60)), x, y, 3);
});

test.each([1, 2, 3])('three facts about one word of %i bits', (width) => {
  const [x, y] = [symbol(`x${width}`, bitsSort(width)), symbol(`y${width}`, bitsSort(width))];
  const ofX: Sample[] = [{ term: x, width, meaning: (v) => v }];
  const literals: Sample[] = Array.from({ length: 2 ** width }, (_, i) => ({
    term: bits(i, width),
    width,
    meaning: () => BigInt(i),
  }));
  const facts = unique(
    [...binary(orders, ofX, literals), ...binary(orders, literals, ofX)].flatMap((f) => [
      f,
      { term: build.not(f.term), width: 0, meaning: (i: bigint, j: bigint) => 1n - f.meaning(i, j) },
    ]),
  );
  checkAll(facts, x, y, width);
  const third = facts.filter((_, i) => width < 3 || i % 5 === 0);
  for (const a of facts) {
    for (const b of facts) {
      checkAll(
        third.flatMap((c) => [
          {
            term: build.and(a.term, b.term, c.term),
            width: 0,
            meaning: (i: bigint, j: bigint) => a.meaning(i, j) & b.meaning(i, j) & c.meaning(i, j),
          },
          {
            term: build.or(a.term, b.term, c.term),
            width: 0,
            meaning: (i: bigint, j: bigint) => a.meaning(i, j) | b.meaning(i, j) | c.meaning(i, j),
          },
        ]),
        x,
        y,
        width,
      );
    }
  }
});
