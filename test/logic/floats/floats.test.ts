/**
 * Floating point in words means what IEEE 754 says, for which JavaScript's numbers are the judge; the solver knows it,
 * too.
 */
import * as fc from 'fast-check';
import {
  arraySort,
  bits,
  bitsSort,
  boolSort,
  call,
  evaluate,
  forall,
  implies,
  not,
  select,
  symbol,
  ult,
} from '../../../src/logic';
import type { Sort, Term } from '../../../src/logic';
import { floatBits, floatOf } from '../../../src/logic/floats/patterns';
import { floatDefinition, floatsDefined } from '../../../src/logic/floats/floats';
import { createSolver, withRewriting, withBothEncodings } from '../../../src/solver';
import { checkedFloats } from './samples';
import { runs } from '../../long';

const open = (): never => {
  throw new Error('open');
};
const none = (): never => {
  throw new Error('a symbol');
};
/** 'open': only known to be a function there. */
function defined(name: string, ...operands: readonly Term[]): unknown {
  try {
    return evaluate(floatDefinition(name)!(operands)!, none, open);
  } catch (error) {
    if (error instanceof Error && error.message === 'open') return 'open';
    throw error;
  }
}

describe.each([32, 64] as const)('of %p bits', (width) => {
  const pattern = checkedFloats(width);
  const literal = (value: bigint) => bits(value, width);
  const of = (value: bigint) => floatOf(value, width);

  test('comparisons', () => {
    fc.assert(
      fc.property(pattern, pattern, (a, b) => {
        const [x, y] = [of(a), of(b)];
        expect(['eq', 'lt', 'le'].map((name) => defined(`float-${name}-${width}`, literal(a), literal(b)))).toEqual([
          x === y,
          x < y,
          x <= y,
        ]);
        expect(
          ['eq', 'lt', 'le'].map((name) =>
            evaluate(call(`float-${name}-${width}`, boolSort, literal(a), literal(b)), none),
          ),
        ).toEqual([x === y, x < y, x <= y]);
      }),
      { numRuns: runs(4000) },
    );
  });

  test('the sign changes, and of a NaN some NaN comes out', () => {
    fc.assert(
      fc.property(pattern, (a) => {
        const result = defined(`float-negate-${width}`, literal(a));
        if (Number.isNaN(of(a))) expect(result).toBe('open');
        else expect(result).toBe(floatBits(-of(a), width));
      }),
      { numRuns: runs(1000) },
    );
  });

  test('times and by powers of two', () => {
    const kinds = { exact: 0, open: 0 };
    fc.assert(
      fc.property(
        pattern,
        fc.integer({ min: -40, max: 40 }),
        fc.boolean(),
        fc.constantFrom('multiply', 'multiplied', 'divide'),
        (a, k, negative, how) => {
          const factor = (negative ? -1 : 1) * 2 ** k;
          const x = symbol('x', bitsSort(width));
          const other = literal(floatBits(factor, width));
          const operands = how === 'multiplied' ? [other, x] : [x, other];
          const meaning = floatDefinition(`float-${how === 'divide' ? 'divide' : 'multiply'}-${width}`)!(
            operands.map((t) => (t === x ? literal(a) : t)),
            operands,
          )!;
          const exact = how === 'divide' ? of(a) / factor : of(a) * factor;
          const right = width === 32 ? Math.fround(exact) : exact;
          let result: unknown = 'open';
          try {
            result = evaluate(meaning, none, open);
          } catch (error) {
            if (!(error instanceof Error) || error.message !== 'open') throw error;
          }
          const least = width === 32 ? 2 ** -126 : 2 ** -1022;
          const subnormal = (value: number): boolean => value !== 0 && Math.abs(value) < least;
          // The right one is among those that are left open.
          if (!Number.isNaN(of(a)))
            expect(evaluate(meaning, none, () => floatBits(Math.abs(right), width))).toBe(floatBits(right, width));
          if (
            Number.isNaN(of(a)) ||
            subnormal(of(a)) ||
            (subnormal(exact) && k !== 0) ||
            (exact === 0 && of(a) !== 0)
          ) {
            expect(result).toBe('open');
            kinds.open++;
          } else {
            expect([of(a), factor, how, result]).toEqual([of(a), factor, how, floatBits(right, width)]);
            kinds.exact++;
          }
        },
      ),
      { numRuns: runs(4000) },
    );
    expect(Math.min(kinds.exact, kinds.open)).toBeGreaterThan(runs(100));
  });

  test.each([8, 16, 32, 64])('from integers of %p bits, where nothing is rounded', (own) => {
    const all = (1n << BigInt(own)) - 1n;
    const near = fc.tuple(fc.nat(own), fc.bigInt(-3n, 3n)).map(([k, step]) => ((1n << BigInt(k)) + step) & all);
    fc.assert(
      fc.property(
        fc.oneof(
          fc.bigInt(0n, all),
          near,
          near.map((value) => -value & all),
        ),
        fc.boolean(),
        (value, signed) => {
          const number = signed ? BigInt.asIntN(own, value) : value;
          const result = defined(`convert-${signed ? '' : 'u'}integer${own}-float${width}`, bits(value, own));
          const limit = 1n << (width === 32 ? 24n : 53n);
          if (number < limit && number > -limit) expect(result).toBe(floatBits(Number(number), width));
          else expect(result).toBe('open');
        },
      ),
      { numRuns: runs(3000) },
    );
  });

  test.each([8, 16, 32, 64])('to integers of %p bits, where they fit', (own) => {
    const near = fc
      .tuple(
        fc.nat(own),
        fc.integer({ min: -3, max: 3 }),
        fc.constantFrom(-0.75, -0.5, 0, 0.25, 0.999),
        fc.constantFrom(1, -1),
      )
      .map(([k, step, part, sign]) => floatBits(sign * (2 ** k + step + part), width));
    const kinds = { fits: 0, open: 0 };
    fc.assert(
      fc.property(fc.oneof(pattern, near), fc.boolean(), (a, signed) => {
        const whole = Math.trunc(of(a));
        const result = defined(`convert-float${width}-${signed ? '' : 'u'}integer${own}`, literal(a));
        const fits = signed ? whole >= -(2 ** (own - 1)) && whole < 2 ** (own - 1) : whole >= 0 && whole < 2 ** own;
        if (fits) expect(result).toBe(BigInt.asUintN(own, BigInt(whole)));
        else expect(result).toBe('open');
        kinds[fits ? 'fits' : 'open']++;
      }),
      { numRuns: runs(4000) },
    );
    expect(Math.min(kinds.fits, kinds.open)).toBeGreaterThan(runs(300));
  });
});

