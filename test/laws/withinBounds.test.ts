/**
 * Law: intervals hold every value a word takes, and what assertions say of single words changes nothing but how they
 * are written.
 */
import * as fc from 'fast-check';
import * as L from '../../src/logic';
import type { Term } from '../../src/logic';
import { assertedBounds } from '../../src/logic/bounds/assertedBounds';
import { WordIntervals } from '../../src/logic/bounds/wordIntervals';
import { withinBounds } from '../../src/logic/bounds/withinBounds';
import { toSigned } from '../../src/logic/words/words';
import { anyRecipe, boolRecipe, environmentOf, randomEnvironment, toTerm } from './recipes';
import { isLong } from '../long';

const numRuns = isLong ? 2000 : 500;
const runs = { numRuns };
const small = [1, 2, 3, 4, 8];

test('a word lies in its interval, in both readings', () => {
  fc.assert(
    fc.property(anyRecipe(30, [...small, 32, 64]), fc.nat(), (recipe, seed) => {
      const term = toTerm(recipe);
      if (term.sort.kind !== 'bits') return;
      const value = L.evaluate(term, environmentOf(randomEnvironment(seed))) as bigint;
      const { unsigned, signed } = new WordIntervals(new Map()).of(term);
      const asSigned = toSigned(value, term.sort.width);
      expect(unsigned.low <= value && value <= unsigned.high && signed.low <= asSigned && asSigned <= signed.high).toBe(
        true,
      );
    }),
    runs,
  );
});

const hold = (terms: readonly Term[], seed: number): boolean =>
  terms.every((term) => L.evaluate(term, environmentOf(randomEnvironment(seed))) === true);

test('shorter assertions hold where the assertions do, and what is known from some, of others', () => {
  let shorter = 0;
  fc.assert(
    fc.property(
      fc.array(boolRecipe(12, small), { minLength: 1, maxLength: 5 }),
      fc.array(boolRecipe(20, small), { maxLength: 3 }),
      fc.array(fc.nat(), { minLength: 12, maxLength: 12 }),
      (first, then, seeds) => {
        const [before, after] = [first.map(toTerm), then.map(toTerm)];
        const one = withinBounds(before, new Map());
        const two = withinBounds(after, one.known);
        if (one.terms.length < before.length || two.terms.some((term) => !after.includes(term))) shorter++;
        for (const seed of seeds)
          expect(hold([...one.terms, ...two.terms], seed)).toBe(hold([...before, ...after], seed));
      },
    ),
    runs,
  );
  expect(shorter).toBeGreaterThan(numRuns / 5);
});

test('bounds of words that are compared once widened', () => {
  const [x, y] = ['x8', 'y16'].map((name, i) => L.symbol(name, L.bitsSort(8 << i))) as [Term, Term];
  const wide = fc.constantFrom(L.zeroExtend(x, 16), L.signExtend(x, 16));
  const order = fc.constantFrom(L.sle, L.slt, L.ule, L.ult);
  let bounded = 0;
  fc.assert(
    fc.property(wide, order, order, fc.boolean(), fc.nat(255), fc.nat(), (widened, first, second, isBelow, n, seed) => {
      const assertions = [isBelow ? first(y, widened) : first(widened, y), second(x, L.bits(BigInt(n), 8))];
      const known = assertedBounds(assertions, new Map());
      const of = known.get(y);
      if (of && of.unsigned.high - of.unsigned.low < 65535n) bounded++;
      for (let i = 0; i < 40; i++) {
        const random = (salt: number, mask: number): bigint =>
          BigInt((Math.imul(seed + 64 * i + salt, 0x9e3779b1) >>> 11) & mask);
        const value = (symbol: Term): bigint => (symbol === x ? random(1, 255) : random(2, i % 2 === 0 ? 65535 : 255));
        if (!assertions.every((term) => L.evaluate(term, value) === true)) continue;
        for (const [word, { unsigned, signed }] of known) {
          const found = L.evaluate(word, value) as bigint;
          const asSigned = toSigned(found, L.widthOf(word));
          expect(unsigned.low <= found && found <= unsigned.high).toBe(true);
          expect(signed.low <= asSigned && asSigned <= signed.high).toBe(true);
        }
      }
    }),
    runs,
  );
  expect(bounded).toBeGreaterThan(numRuns / 10);
  const counted = [L.sle(L.bits(0n, 16), y), L.ule(y, L.signExtend(x, 16))];
  expect(assertedBounds([...counted, L.sle(L.bits(0n, 8), x)], new Map()).get(y)?.unsigned.high).toBe(127n);
});

test('what is known of a sum, of multiples of it', () => {
  const byte = (n: number): Term => L.bits(BigInt(n & 255), 8);
  const [x, y, z] = ['x8', 'y8', 'z8'].map((name) => L.symbol(name, L.bitsSort(8))) as [Term, Term, Term];
  const small = fc.integer({ min: -12, max: 12 });
  let decided = 0;
  fc.assert(
    fc.property(
      fc.tuple(small, small, small, small, small, small),
      fc.tuple(small, small, small, small),
      fc.array(fc.nat(), { minLength: 40, maxLength: 40 }),
      ([a, b, c, times, d, e], [low, high, most, near], seeds) => {
        const known = L.add(L.mul(byte(a), x), L.mul(byte(b), y), byte(c));
        const more = L.add(L.mul(byte(times), known), L.mul(byte(d), z), byte(e));
        const path = [
          L.sle(byte(low), known),
          L.sle(known, byte(high)),
          L.sle(byte(-near), z),
          L.sle(z, byte(near)),
          L.sle(more, byte(most * 9)),
        ];
        const formula = L.or(L.eq(x, byte(77)), L.and(...path));
        const { terms } = withinBounds([formula], new Map());
        if (terms.length !== 1 || terms[0] !== formula) decided++;
        for (const seed of seeds) {
          const random = (n: number): bigint => BigInt((Math.imul(seed + n, 0x9e3779b1) >>> 11) & 255);
          const value = (symbol: Term): bigint => random(symbol === x ? 1 : symbol === y ? 2 : 3);
          expect(terms.every((term) => L.evaluate(term, value) === true)).toBe(L.evaluate(formula, value));
        }
      },
    ),
    runs,
  );
  expect(decided).toBeGreaterThan(numRuns / 20);
});

