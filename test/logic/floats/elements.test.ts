/** Intervals of array elements: what was stored, what was there, and indices that are bounded. */
import * as fc from 'fast-check';
import {
  and,
  arraySort,
  bits,
  bitsSort,
  boolSort,
  call,
  evaluate,
  ite,
  mul,
  not,
  select,
  store,
  symbol,
  ule,
  type SymbolTerm,
  type Term,
  type Value,
} from '../../../src/logic';
import { lazyArray } from '../../../src/logic/arrays/arrayValue';
import { floatFacts, floatRanges, intervalsRefute } from '../../../src/logic/floats/intervals';
import { computedFloat, floatBits, floatOf } from '../../../src/logic/floats/patterns';
import { runs } from '../../long';

const word = (value: number): Term => bits(BigInt(value), 32);
const literal = (value: number): Term => bits(floatBits(value, 64), 64);
const le = (a: Term, b: Term): Term => call('float-le-64', boolSort, a, b);
const lt = (a: Term, b: Term): Term => call('float-lt-64', boolSort, a, b);
const plus = (a: Term, b: Term): Term => call('float-add-64', bitsSort(64), a, b);
const table = symbol('table', arraySort(bitsSort(32), bitsSort(64)));
const channel = symbol('channel', bitsSort(32));
const step = symbol('step', bitsSort(64));
const within = (t: Term, low: number, high: number): Term => and(le(literal(low), t), le(t, literal(high)));
const all = [0, 8, 16].map((at) => within(select(table, word(at)), -5, 5));
const place = mul(word(8), channel);

test('an element with a bounded index is one of few', () => {
  const sum = plus(select(table, place), literal(1));
  expect(floatRanges([sum], [...all, ule(channel, word(2))])).toEqual([{ low: -4, high: 6, mayBeNaN: false }]);
  expect(floatRanges([sum], [...all, ule(channel, word(3))])![0]!.mayBeNaN).toBe(true);
  expect(floatRanges([sum], [...all.slice(1), ule(channel, word(2))])![0]!.mayBeNaN).toBe(true);
});

test('an index that is a product which may wrap is no multiple of the factor', () => {
  const index = mul(word(24), channel);
  const sum = plus(select(table, index), literal(1));
  const known = [0, 24].map((at) => within(select(table, word(at)), -5, 5));
  expect(floatRanges([sum], [...known, ule(channel, word(1))])).toEqual([{ low: -4, high: 6, mayBeNaN: false }]);
  // 24 * 178956971 = 8 in 32 bits.
  expect(evaluate(index, () => 178956971n)).toBe(8n);
  const among = (at: readonly number[]): readonly Term[] => at.map((one) => within(select(table, word(one)), -5, 5));
  const bounded = ule(index, word(40));
  expect(floatRanges([sum], [...known, bounded])![0]!.mayBeNaN).toBe(true);
  expect(intervalsRefute([...known, bounded, lt(literal(6), sum)])).toBe(false);
  expect(intervalsRefute([...among([0, 8, 16, 24, 32, 40]), bounded, lt(literal(6), sum)])).toBe(true);
});

test('what is stored under a condition, saturated, stays within the bounds of all elements', () => {
  const next = plus(select(table, place), step);
  const below = ite(lt(literal(5), next), literal(5), next);
  const saturated = ite(lt(below, literal(-5)), literal(-5), below);
  const output = plus(saturated, step);
  const guard = and(ule(channel, word(2)), lt(literal(-10), step), lt(step, literal(10)));
  const after = (checked: Term): Term =>
    select(store(table, place, ite(checked, saturated, select(table, place))), word(8));
  for (const checked of [guard, and(guard, le(output, literal(20)), le(literal(-20), output))]) {
    expect(intervalsRefute([...all, not(within(after(checked), -5, 5))])).toBe(true);
    expect(intervalsRefute([...all, not(within(after(checked), -4, 5))])).toBe(false);
    expect(intervalsRefute([...all.slice(0, 2), not(within(after(checked), -5, 5))])).toBe(false);
  }
});

test('no query that some contents of the array satisfy is refuted, and ranges hold for them', () => {
  const small = fc.integer({ min: 0, max: 4 });
  const number = fc.constantFrom(-7.5, -5, -1, -0, 0, 0.1, 2, 5, 5.5, Infinity, NaN);
  const bound = fc.tuple(small, number, number).map(([i, low, high]) => within(select(table, word(8 * i)), low, high));
  const condition = fc.oneof(
    fc
      .tuple(number, fc.boolean())
      .map(([value, isLow]) => (isLow ? lt(literal(value), step) : le(step, literal(value)))),
    small.map((most) => ule(channel, word(most))),
    fc.tuple(small, number).map(([i, value]) => le(select(table, word(8 * i)), literal(value))),
  );
  const { element } = fc.letrec<{ element: Term }>((tie) => ({
    element: fc.oneof(
      { maxDepth: 3 },
      number.map(literal),
      fc.constant(step),
      fc.constant(select(table, place)),
      small.map((i) => select(table, word(8 * i))),
      fc.tuple(tie('element'), tie('element')).map(([a, b]) => plus(a, b)),
      fc.tuple(condition, tie('element'), tie('element')).map(([c, a, b]) => ite(c, a, b)),
      fc
        .tuple(tie('element'), fc.constantFrom(place, word(0), word(8)), fc.constantFrom(place, word(8), word(16)))
        .map(([value, at, index]) =>
          select(store(table, at, ite(ule(channel, word(3)), value, select(table, at))), index),
        ),
    ),
  }));
  let [models, limited] = [0, 0];
  fc.assert(
    fc.property(
      fc.array(fc.oneof(bound, condition), { minLength: 1, maxLength: 6 }),
      element,
      fc.array(fc.tuple(fc.array(number, { minLength: 5, maxLength: 5 }), small, number), {
        minLength: 8,
        maxLength: 8,
      }),
      (conditions, read, states) => {
        const mentioned = plus(read, literal(1));
        const [range] = floatRanges([mentioned], conditions) ?? [undefined];
        const bounds = floatFacts([...conditions, le(mentioned, mentioned)]).bounds.filter(
          ({ call: operation }) => operation === mentioned,
        );
        if (range && range.high < Infinity) limited++;
        for (const [elements, at, moved] of states) {
          const given = new Map<SymbolTerm, Value>([
            [table, lazyArray((i) => floatBits(elements[Number(i) / 8] ?? NaN, 64), floatBits(NaN, 64))],
            [channel, BigInt(at)],
            [step, floatBits(moved, 64)],
          ]);
          const valueOf = (t: Term): Value =>
            evaluate(
              t,
              (s) => given.get(s)!,
              (name, args) => computedFloat(name, args as readonly bigint[])!,
            );
          if (!conditions.every((one) => valueOf(one) === true)) continue;
          models++;
          const result = floatOf(valueOf(read) as bigint, 64) + 1;
          expect(range).toBeDefined();
          // The bounds follow from a comparison that a NaN fails, too.
          for (const one of Number.isNaN(result) ? [range!] : [range!, ...bounds])
            expect(Number.isNaN(result) ? one.mayBeNaN : one.low <= result && result <= one.high).toBe(true);
          expect(intervalsRefute([...conditions, not(lt(mentioned, mentioned))])).toBe(false);
        }
      },
    ),
    { numRuns: runs(1500) },
  );
  expect(models).toBeGreaterThan(runs(800));
  expect(limited).toBeGreaterThan(runs(100));
});