test('widened, but for numbers that become normal', () => {
  fc.assert(
    fc.property(checkedFloats(32), (a) => {
      const value = floatOf(a, 32);
      const result = defined('convert-float32-float64', bits(a, 32));
      if (Number.isNaN(value) || (value !== 0 && Math.abs(value) < 2 ** -126)) expect(result).toBe('open');
      else expect(result).toBe(floatBits(value, 64));
    }),
    { numRuns: runs(3000) },
  );
});

test('sign and size of a widened number with unknown bits are known', () => {
  fc.assert(
    fc.property(
      fc.bigInt(1n, (1n << 23n) - 1n),
      fc.boolean(),
      fc.oneof(fc.bigInt(0n, (1n << 64n) - 1n), fc.constantFrom(0n, floatBits(2 ** -126, 64))),
      (size, negative, any) => {
        const result = evaluate(
          floatDefinition('convert-float32-float64')!([bits(size + (negative ? 1n << 31n : 0n), 32)])!,
          none,
          () => any,
        ) as bigint;
        const value = floatOf(result, 64);
        expect(negative ? -value : value).toBeGreaterThan(0);
        expect(Math.abs(value)).toBeLessThan(2 ** -126);
        // The right one is among them.
        const right = floatBits(floatOf(size, 32), 64);
        expect(evaluate(floatDefinition('convert-float32-float64')!([bits(size, 32)])!, none, () => right)).toBe(right);
      },
    ),
    { numRuns: 500 },
  );
});

test('in a state, what a machine computes', () => {
  const value = (name: string, width: 32 | 64, ...operands: readonly number[]): number => {
    const own = name.startsWith('convert-float32') ? 32 : name.startsWith('convert-float64') ? 64 : width;
    const symbols = operands.map((_, i) => symbol(`v${i}`, bitsSort(own)));
    return floatOf(
      evaluate(call(name, bitsSort(width), ...symbols), (s) =>
        floatBits(operands[symbols.indexOf(s as (typeof symbols)[0])]!, own),
      ) as bigint,
      width,
    );
  };
  expect([
    value('float-add-64', 64, 0.1, 0.2),
    value('float-divide-32', 32, 1, 3),
    value('float-subtract-64', 64, Infinity, Infinity),
  ]).toEqual([0.1 + 0.2, Math.fround(1 / 3), NaN]);
  expect([
    value('float-negate-64', 64, NaN),
    value('convert-float32-float64', 64, NaN),
    value('convert-float32-float64', 64, -(2 ** -140)),
    value('convert-float64-float32', 32, 0.1),
  ]).toEqual([NaN, NaN, -(2 ** -140), Math.fround(0.1)]);
  const [x, k] = [symbol('x', bitsSort(64)), bits(floatBits(0.25, 64), 64)];
  expect(
    floatOf(evaluate(call('float-multiply-64', bitsSort(64), x, k), () => floatBits(2 ** -1022, 64)) as bigint, 64),
  ).toBe(2 ** -1024);
});