test('quotients of products, where nothing wraps', () => {
  const [x, y] = ['x8', 'y8'].map((name) => L.symbol(name, L.bitsSort(8))) as [Term, Term];
  const byte = (n: number): Term => L.bits(BigInt(n & 255), 8);
  const shift = L.shl(byte(1), y);
  const quotients = [
    L.sdiv(L.mul(x, y), y),
    L.udiv(L.mul(x, y), y),
    L.srem(L.mul(x, y), y),
    L.urem(L.mul(x, y), y),
    L.sdiv(L.mul(x, shift), shift),
    L.srem(L.shl(x, y), shift),
    L.ashr(L.mul(x, shift), y),
    L.lshr(L.shl(x, y), y),
    L.sdiv(L.mul(byte(3), x, y), y),
  ];
  const end = fc.integer({ min: -20, max: 20 });
  let decided = 0;
  fc.assert(
    fc.property(fc.constantFrom(...quotients), end, end, end, end, fc.nat(255), (q, xLow, xHigh, yLow, yHigh, n) => {
      const formula = L.eq(q, byte(n));
      const bounds = [L.sle(byte(xLow), x), L.sle(x, byte(xHigh)), L.sle(byte(yLow), y), L.sle(y, byte(yHigh))];
      const { terms } = withinBounds([...bounds, formula], new Map());
      if (terms.length <= 5 && !terms.includes(formula)) decided++;
      for (let a = xLow - 1; a <= xHigh + 1; a++)
        for (let b = yLow - 1; b <= yHigh + 1; b++) {
          const value = (symbol: Term): bigint => BigInt.asUintN(8, BigInt(symbol === x ? a : b));
          expect(terms.every((term) => L.evaluate(term, value) === true)).toBe(
            [...bounds, formula].every((term) => L.evaluate(term, value) === true),
          );
        }
    }),
    runs,
  );
  expect(decided).toBeGreaterThan(numRuns / 20);
});

describe('what intervals decide', () => {
  const x = L.symbol('x', L.bitsSort(32));
  const y = L.symbol('y', L.bitsSort(32));
  const number = (n: number): Term => L.bits(BigInt.asUintN(32, BigInt(n)), 32);
  const clamped = (t: Term): Term =>
    L.ite(L.slt(t, number(-100)), number(-100), L.ite(L.slt(number(100), t), number(100), t));
  const isInInt = (wide: Term): Term =>
    L.and(L.sle(L.bits(BigInt.asUintN(64, -(1n << 31n)), 64), wide), L.sle(wide, L.bits((1n << 31n) - 1n, 64)));
  const sum = (...terms: Term[]): Term => L.add(...terms.map((t) => L.signExtend(t, 64)));
  const check = (assertions: Term[], expected: Term[]): void =>
    expect(withinBounds(assertions, new Map()).terms).toEqual(expected);

  test('sums of clamped values do not overflow', () => check([isInInt(sum(clamped(x), clamped(y)))], []));
  test('nor do sums of values that an assumption bounds', () => {
    const assumed = [L.sle(x, number(5)), L.sle(number(-5), x), L.slt(y, x), L.sle(number(-9), y)];
    check([...assumed, isInInt(sum(x, y))], assumed);
  });
  test('what says so stays', () =>
    check([L.sle(x, number(5)), L.sle(x, number(7))], [L.sle(x, number(5)), L.sle(x, number(7))]));
  test('one value takes the place of a word', () =>
    check(
      [L.eq(x, number(7)), L.eq(L.mul(x, y), number(14))],
      [L.eq(x, number(7)), L.eq(L.mul(number(7), y), number(14))],
    ));
  test('what a path goes through is known further on', () => {
    const tenfold = L.mul(number(10), L.add(x, y));
    const fits = isInInt(L.signExtend(L.add(x, y), 64));
    const path = (inner: Term): Term =>
      L.or(
        L.eq(y, number(3)),
        L.and(L.sle(L.add(x, y), number(100)), L.sle(number(0), L.add(x, y)), L.or(L.eq(x, y), inner)),
      );
    check([path(L.sle(number(2000), L.add(x, y)))], [path(L.FALSE)]);
    check([path(L.and(fits, L.eq(tenfold, number(70))))], [path(L.eq(tenfold, number(70)))]);
    // Where it is not on the path, it is open.
    check(
      [L.or(path(L.eq(x, number(1))), L.and(L.sle(number(2000), L.add(x, y)), L.eq(x, number(2))))],
      [L.or(path(L.eq(x, number(1))), L.and(L.sle(number(2000), L.add(x, y)), L.eq(x, number(2))))],
    );
  });
});