test('on literals it is rounded as processors do', () => {
  const result = (name: string, width: 32 | 64, ...operands: readonly number[]): number | string => {
    const term = call(name, bitsSort(width), ...operands.map((x) => bits(floatBits(x, width), width)));
    return term.kind === 'bits' ? floatOf(term.value, width) : term.kind;
  };
  expect(result('float-add-64', 64, 0.1, 0.2)).toBe(0.1 + 0.2);
  expect(result('float-add-32', 32, Math.fround(0.1), Math.fround(0.2))).toBe(
    Math.fround(Math.fround(0.1) + Math.fround(0.2)),
  );
  expect(result('float-divide-64', 64, 1, 0)).toBe(Infinity);
  expect(result('float-multiply-64', 64, -1, 0)).toBe(-0);
  expect(result('float-subtract-64', 64, Infinity, Infinity)).toBe('apply');
  expect(result('float-remainder-64', 64, 5, 3)).toBe('apply');
  expect(result('float-negate-64', 64, 0)).toBe(-0);
  expect(result('float-negate-64', 64, NaN)).toBe('apply');
  const converted = (name: string, width: 32 | 64, value: bigint, own: number): number | string => {
    const term = call(name, bitsSort(width), bits(value, own));
    return term.kind === 'bits' ? floatOf(term.value, width) : term.kind;
  };
  expect(converted('convert-float32-float64', 64, floatBits(0.1, 32), 32)).toBe(Math.fround(0.1));
  expect(converted('convert-float64-float32', 32, floatBits(0.1, 64), 64)).toBe(Math.fround(0.1));
  expect(converted('convert-integer32-float64', 64, 0xffff_ffffn, 32)).toBe(-1);
  expect(converted('convert-uinteger32-float32', 32, 0xffff_ffffn, 32)).toBe(2 ** 32);
  expect(converted('convert-integer64-float64', 64, 2n ** 53n + 1n, 64)).toBe(2 ** 53);
  expect(converted('convert-integer64-float32', 32, 2n ** 60n, 64)).toBe('apply');
  expect(converted('convert-float64-integer32', 32, floatBits(2.5, 64), 64)).toBe('apply');
});

test('the solver knows them: in both encodings, in sessions, and with its models', async () => {
  const z3 = createSolver();
  const solver = withRewriting(withBothEncodings(z3), floatsDefined);
  const sort: Sort = bitsSort(64);
  const [x, y, z, n] = [symbol('x', sort), symbol('y', sort), symbol('z', sort), symbol('n', bitsSort(32))];
  const less = (a: Term, b: Term) => call('float-lt-64', boolSort, a, b);
  const half = bits(floatBits(0.5, 64), 64);
  const wide = (t: Term) => call('convert-integer32-float64', sort, t);
  const budget = { timeoutMs: 30_000 };
  try {
    expect((await solver.check([less(x, y), less(y, z), not(less(x, z))], budget)).kind).toBe('unsat');
    // A NaN is neither less nor not.
    const neither = await solver.check([not(less(x, half)), not(call('float-le-64', boolSort, half, x))], budget);
    expect(neither).toMatchObject({ kind: 'sat' });
    if (neither.kind === 'sat') expect(floatOf(neither.model.evaluate(x) as bigint, 64)).toBeNaN();
    const between = await solver.check([less(half, x), less(x, bits(floatBits(0.6, 64), 64))], budget);
    if (between.kind !== 'sat') throw new Error('no number between');
    expect(floatOf(between.model.evaluate(x) as bigint, 64)).toBeGreaterThan(0.5);
    const session = solver.session();
    session.assert(less(wide(n), bits(floatBits(1000.5, 64), 64)));
    session.assert(less(bits(floatBits(999.5, 64), 64), wide(n)));
    const only = await session.check([], budget);
    if (only.kind !== 'sat') throw new Error('no integer between');
    expect(only.model.evaluate(n)).toBe(1000n);
    expect(only.model.evaluate(wide(n))).toBe(floatBits(1000, 64));
    const [assumption, other] = [less(wide(n), bits(floatBits(-1, 64), 64)), less(x, y)];
    const answer = await session.check([other, assumption], budget);
    expect(answer.kind).toBe('unsat');
    if (answer.kind === 'unsat') expect(answer.core).toContain(assumption);
    session.close();
    // Of every element, too.
    const [array, k] = [symbol('a', arraySort(bitsSort(32), sort)), symbol('k', bitsSort(32))];
    const small = forall([k], implies(ult(k, bits(4, 32)), less(select(array, k), bits(floatBits(1, 64), 64))));
    expect(
      (await solver.check([small, not(less(select(array, bits(2, 32)), bits(floatBits(2, 64), 64)))], budget)).kind,
    ).toBe('unsat');
    // Scaled by the literal, whichever it is; of two unknown factors only a function is known.
    const product = (a: Term, b: Term) => call('float-multiply-64', sort, a, b);
    const isFive = (t: Term) => call('float-eq-64', boolSort, t, bits(floatBits(5, 64), 64));
    const doubled = product(bits(floatBits(2, 64), 64), x);
    const scaled = await solver.check([isFive(doubled)], budget);
    if (scaled.kind !== 'sat') throw new Error('no number is half of five');
    expect([doubled, x].map((t) => floatOf(scaled.model.evaluate(t) as bigint, 64))).toEqual([5, 2.5]);
    const both = await solver.check([isFive(product(x, y)), isFive(x), isFive(y)], budget);
    if (both.kind !== 'sat') throw new Error('any function is a product');
    expect(floatOf(both.model.evaluate(product(x, y)) as bigint, 64)).toBe(5);
  } finally {
    await solver.close();
  }
}, 120_000);
